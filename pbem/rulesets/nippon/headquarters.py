"""Chapter 13, losing and regaining the headquarters."""

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.atlas import Site
from pbem.rulesets.nippon.events import HeadquartersLost, HeadquartersRegained, RealmEliminated
from pbem.rulesets.nippon.state import State


def lacks_headquarters(state: State, realm: str) -> bool:
    """Whether a realm's headquarters is in other hands, or razed."""
    home = state.sections[state.realms[realm].headquarters]
    return home.controller != realm or home.razed


def site_for(state: State, at: int, realm: str) -> Site:
    """What the site of a section is worth to a realm."""
    return worth(state, state.sections[at].site, at, realm)


def worth(state: State, site: Site, at: int, realm: str) -> Site:
    """What a site, there now or before, is worth to a realm: another's citadel is a stronghold to it (NIP 13)."""
    return "stronghold" if site == "citadel" and state.realms[realm].headquarters != at else site


@rule("13", "Headquarters")
def headquarters(turn: Turn[State]) -> None:
    """At the end of the turn: who is without headquarters when the next begins, and who has nothing left."""
    for seat, realm in sorted(turn.state.realms.items()):
        lacks = lacks_headquarters(turn.state, seat)
        if lacks != realm.homeless:
            turn.emit((HeadquartersLost if lacks else HeadquartersRegained)(seat, realm.headquarters))
        if realm.status != "eliminated" and is_gone(turn.state, seat):
            turn.emit(RealmEliminated(seat))


def is_gone(state: State, realm: str) -> bool:
    """Whether a realm has neither land nor ships nor banners, on the map or under it."""
    return not (state.held_by(realm) or state.all_of(realm) or state.ships_of(realm))
