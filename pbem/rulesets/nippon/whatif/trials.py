"""The turn played on what a player knows, up to the movement report: where his banners are then, and whom they meet."""

from collections.abc import Iterable
from dataclasses import dataclass

from pbem.core.dice import EVERYONE, Audience, Dice, Meaning, Roll
from pbem.core.odds import Odds, fair, odds
from pbem.core.turn import Turn, number_of
from pbem.rulesets.nippon.events import BannerDissolved, Disbanded, JoinedReserve
from pbem.rulesets.nippon.phases import EXECUTION
from pbem.rulesets.nippon.state import State, seat_of
from pbem.rulesets.nippon.whatif.parts import Orders, parts

IDLE = frozenset({"7.1", "8.1", "11"})
"""Numbers of phases whose dice bring nobody anywhere (pay for razing, attackers, scenarios): they are not counted."""

MOST_WAYS = 300
"""So many ways in which the dice of a part can fall are counted; of more a sample is taken."""

MOST_RUNS, LEAST_RUNS = 400, 100
EFFORT = 6000
"""Banners in all the runs of a sample: with more of them on the map there are fewer runs."""

GONE = {Disbanded: "disbanded", JoinedReserve: "reserve", BannerDissolved: "dissolved"}
"""How a banner can cease to be one and its units live on, by the event that says so."""


@dataclass(frozen=True)
class Fate:
    """What has become of a banner."""

    at: int
    """0: it is no more."""
    how: str = ""
    """``scattered``, or what became of it if it is no more."""
    met: tuple[str, ...] = ()
    """The keys of the hostile banners that it meets."""


@dataclass(frozen=True)
class Outcome:
    """What a part of the banners has come to."""

    fates: tuple[tuple[str, Fate], ...]
    """Of the realm's own, by key."""
    gained: frozenset[int]
    """Sections that the realm holds by them and did not hold before."""
    lost: frozenset[int]
    """Sections that it no longer holds because of them."""

    def fate(self, key: str) -> Fate:
        """What has become of one of them."""
        return dict(self.fates).get(key, Fate(0, "destroyed"))


def play_out(position: State, seat: str, orders: Orders) -> list[Odds[Outcome]]:
    """What may become of a realm, by the same rules as in the turn, part by part; the same arguments give the same
    answer."""
    found = parts(position, seat, orders)
    runs = min(MOST_RUNS, max(LEAST_RUNS, EFFORT // (1 + len(position.banners))))
    trials = (Trial(position, seat, orders, part, frozenset[str]().union(*found) - part) for part in found)
    return [odds(trial.play, MOST_WAYS, runs // len(found)) for trial in trials]


@dataclass(frozen=True)
class Trial:
    """The turn, played to see what becomes of a part of the banners."""

    position: State
    seat: str
    orders: Orders
    part: frozenset[str]
    """Keys of the banners that are asked about."""
    others: frozenset[str]
    """Those whose dice make no difference to them."""

    def play(self, dice: Dice) -> Outcome:
        """What comes of it with some dice."""
        idle = fair("idle")
        turn = Turn(self.position.copy(), self.orders, idle)
        mixed = Mixed(dice, idle, self.part, self.others)
        for phase in EXECUTION:
            turn.dice = idle if number_of(phase) in IDLE else mixed
            phase(turn)
        return self._outcome(turn)

    def _outcome(self, turn: Turn[State]) -> Outcome:
        held, holds = set(self.position.held_by(self.seat)), set(turn.state.held_by(self.seat))
        now = {banner.key for banner in turn.state.banners_of(self.seat)}
        own = sorted({key for key in self.part if seat_of(key) == self.seat} | (now - self.others))
        theirs = [key for key in self.others if seat_of(key) != self.seat]
        fates = tuple((key, _fate(turn, key)) for key in own)
        gained = (holds - held) & _where(turn.state, own)
        return Outcome(fates, frozenset(gained), frozenset(held - holds - _where(turn.state, theirs)))


class Mixed(Dice):
    """Dice of which those for some banners always fall alike, for they make no difference; the others fall as they do.

    A die is for a banner if its label has the key of it. One that only seems to be for a banner of the part, because a
    name begins with another's, is counted without need and does no harm.
    """

    def __init__(self, dice: Dice, idle: Dice, part: Iterable[str], others: Iterable[str]) -> None:
        super().__init__()
        self._dice, self._idle = dice, idle
        self._part, self._others = ([f" {key} " for key in keys] for keys in (part, others))

    def roll(self, label: str, sides: int, to: Audience = EVERYONE, meaning: Meaning | None = None) -> Roll:
        """One of these or one of those."""
        about = f" {label} "
        idle = any(key in about for key in self._others) and not any(key in about for key in self._part)
        return (self._idle if idle else self._dice).roll(label, sides, to, meaning)


def _where(state: State, keys: Iterable[str]) -> set[int]:
    """The sections in which banners stand."""
    return {state.banners[key].at for key in keys if key in state.banners}


def _fate(turn: Turn[State], key: str) -> Fate:
    banner = turn.state.banners.get(key)
    if banner is None:
        ends = (entry.event for entry in turn.log if type(entry.event) in GONE)
        return Fate(0, next((GONE[type(event)] for event in ends if event.banner == key), "destroyed"))
    return Fate(banner.at, "scattered" if banner.scattered else "", _met(turn.state, key, banner.at))


def _met(state: State, key: str, at: int) -> tuple[str, ...]:
    meeting = state.meetings.get(at)
    if meeting is None or key not in meeting.banners:
        return ()
    side = meeting.side(seat_of(key))
    return tuple(other for other in meeting.banners if seat_of(other) not in side)
