"""Which battles are fought, and how they came out."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from random import Random

from benchmarks.balance import generators, lists
from pbem import battles as br1

Draw = Callable[[Random, int], br1.Side]
"""A side worth so many points, or a little less."""


@dataclass(frozen=True)
class Armies:
    """What kind of armies fight each other."""

    title: str
    draw: Draw


ARMIES = {
    "lists": Armies("Armies of the lists", lists.drawn),
    "mixed": Armies("Mixed armies", partial(generators.drawn, recipe=generators.MIXED)),
    "picked": Armies("Small units of dear men", partial(generators.drawn, recipe=generators.PICKED)),
    "blocks": Armies("Large blocks of foot", partial(generators.drawn, recipe=generators.BLOCKS)),
}
POINTS = (500, 1000, 2000, 3000)
"""Of the larger army."""


@dataclass(frozen=True)
class Contest:
    """Battles of one sort: both sides draw their armies alike."""

    title: str
    points: int
    """Of the larger army."""
    ratio: tuple[int, int] = (1, 1)
    """Larger to smaller."""
    fort: br1.Fort = "none"
    """Of the defender."""

    @property
    def fewer(self) -> int:
        """Points of the smaller army."""
        larger, smaller = self.ratio
        return self.points * smaller // larger

    @property
    def even(self) -> bool:
        """Whether both have as many points."""
        return self.ratio == (1, 1)


@dataclass
class Tally:
    """How battles came out. First comes the attacker, or in uneven battles the larger army."""

    battles: int = 0
    wins: Counter[bool] = field(default_factory=Counter)
    """Of the first (true) and of the second."""
    attacking: int = 0
    """Of these wins of the first, those as attacker."""
    degrees: Counter[br1.Margin] = field(default_factory=Counter)
    rounds: int = 0

    def count(self, outcome: br1.Outcome, first: br1.Role) -> None:
        """One more battle, in which the first was attacker (A) or defender."""
        self.battles += 1
        self.degrees[outcome.margin] += 1
        self.rounds += len(outcome.rounds)
        if outcome.winner:
            self.wins[outcome.winner == first] += 1
            self.attacking += outcome.winner == first == "A"

    def share(self, number: int) -> float:
        """Percent of all battles."""
        return 100 * number / self.battles

    @property
    def of_decided(self) -> float:
        """Percent of the decided battles that the first won."""
        return 100 * self.wins[True] / max(1, self.wins.total())


def contests() -> Iterator[Contest]:
    """All sorts of battles, each with armies of all sizes."""
    for title, ratio, fort in SORTS:
        for points in POINTS:
            yield Contest(title, points, ratio, fort)


SORTS: tuple[tuple[str, tuple[int, int], br1.Fort], ...] = (
    ("equal", (1, 1), "none"),
    ("3:2", (3, 2), "none"),
    ("2:1", (2, 1), "none"),
    ("works", (1, 1), "works"),
    ("walls", (1, 1), "walls"),
)


def fought(contest: Contest, draw: Draw, battles: int, luck: Random) -> Tally:
    """So many battles, on a plain and without plans. In uneven ones the larger army attacks in every second."""
    tally = Tally()
    for number in range(battles):
        first: br1.Role = "A" if contest.even or number % 2 else "B"
        larger, smaller = draw(luck, contest.points), draw(luck, contest.fewer)
        attacker, defender = (larger, smaller) if first == "A" else (smaller, larger)
        outcome = br1.fight(br1.Battle(attacker, defender, fort=contest.fort), lambda: int(luck.random() * 6) + 1)
        tally.count(outcome, first)
    return tally
