"""What a case may expect: what became of ships. Each phrase answers with what came instead, or nothing."""

from pbem.core.trials import Trial, Vocabulary
from pbem.rulesets.nippon.cases.expected.lookup import banner_of, instead, ship_of, state_of
from pbem.rulesets.nippon.state import key_of

SHIPS = Vocabulary()


@SHIPS.phrase("ship {seat:seat} {name:quoted} {kind} at {number:int}")
def ship(trial: Trial, seat: str, name: str, kind: str, number: int) -> str | None:
    """The realm has this ship, and it lies there."""
    found = ship_of(trial, key_of(seat, name))
    return instead((kind, number), (found.kind, found.at))


@SHIPS.phrase("no ship {seat:seat} {name:quoted}")
def no_ship(trial: Trial, seat: str, name: str) -> str | None:
    """The realm has no ship of this name."""
    found = state_of(trial).ships.get(key_of(seat, name))
    return f"it lies in {found.at}" if found else None


@SHIPS.phrase("aboard {banner} {name:quoted}")
def aboard(trial: Trial, banner: str, name: str) -> str | None:
    """The banner is aboard this ship of its realm."""
    found = banner_of(trial, banner)
    return instead(key_of(found.realm, name), found.aboard)


@SHIPS.phrase("ashore {banner}")
def ashore(trial: Trial, banner: str) -> str | None:
    """The banner is aboard no ship."""
    return instead("", banner_of(trial, banner).aboard)
