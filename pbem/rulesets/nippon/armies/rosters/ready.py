"""The ready-made armies of the lists: held to the rules for every army, as a roster that a player sends (NIP 2.4)."""

from collections.abc import Iterator
from functools import cache

from pbem.core.errors import Flaw
from pbem.rulesets.nippon.armies.library import Library
from pbem.rulesets.nippon.armies.lists import ArmyList
from pbem.rulesets.nippon.armies.rosters.judging import judge
from pbem.rulesets.nippon.armies.rosters.writing import roster_of


def all_flaws(library: Library) -> tuple[Flaw, ...]:
    """What is wrong with army lists: with the files that are left out, and with the ready-made armies of the others."""
    return (*library.flaws, *(flaw for army in library.lists.values() for flaw in flaws(army)))


@cache
def flaws(army: ArmyList) -> tuple[Flaw, ...]:
    """Everything for which a campaign cannot begin with the ready-made army of a list."""
    return tuple(Flaw(f"{army.file}: ready, {where}", reason) for where, reason in _reasons(army))


def _reasons(army: ArmyList) -> Iterator[tuple[str, str]]:
    names = army.banner_names[0]
    judged = judge(roster_of(zip(names, army.ready, strict=True), army), army, army.ready_points)
    yield from ((flaw.where, flaw.reason) for flaw in judged.flaws)
    if judged.points < army.ready_points:
        yield "points", f"its banners are worth {judged.points:,} in all, not {army.ready_points:,}"
