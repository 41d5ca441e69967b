"""Whatever a server does, the mail is taken once, and the mailbox is looked into again within the bound."""

from dataclasses import replace

import pytest

from pbem.mail.imap.mailbox import Mailbox
from tests.mail.conftest import Desk
from tests.mail.fake_imap import (
    Act,
    FakeImap,
    closes,
    delivers,
    faking,
    floods,
    in_pieces_of,
    is_silent,
    on,
    resets,
    says,
    says_raw,
    stops_reading,
    usual,
)
from tests.mail.imap.watching import card, until, watching

BYE = says("* BYE Session invalidated")
BODY = r"UID FETCH \S+ .*BODY"
SIZES = r"UID FETCH \S+ .*RFC822.SIZE"
BEGUN = "* 1 FETCH (UID 7 BODY[] "

RECOVER = 0.9
"""Seconds, the bound in these tests."""
BUSY_MACHINE = 0.6
"""Seconds more, for tests run side by side."""

FAULTS: dict[str, tuple[str, list[Act]]] = {
    "turned away": ("GREETING", [says("* BYE Too many simultaneous connections"), closes]),
    "closed before a word": ("GREETING", [closes]),
    "no greeting": ("GREETING", [is_silent]),
    "greeting that never ends": ("GREETING", [floods(8_000_000)]),
    "greeting that is none": ("GREETING", [says("220 smtp.example ESMTP")]),
    "capabilities not told": ("CAPABILITY", [is_silent]),
    "another protocol": ("CAPABILITY", [says("* CAPABILITY nothing", "TAG OK done")]),
    "login not answered": ("LOGIN", [is_silent]),
    "login not now": ("LOGIN", [says("TAG NO [UNAVAILABLE] later"), BYE, closes]),
    "too many connections": ("LOGIN", [says("TAG NO Too many simultaneous connections. (Failure)")]),
    "select not answered": ("SELECT", [is_silent]),
    "select refused": ("SELECT", [says("TAG NO [UNAVAILABLE] no such mailbox")]),
    "noop not answered": ("NOOP", [is_silent]),
    "search not answered": ("UID SEARCH", [is_silent]),
    "search refused": ("UID SEARCH", [says("TAG NO [BADCHARSET (US-ASCII)] no")]),
    "search not understood": ("UID SEARCH", [says("TAG BAD what?")]),
    "another's answer": ("UID SEARCH", [says("X9 OK done")]),
    "sizes not answered": (SIZES, [is_silent]),
    "bye instead of sizes": (SIZES, [BYE]),
    "sizes refused": (SIZES, [says("TAG NO not now")]),
    "sizes not told": (SIZES, [says("TAG OK done")]),
    "mail not answered": (BODY, [is_silent]),
    "bye instead of a mail": (BODY, [BYE]),
    "bye and close instead of a mail": (BODY, [BYE, closes]),
    "mail refused": (BODY, [says("TAG NO damaged")]),
    "mail not told": (BODY, [says("TAG OK done")]),
    "mail without a literal": (BODY, [says("* 1 FETCH (UID 7 FLAGS (\\Seen))", "TAG OK done")]),
    "mail cut short": (BODY, [says_raw(BEGUN + "{69}\r\nFrom: an"), closes]),
    "mail longer than it is": (BODY, [says_raw(BEGUN + f"{{999}}\r\n{card(7).decode()})\r\nTAG OK done\r\n")]),
    "mail shorter than it is": (BODY, [says_raw(BEGUN + f"{{5}}\r\n{card(7).decode()})\r\nTAG OK done\r\n")]),
    "mail of terabytes": (BODY, [says_raw(BEGUN + "{999999999999}\r\n")]),
    "mail that never ends": (BODY, [says_raw(BEGUN + '"'), floods(8_000_000)]),
    "mail that drips": (BODY, [in_pieces_of(1, pause=0.05)]),
    "connection reset": (BODY, [resets]),
    "marking not answered": ("UID STORE", [is_silent]),
    "bye instead of marking": ("UID STORE", [BYE]),
    "marking and then nothing": ("UID STORE", [usual, closes]),
    "moving not answered": ("UID MOVE", [is_silent]),
    "moving and then nothing": ("UID MOVE", [usual, closes]),
    "bye instead of idling": ("IDLE", [BYE]),
    "bye and close instead of idling": ("IDLE", [BYE, closes]),
    "idle not answered": ("IDLE", [stops_reading]),
    "idle refused": ("IDLE", [says("TAG NO not now")]),
    "idle over at once": ("IDLE", [says("TAG OK done")]),
    "bye while idling": ("IDLE", [says("+ idling"), BYE]),
    "close while idling": ("IDLE", [says("+ idling"), closes]),
    "reset while idling": ("IDLE", [says("+ idling"), resets]),
    "cable cut while idling": ("IDLE", [says("+ idling"), stops_reading]),
    "line that never ends while idling": ("IDLE", [says("+ idling"), floods(8_000_000)]),
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_fault_costs_no_mail_and_no_more_time_than_the_bound(desk: Desk, fault: str) -> None:
    command, acts = FAULTS[fault]
    server = FakeImap({7: card(7)}, on(command, *acts))
    async with (
        faking(server, recover=RECOVER, poll=600, done_folder="Done") as mailbox,
        watching(desk, mailbox) as inbox,
    ):
        assert (await desk.next())[0] == card(7)
        await until(lambda: server.last_search > server.last_fault > 0)
        assert server.last_search - server.last_fault < RECOVER + BUSY_MACHINE
        await until(lambda: inbox.trouble == "" and server.asked[-1] == "IDLE")
        assert desk.taken.empty()
        assert (list(server.mails), server.folders) == ([], {"Done": [card(7)]})


def test_limits_add_up_to_no_more_than_the_bound() -> None:
    mailbox = Mailbox("imap.example", "gm", recover=60, poll=600)
    assert mailbox.idle + mailbox.timeout + mailbox.longest_pause <= mailbox.recover
    assert replace(mailbox, poll=5).idle == 5


async def test_mail_is_found_though_the_server_never_tells_of_it(desk: Desk) -> None:
    server = FakeImap({}, on("IDLE", delivers(8, card(8)), usual))
    async with faking(server, poll=0.05, recover=600) as mailbox, watching(desk, mailbox):
        assert (await desk.next())[0] == card(8)


async def test_mail_that_comes_between_two_times_of_idling_is_found_at_once(desk: Desk) -> None:
    late = says("+ idling", "* 1 EXISTS", "TAG OK done", "+ idling")
    server = FakeImap({}, on("IDLE", delivers(8, card(8)), late))
    async with faking(server, poll=600, recover=600) as mailbox, watching(desk, mailbox):
        assert (await desk.next())[0] == card(8)
    assert server.connections == 1


async def test_server_without_idle_is_asked_now_and_then(desk: Desk) -> None:
    server = FakeImap({}, capabilities="IMAP4rev1")
    async with faking(server, poll=0.01) as mailbox, watching(desk, mailbox):
        await until(lambda: server.count("UID SEARCH") > 3)
    assert server.count("IDLE") == 0


async def test_fifty_new_connections_leave_none_open(desk: Desk) -> None:
    server = FakeImap({}, on("IDLE", BYE, times=50))
    async with faking(server, recover=0.06, poll=600) as mailbox, watching(desk, mailbox):
        await until(lambda: server.connections == 51 and server.asked[-1] == "IDLE")
        await until(lambda: server.open == 1)
    await until(lambda: server.open == 0)


async def test_server_that_stays_away_is_tried_with_pauses_and_said_to_be_away(desk: Desk) -> None:
    server = FakeImap({}, on("GREETING", closes, times=1000))
    async with faking(server, recover=1.2) as mailbox, watching(desk, mailbox) as inbox:
        await until(lambda: server.connections == 5)
        assert inbox.trouble == "connection: the server closed the connection"
        assert inbox.last_look is None
    assert server.connections < 8


async def test_a_mailbox_that_is_away_is_told_once_and_when_it_is_back(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    server = FakeImap({7: card(7)}, on("GREETING", closes, times=4))
    async with faking(server, recover=0.06) as mailbox, watching(desk, mailbox):
        await desk.next()
        await until(lambda: "is looked into again" in caplog.text)
    told = [
        record.getMessage().partition(" after ")[0] for record in caplog.records if "mailbox" in record.getMessage()
    ]
    assert told == [
        "no look into the mailbox at localhost: connection: the server closed the connection",
        "the mailbox at localhost is looked into again,",
    ]
