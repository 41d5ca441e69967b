"""Meetings: what is offered, what was fought, and the pacts that come of it (NIP 8)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, Self

from pbem.rulesets.nippon.state.units import Unit, seat_of

PactKind = Literal["alliance", "truce", "passage"]


@dataclass(frozen=True)
class Pact:
    """An alliance, a truce or the right of passage between two realms (NIP 8.2)."""

    kind: PactKind
    between: frozenset[str]
    until: int = 0
    """The last turn in which it holds; 0: until broken."""
    broken: int = 0
    """The turn at whose end it ceases; 0: not broken."""


@dataclass(frozen=True)
class Terms:
    """Terms of a parley, as offered by one realm to others."""

    number: int
    """Unique in the campaign: ``accept P3``."""
    at: int
    by: str
    to: frozenset[str]
    gives: tuple[tuple[str, str, int], ...] = ()
    """Payments: from, to, pp."""
    cedes: tuple[tuple[str, str, int], ...] = ()
    """Sections: from, to, number."""
    pact: PactKind | Literal[""] = ""
    turns: int = 0
    words: str = ""
    items: tuple[tuple[str, str, str], ...] = ()
    """Magic items: from, to, name."""
    accepted: frozenset[str] = frozenset()
    declined: frozenset[str] = frozenset()


Degree = Literal["", "victory", "solid victory", "massacre"]
"""How clearly a battle was won; nothing: it was not."""

Verdict = Literal["confirmed", "undisputed", "unfought", "fought", "dice-off", "ruled"]
"""What decides a battle: a result stands, or there is none and it is a draw; or it is fought automatically, or rolled
off for; or the organizer says so."""


@dataclass(frozen=True)
class Loss:
    """What a battle did to a unit; what is not said did not happen."""

    unit: str
    models: int
    """Left on the table."""
    fled: int = 0
    """Fled from it. All others are at 0 wounds."""
    standard_lost: bool = False
    champion_dead: bool = False
    musician_dead: bool = False
    in_challenge: bool = False
    wounds: int = 0
    """What those who live lack in all."""
    mount_dead: bool = False
    """The monster it rides is at 0 wounds."""
    mount_wounds: int = 0
    """What that lacks else."""

    def within(self, unit: Unit, *, known: bool = True) -> Self:
        """As much of it as can have happened to a unit.

        Not ``known``: as far as others can tell, who see its type and its number. Then it says nothing of what the unit
        has besides.
        """
        models = min(self.models, unit.standing)
        fled = min(self.fled, unit.standing - models)
        rides = "monstrous mount" in unit.tags
        seen = replace(
            self,
            models=models,
            fled=fled,
            wounds=min(self.wounds, (models + fled) * (unit.profile.W - 1)),
            mount_dead=rides and self.mount_dead,
            mount_wounds=self.mount_wounds if rides and not self.mount_dead else 0,
        )
        return seen._of_what_it_has(unit) if known else seen

    def _of_what_it_has(self, unit: Unit) -> Self:
        return replace(
            self,
            standard_lost=self.standard_lost and bool(unit.standard or unit.battle_standard),
            champion_dead=self.champion_dead and unit.champion > 0,
            musician_dead=self.musician_dead and unit.musician > 0,
            mount_wounds=min(self.mount_wounds, unit.steed.profile.W - 1) if unit.steed else 0,
        )


Losses = tuple[tuple[str, tuple[Loss, ...]], ...]
"""What a battle did to units, by key of their banner."""


def by_corps(losses: Iterable[tuple[str, Loss]]) -> Losses:
    """Losses of units of these keys, by key in order."""
    told = [*losses]
    return tuple((key, tuple(loss for of, loss in told if of == key)) for key in sorted({of for of, _ in told}))


RESERVE, GARRISON = "", "garrison"
"""In place of a key: the reserve of the site where the battle was, and its garrison (NIP 8.7)."""

LAIR = "lair"
"""In place of a key, for who lives in a lair (NIP 8.6)."""

DEFENCE = "defence"
"""In place of a seat: who defends where no realm does, in an assault. A garrison with all who help it, whoever lives in
a lair, a Great Spawn (NIP 8.6, 8.7, 14.3). No seat is called so: they are letters."""

UNREPORTED = "nobody"
"""In place of the seat that reported a result: nobody did. Dice alone said it, or it was not fought."""


@dataclass(frozen=True)
class Result:
    """A battle's result, as somebody reported it (NIP 8.5)."""

    by: str
    """A seat; the organizer's, if he ruled it so (NIP 8.5); or ``UNREPORTED``."""
    winner: str = ""
    """A realm, the defence, or nothing for a draw."""
    degree: Degree = ""
    losses: Losses = ()
    destroyed: tuple[str, ...] = ()
    """Structures of the site that are no more."""


@dataclass(frozen=True)
class Statement:
    """What a realm has said of a battle, for as long as it is not decided (NIP 8.5)."""

    by: str
    result: Result | None = None
    """The last that it reported."""
    words: str = ""
    """Why it disputes another's."""


@dataclass(frozen=True)
class Bout:
    """A battle that is decided. A meeting of three sides has more than one (NIP 8.4)."""

    sides: tuple[tuple[str, ...], tuple[str, ...]]
    """The seats that fought, the attackers first; in an assault the other side is the defence."""
    result: Result
    winners: tuple[str, ...] = ()
    """One of the sides; nobody: a draw."""
    why: Verdict | Literal[""] = ""
    """What decided it, in a meeting."""

    @property
    def losers(self) -> tuple[str, ...]:
        """The other side; nobody after a draw."""
        attackers, defenders = self.sides
        if not self.winners:
            return ()
        return defenders if self.winners == attackers else attackers

    @property
    def victors(self) -> tuple[str, ...]:
        """The realms that won: nobody where the defence did."""
        return tuple(seat for seat in self.winners if seat != DEFENCE)


def assault_key(at: int) -> str:
    """The key of the assault in a section."""
    return f"assault {at}"


def spawn_key(banner: str) -> str:
    """The key of the fight of a banner, by its own key, with what some of its own have become."""
    return f"spawn {banner}"


@dataclass(frozen=True)
class Assault:
    """Banners before a site that must be won (NIP 8.7), or in a lair (NIP 8.6); or one that has to fight what some of
    its own have become (NIP 14.3). No stage waits for it, unless it may be played on the table: then it is a meeting,
    too (NIP 8.9)."""

    at: int
    kind: Literal["garrison", "lair", "spawn"]
    banners: tuple[str, ...]
    """Keys of all that are to fight there, sorted."""
    foes: int = 0
    """How many Great Spawns it is against."""
    alone: bool = False
    """Just one character of the banner fought (NIP 8.6)."""
    met: tuple[Unit, ...] | None = None
    """Who was met in the lair; nothing: nobody has looked yet."""
    times: int = 1
    """How many times the treasure of those counts."""
    result: Result | None = None
    """Of the fight that is being settled."""
    bout: Bout | None = None
    """How it came out."""

    @property
    def key(self) -> str:
        """What names it among those of a turn, and its dice: ``assault 12``, ``spawn A Red Dragons``."""
        return spawn_key(self.banners[0]) if self.kind == "spawn" else assault_key(self.at)

    @property
    def lost(self) -> bool:
        """Whether the banners were beaten."""
        return self.bout is not None and self.bout.winners == self.bout.sides[1]

    @property
    def drew(self) -> tuple[str, ...]:
        """Keys of the banners that could not win it, nor lost (NIP 9.4). A Great Spawn does not stay; and
        whoever waited while one of them fought alone has drawn nothing."""
        binding = self.kind != "spawn" and not self.alone
        return self.banners if binding and self.bout and not self.bout.winners else ()


@dataclass(frozen=True)
class Engagement:
    """The battle for which a meeting waits, and all that has been said of it. With another battle it is replaced whole,
    so that nothing said of one counts for the next."""

    attacker: str = ""
    """The side that attacks. So too the next two."""
    defender: str = ""
    scenario: int = 0
    result: Result | None = None
    """What has been reported of it."""
    version: int = 0
    """How many results have been reported in its meeting, of this battle and before it: the number of the last."""
    earlier: int = 0
    """How many of them were reported before this battle was set, and say nothing of it."""
    disputes: int = 0
    """How many stages for disputes have been opened for it."""
    standing: Result | None = None
    """What had been reported of it when the first of them opened: silence confirms no other."""
    heard: bool = False
    """Whether it was disputed then: it has had a stage in which that could be settled."""
    contested: bool = False
    """Whether it is taken as disputed, though nobody says so: it was reported in such a stage, and not confirmed."""
    confirmed: frozenset[str] = frozenset()
    disputed: frozenset[str] = frozenset()
    statements: tuple[Statement, ...] = ()
    """What was said of it, by whom; who spoke last stands last."""
    dice_off: frozenset[str] = frozenset()
    """Who wants to roll off for it."""
    ruled: bool = False
    """Whether the organizer has ruled that it is to be fought automatically."""
    automatic: frozenset[str] = frozenset()
    """Who wants it to be fought automatically (NIP 8.3)."""
    date: str = ""
    """When it is to be played, as somebody proposed (NIP 8.8)."""
    date_by: str = ""
    agreed: frozenset[str] = frozenset()
    """Who has said yes to that date."""

    @property
    def unsaid(self) -> Self:
        """The same battle, of which nobody has said anything."""
        return type(self)(self.attacker, self.defender, self.scenario)

    @property
    def afresh(self) -> Self:
        """The same as it begins anew. The numbers of results go on: a yes to an old one never means a new one."""
        return replace(self.unsaid, version=self.version, earlier=self.version)

    @property
    def number(self) -> int:
        """The number that names its result where others were reported there: ``confirm 14-2``; 0: it is the first."""
        return self.version if self.version > 1 else 0

    def said(self, by: str, result: Result | None = None, words: str = "") -> tuple[Statement, ...]:
        """All statements, with what a realm says now in place of what it said before."""
        before = next((each for each in self.statements if each.by == by), Statement(by))
        others = (each for each in self.statements if each.by != by)
        return (*others, Statement(by, result or before.result, words or before.words))


@dataclass(frozen=True)
class Meeting:
    """Hostile banners in one section (NIP 8.1); or an assault that may be played on the table: then the first side are
    its attackers, and the second, as soon as there is one, is who plays the defence (NIP 8.9)."""

    at: int
    banners: tuple[str, ...]
    """Keys, sorted."""
    sides: tuple[tuple[str, ...], ...] = ()
    """Groups of allies, by seat. A side is named by its first seat."""
    initiative: tuple[str, ...] = ()
    """The sides by their roll-off, highest first: of any two, the former attacks."""
    scenarios: tuple[int, ...] = ()
    """One for each battle there may be, in turn."""
    next: Engagement = Engagement()
    """The battle for which it waits as long as it is open."""
    peace: tuple[tuple[str, str], ...] = ()
    """Pairs of realms that came to terms here."""
    fought: tuple[Bout, ...] = ()
    prolonged: int = 0
    """How many of them had been fought when a stage of its own began for the next one (NIP 8.4)."""
    settled: Literal["", "parley", "battle", "table", "dice"] = ""
    """How it ended; the last two say how an assault is decided."""
    assault: bool = False
    """It is an assault."""
    cannot: frozenset[str] = frozenset()
    """Whose players cannot play here, neither the battle now waiting nor one that follows."""
    deputies: tuple[tuple[str, str], ...] = ()
    """Realms, and who plays for them, by seat."""
    spoils: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    """What realms want of the spoils of this battle alone: who, what about, and items or characters (NIP 9.5)."""

    @property
    def realms(self) -> frozenset[str]:
        """Who meets here: with banners, or at sea with nothing but ships (NIP 11.4)."""
        return frozenset(seat for side in self.sides for seat in side)

    @property
    def unopposed(self) -> bool:
        """Whether it is an assault that could be played on the table, but nobody has taken the defence (NIP 8.9)."""
        return self.assault and not self.next.defender

    @property
    def concerned(self) -> frozenset[str]:
        """The realms that meet, and who plays for them."""
        return self.realms.union(deputy for _, deputy in self.deputies)

    def deputy_of(self, seat: str) -> str:
        """Who plays here for a realm; nobody if it has named no deputy."""
        return dict(self.deputies).get(seat, "")

    def spoken_for(self, deputy: str) -> tuple[str, ...]:
        """The realms for which somebody plays here, by seat."""
        return tuple(realm for realm, stand_in in self.deputies if stand_in == deputy)

    @property
    def beaten(self) -> frozenset[str]:
        """The realms that lost here."""
        return frozenset(seat for bout in self.fought for seat in bout.losers)

    @property
    def drew(self) -> tuple[str, ...]:
        """Keys of the banners that drew their battle (NIP 9.4)."""
        drawn = [seat for bout in self.fought if not bout.winners for side in bout.sides for seat in side]
        return tuple(key for key in self.banners if seat_of(key) in drawn)

    def side(self, seat: str) -> tuple[str, ...]:
        """The side a realm fights on; nobody if it has no part in the meeting."""
        return next((side for side in self.sides if seat in side), ())
