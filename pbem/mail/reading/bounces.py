"""Reports on mails of ours: not delivered, delayed, or complained about.

Mail servers write them by RFC 3464, providers pass complaints on by RFC 5965; those are read by our own reader. What
other servers put into words is left to ``flufl.bounce``. It finds such words in any mail, a player's too: so what it
finds counts only in mails that came to an address nobody but a mail server writes to.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from itertools import islice
from typing import Literal

from flufl.bounce import all_failures

from pbem.mail.addresses import ADDRESS, normal
from pbem.mail.mime import MESSAGE_ID, Part, decode_words, read_part
from pbem.mail.status_codes import read_status

Kind = Literal["failed", "delayed", "complaint", "other"]

STATUS_PARTS = frozenset({"message/delivery-status", "message/global-delivery-status"})
FEEDBACK = "message/feedback-report"
FOR_PROGRAMS = STATUS_PARTS | {FEEDBACK}
RETURNED_PARTS = frozenset(
    {"message/rfc822", "text/rfc822-headers", "message/rfc822-headers", "message/global", "message/global-headers"}
)
"""What the mail that is reported on, or its headers, may come back as."""
COMPLAINTS = frozenset({"abuse", "fraud", "virus", "other", "opt-out", "opt-out-list"})
"""Kinds of feedback by which a person says that he does not want a mail; ``not-spam`` takes one back, and
``auth-failure`` is a machine's finding."""
KINDS: dict[str, Kind] = {"failed": "failed", "failure": "failed", "delayed": "delayed"}
KIND_OF_CLASS: dict[str, Kind] = {"5": "failed", "4": "delayed"}

FIELD_LINE = re.compile(r"[ \t]|[!-9;-~]{1,200}[ \t]*:")
RECIPIENT_FIELDS = ("original-recipient", "final-recipient")
XTEXT = re.compile(r"\+([0-9A-F]{2})")
UNICODE = re.compile(r"\\x\{([0-9A-Fa-f]{1,6})\}")
DEEPEST = 5
"""Multiparts in multiparts that are looked at; reports have one or two."""
MOST_PARTS = 50
MOST_FATES = 20
"""Recipients of one report; a mail of ours has one."""
LARGEST_FIELDS = 64_000
LARGEST_GUESS = 16_000
"""Bytes that are given to the library, whose parser was not made for strangers. A server says what it has to say before
it shows the mail."""
EMPTY_LINES = re.compile(rb"(?:[ \t]{0,20}\r?\n){3,}")
"""The parser makes a mail of each, and the library goes through all of them for every line."""
HEAD_END = re.compile(rb"\n\r?\n")
BEYOND_ASCII = re.compile(rb"[\x80-\xff]")
LONGEST_DIAGNOSTIC = 300


@dataclass(frozen=True)
class Fate:
    """What became of a mail on its way to one recipient."""

    kind: Kind
    """``other``: it arrived, or was handed on."""
    addresses: tuple[str, ...] = ()
    """What the recipient may be called; nothing if the report does not name him."""
    status: str = ""
    """``5.1.1``, as far as it was told."""
    diagnostic: str = ""
    """What the other server said, on one line."""


@dataclass(frozen=True)
class Report:
    """What a mail server, or a provider, tells of a mail."""

    fates: tuple[Fate, ...]
    message_id: str = ""
    """Of the mail that it is about, with angles."""
    return_paths: tuple[str, ...] = ()
    """Where that mail was to come back to, as far as the report tells."""
    formal: bool = True
    """It is a ``multipart/report``. What is none only sounds like one: it may be any mail in which such words stand."""


def read_report(mail: Part, raw: bytes) -> Report | None:
    """The report that a mail is, whatever is in it, or ``None`` if it is none. ``raw``: the same as bytes."""
    if mail.parameters.get("report-type", "").lower() == "disposition-notification":
        return None
    leaves = tuple(islice(_leaves(mail), MOST_PARTS))
    fates, paths = _formal_fates(leaves)
    if not any(part.content_type in FOR_PROGRAMS for part in leaves):
        fates = _guessed(raw, leaves)
    if not fates:
        return None
    message_id = MESSAGE_ID.findall(_returned(leaves).first("message-id"))[-1:]
    return Report(fates, "".join(message_id), paths, formal=mail.content_type == "multipart/report")


def _leaves(part: Part, depth: int = 0) -> Iterator[Part]:
    """The parts that hold no others, without those of mails that were put in."""
    whole = True
    for each in part.parts() if depth < DEEPEST else ():
        whole = False
        yield from _leaves(each, depth + 1)
    if whole:
        yield part


def _formal_fates(leaves: tuple[Part, ...]) -> tuple[tuple[Fate, ...], tuple[str, ...]]:
    """What the part for programs tells, and where the mail was to come back to."""
    for part in leaves:
        if part.content_type in STATUS_PARTS:
            return tuple(_fates(part, leaves))[:MOST_FATES], ()
        if part.content_type == FEEDBACK:
            fields = _fields(part)
            return _complaints(fields), _addresses(fields.all("original-mail-from"))
    return (), ()


def _returned(leaves: tuple[Part, ...]) -> Part:
    """The headers of the mail that came back. A report may show several; what came back stands last."""
    returned = [part for part in leaves if part.content_type in RETURNED_PARTS]
    return read_part(returned[-1].text.lstrip("\n").encode()) if returned else Part((), b"")


def _fields(part: Part) -> Part:
    """The fields of a part for programs, as headers. Empty lines between them, and whatever is no field, are left out:
    servers set them where they please."""
    lines = part.text[:LARGEST_FIELDS].splitlines()
    return read_part("\n".join(line for line in lines if line.strip() and FIELD_LINE.match(line)).encode())


# --- delivery status (RFC 3464) -----------------------------------------------------------------------------------


def _fates(part: Part, leaves: tuple[Part, ...]) -> Iterator[Fate]:
    for group in _recipients(_fields(part)):
        addresses = _addresses(tuple(value for name in RECIPIENT_FIELDS for value in group.all(name)))
        said = _plain(group.first("diagnostic-code")) or _words_about(leaves, addresses)
        status = _status(group.first("status"), said)
        action = re.match(r"[a-z]*", group.first("action").lower())
        kind = KINDS.get(action[0], "other") if action and action[0] else KIND_OF_CLASS.get(status[:1], "other")
        yield Fate(kind, addresses, status, said)


def _recipients(fields: Part) -> Iterator[Part]:
    """The fields of each recipient. A new one begins where a recipient is named and the last one is complete."""
    group: list[tuple[str, str]] = []
    for name, value in fields.headers:
        names = {known for known, _ in group}
        complete = name in names or ("action" in names and names & set(RECIPIENT_FIELDS))
        if name in RECIPIENT_FIELDS and complete:
            yield Part(tuple(group), b"")
            group = []
        group.append((name, value))
    if any(name in (*RECIPIENT_FIELDS, "action") for name, _ in group):
        yield Part(tuple(group), b"")


def _status(field: str, diagnostic: str) -> str:
    """The status code; where the field has a vague one, what the other server said may be more precise."""
    told, precise = read_status(field), read_status(diagnostic)
    vague = not told or told.endswith(".0.0")
    return precise if precise and vague and precise[0] == (told or precise)[0] else told


def _addresses(values: tuple[str, ...]) -> tuple[str, ...]:
    """The addresses in fields like ``rfc822; a+2Btag@x.example``, in lower case: as written, and as it may be meant."""
    found = []
    for value in values:
        text = UNICODE.sub(lambda match: _sign(match[1]), value[:1000])
        for written in (text, XTEXT.sub(lambda match: _sign(match[1]), text)):
            found += [normal(address).lower() for address in ADDRESS.findall(written)]
    return tuple(dict.fromkeys(found))


def _sign(digits: str) -> str:
    number = int(digits, 16)
    return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"


def _plain(diagnostic: str) -> str:
    """``smtp; 550 5.1.1 No such user`` without what kind of code it is."""
    kind, semicolon, rest = diagnostic.partition(";")
    text = rest if semicolon and re.fullmatch(r"[\w-]{1,30}", kind.strip()) else diagnostic
    return decode_words(text)[:LONGEST_DIAGNOSTIC].strip()


# --- complaints (RFC 5965) ----------------------------------------------------------------------------------------


def _complaints(fields: Part) -> tuple[Fate, ...]:
    kind = fields.first("feedback-type").strip().lower()
    addresses = _addresses(fields.all("original-rcpt-to"))
    return (Fate("complaint" if kind in COMPLAINTS else "other", addresses, "", kind[:LONGEST_DIAGNOSTIC]),)


# --- in words -----------------------------------------------------------------------------------------------------


def _guessed(raw: bytes, leaves: tuple[Part, ...]) -> tuple[Fate, ...]:
    try:
        delayed, failed = all_failures(_for_the_library(raw))
    except Exception:  # Its parser and its detectors raise many kinds on mails that are none.
        return ()
    kinds: tuple[tuple[Kind, frozenset[bytes]], ...] = (("failed", frozenset(failed)), ("delayed", frozenset(delayed)))
    fates = []
    for kind, found in kinds:
        for address in sorted(found)[:MOST_FATES]:
            addresses = _addresses((address.decode("utf-8", "replace"),))
            said = _words_about(leaves, addresses)
            fates.append(Fate(kind, addresses, read_status(said), said))
    return tuple(fates)


def _for_the_library(raw: bytes) -> Message:
    """A mail as its detectors can bear it: one that breaks keeps all after it from looking. They want a sender, and
    headers in ASCII."""
    mail = EMPTY_LINES.sub(b"\n\n", raw[:LARGEST_GUESS])
    found = HEAD_END.search(mail)
    end = found.start() if found else len(mail)
    message = message_from_bytes(BEYOND_ASCII.sub(b"?", mail[:end]) + mail[end:])
    if not message.get("from"):
        del message["from"]
        message["from"] = "nobody"
    return message


def _words_about(leaves: tuple[Part, ...], addresses: tuple[str, ...]) -> str:
    """What a report says in words about a recipient: from his address to the next empty line."""
    text = next((part.text for part in leaves if part.content_type == "text/plain"), "")[:LARGEST_GUESS]
    found = [at for address in addresses if (at := text.lower().find(address)) >= 0]
    if not found:
        return ""
    after = text[min(found) : min(found) + 2000]
    said = re.split(r"\n[ \t]*\n", after, maxsplit=1)[0]
    return " ".join(said.split())[:LONGEST_DIAGNOSTIC]
