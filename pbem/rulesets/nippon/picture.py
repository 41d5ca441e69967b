"""The map of a turn as SVG. Nothing is drawn that the view does not show, and :func:`alt` says all of it in words."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape

from pbem.rulesets.nippon.drawing import arrows, control, icons, panels, pieces, symbols, words
from pbem.rulesets.nippon.drawing.arrows import Arrow
from pbem.rulesets.nippon.drawing.chart import Chart, chart, sheet
from pbem.rulesets.nippon.drawing.stacks import Placed
from pbem.rulesets.nippon.drawing.svg import use
from pbem.rulesets.nippon.drawing.words import alt
from pbem.rulesets.nippon.view import View

__all__ = ["alt", "picture"]


def picture(view: View) -> str:
    """A view as SVG. What is too fine for a small picture stands in groups of the class ``fine``.

    Readers who may see the same get the same picture, down to its words.
    """
    blind, view = view.blind, replace(view, seat=None)
    state = view.position
    ready, seats = chart(state.atlas), tuple(sorted(state.realms))
    sections = pieces.pieces(state, words.lost_headquarters(state), ready.fits)
    things = {number: ready.things(number, each.content) for number, each in sections.items()}
    moves = arrows.arrows(ready, ((march.realm, march.path) for march in state.marches.values()), things)
    owner = {number: section.controller for number, section in state.sections.items() if section.controller}
    razed = [number for number, section in state.sections.items() if section.razed]
    return "".join(
        (
            _opening(view),
            f"<defs>{ready.outlines}{icons.definitions(seats)}{control.ASHES}</defs>",
            ready.ground,
            control.control(ready, owner, razed),
            _symbols(ready, things, moves),
            ready.lines,
            *(arrows.drawn(move, ready.scale) for move in moves),
            *(use("port", at, ready.scale) for number, at in ready.ports.items() if state.port(number)),
            pieces.drawn(sections, things),
            panels.frame(state.atlas),
            panels.heading(state.atlas, f"Turn {state.turn}", words.moment(state)),
            panels.legend(state.atlas, seats[0]) if seats else "",
            panels.realms(state.atlas, tuple(_row(view, seat, blind) for seat in seats), _shown(view, blind)),
            *(_hint(view, number) for number in sections),
            "</svg>",
        )
    )


def _opening(view: View) -> str:
    width, height = sheet(view.position.atlas)
    box = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box} role="img"><title>{escape(words.title(view))}</title>'


def _symbols(ready: Chart, things: Mapping[int, Sequence[Placed]], moves: Sequence[Arrow]) -> str:
    """Symbols of the terrain, wherever nothing else stands."""
    tracks: dict[int, list[Placed]] = {}
    for move in moves:
        track = [Placed("arrow", x, y, 3, 3, 1) for x, y in arrows.touched(move)]
        for number in move.sections:
            tracks.setdefault(number, []).extend(track)
    free = [
        (seed.kind, seed.begin)
        for number, seeds in enumerate(ready.seeds, 1)
        for seed in symbols.clear(seeds, [*things[number], *tracks.get(number, ())], ready.scale)
    ]
    return symbols.drawn(free, ready.scale)


def _shown(view: View, blind: bool) -> str:
    """What the numbers of banners count. ``blind``: the reader sees none."""
    return "" if blind else "in sight" if view.foggy else "banners"


def _row(view: View, seat: str, blind: bool) -> panels.Row:
    state = view.position
    realm = state.realms[seat]
    gone = "" if realm.status == "active" else realm.status
    banners = None if blind else len(state.banners_of(seat))
    return panels.Row(seat, realm.name, len(state.held_by(seat)), banners, gone)


def _hint(view: View, number: int) -> str:
    """The section in words, shown when a pointer rests on it."""
    words_of_it = escape(words.section(view, number))
    return f'<use href="#s{number}" fill="none" pointer-events="all"><title>{words_of_it}</title></use>'
