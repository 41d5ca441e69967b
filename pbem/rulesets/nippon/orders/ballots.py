"""How players change the rules of their campaign (NIP 15.1): both act at once, at any stage."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Propose:
    """Propose a change of an option, or a house rule in words. All realms are told at once."""

    immediate: ClassVar[bool] = True

    option: str = ""
    value: str = ""
    words: str = ""

    @property
    def key(self) -> str:
        """One for each matter."""
        return f"propose {self.option or self.words}"

    def __str__(self) -> str:
        return f"propose {self.option} {self.value}" if self.option else f'propose "{self.words}"'


@dataclass(frozen=True)
class Vote:
    """Vote on a proposal; a later vote takes the place of an earlier one."""

    immediate: ClassVar[bool] = True

    proposal: int
    yes: bool

    @property
    def key(self) -> str:
        """One for each proposal."""
        return f"vote R{self.proposal}"

    def __str__(self) -> str:
        return f"vote {'yes' if self.yes else 'no'} on R{self.proposal}"


Ballot = Propose | Vote
"""What players decide in common."""
