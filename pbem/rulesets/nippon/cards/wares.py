"""What a treasury can buy in this turn, and for how much: an example of each kind (NIP 11)."""

from collections.abc import Iterator
from typing import get_args

from pbem.rulesets.nippon.orders import Build, Launch, Recruit, Spending, Upgrade
from pbem.rulesets.nippon.recruiting import army_list
from pbem.rulesets.nippon.spending import price_of, refusal
from pbem.rulesets.nippon.state import ShipKind
from pbem.rulesets.nippon.tables import BUILDINGS, GROWTHS
from pbem.rulesets.nippon.view import View

Priced = tuple[int, Spending]
"""What an order takes out of the treasury, and the order."""


def wares(view: View) -> Iterator[Priced]:
    """The cheapest order of each kind that the reader can give now: a unit, a building, an upgrade, a ship."""
    position, seat = view.position, view.seat or ""
    treasury = position.realms[seat].treasury
    for kind in (_units, _buildings, _upgrades, _ships):
        priced = ((price_of(position, seat, order), order) for order in kind(view))
        affordable = sorted((each for each in priced if each[0] <= treasury), key=lambda each: (each[0], str(each[1])))
        yield from [each for each in affordable if not refusal(position, seat, each[1])][:1]


def _sites(view: View) -> Iterator[int]:
    """The sections of the reader in which something is made."""
    for at in view.position.held_by(view.seat or ""):
        if view.position.site(at):
            yield at


def _units(view: View) -> Iterator[Spending]:
    """The smallest units of each type."""
    types = army_list(view.position, view.seat or "").types
    for at in _sites(view):
        yield from (Recruit(at, name, kind.least) for name, kind in types.items() if kind.category != "war machine")


def _buildings(view: View) -> Iterator[Spending]:
    yield from (Build(at, what) for at in _sites(view) for what in BUILDINGS)


def _upgrades(view: View) -> Iterator[Spending]:
    yield from (Upgrade(at, to) for at in view.position.held_by(view.seat or "") for to in GROWTHS)


def _ships(view: View) -> Iterator[Spending]:
    ports = [at for at in _sites(view) if view.position.port(at)]
    yield from (Launch(at, kind) for at in ports for kind in get_args(ShipKind))
