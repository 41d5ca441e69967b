"""A club: six realms with eighteen banners on the default map, some turns into the game."""

import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from importlib import resources
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.balance import lists
from benchmarks.timing import seconds
from pbem import battles as br1
from pbem.config import Settings
from pbem.core.dice import Dice
from pbem.core.orders import Line
from pbem.core.turn import resolve
from pbem.hosting import build_host, now
from pbem.reports.raster import Rasterizer, png
from pbem.service.host import Host, game
from pbem.service.incoming.robots import play_robots
from pbem.service.stages import advance
from pbem.service.stages.begin import begin
from pbem.service.stages.campaign_file import read_campaign

TURNS = 3
CARD_ORDERS = 7
NAMES = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh")


@dataclass(frozen=True)
class Measure:
    """One figure."""

    what: str
    bound: float
    """Seconds it may take."""
    seconds: float
    like: str = ""
    """What it is compared with."""


def measure() -> Iterator[Measure]:
    """All figures of a club."""
    with _played() as (host, clock):
        with host.unit() as unit:
            found = game(host, unit, unit.campaigns.all()[0])
        assert found is not None
        rules, state = found.rules, found.state
        views = {seat: rules.view(state, seat) for seat in sorted(state.realms)}
        orders = {seat: _orders(rules, view) for seat, view in views.items()}
        resolved = seconds(lambda: resolve(rules.phases(state), state, orders, dice()))
        yield Measure("resolve a turn", 0.005, resolved, "process()")
        yield Measure("read and check a card of 7 orders", 0.0005, _card(rules, state))
        svg = rules.picture(views["A"])
        yield Measure("draw the map as SVG", 0.005, seconds(lambda: rules.picture(views["A"])), "render()")
        yield Measure("SVG to PNG, 1000 px", 0.3, seconds(lambda: png.__wrapped__(svg, 1000), 5))
        yield Measure("close: all reports with maps into the outbox", 1.5, _close(host, clock))
    yield Measure("fight out 3,000 points against 3,000, the longest of 20 battles", 0.020, max(_battles()))


def dice() -> Dice:
    """Dice for a whole stage: those for all, and those for some seats alone."""
    return Dice(b"benchmark", lambda audience: repr(sorted(audience)).encode())


def _battles() -> Iterator[float]:
    """Battles without players, between armies drawn from the lists, with the dice of a stage."""
    luck = Random(3000)
    for _ in range(20):
        battle = br1.Battle(lists.drawn(luck, 3000), lists.drawn(luck, 3000))
        yield seconds(lambda battle=battle: br1.fight(battle, Dice(b"benchmark").row("battle")), 5)


def _orders(rules: Any, view: Any) -> list[Any]:
    card = rules.robot(view, Dice(b"benchmark"))
    sheet = rules.read(view, [Line(number, text) for number, text in enumerate(card.splitlines(), 1)])
    return [verdict.written.order for verdict in rules.check(view, sheet.orders).verdicts]


def _card(rules: Any, state: Any) -> float:
    """A robot's card for a realm of seven banners; moves name the goal only, which leaves most to be found."""
    view = rules.view(_with_seven_banners(state), "A")
    card = rules.robot(view, Dice(b"benchmark")).splitlines()[:CARD_ORDERS]
    lines = [Line(number, re.sub(r"(?:\d+ )+(\d+)", r"\1", text)) for number, text in enumerate(card, 1)]
    return seconds(lambda: rules.check(view, rules.read(view, lines).orders), 100)


def _with_seven_banners(state: Any) -> Any:
    larger = state.copy()
    own = larger.banners_of("A")
    for number in range(len(own), CARD_ORDERS):
        twin = replace(own[number % len(own)], name=f"{NAMES[number]} Guard")
        larger.banners[twin.key] = twin
    return larger


def _close(host: Host, clock: list[timedelta]) -> float:
    """Each run closes the next stage of the same campaign; that the robots write their cards before is not counted."""

    def week() -> None:
        play_robots(host)
        clock[0] += timedelta(days=8)

    return seconds(lambda: advance.run_due(host), 3, before=week, clock=time.perf_counter)


@contextmanager
def _played() -> Iterator[tuple[Host, list[timedelta]]]:
    """A campaign in which robots have played some turns, and the hand on its clock."""
    folder, ahead = Path(tempfile.mkdtemp(prefix="pbem-bench-")), [timedelta()]
    text = (
        resources.files("pbem.demo").joinpath("campaign.toml").read_text().replace("[[seat]]", "[[seat]]\nrobot = true")
    )
    try:
        with Rasterizer() as rasterizer:
            host = build_host(Settings(data=folder), rasterizer, clock=lambda: now() + ahead[0])
            begin(host, read_campaign("campaign.toml", text))
            while _turn(host) <= TURNS:
                play_robots(host)
                ahead[0] += timedelta(days=8)
                advance.run_due(host)
            yield host, ahead
            host.engine.dispose()
    finally:
        shutil.rmtree(folder)


def _turn(host: Host) -> int:
    with host.unit() as unit:
        stage = unit.campaigns.current_stage(unit.campaigns.all()[0])
        return stage.turn if stage else TURNS + 1
