"""The pauses between attempts to send."""

from datetime import timedelta

from pbem.service.deliver import pause

MINUTE = timedelta(minutes=1)


def test_pauses_double_up_to_four_hours() -> None:
    for attempt, minutes in ((1, 1), (2, 2), (5, 16), (8, 128), (9, 240), (100, 240)):
        assert minutes * MINUTE <= pause(7, attempt) < 1.25 * minutes * MINUTE


def test_mails_that_were_put_off_together_come_back_one_by_one() -> None:
    assert len({pause(number, 3) for number in range(100)}) > 60


def test_the_pause_of_a_mail_does_not_hang_on_luck() -> None:
    assert pause(7, 3) == pause(7, 3)
