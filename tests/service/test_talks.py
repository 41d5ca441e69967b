"""Immediate orders by mail: carried out as written, one after the other, and told to those whom they concern."""

import re
from dataclasses import replace

import pytest

from pbem.rulesets.nippon import NIPPON
from pbem.service.stages.replay import replay
from tests.service.conftest import Club, text_of

ANA, BEN = "ana@example.org", "ben@example.org"


@pytest.fixture
def met(duel: Club) -> Club:
    """The Red Dragons and the Blue Herons meet in 16."""
    with duel.host.unit() as unit:
        campaign = unit.campaigns.all()[0]
        turn = unit.turns.last(campaign)
        state = NIPPON.codec.load(turn.state)
        for key in ("A Red Dragons", "B Blue Herons"):
            state.banners[key] = replace(state.banners[key], at=16)
        turn.state = NIPPON.codec.dump(state)
        unit.commit()
    duel.clock.go(days=7)
    duel.run()
    duel.mails()
    return duel


def test_each_order_of_a_card_is_judged_after_those_above_it(met: Club) -> None:
    met.write(ANA, "offer 16: truce 3")
    number = text_of(met.mails()[0]).partition("terms ")[2].split()[0]
    assert met.write(BEN, f"accept {number}\nresult 16: draw") == "filed"
    mail = next(mail for mail in met.mails() if mail.recipient == BEN)
    assert "1 of 2 orders OK, 1 needs you" in mail.subject
    assert "You have no open meeting in 16" in text_of(mail)
    assert "if you do not answer" not in text_of(mail)


def test_a_card_of_several_immediate_orders_makes_one_notice_and_can_be_replayed(met: Club) -> None:
    assert met.write(ANA, "offer 16: truce 3\nresult 16: draw") == "filed"
    notice, answer = met.mails()
    assert (notice.recipient, answer.recipient) == (BEN, ANA)
    assert "all 2 orders OK" in answer.subject
    assert "terms P" in text_of(notice)
    assert "a draw" in text_of(notice)
    met.clock.go(days=3)
    met.run()
    assert [step.differs for step in replay(met.host, "duel")][2:] == [(), (), ()]


def test_terms_that_are_taken_back_are_not_called_declined(met: Club) -> None:
    met.write(ANA, "offer 16: truce 3")
    met.mails()
    met.write(ANA, "offer 16: alliance")
    assert "Thorn withdrew terms" in text_of(met.mails()[0])


def test_the_pictures_of_a_report_do_not_tell_how_much_was_bargained(met: Club) -> None:
    for turns in (2, 3, 4):
        met.write(ANA, f"offer 16: truce {turns}")
    met.mails()
    met.clock.go(days=3)
    met.run()
    assert [b"map-2@" in mail.raw for mail in met.mails() if "report" in mail.cause] == [True, True]


def test_the_report_lists_what_was_said_at_once_and_what_came_of_it(met: Club) -> None:
    met.write(ANA, "offer 16: truce 3")
    number = text_of(met.mails()[0]).partition("terms ")[2].split()[0]
    met.write(BEN, f"decline {number}\nautomatic 16")
    met.write(ANA, "result 16: draw")
    met.write(BEN, "confirm 16")
    met.mails()
    met.clock.go(days=3)
    met.run()
    ana, ben = (" ".join(text_of(mail).split()) for mail in met.mails() if "report" in mail.cause)
    ana, ben = (told.partition("3 YOUR ORDERS ")[2].partition(" 4 MEETINGS")[0] for told in (ana, ben))
    sides = next(each for each in ("you against Larks", "Larks against you") if each in ana)  # as dice have it
    decided = f"Battle in 16 Southmoor, {sides}: a draw. (NIP 8.5)"
    assert ana == (
        f"offer 16: truce 3 You offered terms {number} to Larks in 16 Southmoor: a truce of 3 turns. (NIP 8.2) "
        f"Larks declined terms {number}. (NIP 8.2) result 16: draw You reported the battle in 16 Southmoor: a draw. "
        f"(NIP 8.5) Larks confirmed the result of the battle in 16 Southmoor. (NIP 8.5) {decided}"
    )
    for line in (f"decline {number} You declined", "automatic 16 You asked for", "confirm 16 You confirmed"):
        assert line in ben


def test_a_receipt_says_what_else_one_has_to_know_of_what_was_done_at_once(met: Club) -> None:
    met.write(ANA, "result 16: Thorn victory")
    told = " ".join(text_of(next(mail for mail in met.mails() if mail.recipient == ANA)).split())
    assert "You reported the battle in 16 Southmoor: you won. goes to Larks to confirm or dispute" in told
    assert "nobody was lost on either side?" in told


def test_a_result_is_put_to_the_other_side_unit_by_unit(met: Club) -> None:
    met.write(ANA, "result 16: Thorn victory; A Swordsmen 5; B Swordsmen 3, 2 fled")
    told = text_of(next(mail for mail in met.mails() if mail.recipient == BEN))
    assert re.search(r"Red Dragons +Swordsmen \d+ -> 5\n", told)
    assert re.search(r"Blue Herons +Swordsmen \d+ -> 3, 2 fled\n", told)


def test_what_changes_nothing_is_answered_too(met: Club) -> None:
    met.write(ANA, "volunteer yes")
    met.mails()
    met.write(ANA, "volunteer yes\ncontact evenings 23")
    assert "Volunteer: YES, as before" in " ".join(text_of(met.mails()[0]).split())
