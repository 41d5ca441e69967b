"""A mailbox whose reader dies at any step of the conversation, or that two servers read."""

import asyncio
import smtplib
from collections import Counter
from typing import Any

import pytest

from pbem.mail.imap.inbox import ImapInbox
from pbem.mail.imap.mailbox import Mailbox
from pbem.mail.imap.wire import Wire
from pbem.mail.inbox import AtOnce
from pbem.mail.reading.letter import Envelope
from pbem.service.host import Host
from pbem.service.incoming.intake import accept
from tests.crashes.conftest import Death, Died, Grave
from tests.servers import Dovecot
from tests.service.conftest import Club

ANA = "ana@example.org"
PATIENCE = 30


def fill(server: Dovecot, club: Club, *numbers: int) -> None:
    """Put letters of Ana's into a mailbox; every one carries out an order at once."""
    to = club.reply_address(ANA)
    with smtplib.LMTP("127.0.0.1", server.lmtp_port) as client:
        for number in numbers:
            head = f"From: {ANA}\r\nTo: {to}\r\nMessage-ID: <{number}@example.org>\r\n"
            client.sendmail(ANA, [server.address], f"{head}\r\ntaunt Number {number}!\r\n".encode())


def inbox(server: Dovecot, host: Host) -> ImapInbox:
    async def take(raw: bytes, envelope: Envelope) -> None:
        await asyncio.to_thread(accept, host, raw, envelope, "imap")

    login = ("127.0.0.1", server.user, server.password, server.imap_port)
    return ImapInbox(Mailbox(*login, security="none", done_folder="Done", poll=600.0), AtOnce(take), host.clock)


async def until_empty(server: Dovecot, *hosts: Host) -> None:
    """Read a mailbox, by as many servers, until all letters are put away."""
    tasks = [asyncio.create_task(inbox(server, host).run()) for host in hosts]
    try:
        async with asyncio.timeout(PATIENCE):
            while server.mails() or not server.mails("Done"):
                await asyncio.sleep(0.01)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def until_dead_or_empty(server: Dovecot, host: Host) -> None:
    """Read a mailbox until the server dies of it, or all letters are put away and it waits for news."""
    box = inbox(server, host)
    task = asyncio.create_task(box.run())
    async with asyncio.timeout(PATIENCE):
        while not task.done() and box.last_look is None:
            await asyncio.sleep(0.01)
    task.cancel()
    (end,) = await asyncio.gather(task, return_exceptions=True)
    assert isinstance(end, Died | asyncio.CancelledError)


def effects(host: Host) -> tuple[Counter[str], int]:
    """Letters by Message-ID, and how many orders were carried out."""
    with host.unit() as unit:
        letters = Counter(letter.message_id for letter in unit.letters.latest(1000))
        return letters, sum(turn.kind == "act" for turn, _ in unit.turns.all(unit.campaigns.all()[0]))


@pytest.mark.server
async def test_every_letter_counts_once_wherever_the_conversation_ends(
    club: Club, dovecot: Dovecot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before and after every command; then another server goes on."""
    ask, death, seen = Wire.ask, Death(), set[str]()

    async def deadly(self: Wire, command: str, *arguments: str, **more: Any) -> Any:
        death.step(f"before {command}")
        answer = await ask(self, command, *arguments, **more)
        death.step(f"after {command}")
        return answer

    letters = 0
    while len(death.steps) == death.at:
        fill(dovecot, club, letters)
        letters += 1
        death = Death(letters)
        with monkeypatch.context() as patch:
            patch.setattr(Wire, "ask", deadly)
            await until_dead_or_empty(dovecot, club.host)
        seen |= set(death.steps)
        await until_empty(dovecot, club.host)
    assert {"before FETCH", "after FETCH", "before STORE", "after STORE", "before MOVE", "after MOVE"} <= seen
    assert effects(club.host) == (Counter(f"<{number}@example.org>" for number in range(letters)), letters)
    assert len(dovecot.mails("Done")) == letters


@pytest.mark.server
async def test_every_letter_counts_once_though_two_servers_read_the_mailbox(grave: Grave, dovecot: Dovecot) -> None:
    letters = 20
    fill(dovecot, grave.club, *range(letters))
    with grave.alive() as one, grave.alive() as other:
        await until_empty(dovecot, one, other)
        await asyncio.sleep(0.1)
    assert effects(grave.club.host) == (Counter(f"<{number}@example.org>" for number in range(letters)), letters)
