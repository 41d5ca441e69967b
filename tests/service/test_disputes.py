"""Results that are not agreed, by mail: silence confirms, dice decide, or the organizer rules (NIP 8.5)."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from pbem.rulesets.nippon import NIPPON
from pbem.rulesets.nippon.state import State
from pbem.service.host import Host
from pbem.service.stages.replay import replay
from pbem.service.tokens import organizer_token
from tests.service.conftest import DUEL, Clock, Club, text_of

ANA, BEN, OLGA, DORA = (f"{name}@example.org" for name in ("ana", "ben", "olga", "dora"))

BOTH = ("Thorn and you", "you and Thorn")
"""The two sides as one of them reads it, whoever attacks."""

THIRD = """
[[seat]]
name = "Crane Host"
address = "dora@example.org"
headquarters = "Emberly"
"""


MEETING = {"A Red Dragons": 16, "B Blue Herons": 16}
ASSAULT = {"A Red Dragons": 6}
"""Before a neutral village."""


def met(host: Host, clock: Clock, text: str, where: Mapping[str, int] = MEETING) -> Club:
    """A campaign in which banners stand where somebody or something is to be met."""
    club = Club(host, clock)
    club.begin(text)
    with host.unit() as unit:
        turn = unit.turns.last(unit.campaigns.all()[0])
        state = NIPPON.codec.load(turn.state)
        for key, at in where.items():
            state.banners[key] = replace(state.banners[key], at=at)
        turn.state = NIPPON.codec.dump(state)
        unit.commit()
    clock.go(days=7)
    club.run()
    club.mails()
    return club


@pytest.fixture
def three(host: Host, clock: Clock) -> Club:
    return met(host, clock, DUEL + THIRD)


@pytest.fixture
def ruled(host: Host, clock: Clock) -> Club:
    """The organizer has the last word."""
    return met(host, clock, (DUEL + THIRD).replace('map = "duel"', 'map = "duel", disputes = "organizer"'))


def state(club: Club) -> State:
    with club.host.unit() as unit:
        found: State = NIPPON.codec.load(unit.turns.last(unit.campaigns.all()[0]).state)
    return found


def told(club: Club) -> dict[str, str]:
    """The last of the new mails to each, in one line."""
    return {mail.recipient: " ".join(f"{mail.subject} {text_of(mail)}".split()) for mail in club.mails()}


def replays(club: Club) -> bool:
    """Whether all comes out again as it did, since the two banners were put where they are."""
    return not any(step.differs for step in list(replay(club.host, "duel"))[2:])


def in_dispute(club: Club) -> None:
    club.write(ANA, "result 16: Thorn victory")
    club.write(BEN, 'dispute 16 "we stopped in round three"')


def test_silence_confirms_after_two_days_that_only_who_was_asked_is_waited_for(three: Club) -> None:
    three.write(ANA, "result 16: Thorn victory")
    three.clock.go(days=3)
    assert three.run() == 1
    mails = told(three)
    assert "an answer is awaited from you." in mails[BEN]
    assert "stands as reported, if you do not dispute it" in mails[BEN]
    assert "confirm 16" in mails[BEN]
    assert "Nothing: " in mails[DORA]
    assert "The turn waits for it." in mails[DORA]
    three.clock.go(days=1.9)
    assert three.run() == 0
    assert {mail.recipient for mail in three.mails()} <= {BEN}, "nobody else is reminded"
    three.clock.go(days=0.1)
    assert three.run() == 1
    assert "reported, and not disputed" in told(three)[DORA]
    assert state(three).turn == 2
    assert replays(three)


def test_the_schedule_may_say_otherwise(host: Host, clock: Clock) -> None:
    club = met(host, clock, DUEL.replace('meetings = "after 3d"', 'meetings = "after 3d", disputes = "after 5d"'))
    club.write(ANA, "result 16: Thorn victory")
    club.clock.go(days=3)
    club.run()
    club.clock.go(days=4)
    assert club.run() == 0
    club.clock.go(days=1)
    assert club.run() == 1


def test_an_answer_ends_the_wait(three: Club) -> None:
    three.write(ANA, "result 16: Thorn victory")
    three.clock.go(days=3)
    three.run()
    three.write(BEN, "confirm 16")
    assert three.run() == 1
    assert state(three).turn == 2


def test_status_says_what_is_awaited_of_whom_and_what_happens_else(three: Club) -> None:
    in_dispute(three)
    three.clock.go(days=3)
    three.run()
    three.mails()
    three.write(BEN, "STATUS")
    text = told(three)[BEN]
    assert any(f"DISPUTED: if {who} come to no agreement, it is AUTOMATIC" in text for who in BOTH)


def test_what_is_said_later_in_a_dispute_is_mailed_to_the_organizer_too(ruled: Club) -> None:
    in_dispute(ruled)
    first = told(ruled)[OLGA]
    assert "Before units A is Thorn, B is Larks." in first
    assert 'Send rule B16 Thorn victory "why" as Thorn says' in first
    ruled.write(BEN, "result 16: draw")
    assert "Larks: draw" in told(ruled)[OLGA]


def test_an_organizer_is_taught_his_commands_when_he_asks(ruled: Club) -> None:
    in_dispute(ruled)
    assert "extend 2d" not in told(ruled)[OLGA]
    ruled.write(OLGA, "status")
    assert "extend 2d" in told(ruled)[OLGA]


def test_news_of_a_dispute_have_the_lines_that_can_end_it(ruled: Club) -> None:
    ruled.write(ANA, "result 16: Thorn victory")
    ruled.mails()
    ruled.write(BEN, 'dispute 16 "we stopped in round three"')
    mails = told(ruled)
    assert "your answer please" in mails[ANA]
    assert "confirm 16" not in mails[ANA], "it is her own result"
    for line in ("Send result 16: draw", "Send dice-off 16", "Send automatic 16"):
        assert line in mails[ANA]
    ruled.write(ANA, "dice-off 16")
    answer = told(ruled)[BEN]
    assert "Send confirm 16 agrees after all: Thorn victory" in answer
    assert "Send dice-off 16" in answer


def test_both_may_want_a_die_each(three: Club) -> None:
    in_dispute(three)
    three.write(BEN, "dice-off 16")
    three.clock.go(days=3)
    three.run()
    three.mails()
    three.write(ANA, "dice off for B16")
    assert three.run() == 1
    assert "by a dice-off" in told(three)[DORA]


def test_what_was_said_is_for_those_who_were_there(three: Club) -> None:
    in_dispute(three)
    three.clock.go(days=3)
    three.run()
    mails = told(three)
    assert "we stopped in round three" in mails[ANA]
    assert not any("round three" in text for who, text in mails.items() if who not in (ANA, BEN))


def test_help_shows_a_deputy_how_to_report(three: Club) -> None:
    three.write(ANA, "deputy Crane Host for B16")
    three.mails()
    three.write(DORA, "HELP")
    text = told(three)[DORA]
    assert "result 16: Thorn victory" in text
    assert "automatic 16" not in text, "that is for Thorn to ask"


def test_the_organizer_hears_of_a_dispute_and_of_both_sides(ruled: Club) -> None:
    in_dispute(ruled)
    mails = told(ruled)
    assert "dispute about B16" in mails[OLGA]
    assert "Thorn: Thorn victory" in mails[OLGA]
    assert 'Larks: "we stopped in round three"' in mails[OLGA]
    assert 'rule B16 Thorn victory "why"' in mails[OLGA]
    assert "WAITS FOR YOU" not in mails[OLGA], "his letter is being read"
    ruled.write(OLGA, "status")
    assert 'rule B16 auto "why"' in told(ruled)[OLGA]


def test_the_draw_that_he_is_offered_keeps_the_losses_on_which_both_agree(ruled: Club) -> None:
    ruled.write(ANA, "result 16: Thorn victory; A Swordsmen 5; B Swordsmen 3")
    ruled.mails()
    ruled.write(BEN, "result 16: Larks victory; A Swordsmen 5; B Swordsmen 9")
    assert 'rule B16 draw; A Swordsmen 5 "why"' in told(ruled)[OLGA]
    ruled.write(OLGA, 'rule B16 draw; A Swordsmen 5 "so both say"')
    dead = [loss.models for _, told in state(ruled).meetings[16].fought[0].result.losses for loss in told]
    assert dead == [5]


def test_he_hears_of_none_where_players_settle_them(three: Club) -> None:
    in_dispute(three)
    assert OLGA not in told(three)
    three.write(OLGA, 'rule B16 draw "both were late"')
    assert "The players settle disputes by themselves here" in told(three)[OLGA]


def test_his_ruling_counts_at_once_and_its_reason_is_for_those_who_were_there(ruled: Club) -> None:
    in_dispute(ruled)
    ruled.clock.go(days=3)
    ruled.run()
    ruled.mails()
    for player in (ANA, BEN):
        ruled.write(player, "FINAL")
    assert ruled.run() == 0, "his word is awaited"
    ruled.mails()
    ruled.write(OLGA, 'Rule B16: Larks solid victory "Thorn was late by two rounds"')
    mails = told(ruled)
    assert "Thorn was late by two rounds" in mails[ANA]
    assert "Thorn was late by two rounds" in mails[BEN]
    assert "two rounds" not in mails[DORA]
    assert "Larks won by a solid victory (as the organizer ruled)" in mails[DORA]
    assert "Your ruling on B16 counts Hello organizer." in mails[OLGA], "its first sentence is the subject"
    assert ruled.run() == 1
    assert state(ruled).turn == 2
    assert replays(ruled)


def test_what_he_says_is_read_as_people_write_it_or_answered(ruled: Club) -> None:
    in_dispute(ruled)
    ruled.mails()
    ruled.write(OLGA, 'rule B16 draw\nrule 16 Thorn "late"\nrule B9 draw "late"\nThe rule of thumb is patience.')
    text = told(ruled)[OLGA]
    assert "Say why, in quotes" in text
    assert "does not say how the battle ended" in text
    assert "there is: B16" in text
    assert state(ruled).meetings[16].settled == ""


def test_without_his_ruling_dice_decide(ruled: Club) -> None:
    in_dispute(ruled)
    ruled.clock.go(days=3)
    ruled.run()
    ruled.clock.go(days=2)
    assert ruled.run() == 1
    assert state(ruled).turn == 2


def test_who_plays_one_of_the_two_sides_neither_hears_nor_rules(ruled: Club) -> None:
    ruled.write(ANA, "result 16: Thorn victory")
    with ruled.host.unit() as unit:
        unit.campaigns.all()[0].organizer = ANA
        unit.commit()
    ruled.write(BEN, "dispute 16")
    assert not any("dispute about" in mail.subject for mail in ruled.mails())
    desk = ruled.host.reply_address(organizer_token(ruled.host.key, "duel"))
    ruled.write(ANA, 'rule B16 draw "both were late"', to=desk)
    assert "nobody rules on his own matter" in told(ruled)[ANA]
    assert state(ruled).meetings[16].settled == ""


def test_an_answer_to_an_older_mail_confirms_nothing_that_was_not_in_it(three: Club) -> None:
    """Its line is that of the result that was read; the new one has another."""
    three.write(ANA, "result 16: Thorn victory")
    first = next(mail for mail in three.mails() if mail.recipient == BEN)
    assert "confirm 16 " in " ".join(text_of(first).split())
    three.write(ANA, "result 16: Thorn massacre; B Swordsmen 0")
    assert "That takes the place of what was reported before" in (second := told(three)[BEN])
    assert "confirm 16-2" in second
    three.write(BEN, "confirm 16", answers=first)
    assert "Thorn has put this in its place: Thorn massacre; B Swordsmen 0" in (refused := told(three)[BEN])
    assert "Send confirm 16-2" in refused
    assert state(three).meetings[16].settled == ""
    three.write(BEN, "confirm 16-2")
    assert state(three).meetings[16].settled == "battle"


def test_what_is_reported_at_the_last_minute_of_the_disputes_does_not_stand_by_silence(three: Club) -> None:
    three.write(ANA, "result 16: Thorn victory")
    three.clock.go(days=3)
    three.run()
    three.clock.go(days=1.99)
    three.mails()
    three.write(BEN, "result 16: Thorn victory; A Marshal 0; A Swordsmen 0")
    mails = told(three)
    assert "if Thorn does not confirm the result, what was reported before counts: Thorn victory" in mails[BEN]
    assert "confirm 16-2" in mails[ANA]
    three.write(ANA, "STATUS")
    assert "what was reported before counts: Thorn victory" in told(three)[ANA]
    three.clock.go(days=0.01)
    assert three.run() == 1
    mails = told(three)
    assert "what was reported before counts" in mails[ANA]
    assert "(reported, and not disputed)" in mails[ANA]
    assert state(three).turn == 2
    assert replays(three)


def test_who_reports_another_result_late_disputes_the_one_before_it_and_reads_so(three: Club) -> None:
    three.write(ANA, "result 16: Thorn victory")
    three.clock.go(days=3)
    three.run()
    three.mails()
    three.write(BEN, "result 16: Larks victory")
    receipt = " ".join(told(three)[BEN].split())
    assert "counts only if they confirm it" in receipt
    assert "they confirm it; else" not in receipt


def test_a_dispute_at_the_last_minute_gets_two_more_days_and_a_ruling(ruled: Club) -> None:
    ruled.write(ANA, "result 16: Thorn massacre; B Swordsmen 3")
    ruled.clock.go(days=3)
    ruled.run()
    ruled.clock.go(days=1.999)
    ruled.mails()
    ruled.write(BEN, 'dispute 16 "never happened"')
    mails = told(ruled)
    assert "dispute about B16" in mails[OLGA]
    ruled.clock.go(days=0.001)
    assert ruled.run() == 1
    assert state(ruled).turn == 1
    mails = told(ruled)
    assert "Turn 1, disputes once more" in mails[BEN]
    assert "for the last time" in mails[DORA]
    ruled.clock.go(days=1.9)
    assert ruled.run() == 0
    ruled.mails()
    ruled.write(OLGA, 'rule B16 draw "both were late"')
    assert "(as the organizer ruled)" in told(ruled)[DORA]
    assert ruled.run() == 1
    assert state(ruled).turn == 2
    assert replays(ruled)


def test_a_stage_with_a_result_has_not_only_just_opened(three: Club) -> None:
    """Though the stage waits no more for who reported it, somebody has sent something."""
    three.write(ANA, "result 16: draw")
    three.write(OLGA, "close")
    assert three.run() == 1


def test_a_deputy_gets_a_card_with_the_result_to_fill_in(three: Club) -> None:
    """It is he who reports it."""
    three.write(ANA, "deputy Crane Host for B16")
    mail = told(three)[DORA]
    assert "Thorn's Red Dragons" in mail
    assert "# result 16: Thorn victory" in mail


def test_both_sides_of_an_assault_get_their_card_when_the_defence_is_taken(host: Host, clock: Clock) -> None:
    """Whoever took it, too, though it was his own order: he knew neither the units that attack nor how to report."""
    text = (DUEL + THIRD).replace('map = "duel"', 'map = "duel", site_battles = "table"')
    club = met(host, clock, text, ASSAULT)
    club.write(BEN, "defend")
    cards = {mail.recipient: text_of(mail) for mail in club.mails() if "# result 6: " in text_of(mail)}
    assert cards.keys() == {ANA, BEN}
    for card in cards.values():
        for unit in ("Swordsmen", "Town watch"):  # of the attackers, and of the village
            assert f"{unit} (" in card
            assert f"# {unit} " in card


def test_nor_does_who_plays_for_one_of_them(ruled: Club) -> None:
    ruled.write(ANA, "deputy Crane Host for B16")
    ruled.write(DORA, "result 16: Thorn massacre")
    with ruled.host.unit() as unit:
        unit.campaigns.all()[0].organizer = DORA
        unit.commit()
    ruled.mails()
    ruled.write(BEN, 'dispute 16 "no"')
    assert not any("dispute about" in mail.subject for mail in ruled.mails())
    desk = ruled.host.reply_address(organizer_token(ruled.host.key, "duel"))
    ruled.write(DORA, 'rule B16 Thorn massacre "I was there"', to=desk)
    assert "nobody rules on his own matter" in told(ruled)[DORA]
    assert state(ruled).meetings[16].settled == ""
