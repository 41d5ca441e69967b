"""Chapter 3.6, regrouping: what goes over to which banner before the orders of a turn are carried out.

Lines are carried out as written. What a line may be is judged on the position after the lines above it; whether all
banners are legal is judged when the last is done, so that two lines may exchange what neither could give alone. The
turn and the check of a card ask :func:`drilled`.
"""

from collections.abc import Iterator, Sequence
from functools import singledispatch

from pbem.core.dice import EVERYONE
from pbem.core.orders import plain
from pbem.core.turn import Turn, rule
from pbem.core.wording import listed
from pbem.rulesets.nippon.banners import army_general, outgrown, own_site, stations
from pbem.rulesets.nippon.composition import shortfall
from pbem.rulesets.nippon.events import (
    BannerDissolved,
    BannerFormed,
    BannerRenamed,
    GeneralNamed,
    HeroismFaded,
    HeroismKept,
    RegroupingFailed,
    ReserveDispersed,
    UnitsMoved,
)
from pbem.rulesets.nippon.legality import Refusal, first_objection, hostile_at
from pbem.rulesets.nippon.orders import THE_RESERVE, Appoint, Form, Join, Regrouping, Rename, Transfer
from pbem.rulesets.nippon.ships.harbours import taken
from pbem.rulesets.nippon.state import Banner, State, key_of, name_of
from pbem.rulesets.nippon.tables import LEAST_POINTS, LINES_A_TURN

Event = BannerDissolved | BannerFormed | BannerRenamed | GeneralNamed | HeroismFaded | HeroismKept | UnitsMoved
"""What comes of a line."""

Drill = list[tuple[Regrouping, Refusal | tuple[Event, ...]]]
"""Each line, with what comes of it."""


@rule("3.6", "Regrouping")
def disperse_reserves(turn: Turn[State]) -> None:
    """Whose site is another's now has lost what waited there. A razed site is nobody's: its reserve stays (NIP 7.1)."""
    for at, section in sorted(turn.state.sections.items()):
        if section.reserve and section.controller not in ("", section.quartered):
            names = tuple(unit.name for unit in section.reserve)
            event = ReserveDispersed(section.quartered, at, names)
            turn.emit(event, to=frozenset({section.quartered}))


SECRET = (UnitsMoved, GeneralNamed)
"""What only the owner learns: who marches where."""


@rule("3.6", "Regrouping")
def regroup(turn: Turn[State]) -> None:
    """All realms' lines about banners and units, before the orders."""
    given: dict[str, list[Regrouping]] = {}
    for seat, line in turn.given(Regrouping):
        given.setdefault(seat, []).append(line)
    for seat, lines in given.items():
        owner = frozenset({seat})
        for order, outcome in drilled(turn.state, seat, lines):
            if isinstance(outcome, Refusal):
                turn.emit(RegroupingFailed(seat, str(order), outcome.reason), to=owner)
                continue
            for event in outcome:
                with turn.citing(_number(event)):
                    turn.emit(event, to=owner if isinstance(event, SECRET) else EVERYONE)


def _number(event: Event) -> str:
    if isinstance(event, GeneralNamed):
        return "3.4"
    return "5.3" if isinstance(event, HeroismKept | HeroismFaded) else "3.6"


def drilled(position: State, seat: str, orders: Sequence[Regrouping]) -> Drill:
    """What comes of each line. One that would leave an illegal banner is refused: the last that touches it."""
    refused = {index: Refusal("3.6", TOO_MANY) for index in range(LINES_A_TURN, len(orders))}
    while True:
        trial = position.copy()
        done = {index: _carried_out(trial, seat, order) for index, order in enumerate(orders) if index not in refused}
        flaw = next(_flaws(trial, seat, done), None)
        if flaw is None:
            return [(order, done[index] if index in done else refused[index]) for index, order in enumerate(orders)]
        index, refusal = flaw
        refused[index] = refusal


TOO_MANY = f"A realm regroups in at most {LINES_A_TURN} lines a turn."


def _carried_out(position: State, seat: str, order: Regrouping) -> Refusal | tuple[Event, ...]:
    if refused := first_objection(order.rule, _objections(order, position, seat)):
        return refused
    events: list[Event] = []
    for event in _outcome(order, position, seat):
        event.apply(position)
        events.append(event)
    return tuple(events)


# --- banners that may not be ------------------------------------------------------------------------------------------


def _flaws(position: State, seat: str, done: dict[int, Refusal | tuple[Event, ...]]) -> Iterator[tuple[int, Refusal]]:
    """The lines that leave a banner that may be none, the last first, each with the reason."""
    for index in sorted(done, reverse=True):
        events = done[index]
        for key in _touched(events) if not isinstance(events, Refusal) else ():
            reason = _flaw(position.banners[key]) if key in position.banners else ""
            if reason:
                yield index, Refusal("3.6", reason)


def _touched(events: Sequence[Event]) -> Iterator[str]:
    for event in events:
        if isinstance(event, UnitsMoved):
            yield from (key for key in (event.banner, event.to) if key)


def _flaw(banner: Banner) -> str:
    """Why a banner may not be as it is now, as a sentence."""
    lack = shortfall(banner.units)
    if lack == "too few points":
        return f"{banner.name} would have {banner.points} points; a banner needs {LEAST_POINTS}."
    if lack:
        return f"{banner.name} would be {'a lone character' if lack == 'a lone character' else 'without hero or lord'}."
    bearers = [unit.name for unit in banner.units if unit.battle_standard == "banner"]
    if len(bearers) > 1:
        return f"{banner.name} would have two banner battle standards: {listed(bearers)}."
    return ""


# --- what speaks against a line ---------------------------------------------------------------------------------------


@singledispatch
def _objections(order: Regrouping, position: State, seat: str) -> Iterator[str]:
    raise NotImplementedError


@_objections.register
def _(order: Form, position: State, seat: str) -> Iterator[str]:
    yield from _taken(position, seat, order.name)
    yield from _not_together(position, seat, order.units, None)


@_objections.register
def _(order: Transfer, position: State, seat: str) -> Iterator[str]:
    yield from _no_goal(position, seat, order.to)
    goal = position.banners.get(key_of(seat, order.to))
    yield from _not_together(position, seat, order.units, goal.at if goal else None)
    there = {place for unit in order.units for place in _places(position, seat, unit)}
    if order.to != THE_RESERVE and (order.to, goal.at if goal else 0) in {
        (name_of(key), at) for key, at in there if key
    }:
        yield f"{listed(order.units)} marches with {order.to} already."
    if order.to == THE_RESERVE:
        yield from _no_quarters(position, seat, there)


@_objections.register
def _(order: Join, position: State, seat: str) -> Iterator[str]:
    banner = position.banners.get(key_of(seat, order.banner))
    yield from _no_banner(position, seat, order.banner)
    yield from _no_goal(position, seat, order.to)
    if banner and order.to == order.banner:
        yield f"{order.banner} cannot join itself."
    if banner and order.to == THE_RESERVE:
        yield from _no_quarters(position, seat, {(banner.key, banner.at)})
    elif banner and banner.at != position.banners[key_of(seat, order.to)].at:
        yield f"{order.banner} and {order.to} stand in different sections."
    if banner:
        yield from _not_free(position, seat, banner.key, banner.at)


@_objections.register
def _(order: Rename, position: State, seat: str) -> Iterator[str]:
    yield from _no_banner(position, seat, order.banner)
    if plain(order.banner) != plain(order.to):
        yield from _taken(position, seat, order.to)


@_objections.register
def _(order: Appoint, position: State, seat: str) -> Iterator[str]:
    places = _places(position, seat, order.unit)
    banner = position.banners.get(places[0][0]) if places else None
    unit = next((each for each in banner.units if each.name == order.unit), None) if banner else None
    if banner is None or unit is None:
        yield f"{order.unit} marches under no banner of yours."
    elif not unit.character:
        yield f"{order.unit} is neither hero nor lord."
    elif army_general(position, banner):
        yield f"The Army General leads {banner.name}, where he is."


def _taken(position: State, seat: str, name: str) -> Iterator[str]:
    if plain(name) in (plain(THE_RESERVE), "reserve"):
        yield "No banner can be called so."
    if taken(position, seat, name):
        yield f"You have a ship or banner called {name} already."


def _no_banner(position: State, seat: str, name: str) -> Iterator[str]:
    if key_of(seat, name) in position.tunnels:
        yield f"{name} is underground."
    elif key_of(seat, name) not in position.banners:
        yield f"You have no banner {name}."


def _no_goal(position: State, seat: str, name: str) -> Iterator[str]:
    key = key_of(seat, name)
    if name != THE_RESERVE:
        yield from _no_banner(position, seat, name)
    if key in position.banners:
        yield from _not_free(position, seat, key, position.banners[key].at)


def _not_together(position: State, seat: str, units: Sequence[str], at: int | None) -> Iterator[str]:
    """What keeps units from going over to one banner: where they are, and in what state."""
    places: list[tuple[str, int]] = []
    for unit in units:
        found = _places(position, seat, unit)
        if not found:
            yield f"You have no unit {unit}."
        places += found
    sections = sorted({number for _, number in places} | ({at} if at is not None else set()))
    if len(sections) > 1:
        yield f"They stand in different sections: {', '.join(str(position.place(number)) for number in sections)}."
    for key, number in dict.fromkeys(places):
        yield from _not_free(position, seat, key, number)


def _not_free(position: State, seat: str, key: str, at: int) -> Iterator[str]:
    """What binds a banner (or a reserve, without a key) so that nobody can leave or join."""
    if key and position.banners[key].scattered:
        yield f"{name_of(key)} is scattered."
    if key and position.banners[key].aboard:
        yield f"{name_of(key)} is at sea."
    if hostile_at(position, seat, at):
        yield f"An enemy stands in {position.place(at)}."


def _no_quarters(position: State, seat: str, places: set[tuple[str, int]]) -> Iterator[str]:
    for key, at in sorted(places):
        if key and position.banners[key].drawn:
            yield f"{name_of(key)} drew its battle: nobody leaves it for the reserve this turn."
        if not own_site(position, seat, at):
            yield f"A reserve needs a village, keep, stronghold or citadel of yours; {position.place(at)} has none."


def _places(position: State, seat: str, unit: str) -> list[tuple[str, int]]:
    """Where a unit stands: key of its banner (nothing: a reserve) and section."""
    return [(each.banner, each.at) for each in stations(position, seat) if each.unit.name == unit]


# --- what comes of a line ---------------------------------------------------------------------------------------------


@singledispatch
def _outcome(order: Regrouping, position: State, seat: str) -> Iterator[Event]:
    raise NotImplementedError


@_outcome.register
def _(order: Form, position: State, seat: str) -> Iterator[Event]:
    places = [_places(position, seat, unit)[0] for unit in order.units]
    drawn = any(position.banners[key].drawn for key, _ in places if key)
    key = key_of(seat, order.name)
    yield BannerFormed(seat, key, places[0][1], drawn)
    yield from _moved(position, seat, order.units, key)


@_outcome.register
def _(order: Transfer, position: State, seat: str) -> Iterator[Event]:
    yield from _moved(position, seat, order.units, "" if order.to == THE_RESERVE else key_of(seat, order.to))


@_outcome.register
def _(order: Join, position: State, seat: str) -> Iterator[Event]:
    units = tuple(unit.name for unit in position.banners[key_of(seat, order.banner)].units)
    yield from _moved(position, seat, units, "" if order.to == THE_RESERVE else key_of(seat, order.to))


@_outcome.register
def _(order: Rename, position: State, seat: str) -> Iterator[Event]:
    key = key_of(seat, order.banner)
    yield BannerRenamed(key, position.banners[key].at, key_of(seat, order.to))


@_outcome.register
def _(order: Appoint, position: State, seat: str) -> Iterator[Event]:
    key, at = _places(position, seat, order.unit)[0]
    yield GeneralNamed(key, at, order.unit)


def _moved(position: State, seat: str, units: Sequence[str], to: str) -> Iterator[Event]:
    """Units go over, banner by banner; a banner that nobody is left in is no more."""
    places = [_places(position, seat, unit)[0] for unit in units]
    size = position.banners[to].points if to else 0
    for key, at in dict.fromkeys(places):
        there = tuple(unit for unit, place in zip(units, places, strict=True) if place[0] == key)
        earned = position.banners[key].heroism if key else 0
        yield UnitsMoved(seat, at, there, key, to, drawn=bool(key) and position.banners[key].drawn)
        gone = bool(key) and not position.banners[key].units
        if to:
            yield from _heroism(position.banners[to], size, earned if gone else 0)
        if gone:
            yield BannerDissolved(key, at, (to,) if to else ())


def _heroism(now: Banner, size: int, earned: int) -> Iterator[Event]:
    """NIP 5.3: heroism is lost among more who did not earn it, and kept among fewer.

    ``size``: the banner's points before anybody joined; ``earned``: the heroism of a banner that joined it whole.
    """
    larger = now.points - size > size
    if now.heroism and (larger or outgrown(now)):
        yield HeroismFaded(now.key, now.at)
    elif earned and larger and not now.heroism:
        yield HeroismKept(now.key, now.at, earned)
