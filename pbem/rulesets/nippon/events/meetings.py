"""What happens where enemies meet (chapter 8)."""

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

from pbem.rulesets.nippon.events.changes import hand_over, rearm
from pbem.rulesets.nippon.events.spoils import unit_of
from pbem.rulesets.nippon.items.bearing import bearing, rid_of
from pbem.rulesets.nippon.state import (
    Meeting,
    Pact,
    PactKind,
    State,
    Terms,
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
        before = state.meetings[self.at].next.afresh
        battle = replace(before, attacker=self.attacker, defender=self.defender, scenario=self.scenario)
        state.change_meeting(self.at, next=battle)


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
        battle = meeting.next.afresh if parted else meeting.next
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
