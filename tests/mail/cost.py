"""What it costs to read letters, measured in a process of its own: ``python -m tests.mail.cost NAME...``."""

import json
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from pbem.mail.reading.letter import Envelope
from pbem.mail.reading.safely import read
from tests.mail.hostile import SHAPES

SIZE = 5_000_000
"""Bytes of the letters."""
MOST_SECONDS, MOST_MEGABYTES = 1.0, 200
"""What reading one of them may cost. Seconds are those that the processor worked: a busy machine costs nothing."""

REFERENCES = Path("/proc/self/clear_refs")


@dataclass(frozen=True)
class Cost:
    """Of one letter."""

    name: str
    seconds: float
    megabytes: float
    """The most that the process had meanwhile."""
    unread: bool
    """Whether it broke a reader."""


def cost(name: str, raw: bytes) -> Cost:
    """Read a letter in this process."""
    forget_peak()
    begin = time.process_time()
    reading = read(raw, Envelope())
    seconds = time.process_time() - begin
    return Cost(name, seconds, peak(), reading.letter.obstacle == "unreadable")


def forget_peak() -> None:
    """Let the peak be what the program has now, where the system can: what made the letter does not count."""
    if REFERENCES.exists():
        REFERENCES.write_text("5")


def peak() -> float:
    """Megabytes, the most that this program has had.

    On Linux that is not ``ru_maxrss``: a program that is started begins there with what its parent has had.
    """
    status = Path("/proc/self/status")
    if status.exists():
        found = re.search(r"^VmHWM:\s+(\d+) kB$", status.read_text(), re.MULTILINE)
        assert found
        return int(found[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2  # macOS counts bytes.


def costs(names: Iterable[str]) -> list[Cost]:
    """Read hostile letters in another process."""
    command = [sys.executable, "-m", "tests.mail.cost", *names]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [Cost(**json.loads(line)) for line in output.splitlines()]


if __name__ == "__main__":
    for each in sys.argv[1:]:
        print(json.dumps(asdict(cost(each, SHAPES[each](SIZE)))))
