"""Ships where they lie: which port has room, whose guns reach a battle, what a new ship is called (NIP 11.4)."""

from collections.abc import Sequence
from itertools import count

from pbem.core.orders import plain
from pbem.rulesets.nippon.headquarters import worth
from pbem.rulesets.nippon.state import Ship, State
from pbem.rulesets.nippon.tables import BERTHS, SHIP_NAMES


def open_port(position: State, seat: str, number: int) -> bool:
    """Whether a realm's ships may enter a section's port: its own or an ally's, not razed."""
    section = position.sections[number]
    friendly = section.controller == seat or (
        bool(section.controller) and position.at_pact(section.controller, seat, "alliance")
    )
    return position.port(number) and friendly and not section.razed


def berths(position: State, number: int) -> int:
    """Ships that a port has room for; 0 without a port."""
    section = position.sections[number]
    return BERTHS.get(worth(position, section.site, number, section.controller), 0) if position.port(number) else 0


def ships_beside(position: State, at: int, side: Sequence[str], foes: Sequence[str]) -> tuple[Ship, ...]:
    """The ships whose machines may join a side in a battle at ``at`` against ``foes``, by key: its own and its allies'.

    They lie in the port of that section, or in an ocean section that borders it or is it.
    """
    place = position.place(at)
    near = {at, *(number for number in place.neighbours if position.place(number).ocean)}
    return tuple(
        ship
        for _, ship in sorted(position.ships.items())
        if ship.at in near and (ship.realm in side or _lends(position, at, ship.realm, side, foes))
    )


def _lends(position: State, at: int, seat: str, side: Sequence[str], foes: Sequence[str]) -> bool:
    """Whether the ships of a realm help a side that it has no banner on: an ally's, at peace with none of its foes.

    Who has met somebody there himself has a side of his own, or has come to terms.
    """
    meeting = position.meetings.get(at)
    met = meeting is not None and not meeting.assault and bool(meeting.side(seat))
    allied = any(position.at_pact(seat, friend, "alliance") for friend in side)
    return allied and not met and all(position.hostile(seat, foe) for foe in foes)


# --- names --------------------------------------------------------------------------------------------------------


def taken(position: State, seat: str, name: str) -> bool:
    """Whether a ship or a banner of a realm goes by a name: orders could not tell them apart."""
    names = [ship.name for ship in position.ships_of(seat)] + [banner.name for banner in position.all_of(seat)]
    return plain(name) in map(plain, names)


def unused_name(position: State, seat: str, name: str) -> str:
    """A name for a ship that comes to a realm: its own, with a number if the realm has that name already."""
    numbered = (name if number == 1 else f"{name} {number}" for number in count(1))
    return next(each for each in numbered if not taken(position, seat, each))


def free_names(position: State, seat: str, number: int) -> tuple[str, ...]:
    """Names for so many new ships. Each realm begins at another place of the list; used up, it begins anew with 2."""
    start = len(SHIP_NAMES) * sorted(position.realms).index(seat) // len(position.realms)
    ordered = SHIP_NAMES[start:] + SHIP_NAMES[:start]
    every = (name if not turn else f"{name} {turn + 1}" for turn in count() for name in ordered)
    free = (name for name in every if not taken(position, seat, name))
    return tuple(next(free) for _ in range(number))
