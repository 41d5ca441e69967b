"""What a realm can use a site for (NIP 11.3, 11.7): every chapter that spends at a site asks here."""

from collections.abc import Iterator

from pbem.rulesets.nippon.atlas import Site
from pbem.rulesets.nippon.headquarters import worth
from pbem.rulesets.nippon.legality import controllable, hostile_at
from pbem.rulesets.nippon.state import State


def unusable(position: State, at: int, seat: str) -> Iterator[str]:
    """What keeps a realm from using a section, a sentence each (NIP 11.7): it must rule there undisturbed."""
    section, place = position.sections[at], position.place(at)
    if section.controller != seat:
        yield f"You do not control {place}."
    if section.razed:
        yield f"{place} is razed."
    if not controllable(position, seat, at):
        yield f"Nothing can be done in {place}."
    if hostile_at(position, seat, at):
        yield f"An enemy stands in {place}."


def usable_site(position: State, at: int, seat: str) -> Site:
    """The site by which a realm may build: what an upgrade has made of it counts from the next turn on (NIP 11.3)."""
    section = position.sections[at]
    return worth(position, section.before if section.upgraded == position.turn else section.site, at, seat)
