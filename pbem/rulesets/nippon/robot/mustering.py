"""Who a robot sends where: recruits to the banners that stand by, and new banners once a hero leads them."""

from collections.abc import Iterator

from pbem.rulesets.nippon import armies
from pbem.rulesets.nippon.composition import shortfall
from pbem.rulesets.nippon.legality import hostile_at
from pbem.rulesets.nippon.naming import fit_name
from pbem.rulesets.nippon.orders import BuyStandard, Form, Recruit, Regrouping, Reinforce, Transfer
from pbem.rulesets.nippon.robot.mind import Mind
from pbem.rulesets.nippon.state import Section

MOST_BANNERS = 6
"""With so many it raises no more."""

GROUP, MORE = 20, 10
"""Models of a new unit, and how many fall in with one that is there."""


def regrouping(mind: Mind) -> Iterator[Regrouping]:
    """The reserves of last turn march out."""
    for at, section in sorted(mind.position.sections.items()):
        if section.reserve and section.quartered == mind.seat and not hostile_at(mind.position, mind.seat, at):
            yield from _marching_out(mind, at, section)


def _marching_out(mind: Mind, at: int, section: Section) -> Iterator[Regrouping]:
    units = tuple(unit.name for unit in section.reserve)
    banners = mind.position.banners_of(mind.seat)
    there = [banner for banner in banners if banner.at == at and not banner.scattered and not banner.aboard]
    if not shortfall(section.reserve) and len(banners) < MOST_BANNERS and (name := _named(mind, "Host", at)):
        yield Form(name, units)
    elif there and not any(unit.character for unit in section.reserve):
        yield Transfer(units, there[0].name)


def _named(mind: Mind, what: str, at: int) -> str:
    """A name that no other realm gives: ``Host of Kyutsu 4``, for the section and the turn."""
    name = f"{what} of {mind.position.place(at).name} {mind.position.turn}"
    return name if fit_name(name) else ""


def recruits(mind: Mind) -> Iterator[Recruit | Reinforce | BuyStandard]:
    """Standards and more men for its banners where they stand; else new units, a hero first where reserves lack one."""
    position, held = mind.position, mind.position.held_by(mind.seat)
    for banner in position.banners_of(mind.seat):
        yield from (BuyStandard(banner.at, unit.name) for unit in banner.units if unit.bereft and banner.at in held)
        troops = [unit for unit in banner.units if not unit.character]
        if banner.at in held and troops:
            yield Reinforce(banner.at, max(troops, key=lambda unit: unit.models).name, MORE)
    kinds = armies.army(position.realms[mind.seat].army).types.items()
    heroes = [name for name, kind in kinds if kind.category == "hero"]
    core = [name for name, kind in kinds if kind.category == "core"]
    for at in held:
        led = any(unit.character for unit in position.sections[at].reserve)
        yield from (Recruit(at, kind, name=_named(mind, "Captain", at)) for kind in heroes if not led)
        yield Recruit(at, core[mind.roll(f"levy {at}", len(core)) - 1], GROUP, name=_named(mind, "Levy", at))
