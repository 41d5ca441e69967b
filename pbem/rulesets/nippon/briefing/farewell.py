"""The last report: how the realms end, what they are honoured for, and all that was hidden (NIP 15.2, 15.3, 17.2)."""

from collections.abc import Iterator

from pbem.core.report import Block, Items, Section, Table, Text
from pbem.core.ruleset import Material
from pbem.core.wording import listed
from pbem.rulesets.nippon.briefing.meetings import troops
from pbem.rulesets.nippon.briefing.telling import you
from pbem.rulesets.nippon.ending import score
from pbem.rulesets.nippon.honours import honours
from pbem.rulesets.nippon.state import Banner
from pbem.rulesets.nippon.view import View


def farewell(material: Material) -> tuple[Section, ...]:
    """The sections that only the last report has; nothing before."""
    view: View = material.after
    if view.position.stage != "over":
        return ()
    return (
        Section("end", "The end", tuple(_end(view))),
        Section("honours", "Honours", tuple(_honours(view))),
        Section("lifted", "All that was hidden", tuple(_lifted(view))),
    )


def _end(view: View) -> Iterator[Block]:
    position = view.position
    yield Text(position.ending)
    rows = []
    for index, equals in enumerate(position.ranking):
        place = 1 + sum(map(len, position.ranking[:index]))
        rows += [(str(place), *_standing(view, seat)) for seat in equals]
    yield Table(("#Rank", "Realm", "#Score", "#Sections", "#Treasury"), tuple(rows))


def _standing(view: View, seat: str) -> tuple[str, ...]:
    position = view.position
    counts = (score(position, seat), len(position.held_by(seat)))
    return view.realm(seat), *map(str, counts), f"{position.realms[seat].treasury:,}"


def _honours(view: View) -> Iterator[Block]:
    items = tuple(
        (each.title, f"{listed(_named(view, who) for who in each.won_by)}: {each.why}.")
        for each in honours(view.position)
    )
    if items:
        yield Items(items)


def _named(view: View, who: str) -> str:
    return view.banner(who) if " " in who else you(view, who)


def _lifted(view: View) -> Iterator[Block]:
    """Every banner with its units, and every reserve."""
    position = view.position
    rows = tuple((_owned(view, banner), _where(view, banner), f"{banner.points:,}") for banner in _banners(view))
    if rows:
        yield Table(("Banner", "Where", "#Points"), rows)
        yield Items(tuple((_owned(view, banner), troops(banner.units)) for banner in _banners(view)))
    reserves = tuple(
        (view.place(number), f"reserve of {view.realm(section.quartered)}: {troops(section.reserve)}")
        for number, section in sorted(position.sections.items())
        if section.reserve
    )
    if reserves:
        yield Items(reserves)


def _banners(view: View) -> list[Banner]:
    return [banner for seat in sorted(view.position.realms) for banner in view.position.all_of(seat)]


def _where(view: View, banner: Banner) -> str:
    tunnel = view.position.tunnels.get(banner.key)
    return f"underground, comes up in {view.place(tunnel.goal)}" if tunnel else view.place(banner.at)


def _owned(view: View, banner: Banner) -> str:
    return f"{view.realm(banner.realm)}'s {banner.name}"
