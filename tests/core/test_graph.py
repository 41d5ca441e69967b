"""Distances, paths and bearings; networkx is the oracle."""

import math

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.graph import angle_between, bearing, distances, shortest_path

NODES = st.integers(0, 9)
graphs = st.lists(st.tuples(NODES, NODES)).map(lambda edges: _graph(edges))
degrees = st.integers(0, 359)


def _graph(edges) -> nx.Graph:
    graph = nx.Graph(edges)
    graph.add_nodes_from(range(10))
    return graph


@given(graphs, NODES)
def test_distances_are_the_shortest(graph, start):
    assert distances(start, graph.neighbors) == dict(nx.single_source_shortest_path_length(graph, start))


@given(graphs, NODES, NODES)
def test_the_shortest_path_is_the_first_in_order(graph, start, goal):
    found = shortest_path(start, distances(goal, graph.neighbors), graph.neighbors)
    if nx.has_path(graph, start, goal):
        assert found == min(tuple(path[1:]) for path in nx.all_shortest_paths(graph, start, goal))
    else:
        assert found is None


@pytest.mark.parametrize(
    ("target", "degrees"), [((0, -1), 0), ((1, -1), 45), ((1, 0), 90), ((0, 1), 180), ((-1, 0), 270), ((-1, -1), 315)]
)
def test_a_bearing_runs_clockwise_from_the_top(target, degrees):
    assert bearing((0, 0), target) == pytest.approx(degrees)


@given(degrees, st.integers(1, 1000))
def test_a_bearing_does_not_hang_on_the_distance(degrees, far):
    target = (far * math.sin(math.radians(degrees)), -far * math.cos(math.radians(degrees)))
    assert angle_between(bearing((0, 0), target), degrees) == 0


@given(degrees, degrees)
def test_an_angle_is_the_shorter_way_round(first, second):
    assert angle_between(first, second) == min((first - second) % 360, (second - first) % 360)
