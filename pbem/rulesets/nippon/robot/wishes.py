"""What a robot says once and for all, and where it means to retreat to."""

from collections.abc import Iterable, Iterator

from pbem.battles import Plan, Policy, Station
from pbem.rulesets.nippon import agenda
from pbem.rulesets.nippon.aftermath import dry_neighbours
from pbem.rulesets.nippon.assaults import on_foot
from pbem.rulesets.nippon.orders import Alone, Contact, Going, Preference, Retreat, SetPlan, Volunteer
from pbem.rulesets.nippon.preferences import NO_BANNER
from pbem.rulesets.nippon.robot.mind import Mind
from pbem.rulesets.nippon.state import key_of

SPARED = 2
"""Kinds of common troops that it names."""

BOLD = 6
"""The die on which a character goes into a lair alone."""

MEEK = 600
"""A banner with fewer points does not win a site by itself."""

CUNNING = 4
"""From this die on it makes a plan for a battle; each die a little other."""

TARGETS: tuple[Policy, ...] = ("WEAKEST", "MISSILES", "HEROES")
"""Whom it wants struck first, by the dice of a plan from the lowest on."""


def wishes(mind: Mind) -> Iterator[Preference | Contact | Volunteer]:
    """In the first turn: the costliest character gets what is found, common troops go before all others, it fights
    beside the first of its allies, and it would play battles of others."""
    yield from _assaults(mind)
    if mind.position.turn > 1:
        return
    units = [unit for banner in mind.position.banners_of(mind.seat) for unit in banner.units]
    leaders = sorted((unit for unit in units if unit.character), key=lambda unit: (-unit.points, unit.name))
    common = sorted({unit.name for unit in units if unit.category == "core"})
    others = tuple(realm.name for seat, realm in mind.position.realms.items() if seat != mind.seat)
    found = (
        Preference("carriers", tuple(unit.name for unit in leaders[:1])),
        Preference("loss order", tuple(common[:SPARED])),
        Preference("side with", others if units else ()),
    )
    yield from (wish for wish in found if wish.names and mind.may(wish))
    if units and mind.position.options.battles == "table":
        yield Contact("at any hour, through the campaign")
        yield Volunteer()


def _assaults(mind: Mind) -> Iterator[Preference]:
    """A realm without a banner of some strength leaves garrisons and lairs alone, until it has one again."""
    spared = mind.position.realms[mind.seat].preferences.assaults_nothing
    banners = mind.position.banners_of(mind.seat)
    meek = all(banner.points < MEEK for banner in banners)
    if banners and meek != spared:
        yield Preference("assaults", (NO_BANNER,) if meek else ())


def spoils(mind: Mind) -> Iterator[Preference]:
    """For each battle: the dearest character there gets what is found."""
    for meeting in agenda.open_meetings(mind.view):
        own = [each for each in mind.position.banners_at(meeting.at) if each.realm == mind.seat]
        leaders = [unit for banner in own for unit in banner.units if unit.character]
        if leaders:
            yield Preference("carriers", (max(leaders, key=lambda unit: (unit.points, unit.name)).name,), meeting.at)


def champions(mind: Mind, given: Iterable[object]) -> Iterator[Alone]:
    """On a whim the dearest character who goes on foot takes on a lair alone."""
    for order in given:
        if isinstance(order, Going) and mind.position.site(order.path[-1]) == "lair" and not order.no_assault:
            able = [unit for unit in mind.position.banners[key_of(mind.seat, order.banner)].units if on_foot(unit)]
            if able and mind.roll(f"{order.banner} alone") == BOLD:
                yield Alone(order.banner, max(able, key=lambda unit: (unit.points, unit.name)).name)


def retreats(mind: Mind) -> Iterator[Retreat]:
    """Back to a section of its own next door, if there is one."""
    own = set(mind.position.held_by(mind.seat))
    for meeting in agenda.open_meetings(mind.view):
        near = [number for number in dry_neighbours(mind.position, meeting.at) if number in own]
        for banner in mind.position.banners_at(meeting.at):
            if near and banner.realm == mind.seat:
                yield Retreat(banner.name, near[mind.roll(f"{banner.name} retreats", len(near)) - 1])


def plans(mind: Mind) -> Iterator[SetPlan]:
    """Now and then cavalry goes round the right flank, and the banner stands longer than others do."""
    for meeting in agenda.open_meetings(mind.view):
        for banner in map(mind.position.banners.__getitem__, meeting.banners):
            die = mind.roll(f"{banner.name} plan") if banner.realm == mind.seat else 0
            if die >= CUNNING:
                riders = [unit.name for unit in banner.units if "cavalry" in unit.tags and not unit.character]
                stations = tuple(Station(name, "R", arrives="flank") for name in riders)
                target, retreat = TARGETS[die - CUNNING], 10 * (die + CUNNING)
                yield SetPlan(banner.name, Plan(stations, target=target, retreat=retreat))
