"""The land in words: banners, sections, realms, and all that the map shows."""

from collections.abc import Iterable, Iterator

from pbem.core.report import Block, Items, Map, Section, Table, Text
from pbem.core.ruleset import Material
from pbem.core.wording import listed
from pbem.rulesets.nippon.atlas import Place
from pbem.rulesets.nippon.banners import leader
from pbem.rulesets.nippon.briefing.chronicle import Chronicle, position_before
from pbem.rulesets.nippon.briefing.meetings import troops
from pbem.rulesets.nippon.briefing.money import income
from pbem.rulesets.nippon.briefing.telling import capitalized, told, you
from pbem.rulesets.nippon.paths import steps_of
from pbem.rulesets.nippon.picture import alt
from pbem.rulesets.nippon.state import Banner, Realm, Ship, counted_machines, name_of
from pbem.rulesets.nippon.tables import HULLS
from pbem.rulesets.nippon.view import View

# --- your banners -------------------------------------------------------------------------------------------------


def own_banners(material: Material) -> Section:
    """Where your banners stand, in what state, and what they are made of."""
    view = material.after
    banners = view.position.banners_of(material.seat) if material.seat else ()
    rows = tuple(
        (each.name, view.place(each.at), f"{each.points:,}", str(steps_of(view.position, each)), state(view, each))
        for each in banners
    )
    below = view.position.tunnels_of(material.seat) if material.seat else ()
    rows += tuple(
        (each.banner.name, "underground", f"{each.banner.points:,}", "", f"comes up in {each.goal} in turn {each.up}")
        for each in below
    )
    contents = ((each.name, _led(view, each)) for each in view.position.all_of(material.seat or ""))
    blocks = (
        Table(("Banner", "Where", "#Points", "#Steps", "State"), rows),
        Items((*contents, *_reserves(view))),
    )
    told = blocks if rows else (Text("You have no banner."),)
    return Section("banners", "Your banners", (*told, *_fleet(view)))


def _fleet(view: View) -> Iterator[Table]:
    """The reader's ships, if there are any."""
    rows = tuple(
        (
            ship.name,
            ", ".join([ship.kind, *counted_machines(ship.machines)]),
            view.place(ship.at),
            f"{HULLS[ship.kind].room:,}",
            ", ".join(banner.name for banner in view.position.aboard(ship.key)) or "nobody",
        )
        for ship in (view.position.ships_of(view.seat) if view.seat else ())
    )
    if rows:
        yield Table(("Ship", "Kind", "Where", "#Room", "Aboard"), rows)


def _led(view: View, banner: Banner) -> str:
    """What a banner is made of, and who leads it where more than one could."""
    first = leader(view.position, banner)
    several = sum(unit.character for unit in banner.units) > 1
    return f"{troops(banner.units)}; led by {first.name}" if first and several else troops(banner.units)


def _reserves(view: View) -> Iterator[tuple[str, str]]:
    for at, section in sorted(view.position.sections.items()):
        if section.reserve and section.quartered == view.seat:
            yield f"Reserve of {view.place(at)}", troops(section.reserve)


def state(view: View, banner: Banner) -> str:
    """What marks a banner bears, as all see them."""
    position, meeting = view.position, view.position.meetings.get(banner.at)
    works = position.sections[banner.at].fortified == banner.key
    marks = {
        "scattered": banner.scattered,
        "in a meeting": meeting is not None and not meeting.settled and banner.key in meeting.banners,
        "drew its battle": banner.drawn,
        "behind works": works,
        f"aboard {name_of(banner.aboard)}": bool(banner.aboard),
        "heroism": bool(banner.heroism),
    }
    return ", ".join(mark for mark, there in marks.items() if there) or "fresh"


# --- what you see -------------------------------------------------------------------------------------------------


def sights(material: Material) -> Section:
    """The banners of others, and the land around the reader's."""
    blocks = (*_foreign(material), *_around(material))
    return Section("see", "What you see" if material.seat else "Who stands where", blocks)


def _foreign(material: Material) -> Iterator[Block]:
    view, before = material.after, position_before(material)
    others = [each for each in view.position.banners.values() if each.realm != material.seat]
    rows = tuple(
        (view.place(each.at), view.banner(each.key), _since(view, before.banners.get(each.key), each))
        for each in sorted(others, key=lambda banner: (banner.at, banner.key))
    )
    rows += tuple(
        ("underground", view.banner(key), f"until turn {tunnel.up}")
        for key, tunnel in sorted(view.position.tunnels.items())
        if tunnel.banner.realm != material.seat
    )
    yield Table(("Where", "Banner", "News"), rows) if rows else Text(_nobody(view))


def _nobody(view: View) -> str:
    """What to say where no banner of others is shown."""
    if view.blind:
        return "The fog hides all banners until the campaign ends."
    return "No other banner is in sight." if view.foggy else "No other banner."


def _since(view: View, before: Banner | None, now: Banner) -> str:
    """What is new about a banner since the last report."""
    new = "came into sight" if view.foggy else "new"
    came = new if before is None else f"came from {before.at}" if before.at != now.at else ""
    marks = state(view, now)
    return ", ".join(part for part in (came, "" if marks == "fresh" else marks) if part)


def _around(material: Material) -> Iterator[Block]:
    """The sections the reader holds or stands in, and their neighbours. In the first report the whole map."""
    view, seat = material.after, material.seat
    position = view.position
    here = {*(position.held_by(seat) if seat else ()), *(each.at for each in position.banners_of(seat or ""))}
    near = here | {number for at in here for number in position.place(at).neighbours}
    shown = [place for place in position.atlas if place.number in near or not material.log]
    if shown:
        yield Text("The land around you:" if material.log else "The land, section by section:")
        yield Items(tuple((str(place), described(view, place)) for place in shown))


def described(view: View, place: Place) -> str:
    """A section: ``forest, river, village, yours; next to 13, 15``."""
    section, sea = view.position.sections[place.number], place.borders.get("coast", ()) + place.borders.get("sea", ())
    marks = [place.terrain, *(["river"] if place.river else []), *(["snow"] if place.snow else [])]
    site = f"{section.site} ({', '.join(section.things)})" if section.things else section.site
    marks += [*([site] if site else []), *(["port"] if view.position.port(place.number) else [])]
    marks += [*(["razed"] if section.razed else []), *(["works"] if section.fortified else [])]
    marks += [_ship(view, ship) for ship in view.position.ships_at(place.number)]
    if section.controller:
        marks.append("yours" if section.controller == view.seat else view.realm(section.controller))
    land = [number for number in place.neighbours if number not in sea]
    ways = [f"next to {_numbers(land)}"] if land else []
    ways += [f"{'sea' if place.ocean else 'over sea'} {_numbers(sorted(sea))}"] if sea else []
    return "; ".join([", ".join(marks), *ways])


def _ship(view: View, ship: Ship) -> str:
    """A ship with what is aboard: ``Sea Swan (transport, 1 great cannon)``."""
    return f"{view.banner(ship.key)} ({', '.join((ship.kind, *counted_machines(ship.machines)))})"


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


# --- the world ----------------------------------------------------------------------------------------------------


def world(material: Material, chronicle: Chronicle) -> Section:
    """What the others did, what else happened, and how the realms stand."""
    view = material.after
    deeds = tuple(
        (view.banner(key), "\n".join(told(material, entry, view.banner(key)) for entry in chronicle.others[key]))
        for key in sorted(chronicle.others)
    )
    news = tuple(("", told(material, entry)) for entry in chronicle.news)
    lists = tuple(Items(items) for items in (deeds, news) if items)
    return Section("world", "The world", (*lists, _realms(view, chronicle), *_pacts(view)))


def _realms(view: View, chronicle: Chronicle) -> Table:
    paid = income(chronicle)
    rows = tuple(
        (
            capitalized(you(view, seat)),
            _home(view, realm),
            str(len(view.position.held_by(seat))),
            *([] if view.blind else [str(len(view.position.banners_of(seat)))]),
            f"{paid[seat]:,}",
        )
        for seat, realm in sorted(view.position.realms.items())
    )
    banners = [] if view.blind else ["#Banners in sight" if view.foggy else "#Banners"]
    return Table(("Realm", "Home", "#Sections", *banners, "#Paid"), rows)


def _home(view: View, realm: Realm) -> str:
    if realm.status != "active":
        return realm.status
    if not realm.headquarters:
        return "not chosen yet"
    return f"{view.place(realm.headquarters)}{' (lost)' if realm.homeless else ''}"


def _pacts(view: View) -> Iterator[Items]:
    pacts = tuple(
        (
            pact.kind.capitalize(),
            f"{listed(you(view, seat) for seat in sorted(pact.between))}"
            f"{f', to the end of turn {pact.until}' if pact.until else ''}"
            f"{', broken: it ends with this turn' if pact.broken else ''}",
        )
        for pact in view.position.pacts
    )
    if pacts:
        yield Items(pacts)


# --- the map ------------------------------------------------------------------------------------------------------


MAP, LAND = "The map in words", "The land by number"

ELSEWHERE = f'All that it shows stands under "{MAP}" and "{LAND}".'


def picture_of(material: Material) -> Map:
    """The place of the picture."""
    return Map(f"{alt(material.after).title} {ELSEWHERE}")


def map_in_words(material: Material) -> Section:
    """What stands and happened on the map, for those who cannot see the picture."""
    return Section("map", MAP, (Items(alt(material.after).position),))


def land_by_number(material: Material) -> Section:
    """The rest of what the picture shows: it is the same in almost every report."""
    intro = Text("This hardly ever changes. The first report names every section.")
    return Section("land", LAND, (intro, Items(alt(material.after).land)), folded=True)
