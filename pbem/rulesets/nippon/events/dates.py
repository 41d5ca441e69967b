"""What is arranged for battles on the table (chapter 8.8)."""

from dataclasses import dataclass

from pbem.rulesets.nippon.state import State


@dataclass(frozen=True)
class DateProposed:
    """A realm, or its deputy, says when it could play."""

    at: int
    realm: str
    words: str
    deputy: str = ""
    """Who said it for the realm, if not itself. So too below."""

    def apply(self, state: State) -> None:
        """Nobody has agreed to it yet; who proposes a date can play."""
        state.change_battle(self.at, date=self.words, date_by=self.realm, agreed=frozenset())
        state.change_meeting(self.at, cannot=state.meetings[self.at].cannot - {self.realm})


@dataclass(frozen=True)
class DateAgreed:
    """A realm says yes to the date."""

    at: int
    realm: str
    words: str
    """The date."""
    deputy: str = ""

    def apply(self, state: State) -> None:
        """Note it; who agrees can play."""
        meeting = state.meetings[self.at]
        state.change_battle(self.at, agreed=meeting.next.agreed | {self.realm})
        state.change_meeting(self.at, cannot=meeting.cannot - {self.realm})


@dataclass(frozen=True)
class CannotPlay:
    """The player of a realm cannot play its battle."""

    at: int
    realm: str
    words: str

    def apply(self, state: State) -> None:
        """Note it; dice fight unless somebody else does."""
        meeting = state.meetings[self.at]
        state.change_battle(self.at, agreed=meeting.next.agreed - {self.realm})
        state.change_meeting(self.at, cannot=meeting.cannot | {self.realm})


@dataclass(frozen=True)
class DeputyNamed:
    """Another player is to play the battle for a realm."""

    at: int
    realm: str
    deputy: str

    def apply(self, state: State) -> None:
        """He speaks for it from now on, instead of any other."""
        others = tuple(pair for pair in state.meetings[self.at].deputies if pair[0] != self.realm)
        state.change_meeting(self.at, deputies=tuple(sorted((*others, (self.realm, self.deputy)))))


@dataclass(frozen=True)
class DeputyLeft:
    """A deputy plays the battle no more: his realm has thought better of it, or he cannot."""

    at: int
    realm: str
    deputy: str
    words: str = ""
    by: str = ""
    """Who ended it: one of the two."""

    def apply(self, state: State) -> None:
        """The realm has to see to it itself."""
        pairs = state.meetings[self.at].deputies
        state.change_meeting(self.at, deputies=tuple(pair for pair in pairs if pair != (self.realm, self.deputy)))


@dataclass(frozen=True)
class ContactGiven:
    """A player says how he can be reached by those whom he meets."""

    realm: str
    words: str
    """Nothing: it is taken back."""

    def apply(self, state: State) -> None:
        """Remember it for all meetings to come."""
        state.change_realm(self.realm, contact=self.words)


@dataclass(frozen=True)
class Volunteered:
    """A player stands ready to play battles of others, or not any more."""

    realm: str
    ready: bool

    def apply(self, state: State) -> None:
        """Remember it."""
        state.change_realm(self.realm, volunteers=self.ready)
