"""Chapter 18, standing preferences: what realms want done where they cannot be asked in time."""

from dataclasses import replace

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.events import PreferenceSet, SpoilsChosen
from pbem.rulesets.nippon.orders import Preference
from pbem.rulesets.nippon.orders.preferences import SPOILS
from pbem.rulesets.nippon.state import Preferences, State

NO_DEAD = "nothing"
"""Into what the dead are raised where they are left in peace."""

NO_BANNER = "nobody"
"""Who assaults garrisons and lairs where no banner does."""

KILL = "kill"
"""What is done to captured creatures that do not join."""


# --- 18 Stages ----------------------------------------------------------------------------------------------------


@rule("18", "Stages")
def set_preferences(turn: Turn[State]) -> None:
    """Standing preferences hold from the opening of the orders that name them."""
    for seat, wanted in turn.given(Preference):
        if wanted.at:
            choose_spoils(turn, seat, wanted)
            continue
        after = with_preference(turn.state.realms[seat].preferences, wanted)
        turn.emit(PreferenceSet(seat, wanted.about, wanted.names, after), to=frozenset({seat}))


def choose_spoils(turn: Turn[State], seat: str, wanted: Preference) -> None:
    """Note what a realm wants of the spoils of one battle alone (NIP 9.5)."""
    meeting = turn.state.meetings.get(wanted.at)
    if meeting and seat in meeting.realms and wanted.about in SPOILS:
        with turn.citing("9.5"):
            turn.emit(SpoilsChosen(wanted.at, seat, wanted.about, wanted.names), to=frozenset({seat}))


def with_preference(preferences: Preferences, wanted: Preference) -> Preferences:
    """The preferences of a realm with one more, in place of any other about the same matter."""
    names = wanted.names
    match wanted.about:
        case "loss order":
            return replace(preferences, loss_order=names)
        case "give up":
            return replace(preferences, give_up=names)
        case "take":
            return replace(preferences, take=names)
        case "carriers":
            return replace(preferences, carriers=names)
        case "raise dead":
            leaves = names == (NO_DEAD,)
            return replace(preferences, raise_dead=() if leaves else names, leaves_dead=leaves)
        case "captured creatures":
            return replace(preferences, kills_creatures=names == (KILL,))
        case "assaults":
            none = names == (NO_BANNER,)
            return replace(preferences, assaults=() if none else names, assaults_nothing=none)
        case "side with":
            return replace(preferences, sides_with=names)


def standing(preferences: Preferences) -> tuple[Preference, ...]:
    """The preferences of a realm as it would write them; those that are as the rules have it are left out."""
    found = (
        Preference("loss order", preferences.loss_order),
        Preference("give up", preferences.give_up),
        Preference("take", preferences.take),
        Preference("carriers", preferences.carriers),
        Preference("raise dead", (NO_DEAD,) if preferences.leaves_dead else preferences.raise_dead),
        Preference("captured creatures", (KILL,) if preferences.kills_creatures else ()),
        Preference("assaults", (NO_BANNER,) if preferences.assaults_nothing else preferences.assaults),
        Preference("side with", preferences.sides_with),
    )
    return tuple(each for each in found if each.names)
