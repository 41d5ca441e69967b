"""A robot's mail program: watches its mailbox, keeps every mail in a folder, answers reports with a card."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import Literal

import aiosmtplib

from pbem.mail.imap.inbox import ImapInbox
from pbem.mail.imap.mailbox import Mailbox
from pbem.mail.inbox import AtOnce
from pbem.mail.mime import read_part
from pbem.mail.outgoing.maildir import MaildirOutbox
from pbem.mail.outgoing.transport import OutgoingMail
from pbem.mail.reading.letter import Envelope, Letter, read_letter

NEWS = "news from"
"""In the subject of a mail on what another player did."""

Manner = Literal["framed", "short"]
"""How he writes: a framed card, or short lines above the quoted report."""


@dataclass
class Player:
    """One of those who get mail. ``think`` gives the card he would send now to a reply address, or nothing."""

    address: str
    mailbox: Mailbox
    post_office: tuple[str, int]
    """Host and port of the SMTP server that he sends by."""
    shelf: MaildirOutbox
    """Where a copy of every mail is kept."""
    think: Callable[[str], str]
    clock: Callable[[], datetime]
    manner: Manner = "short"
    written: int = 0
    said: tuple[str, str] = ("", "")
    """The last card he sent, and to which address."""

    async def live(self) -> None:
        """Read mail as it comes, until cancelled."""
        await ImapInbox(self.mailbox, AtOnce(self._read), self.clock).run()

    async def _read(self, raw: bytes, envelope: Envelope) -> None:
        await self.shelf.send(OutgoingMail("", self.address, raw))
        letter = read_letter(raw)
        if _asks(letter, raw):
            reply_to = read_part(raw).first("reply-to")
            card = await asyncio.to_thread(self.think, reply_to)
            if card and (card, reply_to) != self.said:
                self.said = card, reply_to
                again = "replace all\n" if NEWS in letter.subject else ""  # He may have ordered something else before.
                await self._send(self._answer(f"{again}{card}", letter, reply_to))

    def _answer(self, card: str, letter: Letter, to: str) -> EmailMessage:
        self.written += 1
        mail = EmailMessage(policy=SMTP)
        mail["From"], mail["To"] = self.address, to
        mail["Subject"] = f"Re: {letter.subject}"
        mail["Date"] = format_datetime(self.clock())
        mail["Message-ID"] = f"<{self.written}.{self.address}>"
        mail["In-Reply-To"] = letter.message_id
        mail.set_content(self._framed(card, letter) if self.manner == "framed" else _above(card, letter))
        return mail

    def _framed(self, card: str, letter: Letter) -> str:
        frame = next((line for line in letter.body.split("\n") if line.startswith("=== ")), "")
        return f"{frame}\n{card}\nEND\n" if frame else card

    async def _send(self, mail: EmailMessage) -> None:
        host, port = self.post_office
        await aiosmtplib.send(mail, hostname=host, port=port, start_tls=False)


def _asks(letter: Letter, raw: bytes) -> bool:
    """Whether a mail asks for orders: a report with its form, or news of what another player did."""
    return "\n=== " in letter.body or NEWS in letter.subject


def _above(card: str, letter: Letter) -> str:
    """As most people answer: their words on top, everything else quoted below."""
    when = f"{letter.date:%a, %d %b %Y at %H:%M}" if letter.date else "that day"
    quoted = "\n".join(f"> {line}".rstrip() for line in letter.body.split("\n"))
    return f"{card}\n\nOn {when}, <{letter.sender}> wrote:\n{quoted}\n"
