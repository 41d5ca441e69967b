"""Strangers join by mail: what it takes, what they are told, and what nobody can do to anybody with it (NIP 2.1)."""

import re
from email.message import EmailMessage

import pytest

from pbem.core.errors import BadInput
from pbem.mail.authentication import Proof
from pbem.rulesets.nippon.state import State
from pbem.service.host import Host
from pbem.service.stages.begin import begin
from pbem.service.stages.campaign_file import read_campaign
from pbem.service.stages.replay import replay
from pbem.storage.tables import Mail
from tests.service.conftest import PLAIN, Club, Opened, text_of
from tests.service.test_identify import club_with

ANA, CLEO, DAN, EVE, OLGA = (f"{name}@example.org" for name in ("ana", "cleo", "dan", "eve", "olga"))

FREE = """
name = "duel"
title = "The Duel"
rules = "nippon"
organizer = "olga@example.org"
zone = "Europe/Berlin"
schedule = { set-up = "after 4d", orders = "after 7d", meetings = "after 3d" }
options = { map = "duel", setup = true }
join = { seats = 2, how = "open" }

[[seat]]
name = "Thorn"
address = "ana@example.org"
"""

CODED = FREE.replace('how = "open"', 'how = "code", code = "Sunflower"')
APPROVED = FREE.replace('how = "open"', 'how = "approved"')
NOBODY_YET = FREE.partition("[[seat]]")[0].replace("seats = 2", "seats = 3")
TWO_SEATED = FREE + '\n[[seat]]\nname = "Larks"\naddress = "ben@example.org"\n'

JOIN = "JOIN duel as Crane Host with mountain clans"


def join(club: Club, sender: str, text: str = JOIN, **more: str) -> str:
    """A letter of somebody who wants a seat; what became of it."""
    return club.write(sender, text, to=PLAIN, **more)


def joined(club: Club, sender: str, text: str = JOIN) -> str:
    """The same, and his YES."""
    assert join(club, sender, text) == "asked"
    return club.write(sender, "YES")


def position(club: Club) -> State:
    """The position as it is stored."""
    with club.host.unit() as unit:
        campaign = unit.campaigns.all()[0]
        state = club.host.state(campaign, unit.turns.last(campaign))
    assert isinstance(state, State)
    return state


def seats(club: Club) -> dict[str, str]:
    """The addresses from which each realm is played."""
    with club.host.unit() as unit:
        found = unit.campaigns.seats(unit.campaigns.all()[0])
        return {seat.name: unit.campaigns.address(seat) for seat in found}


def told(mail: Mail) -> str:
    """What a mail says, in one line."""
    return " ".join(text_of(mail).split())


# --- a free seat ------------------------------------------------------------------------------------------------------


def test_who_answers_yes_has_the_seat_at_once(opened: Opened) -> None:
    club = opened(FREE)
    assert join(club, CLEO) == "asked"
    question = club.mail_to(CLEO)
    assert "to lead Crane Host (army: mountain clans)" in told(question)
    assert list(seats(club)) == ["Thorn"]
    assert club.write(CLEO, "yes please") == "answered"
    mails = club.mails()
    assert [mail.subject for mail in mails if mail.recipient == CLEO] == [
        "[duel] You lead Crane Host in The Duel",
        "[duel] Choose headquarters and army: you lead Crane Host",
    ]
    (news,) = [mail for mail in mails if mail.recipient == OLGA]
    assert "cleo@example.org has joined and leads Crane Host; seats still free: 1." in told(news)
    assert "WAITS FOR YOU" not in text_of(news)
    assert seats(club) == {"Thorn": ANA, "Crane Host": CLEO}
    assert position(club).realms["B"].army == "mountain clans"
    assert club.write(CLEO, "headquarters 16\nFINAL") == "filed"


def test_a_campaign_with_joined_players_begins_and_can_be_played_again(opened: Opened) -> None:
    club = opened(FREE)
    assert joined(club, CLEO) == "answered"
    assert club.write(ANA, "headquarters 4\nFINAL") == "filed"
    assert club.write(CLEO, "headquarters 16\nFINAL") == "filed"
    assert club.run() == 0  # One seat is free still.
    club.clock.go(days=4)
    assert club.run() == 1
    state = position(club)
    assert (state.turn, state.stage) == (1, "orders")
    assert {realm.name: realm.headquarters for realm in state.realms.values()} == {"Thorn": 4, "Crane Host": 16}
    assert [step.differs for step in replay(club.host, "duel")] == [(), (), ()]
    assert "Crane Host joined the campaign" in told([mail for mail in club.mails() if mail.recipient == ANA][-1])


def test_the_last_free_seat_lets_the_stage_end_when_all_are_done(opened: Opened) -> None:
    club = opened(FREE.replace("seats = 2", "seats = 1"))
    joined(club, CLEO)
    for player in (ANA, CLEO):
        club.write(player, "OK, FINAL")
    assert club.run() == 1


@pytest.mark.parametrize(
    ("subject", "body"),
    [
        ("JOIN duel as Crane Host with mountain clans", "Hello,\nCleo"),
        (
            "Re: the game",
            "Hi Olga!\n\nI'd like to join The Duel as Crane Host with the mountain clans, please.",
        ),
        ("seat", 'join the campaign duel as "Crane Host" with mountain-clans'),
        ("seat", "pls join duel as Crane Host, playing Mountain Clan!"),
        ("seat", "Hi Olga, may we join your game duel, as Crane Host with mountain clans? Thanks a lot."),
        ("I want to join duel", "Hi!\nJOIN duel as Crane Host with mountain clans. Cheers, Cleo"),
    ],
)
def test_many_ways_to_say_it(opened: Opened, subject: str, body: str) -> None:
    club = opened(FREE)
    assert join(club, CLEO, body, subject=subject) == "asked"
    assert "to lead Crane Host (army: mountain clans)" in told(club.mail_to(CLEO))


@pytest.mark.parametrize(
    ("text", "reason", "instead"),
    [
        ("JOIN duel", "A realm needs a name", "JOIN duel as Crane Host"),
        ("I would like to join duel please", "A realm needs a name", "JOIN duel as Crane Host"),
        ("Hi, can I join The Duel as soon as possible? Cleo", "A realm needs a name", "JOIN duel as Crane Host"),
        ("JOIN duel as http://x.example with dwarfs", "A realm needs", "JOIN duel as Crane Host with dwarfs"),
        ("JOIN duel as thorn with dwarfs", "Another realm is called Thorn.", "JOIN duel as New thorn with dwarfs"),
        ("JOIN duel as A with dwarfs", "A would be taken for the letter of a", "JOIN duel as New A with dwarfs"),
        ("JOIN duel as Z with dwarfs", "Z would be taken for the letter of a", "JOIN duel as New Z with dwarfs"),
        ("JOIN duel as Realm B with dwarfs", "would be taken for the letter", "JOIN duel as New Realm B with dwarfs"),
        (
            "JOIN duel as The Thorn with dwarfs",
            "Another realm is called Thorn.",
            "JOIN duel as New The Thorn with dwarfs",
        ),
        ("JOIN duel as Crane Host with elfs", "There is no such people", "JOIN duel as Crane Host with high elves"),
        ("JOIN duel as Crane Host with orks", "There is no such", "JOIN duel as Crane Host with orcs and goblins"),
        ("JOIN duel as Crane Host with sheep", "there are: dwarfs", "JOIN duel as Crane Host with free peoples"),
        ("JOIN duel as Thorn with elfs", "Another realm is called", "JOIN duel as New Thorn with high elves"),
        ("JOIN duel as Thorn with elfs", "There is no such people", "JOIN duel as New Thorn with high elves"),
    ],
)
def test_what_cannot_be_is_told_with_his_own_line_mended(opened: Opened, text: str, reason: str, instead: str) -> None:
    club = opened(FREE)
    assert join(club, CLEO, text) == "answered"
    mail = club.mail_to(CLEO)
    assert reason in told(mail)
    assert instead in [line.strip() for line in text_of(mail).splitlines()]
    assert list(seats(club)) == ["Thorn"]
    assert join(club, CLEO, instead) == "asked"


def test_a_mended_line_keeps_the_code(opened: Opened) -> None:
    club = opened(CODED)
    join(club, CLEO, "JOIN duel as Thorn with elfs, code Sunflower")
    instead = "JOIN duel as New Thorn with high elves, code Sunflower"
    assert instead in text_of(club.mail_to(CLEO))
    assert join(club, CLEO, instead) == "asked"


def test_who_has_no_code_hears_where_it_belongs_and_nothing_of_who_plays(opened: Opened) -> None:
    club = opened(CODED)
    join(club, CLEO, "JOIN duel as Thorn with dwarfs, code Moonflower")
    answer = text_of(club.mail_to(CLEO))
    assert "JOIN duel as Thorn with dwarfs, code CODE" in answer
    assert "flower" not in answer
    assert "Another realm" not in answer


def test_who_is_too_late_hears_it(opened: Opened) -> None:
    club = opened(FREE)
    joined(club, CLEO)
    assert join(club, EVE, "JOIN duel as Eve Host") == "asked"
    joined(club, DAN, "JOIN duel as Dan Host with dwarfs")
    club.mails()
    assert club.write(EVE, "YES") == "answered"  # Two have been quicker.
    assert "All its seats are taken." in told(club.mail_to(EVE))
    club.clock.go(days=4)
    club.run()
    club.mails()
    assert join(club, EVE) == "answered"
    assert "The campaign has begun" in told(club.mail_to(EVE))


def test_a_second_letter_of_one_person_takes_the_place_of_the_first(opened: Opened) -> None:
    club = opened(FREE)
    join(club, CLEO)
    first = club.reply_address(CLEO)
    join(club, CLEO, "JOIN duel as Swan Host with dwarfs")
    assert club.write(CLEO, "YES", to=first) == "held"  # What it asked about is no longer wanted.
    assert club.write(CLEO, "YES") == "held"  # The answer to a stranger has no reply address.
    assert list(seats(club)) == ["Thorn"]


def test_who_plays_already_gets_no_second_seat(opened: Opened) -> None:
    club = opened(FREE)
    assert join(club, ANA) == "answered"
    assert "You lead Thorn already." in told(club.mail_to(ANA))
    joined(club, CLEO)
    club.mails()
    assert join(club, CLEO, "JOIN duel as Swan Host") == "answered"
    assert "You lead Crane Host already." in told(club.mail_to(CLEO))


def test_a_line_of_a_player_that_begins_with_join_is_an_order(opened: Opened) -> None:
    club = opened(FREE)
    club.write(ANA, JOIN)
    assert "Do you want to join" not in club.mail_to(ANA).subject


# --- a code, and the organizer's word ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (f"{JOIN}, code sunflower", "asked"),
        (f"{JOIN}\n\nThe code: SUNFLOWER.", "asked"),
        (JOIN, "answered"),
        (f"{JOIN}, code sunflowers", "answered"),
    ],
)
def test_where_a_code_is_needed_it_must_be_in_the_mail(opened: Opened, text: str, status: str) -> None:
    club = opened(CODED)
    assert join(club, CLEO, text) == status
    assert ("needs the code of the campaign" in told(club.mail_to(CLEO))) == (status == "answered")


def test_where_the_organizer_decides_he_is_asked_and_answers(opened: Opened) -> None:
    club = opened(APPROVED)
    joined(club, CLEO)
    mails = club.mails()
    (question,) = [mail for mail in mails if mail.recipient == OLGA]
    assert "SEAT cleo@example.org" in text_of(question)
    assert "The organizer decides" in told(mails[-1])
    assert list(seats(club)) == ["Thorn"]
    assert club.write(OLGA, "status") == "answered"
    assert "cleo@example.org wants to join as Crane Host" in told(club.mail_to(OLGA))
    assert club.write(OLGA, "Seat Cleo@example.org") == "answered"
    assert seats(club)["Crane Host"] == CLEO
    assert "[duel] You lead Crane Host in The Duel" in [mail.subject for mail in club.mails()]


def test_whom_the_organizer_refuses_hears_it_and_asks_no_more(opened: Opened) -> None:
    club = opened(APPROVED)
    joined(club, CLEO)
    club.write(OLGA, "refuse cleo@example.org")
    assert "cannot give you a seat" in told([mail for mail in club.mails() if mail.recipient == CLEO][-1])
    assert join(club, CLEO) == "answered"
    assert "has decided about your request already" in told(club.mail_to(CLEO))


def test_the_organizer_hears_why_nobody_can_be_seated(opened: Opened) -> None:
    club = opened(APPROVED)
    club.write(OLGA, "seat eve@example.org")
    assert "Nobody of this address waits for a seat" in told(club.mail_to(OLGA))


# --- what strangers cannot do -----------------------------------------------------------------------------------------


def test_a_forged_letter_seats_nobody_and_tells_nothing_of_the_game(opened: Opened) -> None:
    club = opened(FREE)
    join(club, EVE)  # In Eve's name, by somebody else.
    asked = club.reply_address(EVE)
    assert "Thorn" not in text_of(club.mail_to(EVE))
    assert club.write(EVE, "YES", to=PLAIN) == "held"
    assert club.write(CLEO, "YES", to=asked) == "held"
    assert club.write(EVE, "No, never heard of it", to=asked) == "answered"
    assert club.write(EVE, "YES", to=asked) == "held"
    assert list(seats(club)) == ["Thorn"]


def test_a_yes_counts_for_the_seat_that_was_asked_about_alone(opened: Opened) -> None:
    """Somebody who writes in another's name after him changes nothing that his YES would do."""
    club = opened(FREE)
    join(club, EVE, "JOIN duel as Eve Host")
    asked = club.reply_address(EVE)
    join(club, EVE, "JOIN duel as Silly Sausages")
    assert club.write(EVE, "YES", to=asked) == "held"
    assert list(seats(club)) == ["Thorn"]


@pytest.mark.parametrize("text", ["JOIN other as Crane Host", "JOIN", "I want to join the army as a cook"])
def test_who_names_no_campaign_with_free_seats_is_a_stranger_like_others(opened: Opened, text: str) -> None:
    club = opened(FREE)
    assert join(club, CLEO, text) == "held"
    assert club.mail_to(CLEO).subject == "I do not know this address"


def test_whether_a_campaign_without_free_seats_exists_is_not_told(duel: Club) -> None:
    assert join(duel, CLEO) == "held"
    assert duel.mail_to(CLEO).subject == "I do not know this address"


def test_letters_of_strangers_who_join_have_few_answers(opened: Opened) -> None:
    club = opened(FREE)
    for number in range(club.host.limits.strangers + 3):
        join(club, CLEO, f"JOIN duel as Crane Host\n{number}", subject=str(number))
    assert len(club.mails()) == club.host.limits.strangers


def test_all_who_want_to_join_together_have_so_many_answers_as_strangers_have(opened: Opened) -> None:
    club = opened(FREE)
    for number in range(club.host.limits.strangers_together + 3):
        join(club, f"p{number}@example.org")
    assert len(club.mails()) == club.host.limits.strangers_together


def test_a_machine_that_asks_for_a_seat_gets_no_answer(opened: Opened) -> None:
    club = opened(FREE)
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"], letter["Auto-Submitted"] = CLEO, PLAIN, JOIN, "auto-replied"
    letter.set_content(JOIN)
    assert club.offer(letter.as_bytes()) == "ignored"
    assert club.mails() == []


def test_a_proof_of_the_sender_does_not_take_the_place_of_a_yes(club: Club) -> None:
    club = club_with(club, Proof.ALIGNED)
    club.begin(FREE)
    assert join(club, CLEO) == "asked"
    assert "Crane Host" not in seats(club)


# --- too few ----------------------------------------------------------------------------------------------------------


def test_with_too_few_the_deadline_moves_once_then_the_organizer_decides(opened: Opened) -> None:
    club = opened(FREE)
    club.clock.go(days=4)
    assert club.run() == 0
    mails = club.mails()
    assert "One player too few" in told(next(mail for mail in mails if mail.recipient == OLGA))
    assert "more time to join" in next(mail for mail in mails if mail.recipient == ANA).subject
    club.clock.go(days=3)
    assert club.run() == 0
    assert club.mails() == []
    club.clock.go(days=1)
    assert club.run() == 0
    assert "the clock is stopped" in told(club.mail_to(OLGA))
    joined(club, CLEO)
    club.mails()
    club.write(OLGA, "resume")
    assert club.run() == 1
    assert position(club).stage == "orders"


def test_a_campaign_begins_without_those_who_did_not_come(opened: Opened) -> None:
    club = opened(TWO_SEATED)
    club.clock.go(days=4)
    assert club.run() == 1
    assert sorted(position(club).realms) == ["A", "B"]


def test_the_organizer_cannot_close_it_with_too_few(opened: Opened) -> None:
    club = opened(FREE)
    club.write(OLGA, "close")
    assert "The game needs 1 more player" in told(club.mail_to(OLGA))
    assert club.run() == 0


def test_all_seats_may_be_free_when_it_begins(opened: Opened) -> None:
    club = opened(NOBODY_YET)
    assert club.run() == 0
    joined(club, CLEO)
    joined(club, DAN, "JOIN duel as Dan Host")
    assert seats(club) == {"Crane Host": CLEO, "Dan Host": DAN}
    club.clock.go(days=4)
    assert club.run() == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            TWO_SEATED.replace("setup = true", "setup = false"),
            "join (line 9): seats can be free only while players set up",
        ),
        (FREE.replace("seats = 2", "seats = 9"), "seat: Nippon needs 2 to 4 seats"),
        (FREE.replace('"open"', '"code"'), 'a code belongs to how = "code", and to nothing else'),
        (CODED.replace("Sunflower", "abc"), "a shorter one is guessed"),
        (FREE.replace('"open"', '"closed"'), "join.how (line 9)"),
    ],
)
def test_what_is_wrong_with_free_seats_is_told(host: Host, text: str, reason: str) -> None:
    with pytest.raises(BadInput, match=re.escape(reason)):
        begin(host, read_campaign("duel.toml", text))
