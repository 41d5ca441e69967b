"""What becomes of a mail in the mailbox once it is stored."""

import pytest

from tests.mail.conftest import Desk
from tests.mail.fake_imap import ALWAYS, CAPABILITIES, FakeImap, closes, faking, is_silent, on, says, usual
from tests.mail.imap.watching import card, until, watching

WITHOUT_MOVE = CAPABILITIES.replace(" MOVE", "")
BARE = "IMAP4rev1 IDLE"


async def settled(desk: Desk, server: FakeImap, **settings: str) -> None:
    """Let an inbox take the one mail and do what it does after that."""
    async with faking(server, **settings) as mailbox, watching(desk, mailbox) as inbox:
        assert (await desk.next())[0] == card(7)
        await until(lambda: inbox.trouble == "" and inbox.last_look is not None and server.asked[-1] == "IDLE")
    assert desk.taken.empty()


async def test_it_is_marked_and_stays_if_there_is_no_folder_for_it(desk: Desk) -> None:
    server = FakeImap({7: card(7)})
    await settled(desk, server)
    assert server.mails[7].flags == {r"\Seen", "$PbemStored"}


async def test_it_is_only_marked_as_read_where_there_are_no_marks_of_our_own(desk: Desk) -> None:
    server = FakeImap({7: card(7)}, keywords=False)
    await settled(desk, server)
    assert server.mails[7].flags == {r"\Seen"}
    assert server.count("UID SEARCH ALL") > 0


async def test_it_is_moved_in_steps_where_there_is_no_command_for_that(desk: Desk) -> None:
    server = FakeImap({7: card(7)}, capabilities=WITHOUT_MOVE)
    await settled(desk, server, done_folder="Done")
    assert (list(server.mails), server.folders) == ([], {"Done": [card(7)]})
    assert server.count("UID EXPUNGE 7") == 1


async def test_it_stays_where_it_could_only_be_copied(desk: Desk) -> None:
    """Who cannot take just this mail away would leave a copy each time, or take away what others have deleted."""
    server = FakeImap({7: card(7)}, capabilities=BARE)
    await settled(desk, server, done_folder="Done")
    assert server.mails[7].flags == {r"\Seen", "$PbemStored"}
    assert server.folders == {}


@pytest.mark.parametrize("capabilities", [CAPABILITIES, WITHOUT_MOVE])
async def test_it_stays_where_the_folder_takes_no_more(
    desk: Desk, capabilities: str, caplog: pytest.LogCaptureFixture
) -> None:
    full = says("TAG NO [OVERQUOTA] Quota exceeded (mailbox for user is full)")
    server = FakeImap({7: card(7)}, on("UID (MOVE|COPY)", full, times=ALWAYS), capabilities=capabilities)
    await settled(desk, server, done_folder="Done")
    assert list(server.mails) == [7]
    assert "Quota exceeded" in caplog.text


async def test_missing_folder_is_made(desk: Desk) -> None:
    server = FakeImap({7: card(7)}, on("UID MOVE", says("TAG NO [TRYCREATE] Mailbox does not exist")))
    await settled(desk, server, done_folder="Entwürfe & mehr")
    assert 'CREATE "Entw&APw-rfe &- mehr"' in server.asked
    assert list(server.folders) == ["Entw&APw-rfe &- mehr"]


async def test_folders_are_where_the_server_keeps_them(desk: Desk) -> None:
    inside = says('* NAMESPACE (("INBOX." ".")) NIL NIL', "TAG OK done")
    server = FakeImap({7: card(7)}, on("NAMESPACE", inside))
    await settled(desk, server, done_folder="Campaigns/Done")
    assert list(server.folders) == ["INBOX.Campaigns.Done"]


async def test_mailbox_that_may_only_be_read_is_read_once(desk: Desk) -> None:
    read_only = says("* OK [UIDVALIDITY 1] ok", "* OK [PERMANENTFLAGS ()] none", "TAG OK [READ-ONLY] done")
    server = FakeImap({7: card(7)}, on("SELECT", read_only, times=ALWAYS))
    await settled(desk, server, done_folder="Done")
    assert server.count("UID (STORE|MOVE|COPY)") == 0
    assert server.count("UID FETCH .*BODY") == 1


async def test_it_is_moved_the_next_time_if_the_connection_ended_after_it_was_marked(desk: Desk) -> None:
    server = FakeImap({7: card(7)}, on("UID STORE", usual, closes))
    await settled(desk, server, done_folder="Done")
    assert server.folders == {"Done": [card(7)]}


async def test_server_that_never_answers_to_that_is_not_asked_for_ever(desk: Desk) -> None:
    server = FakeImap({7: card(7)}, on("UID STORE", is_silent, times=ALWAYS), keywords=False)
    await settled(desk, server)
    assert server.count("UID STORE") == 2


@pytest.mark.parametrize("command", ["UID STORE", "UID MOVE", "UID COPY", "UID EXPUNGE"])
@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("keywords", [True, False])
async def test_crash_at_any_step_loses_nothing_and_copies_at_most_once_more(
    command: str, moment: str, keywords: bool
) -> None:
    """The program dies there, and starts again with nothing in its memory; that of the database is the desk's."""
    acts = [closes] if moment == "before" else [usual, closes]
    capabilities = CAPABILITIES if command == "UID MOVE" else WITHOUT_MOVE
    server = FakeImap({7: card(7)}, on(command, *acts), capabilities=capabilities, keywords=keywords)
    async with faking(server, done_folder="Done", recover=60) as mailbox:
        desk = Desk()
        async with watching(desk, mailbox):
            await desk.next()
            await until(lambda: server.last_fault > 0 and server.open == 0)
        async with watching(desk, mailbox) as inbox:
            await until(lambda: inbox.last_look is not None and server.asked[-1] == "IDLE")
    copies = server.folders["Done"]
    assert set(copies) == {card(7)}
    assert len(copies) <= 2
    assert not server.mails or server.mails[7].flags >= {r"\Seen"}
