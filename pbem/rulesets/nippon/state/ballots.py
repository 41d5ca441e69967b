"""What players propose to change in the rules of their campaign (NIP 15.1)."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Proposal:
    """A change of an option, or a house rule in words."""

    number: int
    """Unique in the campaign: ``vote yes on R3``."""
    by: str
    option: str = ""
    """The name of the option; nothing: a house rule."""
    value: str = ""
    """What the option is to be, as it is written."""
    words: str = ""
    """The house rule."""
    votes: tuple[tuple[str, bool], ...] = ()
    """By seat; who proposes has voted for it."""

    @property
    def matter(self) -> str:
        """What is proposed: ``cost_percent = 25``, or the words."""
        return f"{self.option} = {self.value}" if self.option else f'"{self.words}"'

    def voted(self, seat: str) -> bool | None:
        """How a realm has voted; ``None``: not yet."""
        return dict(self.votes).get(seat)
