"""Who wrote a letter: every row of the table in :mod:`pbem.service.incoming.identify`; what nobody may gain by it."""

from collections.abc import Callable
from dataclasses import replace
from email.utils import format_datetime

import pytest

from pbem.mail.authentication import Proof
from pbem.service.host import Host
from pbem.service.incoming.requeue import requeue
from pbem.storage.tables import number_of
from tests.service.conftest import CAMPAIGN, PLAIN, START, Clock, Club, letter_of, text_of

ANA, BEN, OLGA, EVE = "ana@example.org", "ben@example.org", "olga@example.org", "eve@evil.example"
TAUNT = "taunt Boo"
"""An order that anybody may give at any time, and the other side hears of it at once."""


def club_with(club: Club, proof: Proof = Proof.ABSENT, *, strict: bool = False) -> Club:
    """The club, whose mail server says this of every letter."""
    club.mails()
    return replace(club, host=replace(club.host, prove=lambda raw, sender: proof, strict=strict))


def token_of(club: Club, address: str) -> str:
    return club.reply_address(address).partition("+")[2].partition("@")[0]


def send(club: Club, sender: str, to: str, body: str = TAUNT, **headers: str) -> str:
    """Send a letter with a date, as mail programs do."""
    club.written += 1
    named = {"From": sender, "To": to, "Subject": "orders", "Date": format_datetime(club.clock())} | headers
    head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in named.items())
    club.raw.append(f"{head}Message-ID: <{club.written}@example.org>\r\n\r\n{body}\r\n".encode())
    return club.offer(club.raw[-1])


def heard(club: Club) -> set[str]:
    """Who got mail since the last look."""
    return {mail.recipient for mail in club.mails()}


ALIGNED, FAILED, ABSENT = Proof.ALIGNED, Proof.FAILED, Proof.ABSENT


@pytest.mark.parametrize(
    ("sender", "token", "proof", "strict", "outcome", "answered"),
    [
        (ANA, "her own", ALIGNED, False, "filed", {ANA, BEN}),
        (ANA, "her own", ALIGNED, True, "filed", {ANA, BEN}),
        (ANA, "her own", ABSENT, False, "filed", {ANA, BEN}),
        (ANA, "her own", ABSENT, True, "asked", {ANA}),
        (ANA, "her own", FAILED, False, "asked", {ANA}),
        (ANA, "none", ALIGNED, False, "filed", {ANA, BEN}),
        (ANA, "none", ABSENT, False, "asked", {ANA}),
        (ANA, "none", FAILED, False, "asked", {ANA}),
        (ANA, "another's", ALIGNED, False, "filed", {ANA, BEN}),
        (ANA, "another's", ABSENT, False, "asked", {ANA}),
        (EVE, "her own", ALIGNED, False, "held", {EVE, ANA}),
        (EVE, "her own", ABSENT, False, "held", {EVE, ANA}),
        (EVE, "none", ALIGNED, False, "held", {EVE}),
    ],
    ids=lambda value: value.value if isinstance(value, Proof) else str(value) if isinstance(value, str) else "",
)
def test_the_table(
    club: Club, sender: str, token: str, proof: Proof, strict: bool, outcome: str, answered: set[str]
) -> None:
    club = club_with(club, proof, strict=strict)
    to = {"her own": club.reply_address(ANA), "another's": club.reply_address(BEN), "none": PLAIN}[token]
    assert send(club, sender, to) == outcome
    assert heard(club) == answered


def test_what_is_put_up_counts_after_a_yes_whatever_the_mail_server_says(club: Club) -> None:
    """Else a player whose mail server is set up badly could never play."""
    club = club_with(club, FAILED, strict=True)
    assert send(club, ANA, club.reply_address(ANA)) == "asked"
    question = club.reply_address(ANA)
    assert send(club, ANA, question, "YES") == "filed"
    assert BEN in heard(club)


def test_a_yes_from_another_address_does_not_count(club: Club) -> None:
    club = club_with(club, FAILED)
    send(club, ANA, club.reply_address(ANA))
    question = club.reply_address(ANA)
    club.mails()
    assert send(club, EVE, question, "YES") == "held"
    assert send(club, BEN, question, "YES") == "asked"
    assert heard(club) == {EVE, BEN}


# --- no token, but proven -----------------------------------------------------------------------------------------

SECOND = CAMPAIGN.replace('"gate"', '"tower"').replace("The Gate", "The Tower")


@pytest.mark.parametrize(
    ("title", "subject", "body", "outcome"),
    [
        ("two seats and no hint", "orders", TAUNT, "asked"),
        ("the subject names the campaign", "Re: [tower] Turn 1", TAUNT, "filed"),
        ("the card names it, with an old token", "orders", f"=== tower turn 1 ABCD2345 ===\n{TAUNT}\nEND", "filed"),
        ("the card names a turn that is not open", "[tower]", f"=== tower turn 7 ABCD2345 ===\n{TAUNT}\nEND", "asked"),
        ("the card names no campaign of hers", "orders", f"=== keep turn 1 ABCD2345 ===\n{TAUNT}\nEND", "asked"),
    ],
)
def test_which_seat_a_letter_without_token_is_for(
    club: Club, title: str, subject: str, body: str, outcome: str
) -> None:
    club = club_with(club, ALIGNED)
    club.begin(SECOND)
    club.mails()
    assert send(club, ANA, PLAIN, body, Subject=subject) == outcome, title
    told = [mail.subject for mail in club.mails() if mail.recipient == BEN]
    assert [subject.startswith("[tower]") for subject in told] == ([True] if outcome == "filed" else [])


def test_a_letter_written_before_the_stage_opened_is_asked_about(club: Club) -> None:
    """It may be for the stage before; or somebody who got a copy has sent it once more."""
    club = club_with(club, ALIGNED)
    club.clock.go(days=3)
    assert club.run() == 1
    club.mails()
    assert send(club, ANA, PLAIN, Date=format_datetime(START)) == "asked"
    assert send(club, ANA, PLAIN, Date="") == "asked"
    assert send(club, ANA, PLAIN) == "filed"


def test_an_organizer_whose_mail_server_vouches_for_him_needs_no_token(club: Club) -> None:
    club = club_with(club, ALIGNED)
    assert send(club, OLGA, PLAIN, "pause") == "answered"


@pytest.mark.parametrize(("proof", "strict"), [(FAILED, False), (ABSENT, True)])
def test_an_organizer_who_is_not_proven_steers_by_answering(club: Club, proof: Proof, strict: bool) -> None:
    club = club_with(club, proof, strict=strict)
    assert send(club, OLGA, club.reply_address(OLGA), "close") == "asked"
    assert club.run() == 0
    answer = club.mail_to(OLGA)
    assert "nothing was done" in " ".join(text_of(answer).split())
    assert send(club, EVE, club.reply_address(OLGA), "close") == "held"
    assert club.run() == 0
    assert letter_of(answer).recipients == (OLGA,)
    assert send(club, OLGA, reply_to(answer.raw), "close") == "answered"
    assert club.run() == 1


def reply_to(raw: bytes) -> str:
    return next(line.partition(b": ")[2].decode() for line in raw.splitlines() if line.startswith(b"Reply-To: "))


# --- strangers ----------------------------------------------------------------------------------------------------


def test_a_stranger_cannot_tell_a_good_token_from_a_bad_one(club: Club) -> None:
    answers = []
    for to in (club.reply_address(ANA), PLAIN.replace("@", "+ABCD2345@"), club.reply_address(OLGA)):
        club.mails()
        club.clock.go(hours=1)
        assert send(club, EVE, to) == "held"
        answers += [mail for mail in club.mails() if mail.recipient == EVE]
    texts = {(mail.subject, text_of(mail)) for mail in answers}
    assert len(answers) == 3
    assert len(texts) == 1
    assert not any("gate" in word.lower() or "+" in word for pair in texts for word in pair)


def test_whose_token_a_stranger_has_is_told_at_his_own_address(club: Club) -> None:
    club.mails()
    send(club, EVE, club.reply_address(ANA))
    mails = {mail.recipient: mail for mail in club.mails()}
    assert f"ADDRESS {EVE}" in text_of(mails[ANA])
    assert "NEW TOKEN" in text_of(mails[ANA])
    assert token_of(club, ANA) not in text_of(mails[EVE])


def test_the_first_line_of_a_card_tells_whose_it_is_as_well(club: Club) -> None:
    club.mails()
    send(club, EVE, PLAIN, f"=== gate turn 1 {token_of(club, ANA)} ===\n{TAUNT}\nEND")
    assert heard(club) == {EVE, ANA}


def test_the_organizer_is_told_of_his_own_token(club: Club) -> None:
    club.mails()
    assert send(club, EVE, club.reply_address(OLGA), "close") == "held"
    assert heard(club) == {EVE, OLGA}
    assert club.run() == 0


def test_nobody_is_flooded_with_warnings(club: Club) -> None:
    club.mails()
    for number in range(10):
        send(club, f"eve{number}@evil.example", club.reply_address(ANA))
    assert [mail.recipient for mail in club.mails()].count(ANA) == 3


@pytest.mark.parametrize(
    "sender",
    [
        f"{ANA}, {EVE}",
        f"Friends: {ANA};",
        "ana@example.org)<eve@evil.example>",
        f"<{ANA}> <{EVE}>",
        f"{ANA}\r\nFrom: {EVE}",
        f'"{ANA}',
        "",
    ],
)
def test_a_sender_that_can_be_read_in_two_ways_is_nobody(club: Club, sender: str) -> None:
    club = club_with(club, ALIGNED)
    assert send(club, sender, club.reply_address(ANA)) == "held"
    assert heard(club) == {ANA}, "who has the token is told, and nobody else"
    with club.host.unit() as unit:
        (letter,) = unit.letters.waiting(unit.campaigns.all()[0], START)
    assert letter.note == "no usable sender address, with a token of North"


def test_a_name_that_looks_like_an_address_is_a_name(club: Club) -> None:
    club = club_with(club, ABSENT)
    assert send(club, f'"{ANA}" <{EVE}>', club.reply_address(ANA)) == "held"
    assert heard(club) == {ANA, EVE}


@pytest.mark.parametrize("write", [lambda club, to: send(club, ANA, to, "STATUS", Reply_To=EVE)], ids=["reply-to"])
def test_nothing_ever_goes_to_a_reply_to(club: Club, write: Callable[[Club, str], str]) -> None:
    """It is in no mail server's proof: whoever forges it would get what is the player's."""
    club.mails()
    for to in (club.reply_address(ANA), PLAIN):
        write(club, to)
    send(club, EVE, club.reply_address(ANA), Reply_To="mallory@evil.example", Sender="mallory@evil.example")
    assert heard(club) == {ANA, EVE}


# --- when the proof is asked for ----------------------------------------------------------------------------------


def test_only_letters_of_known_addresses_are_proven(host: Host, clock: Clock) -> None:
    asked: list[str] = []

    def prove(raw: bytes, sender: str) -> Proof:
        asked.append(sender)
        with host.unit() as unit:  # It may take its time: no transaction is open.
            unit.campaigns.audit(unit.campaigns.all()[0], clock(), "prove", "asked")
            unit.commit()
        return Proof.ABSENT

    club = Club(replace(host, prove=prove), clock)
    club.begin()
    to = club.reply_address(ANA)
    send(club, ANA, to)
    send(club, OLGA, PLAIN, "status")
    send(club, EVE, to)
    send(club, ANA, to, Auto_Submitted="auto-replied")
    send(club, "", to)
    assert asked == [ANA, OLGA]


def test_a_letter_that_the_organizer_lets_in_is_proven_again(club: Club) -> None:
    club = club_with(club, FAILED)
    send(club, ANA, club.reply_address(ANA))
    with club.host.unit() as unit:
        (letter,) = unit.letters.latest(1)
    club.mails()
    assert requeue(club.host, number_of(letter), "command line").status == "asked"
    assert heard(club) == {ANA}
