"""What stands in the sections: numbers and names, owners, sites, marks, banners."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import NamedTuple

from pbem.rulesets.nippon.atlas import Place
from pbem.rulesets.nippon.drawing import icons
from pbem.rulesets.nippon.drawing.palette import DEEP, INK, NAME, PAPER, SANS, SERIF
from pbem.rulesets.nippon.drawing.stacks import MOST_SHIELDS, Content, Placed, Shape
from pbem.rulesets.nippon.drawing.svg import group, num, put, text, use
from pbem.rulesets.nippon.state import Banner, Ship, State


class Shield(NamedTuple):
    """A banner or ship, or several that are alike."""

    icon: str
    many: int = 1


@dataclass(frozen=True)
class Pieces:
    """The icons of a section, by name."""

    place: Place
    chips: tuple[str, ...]
    site: str
    mark: str
    star: str
    shields: tuple[Shield, ...]

    @property
    def content(self) -> Content:
        """How many there are of each kind."""
        return Content(len(self.chips), bool(self.site), bool(self.mark), bool(self.star), len(self.shields))


Fits = Callable[[int, Content], bool]
"""Whether a section, by number, has room for this at full scale."""


def pieces(state: State, lost: Mapping[int, str], fits: Fits) -> dict[int, Pieces]:
    """What to draw in every section; ``lost`` names the realms whose headquarters are in the hands of others."""
    banners: dict[int, list[Banner]] = {}
    for key in sorted(state.banners):
        banners.setdefault(state.banners[key].at, []).append(state.banners[key])
    ships: dict[int, list[Ship]] = {}
    for key in sorted(state.ships):
        ships.setdefault(state.ships[key].at, []).append(state.ships[key])
    homes = {realm.headquarters: realm.seat for realm in state.realms.values()}
    return {
        place.number: _gathered(_pieces(state, place, lost, homes, _shields(banners, ships, place.number)), fits)
        for place in state.atlas
    }


def _shields(
    banners: Mapping[int, Sequence[Banner]], ships: Mapping[int, Sequence[Ship]], number: int
) -> tuple[Shield, ...]:
    """What stands in a section under somebody's colours: banners, then ships."""
    marching = (f"{'scattered' if banner.scattered else 'banner'}-{banner.realm}" for banner in banners.get(number, ()))
    return (*map(Shield, marching), *(Shield(f"ship-{ship.realm}") for ship in ships.get(number, ())))


def _pieces(
    state: State, place: Place, lost: Mapping[int, str], homes: Mapping[int, str], shields: tuple[Shield, ...]
) -> Pieces:
    section = state.sections[place.number]
    chips = [f"chip-{section.controller}"] if section.controller else []
    chips += [f"lost-{lost[place.number]}"] if place.number in lost else []
    home = section.site == "citadel" and place.number in homes and place.number not in lost
    site = f"citadel-{homes[place.number]}" if home else section.site.replace(" ", "-")
    mark = "razed" if section.razed else "fortified" if section.fortified else ""
    return Pieces(place, tuple(chips), site, mark, star(state, place.number), shields)


def _gathered(each: Pieces, fits: Fits) -> Pieces:
    """Where there is no room for all, one shield for each realm with the number of its banners; so for ships."""
    if len(each.shields) < 2 or (len(each.shields) <= MOST_SHIELDS and fits(each.place.number, each.content)):
        return each
    return replace(each, shields=tuple(Shield(icon, many) for (icon, _), many in Counter(each.shields).items()))


def star(state: State, number: int) -> str:
    """``meeting`` if hostile banners face each other there, ``fought`` after a battle, else nothing."""
    meeting = state.meetings.get(number)
    if meeting and not meeting.settled:
        return "meeting"
    return "fought" if number in state.battles else ""


# --- drawing ------------------------------------------------------------------------------------------------------


def drawn(sections: Mapping[int, Pieces], things: Mapping[int, Sequence[Placed]]) -> str:
    """All sections; their names in a group of the class ``fine``, which small pictures leave out."""
    layers: dict[str, list[str]] = {"name": [], "number": [], "icon": []}
    for number, each in sections.items():
        for layer, art in _layers(each, things[number]):
            layers[layer].append(art)
    middle = {"text_anchor": "middle"}
    halo = {"stroke": PAPER, "stroke_width": "4", "stroke_linejoin": "round", "paint_order": "stroke"}
    return (
        group("".join(layers["name"]), class_="fine", font_family=SERIF, fill=NAME, **middle)
        + group("".join(layers["number"]), font_family=SANS, font_weight="bold", **middle, **halo)
        + "".join(layers["icon"])
    )


def _layers(each: Pieces, things: Sequence[Placed]) -> Iterator[tuple[str, str]]:
    """Every drawing of a section, with the layer that it goes into."""
    chips, shields, lines = iter(each.chips), iter(each.shields), iter(Shape.of(each.place).lines)
    for thing in things:
        at = thing.x, thing.y
        if thing.what == "name":
            yield "name", _name(each.place, next(lines), thing)
        elif thing.what == "number":
            yield (
                ("icon", icons.plate(each.place.number, at, thing.scale))
                if each.place.headquarters
                else ("number", _number(each.place, thing))
            )
        elif thing.what == "shield":
            yield "icon", _shield(next(shields), thing)
        elif thing.what == "chip":
            yield "icon", use(next(chips), at, thing.scale)
        else:
            yield "icon", use(getattr(each, thing.what), at, thing.scale)


def _name(place: Place, line: str, thing: Placed) -> str:
    size = Shape.of(place).name_size * thing.scale
    sea = f' font-style="italic" fill="{DEEP}"' if place.ocean else ""
    return (
        f'<text x="{num(thing.x)}" y="{num(thing.y + size * 0.34)}" font-size="{num(size)}"{sea}>{escape(line)}</text>'
    )


def _number(place: Place, thing: Placed) -> str:
    size, colour = 17 * thing.scale, DEEP if place.ocean else INK
    at = f'x="{num(thing.x)}" y="{num(thing.y + size * 0.365)}"'
    return f'<text {at} font-size="{num(size)}" fill="{colour}">{place.number}</text>'


def _shield(shield: Shield, thing: Placed) -> str:
    """A shield, with a small plate for the number if it stands for several."""
    art = use(shield.icon, (thing.x, thing.y), thing.scale)
    if shield.many == 1:
        return art
    plate = f'<circle cx="9" cy="9" r="6.6" fill="{PAPER}" stroke="{INK}"/>'
    count = text(str(shield.many), (9, 12.6), 10, font_weight="bold", text_anchor="middle")
    return art + put(plate + count, (thing.x, thing.y), thing.scale)
