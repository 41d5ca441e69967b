"""Who fights as one body in a battle, and what its units are called where nobody plays it (NIP 8.3).

A corps is known by the key of its banner, or by ``RESERVE``, ``GARRISON``, ``LAIR``, or by :func:`gunners`. The
resolver tells the units of a side apart by their names; so these tell the corps as well: ``A Red Dragons: Spears``.
"""

from pbem.rulesets.nippon.state import GARRISON, LAIR, RESERVE, name_of, seat_of

SHIP = "ship "
BODIES = {RESERVE: "reserve", GARRISON: "garrison", LAIR: ""}
"""What people call those that have no name of their own."""


def gunners(ship: str) -> str:
    """The corps of the machines of a ship, by its key."""
    return f"{SHIP}{ship}"


def counted(corps: str) -> bool:
    """Whether its losses are kept after an automatic battle: not those of ships, nor of who lives in a lair."""
    return corps != LAIR and not corps.startswith(SHIP)


def called(corps: str, unit: str) -> str:
    """The name of a unit in battle."""
    return f"{corps}: {unit}"


def corps_and_unit(name: str) -> tuple[str, str]:
    """The corps and the unit that such a name tells."""
    corps, _, unit = name.partition(": ")
    return corps, unit


def owner(name: str) -> str:
    """The seat of the realm whose unit it is, where its corps has one of its own."""
    corps, _ = corps_and_unit(name)
    return "" if corps in BODIES else seat_of(corps.removeprefix(SHIP))


def told(name: str, *, crowded: bool) -> str:
    """A unit for people: ``Spears``, or ``Spears (Red Dragons)`` where its side is ``crowded`` by several corps.

    Who is of a reserve or serves on a ship is always told so.
    """
    corps, unit = corps_and_unit(name)
    body = BODIES[corps] if corps in BODIES else name_of(corps.removeprefix(SHIP))
    outside = corps == RESERVE or corps.startswith(SHIP)
    return f"{unit} ({body})" if body and (crowded or outside) else unit
