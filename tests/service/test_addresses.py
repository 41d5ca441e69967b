"""A player's addresses: he adds, drops and orders them by mail, and nobody else can."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from pbem.mail.authentication import Proof
from pbem.service.host import Host
from tests.service.conftest import CAMPAIGN, PLAIN, Clock, Club, letter_of, text_of
from tests.service.test_identify import ALIGNED, club_with, heard, reply_to, send

ANA, BEN, OLGA, EVE = "ana@example.org", "ben@example.org", "olga@example.org", "eve@evil.example"
WORK = "ana@work.example"


@pytest.fixture
def proven(club: Club) -> Club:
    """A club whose mail server vouches for every letter."""
    return club_with(club, ALIGNED)


def addresses(club: Club, seat: str = "North") -> Sequence[str]:
    with club.host.unit() as unit:
        seats = unit.campaigns.seats(unit.campaigns.all()[0])
        return unit.campaigns.addresses(next(each for each in seats if each.name == seat))


def asked(club: Club, address: str = WORK) -> str:
    """The reply address of the question to a new address."""
    (mail,) = [mail for mail in club.mails() if mail.recipient == address and "joining" in mail.cause]
    return reply_to(mail.raw)


def test_a_new_address_is_asked_and_its_answer_adds_it(proven: Club) -> None:
    assert send(proven, ANA, proven.reply_address(ANA), f"ADDRESS {WORK}") == "answered"
    assert addresses(proven) == [ANA]
    question = asked(proven)
    assert send(proven, WORK, question, "Yes.") == "answered"
    assert addresses(proven) == [ANA, WORK]
    assert heard(proven) == {ANA, WORK}
    assert send(proven, WORK, proven.reply_address(WORK), "taunt Boo") == "filed"


def test_the_question_tells_who_asks_and_nothing_of_the_game(proven: Club) -> None:
    proven.mails()
    send(proven, ANA, proven.reply_address(ANA), f"address {WORK}")
    mail = next(mail for mail in proven.mails() if mail.recipient == WORK)
    assert ANA in text_of(mail)
    assert not any(word in mail.raw.decode() for word in ("North", "turn 1", "===", "Deadline", "lay 1", "Ana"))
    assert letter_of(mail).recipients == (WORK,)


def test_without_a_proof_it_takes_a_yes_from_the_known_address(club: Club) -> None:
    """A stolen token and a forged sender are enough to order, but not to add an address that would get all reports."""
    club.mails()
    stolen = club.reply_address(ANA)
    assert send(club, ANA, stolen, f"ADDRESS {EVE}") == "asked"
    assert heard(club) == {ANA}
    assert send(club, ANA, stolen, "YES") == "answered"
    assert heard(club) == {ANA}
    assert addresses(club) == [ANA]


def test_the_yes_to_the_question_will_do(club: Club) -> None:
    send(club, ANA, club.reply_address(ANA), f"ADDRESS {WORK}")
    assert f"ADDRESS {WORK}" in text_of(club.mails()[-1])
    send(club, ANA, club.reply_address(ANA), "YES")
    send(club, WORK, asked(club), "YES")
    assert addresses(club) == [ANA, WORK]


@pytest.mark.parametrize("other", [EVE, BEN, "ana@work.example.evil"])
def test_an_answer_from_any_other_address_adds_nothing(proven: Club, other: str) -> None:
    send(proven, ANA, proven.reply_address(ANA), f"ADDRESS {WORK}")
    question = asked(proven)
    send(proven, other, question, "YES")
    assert addresses(proven) == [ANA]


@pytest.mark.parametrize("words", ["Yes, that is me!", "Hi,\n\nYES please\n\nAna", "yes - it is my office\n"])
def test_a_line_that_begins_with_yes_will_do(proven: Club, words: str) -> None:
    send(proven, ANA, proven.reply_address(ANA), f"ADDRESS {WORK}")
    send(proven, WORK, asked(proven), words)
    assert addresses(proven) == [ANA, WORK]


def test_whoever_says_neither_is_told_why_he_is_asked_again(proven: Club) -> None:
    send(proven, ANA, proven.reply_address(ANA), f"ADDRESS {WORK}")
    send(proven, WORK, asked(proven), "Sure, go on")
    again = proven.mail_to(WORK)
    assert "Please answer YES or NO" in again.subject
    assert "I could read neither YES nor NO" in " ".join(text_of(again).split())


@pytest.mark.parametrize(
    "words",
    ["Who is this? No!", "me", "I am away until Monday.", "> YES", "Yes? Who are you?", "yesterday", "Yes\nNo, wait"],
)
def test_only_a_yes_adds_an_address(proven: Club, words: str) -> None:
    """Whoever asks back, or has a machine that answers, has not said that he wants to play."""
    send(proven, ANA, proven.reply_address(ANA), f"ADDRESS {WORK}")
    question = asked(proven)
    assert send(proven, WORK, question, words) == "held"
    assert addresses(proven) == [ANA]
    assert "YES" in text_of(proven.mail_to(WORK))
    assert send(proven, WORK, question, "YES") == "answered"
    assert addresses(proven) == [ANA, WORK]


def test_a_no_makes_the_question_void(proven: Club) -> None:
    send(proven, ANA, proven.reply_address(ANA), f"ADDRESS {WORK}")
    question = asked(proven)
    assert send(proven, WORK, question, "No.") == "answered"
    assert send(proven, WORK, question, "YES") == "held"
    assert addresses(proven) == [ANA]


def test_an_address_that_does_not_answer_is_not_added(proven: Club) -> None:
    send(proven, ANA, proven.reply_address(ANA), f"ADDRESS {WORK}")
    proven.mails()
    assert send(proven, WORK, proven.reply_address(ANA), "taunt Boo") == "held"
    assert send(proven, WORK, PLAIN, "taunt Boo") == "held"
    assert addresses(proven) == [ANA]


def test_an_automatic_answer_adds_nothing(proven: Club) -> None:
    send(proven, ANA, proven.reply_address(ANA), f"ADDRESS {WORK}")
    assert send(proven, WORK, asked(proven), "I am away.", Auto_Submitted="auto-replied") == "ignored"
    assert addresses(proven) == [ANA]


def test_the_question_cannot_be_answered_after_the_next_stage(proven: Club) -> None:
    send(proven, ANA, proven.reply_address(ANA), f"ADDRESS {WORK}")
    question = asked(proven)
    for _ in range(2):
        proven.clock.go(days=3)
        assert proven.run() == 1
    assert send(proven, WORK, question, "YES") == "held"
    assert addresses(proven) == [ANA]


def test_a_dropped_address_cannot_come_back_by_the_old_question(proven: Club) -> None:
    to = proven.reply_address(ANA)
    send(proven, ANA, to, f"ADDRESS {WORK}")
    question = asked(proven)
    send(proven, WORK, question, "YES")
    assert send(proven, WORK, question, "YES") == "answered"
    proven.mails()
    assert send(proven, ANA, to, f"FORGET {WORK}") == "answered"
    assert heard(proven) == {ANA, WORK}
    assert send(proven, WORK, question, "YES") == "held"
    assert addresses(proven) == [ANA]
    send(proven, ANA, to, f"ADDRESS {WORK}")
    send(proven, WORK, asked(proven), "YES")
    assert addresses(proven) == [ANA, WORK]


def test_that_an_address_was_dropped_does_not_hang_on_how_it_is_written_down(proven: Club) -> None:
    to = proven.reply_address(ANA)
    send(proven, ANA, to, f"ADDRESS {WORK}")
    question = asked(proven)
    send(proven, WORK, question, "YES")
    send(proven, ANA, to, f"FORGET {WORK}")
    with proven.host.unit() as unit:
        for entry in unit.campaigns.audits(unit.campaigns.all()[0]):
            entry.what = "other words"
        unit.commit()
    assert send(proven, WORK, question, "YES") == "held"
    assert addresses(proven) == [ANA]


def test_an_address_is_replaced_by_one_mail(proven: Club) -> None:
    """What was asked of one address does not become void because another one is dropped."""
    proven.mails()
    send(proven, BEN, proven.reply_address(BEN), "ADDRESS ben@new.example\nFORGET ben@work.example")
    send(proven, "ben@new.example", asked(proven, "ben@new.example"), "YES")
    assert addresses(proven, "South") == [BEN, "ben@new.example"]


def test_a_dropped_address_gets_no_reply_address(proven: Club) -> None:
    to = proven.reply_address(BEN)
    proven.mails()
    send(proven, BEN, to, "FORGET ben@work.example")
    mails = {mail.recipient: mail for mail in proven.mails()}
    assert mails.keys() == {BEN, "ben@work.example"}
    assert b"\nReply-To" in mails[BEN].raw
    assert b"\nReply-To" not in mails["ben@work.example"].raw


def test_the_last_address_stays(proven: Club) -> None:
    proven.mails()
    send(proven, ANA, proven.reply_address(ANA), f"FORGET {ANA}")
    assert "only one" in text_of(proven.mail_to(ANA))
    assert addresses(proven) == [ANA]


def test_reports_go_to_the_address_that_is_named(proven: Club) -> None:
    send(proven, BEN, proven.reply_address(BEN), "Reports to: Ben@Work.example")
    assert addresses(proven, "South") == ["ben@work.example", BEN]
    proven.mails()
    proven.clock.go(days=3)
    proven.run()
    assert heard(proven) >= {"ben@work.example"}


def test_reports_go_past_an_address_that_fails(proven: Club) -> None:
    with proven.host.unit() as unit:
        seat = unit.campaigns.seats_of(BEN)[0]
        unit.campaigns.registered(seat)[0].failing = True
        unit.commit()
    assert addresses(proven, "South") == ["ben@work.example", BEN]
    send(proven, BEN, proven.reply_address(BEN), f"REPORTS TO {BEN}")
    assert addresses(proven, "South") == [BEN, "ben@work.example"]


def test_reports_cannot_go_to_an_address_that_was_not_added(proven: Club) -> None:
    proven.mails()
    send(proven, ANA, proven.reply_address(ANA), f"REPORTS TO {EVE}")
    assert f"ADDRESS {EVE}" in " ".join(text_of(proven.mail_to(ANA)).split())
    assert addresses(proven) == [ANA]


def test_whose_address_it_is_he_does_not_learn(proven: Club) -> None:
    """Asking must not tell who plays against whom."""
    to = proven.reply_address(ANA)
    answers = []
    for address in (BEN, "nobody@example.org"):
        proven.mails()
        send(proven, ANA, to, f"ADDRESS {address}")
        answers.append(next(mail for mail in proven.mails() if mail.recipient == ANA))
    one, other = (text_of(mail).replace("nobody@example.org", BEN) for mail in answers)
    assert one == other
    with proven.host.unit() as unit:
        held = unit.letters.latest(5, "held")
    assert [letter.note.partition("; ")[2] for letter in held] == [
        f"asked to add {BEN}, from where another seat is played or a campaign is led"
    ]
    send(proven, BEN, PLAIN, "STATUS")
    assert addresses(proven, "South") == [BEN, "ben@work.example"]


def test_an_organizers_address_is_not_asked(proven: Club) -> None:
    """He would be one of the players' addresses then, and mail for the one could go to the other."""
    proven.mails()
    assert send(proven, ANA, proven.reply_address(ANA), "ADDRESS olga@example.org") == "held"
    assert not [mail for mail in proven.mails() if "joining" in mail.cause and mail.status == "due"]


def test_how_many_may_be_asked_does_not_tell_who_was(proven: Club) -> None:
    """A question that is not sent counts like one that is."""
    to = proven.reply_address(ANA)
    for address in (BEN, "one@example.org", "two@example.org"):
        send(proven, ANA, to, f"ADDRESS {address}")
    proven.mails()
    send(proven, ANA, to, "ADDRESS three@example.org")
    assert "only a few addresses in an hour" in text_of(proven.mail_to(ANA))


def test_nobody_is_flooded_with_questions(proven: Club) -> None:
    to = proven.reply_address(ANA)
    proven.mails()
    send(proven, ANA, to, "\n".join(f"ADDRESS x{number}@example.org" for number in range(9)))
    assert len([mail for mail in proven.mails() if mail.recipient.startswith("x")]) == 3
    proven.clock.go(hours=1, seconds=1)
    send(proven, ANA, to, f"ADDRESS {WORK}")
    assert WORK in heard(proven)


@pytest.mark.parametrize(
    "line", ["ADDRESS", "addresses", "ADDRESS me@", "ADDRESS a@b.example c@d.example", "FORGET @", f"ADDRESS {PLAIN}"]
)
def test_what_cannot_be_read_changes_nothing(proven: Club, line: str) -> None:
    proven.mails()
    assert send(proven, ANA, proven.reply_address(ANA), line) == "answered"
    assert heard(proven) == {ANA}
    assert addresses(proven) == [ANA]


@pytest.mark.parametrize(
    "line", [f"ADDRESS <{WORK}>", f"address: {WORK}", f"ADDRESS {WORK} <mailto:{WORK}>", f"* Address {WORK}."]
)
def test_an_address_may_be_written_as_phones_do(proven: Club, line: str) -> None:
    proven.mails()
    send(proven, ANA, proven.reply_address(ANA), line)
    assert WORK in heard(proven)


def test_words_in_the_quoted_part_do_nothing(proven: Club) -> None:
    """The warning that somebody wrote with a player's reply address names such words."""
    proven.mails()
    assert send(proven, ANA, proven.reply_address(ANA), f"> ADDRESS {EVE}\n> NEW TOKEN\n> taunt Boo") == "asked"
    assert heard(proven) == {ANA}
    assert send(proven, ANA, proven.reply_address(ANA), "YES") == "filed"
    assert EVE not in heard(proven)
    assert addresses(proven) == [ANA]


def test_orders_in_the_same_mail_are_filed(proven: Club) -> None:
    proven.mails()
    assert send(proven, ANA, proven.reply_address(ANA), f"taunt Boo\nADDRESS {WORK}") == "filed"
    assert heard(proven) == {ANA, BEN, WORK}


def test_a_player_of_two_campaigns_adds_an_address_to_one(proven: Club) -> None:
    first = proven.reply_address(ANA)
    proven.begin(CAMPAIGN.replace('"gate"', '"tower"').replace("The Gate", "The Tower"))
    send(proven, ANA, first, f"ADDRESS {WORK}")
    send(proven, WORK, asked(proven), "YES")
    with proven.host.unit() as unit:
        assert [unit.campaigns.get(seat.campaign_id).name for seat in unit.campaigns.seats_of(WORK)] == ["gate"]


def test_a_new_token_makes_the_old_ones_void(club: Club) -> None:
    old = club.reply_address(ANA)
    club.mails()
    assert send(club, ANA, old, "NEW TOKEN") == "answered"
    answer, report = club.mails()[-2:]
    new = club.reply_address(ANA)
    assert {reply_to(answer.raw), reply_to(report.raw)} == {new}
    assert new != old
    assert old.partition("+")[2].partition("@")[0] not in report.raw.decode()
    assert send(club, ANA, old, "taunt Boo") == "asked"
    club.mails()
    assert send(club, EVE, old, "taunt Boo") == "held"
    assert heard(club) == {EVE}, "who has an old token has none"
    assert send(club, ANA, new, "taunt Boo") == "filed"


def test_a_report_comes_again_with_the_new_token(club: Club) -> None:
    send(club, ANA, club.reply_address(ANA), "NEW TOKEN")
    club.mails()
    assert send(club, ANA, club.reply_address(ANA), "RESEND") == "answered"
    with club.host.unit() as unit:
        reports = [mail for mail in unit.outbox.latest(50) if " report 0 A" in mail.cause]
    assert [mail.cause for mail in reports] == ["gate report 0 A 2", "gate report 0 A"]


def test_a_new_token_needs_no_proof(host: Host, clock: Clock) -> None:
    """It does no harm, and he whose token is in wrong hands must be able to do it at once."""
    club = Club(replace(host, prove=lambda raw, sender: Proof.ABSENT), clock)
    club.begin()
    assert send(club, ANA, club.reply_address(ANA), "new token") == "answered"


@pytest.mark.parametrize(("line", "said"), [(f"FORGET {ANA}", "only one"), (f"REPORTS TO {EVE}", f"ADDRESS {EVE}")])
def test_what_cannot_be_done_is_refused_before_a_yes_is_asked(club: Club, line: str, said: str) -> None:
    club.mails()
    assert send(club, ANA, club.reply_address(ANA), line) == "answered"
    mail = club.mail_to(ANA)
    assert said in " ".join(text_of(mail).split())
    assert "YES" not in mail.subject


def test_an_address_that_is_none_is_told_beside_lines_that_are_good(proven: Club) -> None:
    proven.mails()
    assert send(proven, ANA, proven.reply_address(ANA), "taunt Boo\nADDRESS anaatwork") == "filed"
    text = " ".join(text_of(proven.mail_to(ANA)).split())
    assert "'anaatwork' is no mail address" in text
    assert "ADDRESS ben@example.org" in text


def test_the_subject_says_what_happened(proven: Club) -> None:
    def subject(line: str) -> str:
        proven.mails()
        send(proven, ANA, proven.reply_address(ANA), line)
        return next(mail.subject for mail in proven.mails() if mail.recipient == ANA and "addresses" in mail.cause)

    assert subject("ADDRESS") == "[gate] Your addresses"
    assert subject(f"ADDRESS {WORK}") == "[gate] A new address is asked"
    assert subject("NEW TOKEN") == "[gate] Your reply address has changed"


def test_who_writes_before_he_has_answered_the_question_is_told_of_it(proven: Club) -> None:
    old = proven.reply_address(ANA)
    send(proven, ANA, old, f"ADDRESS {WORK}")
    question = asked(proven)
    assert send(proven, WORK, old, "taunt Boo") == "held"
    (warning, answer) = sorted(proven.mails(), key=lambda mail: mail.recipient)
    assert "the question that went there on Mon 4 May, 14:00 waits for a YES" in " ".join(text_of(warning).split())
    assert f"ADDRESS {WORK}" not in text_of(warning)
    assert "On Mon 4 May, 12:00 UTC I sent a question here" in " ".join(text_of(answer).split())
    send(proven, WORK, question, "no")
    send(proven, WORK, old, "taunt Boo again")
    assert not any("question" in text_of(mail) for mail in proven.mails())


def test_of_a_question_that_did_not_go_out_nobody_is_told_there(proven: Club) -> None:
    """The owner hears the same in any case; who reads that address has got nothing."""
    old = proven.reply_address(ANA)
    send(proven, ANA, old, f"ADDRESS {WORK}")
    with proven.host.unit() as unit:
        question = next(mail for mail in unit.outbox.latest(10) if mail.recipient == WORK)
        unit.outbox.keep_back(question.message_id, "for the test")
        unit.commit()
    proven.mails()
    send(proven, WORK, old, "taunt Boo")
    (warning, answer) = sorted(proven.mails(), key=lambda mail: mail.recipient)
    assert "the question that went there" in " ".join(text_of(warning).split())
    assert "question" not in text_of(answer)
