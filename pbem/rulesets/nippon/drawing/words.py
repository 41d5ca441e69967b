"""Everything that a picture shows, in words."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from pbem.core.wording import counted
from pbem.rulesets.nippon.atlas import Place
from pbem.rulesets.nippon.state import Banner, March, Ship, State, name_of
from pbem.rulesets.nippon.view import View

Fact = tuple[str, str]
"""What it is about, and what there is to say: ``("Razed", "57 Suruga.")``."""


@dataclass(frozen=True)
class Alt:
    """The whole content of a picture, but for the names of sections where nothing is."""

    title: str
    """What it shows, as a sentence."""
    position: tuple[Fact, ...]
    """What was different a turn ago."""
    land: tuple[Fact, ...]
    """What hardly ever changes, by the numbers of the sections."""


def alt(view: View) -> Alt:
    """A picture in words."""
    parts = (_realms(view), _banners(view), _happenings(view), _marks(view))
    position = tuple(fact for part in parts for fact in part)
    return Alt(f"{title(view)}.", position, tuple(_land(view.position)))


def title(view: View) -> str:
    """``Nippon, turn 7, after the moves, before the meeting in Omi``."""
    return f"{view.position.atlas.title}, turn {view.position.turn}, {moment(view.position)}"


def moment(state: State) -> str:
    """Which moment of the turn it is."""
    if state.stage == "over":
        return "the end of the campaign"
    if state.stage == "set-up":
        return "before headquarters are chosen"
    if state.stage == "orders":
        return f"after the moves of turn {state.turn - 1}" if state.turn > 1 else "before the first orders"
    waiting = [state.atlas[number].name for number, meeting in sorted(state.meetings.items()) if not meeting.settled]
    if not waiting:
        return "after the moves and the meetings"
    return (
        f"after the moves, before {f'the meeting in {waiting[0]}' if len(waiting) == 1 else f'{len(waiting)} meetings'}"
    )


def lost_headquarters(state: State) -> dict[int, str]:
    """By section: the realm still in play whose headquarters it is, but which does not hold it."""
    active = (realm for _, realm in sorted(state.realms.items()) if realm.in_play)
    homes = {realm.headquarters: realm.seat for realm in active if realm.headquarters in state.atlas}
    return {number: seat for number, seat in homes.items() if state.sections[number].controller != seat}


def section(view: View, number: int) -> str:
    """A section in a line: ``22 Echigo: plains, snow, stronghold, port; held by Crane Host``.

    It stands in the picture itself, so it is the same for every reader.
    """
    view = View(None, view.position)
    state, place = view.position, view.position.atlas[number]
    flags = [flag for flag in ("river", "snow", "port") if FLAGS[flag](state, place)]
    facts = [", ".join([place.terrain, *flags, *filter(None, (state.site(number),))])]
    held = state.sections[number]
    facts += [f"held by {view.realm(held.controller)}"] if held.controller else []
    facts += [word for word in ("razed", "fortified") if getattr(held, word)]
    facts += [_banner(view, banner) for banner in state.banners_at(number)]
    facts += [_ship(view, ship) for ship in state.ships_at(number)]
    return f"{place}: {'; '.join(facts)}"


# --- the position -------------------------------------------------------------------------------------------------


def _realms(view: View) -> Iterator[Fact]:
    state = view.position
    for seat, realm in sorted(state.realms.items()):
        held, banners = state.held_by(seat), state.banners_of(seat)
        seen = " in sight" if view.foggy else ""
        counts = counted(len(held), "section")
        counts += "" if view.blind else f", {counted(len(banners), 'banner')}{seen}"
        status = f"; {realm.status}" if realm.status != "active" else ""
        land = f" Holds {_list(map(view.place, held))}." if held else ""
        yield f"{seat}, {realm.name}", f"{counts}{status}.{land}"
    lost = sorted(lost_headquarters(state).items())
    if lost:
        words = (f"{view.place(number)}, that of {view.realm(seat)}" for number, seat in lost)
        yield "Lost headquarters", f"{_list(words, '; ')}."


def _banners(view: View) -> Iterator[Fact]:
    state = view.position
    for place in state.atlas:
        here = [_banner(view, banner) for banner in state.banners_at(place.number)]
        here += [_ship(view, ship) for ship in state.ships_at(place.number)]
        if here:
            yield f"In {place}", f"{_list(here)}."
    below = sorted(state.tunnels.items())
    if below:
        yield "Underground", f"{_list(f'{view.banner(key)} until turn {tunnel.up}' for key, tunnel in below)}."


def _banner(view: View, banner: Banner) -> str:
    aboard = f" (aboard {name_of(banner.aboard)})" if banner.aboard else ""
    return view.banner(banner.key) + (" (scattered)" if banner.scattered else aboard)


def _ship(view: View, ship: Ship) -> str:
    return f"{view.banner(ship.key)} ({ship.kind})"


def _happenings(view: View) -> Iterator[Fact]:
    state = view.position
    moved = [march for march in state.marches.values() if len(march.path) > 1]
    if moved:
        yield "Moved", f"{_list((_march(view, march) for march in moved), '; ')}."
    meetings = [number for number, meeting in sorted(state.meetings.items()) if not meeting.settled]
    if meetings:
        yield "Meetings", f"{_list(map(view.place, meetings))}."
    fought = [number for number in sorted(state.battles) if number not in meetings]
    if fought:
        yield "Battles fought", f"{_list(map(view.place, fought))}."


def _march(view: View, march: March) -> str:
    return f"{view.banner(march.banner)} {' > '.join(map(view.place, march.path))}"


def _marks(view: View) -> Iterator[Fact]:
    sections = view.position.sections
    for word in ("razed", "fortified"):
        marked = [number for number in sorted(sections) if getattr(sections[number], word)]
        if marked:
            yield word.capitalize(), f"{_list(map(view.place, marked))}."


# --- the land -----------------------------------------------------------------------------------------------------

FLAGS: dict[str, Callable[[State, Place], bool]] = {
    "river": lambda state, place: place.river,
    "snow": lambda state, place: place.snow,
    "port": lambda state, place: state.port(place.number),
    "may be headquarters": lambda state, place: place.headquarters,
}


def _land(state: State) -> Iterator[Fact]:
    """What the land is like, in lists of numbers."""
    places, sections = tuple(state.atlas), sorted(state.sections)
    yield from _lists("Terrain", ((place.terrain, place.number) for place in sorted(places, key=lambda p: p.terrain)))
    yield from _lists(
        "With", ((flag, place.number) for flag, has in FLAGS.items() for place in places if has(state, place))
    )
    sited = ((str(state.site(number)), number) for number in sections if state.site(number))
    yield from _lists("Sites", sorted(sited))
    straits = {tuple(sorted((place.number, n))) for place in places for n in place.borders.get("strait", ())}
    if straits:
        yield "Straits", f"{_list((f'{one}-{other}' for one, other in sorted(straits)), ' ')}."


def _lists(label: str, found: Iterable[tuple[str, int]]) -> Iterator[Fact]:
    """Kinds with their sections, sorted by kind, as one fact: ``marsh 9 38; wasteland 11 28.``"""
    kinds = groupby(found, lambda pair: pair[0])
    lists = [f"{kind} {_list((number for _, number in pairs), ' ')}" for kind, pairs in kinds]
    if lists:
        yield label, f"{_list(lists, '; ')}."


def _list(things: Iterable[object], comma: str = ", ") -> str:
    return comma.join(map(str, things))
