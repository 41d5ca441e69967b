"""Where reports on a mail go: an address of its own, which nobody can make up and from which nobody is answered."""

from dataclasses import replace

import pytest

from pbem.service.outgoing.return_path import return_path, returned_to
from tests.service.conftest import PLAIN, Club
from tests.service.test_bounces import ANA, BEN, Yard, yard

__all__ = ["yard"]


async def test_every_mail_goes_out_with_a_return_path_of_its_own(yard: Yard) -> None:
    senders = [mail.sender for mail in yard.post.sent]
    assert len(set(senders)) == len(senders) > 2
    for sender in senders:
        local, _, domain = sender.rpartition("@")
        assert domain == "campaigns.example"
        assert len(local) <= 64
        assert sender == sender.lower()


def test_a_letter_to_a_return_path_is_not_answered_even_if_it_breaks_the_program(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    club.mails()
    with club.host.unit() as unit:
        path = return_path(club.host, unit.outbox.latest(1)[0])

    def broken(*arguments: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("pbem.service.outgoing.bounces.take", broken)
    assert club.write(ANA, "What is this?", to=path) == "failed"
    assert club.mails() == []
    assert club.write(ANA, "What is this?", to=PLAIN) == "failed"
    assert [mail.recipient for mail in club.mails()] == [ANA]


def test_a_return_path_names_its_mail_in_any_case(yard: Yard) -> None:
    mail, host = yard.mail(ANA), yard.club.host
    path = return_path(host, mail)
    with host.unit() as unit:
        for written in (path, path.upper()):
            found = returned_to(host, unit, [PLAIN, written])
            assert found is not None
            assert found.id == mail.id


def test_a_return_path_that_somebody_made_up_names_none(yard: Yard) -> None:
    host = yard.club.host
    path, other = return_path(host, yard.mail(ANA)), return_path(host, yard.mail(BEN))
    mixed = path.partition("-")[0] + "-" + other.partition("-")[2]
    digits = path.partition("-")[2]
    with host.unit() as unit:
        for forged in (mixed, f"orders+b-{digits}", f"orders+bzzzzzz-{digits}", PLAIN, "orders+b2@x", ""):
            assert returned_to(host, unit, [forged]) is None


def test_a_long_address_goes_without(yard: Yard) -> None:
    long = replace(yard.club.host, address="o" * 51 + "@campaigns.example")
    assert return_path(long, yard.mail(ANA)) == long.address
