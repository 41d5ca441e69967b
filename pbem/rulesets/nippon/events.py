"""What can happen in a Nippon campaign, in the order of the rulebook. ``apply`` alone changes the position.

``banner`` and the like hold keys of banners, ``realm`` and the like seats, ``at`` and the like numbers of sections.
"""

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

from pbem.rulesets.nippon.state import Bout, March, Meeting, Movement, Pact, Result, State, Terms, Unit
from pbem.rulesets.nippon.tables import Hazard

# --- what several events do ---------------------------------------------------------------------------------------


def settle(state: State, banner: str, at: int) -> None:
    """For events: a banner stands elsewhere. Its works stay behind and fall into ruin (NIP 7.3)."""
    abandon(state, banner)
    state.change_banner(banner, at=at)


def remove(state: State, banner: str) -> None:
    """For events: a banner is no more, nor are its works (NIP 7.3)."""
    abandon(state, banner)
    del state.banners[banner]


def abandon(state: State, banner: str) -> None:
    """For events: the works of a banner are given up (NIP 7.3)."""
    at = state.banners[banner].at
    if state.sections[at].fortified == banner:
        state.change_section(at, fortified="")


def hand_over(state: State, at: int, realm: str) -> None:
    """For events: a realm (nobody, if empty) gains control of a section; works there are lost (NIP 7.3)."""
    if state.sections[at].controller != realm:
        state.change_section(at, controller=realm, fortified="")


# --- 3 Banners ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FellShort:
    """A banner does not meet the rules for banners any more; only its owner learns why (NIP 3.5)."""

    banner: str
    at: int
    why: str
    """``too few points``, ``no hero or lord``, ``a lone character``."""

    def apply(self, state: State) -> None:
        """Nothing yet: what follows is another event."""


@dataclass(frozen=True)
class Scattered:
    """A banner is scattered (NIP 3.5, 9.3)."""

    banner: str
    at: int

    def apply(self, state: State) -> None:
        """From now on it walks home, and until the turn ends it is outside everything."""
        state.change_banner(self.banner, scattered=True, scattered_on=state.turn)


@dataclass(frozen=True)
class JoinedReserve:
    """A banner that may be none any more becomes the reserve of a site of its realm (NIP 3.5, 9.3)."""

    banner: str
    at: int

    def apply(self, state: State) -> None:
        """Its units stay at the site."""
        units = state.banners[self.banner].units
        remove(state, self.banner)
        state.change_section(self.at, reserve=(*state.sections[self.at].reserve, *units))


# --- 4 Orders -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OrdersOpened:
    """The sealed orders of all realms are opened (NIP 4.1)."""

    def apply(self, state: State) -> None:
        """What was kept of the last turn is forgotten."""
        state.marches, state.battles = (), ()
        state.movement = Movement()


@dataclass(frozen=True)
class OrderVoid:
    """An order is impossible now that it comes to be executed: the banner holds (NIP 4)."""

    banner: str
    at: int
    order: str
    """The line without the banner's name."""
    reason: str

    def apply(self, state: State) -> None:
        """The banner holds."""
        state.movement = replace(state.movement, holding=(*state.movement.holding, self.banner))


@dataclass(frozen=True)
class Prepared:
    """A banner has set to work; whether anything comes of it shows when the meetings are over (NIP 7.5)."""

    banner: str
    at: int
    work: str
    """``fortify`` or ``recover``."""

    def apply(self, state: State) -> None:
        """The order is kept until then."""
        kept = state.movement
        if self.work == "fortify":
            state.movement = replace(kept, fortifying=(*kept.fortifying, self.banner))
        else:
            state.movement = replace(kept, recovering=(*kept.recovering, self.banner))


# --- 5 Terrain ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Passed:
    """A banner got past a hazard (NIP 5)."""

    banner: str
    at: int
    to: int
    hazard: Hazard

    def apply(self, state: State) -> None:
        """Nothing: it may go on."""


@dataclass(frozen=True)
class LostInForest:
    """A banner lost its way on leaving a forest and heads for ``to``, where its move will end (NIP 5)."""

    banner: str
    at: int
    bearing: int
    """Degrees clockwise from the top of the map."""
    to: int
    wanted: int

    def apply(self, state: State) -> None:
        """Nothing yet: the tests of that neighbour come first."""


@dataclass(frozen=True)
class StuckInForest:
    """A lost banner came to the shore of a second ocean section and turned back into the forest (NIP 20.6)."""

    banner: str
    at: int
    to: int

    def apply(self, state: State) -> None:
        """Nothing: it stays."""


@dataclass(frozen=True)
class Halted:
    """Difficult terrain stopped a banner before ``to``; it counts as holding (NIP 5.1)."""

    banner: str
    at: int
    to: int

    def apply(self, state: State) -> None:
        """Nothing: it stays."""


@dataclass(frozen=True)
class DangerSurvived:
    """Dangerous terrain did a banner no harm (NIP 5.2)."""

    banner: str
    at: int
    to: int
    hazard: Hazard
    total: int
    """Of the 2D6; so too below."""

    def apply(self, state: State) -> None:
        """Nothing: it may go on."""


@dataclass(frozen=True)
class DangerHeld:
    """Dangerous terrain kept a banner from moving (NIP 5.2)."""

    banner: str
    at: int
    to: int
    hazard: Hazard
    total: int

    def apply(self, state: State) -> None:
        """Nothing: it stays."""


@dataclass(frozen=True)
class DangerCost:
    """Dangerous terrain cost a banner men, and kept it from moving (NIP 5.2)."""

    banner: str
    at: int
    to: int
    hazard: Hazard
    total: int
    points: int
    """To be lost."""

    def apply(self, state: State) -> None:
        """Nothing yet: which models are lost is for its owner to know."""


@dataclass(frozen=True)
class ModelsLost:
    """The models that a banner lost on dangerous terrain (NIP 5.2)."""

    banner: str
    at: int
    lost: tuple[tuple[str, int], ...]
    """Unit and number of models."""
    units: tuple[Unit, ...]
    """What is left."""

    def apply(self, state: State) -> None:
        """They are gone."""
        state.change_banner(self.banner, units=self.units)


@dataclass(frozen=True)
class Destroyed:
    """Dangerous terrain swallowed a banner whole (NIP 5.2)."""

    banner: str
    at: int
    to: int
    hazard: Hazard
    total: int

    def apply(self, state: State) -> None:
        """It is gone."""
        remove(state, self.banner)


@dataclass(frozen=True)
class WipedOut:
    """A banner lost its last models (NIP 5.2)."""

    banner: str
    at: int

    def apply(self, state: State) -> None:
        """It is gone."""
        remove(state, self.banner)


@dataclass(frozen=True)
class Heroic:
    """A banner went through danger and came out as heroes (NIP 5.3)."""

    banner: str
    at: int
    to: int
    hazard: Hazard
    total: int

    def apply(self, state: State) -> None:
        """It is remembered at how many points."""
        state.change_banner(self.banner, heroism=state.banners[self.banner].points)


# --- 6 Movement ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Moved:
    """A banner took a step (NIP 6.3)."""

    banner: str
    at: int
    to: int
    flying: bool = False

    def apply(self, state: State) -> None:
        """It stands there, and the map will show its path."""
        settle(state, self.banner, self.to)
        lengthen(state, self.banner, self.at, self.to)
        if self.flying and self.banner not in state.movement.flown:
            state.movement = replace(state.movement, flown=(*state.movement.flown, self.banner))


def lengthen(state: State, banner: str, at: int, to: int) -> None:
    """For events: a banner's path of this turn grows by a step."""
    for index, march in enumerate(state.marches):
        if march.banner == banner:
            grown = replace(march, path=(*march.path, to))
            state.marches = (*state.marches[:index], grown, *state.marches[index + 1 :])
            return
    state.marches = (*state.marches, March(state.banners[banner].realm, banner, (at, to)))


@dataclass(frozen=True)
class TurnedBack:
    """A flyer whose move ended over the ocean went back to where it last had ground below (NIP 5, 20.6)."""

    banner: str
    at: int
    to: int

    def apply(self, state: State) -> None:
        """It stands there."""
        settle(state, self.banner, self.to)
        lengthen(state, self.banner, self.at, self.to)


@dataclass(frozen=True)
class Disbanded:
    """A scattered banner has no home that it could reach, and goes its ways (NIP 9.3)."""

    banner: str
    at: int

    def apply(self, state: State) -> None:
        """It is gone."""
        remove(state, self.banner)


@dataclass(frozen=True)
class CameHome:
    """A scattered banner reached a site of its realm and is whole again (NIP 9.3)."""

    banner: str
    at: int

    def apply(self, state: State) -> None:
        """It obeys orders again."""
        state.change_banner(self.banner, scattered=False, scattered_on=0)


@dataclass(frozen=True)
class Intercepted:
    """A banner met hostile ones that remain where it is, and its move is over (NIP 6.3)."""

    banner: str
    at: int
    by: tuple[str, ...]

    def apply(self, state: State) -> None:
        """Nothing: it stays."""


@dataclass(frozen=True)
class NightRolled:
    """Hostile banners would cross a border in opposite directions: each realm has rolled (NIP 6.4)."""

    border: tuple[int, int]
    """The lower number first."""
    values: tuple[tuple[str, int], ...]
    """By realm."""

    def apply(self, state: State) -> None:
        """Nothing yet: who goes and who stays are other events."""


@dataclass(frozen=True)
class HeldInTheNight:
    """A banner lost the roll and waits for the enemy where it is; its move is over (NIP 6.4)."""

    banner: str
    at: int
    to: int
    by: tuple[str, ...]
    """The hostile banners that come."""

    def apply(self, state: State) -> None:
        """Nothing: it stays."""


@dataclass(frozen=True)
class WonTheNight:
    """A banner won the roll: it goes, and its move ends where it meets the loser (NIP 6.4)."""

    banner: str
    at: int
    to: int
    over: tuple[str, ...]

    def apply(self, state: State) -> None:
        """Nothing yet: it moves with the others."""


@dataclass(frozen=True)
class PassedInTheNight:
    """Two hostile banners rolled the same and never saw each other (NIP 6.4)."""

    border: tuple[int, int]
    banners: tuple[str, str]

    def apply(self, state: State) -> None:
        """Nothing yet: both move with the others."""


@dataclass(frozen=True)
class PointsTied:
    """Realms that want the same had equal points in the section and rolled for it (NIP 6.6, 7.4, 20.4)."""

    about: Literal["claim", "raze"]
    """Control of the section, or the pay for razing it."""
    at: int
    values: tuple[tuple[str, int], ...]
    """By realm. Equal again: another roll follows."""

    def apply(self, state: State) -> None:
        """Nothing yet: who gets it is another event."""


@dataclass(frozen=True)
class Claimed:
    """A realm took control of a section (NIP 6.6)."""

    realm: str
    at: int
    banners: tuple[str, ...]
    """Its banners there that claimed."""
    held_by: str
    """Who controlled it until now."""

    def apply(self, state: State) -> None:
        """It is theirs."""
        hand_over(state, self.at, self.realm)


# --- 7 Raze, fortify, recover -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Razed:
    """A section was razed (NIP 7.1)."""

    at: int
    by: tuple[str, ...]
    """The razing banners."""
    realm: str
    """The realm that is paid."""
    held_by: str
    """Who controlled it until now, and is still paid for it this turn."""
    pp: int
    """Paid with this turn's production."""

    def apply(self, state: State) -> None:
        """It is nobody's, and production will know."""
        state.change_section(self.at, razed=True, controller="", fortified="", tries=())
        razed = (*state.movement.razed, (self.at, self.realm, self.held_by, self.pp))
        state.movement = replace(state.movement, razed=razed)


@dataclass(frozen=True)
class RazeAndMoveFree:
    """A razing banner was done in time and moves with the others (NIP 7.2)."""

    banner: str
    at: int

    def apply(self, state: State) -> None:
        """Nothing: it moves."""


@dataclass(frozen=True)
class RazeAndMoveHeld:
    """Razing took a banner too long: it holds (NIP 7.2)."""

    banner: str
    at: int

    def apply(self, state: State) -> None:
        """It holds."""
        state.movement = replace(state.movement, holding=(*state.movement.holding, self.banner))


@dataclass(frozen=True)
class Fortified:
    """A banner built works (NIP 7.3)."""

    banner: str
    at: int

    def apply(self, state: State) -> None:
        """The section bears its mark."""
        state.change_section(self.at, fortified=self.banner)


@dataclass(frozen=True)
class WorkFailed:
    """Nothing came of an order to fortify or recover (NIP 7.5)."""

    banner: str
    at: int
    work: str
    """``fortify`` or ``recover``."""
    reason: str

    def apply(self, state: State) -> None:
        """Nothing."""


@dataclass(frozen=True)
class Recovered:
    """A realm's try at recovery succeeded (NIP 7.4)."""

    realm: str
    at: int
    banners: tuple[str, ...]
    die: int
    bonus: int
    """For earlier tries in a row."""

    def apply(self, state: State) -> None:
        """The mark goes. Who controls the section is another event."""
        state.change_section(self.at, razed=False, tries=())


@dataclass(frozen=True)
class RecoveryFailed:
    """A realm's try at recovery failed (NIP 7.4)."""

    realm: str
    at: int
    banners: tuple[str, ...]
    die: int
    bonus: int

    def apply(self, state: State) -> None:
        """It counts for the next one, unless a friend has just succeeded."""
        if not state.sections[self.at].razed:
            return
        tries = dict(state.sections[self.at].tries)
        tries[self.realm] = tries.get(self.realm, 0) + 1
        state.change_section(self.at, tries=tuple(sorted(tries.items())))


@dataclass(frozen=True)
class RowEnded:
    """A turn without a try, or with a battle, ended a realm's row of tries at recovery (NIP 7.4)."""

    realm: str
    at: int

    def apply(self, state: State) -> None:
        """The next try is its first."""
        tries = tuple(pair for pair in state.sections[self.at].tries if pair[0] != self.realm)
        state.change_section(self.at, tries=tries)


# --- 8 Meetings ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MeetingOpened:
    """Hostile banners stand in one section after all moves."""

    at: int
    banners: tuple[str, ...]
    """Keys, sorted."""
    sides: tuple[tuple[str, ...], ...]
    """Groups of allies by seat, the strongest first."""
    held_by: str
    """Who controlled the section before the turn."""
    unclaiming: tuple[str, ...] = ()
    """Banners that do not take the section even if they win."""

    def apply(self, state: State) -> None:
        """Open it; the turn waits for it."""
        state.meetings[self.at] = Meeting(
            self.at, self.banners, self.sides, held_by=self.held_by, unclaiming=self.unclaiming
        )
        state.stage = "meetings"


@dataclass(frozen=True)
class StoodAside:
    """A realm is allied to both sides of a meeting and fights on neither."""

    at: int
    realm: str

    def apply(self, state: State) -> None:
        """Nothing changes."""


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
    """The battle has its scenario, from the campaign's table; one more for each battle that may follow."""

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
        battle = {"attacker": self.attacker, "defender": self.defender, "scenario": self.scenario}
        state.change_meeting(self.at, **battle, result=None, confirmed=frozenset(), disputed=frozenset())


@dataclass(frozen=True)
class ObstacleRolled:
    """A fortified banner knows its obstacle, should it come to defend itself (NIP 7.3)."""

    at: int
    banner: str
    obstacle: str

    def apply(self, state: State) -> None:
        """Nothing changes: it stands on the table."""


@dataclass(frozen=True)
class MeetingSettled:
    """Nobody has to fight here any more."""

    at: int
    how: Literal["parley", "battle"]

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
    lacks: Literal["pp", "section"]

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
        """Peace among them in this meeting; a result told before is told of another battle."""
        peace = (*state.meetings[self.at].peace, *combinations(self.realms, 2))
        state.change_meeting(self.at, peace=peace, result=None, confirmed=frozenset(), disputed=frozenset())


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

    kind: Literal["alliance", "truce", "passage"]
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

    kind: Literal["alliance", "truce", "passage"]
    between: frozenset[str]
    broken: bool

    def apply(self, state: State) -> None:
        """Strike it."""
        state.pacts = tuple(pact for pact in state.pacts if (pact.kind, pact.between) != (self.kind, self.between))


# --- 8.5 Results --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ResultReported:
    """A side tells how its battle came out; the other side is asked."""

    at: int
    result: Result

    def apply(self, state: State) -> None:
        """It is what has to be confirmed now; a dispute goes on until it is."""
        state.change_meeting(self.at, result=self.result, confirmed=frozenset())


@dataclass(frozen=True)
class ResultConfirmed:
    """A realm of the other side agrees."""

    at: int
    realm: str

    def apply(self, state: State) -> None:
        """Note it; who disputed before has thought better of it."""
        meeting = state.meetings[self.at]
        state.change_meeting(
            self.at, confirmed=meeting.confirmed | {self.realm}, disputed=meeting.disputed - {self.realm}
        )


@dataclass(frozen=True)
class ResultDisputed:
    """A realm of the other side saw it otherwise."""

    at: int
    realm: str
    words: str = ""

    def apply(self, state: State) -> None:
        """Note it."""
        meeting = state.meetings[self.at]
        state.change_meeting(
            self.at, confirmed=meeting.confirmed - {self.realm}, disputed=meeting.disputed | {self.realm}
        )


@dataclass(frozen=True)
class BattleDecided:
    """A battle has its result, or is a draw for want of one."""

    at: int
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    winners: tuple[str, ...]
    """One of the two; nobody: a draw."""
    degree: Literal["", "victory", "solid victory", "massacre"]
    why: Literal["confirmed", "undisputed", "disputed", "unfought"]

    @property
    def losers(self) -> tuple[str, ...]:
        """The other; nobody after a draw."""
        if not self.winners:
            return ()
        return self.defenders if self.winners == self.attackers else self.attackers

    def apply(self, state: State) -> None:
        """Write it down with the losses that were reported; heroism ends with the battle (NIP 5.3)."""
        meeting = state.meetings[self.at]
        stands = self.why in ("confirmed", "undisputed") and meeting.result
        bout = Bout((self.attackers, self.defenders), stands or Result(""), self.winners, self.losers)
        state.change_meeting(
            self.at, fought=(*meeting.fought, bout), result=None, confirmed=frozenset(), disputed=frozenset()
        )
        state.battles = tuple(sorted({*state.battles, self.at}))
        for key in meeting.banners:
            if state.banners[key].realm in self.attackers + self.defenders:
                state.change_banner(key, heroism=0)


# --- 9 After a battle ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SectionWon:
    """The winner of a battle takes the section."""

    at: int
    realm: str
    lost_by: str

    def apply(self, state: State) -> None:
        """It changes hands and pays nobody this turn; the loser's works go (NIP 7.3)."""
        hand_over(state, self.at, self.realm)
        state.change_section(self.at, taken=state.turn, lost_by=self.lost_by)


@dataclass(frozen=True)
class StructureTested:
    """A building or war machine of a site that was won: it survives, or is gone."""

    at: int
    kind: Literal["buildings", "machines"]
    name: str
    survives: bool

    def apply(self, state: State) -> None:
        """Strike what is gone."""
        if not self.survives:
            left = list(getattr(state.sections[self.at], self.kind))
            left.remove(self.name)
            state.change_section(self.at, **{self.kind: tuple(left)})


@dataclass(frozen=True)
class Retreated:
    """A beaten banner went to a neighbouring section of its own or an ally's."""

    banner: str
    origin: int
    to: int

    def apply(self, state: State) -> None:
        """Its works stay behind and go (NIP 7.3)."""
        settle(state, self.banner, self.to)


@dataclass(frozen=True)
class BattleDrawn:
    """Both stay; next turn these banners may only hold, move to a section of their own, or scatter."""

    at: int
    banners: tuple[str, ...]

    def apply(self, state: State) -> None:
        """Mark them until the end of the next turn."""
        for key in self.banners:
            state.change_banner(key, drawn=True)


# --- 10 Production ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Produced:
    """A section paid its controller."""

    at: int
    realm: str
    parts: tuple[tuple[str, int], ...]
    """What the sum is made of, by source: ``die``, ``village``, ``tavern``, ``port``, ``mine``."""
    pp: int
    halved: Literal["", "snow", "no headquarters"] = ""
    """Why the die was a D3."""

    def apply(self, state: State) -> None:
        """Book it."""
        state.pay(self.realm, self.pp)


@dataclass(frozen=True)
class RazingPaid:
    """A section that was razed this turn paid the realm that razed it (NIP 7.1)."""

    at: int
    realm: str
    pp: int

    def apply(self, state: State) -> None:
        """Book it."""
        state.pay(self.realm, self.pp)


@dataclass(frozen=True)
class MineFailing:
    """Two or more ones: the gold mine runs out after this many more turns."""

    at: int
    last: int
    """The last turn in which it pays as a mine."""

    def apply(self, state: State) -> None:
        """Note it."""
        state.change_section(self.at, mine_ends=self.last)


@dataclass(frozen=True)
class MineRanOut:
    """A gold mine is an ordinary section from now on."""

    at: int

    def apply(self, state: State) -> None:
        """No site stands there any more."""
        state.change_section(self.at, site="", mine_ends=0)


# --- 13, 15 Headquarters and the end ------------------------------------------------------------------------------


@dataclass(frozen=True)
class HeadquartersLost:
    """A realm starts the next turn without headquarters."""

    realm: str
    at: int

    def apply(self, state: State) -> None:
        """It may only hold and move."""
        state.change_realm(self.realm, homeless=True)


@dataclass(frozen=True)
class HeadquartersRegained:
    """A realm has its headquarters back."""

    realm: str
    at: int

    def apply(self, state: State) -> None:
        """All is as it was."""
        state.change_realm(self.realm, homeless=False)


@dataclass(frozen=True)
class RealmEliminated:
    """A realm has neither section nor banner."""

    realm: str

    def apply(self, state: State) -> None:
        """It is out."""
        state.change_realm(self.realm, status="eliminated")


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
class TurnEnded:
    """The turn is over; orders are awaited for the next."""

    turn: int

    def apply(self, state: State) -> None:
        """What lasts for one turn only goes."""
        drawn = {key for meeting in state.meetings.values() for key in meeting.drew}
        for banner in [each for each in state.banners.values() if each.drawn and each.key not in drawn]:
            state.change_banner(banner.key, drawn=False)
        state.meetings, state.terms = {}, {}
        state.turn, state.stage = self.turn + 1, "orders"


EVENTS: tuple[type, ...] = tuple(
    each for each in list(globals().values()) if isinstance(each, type) and hasattr(each, "apply")
)
"""All that can happen."""
