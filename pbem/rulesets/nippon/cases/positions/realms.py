"""Positions of rule cases: realms, their pacts, and the campaign."""

from typing import Any

from pbem.core.trials import BadLine, Vocabulary
from pbem.rulesets.nippon.cases.drafts import Draft
from pbem.rulesets.nippon.state import Options, Pact

REALMS = Vocabulary()

REALM_MARKS = Vocabulary()

LATE = 99
"""A turn that no case comes to."""


@REALMS.phrase("realm {seat:seat} {marks}")
def realm(draft: Draft, seat: str, marks: str) -> None:
    """A realm of which more is to be said than that it is there."""
    for mark in REALM_MARKS.read_all(marks):
        mark(draft.realms[seat])


@REALM_MARKS.phrase("treasury {pp:int}")
def treasury(realm: dict[str, Any], pp: int) -> None:
    """Production points it has."""
    realm["treasury"] = pp


@REALM_MARKS.phrase("army {name:quoted}")
@REALM_MARKS.phrase("army {name:word}")
def army(realm: dict[str, Any], name: str) -> None:
    """Its army list: ``dwarfs``, ``"high elves"``."""
    realm["army"] = name


@REALM_MARKS.phrase("named {name:quoted}")
def named(realm: dict[str, Any], name: str) -> None:
    """Its name; without one it goes by its letter."""
    realm["name"] = name


@REALM_MARKS.phrase("general {name:quoted}")
def general(realm: dict[str, Any], name: str) -> None:
    """Its Army General."""
    realm["general"] = name


@REALM_MARKS.phrase("without headquarters")
def without_headquarters(realm: dict[str, Any]) -> None:
    """It had lost its headquarters when the turn began."""
    realm["homeless"] = True


@REALM_MARKS.phrase("withdrawn[ until {turn:int}]")
def withdrawn(realm: dict[str, Any], turn: int = LATE) -> None:
    """Its player has left; its banners stay until the end of that turn."""
    realm["status"], realm["stands_until"] = "withdrawn", turn


@REALMS.phrase("pact {kind:word} {one:seat} {other:seat}[ until {until:int}][ broken {broken:int}]")
def pact(draft: Draft, kind: str, one: str, other: str, until: int = 0, broken: int = 0) -> None:
    """An alliance, a truce or agreed passage."""
    if kind not in ("alliance", "truce", "passage"):
        raise BadLine(f"{kind!r} is no pact; there are alliance, truce and passage")
    draft.pacts.append(Pact(kind, frozenset({one, other}), until, broken))  # type: ignore[arg-type]  # seen above
    for seat in (one, other):
        draft.realms[seat]


@REALMS.phrase("turn {number:int}")
def turn(draft: Draft, number: int) -> None:
    """The turn it is."""
    draft.turn = number


@REALMS.phrase("option {name:word} {value}")
def option(draft: Draft, name: str, value: str) -> None:
    """A switch of the campaign."""
    ordinary = vars(Options())
    if name not in ordinary:
        raise BadLine(f"there is no option {name!r}; there are {', '.join(ordinary)}")
    try:
        draft.options[name] = _option(type(ordinary[name]), value)
    except (KeyError, ValueError):
        raise BadLine(f"{value!r} is nothing for the option {name}") from None


def _option(kind: type, value: str) -> Any:
    return {"true": True, "false": False}[value] if kind is bool else kind(value)
