"""Mails that come back: tried again, sent another way, told to whom it matters. Nobody else's report moves anything."""

from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.mail.outgoing.transport import OutgoingMail, Result, Sent
from pbem.mail.reading.letter import read_letter
from pbem.service.host import Host
from pbem.service.outgoing import bounces, deliver
from pbem.service.outgoing.return_path import return_path
from pbem.storage.tables import Address, Mail
from tests.service.conftest import CAMPAIGN, PLAIN, Clock, Club, letter_of, text_of

FOLDER = Path(__file__).parent.parent / "bounces"


@dataclass
class Post:
    """A way out that says of each recipient what it is told to say."""

    says: dict[str, Result] = field(default_factory=dict)
    sent: list[OutgoingMail] = field(default_factory=list)

    async def send(self, mail: OutgoingMail) -> Result:
        result = self.says.get(mail.recipient, Sent())
        if isinstance(result, Sent):
            self.sent.append(mail)
        return result

    async def close(self) -> None:
        """Nothing is held open."""


@dataclass
class Yard:
    """The club, with its mail on the way."""

    club: Club
    post: Post
    reports: int = 0

    async def send(self) -> None:
        await deliver.flush(self.club.host, self.post)

    def mail(self, recipient: str) -> Mail:
        """The newest mail to somebody."""
        with self.club.host.unit() as unit:
            return next(each for each in unit.outbox.latest(1000) if each.recipient == recipient)

    def again(self, mail: Mail) -> Mail:
        """A mail as it stands now."""
        with self.club.host.unit() as unit:
            return unit.outbox.find(mail.id or 0)

    def reported(self, mail: Mail, name: str = "postfix-unknown-user", *, to: str = "") -> str:
        """A report on a mail comes in; what became of it."""
        raw = (FOLDER / f"{name}.eml").read_text(encoding="utf-8")
        raw = raw.replace("orders+b2-k7q2abcdef@campaigns.example", to or return_path(self.club.host, mail))
        raw = raw.replace("ana@example.org", mail.recipient).replace("<f00d@pbem.campaigns.example>", mail.message_id)
        self.reports += 1
        return self.club.offer(f"Message-ID: <{self.reports}@report.example>\n{raw}".encode())

    def refused(self, mail: Mail, reason: str = "550 5.1.1 no such user") -> None:
        """A mail that had gone out does not get through."""
        with self.club.host.unit() as unit:
            row = unit.outbox.find(mail.id or 0)
            row.status, row.attempts = "sent", 1
            severity = "hard" if reason.startswith("5") else "soft"
            bounces.failed(self.club.host, unit, row, bounces.Failure(severity, reason))
            unit.commit()

    def address(self, email: str) -> Address:
        with self.club.host.unit() as unit:
            (row,) = unit.campaigns.registrations(email)
            return row

    def note(self) -> str:
        """What is noted of the newest letter."""
        with self.club.host.unit() as unit:
            return unit.letters.latest(1)[0].note

    def text(self, recipient: str) -> str:
        """The text of the newest mail to somebody."""
        return text_of(self.mail(recipient))


@pytest.fixture
async def yard(club: Club) -> Yard:
    """Everything that the beginning wrote is sent."""
    yard = Yard(club, Post())
    await yard.send()
    club.mails()
    return yard


ANA, BEN, WORK, OLGA = "ana@example.org", "ben@example.org", "ben@work.example", "olga@example.org"


# --- reports ------------------------------------------------------------------------------------------------------


def test_a_delayed_mail_is_only_noted(yard: Yard) -> None:
    mail = yard.mail(ANA)
    assert yard.reported(mail, "postfix-delayed") == "ignored"
    assert yard.club.mails() == []
    now = yard.again(mail)
    assert now.status == "sent"
    assert now.note.startswith("delayed: 4.4.1 connect to mail.example.org")


def test_a_mail_that_may_get_through_goes_out_again_the_same(yard: Yard, clock: Clock) -> None:
    mail = yard.mail(ANA)
    yard.reported(mail, "exim-formal")
    now = yard.again(mail)
    assert (now.status, now.bounces, now.next_at - clock.now) == ("due", 1, timedelta(hours=1))
    assert (now.message_id, now.raw) == (mail.message_id, mail.raw)
    assert yard.club.mails() == []
    assert (yard.address(ANA).soft_bounces, yard.address(ANA).failing) == (1, False)


async def test_after_three_more_tries_it_is_given_up(yard: Yard, clock: Clock) -> None:
    mail = yard.mail(ANA)
    waits = []
    for _ in range(4):
        yard.reported(mail, "exim-formal")
        now = yard.again(mail)
        waits.append((now.next_at - clock.now) / timedelta(hours=1) if now.status == "due" else None)
        clock.go(hours=8)
        await yard.send()
    assert waits == [1, 2, 4, None]
    assert [sent.raw for sent in yard.post.sent].count(mail.raw) == 4
    assert yard.address(ANA).failing
    assert "552 5.2.2 Mailbox is over quota" in " ".join(yard.text(OLGA).split())


def test_a_second_report_on_the_same_sending_changes_nothing(yard: Yard) -> None:
    mail = yard.mail(ANA)
    yard.reported(mail, "exim-formal")
    yard.reported(mail, "exim-formal")
    assert yard.again(mail).bounces == 1
    assert "this had come back before" in yard.note()


async def test_a_mail_to_nobody_goes_to_the_players_other_address(yard: Yard) -> None:
    mail = yard.mail(BEN)
    assert yard.reported(mail) == "ignored"
    now = yard.again(mail)
    assert (now.recipient, now.status, now.message_id) == (WORK, "due", mail.message_id)
    letter = letter_of(now)
    assert (letter.recipients, letter.message_id) == ((WORK,), mail.message_id)
    assert text_of(now) == text_of(mail)
    row = yard.address(BEN)
    assert (row.failing, row.hard_bounces) == (True, 1)
    await yard.send()
    assert yard.post.sent[-2].sender == return_path(yard.club.host, now)


def test_the_organizer_is_told_once_and_nothing_is_paused(yard: Yard) -> None:
    with yard.club.host.unit() as unit:
        before = unit.campaigns.open_stages()[0][0].deadline
    yard.reported(yard.mail(BEN))
    told = yard.club.mail_to(OLGA)
    assert told.subject == "[gate] Mail to South comes back"
    text = " ".join(text_of(told).split())
    assert f"All mail goes to {WORK}" in text
    assert "550 5.1.1 <ben@example.org>: Recipient address rejected" in text
    with yard.club.host.unit() as unit:
        stage, campaign = unit.campaigns.open_stages()[0]
        audits = [audit.what for audit in unit.campaigns.audits(campaign)]
    assert (stage.deadline, campaign.status) == (before, "running")
    assert any("mail of South now goes to ben@work.example" in what for what in audits)


def test_what_comes_later_goes_to_the_other_address(yard: Yard) -> None:
    yard.reported(yard.mail(BEN))
    yard.club.mails()
    yard.club.clock.go(days=2)
    yard.club.run()
    assert {mail.recipient for mail in yard.club.mails()} == {ANA, WORK, OLGA}


def test_a_player_without_another_address_still_gets_his_mail(yard: Yard) -> None:
    mail = yard.mail(ANA)
    yard.reported(mail)
    assert yard.again(mail).status == "failed"
    assert "There is no other address" in yard.text(OLGA)
    yard.club.clock.go(days=2)
    yard.club.run()
    newest = yard.mail(ANA)
    assert newest.id != mail.id
    # It fails again, and is not told again.
    yard.club.mails()
    with yard.club.host.unit() as unit:
        unit.outbox.find(newest.id or 0).status = "sent"
        unit.commit()
    yard.reported(newest)
    assert yard.club.mails() == []


async def test_an_answer_to_a_mail_makes_the_address_good_again(yard: Yard) -> None:
    mover = yard.club.mover()
    first = yard.mail(mover)
    with yard.club.host.unit() as unit:
        (row,) = unit.campaigns.registrations(mover)
        row.failing, row.soft_bounces = True, 2
        unit.commit()
    reply_to = yard.club.reply_address(mover)
    yard.club.write(mover, "STATUS", to=reply_to)
    assert yard.address(mover).failing, "a letter alone proves nothing about mail to him"
    yard.club.write(mover, "STATUS", to=reply_to, answers=first)
    assert (yard.address(mover).failing, yard.address(mover).soft_bounces) == (False, 0)


async def test_a_report_that_took_another_way_is_sent_again_to_where_mail_goes_now(yard: Yard) -> None:
    yard.club.clock.go(days=2)
    yard.club.run()
    await yard.send()
    report = yard.mail(BEN)
    yard.reported(report)
    assert yard.again(report).recipient == WORK
    yard.club.write(WORK, "RESEND", to=yard.club.reply_address(WORK))
    assert (yard.again(report).recipient, yard.again(report).status) == (WORK, "due")
    yard.club.write(BEN, "RESEND", to=yard.club.reply_address(WORK), answers=report)
    assert yard.address(BEN).failing, "that mail went to the other address"
    welcome = next(mail for mail in yard.post.sent if mail.recipient == BEN)
    with yard.club.host.unit() as unit:
        first = unit.outbox.with_message_id(read_letter(welcome.raw).message_id)
    yard.club.write(BEN, "RESEND", to=yard.club.reply_address(WORK), answers=first)
    assert not yard.address(BEN).failing
    assert (yard.again(report).recipient, yard.again(report).status) == (BEN, "due")


def told(yard: Yard) -> str:
    """The only new mail to the organizer, as one line."""
    return " ".join(text_of(yard.club.mail_to(OLGA)).split())


def test_the_organizer_sees_whose_mail_comes_back(yard: Yard) -> None:
    yard.reported(yard.mail(ANA))
    yard.club.mails()
    yard.club.write(OLGA, "status", to=yard.club.reply_address(OLGA))
    text = told(yard)
    assert "mail to it comes back" in text
    assert "Mail to ana@example.org failed: 550 5.1.1" in text


def test_a_report_in_words_counts_at_the_return_path(yard: Yard) -> None:
    mail = yard.mail(BEN)
    yard.reported(mail, "qmail")
    assert yard.address(BEN).failing


def test_a_report_in_words_counts_nowhere_else(yard: Yard) -> None:
    mail = yard.mail(BEN)
    assert yard.reported(mail, "qmail", to=PLAIN) == "ignored"
    assert yard.again(mail).status == "sent"
    assert not yard.address(BEN).failing


@pytest.mark.parametrize("name", ["postfix-unknown-user", "exim-formal", "postfix-delayed", "arf-redacted"])
def test_a_report_that_only_quotes_the_mail_is_shown_and_changes_nothing(yard: Yard, name: str) -> None:
    """Whoever got a copy of an answer has the Message-ID: a rival as well."""
    mail, before = yard.mail(BEN), yard.address(BEN)
    assert yard.reported(mail, name, to=PLAIN) == "held"
    assert yard.address(BEN).model_dump() == before.model_dump()
    now = yard.again(mail)
    assert now.note.startswith("reported, but not to its return path: ")
    assert now.model_dump(exclude={"note"}) == mail.model_dump(exclude={"note"})
    assert yard.club.mails() == []
    yard.club.write(OLGA, "status", to=yard.club.reply_address(OLGA))
    assert "to ben@example.org, but not to its return path, so nothing was done" in told(yard)


WITHOUT_THE_MAIL = """\
From: Mailer-Daemon@mx.example.net
To: {to}
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b

<{recipient}>: user unknown

--b
Content-Type: message/delivery-status

Final-Recipient: rfc822; {recipient}
Action: failed
Status: 5.1.1

--b--
"""


def test_a_report_that_names_only_the_player_is_shown_once_and_changes_nothing(yard: Yard) -> None:
    """Whoever knows an address can write such a thing, as often as he likes."""
    before, mail = yard.address(ANA), yard.mail(ANA)
    report = WITHOUT_THE_MAIL.format(to=yard.club.reply_address(ANA), recipient=ANA)
    assert yard.club.offer(f"Message-ID: <1@report.example>\n{report}".encode()) == "held"
    about = "report on a mail to ana@example.org, but not to its return path, so nothing was done"
    assert yard.note() == f"{about}: failed: 5.1.1 user unknown"
    assert yard.club.offer(f"Message-ID: <2@report.example>\n{report}".encode()) == "ignored"
    assert (yard.address(ANA).model_dump(), yard.again(mail).model_dump()) == (before.model_dump(), mail.model_dump())
    assert yard.club.mails() == []
    yard.club.write(OLGA, "status", to=yard.club.reply_address(OLGA))
    assert about in told(yard)


def test_a_report_that_names_only_a_stranger_is_of_no_campaign(yard: Yard) -> None:
    report = WITHOUT_THE_MAIL.format(to=PLAIN, recipient="nobody@example.net")
    assert yard.club.offer(f"Message-ID: <1@report.example>\n{report}".encode()) == "ignored"


def test_a_report_that_only_quotes_a_mail_which_is_not_sent_does_not_touch_its_note(yard: Yard) -> None:
    mail = yard.mail(ANA)
    yard.reported(mail)
    why = yard.again(mail).note
    yard.reported(mail, "exim-formal", to=PLAIN)
    assert yard.again(mail).note == why


def test_of_a_mail_to_no_player_and_no_organizer_an_unproven_report_is_only_noted(yard: Yard) -> None:
    """Else the postmaster whose mailbox is gone would be told of it every day."""
    mail = yard.mail(ANA)
    with yard.club.host.unit() as unit:
        unit.outbox.find(mail.id or 0).campaign_id = None
        unit.commit()
    assert yard.reported(mail, to=PLAIN) == "ignored"
    assert "so nothing was done" in yard.note()


def test_a_report_on_a_mail_that_is_not_ours_changes_nothing(yard: Yard) -> None:
    mail = yard.mail(BEN)
    forged = Mail(**{**mail.model_dump(), "message_id": "<guessed@pbem.campaigns.example>"})
    assert yard.reported(forged, to=PLAIN) == "ignored"
    assert not yard.address(BEN).failing
    assert yard.club.mails() == []


def test_a_report_about_somebody_else_is_only_noted(yard: Yard) -> None:
    ben, ana = yard.mail(BEN), yard.mail(ANA)
    other = Mail(**{**ben.model_dump(), "recipient": "copy@example.net"})
    yard.reported(other, to=return_path(yard.club.host, ben))
    yard.reported(Mail(**{**ana.model_dump(), "recipient": BEN}), to=return_path(yard.club.host, ana))
    assert not yard.address(BEN).failing
    assert not yard.address(ANA).failing
    assert yard.club.mails() == []
    assert "failed for ben@example.org, to whom it was not sent" in yard.note()


def test_what_is_written_to_a_return_path_is_never_answered(yard: Yard) -> None:
    path = return_path(yard.club.host, yard.mail(ANA))
    assert yard.club.write(ANA, "STATUS", to=path) == "held"
    assert yard.club.write("eve@example.net", "hello", to=path) == "held"
    assert yard.reported(yard.mail(ANA), "vacation") == "ignored"
    assert yard.reported(yard.mail(ANA), "read-receipt") == "ignored"
    assert yard.club.mails() == []
    assert not yard.address(ANA).failing


def test_a_card_with_a_good_token_counts_whatever_return_path_gets_a_copy(yard: Yard) -> None:
    mover = yard.club.mover()
    path = return_path(yard.club.host, yard.mail(BEN))
    assert yard.club.write(mover, "taunt boo", to=f"{yard.club.reply_address(mover)}, {path}") == "filed"


def test_a_player_who_quotes_a_report_is_a_player(yard: Yard) -> None:
    mover = yard.club.mover()
    raw = (FOLDER / "player-who-quotes-one.eml").read_text()
    raw = raw.replace("ana@example.org", mover).replace(
        "orders+k7q2abcd@campaigns.example", yard.club.reply_address(mover)
    )
    assert yard.club.offer(raw.encode()) == "filed"
    assert not yard.address(mover).failing


def test_a_complaint_is_counted_and_told_once(yard: Yard) -> None:
    mail = yard.mail(BEN)
    yard.reported(mail, "arf-yahoo")
    assert yard.club.mail_to(OLGA).subject == "[gate] A mail to South was marked as unwanted"
    yard.reported(mail, "arf-yahoo")
    assert yard.club.mails() == []
    row = yard.address(BEN)
    assert (row.complaints, row.failing) == (2, False)


@pytest.mark.parametrize("name", ["arf-not-spam", "arf-auth-failure"])
def test_feedback_that_is_no_complaint_does_not_count(yard: Yard, name: str) -> None:
    yard.reported(yard.mail(BEN), name)
    assert yard.address(BEN).complaints == 0
    assert yard.club.mails() == []


@pytest.mark.parametrize(("realm", "to"), [("North", ANA), ("South", WORK)])
def test_a_mail_goes_to_another_address_of_its_own_seat(yard: Yard, realm: str, to: str) -> None:
    """Who plays two seats from one address may share one of them with a friend."""
    mail = yard.mail(BEN)
    with yard.club.host.unit() as unit:
        north, _ = unit.campaigns.seats(unit.campaigns.all()[0])
        unit.campaigns.add(Address(seat_id=north.id or 0, email=BEN))
        unit.outbox.find(mail.id or 0).realm = realm
        unit.commit()
    yard.refused(mail)
    assert yard.again(mail).recipient == to


def test_an_organizers_mail_goes_to_no_address_of_a_seat_that_he_plays(host: Host, clock: Clock) -> None:
    """The organizer's token is in it."""
    club = Club(host, clock)
    club.begin(CAMPAIGN.replace('"ben@example.org"', f'"{OLGA}"'))
    yard = Yard(club, Post())
    yard.club.clock.go(days=2)
    yard.club.run()
    mails = [mail for mail in club.mails() if mail.recipient == OLGA]
    for mail in mails:
        yard.refused(mail)
    went = {mail.realm: yard.again(mail).recipient for mail in mails}
    assert went == {"": OLGA, "South": WORK}


def test_a_question_to_one_address_goes_to_no_other(yard: Yard) -> None:
    yard.club.write(BEN, "OK", to=PLAIN)
    question = yard.club.mail_to(BEN)
    yard.refused(question)
    assert (yard.again(question).recipient, yard.again(question).status) == (BEN, "failed")


@pytest.mark.parametrize("reason", ["550 5.1.1 no such user", "452 4.2.2 mailbox full"])
def test_a_mail_of_before_goes_nowhere_when_seats_were_swapped(yard: Yard, reason: str) -> None:
    mail, to = yard.mail(BEN), yard.club.reply_address(OLGA)
    yard.club.write(OLGA, f"hand over South to carl@example.org\nhand over North to {BEN}", to=to)
    with yard.club.host.unit() as unit:
        (seat,) = unit.campaigns.seats_of(BEN)
        assert seat.name == "North"
        unit.campaigns.add(Address(seat_id=seat.id or 0, email="friend@example.net"))
        unit.commit()
    yard.refused(mail, reason)
    now = yard.again(mail)
    assert (now.recipient, now.status, now.withdrawn) == (BEN, "failed", True)
    assert not yard.address(BEN).failing


async def test_what_was_to_be_tried_again_is_not_after_a_hand_over(yard: Yard, clock: Clock) -> None:
    mail = yard.mail(BEN)
    yard.refused(mail, "452 4.2.2 mailbox full")
    assert yard.again(mail).status == "due"
    yard.club.write(OLGA, "hand over South to carl@example.org", to=yard.club.reply_address(OLGA))
    clock.go(hours=2)
    await yard.send()
    assert yard.again(mail).status == "failed"


# --- the organizer's own address ----------------------------------------------------------------------------------


async def close_a_stage(yard: Yard) -> Mail:
    """A stage closes; the mail on it to the organizer."""
    yard.club.clock.go(days=2)
    yard.club.run()
    await yard.send()
    yard.club.mails()
    return yard.mail(OLGA)


async def test_of_the_organizers_own_address_the_postmaster_is_told_once_a_day(yard: Yard) -> None:
    yard.club.host = replace(yard.club.host, postmaster="pat@campaigns.example")
    mail = await close_a_stage(yard)
    yard.reported(mail)
    (told,) = yard.club.mails()
    assert (told.recipient, told.subject) == ("pat@campaigns.example", "Mail to the organizer of The Gate comes back")
    yard.club.write(ANA, "STATUS", to=yard.club.reply_address(ANA))
    other = await close_a_stage(yard)
    yard.reported(other)
    assert [each.recipient for each in yard.club.mails()] == ["pat@campaigns.example"]


async def test_without_a_postmaster_it_is_noted(yard: Yard) -> None:
    yard.reported(await close_a_stage(yard))
    assert yard.club.mails() == []
    with yard.club.host.unit() as unit:
        audits = [audit.what for audit in unit.campaigns.audits(unit.campaigns.all()[0])]
    assert any(what.startswith("mail to the organizer comes back: 550 5.1.1") for what in audits)


async def test_reports_on_mails_about_reports_come_to_an_end(yard: Yard) -> None:
    """Everybody's mailbox is gone, the postmaster's as well."""
    yard.club.host = replace(yard.club.host, postmaster="pat@campaigns.example")
    seen = 0
    for _ in range(10):
        with yard.club.host.unit() as unit:
            sent = [mail for mail in unit.outbox.latest(1000) if mail.status == "sent"]
        seen += len(sent)
        for mail in sent:
            yard.reported(mail)
        await yard.send()
    assert sent == []
    assert seen < 12
