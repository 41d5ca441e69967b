"""Lines about the sea (NIP 11.4): ``Red Dragons: sail 40 41, land 12``, ``Sea Swan: sail 40 41``."""

import re
from collections.abc import Callable, Iterator

from pbem.core.grammar import Grammar, Misread, Names, Verb, first_word, unknown
from pbem.core.orders import plain
from pbem.rulesets.nippon.cards.names import route, section
from pbem.rulesets.nippon.orders import Sail, Steer
from pbem.rulesets.nippon.state import Banner, Ship, key_of
from pbem.rulesets.nippon.view import View


def own_ships(view: View) -> tuple[Ship, ...]:
    """The ships of the reader, by name."""
    return view.position.ships_of(view.seat) if view.seat else ()


def ship_names(view: View) -> Names[str]:
    """The reader's ships by name; what is found is the name as it is written."""
    return Names((ship.name, ship.name) for ship in own_ships(view))


# --- a banner's voyage --------------------------------------------------------------------------------------------

ASHORE = re.compile(
    r"(?:^|[\s,;]+)(?:(?:and|then)\s+)*(?:lands?|landing|disembarks?|unloads?)(?:\s+(?:in|at|on|to))*\s+(?P<at>.+)$",
    re.IGNORECASE,
)
"""Where a way ends on land."""

ABOARD = re.compile(r"(?<!\S)(?:aboard|on\s+board(?:\s+of)?|on|onto|with|by|in)\s+(?:the\s+)?", re.IGNORECASE)
"""What stands before the name of a ship."""


def voyage(view: View, banner: Banner, told: str = "") -> Sail:
    """``aboard Sea Swan 40 41, land 12``, in which each of the three may be missing; raises :class:`Misread`."""
    landing = ASHORE.search(told)
    land = section(view, landing["at"]) if landing else 0
    ship, way = _shipped(view, told[: landing.start()] if landing else told)
    way = THEN_SAIL.sub("", way)
    path = route(view, way, banner.at) if way else ()
    return Sail(banner.name, path, land, ship)


def _shipped(view: View, told: str) -> tuple[str, str]:
    """The ship that a text names, and the text without it."""
    names = ship_names(view)
    for start, after in _after_prepositions(told):
        found = names.head(after)
        if found:
            ship, rest = found
            return ship, f"{told[:start]} {rest}"
    if re.match(r"\s*(?:aboard|on\s*board)\b", told, re.IGNORECASE):
        raise no_such_ship(view, re.split(r"[\d,;]", ABOARD.sub("", told, count=1), maxsplit=1)[0].strip())
    return "", told


def _after_prepositions(told: str) -> Iterator[tuple[int, str]]:
    yield 0, re.sub(r"^the\s+", "", told.strip(), flags=re.IGNORECASE)
    yield from ((found.start(), told[found.end() :]) for found in ABOARD.finditer(told))


def no_such_ship(view: View, name: str) -> Misread:
    """What to say of a ship that is not there."""
    ships = ", ".join(ship.name for ship in own_ships(view))
    there = f"You have {ships}." if ships else "You have no ship."
    return unknown("ship of yours", name, ship_names(view).near(name), there)


THEN_SAIL = re.compile(r"^(?:[\s,;]|(?:and|then|sails?)(?!\w))+|[\s,;]+$", re.IGNORECASE)
"""What may stand between going aboard and the way: ``board Sea Swan and sail 40``."""


# --- a ship's -----------------------------------------------------------------------------------------------------

TROOPS = "Troops go ashore by an order of their own, such as: Red Dragons: land 12."
IDLE = "A ship without an order stays where it is. CANCEL and its name drop an earlier order."


def _route(view: View, path: str) -> tuple[int, ...]:
    numbers = route(view, path, 0)
    if not numbers:
        raise Misread(f"{path!r} names no section to sail to.")
    return numbers


def _refused(reason: str) -> Callable[..., tuple[int, ...]]:
    def refuse(view: View, rest: str = "") -> tuple[int, ...]:
        raise Misread(reason)

    return refuse


COURSES: Grammar[View] = Grammar(
    [
        Verb("sail|sails|move|moves [on] {path}", lambda view, path: path),
        Verb("land|lands|unload|disembark [{rest}]", _refused(TROOPS)),
        Verb("hold|holds|stay|stays|wait [{rest}]", _refused(IDLE)),
    ],
    {"path": _route, "rest": lambda view, text: text},
    "sail 40 41.",
)
"""Everything a ship may be told, to its way."""


def steered(view: View, ship: str, said: str) -> Steer:
    """What a ship is told; raises :class:`Misread`. Troops that are to land somewhere need a line of their own."""
    if ASHORE.search(f" {said}"):
        raise Misread(TROOPS)
    if not COURSES.knows(said):
        word = first_word(said)
        raise Misread(f"There is no order {word!r} for a ship.", instead=f"sail {said.removeprefix(word).strip()}")
    path: tuple[int, ...] = COURSES.read(view, said.rstrip(" .!;,"))
    here = view.position.ships[key_of(view.seat, ship)].at
    return Steer(ship, path[1:] if len(path) > 1 and path[0] == here else path)


def ship_last(view: View, told: str) -> Misread | None:
    """What to say of ``sail Sea Swan to 40``: it is the ship's order, and its name comes first."""
    found = ship_names(view).head(told.partition(" ")[2]) if plain(first_word(told)) in ("sail", "sails") else None
    return Misread("Put the name of the ship first.", instead=f"{found[0]}: sail {found[1]}") if found else None
