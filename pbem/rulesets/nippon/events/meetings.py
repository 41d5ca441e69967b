"""What happens where enemies meet (chapter 8)."""

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal

from pbem.rulesets.nippon.events.changes import hand_over, rearm
from pbem.rulesets.nippon.events.spoils import unit_of
from pbem.rulesets.nippon.events.tolls import suffer
from pbem.rulesets.nippon.items.bearing import bearing, rid_of
from pbem.rulesets.nippon.state import (
    UNREPORTED,
    Bout,
    Degree,
    Engagement,
    Losses,
    Meeting,
    Pact,
    PactKind,
    Result,
    State,
    Terms,
    Verdict,
)

# --- 8 Meetings ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MeetingOpened:
    """Hostile banners, or ships at sea, are in one section after all moves."""

    at: int
    banners: tuple[str, ...]
    """Keys, sorted."""
    sides: tuple[tuple[str, ...], ...]
    """Groups of allies, by seat."""
    ships: tuple[str, ...] = ()
    """Keys of the ships that meet, at sea (NIP 11.4)."""

    def apply(self, state: State) -> None:
        """Open it; the turn waits for it."""
        state.meetings[self.at] = Meeting(self.at, self.banners, self.sides)
        state.stage = "meetings"


@dataclass(frozen=True)
class StoodAside:
    """A realm is allied to both sides of a meeting and fights on neither."""

    at: int
    realm: str

    def apply(self, state: State) -> None:
        """Nothing changes."""


@dataclass(frozen=True)
class SidedWith:
    """A realm is allied to both sides of a meeting, and fights beside the one that it has named."""

    at: int
    realm: str
    ally: str

    def apply(self, state: State) -> None:
        """Nothing changes: the sides have been told."""


@dataclass(frozen=True)
class AttackRolled:
    """The sides of a meeting rolled off: of any two, the one that stands first attacks."""

    at: int
    initiative: tuple[str, ...]

    def apply(self, state: State) -> None:
        """Remember the order."""
        state.change_meeting(self.at, initiative=self.initiative)


@dataclass(frozen=True)
class ScenarioRolled:
    """The first battle has its scenario, from the campaign's table, and so has each that may follow."""

    at: int
    scenarios: tuple[int, ...]

    def apply(self, state: State) -> None:
        """Remember them."""
        state.change_meeting(self.at, scenarios=self.scenarios)


@dataclass(frozen=True)
class BattleSet:
    """Two sides are to fight: who attacks, which scenario, and on what ground."""

    at: int
    attacker: str
    defender: str
    scenario: int
    title: str
    """Of the scenario."""
    terrain: str
    river: bool
    snow: bool
    site: str
    fortified: str
    """Key of the banner behind its works; nobody unless it defends."""

    def apply(self, state: State) -> None:
        """The meeting waits for this battle and its result."""
        state.change_meeting(self.at, next=Engagement(self.attacker, self.defender, self.scenario))


@dataclass(frozen=True)
class ObstacleRolled:
    """A fortified banner knows its obstacle, should it come to defend itself (NIP 7.3)."""

    at: int
    banner: str
    obstacle: str

    def apply(self, state: State) -> None:
        """Nothing changes: it stands on the table."""


Because = Literal["", "unopposed", "wanted", "disputed", "unconfirmed", "unplayed", "untold"]
"""Why an assault is left to dice: nobody took the defence, a side wished it, its result is disputed or not confirmed,
somebody could not play it, or nobody told how it came out."""


@dataclass(frozen=True)
class MeetingSettled:
    """Nobody has to fight here any more."""

    at: int
    how: Literal["parley", "battle", "table", "dice"]
    """The last two: an assault is to be decided so (NIP 8.9)."""
    why: Because = ""
    """Why by dice."""

    def apply(self, state: State) -> None:
        """Close it."""
        state.change_meeting(self.at, settled=self.how)


# --- 8.2 Parley ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TermsOffered:
    """A realm offers terms."""

    terms: Terms

    def apply(self, state: State) -> None:
        """Put them on the table."""
        state.terms[self.terms.number] = self.terms


@dataclass(frozen=True)
class TermsAccepted:
    """A realm signs."""

    number: int
    realm: str

    def apply(self, state: State) -> None:
        """Note its signature."""
        terms = state.terms[self.number]
        state.change_terms(self.number, accepted=terms.accepted | {self.realm}, declined=terms.declined - {self.realm})


@dataclass(frozen=True)
class TermsDeclined:
    """A realm says no; or takes back its own offer."""

    number: int
    realm: str

    def apply(self, state: State) -> None:
        """Note its refusal."""
        terms = state.terms[self.number]
        state.change_terms(self.number, accepted=terms.accepted - {self.realm}, declined=terms.declined | {self.realm})


@dataclass(frozen=True)
class TermsFailed:
    """All signed, but a realm cannot give what it promised: nothing is carried out."""

    number: int
    realm: str
    lacks: Literal["pp", "section", "item", "room"]
    """What was promised and is not there; or room for an item."""

    def apply(self, state: State) -> None:
        """The terms are dead, as if that realm had declined."""
        terms = state.terms[self.number]
        state.change_terms(self.number, declined=terms.declined | {self.realm})


@dataclass(frozen=True)
class TermsAgreed:
    """All concerned accepted the same terms; they do not fight each other here."""

    at: int
    realms: tuple[str, ...]
    pact: str
    turns: int

    def apply(self, state: State) -> None:
        """Peace among them in this meeting. If one of each side of the battle that waits has signed, it is another
        battle now, and what was said before says nothing of it."""
        meeting = state.meetings[self.at]
        sides = (meeting.side(meeting.next.attacker), meeting.side(meeting.next.defender))
        parted = all(set(side).intersection(self.realms) for side in sides)
        battle = meeting.next.unsaid if parted else meeting.next
        state.change_meeting(self.at, peace=(*meeting.peace, *combinations(self.realms, 2)), next=battle)


@dataclass(frozen=True)
class TermsPaid:
    """Production points change hands by terms."""

    number: int
    payer: str
    payee: str
    pp: int

    def apply(self, state: State) -> None:
        """Book them."""
        state.pay(self.payer, -self.pp)
        state.pay(self.payee, self.pp)


@dataclass(frozen=True)
class ItemCeded:
    """A magic item changes hands by terms."""

    number: int
    at: int
    item: str
    giver: tuple[str, str]
    """Key of the banner, and the unit."""
    taker: tuple[str, str]

    def apply(self, state: State) -> None:
        """Its price goes with it (NIP 14.1)."""
        for (banner, name), change in ((self.giver, rid_of), (self.taker, bearing)):
            rearm(state, self.at, banner, change(unit_of(state, self.at, banner, name), self.item))


@dataclass(frozen=True)
class SectionCeded:
    """A section changes hands by terms."""

    at: int
    giver: str
    taker: str

    def apply(self, state: State) -> None:
        """Works do not outlast the change (NIP 7.3)."""
        hand_over(state, self.at, self.taker)


@dataclass(frozen=True)
class PactMade:
    """An alliance, a truce or the right of passage begins, for the whole of both realms."""

    kind: PactKind
    between: frozenset[str]
    until: int
    """The last turn in which it holds; 0: until broken."""

    def apply(self, state: State) -> None:
        """Add it; it takes the place of an older one of its kind."""
        others = (pact for pact in state.pacts if (pact.kind, pact.between) != (self.kind, self.between))
        state.pacts = (*others, Pact(self.kind, self.between, self.until))


@dataclass(frozen=True)
class PactBroken:
    """A realm breaks with another; it works from the next turn."""

    by: str
    other: str

    def apply(self, state: State) -> None:
        """All their pacts cease when the turn ends."""
        pair = frozenset({self.by, self.other})
        state.pacts = tuple(
            replace(pact, broken=state.turn) if pact.between == pair and not pact.broken else pact
            for pact in state.pacts
        )


@dataclass(frozen=True)
class PactEnded:
    """A pact holds no longer: it was broken, or its time is up."""

    kind: PactKind
    between: frozenset[str]
    broken: bool

    def apply(self, state: State) -> None:
        """Strike it."""
        state.pacts = tuple(pact for pact in state.pacts if (pact.kind, pact.between) != (self.kind, self.between))


# --- 8.5 Results --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ResultReported:
    """A realm tells how its battle came out; all others who fought are asked."""

    at: int
    result: Result
    deputy: str = ""
    """Who told it for that side, if not a realm on it. So too in the next two."""
    version: int = 1
    """How many there are with it, each in the place of the last."""

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
    """For the second time: that it is disputed was told in the first stage for disputes."""

    def apply(self, state: State) -> None:
        """The stage of disputes begins, or begins again. From now on silence confirms nothing new."""
        state.stage, state.reopened = "disputes", self.again
        battle = state.meetings[self.at].next
        quarrel = any(state.realms[seat].in_play for seat in battle.disputed)
        if self.again:
            state.change_battle(self.at, contested=not quarrel)
        else:
            state.change_battle(self.at, standing=battle.result, heard=quarrel)


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
        bout = Bout((self.attackers, self.defenders), stands or Result(UNREPORTED), self.winners)
        state.change_meeting(self.at, fought=(*meeting.fought, bout), next=meeting.next.unsaid)
        state.battles = tuple(sorted({*state.battles, self.at}))
        suffer(state, self.at, bout.result.losses)
        for key in meeting.banners:
            if state.banners[key].realm in self.attackers + self.defenders:
                state.change_banner(key, heroism=0)
