"""What the codes mean with which mail servers say why a mail was not delivered (RFC 3463, RFC 5321)."""

import re
from typing import Literal

Severity = Literal["hard", "soft"]

ENHANCED = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.]\d)")
PLAIN = re.compile(r"(?<![\d.])([45]\d\d)(?=[ -])")

OF_PLAIN = {
    "551": "5.1.6",
    "552": "5.2.2",
    "553": "5.1.3",
    "556": "5.1.10",
}
"""Plain codes that say more than that it failed. 550 and 554 are given for everything from a typing error to spam."""

HARD: tuple[tuple[str, str], ...] = (
    ("5.1.7", ""),  # The sender's address is not liked: that is ours.
    ("5.1.8", ""),
    ("5.1.", "the address is wrong: there is no such user, or no such domain"),
    ("5.4.7", ""),  # It waited too long on its way: another try may get through.
    ("5.4.5", ""),  # The network was crowded.
    ("5.4.", "no way leads there: no such host, mail going in circles; at Microsoft, no such user"),
    ("5.6.7", "the server there cannot take an address in letters like these"),
)
"""Kinds of failure that another try does not cure, and why; the first that fits counts, and one without a reason may
pass. All others may: a mailbox that is full (5.2.2) or closed for a while (5.2.1), a system in trouble (5.3), a mail
that is not liked (5.6, 5.7), and whatever is only called a failure (5.0.0). To take too much for final would cut off a
player whose mailbox is full for a day; to take too little costs three mails."""

NOBODY = re.compile(
    r"user(?: is)? (?:unknown|not found)|(?:no such|unknown|invalid|non-?existent) (?:user|recipient|mailbox|address"
    r"|domain)|recipient (?:unknown|not found)|(?:does|do)(?: not|n't) (?:exist|have an? )|doesn't have a|"
    r"no mailbox here|unrouteable address|unknown or illegal alias|account (?:has been )?(?:disabled|closed|deleted)"
    r"|not listed in |bad destination mailbox|host (?:or domain name )?not found",
    re.IGNORECASE,
)
"""How servers put it that nobody is there, where they give no code that says so."""
LONGEST = 2000
"""Characters of a server's words that are looked at."""


def read_status(text: str) -> str:
    """The status code in a server's answer: ``5.1.1``. Without one, what its plain code says; else nothing."""
    text = text[:LONGEST]
    if found := ENHANCED.search(text):
        return ".".join(found.groups())
    if plain := PLAIN.search(text):
        return OF_PLAIN.get(plain[1], f"{plain[1][0]}.0.0")
    return ""


def severity(status: str, text: str) -> Severity:
    """Whether a failure with this code and these words is the address's fault, or may pass."""
    reason = next((reason for prefix, reason in HARD if _fits(status, prefix)), "")
    vague = status in {"", "5.0.0"}
    return "hard" if reason or (vague and NOBODY.search(text[:LONGEST])) else "soft"


def _fits(status: str, prefix: str) -> bool:
    return status.startswith(prefix) if prefix.endswith(".") else status == prefix
