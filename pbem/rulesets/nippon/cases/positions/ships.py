"""Positions of rule cases: ships."""

from typing import get_args

from pbem.core.trials import BadLine, Vocabulary
from pbem.rulesets.nippon.cases.drafts import Draft
from pbem.rulesets.nippon.state import Ship, ShipKind
from pbem.rulesets.nippon.tables import HULLS

SHIPS = Vocabulary()


@SHIPS.phrase("ship {seat:seat} {name:quoted} {kind} at {number:int}")
def ship(draft: Draft, seat: str, name: str, kind: str, number: int) -> None:
    """A ship, and the port or ocean section where it lies; it is armed with cannon."""
    if kind not in get_args(ShipKind):
        raise BadLine(f"{kind!r} is no kind of ship; there are {', '.join(HULLS)}")
    draft.realms[seat]
    draft.places[number]
    draft.ships.append(Ship(seat, name, number, kind, ("great cannon",) * HULLS[kind].machines))  # type: ignore[arg-type]  # seen above
