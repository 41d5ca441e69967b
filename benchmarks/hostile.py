"""Letters made to break whoever reads them: how long the slowest shapes keep a processor."""

from tests.mail.cost import Cost, costs
from tests.mail.hostile import SHAPES

MOST_SECONDS = 1.0
"""For any letter of 5 MB."""


def measure(count: int = 5) -> list[Cost]:
    """The letters that took longest, of all shapes; raises ``RuntimeError`` if one took its reader along."""
    measured = costs(SHAPES)
    if len(measured) < len(SHAPES):
        raise RuntimeError(f"{list(SHAPES)[len(measured)]!r} ended the process that read it")
    return sorted(measured, key=lambda each: each.seconds, reverse=True)[:count]
