"""Who plays the demo writes no more than a person would."""

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

from pbem.demo.clock import LeapingClock
from pbem.demo.player import Player
from pbem.mail.imap.mailbox import Mailbox
from pbem.mail.outgoing.maildir import MaildirOutbox
from pbem.mail.reading.letter import Envelope

ANA = "ana@players.example"
START = datetime(2026, 5, 4, tzinfo=UTC)
CARDS = {"orders+1@x.example": "Red Dragons: hold", "orders+2@x.example": "Red Dragons: move 14"}


@dataclass
class Quiet(Player):
    """He puts what he writes on his desk."""

    desk: list[EmailMessage] = field(default_factory=list)

    async def _send(self, mail: EmailMessage) -> None:
        self.desk.append(mail)


def news(reply_to: str) -> bytes:
    """A mail that somebody may answer."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Reply-To"] = "orders@x.example", ANA, reply_to
    mail["Subject"], mail["Message-ID"] = "[demo] Turn 1: news from Larks", "<1@x.example>"
    mail.set_content("Larks offer a truce.")
    return mail.as_bytes()


def test_a_card_that_says_nothing_new_is_not_sent(tmp_path: Path) -> None:
    mailbox = Mailbox("127.0.0.1", ANA, "amber", 1, security="none")
    ana = Quiet(ANA, mailbox, ("127.0.0.1", 1), MaildirOutbox(tmp_path), CARDS.__getitem__, LeapingClock(START))
    first, second = CARDS
    for reply_to in (first, first, second, second):
        asyncio.run(ana._read(news(reply_to), Envelope()))
    assert [mail["To"] for mail in ana.desk] == [first, second]


def test_a_card_that_answers_news_takes_the_place_of_what_was_said_before(tmp_path: Path) -> None:
    mailbox = Mailbox("127.0.0.1", ANA, "amber", 1, security="none")
    ana = Quiet(ANA, mailbox, ("127.0.0.1", 1), MaildirOutbox(tmp_path), CARDS.__getitem__, LeapingClock(START))
    asyncio.run(ana._read(news("orders+1@x.example"), Envelope()))
    assert ana.desk[0].get_content().startswith("replace all\nRed Dragons: hold\n")
