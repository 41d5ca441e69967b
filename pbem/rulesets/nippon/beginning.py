"""Chapter 2 by mail: a first stage in which players choose headquarters and armies, and how it is resolved.

A campaign has it if its option ``setup`` says so; else :mod:`setup` does all this at once.
"""

from collections.abc import Sequence

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon import armies
from pbem.rulesets.nippon.armies.rosters import Judged, Roster, judge
from pbem.rulesets.nippon.events import (
    ArmyMustered,
    BannerMustered,
    CampaignBegan,
    CitadelRaised,
    GeneralChosen,
    HeadquartersChosen,
    PickRolled,
    RealmEntered,
    RosterRefused,
)
from pbem.rulesets.nippon.orders import Enlist, Enter, NameBanners, Prefer
from pbem.rulesets.nippon.setup import first_general, first_machines, picking_dice, usual_names
from pbem.rulesets.nippon.state import State, Unit, key_of
from pbem.rulesets.nippon.ties import rolled_off

Banners = Sequence[tuple[str, tuple[Unit, ...]]]
"""Names and units."""


@rule("2.1", "Seats")
def enter(turn: Turn[State]) -> None:
    """Whoever takes a free seat has a realm at once."""
    for seat, order in turn.given(Enter):
        turn.emit(RealmEntered(seat, order.name, order.army))


@rule("2.2", "Headquarters")
def choose_headquarters(turn: Turn[State]) -> None:
    """Highest roll first, each the first of its list that is still free, else the free one with the lowest number."""
    wishes = {seat: order.sections for seat, order in turn.given(Prefer)}
    waiting = [seat for seat, realm in sorted(turn.state.realms.items()) if not realm.headquarters]

    def roll(seat: str, again: str) -> int:
        total = sum(turn.roll(label) for label in picking_dice(seat, again))
        turn.emit(PickRolled(seat, total))
        return total

    for seat in rolled_off(waiting, roll):
        free = candidates(turn.state)
        wanted = [number for number in wishes.get(seat, ()) if number in free]
        turn.emit(HeadquartersChosen(seat, (wanted or free)[0]))


def candidates(position: State) -> list[int]:
    """The sections where a headquarters may still be put, by number."""
    taken = {realm.headquarters for realm in position.realms.values()}
    return [place.number for place in position.atlas if place.headquarters and place.number not in taken]


@rule("2.3", "Citadels")
def raise_citadels(turn: Turn[State]) -> None:
    """Each headquarters, with two machines of the cheapest type."""
    for seat, realm in sorted(turn.state.realms.items()):
        turn.emit(CitadelRaised(seat, realm.headquarters, first_machines(realm.army)))


@rule("2.4", "Armies")
def muster(turn: Turn[State]) -> None:
    """The army that a player sent, or the ready-made one."""
    rosters, names = dict(turn.given(Enlist)), dict(turn.given(NameBanners))
    for seat in sorted(turn.state.realms):
        banners = ready_army(turn.state, seat, names[seat].names if seat in names else ())
        if seat in rosters and rosters[seat].entries:
            judged = mustered(turn.state, seat, rosters[seat])
            if judged.flaws:
                turn.emit(RosterRefused(seat, str(judged.flaws[0])), to=frozenset({seat}))
            else:
                banners = judged.banners
        _raise(turn, seat, banners)


def _raise(turn: Turn[State], seat: str, banners: Banners) -> None:
    home = turn.state.realms[seat].headquarters
    for name, units in banners:
        turn.emit(BannerMustered(key_of(seat, name), home, units), to=frozenset({seat}))
    general = first_general([unit for _, units in banners for unit in units])
    turn.emit(GeneralChosen(seat, general), to=frozenset({seat}))
    turn.emit(ArmyMustered(seat, home, tuple(name for name, _ in banners)))


def mustered(position: State, seat: str, order: Enlist) -> Judged:
    """What a roster musters for a realm, and what is wrong with it."""
    army = armies.army(position.realms[seat].army)
    options = position.options
    return judge(Roster(order.entries, order.foreign), army, options.army_points, options.foreign_rosters)


def ready_army(position: State, seat: str, names: Sequence[str] = ()) -> Banners:
    """The ready-made army of a realm, under these names, those of the campaign file, or names of its own."""
    army = armies.army(position.realms[seat].army)
    lists = [armies.army(realm.army).name for other, realm in sorted(position.realms.items()) if other < seat]
    given = names or position.realms[seat].banner_names
    return tuple(zip(given or usual_names(army, lists.count(army.name)), army.ready, strict=True))


@rule("2.5", "The start")
def begin(turn: Turn[State]) -> None:
    """All stand at home: the first turn waits for orders."""
    turn.emit(CampaignBegan())
