"""Whatever instant a server dies at: started anew it goes on, nothing is lost and nothing counts twice."""

import asyncio
from collections import Counter
from collections.abc import Callable

from pbem.mail.mime import read_part
from pbem.mail.outgoing.transport import OutgoingMail, Result, Sent
from pbem.mail.reading.letter import Envelope
from pbem.service.host import Host
from pbem.service.incoming.intake import accept
from pbem.service.outgoing import deliver
from pbem.service.stages import advance
from tests.crashes.conftest import Death, Grave
from tests.service.conftest import START

ANA = "ana@example.org"
BEN = "ben@example.org"


def causes(host: Host) -> list[str]:
    """Why mails were written since the campaign began; the Message-ID of each follows from it."""
    with host.unit() as unit:
        mails = unit.outbox.latest(1000)
    return sorted(f"{mail.recipient} {mail.cause} {mail.message_id}" for mail in mails)


def rows(host: Host) -> tuple[list[str], list[int], list[tuple[int, str]]]:
    """Letters, versions of the orders on file, and steps of the game."""
    with host.unit() as unit:
        campaign = unit.campaigns.all()[0]
        letters = [letter.status for letter in unit.letters.latest()]
        found = unit.campaigns.current_stage(campaign)
        assert found is not None
        versions = [submission.version for submission in unit.submissions.filed(found).values()]
        return letters, versions, [(turn.number, turn.kind) for turn, _ in unit.turns.all(campaign)]


def test_a_letter_whose_server_dies_is_filed_and_acknowledged_once(grave: Grave) -> None:
    """It carries out an order at once and files another; until it is told that the letter is stored, the mail server
    offers it again."""
    to, mover = grave.club.reply_address(grave.club.mover()), grave.club.mover()
    raw = f"From: {mover}\r\nTo: {to}\r\nMessage-ID: <1@x>\r\n\r\ntaunt Once!\r\nOK\r\n".encode()

    def offer(host: Host, death: Death) -> str:
        outcome = accept(host, raw, Envelope(START), "lmtp")
        death.step("told the mail server")
        return outcome

    seen: set[str] = set()
    results = []
    for death in grave.deaths(offer):
        with grave.alive() as host:
            assert accept(host, raw, Envelope(START), "lmtp") in ("filed", "known")
            results.append((causes(host), rows(host)))
        seen.add(death.steps[-1])
    assert {"before commit", "after commit", "told the mail server"} < seen
    assert len(results) > 20
    assert all(result == results[0] for result in results)
    assert results[0][1] == (["filed"], [1], [(0, "setup"), (1, "act")])


def test_a_stage_whose_server_dies_is_resolved_and_told_once(grave: Grave) -> None:
    grave.club.clock.go(days=2)
    results = []
    for _ in grave.deaths(lambda host, death: advance.run_due(host)):
        with grave.alive() as host:
            advance.run_due(host)
            results.append((causes(host), rows(host)))
    assert len(results) > 20
    assert all(result == results[0] for result in results)
    assert results[0][1] == ([], [], [(0, "setup"), (1, "close")])
    assert [sum(f"gate report 1 {seat} " in cause for cause in results[0][0]) for seat in "AB"] == [1, 1]


def test_a_mail_whose_server_dies_is_sent_and_sent_again_only_with_the_same_id(grave: Grave) -> None:
    sent: list[bytes] = []
    written = causes(grave.club.host)

    def send(host: Host, death: Death) -> None:
        sent.clear()
        asyncio.run(deliver.flush(host, Post(sent, death.step)))

    again = 0
    for death in grave.deaths(send):
        grave.club.clock.now += deliver.LEASE
        with grave.alive() as host:
            asyncio.run(deliver.flush(host, Post(sent, lambda name: None)))
            with host.unit() as unit:
                assert unit.outbox.waiting() == 0
                assert {mail.status for mail in unit.outbox.latest(1000)} == {"sent"}
        grave.club.clock.now -= deliver.LEASE
        copies = Counter(read_part(raw).first("message-id") for raw in sent)
        assert len(copies) == len(written), death.steps[-1]
        assert len(set(sent)) == len(written), death.steps[-1]
        assert sum(copies.values()) - len(written) in (0, 1), death.steps[-1]
        again += sum(copies.values()) - len(written)
    assert again > 0


class Post:
    """A way out that remembers what it took."""

    def __init__(self, sent: list[bytes], step: Callable[[str], None]) -> None:
        self._sent, self._step = sent, step

    async def send(self, mail: OutgoingMail) -> Result:
        self._step("before sending")
        self._sent.append(mail.raw)
        self._step("after sending")
        return Sent()

    async def close(self) -> None:
        """Nothing is held open."""
