"""Chapters 15 and 18, the end of a turn, and of a campaign."""

from dataclasses import dataclass

from pbem.rulesets.nippon.state import Preferences, State


@dataclass(frozen=True)
class DeedsCounted:
    """What a stage adds to the deeds for which there are honours at the end (NIP 15.3)."""

    deeds: tuple[tuple[str, int], ...]
    """By deed and doer: ``razed A``, ``walked A Red Dragons``."""

    def apply(self, state: State) -> None:
        """Add them up."""
        for deed, much in self.deeds:
            state.deeds[deed] = state.deeds.get(deed, 0) + much


@dataclass(frozen=True)
class CampaignEnded:
    """The campaign is over."""

    reason: str
    ranking: tuple[tuple[str, ...], ...]
    """Realms in order of merit, equals together."""
    scores: tuple[tuple[str, int], ...]
    """By seat."""

    def apply(self, state: State) -> None:
        """Nothing is awaited any more."""
        state.stage = "over"
        state.ending, state.ranking = self.reason, self.ranking


@dataclass(frozen=True)
class PreferenceSet:
    """A realm has said what it wants done where it cannot be asked (NIP 18)."""

    realm: str
    about: str
    names: tuple[str, ...]
    """In order; nothing: as the rules have it."""
    preferences: Preferences
    """All its preferences from now on."""

    def apply(self, state: State) -> None:
        """They stand until it says otherwise."""
        state.change_realm(self.realm, preferences=self.preferences)


@dataclass(frozen=True)
class TurnEnded:
    """The turn is over; orders are awaited for the next."""

    turn: int

    def apply(self, state: State) -> None:
        """What lasts for one turn only goes."""
        drawn = {key for fought in (state.meetings, state.assaults) for each in fought.values() for key in each.drew}
        for banner in [each for each in state.banners.values() if each.drawn and each.key not in drawn]:
            state.change_banner(banner.key, drawn=False)
        state.meetings, state.assaults, state.terms = {}, {}, {}
        state.turn, state.stage = self.turn + 1, "orders"
