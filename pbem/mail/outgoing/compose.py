"""A draft to the bytes of a mail. The same draft always gives the same bytes."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.headerregistry import Address as HeaderAddress
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage
from email.policy import SMTP as SMTP_POLICY
from email.policy import EmailPolicy
from email.utils import format_datetime
from functools import lru_cache
from typing import Any, Literal

from pbem.mail.addresses import Address, normal, valid
from pbem.mail.charsets import clean
from pbem.mail.mime import MESSAGE_ID, decode_words, read_part
from pbem.mail.reading.automatic import OWN_MARK

Automatic = Literal["auto-generated", "auto-replied"]

MOST_REFERENCES = 20
SHORT = 76
"""Characters of a header that need no folding, for sure."""
LONGEST_HEADER = 900
"""Characters of a header's text; a report's subject has about 60."""
HEADER_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,60}")
TO = re.compile(rb"^To:[^\n]*\n(?:[ \t][^\n]*\n)*", re.MULTILINE)
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
UNFOLDED = frozenset({"message-id", "in-reply-to", "references", "list-id", "list-unsubscribe"})
"""Headers of identifiers, which must go out as they are: broken or encoded, nobody finds them again."""


def _plain(name: str, value: str) -> bool:
    """Whether a header goes out as it is."""
    line = f"{name}: {value}"
    return len(line) <= SHORT and line.isascii() and line.isprintable()


class _Headers(HeaderRegistry):
    """Remembers what it made: to parse a header takes longer than all else about it, and most are those of the mail
    before."""

    def __init__(self) -> None:
        super().__init__()
        self._kind = lru_cache(maxsize=64)(super().__getitem__)
        self._header = lru_cache(maxsize=512)(super().__call__)

    def __getitem__(self, name: str) -> Any:
        return self._kind(name)

    def __call__(self, name: str, value: str) -> Any:
        return self._header(name, value)


class _Policy(EmailPolicy):
    """Folds headers at 78 characters, except those of identifiers."""

    def fold_binary(self, name: str, value: Any) -> bytes:
        if _plain(name, value):
            return f"{name}: {value}{self.linesep}".encode()
        policy = UNFOLDED_POLICY if name.lower() in UNFOLDED else FOLDED_POLICY
        return policy.clone(utf8=self.utf8).fold_binary(name, value)


FOLDED_POLICY = SMTP_POLICY
UNFOLDED_POLICY = SMTP_POLICY.clone(max_line_length=998)
POLICY = _Policy(linesep="\r\n", cte_type="7bit", header_factory=_Headers())


@dataclass(frozen=True)
class Attachment:
    """A file that goes along."""

    name: str
    content_type: str
    """``application/json``."""
    content: bytes


@dataclass(frozen=True)
class Draft:
    """A mail to be sent."""

    sender: Address
    recipient: Address
    subject: str
    text: str
    message_id: str
    """With its angles."""
    date: datetime
    """Aware."""
    automatic: Automatic
    """``auto-replied`` for an answer, ``auto-generated`` for what comes unasked."""
    html: str = ""
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    """PNG by the name that the HTML calls ``cid:name``."""
    reply_to: str = ""
    """An address."""
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    """Message-IDs of the thread, oldest first."""
    list_id: str = ""
    """``Nippon <nippon-demo.campaigns.example.org>``."""
    extra: Mapping[str, str] = field(default_factory=dict)
    """Further headers."""
    attachments: tuple[Attachment, ...] = ()


def compose(draft: Draft) -> bytes:
    """The mail, ready to send; raises ``ValueError`` if an address or identifier in the draft is none."""
    headers = _headers(draft)
    mail = _body(draft)
    for name, value in headers.items():
        if _plain(name, value):
            mail.set_raw(name, value)  # Nothing to encode or fold: to parse it takes longer than all else about it.
        else:
            mail[name] = value
    _set_boundaries(mail, draft.message_id)
    raw = mail.as_bytes(policy=POLICY.clone(utf8=not _ascii_addresses(draft)))
    _check_headers(raw, headers)
    return raw


def readdress(raw: bytes, recipient: Address) -> bytes:
    """A mail of ours to another address of the same person, else as it was; raises ``ValueError`` if that is none."""
    header = EmailMessage(POLICY)
    header["To"] = _header_address(recipient)
    line = header.as_bytes(policy=POLICY.clone(utf8=not recipient.address.isascii())).rstrip() + b"\r\n"
    head, gap, body = raw.partition(b"\r\n\r\n")
    return TO.sub(lambda _: line, head + b"\r\n", count=1) + gap.removeprefix(b"\r\n") + body


def _headers(draft: Draft) -> dict[str, str]:
    """The headers by name, without those of the body; nothing that strangers wrote can add one."""
    optional = {
        "Reply-To": _header_address(Address(draft.reply_to)) if draft.reply_to else "",
        "In-Reply-To": _identifier(draft.in_reply_to) if draft.in_reply_to else "",
        "References": " ".join(map(_identifier, _shortened(draft.references))),
        "List-Id": header_text(draft.list_id),
    }
    return {
        "From": _header_address(draft.sender),
        "To": _header_address(draft.recipient),
        "Subject": header_text(draft.subject),
        "Date": format_datetime(draft.date),
        "Message-ID": _identifier(draft.message_id),
        **{name: value for name, value in optional.items() if value},
        "Auto-Submitted": draft.automatic,
        "X-Auto-Response-Suppress": "All",
        OWN_MARK: "1",
        **{_header_name(name): header_text(value) for name, value in draft.extra.items()},
    }


def header_text(text: str) -> str:
    """Text that may stand in a header whoever wrote it: one line, no control characters, nothing that is decoded."""
    plain = " ".join(clean(decode_words(text[:LONGEST_HEADER])).split())
    # Python decodes what looks like an encoded word in a value, line breaks included.
    return plain.replace("=?", "= ?")


def _header_name(name: str) -> str:
    if not HEADER_NAME.fullmatch(name):
        raise ValueError(f"not the name of a header: {name!r}")
    return name


def _header_address(address: Address) -> str:
    if not valid(address.address):
        raise ValueError(f"not an address: {address.address!r}")
    local, _, domain = normal(address.address).rpartition("@")
    return str(HeaderAddress(header_text(address.name), local, domain))


def _identifier(message_id: str) -> str:
    if not MESSAGE_ID.fullmatch(message_id) or not message_id.isascii() or not message_id.isprintable():
        raise ValueError(f"not a Message-ID: {message_id!r}")
    return message_id


def _shortened(references: tuple[str, ...]) -> tuple[str, ...]:
    """The first one, which names the thread, and the latest."""
    return references if len(references) <= MOST_REFERENCES else (references[0], *references[1 - MOST_REFERENCES :])


def _ascii_addresses(draft: Draft) -> bool:
    return all(normal(each).isascii() for each in (draft.sender.address, draft.recipient.address, draft.reply_to))


def _body(draft: Draft) -> EmailMessage:
    """Text, or text and HTML with its pictures inside, and the attachments."""
    mail = EmailMessage(POLICY)
    mail.set_content(_writable(draft.text))
    if draft.html:
        mail.add_alternative(_writable(draft.html), subtype="html")
        page = list(mail.iter_parts())[-1]
        assert isinstance(page, EmailMessage)
        for name, png in draft.pictures.items():
            page.add_related(png, "image", "png", cid=f"<{name}>", disposition="inline", filename=f"{name}.png")
    for each in draft.attachments:
        main, _, sub = each.content_type.partition("/")
        mail.add_attachment(each.content, main, sub, filename=header_text(each.name) or "attachment")
    return mail


def _writable(text: str) -> str:
    """Text without what no mail may hold: half characters, and signs that are none."""
    return CONTROLS.sub("", text.encode("utf-8", "replace").decode())


def _set_boundaries(mail: EmailMessage, message_id: str) -> None:
    """Delimiters that hang on the Message-ID instead of chance."""
    for number, part in enumerate(mail.walk()):
        if part.is_multipart():
            part.set_boundary("=_" + hashlib.sha256(f"{message_id} {number}".encode()).hexdigest()[:32])


def _check_headers(raw: bytes, headers: Mapping[str, str]) -> None:
    """Look at the finished bytes once more: a header too many would let a stranger address our mail."""
    body = {"content-type", "content-transfer-encoding", "mime-version"}
    written = sorted(name for name, _ in read_part(raw).headers if name not in body)
    if written != sorted(name.lower() for name in headers):
        raise ValueError(f"the mail has other headers than it should have: {written}")
