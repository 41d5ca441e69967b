"""Cards count in the order in which they were received, whatever the order in which they are read."""

import asyncio
import shutil
from dataclasses import dataclass
from datetime import timedelta
from email import message_from_bytes
from itertools import permutations
from pathlib import Path

import pytest

from pbem.mail.reading.letter import Envelope
from pbem.scheduler.worker import Worker
from pbem.service.incoming.intake import accept
from pbem.storage.tables import Mail
from tests.service.conftest import DUEL, PLAIN, START, Begun, Club, text_of
from tests.service.test_worker import Post

ANA = "ana@example.org"
BEN = "ben@example.org"
OLGA = "olga@example.org"

IN_TIME, DEADLINE = timedelta(days=6), timedelta(days=7)
MINUTE = timedelta(minutes=1)


@dataclass
class Desk:
    """Ana's mails to a campaign, read in whatever order."""

    club: Club
    campaign: str
    address: str

    def read(self, received: timedelta, body: str, *, to: str = "", more: str = "") -> str:
        """Read a mail that was received so long after the start; what became of it."""
        self.club.written += 1
        head = f"From: {ANA}\r\nTo: {to or self.address}\r\nSubject: orders\r\n"
        raw = f"{head}Message-ID: <{self.club.written}@example.org>\r\n{more}\r\n{body}\r\n".encode()
        return accept(self.club.host, raw, Envelope(START + received), "imap")

    @property
    def filed(self) -> list[str]:
        return sorted(self.club.filed("A", self.campaign))

    @property
    def stage(self) -> int:
        with self.club.host.unit() as unit:
            return max(stage.number for stage, _ in unit.campaigns.open_stages())

    def told_olga(self) -> str:
        """What the organizer is told of the closing, in one line."""
        return " ".join(text_of(self.club.mail_to(OLGA)).split())

    def answer(self) -> Mail:
        """The newest mail to Ana."""
        return [mail for mail in self.club.mails() if mail.recipient == ANA][-1]


@pytest.fixture
def desk(duel: Club) -> Desk:
    """A day before the deadline; what was received before that is read now."""
    desk = Desk(duel, "duel", duel.reply_address(ANA))
    duel.clock.go(days=6)
    duel.mails()
    return desk


@pytest.fixture
def rematch(desk: Desk, database: Path, begun: Begun) -> Desk:
    """A second campaign next to the first, which begins anew."""
    desk.club.host.engine.dispose()
    shutil.copy(begun(DUEL, DUEL.replace('name = "duel"', 'name = "rematch"')), database)
    return Desk(desk.club, "rematch", desk.club.reply_address(ANA))


# --- two cards ----------------------------------------------------------------------------------------------------

CARDS = {
    "what the later card does not mention stays": ("Red Dragons: move 2\nIron Wall: move 5", "Red Dragons: hold"),
    "a later CANCEL takes back": ("Red Dragons: move 2\nIron Wall: move 5", "cancel Red Dragons\nIron Wall: hold"),
    "a later REPLACE ALL wipes out": ("Red Dragons: move 2", "REPLACE ALL\nIron Wall: hold"),
    "a later REPLACE ALL alone wipes out all": ("Red Dragons: move 2", "REPLACE ALL"),
    "a later OK changes no order": ("Red Dragons: move 2", "OK"),
    "a later FINAL stands": ("Red Dragons: move 2", "FINAL"),
    "an earlier FINAL does not": ("Red Dragons: move 2\nFINAL", "Iron Wall: hold"),
    "an earlier FINAL alone does not": ("FINAL", "Iron Wall: hold"),
    "a later line that is refused says nothing": ("Red Dragons: move 2", "Red Dragons: move 18\nIron Wall: hold"),
    "an earlier CANCEL takes back nothing later": ("Red Dragons: move 2\ncancel Iron Wall", "Iron Wall: hold"),
    "an earlier REPLACE ALL wipes out nothing later": ("REPLACE ALL\nRed Dragons: move 2", "Iron Wall: hold"),
    "a later card that says the same": ("Red Dragons: move 2\nIron Wall: hold", "Red Dragons: move 2"),
}


@pytest.mark.parametrize("case", CARDS)
@pytest.mark.parametrize("before", ["", "Red Dragons: fortify\nIron Wall: fortify", "Cancel Crew: move 2"])
def test_two_cards_come_to_the_same_in_whichever_order_they_are_read(
    desk: Desk, rematch: Desk, case: str, before: str
) -> None:
    earlier, later = CARDS[case]
    for each in (desk, rematch):
        each.read(MINUTE, before)
    cards = [(2 * MINUTE, earlier), (3 * MINUTE, later)]
    assert [desk.read(*card) for card in cards] == ["filed", "filed"]
    assert [rematch.read(*card) for card in reversed(cards)] == ["filed", "filed"]
    assert rematch.filed == desk.filed


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_three_cards_come_to_the_same_in_whichever_order_they_are_read(desk: Desk, order: tuple[int, ...]) -> None:
    cards = [
        (1 * MINUTE, "Red Dragons: move 2\nIron Wall: move 5\nCancel Crew: move 2\nFINAL"),
        (2 * MINUTE, "Red Dragons: hold\nCancel Crew: fortify"),
        (3 * MINUTE, "Cancel Crew: hold"),
    ]
    for index in order:
        assert desk.read(*cards[index]) == "filed"
    assert desk.filed == ["Cancel Crew: hold", "Iron Wall: move 5", "Red Dragons: hold"]


def test_a_card_that_repeated_what_was_on_file_has_been_said_at_its_time(desk: Desk) -> None:
    desk.read(1 * MINUTE, "Red Dragons: move 2")
    desk.read(3 * MINUTE, "Red Dragons: move 2")
    desk.read(2 * MINUTE, "Red Dragons: hold\nIron Wall: move 5")
    assert desk.filed == ["Iron Wall: move 5", "Red Dragons: move 2"]


def test_within_a_second_the_card_that_is_read_last_counts(desk: Desk) -> None:
    """A mailbox gives whole seconds, our listener parts of them: which came first is not known."""
    desk.read(MINUTE + timedelta(seconds=0.7), "Red Dragons: move 2")
    desk.read(MINUTE, "Red Dragons: hold")
    assert desk.filed == ["Red Dragons: hold"]


@pytest.mark.parametrize("to_the_question", [True, False])
def test_a_yes_counts_at_its_own_time_with_all_that_it_confirms(desk: Desk, to_the_question: bool) -> None:
    desk.read(1 * MINUTE, "Red Dragons: move 2", to=PLAIN)
    question = desk.answer()
    if to_the_question:
        desk.read(3 * MINUTE, "YES", to=str(message_from_bytes(question.raw)["Reply-To"]))
    else:
        desk.read(3 * MINUTE, "YES", more=f"In-Reply-To: {question.message_id}\r\n")
    desk.read(2 * MINUTE, "Red Dragons: hold\nIron Wall: move 5")
    assert desk.filed == ["Iron Wall: move 5", "Red Dragons: move 2"]


# --- what is answered ---------------------------------------------------------------------------------------------


def test_the_answer_says_which_mail_came_later_and_what_fell_to_it(desk: Desk) -> None:
    desk.read(3 * MINUTE, "Red Dragons: hold")
    receipt = desk.answer().subject.rpartition(" ")[2]
    desk.read(2 * MINUTE, "Red Dragons: move 2\nIron Wall: move 5")
    answer = desk.answer()
    assert "1 order OK, 1 overtaken" in answer.subject
    text = " ".join(text_of(answer).split())
    assert "I read your mail of Mon 4 May, 14:02" in text
    assert f"before your mail with receipt {receipt}, of Mon 4 May, 14:03" in text
    assert "Red Dragons: move 2" in text.partition("OVERTAKEN BY THE LATER MAIL (1)")[2].partition("ON FILE")[0]


def test_a_card_that_is_wholly_overtaken_changes_nothing(desk: Desk) -> None:
    desk.read(3 * MINUTE, "Red Dragons: hold\nFINAL")
    desk.club.mails()
    assert desk.read(2 * MINUTE, "Red Dragons: move 2") == "filed"
    answer = desk.answer()
    assert answer.subject == "[duel] Turn 1: a later mail stands"
    assert desk.filed == ["FINAL", "Red Dragons: hold"]
    with desk.club.host.unit() as unit:
        stage, _ = unit.campaigns.open_stages()[0]
        assert len(unit.submissions.letters(stage)) == 1


def test_orders_that_are_carried_out_at_once_are_so_when_they_are_read(club: Club) -> None:
    desk = Desk(club, "gate", club.reply_address(ANA))
    club.clock.go(hours=1)
    desk.read(2 * MINUTE, "taunt Second!")
    club.mails()
    assert desk.read(1 * MINUTE, "taunt First!") == "filed"
    assert "First!" in "".join(text_of(mail) for mail in club.mails() if mail.recipient == BEN)


def test_the_organizer_is_told_of_a_mail_that_came_in_time_and_was_read_too_late(desk: Desk) -> None:
    desk.club.clock.go(days=1)
    assert desk.club.run() == 1
    desk.club.mails()
    assert desk.read(IN_TIME, "Red Dragons: move 2") == "held"
    assert "It had come in by then, but could be read only now." in " ".join(text_of(desk.answer()).split())
    desk.club.write(OLGA, "status")
    assert f"from {ANA}: came for Turn 1, orders" in " ".join(text_of(desk.club.mail_to(OLGA)).split())


# --- the deadline -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("received", "counts"),
    [
        (DEADLINE - 5 * MINUTE, True),
        (DEADLINE, True),
        (DEADLINE + timedelta(seconds=0.9), True),
        (DEADLINE + timedelta(seconds=1), False),
        (DEADLINE + MINUTE, False),
    ],
)
def test_what_was_received_by_the_deadline_counts_until_the_stage_is_closed(
    desk: Desk, received: timedelta, counts: bool
) -> None:
    desk.club.clock.go(days=1, minutes=2)
    desk.club.mails()
    assert desk.read(received, "Red Dragons: move 2") == ("filed" if counts else "held")
    assert ("came after the deadline" in desk.answer().subject) != counts
    assert desk.filed == ["Red Dragons: move 2"] * counts
    assert desk.club.run() == 1


@pytest.mark.parametrize("looked", [None, DEADLINE - MINUTE])
def test_a_stage_waits_for_a_look_into_the_mailbox_that_began_after_its_deadline(
    desk: Desk, looked: timedelta | None
) -> None:
    looks = [START + looked if looked else None]
    worker = Worker(desk.club.host, Post(), lambda: None, looked=lambda: looks[-1])
    desk.club.clock.go(days=1)
    asyncio.run(worker.look())
    assert (desk.stage, desk.read(DEADLINE - MINUTE, "Red Dragons: move 2")) == (1, "filed")
    looks.append(START + DEADLINE)
    asyncio.run(worker.look())
    assert desk.stage == 2
    assert "could not be looked into" not in desk.told_olga()


def test_a_stage_does_not_wait_for_ever_and_the_organizer_is_told(desk: Desk) -> None:
    worker = Worker(desk.club.host, Post(), lambda: None, looked=lambda: START + DEADLINE - MINUTE)
    desk.club.clock.go(days=1, minutes=9)
    asyncio.run(worker.look())
    assert desk.stage == 1
    desk.club.clock.go(minutes=1)
    asyncio.run(worker.look())
    assert desk.stage == 2
    assert "The mailbox could not be looked into after the deadline." in desk.told_olga()


def test_a_stage_in_which_all_are_done_waits_for_no_mailbox(desk: Desk) -> None:
    worker = Worker(desk.club.host, Post(), lambda: None, looked=lambda: None)
    desk.read(IN_TIME, "FINAL")
    desk.club.write(BEN, "FINAL")
    asyncio.run(worker.look())
    assert desk.stage == 2
    assert "could not be looked into" not in desk.told_olga()


def test_a_yes_after_the_deadline_files_nothing(desk: Desk) -> None:
    desk.read(IN_TIME, "Red Dragons: move 2", to=PLAIN)
    desk.club.clock.go(days=1, minutes=2)
    assert desk.read(DEADLINE + MINUTE, "YES") == "held"
    assert desk.filed == []
    with desk.club.host.unit() as unit:
        assert [letter.status for letter in unit.letters.latest()] == ["held", "asked"]


def test_questions_are_answered_after_the_deadline_too(desk: Desk) -> None:
    desk.club.clock.go(days=1, minutes=2)
    assert desk.read(DEADLINE + MINUTE, "STATUS") == "answered"


@pytest.mark.parametrize("word", ["extend 2d", "pause"])
def test_what_comes_after_the_deadline_counts_where_the_organizer_has_moved_it(desk: Desk, word: str) -> None:
    desk.club.write(OLGA, word)
    desk.club.clock.go(days=1, minutes=2)
    assert desk.read(DEADLINE + MINUTE, "Red Dragons: move 2") == "filed"


def test_what_comes_while_no_server_is_there_to_close_the_stage_counts(desk: Desk) -> None:
    """It will be given more time when the server is back."""
    desk.club.clock.go(days=2)
    assert desk.read(DEADLINE + timedelta(hours=3), "Red Dragons: move 2") == "filed"


# --- what is told of it -------------------------------------------------------------------------------------------


def test_the_time_that_is_told_is_that_of_receipt(desk: Desk) -> None:
    """It lay in the mailbox for two days before it was read."""
    desk.read(timedelta(days=4), "Red Dragons: move 2")
    desk.club.mails()
    desk.club.write(ANA, "STATUS", to=desk.address)
    assert "The last mail that counted came on Fri 8 May, 14:00" in " ".join(text_of(desk.answer()).split())
    desk.club.write(OLGA, "status")
    assert "Fri 8 May, 14:00" in desk.told_olga()
