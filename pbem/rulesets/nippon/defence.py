"""Chapter 8.9, assaults on the table: who plays a garrison or what lives in a lair, if the campaign allows it.

Such an assault is a meeting whose second side is that player, so that its result is told as that of any other battle.
"""

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.assaults import enter, sent_in_alone, still_there
from pbem.rulesets.nippon.events import DefenceSought, DefenceTaken
from pbem.rulesets.nippon.garrisons import muster
from pbem.rulesets.nippon.legality import Refusal
from pbem.rulesets.nippon.meetings import allied_groups
from pbem.rulesets.nippon.orders import Defend
from pbem.rulesets.nippon.state import Assault, Meeting, State


@rule("8.9", "Assaults on the table")
def seek_defence(turn: Turn[State]) -> None:
    """After all moves: it is seen at once who defends; then somebody may take the defence."""
    if turn.state.options.site_battles == "table":
        opened = (each for each in turn.state.assaults.values() if playable(turn.state, each))
        for assault in sorted(opened, key=lambda each: each.at):
            open_to_all(turn, assault)


def playable(state: State, assault: Assault) -> bool:
    """Whether an assault can be played: by allies alone, with all their banners, and with a defence to be taken."""
    banners = [state.banners[key] for key in assault.banners if key in state.banners]
    realms = {banner.realm for banner in banners}
    holder = state.sections[assault.at].controller
    return (
        assault.kind != "spawn"
        and assault.at not in state.meetings
        and all(still_there(state, assault, key) and not spawned(state, key) for key in assault.banners)
        and len(allied_groups(state, realms)) == 1
        and (not holder or state.realms[holder].in_play)
        and (assault.kind == "garrison" or sent_in_alone(state, banners) is None)
    )


def spawned(state: State, key: str) -> bool:
    """Whether a banner has to fight before what some of its own have become (NIP 14.3)."""
    return any(each.kind == "spawn" and key in each.banners for each in state.assaults.values())


def open_to_all(turn: Turn[State], assault: Assault) -> None:
    """See who defends, and ask who would play them. Where nobody is at home there is nothing to play."""
    at, banners = assault.at, [turn.state.banners[key] for key in assault.banners]
    realms = tuple(sorted({banner.realm for banner in banners}))
    if assault.kind == "garrison":
        muster(turn, at)
        turn.emit(DefenceSought(at, assault.banners, realms, turn.roll(f"scenario {at}")))
        return
    with turn.citing("8.6"):
        met = enter(turn, at, banners)
    if met.units:
        scenario = turn.roll(f"scenario {at}")
        turn.emit(DefenceSought(at, assault.banners, realms, scenario, met.units, met.times))


@rule("8.9", "Assaults on the table")
def take_defence(turn: Turn[State]) -> None:
    """At once: who comes first plays the defence."""
    for seat, order in turn.given(Defend):
        if refusal(turn.state, seat, order) is None:
            turn.emit(DefenceTaken(order.at, seat))


def undefended_assaults(state: State) -> tuple[Meeting, ...]:
    """The assaults whose defence can still be taken, by section."""
    meetings = (state.meetings[at] for at in sorted(state.meetings))
    return tuple(each for each in meetings if each.unopposed and not each.settled)


def refusal(state: State, seat: str, order: Defend) -> Refusal | None:
    """Why a realm cannot play the defence in an assault; ``None`` if it can."""
    place, meeting = state.place(order.at), state.meetings.get(order.at)
    if meeting is None or not meeting.assault or meeting.settled:
        known = ", ".join(str(state.place(each.at)) for each in undefended_assaults(state))
        return Refusal("8.9", f"There is no defence to take in {place}." + (f" Open: {known}." if known else ""))
    if meeting.next.defender:
        taken = "You play" if meeting.next.defender == seat else f"{state.realms[meeting.next.defender].name} plays"
        return Refusal("8.9", f"{taken} the defence in {place} already.")
    if any(banner.realm == seat for banner in state.banners_at(order.at)):
        return Refusal("8.9", f"Banners of yours stand in {place}: somebody else has to play the defence.")
    holder = state.sections[order.at].controller
    if holder and holder != seat:
        return Refusal("8.9", f"{place} is {state.realms[holder].name}'s: only its own player can defend it.")
    if meeting.spoken_for(seat):
        return Refusal("8.9", "You play that assault for the attackers: somebody else has to play the defence.")
    if holder != seat and not all(state.hostile(seat, attacker) for attacker in meeting.side(meeting.next.attacker)):
        return Refusal("8.9", "You have a pact with the attackers: somebody else has to play the defence.")
    return None
