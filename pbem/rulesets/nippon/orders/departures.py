"""What the organizer does by hand: nobody plays a realm any more, or somebody does again (NIP 13.1)."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Withdraw:
    """Nobody plays a realm any more."""

    realm: str
    """Its seat."""
    reason: str
    """The organizer's, for all to see (NIP 15.1)."""


@dataclass(frozen=True)
class Readmit:
    """Somebody plays a withdrawn realm again."""

    realm: str
    reason: str
