"""Raw bytes to a letter: who wrote it, to whom, and what, in plain text."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from pbem.core.ruleset import FileReader
from pbem.mail.addresses import all_addresses, normal, only_address, valid
from pbem.mail.charsets import clean
from pbem.mail.mime import LONGEST_VALUE, MESSAGE_ID, Part, decode_words, read_part
from pbem.mail.reading.automatic import automatic
from pbem.mail.reading.bounces import Report, read_report
from pbem.mail.reading.contents import NO_FILES, Contents, Obstacle, read_contents

MOST_RECIPIENTS = 100
MOST_REFERENCES = 100
MAILBOX_LINE = re.compile(rb">?From [^\n]*\n")
"""What some delivery programs put before the first header."""


@dataclass(frozen=True)
class Envelope:
    """What the transport of a mail told of it."""

    arrived: datetime | None = None
    """When it came into our mailbox or listener."""
    sender: str | None = None
    """Where reports on its delivery go; empty for mail that is such a report, ``None`` if unknown."""
    recipients: tuple[str, ...] = ()
    size: int | None = None
    """Bytes of the whole mail, or 0 if it is not known, where only its beginning was fetched, or nothing."""

    @property
    def whole(self) -> bool:
        """Whether all of the mail was fetched."""
        return self.size is None


@dataclass(frozen=True, kw_only=True)
class Letter:
    """A mail as the host sees it. Everything is clean text; what could not be made out is empty."""

    message_id: str = ""
    """With its angles: ``<x@y>``."""
    sender: str = ""
    """The one address it says it is from, in lower case: written in capitals it is no other. Empty if it names none, or
    several, or could be read in two ways."""
    recipients: tuple[str, ...] = ()
    """As the transport says and as the headers say: of a mail to two of our addresses each may come as a copy, and only
    the first copy counts."""
    subject: str = ""
    date: datetime | None = None
    """UTC, as the sender's machine had it."""
    body: str = ""
    """Plain text, an order on a line; quoted lines begin with ``>``."""
    attached: str = ""
    """Plain text, of the text files that came along."""
    enclosed: str = ""
    """Lines that rule systems read in files of their own kinds."""
    obstacle: Obstacle = ""
    """What kept the text from being read, or nothing."""
    references: tuple[str, ...] = ()
    in_reply_to: str = ""
    automatic: str = ""
    """Why it is taken for automatic mail, or nothing."""
    report: Report | None = None
    """What it tells of another mail, if it is automatic and reads like a report on one."""
    content_hash: str
    """SHA-256 over what its sender wrote, hex. The same mail by another way has the same."""
    size: int
    """Bytes."""
    whole: bool = True
    """Whether all of it was there to be read."""

    @property
    def answers(self) -> str:
        """Message-ID of the mail that it answers, or nothing."""
        return self.in_reply_to or next(reversed(self.references), "")

    @property
    def text_hash(self) -> str:
        """SHA-256 over the words of the text, hex; nothing if there are none. Servers on the way break lines anew, and
        add or take away blanks."""
        text = "\0".join(" ".join(each.split()) for each in (self.body, self.attached))
        text += "\0" + self.enclosed if self.enclosed else ""
        return hashlib.sha256(text.encode()).hexdigest() if text != "\0" else ""


def read_letter(raw: bytes, envelope: Envelope | None = None, files: Mapping[str, FileReader] = NO_FILES) -> Letter:
    """The letter in any bytes at all; ``files``: who reads which kinds of files that come with it."""
    envelope = envelope or Envelope()
    mail = read_part(bare(raw))
    contents = read_contents(mail, files)
    sender = only_address(mail.all("from"))
    machine = _automatic(mail, contents, envelope)
    return Letter(
        message_id=_first_id(mail, "message-id"),
        sender=sender.address.lower() if sender else "",
        recipients=_recipients(mail, envelope),
        subject=decode_words(mail.first("subject")),
        date=read_date(mail.first("date")),
        body=contents.text.strip("\n"),
        attached=contents.attached.strip("\n"),
        enclosed=contents.enclosed.strip("\n"),
        obstacle=contents.obstacle,
        references=_references(mail),
        in_reply_to=_first_id(mail, "in-reply-to"),
        automatic=machine,
        report=read_report(mail, raw) if machine else None,
        content_hash=_content_hash(mail, envelope.arrived),
        size=len(raw) if envelope.size is None else envelope.size,
        whole=envelope.whole,
    )


def bare(raw: bytes) -> bytes:
    """A mail without what programs on the way put before its first header."""
    stripped = raw.lstrip()
    line = MAILBOX_LINE.match(stripped)
    return stripped[line.end() :] if line else stripped


def _references(mail: Part) -> tuple[str, ...]:
    return tuple(MESSAGE_ID.findall(" ".join(mail.all("references"))[-LONGEST_VALUE:]))[-MOST_REFERENCES:]


def _first_id(mail: Part, header: str) -> str:
    found = MESSAGE_ID.search(mail.first(header))
    return found[0] if found else ""


def _recipients(mail: Part, envelope: Envelope) -> tuple[str, ...]:
    names = ("to", "cc", "delivered-to", "x-original-to")
    written = all_addresses(tuple(value for name in names for value in mail.all(name)))
    known = (*map(clean, envelope.recipients), *written)
    return tuple(dict.fromkeys(normal(each) for each in known if valid(each)))[:MOST_RECIPIENTS]


def read_date(value: str) -> datetime | None:
    """The time that a header tells, UTC; ``None`` if it tells none."""
    try:
        date = parsedate_to_datetime(value[:100])
        return date.replace(tzinfo=date.tzinfo or UTC).astimezone(UTC)
    except Exception:  # Which exceptions a malformed date raises changes from one Python version to the next.
        return None


def _automatic(mail: Part, contents: Contents, envelope: Envelope) -> str:
    headers = tuple((name, decode_words(value)) for name, value in mail.headers)
    return automatic(headers, null_sender=envelope.sender == "", answers_invitation=contents.answers_invitation)


def _content_hash(mail: Part, arrived: datetime | None) -> str:
    """Over what the sender's machine made and no other has a reason to touch; line ends do not count.

    Mail written by hand may have neither Message-ID nor date: what comes later is another letter, though it says the
    same. Where a mail server has put down how it got it, that tells a mail that is offered again from another one.

    Never over what we read in it: a mailbox that is read again after an update must not be full of new letters.
    """
    written = [mail.first(name) for name in ("message-id", "from", "to", "date", "subject")]
    if arrived and not (mail.first("message-id") or mail.first("date")):
        written.append(mail.first("received") or arrived.isoformat())
    head = "\n".join(written).encode("utf-8", "replace")
    body = mail.body.replace(b"\r\n", b"\n").rstrip()
    return hashlib.sha256(head + b"\n\n" + body).hexdigest()
