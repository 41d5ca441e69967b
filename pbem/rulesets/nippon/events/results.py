"""How battles came out: reported, confirmed, disputed, ruled on and decided (NIP 8.5)."""

from dataclasses import dataclass, replace
from typing import Any

from pbem.rulesets.nippon.events.tolls import suffer
from pbem.rulesets.nippon.state import (
    UNREPORTED,
    Bout,
    Degree,
    Losses,
    Result,
    State,
    Verdict,
)


@dataclass(frozen=True)
class ResultReported:
    """A realm tells how its battle came out; all others who fought are asked."""

    at: int
    result: Result
    deputy: str = ""
    """Who told it for that side, if not a realm on it. So too in the next two."""
    version: int = 1
    """How many were reported in this meeting with it."""
    anew: bool = False
    """Whether it takes the place of another one of the same battle."""

    def apply(self, state: State) -> None:
        """It is what has to be confirmed now; a dispute goes on until it is. Who wants dice has to say so again."""
        statements = state.meetings[self.at].next.said(self.result.by, self.result)
        nobody = dict.fromkeys(("confirmed", "automatic", "dice_off"), frozenset[str]())
        state.change_battle(self.at, result=self.result, version=self.version, statements=statements, **nobody)


@dataclass(frozen=True)
class ResultConfirmed:
    """A realm that was asked agrees."""

    at: int
    realm: str
    deputy: str = ""

    def apply(self, state: State) -> None:
        """Note it; who disputed before, or wanted dice, has thought better of it."""
        battle, this = state.meetings[self.at].next, {self.realm}
        wishes = {"automatic": battle.automatic - this, "dice_off": battle.dice_off - this}
        state.change_battle(self.at, confirmed=battle.confirmed | this, disputed=battle.disputed - this, **wishes)


@dataclass(frozen=True)
class ResultDisputed:
    """A realm that was asked saw it otherwise."""

    at: int
    realm: str
    words: str = ""
    deputy: str = ""

    def apply(self, state: State) -> None:
        """Note it, and its words."""
        battle, this = state.meetings[self.at].next, {self.realm}
        state.change_battle(
            self.at,
            confirmed=battle.confirmed - this,
            disputed=battle.disputed | this,
            statements=battle.said(self.realm, words=self.words),
        )


@dataclass(frozen=True)
class ResultVoided:
    """A result counts no more, since realms of both sides of its battle have come to terms."""

    at: int
    attackers: tuple[str, ...]
    """Who had fought it. So too the next."""
    defenders: tuple[str, ...]

    def apply(self, state: State) -> None:
        """The terms have changed the battle already."""


@dataclass(frozen=True)
class DisputeOpened:
    """A battle was fought, but its result is not agreed: the turn waits for it, though no longer for other meetings."""

    at: int
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    again: bool = False
    """For the second time: that it is disputed was told in its first stage for disputes."""

    def apply(self, state: State) -> None:
        """The stage of disputes begins, or begins again. From now on silence confirms nothing new."""
        state.stage, state.reopened = "disputes", self.again
        battle = state.meetings[self.at].next
        quarrel = any(state.realms[seat].in_play for seat in battle.disputed)
        begun = battle.disputes + 1
        if self.again:
            state.change_battle(self.at, disputes=begun, contested=not quarrel)
        else:
            state.change_battle(self.at, disputes=begun, standing=battle.result, heard=quarrel)


@dataclass(frozen=True)
class ResultLapsed:
    """Nobody confirmed a result that was reported when only disputes were left: the one before it counts."""

    at: int
    by: str
    """Who had reported it."""
    result: Result
    """What counts."""

    def apply(self, state: State) -> None:
        """Put that back."""
        state.change_battle(self.at, result=self.result)


@dataclass(frozen=True)
class NextBattleAwaited:
    """A battle of a meeting was played and told; the next one there is played as well: the turn waits for it."""

    at: int
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]

    def apply(self, state: State) -> None:
        """Meetings have another stage; whoever fights this battle has no third one for it."""
        state.stage = "meetings"
        state.change_meeting(self.at, prolonged=len(state.meetings[self.at].fought))


@dataclass(frozen=True)
class DiceOffAsked:
    """A realm wants to roll off for a battle whose result is disputed."""

    at: int
    realm: str

    def apply(self, state: State) -> None:
        """Note it; it takes the place of a wish for an automatic battle."""
        battle, this = state.meetings[self.at].next, {self.realm}
        state.change_battle(self.at, dice_off=battle.dice_off | this, automatic=battle.automatic - this)


@dataclass(frozen=True)
class DiceOffRolled:
    """Both sides wanted it: a die each has decided who won."""

    at: int
    result: Result
    """Without losses: all the world hears of it (NIP 17)."""

    def apply(self, state: State) -> None:
        """It is the result of the battle."""
        state.change_battle(self.at, result=self.result)


@dataclass(frozen=True)
class LossesAgreed:
    """What both sides had told alike counts after a dice-off, too; those who were there read it."""

    at: int
    losses: Losses
    destroyed: tuple[str, ...] = ()
    """Structures of the site that are no more."""

    def apply(self, state: State) -> None:
        """It belongs to the result of the battle."""
        result = state.meetings[self.at].next.result
        told = result and replace(result, losses=self.losses, destroyed=self.destroyed)
        state.change_battle(self.at, result=told)


@dataclass(frozen=True)
class ResultRuled:
    """The organizer settles a dispute, for a reason that all concerned see."""

    at: int
    result: Result | None
    """How it came out; nothing: it is to be fought automatically."""
    reason: str

    def apply(self, state: State) -> None:
        """It is the result of the battle, or the battle is left to dice."""
        settled: dict[str, Any] = {"result": self.result} if self.result else {"ruled": True}
        state.change_battle(self.at, **settled)


@dataclass(frozen=True)
class BattleDecided:
    """A battle has its result, or is a draw for want of one."""

    at: int
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    winners: tuple[str, ...]
    """One of the two; nobody: a draw."""
    degree: Degree
    why: Verdict

    def apply(self, state: State) -> None:
        """Write it down; units bear the losses that were reported; heroism ends with the battle (NIP 5.3)."""
        meeting = state.meetings[self.at]
        stands = meeting.next.result if self.why != "unfought" else None
        bout = Bout((self.attackers, self.defenders), stands or Result(UNREPORTED), self.winners, self.why)
        state.change_meeting(self.at, fought=(*meeting.fought, bout), next=meeting.next.afresh)
        state.battles = tuple(sorted({*state.battles, self.at}))
        suffer(state, self.at, bout.result.losses)
        for key in meeting.banners:
            if state.banners[key].realm in self.attackers + self.defenders:
                state.change_banner(key, heroism=0)
