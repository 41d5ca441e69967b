"""Chapter 15, the end: when the campaign is over, and who won."""

from fractions import Fraction
from itertools import combinations, groupby

from pbem.core.ruleset import Outcome
from pbem.core.turn import Turn, rule
from pbem.core.wording import counted, listed
from pbem.rulesets.nippon.atlas import Place
from pbem.rulesets.nippon.events import CampaignEnded
from pbem.rulesets.nippon.headquarters import lacks_headquarters, site_for
from pbem.rulesets.nippon.state import State
from pbem.rulesets.nippon.tables import (
    PORT_SCORE,
    SECTION_SCORE,
    SITE_SCORE,
    UNCONTROLLABLE_SITES,
    UNCONTROLLABLE_TERRAIN,
)

Ranking = tuple[tuple[str, ...], ...]
"""Seats in order of merit, equals together."""


def outcome(state: State) -> Outcome | None:
    """How the campaign ended; ``None`` while it goes on."""
    return Outcome(state.ranking, state.ending) if state.stage == "over" else None


def length(state: State) -> str:
    """How long the campaign goes on at most (NIP 15.2); nothing if no last turn is set."""
    turns = state.options.end_turn
    return f"{counted(turns, 'turn')}, or until somebody has won" if turns else ""


@rule("15.2", "The end")
def judge_end(turn: Turn[State]) -> None:
    """After production: whether anybody has won, or time is up."""
    state = turn.state
    reason, winners = victory(state) or domination(state) or standstill(state) or ("", ())
    if reason:
        scores = tuple((seat, score(state, seat)) for seat in sorted(state.realms))
        turn.emit(CampaignEnded(reason, ranking(state, winners), scores))


Ending = tuple[str, tuple[str, ...]]
"""Why the campaign is over, and the winners as far as the reason names them; the scores say the rest."""


def victory(state: State) -> Ending | None:
    """One realm, or where the campaign allows it one alliance, is left."""
    left = tuple(seat for seat, realm in sorted(state.realms.items()) if realm.in_play)
    if not left:
        return "No realm is left.", ()
    if len(left) == 1:
        return f"{state.realms[left[0]].name} is the only realm left.", left
    if state.options.allied_victory and all(state.at_pact(*pair, "alliance") for pair in combinations(left, 2)):
        return f"Only allies are left: {', '.join(state.realms[seat].name for seat in left)}.", left
    return None


def domination(state: State) -> Ending | None:
    """A realm controls its share of all the sections that can be controlled; of several that do, the largest."""
    land = {place.number for place in state.atlas if worth_ruling(state, place)}
    held = {
        seat: len(land.intersection(state.held_by(seat)))
        for seat, realm in sorted(state.realms.items())
        if realm.in_play
    }
    most = max(held.values())
    if most < Fraction(str(state.options.domination)) * len(land):
        return None
    winners = tuple(seat for seat in held if held[seat] == most)
    names = listed(state.realms[seat].name for seat in winners)
    return f"{names} {'control' if len(winners) > 1 else 'controls'} {most} of {len(land)} sections.", winners


def worth_ruling(state: State, place: Place) -> bool:
    """Whether a section counts among those that can be controlled, razed or not (NIP 6.6)."""
    return place.terrain not in UNCONTROLLABLE_TERRAIN and state.site(place.number) not in UNCONTROLLABLE_SITES


def standstill(state: State) -> Ending | None:
    """The last turn is over, or there is nobody left who could move."""
    if state.options.end_turn and state.turn >= state.options.end_turn:
        return f"Turn {state.turn} was the last.", ()
    return None if state.banners or state.tunnels else ("No banner is left on the map.", ())


def score(state: State, seat: str) -> int:
    """What the sections of a realm count for."""
    return sum(section_score(state, number, seat) for number in state.held_by(seat))


def section_score(state: State, number: int, seat: str) -> int:
    """What one section counts for; another's citadel counts as a stronghold (NIP 13)."""
    port = PORT_SCORE if state.port(number) else 0
    return SECTION_SCORE + SITE_SCORE.get(site_for(state, number, seat), 0) + port


def ranking(state: State, winners: tuple[str, ...]) -> Ranking:
    """The realms in order of merit: winners, then by score, treasury and headquarters; last those no more in play."""

    def merit(seat: str) -> tuple[int, ...]:
        realm = state.realms[seat]
        if seat in winners:
            return (2,)
        return (
            int(realm.in_play),
            score(state, seat),
            realm.treasury,
            int(not lacks_headquarters(state, seat)),
        )

    by_merit = sorted(sorted(state.realms), key=merit, reverse=True)
    return tuple(tuple(equals) for _, equals in groupby(by_merit, key=merit))
