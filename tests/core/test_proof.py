"""The proof of the dice: printed, read back, recomputed by the program and by the players' own script."""

import subprocess
import sys
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.codec import Codec, canonical
from pbem.core.dice import Dice, commitment, sealed_seed, seed
from pbem.core.errors import BadInput
from pbem.core.proof import print_proof, read_proof, verify
from pbem.core.report import Proof, Report

SCRIPT = Path(__file__).parents[2] / "docs" / "verify.py"
SECRET, NEXT, SEALED = b"s" * 32, b"n" * 32, b"z" * 32
LETTERS = ("c0" * 32, "0c" * 32)
OWN = frozenset({"A"})
LONG = "difficult A Seventh Company of the Emperor's Own Foresters and Wardens of the Northern March 14"


def honest(open_labels=("night A 1-2", LONG), sealed_labels=("bold A 7",)) -> Proof:
    """A proof as a server makes it."""
    opened = seed(SECRET, LETTERS)
    own = sealed_seed(SEALED, opened, OWN)
    dice = Dice(opened, lambda audience: own)
    rows = [dice.row("battle 12"), dice.row("battle 14 2", 3)]
    for _ in range(100):
        rows[0]()
    rows[1]()
    return Proof(
        commitment=commitment(SECRET),
        secret=SECRET.hex(),
        letters=LETTERS,
        rolls=(*(dice.roll(label, 6) for label in open_labels), *(row.told() for row in rows)),
        sealed_seed=own.hex() if sealed_labels else "",
        sealed=tuple(dice.roll(label, 6, OWN) for label in sealed_labels),
        next_commitment=commitment(NEXT),
    )


def other(value: int) -> int:
    """Another side of a D6."""
    return value % 6 + 1


FORGED = {
    "an open die": lambda proof: replace(proof, rolls=(changed(proof.rolls[0]), *proof.rolls[1:])),
    "a row": lambda proof: replace(proof, rolls=(*proof.rolls[:-1], replace(proof.rolls[-1], row="4"))),
    "a die of a row": lambda proof: replace(proof, rolls=(*proof.rolls[:-2], shifted(proof.rolls[-2]))),
    "a label": lambda proof: replace(proof, rolls=relabelled(proof.rolls)),
    "a sealed die": lambda proof: replace(proof, sealed=(changed(proof.sealed[0]),)),
    "the secret": lambda proof: replace(proof, secret=NEXT.hex()),
    "the promise": lambda proof: replace(proof, commitment=commitment(NEXT)),
}


def shifted(row):
    """The same row, the first die thrown away."""
    return replace(row, value=row.value - 1, row=row.row[1:])


def changed(roll):
    """The same die with another side up."""
    return replace(roll, value=other(roll.value))


def relabelled(rolls):
    """Two dice that have exchanged their labels (and show different sides, or nothing would be forged)."""
    first, second, *rows = rolls
    assert first.value != second.value
    return (replace(first, label=second.label), replace(second, label=first.label), *rows)


# --- recomputing ------------------------------------------------------------------------------------------------------


def test_an_honest_proof_has_no_discrepancies():
    assert verify(honest()) == ()


@pytest.mark.parametrize("forge", FORGED.values(), ids=FORGED)
def test_whatever_is_forged_is_found(forge):
    assert verify(forge(honest())) != ()


def test_a_changed_die_is_named_with_both_values():
    proof = honest()
    right = proof.rolls[0].value
    assert verify(FORGED["an open die"](proof)) == (f"die night A 1-2: printed is {other(right)}, computed {right}",)


def test_a_letter_left_out_changes_the_dice():
    proof = honest(open_labels=[f"die {number}" for number in range(40)])
    assert verify(replace(proof, letters=LETTERS[:1])) != ()


def test_the_order_of_letters_does_not_matter():
    assert verify(replace(honest(), letters=LETTERS[::-1])) == ()


def test_a_secret_that_was_not_promised_is_found():
    before = replace(honest(), next_commitment=commitment(b"another"))
    assert verify(honest(), before) == (
        f"the report before promised the secret with the hash {commitment(b'another')}, not {commitment(SECRET)}",
    )


def test_a_kept_promise_is_no_discrepancy():
    assert verify(honest(), replace(honest(), next_commitment=commitment(SECRET))) == ()


FIRST = Proof("", "", (), (), "", (), commitment(NEXT))
"""Of a report before which nothing was promised."""


def test_a_first_report_has_nothing_to_be_checked():
    assert verify(FIRST) == ()


def test_a_first_report_cannot_hold_a_die():
    assert len(verify(replace(FIRST, rolls=honest(open_labels=[str(number) for number in range(40)]).rolls))) > 0


@pytest.mark.parametrize("broken", [{"secret": "xyz"}, {"sealed_seed": "0"}])
def test_what_is_no_hexadecimal_number_is_told(broken):
    assert verify(replace(honest(), **broken)) == (
        "the secret or the seed of the sealed dice is no hexadecimal number",
    )


# --- printing and reading ---------------------------------------------------------------------------------------------

labels = st.lists(
    st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=120),
    min_size=1,
    max_size=8,
).map(" ".join)


@given(st.lists(labels, unique=True), st.lists(labels, unique=True))
def test_a_printed_proof_reads_back_as_itself(open_labels, sealed_labels):
    proof = honest(open_labels, sealed_labels)
    assert read_proof("\n".join(print_proof(proof))) == proof


@pytest.mark.parametrize("length", range(58, 76))
def test_a_blank_where_a_line_is_full_is_not_lost(length):
    proof = honest([f"{'x' * length} 14"])
    assert read_proof("\n".join(print_proof(proof))) == proof


@given(st.lists(labels))
def test_a_printed_proof_fits_a_mail(open_labels):
    assert max(map(len, print_proof(honest(open_labels)))) <= 72


def test_a_first_proof_reads_back_as_itself():
    assert read_proof("\n".join(print_proof(FIRST))) == FIRST


def test_a_proof_is_found_in_a_quoted_report():
    lines = ["8 PROOF", "next 12 14 19", *print_proof(honest()), "9 ORDER FORM", "die hard d6 = 9"]
    assert read_proof("\r\n".join(f"> > {line}" for line in lines)) == honest()


def test_a_proof_is_read_from_the_json_report():
    report = Report("crown", "Crown", "Turn 1", 1, 1, "orders", "A", "Ash", (), honest())
    document = canonical(Codec(Report).encode(report)).decode()
    assert read_proof(document) == honest()


@pytest.mark.parametrize(
    "text", ["", "no proof", "BEGIN PROOF\nhash 00", "BEGIN PROOF\nwhat is this\nEND PROOF", "{", '{"proof": {"x": 1}}']
)
def test_a_text_without_a_proof_is_bad_input(text):
    with pytest.raises(BadInput):
        read_proof(text)


# --- the script for players -------------------------------------------------------------------------------------------


def mail(path: Path, proof: Proof) -> Path:
    """A report as a mail program saves it."""
    message = EmailMessage()
    message["Subject"] = "[Crown] Turn 1 is out - Ünderhill"
    message.set_content("Ünderhill won.\n\n" + "\n".join(print_proof(proof)) + "\n\nORDER FORM\n")
    message.add_alternative("<p>Ünderhill won.</p>", subtype="html")
    path.write_bytes(message.as_bytes().replace(b"\n", b"\r\n"))
    return path


def run(*paths: Path) -> tuple[int, str]:
    """What the script answers."""
    done = subprocess.run([sys.executable, "-I", SCRIPT, *paths], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout.strip()


def test_the_script_finds_an_honest_mail_right(tmp_path):
    before = mail(tmp_path / "before.eml", replace(honest(), next_commitment=commitment(SECRET)))
    assert run(mail(tmp_path / "now.eml", honest()), before) == (0, "all dice are right")


def test_the_script_has_nothing_to_say_of_a_first_mail(tmp_path):
    assert run(mail(tmp_path / "now.eml", FIRST)) == (0, "all dice are right")


@pytest.mark.parametrize("forge", FORGED.values(), ids=FORGED)
def test_the_script_finds_what_is_forged(forge, tmp_path):
    code, said = run(mail(tmp_path / "now.eml", forge(honest())))
    assert (code, said == "all dice are right") == (1, False)


def test_the_script_finds_a_broken_promise(tmp_path):
    before = mail(tmp_path / "before.eml", honest())
    assert run(mail(tmp_path / "now.eml", honest()), before) == (1, "the mail before promised another secret")
