"""Dataclasses to JSON and back."""

import enum
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.core.codec import BY_NAME, Codec, canonical, formerly
from pbem.core.errors import BadDocument


class Colour(enum.Enum):
    """An enumeration that may stand in a document."""

    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Hill:
    """One of two classes that a field may hold."""

    height: int


@dataclass(frozen=True)
class Lake:
    """The other one; it has a field of the same name, and one that documents often keep for themselves."""

    height: int
    name: str = ""
    type: str = "lake"


@dataclass(frozen=True)
class World:
    """A field of every shape that rule systems use."""

    number: int
    share: float
    name: str
    yes: bool
    colour: Colour
    places: tuple[Hill | Lake, ...]
    best: Hill
    pair: tuple[str, int]
    seats: frozenset[str]
    counts: dict[int, int]
    lakes: dict[str, Lake]
    nested: tuple[tuple[str, tuple[int, ...]], ...]
    perhaps: Lake | None = None
    either: Hill | Lake | None = None
    worth: int = 7
    marks: tuple[str, ...] = field(default_factory=tuple)


CODEC = Codec(World, Hill, Lake)

numbers = st.integers(-(2**53), 2**53)
hills = st.builds(Hill, numbers)
lakes = st.builds(Lake, numbers, st.text(), st.text())
worlds = st.builds(
    World,
    number=numbers,
    share=st.floats(allow_nan=False, allow_infinity=False),
    name=st.text(),
    yes=st.booleans(),
    colour=st.sampled_from(Colour),
    places=st.lists(hills | lakes).map(tuple),
    best=hills,
    pair=st.tuples(st.text(), numbers),
    seats=st.frozensets(st.text()),
    counts=st.dictionaries(numbers, numbers),
    lakes=st.dictionaries(st.text(), lakes),
    nested=st.lists(st.tuples(st.text(), st.lists(numbers).map(tuple))).map(tuple),
    perhaps=st.none() | lakes,
    either=st.none() | hills | lakes,
    worth=numbers,
    marks=st.lists(st.text()).map(tuple),
)


@settings(max_examples=50, deadline=None)
@given(worlds)
def test_a_value_comes_back_as_itself_and_has_the_same_bytes_again(world):
    stored = CODEC.dump(world)
    assert CODEC.load(stored) == world
    assert CODEC.dump(CODEC.load(stored)) == stored


@given(st.lists(hills | lakes))
def test_a_list_keeps_the_class_of_each(values):
    assert CODEC.load(CODEC.dump(values)) == values


def test_the_bytes_are_spelled_in_one_way():
    assert CODEC.dump(Lake(3, "Åsjø")) == '{"class":"Lake","height":3,"name":"Åsjø"}'.encode()


def test_a_set_and_a_mapping_are_spelled_in_order():
    assert canonical({"b": 1, "a": [2]}) == b'{"a":[2],"b":1}'
    one, other = (Codec(Seats).dump(Seats(frozenset(seats))) for seats in ("ABC", "CBA"))
    assert one == other == b'{"class":"Seats","seats":["A","B","C"]}'


@dataclass(frozen=True)
class Seats:
    """A set."""

    seats: frozenset[str]


def test_a_field_at_its_default_is_left_out():
    assert CODEC.encode(Lake(3)) == {"class": "Lake", "height": 3}


def test_a_document_without_a_newer_field_gets_its_default():
    assert CODEC.decode({"class": "Lake", "height": 3}) == Lake(3, "")


def test_a_document_may_call_a_renamed_field_by_its_former_name():
    assert Codec(Renamed).decode({"class": "Renamed", "size": 3}) == Renamed(3)
    assert Codec(Renamed).encode(Renamed(3)) == {"class": "Renamed", "height": 3}


@dataclass(frozen=True)
class Renamed:
    """A field that once had another name."""

    height: int = field(metadata=formerly("size"))


def test_what_never_changes_is_decoded_once_and_shared():
    codec, bay = Codec(Bay), Bay((Lake(3, "Deep"),), Lake(12, "Long"))
    document = codec.encode(bay)
    one, other = codec.decode(document), codec.decode(codec.encode(bay))
    assert one == other == bay
    assert one.board is other.board
    assert one.lakes[0] is not other.lakes[0]
    document["board"]["height"] = 13
    assert codec.decode(document).board == Lake(13, "Long")
    assert codec.decode(codec.encode(bay)) == bay


def test_an_outline_only_names_what_never_changes():
    bay = Bay((Lake(3, "Deep"),), Lake(4, "Long"))
    assert Codec(Bay).outline(bay) == {"class": "Bay", "lakes": [{"height": 3, "name": "Deep"}], "board": "Long"}
    assert Codec(Bay).decode(Codec(Bay).encode(bay)) == bay


@dataclass(frozen=True)
class Bay:
    """A part that an outline names, and others of the same class."""

    lakes: tuple[Lake, ...]
    board: Lake = field(metadata=BY_NAME)


def test_only_what_may_be_several_classes_is_tagged():
    document = Codec(Pair).encode(Pair(Hill(1), Lake(2)))
    assert document == {"class": "Pair", "sure": {"height": 1}, "open": {"class": "Lake", "height": 2}}


@dataclass(frozen=True)
class Pair:
    """A field of one class and one of two."""

    sure: Hill
    open: Hill | Lake


@pytest.mark.parametrize(
    "document",
    [
        {"class": "Volcano", "height": 3},
        {"height": 3},
        {"class": "Lake"},
        {"class": "Lake", "height": 3, "depth": 4},
        "Lake",
        None,
        7,
    ],
)
def test_a_document_that_fits_no_class_is_a_bad_document(document):
    with pytest.raises(BadDocument):
        CODEC.decode(document)


def test_a_class_that_a_field_cannot_hold_is_a_bad_document():
    document = {"class": "Pair", "sure": {"height": 1}, "open": {"class": "Pair"}}
    with pytest.raises(BadDocument):
        Codec(Pair).decode(document)


def test_an_unknown_member_of_an_enumeration_is_a_bad_document():
    with pytest.raises(BadDocument):
        Codec(Painted).decode({"class": "Painted", "colour": "green"})


@dataclass(frozen=True)
class Painted:
    """An enumeration."""

    colour: Colour


def test_what_could_not_be_decoded_again_is_not_encoded():
    """A class that somebody forgot to name would else be found out when it is read back."""

    @dataclass(frozen=True)
    class Forgotten:
        at: int

    with pytest.raises(BadDocument, match="Forgotten could not be decoded again"):
        Codec().encode([Forgotten(3)])
