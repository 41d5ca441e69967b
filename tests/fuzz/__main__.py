"""Read broken letters for a while: ``python -m tests.fuzz run``. Read some again: ``python -m tests.fuzz replay FILE``.

A letter fails if reading it raises, takes over a second of the processor, or brings the process over 200 MB. It is
kept in a folder, to be replayed; so is one that takes the process along.
"""

import argparse
import hashlib
import signal
import sys
import time
from pathlib import Path
from random import Random

from pbem.mail.reading.card import read_card
from pbem.mail.reading.letter import Envelope, read_letter
from tests.fuzz.mutate import mutated
from tests.mail.cost import MOST_MEGABYTES, MOST_SECONDS, forget_peak, peak
from tests.mail.hostile import SHAPES

LETTERS = Path(__file__).parent.parent / "letters"
HANGING = 20
"""Seconds of the processor after which the process is ended."""
CURRENT = "current.eml"
"""The letter that is being read: it is left behind if it ends the process."""


def seeds() -> list[bytes]:
    """Letters of common programs, and small ones made to break readers."""
    return [path.read_bytes() for path in sorted(LETTERS.glob("*.eml"))] + [shape(1500) for shape in SHAPES.values()]


def fault(raw: bytes) -> str:
    """What is wrong with how a letter is read, or with the memory that it takes; or nothing."""
    forget_peak()
    return misread(raw) or (f"takes {megabytes:.0f} MB" if (megabytes := peak()) > MOST_MEGABYTES else "")


def misread(raw: bytes) -> str:
    """What is wrong with how a letter is read, or nothing."""
    begin = time.process_time()
    try:
        letter = read_letter(raw, Envelope())
        card = read_card(letter.body, letter.attached)
    except Exception as error:
        return f"raises {type(error).__name__}"
    if (seconds := time.process_time() - begin) > MOST_SECONDS:
        return f"takes {seconds:.1f} s"
    lines = [line.text for line in (*card.lines, *card.quoted)]
    for text in (letter.subject, letter.sender, letter.body, letter.attached, *lines):
        if "\0" in text or text != text.encode("utf-8", "replace").decode():
            return "is not clean"
    return ""


def run(seconds: float, seed: int, folder: Path) -> int:
    """Read as many letters as there is time for; how many failed."""
    folder.mkdir(parents=True, exist_ok=True)
    dice, letters = Random(seed), seeds()
    end, count, failed = time.monotonic() + seconds, 0, 0
    while time.monotonic() < end and not failed:
        raw = mutated(letters, dice)
        (folder / CURRENT).write_bytes(raw)
        signal.setitimer(signal.ITIMER_PROF, HANGING)  # Nothing handles its signal, which ends the process.
        reason = fault(raw)
        signal.setitimer(signal.ITIMER_PROF, 0)
        count += 1
        if reason:
            failed += 1
            name = folder / f"{hashlib.sha256(raw).hexdigest()[:12]}.eml"
            name.write_bytes(raw)
            print(f"{name}: {reason}")
    (folder / CURRENT).unlink()
    print(f"{count} letters, seed {seed}: {failed or 'none'} failed")
    return failed


def replay(files: list[Path]) -> int:
    """Read these letters again; how many fail."""
    reasons = {file: fault(file.read_bytes()) for file in files}
    for file, reason in reasons.items():
        print(f"{file}: {reason or 'is read'}")
    return sum(map(bool, reasons.values()))


def main() -> int:
    """1 if a letter failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    running = commands.add_parser("run", help="read broken letters")
    running.add_argument("--seconds", type=float, default=300)
    running.add_argument("--seed", type=int, default=int(time.time()))
    running.add_argument("--folder", type=Path, default=Path("fuzz"))
    replaying = commands.add_parser("replay", help="read letters again that failed")
    replaying.add_argument("files", type=Path, nargs="+")
    given = parser.parse_args()
    failed = run(given.seconds, given.seed, given.folder) if given.command == "run" else replay(given.files)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
