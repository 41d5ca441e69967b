"""A mail that cannot be taken keeps no other one waiting, and ends in quarantine, alone."""

import logging
import re
from datetime import timedelta

import pytest

from pbem.mail.imap.connection import BEGINNING, Connection
from pbem.mail.imap.inbox import ATTEMPTS, ImapInbox
from pbem.mail.inbox import AtOnce, TryLater
from pbem.mail.reading.letter import Envelope
from tests.mail.conftest import NOW, Desk, clock
from tests.mail.fake_imap import (
    ALWAYS,
    Act,
    FakeImap,
    Rule,
    Stored,
    Talk,
    closes,
    faking,
    is_silent,
    on,
    resets,
    says,
)
from tests.mail.imap.watching import Quarantine, card, running, until, watching

POISON = 7
HEADERS = b'From: ana@x.example\r\nSubject: "orders" 7\r\n\r\n'
TEXT, HEADER = r"UID FETCH .*BODY\.PEEK\[\]", r"UID FETCH .*BODY\.PEEK\[HEADER\]"


def mails() -> dict[int, bytes]:
    return {uid: card(uid) for uid in (5, 6, POISON, 8, 9)}


async def taken(desk: Desk, number: int) -> list[bytes]:
    return [(await desk.next())[0] for _ in range(number)]


@pytest.mark.parametrize(
    "acts",
    [[closes], [resets], [is_silent], [says("* BYE Internal error")], [says("TAG NO damaged")], [says("TAG OK done")]],
    ids=["closes", "resets", "is silent", "bye", "no", "gives nothing"],
)
async def test_mail_whose_text_cannot_be_had_is_put_into_quarantine_with_its_headers(
    desk: Desk, acts: list[Act]
) -> None:
    server = FakeImap(mails(), on(TEXT, *acts, times=ALWAYS, about=POISON))
    quarantine = Quarantine()
    async with (
        faking(server, quarantine_folder="Odd", done_folder="Done") as mailbox,
        watching(desk, mailbox, quarantine) as inbox,
    ):
        assert sorted(await taken(desk, 4)) == [card(uid) for uid in (5, 6, 8, 9)]
        await until(lambda: bool(quarantine.kept) and server.folders.get("Odd") == [card(POISON)])
        await until(lambda: inbox.trouble == "")
        server.mails[10] = Stored(card(10))
        assert await taken(desk, 1) == [card(10)]
    (mail,) = quarantine.kept
    assert mail.name == "gm on localhost, INBOX 1, mail 7"
    assert (mail.raw, mail.envelope) == (HEADERS, Envelope(arrived=NOW, size=len(card(POISON))))
    assert mail.reason.startswith("UID FETCH: ")
    assert desk.taken.empty()


def cut(text: bytes) -> Act:
    """Gives out this as if it were all of the mail."""

    async def act(talk: Talk) -> None:
        await talk.say(b"* 1 FETCH (UID %d RFC822.SIZE %d BODY[] " % (POISON, len(card(POISON))) + text + b")\r\n")
        await talk.say("TAG OK done\r\n")

    return act


SHORT = [b"{0}\r\n", b"NIL", b'"From: a@b.c"', b"{40}\r\n" + b"x" * 40]


@pytest.mark.parametrize("text", SHORT, ids=["0", "nil", "quoted", "literal"])
async def test_mail_that_comes_without_its_end_is_asked_for_again(desk: Desk, text: bytes) -> None:
    server = FakeImap(mails(), on(TEXT, cut(text), about=POISON))
    async with faking(server) as mailbox, watching(desk, mailbox):
        assert sorted(await taken(desk, 5)) == list(mails().values())


async def test_mail_that_never_comes_whole_is_put_into_quarantine(desk: Desk) -> None:
    server = FakeImap(mails(), on(TEXT, cut(b"{40}\r\n" + b"x" * 40), times=ALWAYS, about=POISON))
    quarantine = Quarantine()
    async with faking(server) as mailbox, watching(desk, mailbox, quarantine):
        assert sorted(await taken(desk, 4)) == [card(uid) for uid in (5, 6, 8, 9)]
        await until(lambda: bool(quarantine.kept))
    assert desk.taken.empty()


async def test_mail_of_which_nothing_can_be_had_is_put_into_quarantine_all_the_same(desk: Desk) -> None:
    server = FakeImap(mails(), on("UID FETCH", closes, times=ALWAYS, about=POISON))
    quarantine = Quarantine()
    async with faking(server) as mailbox, watching(desk, mailbox, quarantine):
        assert sorted(await taken(desk, 4)) == [card(uid) for uid in (5, 6, 8, 9)]
        await until(lambda: bool(quarantine.kept))
    assert (quarantine.kept[0].raw, quarantine.kept[0].envelope.whole) == (b"", False)


async def test_mail_that_is_larger_than_the_server_says_is_not_taken_for_the_whole() -> None:
    class Understating(FakeImap):
        def fetched(self, uid: int, items: str) -> bytes:
            return re.sub(rb"RFC822\.SIZE \d+", b"RFC822.SIZE 10", super().fetched(uid, items))

    raw = card(POISON) + b"x" * 200_000
    async with faking(Understating({POISON: raw}), largest=100_000) as mailbox, Connection(mailbox) as connection:
        mail, beginning = await connection.fetch_alone(POISON)
    assert (mail.size, beginning) == (100_001, raw[:BEGINNING])


async def test_quarantine_is_tried_to_be_left_once_after_a_restart(desk: Desk) -> None:
    server = FakeImap(mails(), on(TEXT, closes, times=ALWAYS, about=POISON))
    quarantine = Quarantine()
    async with faking(server) as mailbox, watching(desk, mailbox, quarantine):
        await until(lambda: bool(quarantine.kept))
    server.asked.clear()
    async with faking(server) as mailbox, watching(desk, mailbox, quarantine) as inbox:
        await until(lambda: inbox.last_look is not None and inbox.trouble == "" and server.asked[-1] == "IDLE")
    assert server.count(f"UID FETCH .*{POISON}.*BODY") == 1
    assert len(quarantine.kept) == 1


async def test_nothing_is_put_into_quarantine_that_cannot_be_written_down(desk: Desk) -> None:
    server = FakeImap({POISON: card(POISON)}, on(TEXT, says("TAG NO damaged"), times=7, about=POISON))
    quarantine = Quarantine(away=True)
    async with faking(server, recover=0.3) as mailbox, watching(desk, mailbox, quarantine):
        await until(lambda: server.count(HEADER) == 2)
        quarantine.away = False
        await until(lambda: bool(quarantine.kept))


async def test_mail_that_fails_twice_is_taken_the_third_time(desk: Desk) -> None:
    quarantine = Quarantine()
    server = FakeImap(mails(), on(TEXT, closes, times=3, about=POISON))
    async with faking(server) as mailbox, watching(desk, mailbox, quarantine) as inbox:
        assert sorted(await taken(desk, 5)) == [card(uid) for uid in (5, 6, POISON, 8, 9)]
        await until(lambda: inbox.trouble == "")
    assert quarantine.kept == []


async def test_mail_of_which_not_even_the_size_can_be_had_keeps_none_waiting(desk: Desk) -> None:
    server = FakeImap(mails(), on("UID FETCH .*SIZE", closes, times=3, about=POISON))
    async with faking(server) as mailbox, watching(desk, mailbox):
        assert sorted(await taken(desk, 5)) == [card(uid) for uid in (5, 6, POISON, 8, 9)]


async def test_mail_that_is_gone_when_it_is_fetched_is_no_trouble(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    """Another program has moved it away between two of our questions; Dovecot says so, others say nothing."""
    gone = "TAG NO [EXPUNGEISSUED] Some messages were already expunged."

    def rules() -> list[Rule]:
        return [on("UID SEARCH", says("* SEARCH 5 4", "TAG OK done")), on(TEXT, says(gone), about=4)]

    server = FakeImap({5: card(5)}, *rules())
    async with faking(server) as mailbox, watching(desk, mailbox, Quarantine()) as inbox:
        assert await taken(desk, 1) == [card(5)]
        await until(lambda: inbox.last_look is not None and server.asked[-1] == "IDLE")
    assert [record for record in caplog.records if record.levelno > logging.WARNING] == []
    assert server.connections == 1


# --- mails that cannot be stored ----------------------------------------------------------------------------------


class Storage(Desk):
    """Takes mails; not the poisonous one, and none at all while it is away."""

    poison_is_refused_with: Exception | None = None
    away = False
    tried = 0
    tried_poison = 0

    async def accept(self, raw: bytes, envelope: Envelope) -> None:
        self.tried += 1
        self.tried_poison += raw == card(POISON)
        if self.away:
            raise TryLater("the database is away")
        if raw == card(POISON) and self.poison_is_refused_with:
            raise self.poison_is_refused_with
        await super().accept(raw, envelope)


@pytest.mark.parametrize("error", [ValueError("a NUL in it"), TryLater("it is too large for the database")])
async def test_mail_that_alone_cannot_be_stored_is_put_into_quarantine_whole(error: Exception) -> None:
    desk, quarantine = Storage(), Quarantine()
    desk.poison_is_refused_with = error
    server = FakeImap(mails())
    async with faking(server, poll=0.05) as mailbox, watching(desk, mailbox, quarantine) as inbox:
        assert await taken(desk, 4) == [card(uid) for uid in (5, 6, 8, 9)]
        for uid in range(10, 20):  # Mail goes on coming in, and shows that others can be stored.
            server.mails[uid] = Stored(card(uid))
            assert await taken(desk, 1) == [card(uid)]
        await until(lambda: bool(quarantine.kept))
        await until(lambda: inbox.trouble == "" and inbox.last_look is not None)
    assert [mail.raw for mail in quarantine.kept] == [card(POISON)]
    assert desk.tried_poison == ATTEMPTS == 3


async def test_mail_that_cannot_be_stored_is_kept_whole_however_late_it_can_be_written_down() -> None:
    desk, quarantine = Storage(), Quarantine(away=True)
    desk.poison_is_refused_with = ValueError("a NUL in it")
    server = FakeImap({POISON: card(POISON)})
    async with faking(server, recover=0.3) as mailbox, watching(desk, mailbox, quarantine):
        await until(lambda: desk.tried_poison == ATTEMPTS + 2)
        quarantine.away = False
        await until(lambda: bool(quarantine.kept))
    assert [mail.raw for mail in quarantine.kept] == [card(POISON)]
    assert server.count(HEADER) == 0


async def test_storage_that_is_away_puts_no_mail_into_quarantine() -> None:
    desk, quarantine = Storage(), Quarantine()
    desk.away = True
    server = FakeImap(mails())
    async with faking(server, recover=0.3) as mailbox, watching(desk, mailbox, quarantine) as inbox:
        await until(lambda: desk.tried > 12)
        assert inbox.trouble == "letters cannot be stored now, and stay in the mailbox"
        assert inbox.last_look is None
        assert server.count(TEXT) <= desk.tried / 3 + 1  # Nobody is asked for what cannot be stored.
        desk.away = False
        assert await taken(desk, 5) == [card(uid) for uid in (5, 6, POISON, 8, 9)]
        await until(lambda: inbox.trouble == "")
    assert quarantine.kept == []
    assert server.connections == 1


# --- order --------------------------------------------------------------------------------------------------------


async def test_mails_are_handed_over_in_order_of_arrival_not_of_number(desk: Desk) -> None:
    arrived = {5: 30, 6: 10, 7: 20, 8: 10}
    server = FakeImap({uid: Stored(card(uid), NOW + timedelta(seconds=late)) for uid, late in arrived.items()})
    async with faking(server) as mailbox, watching(desk, mailbox):
        assert await taken(desk, 4) == [card(uid) for uid in (6, 8, 7, 5)]


async def test_many_mails_are_asked_for_together_and_marked_together(desk: Desk) -> None:
    server = FakeImap({uid: card(uid) for uid in range(1, 121)})
    async with faking(server, done_folder="Done", recover=60) as mailbox, watching(desk, mailbox):
        assert await taken(desk, 120) == [card(uid) for uid in range(1, 121)]
        await until(lambda: server.asked[-1] == "IDLE")
    assert [server.count(f"UID {command}") for command in ("FETCH .*SIZE", TEXT[4:], "STORE", "MOVE")] == [1, 3, 3, 3]


async def test_no_more_is_fetched_together_than_fits_in_a_megabyte(desk: Desk) -> None:
    server = FakeImap({uid: card(uid) + b"x" * 400_000 for uid in range(1, 6)})
    async with faking(server, recover=60) as mailbox, watching(desk, mailbox):
        await taken(desk, 5)
    assert server.count(TEXT) == 3


async def test_two_inboxes_on_one_mailbox_disturb_one_another_as_little_as_may_be(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    server = FakeImap({uid: card(uid) for uid in range(1, 61)})
    async with faking(server, done_folder="Done", recover=6) as mailbox:
        first, second = (ImapInbox(mailbox, AtOnce(desk.accept), clock) for _ in range(2))
        async with running(first), running(second):
            await until(lambda: not server.mails and first.last_look == second.last_look == NOW)
    assert {desk.taken.get_nowait()[0] for _ in range(desk.taken.qsize())} == {card(uid) for uid in range(1, 61)}
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


async def test_look_counts_from_its_beginning_and_only_if_it_left_nothing(desk: Desk) -> None:
    """A stage is closed after a look that began after its deadline: then no card of that time lies in the mailbox."""
    times = [NOW + timedelta(seconds=second) for second in range(1000)]
    server = FakeImap(mails(), on(TEXT, says("TAG NO not now"), times=3, about=POISON))
    async with faking(server) as mailbox:
        inbox = ImapInbox(mailbox, AtOnce(desk.accept), lambda: times.pop(0), Quarantine())
        async with running(inbox):
            await until(lambda: inbox.trouble.startswith("mail that could not be taken"))
            assert inbox.last_look is None
            assert inbox.last_success is not None
            await taken(desk, 5)
            await until(lambda: inbox.last_look is not None)
            assert inbox.last_look is not None
            assert NOW < inbox.last_look < inbox.last_success
