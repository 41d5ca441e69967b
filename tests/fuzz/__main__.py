"""Read broken letters for a while: ``python -m tests.fuzz run``. Read some again: ``python -m tests.fuzz replay FILE``.

A letter fails if reading it raises, takes over a second of the processor, or brings the process over 200 MB. It is
kept in a folder, to be replayed; so is one that takes the process along. Tests read so many letters instead, always
the same, and leave the second out: it would tell of the machine.
"""

import argparse
import hashlib
import math
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import count, takewhile
from pathlib import Path
from random import Random

from pbem.mail.reading.card import read_card
from pbem.mail.reading.letter import Envelope, read_letter
from tests.fuzz.mutate import mutated
from tests.mail.cost import MOST_MEGABYTES, ended_when_it_hangs, forget_peak, peak
from tests.mail.hostile import SHAPES

LETTERS = Path(__file__).parent.parent / "letters"
MOST_SECONDS = 1.0
"""Of the processor, for one letter."""
CURRENT = "current.eml"
"""The letter that is being read: it is left behind if it ends the process."""


def seeds() -> list[bytes]:
    """Letters of common programs, and small ones made to break readers."""
    return [path.read_bytes() for path in sorted(LETTERS.glob("*.eml"))] + [shape(1500) for shape in SHAPES.values()]


def fault(raw: bytes, longest: float) -> str:
    """What is wrong with how a letter is read, or with the time or the memory that it takes; or nothing."""
    forget_peak()
    begin = time.process_time()
    with ended_when_it_hangs():
        wrong = misread(raw)
    if not wrong and (seconds := time.process_time() - begin) > longest:
        return f"takes {seconds:.1f} s"
    return wrong or (f"takes {megabytes:.0f} MB" if (megabytes := peak()) > MOST_MEGABYTES else "")


def misread(raw: bytes) -> str:
    """What is wrong with how a letter is read, or nothing."""
    try:
        letter = read_letter(raw, Envelope())
        card = read_card(letter.body, letter.attached)
    except Exception as error:
        return f"raises {type(error).__name__}"
    lines = [line.text for line in (*card.lines, *card.quoted)]
    for text in (letter.subject, letter.sender, letter.body, letter.attached, *lines):
        if "\0" in text or text != text.encode("utf-8", "replace").decode():
            return "is not clean"
    return ""


def within(seconds: float) -> Iterator[int]:
    """Count as long as there is time."""
    end = time.monotonic() + seconds
    return takewhile(lambda _: time.monotonic() < end, count())


def run(numbers: Iterable[int], longest: float, seed: int, folder: Path) -> bool:
    """Read a letter for each number, until one fails: whether one did. ``longest``: seconds that one may take."""
    folder.mkdir(parents=True, exist_ok=True)
    dice, letters = Random(seed), seeds()
    done, reason, read = 0, "", iter(numbers)
    while not reason and next(read, None) is not None:
        raw = mutated(letters, dice)
        (folder / CURRENT).write_bytes(raw)
        reason = fault(raw, longest)
        done += 1
    if reason:
        name = (folder / CURRENT).rename(folder / f"{hashlib.sha256(raw).hexdigest()[:12]}.eml")
        print(f"{name}: {reason}")
    (folder / CURRENT).unlink(missing_ok=True)
    print(f"{done} letters, seed {seed}: {'one' if reason else 'none'} failed")
    return bool(reason)


def replay(files: list[Path]) -> bool:
    """Read these letters again: whether one fails."""
    reasons = {file: fault(file.read_bytes(), MOST_SECONDS) for file in files}
    for file, reason in reasons.items():
        print(f"{file}: {reason or 'is read'}")
    return any(reasons.values())


def main() -> int:
    """1 if a letter failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    running = commands.add_parser("run", help="read broken letters")
    running.add_argument("--seconds", type=float, default=300)
    running.add_argument("--letters", type=int, help="so many, however long each takes")
    running.add_argument("--seed", type=int, default=int(time.time()))
    running.add_argument("--folder", type=Path, default=Path("fuzz"))
    replaying = commands.add_parser("replay", help="read letters again that failed")
    replaying.add_argument("files", type=Path, nargs="+")
    given = parser.parse_args()
    if given.command == "replay":
        return int(replay(given.files))
    if given.letters:
        return int(run(range(given.letters), math.inf, given.seed, given.folder))
    return int(run(within(given.seconds), MOST_SECONDS, given.seed, given.folder))


if __name__ == "__main__":
    sys.exit(main())
