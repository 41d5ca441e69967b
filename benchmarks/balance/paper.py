"""The figures as tables, in their place in ``docs/balance.md``."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path
from random import Random

from benchmarks.balance.contests import ARMIES, Contest, Tally, contests, fought
from pbem.battles import VERSION

PAPER = Path(__file__).parents[2] / "docs" / "balance.md"
PUBLISHED = tomllib.loads(Path(__file__).with_name("published.toml").read_text(encoding="utf-8"))
FIGURES = re.compile(r"(<!-- figures -->\n).*(<!-- end of figures -->\n)", re.DOTALL)

DECIDED, DRAWS, MASSACRES = (43, 57), (7, 21), (4, 25)
"""Percent that is plausible between equal armies: of the decided battles, then of all."""
WINS = {"3:2": (75, 91), "2:1": (90, 100)}
"""Percent of all battles that the larger army wins."""

Figures = Mapping[str, Mapping[Contest, Tally]]
"""How battles came out, by what armies fought them."""


def measure(battles: int, seed: int) -> Figures:
    """Fight so many battles for each line of the tables, as many lines at once as there are cores."""
    lines = [(name, contest) for name in ARMIES for contest in contests()]
    figures: dict[str, dict[Contest, Tally]] = {name: {} for name in ARMIES}
    with ProcessPoolExecutor() as cores:
        tallies = cores.map(_line, *zip(*lines, strict=True), repeat(battles), repeat(seed))
        for (name, contest), tally in zip(lines, tallies, strict=True):
            figures[name][contest] = tally
    return figures


def _line(name: str, contest: Contest, battles: int, seed: int) -> Tally:
    """A line has a seed of its own, so that the others change nothing in it."""
    luck = Random(f"{seed} {name} {contest.title} {contest.points}")
    return fought(contest, ARMIES[name].draw, battles, luck)


def print_figures(figures: Figures, seed: int) -> str:
    """All tables, with what they were made from."""
    parts = [
        f"Made with data `{VERSION}` and seed {seed}.",
        "## Beside the published figures",
        _lined(_beside(figures)),
    ]
    for name, tallies in figures.items():
        battles = max(tally.battles for tally in tallies.values())
        parts += [f"## {ARMIES[name].title}", f"{battles:,} battles in each line.", _lined(_table(tallies))]
    return "\n\n".join(parts) + "\n"


def _lined(rows: Iterable[str]) -> str:
    return "\n".join(rows)


def write(figures: str) -> None:
    """Put the figures into the document in place of those that stand there."""
    text = PAPER.read_text(encoding="utf-8")
    PAPER.write_text(FIGURES.sub(lambda found: f"{found[1]}\n{figures}\n{found[2]}", text), encoding="utf-8")


# --- tables -----------------------------------------------------------------------------------------------------------


def _table(tallies: Mapping[Contest, Tally]) -> Iterator[str]:
    """All battles of one sort of armies."""
    yield _row(
        "battle", "points", "wins of the first", "of the second", "draws", "of the decided, the first",
        "the larger attacking, defending", "minor", "solid", "massacre", "rounds",
    )  # fmt: skip
    yield _row(*["---"] * 11)
    for contest, tally in tallies.items():
        wins, losses, draws, massacres = (tally.share(each) for each in _counts(tally))
        minor, solid = (tally.share(tally.degrees[each]) for each in ("minor victory", "solid victory"))
        plain = contest.title == "equal"
        yield _row(
            contest.title,
            f"{contest.points:,} : {contest.fewer:,}",
            _marked(wins, WINS.get(contest.title)),
            f"{losses:.1f}",
            _marked(draws, DRAWS if plain else None),
            _marked(tally.of_decided, DECIDED if plain else None),
            "" if contest.even else _both_ways(tally),
            f"{minor:.1f}",
            f"{solid:.1f}",
            _marked(massacres, MASSACRES if plain else None),
            f"{tally.rounds / tally.battles:.1f}",
        )


def _counts(tally: Tally) -> tuple[int, int, int, int]:
    return tally.wins[True], tally.wins[False], tally.degrees["draw"], tally.degrees["massacre"]


def _marked(percent: float, plausible: tuple[int, int] | None) -> str:
    """A figure, in bold if it lies outside of what is plausible."""
    if plausible and not plausible[0] <= percent <= plausible[1]:
        return f"**{percent:.1f}**"
    return f"{percent:.1f}"


def _both_ways(tally: Tally) -> str:
    """What the larger army wins of the battles in which it attacks, and of the others; each are half of all."""
    return f"{2 * tally.share(tally.attacking):.1f}, {2 * tally.share(tally.wins[True] - tally.attacking):.1f}"


def _beside(figures: Figures) -> Iterator[str]:
    """Each published figure, and what our armies came to in the same battles."""
    yield _row("battle", "points", *PUBLISHED["armies"], *figures)
    yield _row(*["---"] * (2 + len(PUBLISHED["armies"]) + len(figures)))
    for contest in contests():
        if published := PUBLISHED[contest.title].get(str(contest.points)):
            yield _row(
                contest.title,
                f"{contest.points:,} : {contest.fewer:,}",
                *published,
                *(_cell(contest, tallies[contest]) for tallies in figures.values()),
            )


def _cell(contest: Contest, tally: Tally) -> str:
    """A figure as the published ones are written."""
    if not contest.even:
        return _both_ways(tally)
    wins, losses, draws, massacres = (tally.share(each) for each in _counts(tally))
    return f"{wins:.1f} / {losses:.1f} / {draws:.1f}, m {massacres:.0f}"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"
