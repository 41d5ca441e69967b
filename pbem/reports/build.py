"""From what happened to a report: the rule system's briefing, the proof of the dice, the same facts for programs."""

from dataclasses import dataclass, replace
from typing import Any

from pbem.core.codec import Codec
from pbem.core.proof import BEGIN, END, print_proof
from pbem.core.report import Listing, Proof, Report, Section, Text
from pbem.core.ruleset import Material, Ruleset
from pbem.core.turn import Entry
from pbem.core.views import visible

FORM = "form"
"""Key of the section that holds the order form: it stays the last."""


@dataclass(frozen=True)
class Facts:
    """What the host knows of a stage beyond the rules."""

    campaign: str
    """Its short name."""
    title: str
    number: int
    """The number of the stage in the campaign, from 0 for set-up."""
    turn: int
    stage: str
    """``Turn 7, movement report``."""
    reader: str
    """The name of the seat; nothing for the public."""


def build(ruleset: Ruleset, facts: Facts, material: Material, proof: Proof) -> Report:
    """The report of one stage for the reader of ``material``. Whatever he may not know is left out here too."""
    material = replace(material, log=visible(material.log, material.seat))
    briefing = ruleset.briefing(material)
    return Report(
        facts.campaign,
        facts.title,
        briefing.headline,
        facts.number,
        facts.turn,
        facts.stage,
        material.seat,
        facts.reader,
        _with_proof(briefing.sections, proof),
        proof,
        tuple(_entry(ruleset.codec, entry) for entry in material.log),
        ruleset.codec.outline(material.after),
    )


def _with_proof(sections: tuple[Section, ...], proof: Proof) -> tuple[Section, ...]:
    body = tuple(section for section in sections if section.key != FORM)
    form = tuple(section for section in sections if section.key == FORM)
    return (*body, Section("proof", "Proof of the dice", _proof(proof)), *form)


def _entry(codec: Codec, entry: Entry) -> dict[str, Any]:
    return {"rule": entry.rule, "event": codec.encode(entry.event), "dice": [vars(roll) for roll in entry.rolls]}


# --- the proof, for people ----------------------------------------------------------------------------------------

FAIR = (
    "Nobody can choose the dice. They follow from a secret, whose hash was promised before the orders were written, "
    "and from the hashes of all mails with orders, which the organizer could not know then. To check them, give this "
    'mail or the attached report.json to "pbem verify".'
)
FIRST = (
    "The dice of the next stage are fixed already: this is the hash of their secret, which the next report will tell."
)


def _proof(proof: Proof) -> tuple[Text, Listing]:
    if proof.secret:
        return Text(FAIR), Listing(print_proof(proof))
    return Text(FIRST), Listing((BEGIN, f"next   {proof.next_commitment}", END))
