"""What comes of spending (NIP 11)."""

from dataclasses import dataclass

from pbem.rulesets.nippon.state import State


@dataclass(frozen=True)
class GiftPaid:
    """Production points change hands as a gift (NIP 11.6)."""

    giver: str
    taker: str
    pp: int

    def apply(self, state: State) -> None:
        """Book them."""
        state.pay(self.giver, -self.pp)
        state.pay(self.taker, self.pp)


@dataclass(frozen=True)
class GiftFailed:
    """A gift cannot be paid, or may not be (NIP 11.6)."""

    giver: str
    taker: str
    pp: int
    reason: str

    def apply(self, state: State) -> None:
        """Nothing changes hands."""
