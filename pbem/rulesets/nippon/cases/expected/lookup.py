"""What the expectations of a case ask of the position."""

from collections.abc import Mapping
from typing import TypeVar

from pbem.core.trials import BadLine, Trial
from pbem.rulesets.nippon.cases.drafts import banner_key
from pbem.rulesets.nippon.state import Banner, Meeting, Realm, Section, Ship, State

K = TypeVar("K")
V = TypeVar("V")


def instead(wanted: object, came: object) -> str | None:
    """What came instead of what was wanted; nothing if it is the same."""
    if wanted == came:
        return None
    shown = " ".join(map(str, came)) if isinstance(came, tuple) else str(came)
    return f"it is {shown or 'nothing'}"


def named(banner: str) -> str:
    """The key of a banner as a case writes it: ``A Red``."""
    seat, _, name = banner.partition(" ")
    return banner_key(seat, name)


def state_of(trial: Trial) -> State:
    """The position as it is now."""
    state: State = trial.state
    return state


def banner_of(trial: Trial, banner: str) -> Banner:
    """A banner; raises ``BadLine`` if there is none."""
    return _look_up(state_of(trial).banners, named(banner), "banner")


def realm_of(trial: Trial, seat: str) -> Realm:
    """A realm; raises ``BadLine`` if there is none."""
    return _look_up(state_of(trial).realms, seat, "realm")


def section_of(trial: Trial, number: int) -> Section:
    """A section; raises ``BadLine`` if there is none."""
    return _look_up(state_of(trial).sections, number, "section")


def ship_of(trial: Trial, key: str) -> Ship:
    """A ship; raises ``BadLine`` if there is none."""
    return _look_up(state_of(trial).ships, key, "ship")


def meeting_of(trial: Trial, number: int) -> Meeting:
    """The meeting in a section; raises ``BadLine`` if there is none."""
    return _look_up(state_of(trial).meetings, number, "meeting in")


def _look_up(table: Mapping[K, V], key: K, kind: str) -> V:
    if key not in table:
        raise BadLine(f"there is no {kind} {key}; there are {', '.join(map(str, table)) or 'none'}")
    return table[key]


def numbers_in(text: str) -> list[int]:
    """Section numbers, with commas or without; raises ``BadLine``."""
    words = text.replace(",", " ").split()
    if not all(word.isdigit() for word in words):
        raise BadLine(f"{text!r} are no section numbers")
    return [int(word) for word in words]
