"""What it costs to read letters, measured in a process of its own: ``python -m tests.mail.cost NAME...``.

The seconds are for ``benchmarks``: how fast a machine is says nothing of the program, so no test asks for them.
"""

import json
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from pbem.mail.reading.letter import Envelope
from pbem.mail.reading.safely import read
from tests.mail.hostile import SHAPES

SIZE = 5_000_000
"""Bytes of the letters."""
MOST_MEGABYTES = 200
"""What the process that reads one of them may have."""
HANGING = 60
"""Seconds of the processor after which the process is ended: what goes over a whole text in quadratic time takes more
on any machine, and what is linear a hundredth."""

REFERENCES = Path("/proc/self/clear_refs")


@dataclass(frozen=True)
class Cost:
    """Of one letter."""

    name: str
    seconds: float
    """Those that the processor worked: a busy machine costs nothing."""
    megabytes: float
    """The most that the process had meanwhile."""
    unread: bool
    """Whether it broke a reader."""


def cost(name: str, raw: bytes) -> Cost:
    """Read a letter in this process."""
    forget_peak()
    begin = time.process_time()
    with ended_when_it_hangs():
        reading = read(raw, Envelope())
    seconds = time.process_time() - begin
    return Cost(name, seconds, peak(), reading.letter.obstacle == "unreadable")


@contextmanager
def ended_when_it_hangs() -> Iterator[None]:
    """End the process if the processor works too long on what is done here: no pattern that is searched for can be
    interrupted."""
    signal.setitimer(signal.ITIMER_PROF, HANGING)  # Nothing handles its signal, which ends the process.
    yield
    signal.setitimer(signal.ITIMER_PROF, 0)


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
    """Read hostile letters in another process: all of them, or those before the one that ended it."""
    command = [sys.executable, "-m", "tests.mail.cost", *names]
    output = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True).stdout
    return [Cost(**json.loads(line)) for line in output.splitlines()]


if __name__ == "__main__":
    for each in sys.argv[1:]:
        print(json.dumps(asdict(cost(each, SHAPES[each](SIZE)))), flush=True)
