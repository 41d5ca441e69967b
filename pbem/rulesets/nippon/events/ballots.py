"""What players decide in common (NIP 15.1)."""

from dataclasses import dataclass, replace

from pbem.rulesets.nippon import switches
from pbem.rulesets.nippon.state import Proposal, State


@dataclass(frozen=True)
class RuleProposed:
    """A realm proposes to change the rules; all others are asked."""

    proposal: Proposal

    def apply(self, state: State) -> None:
        """It is open until the season ends. No number comes twice in a campaign."""
        state.proposals[self.proposal.number] = self.proposal
        state.proposed = self.proposal.number


@dataclass(frozen=True)
class Voted:
    """A realm votes on a proposal."""

    number: int
    realm: str
    yes: bool

    def apply(self, state: State) -> None:
        """It takes the place of its earlier vote."""
        proposal = state.proposals[self.number]
        others = tuple(vote for vote in proposal.votes if vote[0] != self.realm)
        state.proposals[self.number] = replace(proposal, votes=(*others, (self.realm, self.yes)))


@dataclass(frozen=True)
class RuleAdopted:
    """All have agreed: the change works from the season that now begins."""

    proposal: Proposal

    def apply(self, state: State) -> None:
        """Change the option, or write the house rule down."""
        del state.proposals[self.proposal.number]
        if self.proposal.option:
            value = switches.read(self.proposal.option, self.proposal.value)
            state.options = replace(state.options, **{self.proposal.option: value})
        else:
            state.house_rules = (*state.house_rules, self.proposal.words)


@dataclass(frozen=True)
class RuleRejected:
    """A season ended before all had agreed: the proposal is void."""

    proposal: Proposal
    missing: tuple[str, ...]
    """The realms that did not agree: they voted no, or not at all."""

    def apply(self, state: State) -> None:
        """All stays as it is."""
        del state.proposals[self.proposal.number]
