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
OF_SENDERS = frozenset({"5.1.7", "5.1.8", "5.7.60", "5.2.252"})
"""Codes that speak of the sender's address; the last two are Microsoft's."""
SENDER = re.compile(
    r"sender(?: address| domain)?(?: is| was)? (?:rejected|refused|denied|invalid|unknown|unverified|verif"
    r"|not (?:allowed|permitted|found|known|valid|exist)|does(?: not|n't) exist)"
    r"|(?:unknown|invalid|bad|no such) sender|not owned by|send ?as\b",
    re.IGNORECASE,
)
"""How servers put it that they do not take an address as the sender's, whatever their code says. Postfix says so only
when it hears the recipient."""
TOO_LARGE = frozenset({"5.2.3", "5.3.4"})
VAGUE = frozenset({"", "5.0.0", "5.1.0"})
"""Codes that leave it to the words what is wrong; the last is given for addresses of senders as well."""
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
    if of_sender(status, text):
        return "soft"
    if status in VAGUE:
        return "hard" if NOBODY.search(text[:LONGEST]) else "soft"
    return "hard" if next((reason for prefix, reason in HARD if _fits(status, prefix)), "") else "soft"


def of_sender(status: str, text: str) -> bool:
    """Whether a failure with this code and these words is about whom the mail is from, which is our own matter."""
    return status in OF_SENDERS or bool(SENDER.search(text[:LONGEST]))


def of_recipient(status: str, text: str) -> bool:
    """Whether such a failure tells anything of the recipient's address: not if it is about the sender, or the size."""
    return status not in TOO_LARGE and not of_sender(status, text)


def _fits(status: str, prefix: str) -> bool:
    return status.startswith(prefix) if prefix.endswith(".") else status == prefix
