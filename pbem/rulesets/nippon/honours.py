"""Chapter 15.3, honours: deeds are counted as they happen, and told when the campaign is over."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import singledispatch
from typing import Any

from pbem.core.dice import NOBODY
from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon import events
from pbem.rulesets.nippon.state import State
from pbem.rulesets.nippon.tables import PAY_DIE

Deed = tuple[str, str, int]
"""What was done, by which realm or banner, and how often or how much."""


@rule("15.3", "Honours")
def count_deeds(turn: Turn[State]) -> None:
    """At the end of each stage: what happened in it that an honour may come of. Nobody learns of it before the end."""
    counted = Counter[str]()
    for entry in turn.log:
        for deed, who, much in _deeds(entry.event):
            counted[f"{deed} {who}"] += much
    if counted:
        turn.emit(events.DeedsCounted(tuple(sorted(counted.items()))), to=NOBODY)


@singledispatch
def _deeds(event: Any) -> Iterator[Deed]:
    """What an event counts for."""
    yield from ()


@_deeds.register
def _(event: events.SectionWon) -> Iterator[Deed]:
    yield "won", event.realm, 1


@_deeds.register
def _(event: events.Razed) -> Iterator[Deed]:
    yield "razed", event.realm, 1


@_deeds.register(events.Built)
@_deeds.register(events.Upgraded)
def _(event: events.Built | events.Upgraded) -> Iterator[Deed]:
    yield "built", event.realm, event.pp


@_deeds.register
def _(event: events.TermsAgreed) -> Iterator[Deed]:
    yield from (("agreed", realm, 1) for realm in event.realms)


@_deeds.register
def _(event: events.Moved) -> Iterator[Deed]:
    yield "walked", event.banner, 1


@_deeds.register
def _(event: events.Heroic) -> Iterator[Deed]:
    yield "dared", event.banner, 1


@_deeds.register
def _(event: events.Produced) -> Iterator[Deed]:
    dice = [pips for source, pips in event.parts if source == "die" and not event.halved]
    yield from (("dice", event.realm, 1) for _ in dice)
    yield from (("pips", event.realm, pips) for pips in dice)


# --- honours ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Honour:
    """Who did most of something; equals share it."""

    title: str
    won_by: tuple[str, ...]
    """Seats, or keys of banners."""
    why: str


TITLES: Mapping[str, tuple[str, str]] = {
    "won": ("The conqueror", "sections taken in battle: {}"),
    "agreed": ("The peacemaker", "agreements at meetings: {}"),
    "built": ("The builder", "production points spent on buildings and upgrades: {:,}"),
    "razed": ("The torch", "sections razed: {}"),
    "walked": ("The wanderer", "sections walked: {}"),
    "dared": ("The dauntless", "danger turned into heroism: {}"),
}
"""By deed: the honour for whoever did most of it, and how much that was."""


def honours(state: State) -> Iterator[Honour]:
    """The honours of a campaign that is over."""
    for deed, (title, words) in TITLES.items():
        done = _done(state, deed)
        most = max(done.values(), default=0)
        if most:
            yield Honour(title, tuple(who for who in sorted(done) if done[who] == most), words.format(most))
    yield from _luck(state)


def _done(state: State, deed: str) -> dict[str, int]:
    """How much of a deed each realm or banner did."""
    return {key.partition(" ")[2]: much for key, much in state.deeds.items() if key.partition(" ")[0] == deed}


def _luck(state: State) -> Iterator[Honour]:
    """The best and the worst average of whole production dice."""
    dice, pips = _done(state, "dice"), _done(state, "pips")
    average = {seat: Fraction(pips[seat], dice[seat]) for seat in dice}
    for title, extreme in (("The darling of fortune", max), ("Against all odds", min)):
        if len(set(average.values())) > 1:
            best = extreme(average.values())
            won_by = tuple(seat for seat in sorted(average) if average[seat] == best)
            yield Honour(title, won_by, f"production dice showed {float(best):.2f} on average, of {PAY_DIE}")
