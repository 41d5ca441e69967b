"""Print the figures. A busy machine lengthens them all: then read the ratios, not the milliseconds."""

from rich.console import Console
from rich.table import Table

from benchmarks import club, yardstick


def main() -> None:
    """Measure everything once and print it."""
    table = Table("what", "bound, ms", "measured, ms", "next to diplomacy 1.1.2", title="A club of six realms")
    compared = yardstick.measure()
    for measure in club.measure():
        other = compared.get(measure.like)
        ratio = f"{measure.seconds / other:.2f} of its {measure.like}" if other else ""
        table.add_row(measure.what, f"{measure.bound * 1000:g}", f"{measure.seconds * 1000:.2f}", ratio)
    for what, seconds in compared.items():
        table.add_row(f"diplomacy: {what}", "", f"{seconds * 1000:.2f}", "")
    Console().print(table)


main()
