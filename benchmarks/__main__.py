"""Print the figures. A busy machine lengthens them all: then read the ratios, not the milliseconds.

With ``balance``: how battles without players come out; that takes half an hour.
"""

import argparse

from rich.console import Console
from rich.table import Table

from benchmarks import club, hostile, mail, vast, yardstick
from benchmarks.balance import paper
from tests.mail.cost import MOST_MEGABYTES


def main() -> None:
    """Measure everything once and print it, or fight battles."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--letters", type=int, default=10_000, help="through the listener; a fifth out of a mailbox")
    balance = parser.add_subparsers(dest="what").add_parser("balance", help="how battles without players come out")
    balance.add_argument("--battles", type=int, default=4_000, help="in a line")
    balance.add_argument("--seed", type=int, default=1)
    balance.add_argument("--write", action="store_true", help=f"put the tables into {paper.PAPER}")
    given = parser.parse_args()
    if given.what == "balance":
        _balance(given.battles, given.seed, given.write)
    else:
        _measure(given.letters)


def _balance(battles: int, seed: int, write: bool) -> None:
    figures = paper.print_figures(paper.measure(battles, seed), seed)
    print(figures)
    if write:
        paper.write(figures)


def _measure(letters: int) -> None:
    console = Console()
    console.print(_club())
    console.print(_vast())
    console.print(_hostile())
    console.print(_mail(letters))


def _club() -> Table:
    table = Table("what", "bound, ms", "measured, ms", "next to diplomacy 1.1.2", title="A club of six realms")
    compared = yardstick.measure()
    for measure in club.measure():
        other = compared.get(measure.like)
        ratio = f"{measure.seconds / other:.2f} of its {measure.like}" if other else ""
        table.add_row(measure.what, f"{measure.bound * 1000:g}", f"{measure.seconds * 1000:.2f}", ratio)
    for what, seconds in compared.items():
        table.add_row(f"diplomacy: {what}", "", f"{seconds * 1000:.2f}", "")
    return table


def _vast() -> Table:
    columns = ("realms, banners, sections", "bound, s", "measured, s", "an order, ms", "bound, MB", "until now, MB")
    table = Table(*columns, title="Turns of orders, far larger than a club")
    an_order: dict[vast.Size, float] = {}
    for row in vast.measure():
        size = f"{row.size.realms:,}, {row.size.banners:,}, {row.size.sections:,}"
        bound, room = (f"{bounds[row.size]:g}" if row.size in bounds else "" for bounds in (vast.BOUNDS, vast.ROOM))
        an_order[row.size] = row.seconds / row.orders
        spent = f"{an_order[row.size] * 1000:.3f}"
        table.add_row(size, bound, f"{row.seconds:.3f}", spent, room, f"{row.megabytes:.0f}")
    times = an_order[vast.MANY] / an_order[vast.FEW]
    table.caption = f"An order among the most: {times:.2f} times as much as among the fewest; bound {vast.FLAT}"
    return table


def _hostile() -> Table:
    columns = ("shape", "bound, s", "measured, s", "bound, MB", "measured, MB")
    table = Table(*columns, title="Reading letters of 5 MB made to break readers: the slowest")
    for row in hostile.measure():
        seconds, megabytes = f"{row.seconds:.2f}", f"{row.megabytes:.0f}"
        table.add_row(row.name, f"{hostile.MOST_SECONDS:g}", seconds, f"{MOST_MEGABYTES}", megabytes)
    return table


def _mail(count: int) -> Table:
    table = Table("what", "bound", "measured", "next to the bare parts", title="Mail of 120 players")
    for row in (*mail.through_listener(count), *mail.out_of_mailbox(count // 5)):
        table.add_row(row.what, row.bound, row.measured, row.like)
    return table


if __name__ == "__main__":  # Not in the processes that it starts.
    main()
