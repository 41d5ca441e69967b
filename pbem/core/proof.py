"""The proof that a stage's dice are honest: printed in a report, read back from it, recomputed by anybody.

A printed proof is a block of lines of at most 72 columns. A line that ends with a backslash goes on in the next. A row
of dice has its number before the ``d`` and shows a digit for each::

    BEGIN PROOF
    hash   <SHA-256 of the secret, as the report before promised>
    secret <the secret of this stage>
    letter <content hash of an accepted order mail>
    die difficult A Red 14 d6 = 4
    seed   <the seed of your own sealed dice>
    sealed bold A 7 d6 = 2
    die battle 12 5d6 = 36251
    next   <SHA-256 of the secret of the stage that now opens>
    END PROOF
"""

import json
import re
from collections.abc import Iterable, Iterator

from pbem.core import dice
from pbem.core.codec import TAG, Codec
from pbem.core.dice import Roll
from pbem.core.errors import BadDocument, BadInput, Flaw
from pbem.core.report import Proof

WIDTH = 72
BEGIN, END = "BEGIN PROOF", "END PROOF"

CODEC = Codec(Proof)


# --- recomputing ------------------------------------------------------------------------------------------------------


def verify(proof: Proof, before: Proof | None = None) -> tuple[str, ...]:
    """Recompute a proof; everything that does not agree, in words. With the proof ``before``, its promise as well.

    A report before which nothing was promised opens no secret; it can hold no dice either.
    """
    try:
        secret, sealed_seed = bytes.fromhex(proof.secret), bytes.fromhex(proof.sealed_seed)
    except ValueError:
        return ("the secret or the seed of the sealed dice is no hexadecimal number",)
    return (
        *_wrong_promise(proof, before),
        *_wrong_secret(proof, secret),
        *_wrong_dice(proof.rolls, dice.seed(secret, proof.letters)),
        *_wrong_dice(proof.sealed, sealed_seed),
    )


def _wrong_promise(proof: Proof, before: Proof | None) -> Iterator[str]:
    if before is not None and before.next_commitment != proof.commitment:
        yield f"the report before promised the secret with the hash {before.next_commitment}, not {proof.commitment}"


def _wrong_secret(proof: Proof, secret: bytes) -> Iterator[str]:
    computed = dice.commitment(secret) if secret else ""
    if computed != proof.commitment:
        yield f"the secret has the hash {computed}, not {proof.commitment}"


def _wrong_dice(rolls: Iterable[Roll], seed: bytes) -> Iterator[str]:
    for roll in rolls:
        if roll.sides < 1:
            yield f"die {roll.label}: there is no D{roll.sides}"
            continue
        if roll.row:
            computed, printed = dice.values(seed, roll.label, roll.sides, roll.value), roll.row
        else:
            computed, printed = str(dice.value(seed, roll.label, roll.sides)), str(roll.value)
        if computed != printed:
            yield f"die {roll.label}: printed is {printed}, computed {computed}"


# --- printing ---------------------------------------------------------------------------------------------------------


def print_proof(proof: Proof) -> tuple[str, ...]:
    """The lines of a printed proof, none wider than 72 columns."""
    return (BEGIN, *(part for line in _lines(proof) for part in _folded(line)), END)


def _lines(proof: Proof) -> Iterator[str]:
    if proof.secret:
        yield f"hash   {proof.commitment}"
        yield f"secret {proof.secret}"
    yield from (f"letter {letter}" for letter in proof.letters)
    yield from (f"die {_spelled(roll)}" for roll in proof.rolls)
    if proof.sealed:
        yield f"seed   {proof.sealed_seed}"
    yield from (f"sealed {_spelled(roll)}" for roll in proof.sealed)
    if proof.next_commitment:
        yield f"next   {proof.next_commitment}"


def _spelled(roll: Roll) -> str:
    count, shown = (str(roll.value), roll.row) if roll.row else ("", roll.value)
    return f"{roll.label} {count}d{roll.sides} = {shown}"


def _folded(line: str) -> Iterator[str]:
    """The line in parts that fit; all but the last end with a backslash, after a blank if there is one."""
    while len(line) > WIDTH:
        at = line.rfind(" ", 1, WIDTH - 1) + 1 or WIDTH - 1
        at -= line[at] == " "  # No line begins with a blank: it would be lost.
        yield f"{line[:at]}\\"
        line = line[at:]
    yield line


# --- reading ----------------------------------------------------------------------------------------------------------

HEX = re.compile(r"(hash|secret|letter|seed|next) +([0-9a-fA-F]*)")
QUOTING = re.compile(r"^[>\s]+")
DIE = re.compile(r"(die|sealed) (.+) (\d{0,5})d(\d+) = (\d+)")


def read_proof(text: str) -> Proof:
    """The proof in a report: JSON, or text that holds a printed proof. Raises ``BadInput`` if there is none."""
    if text.lstrip().startswith("{"):
        return _from_json(text)
    facts: dict[str, list[str]] = {name: [] for name in ("hash", "secret", "letter", "seed", "next")}
    rolls: dict[str, list[Roll]] = {"die": [], "sealed": []}
    for line in _printed(text):
        if found := HEX.fullmatch(line):
            facts[found[1]].append(found[2].lower())
        elif found := DIE.fullmatch(line):
            rolls[found[1]].append(_read_roll(found))
        else:
            raise _flaw(f"this line of the proof cannot be read: {line!r}")
    once = {name: facts[name][0] if facts[name] else "" for name in facts}
    letters, opened, own = tuple(facts["letter"]), tuple(rolls["die"]), tuple(rolls["sealed"])
    return Proof(once["hash"], once["secret"], letters, opened, once["seed"], own, once["next"])


def _read_roll(found: re.Match[str]) -> Roll:
    _, label, count, sides, shown = found.groups()
    return Roll(label, int(sides), int(count), shown) if count else Roll(label, int(sides), int(shown))


def _printed(text: str) -> Iterator[str]:
    """The lines between the marks, put together again; signs of quoting before them are dropped."""
    begun = ""
    for line in _block(text.splitlines()):
        begun += line.removesuffix("\\")
        if not line.endswith("\\"):
            yield from [begun] if begun else []
            begun = ""


def _block(lines: list[str]) -> list[str]:
    bare = [QUOTING.sub("", line).rstrip() for line in lines]
    if BEGIN not in bare or END not in bare[bare.index(BEGIN) :]:
        raise _flaw(f"no proof stands here; a proof begins with the line {BEGIN} and ends with {END}")
    begin, end = bare.index(BEGIN), bare.index(END, bare.index(BEGIN))
    quoting = lines[begin][: lines[begin].index(BEGIN)]
    return [line.removeprefix(quoting).strip() for line in lines[begin + 1 : end]]


def _from_json(text: str) -> Proof:
    try:
        document = json.loads(text)
        proof: Proof = CODEC.decode({TAG: "Proof", **document.get("proof", document)})
    except (ValueError, TypeError, AttributeError, BadDocument) as error:
        raise _flaw(f"this JSON holds no proof: {error}") from error
    return proof


def _flaw(reason: str) -> BadInput:
    return BadInput([Flaw("proof", reason)])
