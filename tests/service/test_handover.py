"""A seat goes from one person to another: the one learns nothing more, the other has everything to play on."""

import pytest

from pbem.core.errors import BadInput
from pbem.mail.outgoing.transport import OutgoingMail, Result, Sent
from pbem.service.incoming.requeue import retry
from pbem.service.outgoing import deliver
from pbem.service.outgoing.overview import trouble
from tests.service.conftest import DUEL, Club, letter_of, text_of
from tests.service.test_identify import reply_to, send

ANA, BEN, OLGA, CLEO = "ana@example.org", "ben@example.org", "olga@example.org", "cleo@new.example"


def hand_over(duel: Club, words: str = f"hand over Larks to Cleo <{CLEO}>") -> str:
    return send(duel, OLGA, duel.reply_address(OLGA), words)


def test_a_seat_goes_to_another_person(duel: Club) -> None:
    old = duel.reply_address(BEN)
    assert send(duel, BEN, old, "Blue Herons: hold") == "filed"
    assert send(duel, BEN, old, "> Long Oars: hold") == "asked"
    question = duel.reply_address(BEN)
    duel.mails()

    assert hand_over(duel) == "answered"
    mails = duel.mails()
    told = {recipient: [mail for mail in mails if mail.recipient == recipient] for recipient in (BEN, CLEO, OLGA)}
    assert len(mails) == 4
    welcome, report = told[CLEO]
    assert "Cleo" in text_of(welcome)
    assert "was another's until now" in " ".join(text_of(welcome).split())
    assert reply_to(welcome.raw) == reply_to(report.raw)
    assert "Blue Herons" in text_of(report)
    assert "What is on file stays." in " ".join(text_of(told[OLGA][0]).split())
    (farewell,) = told[BEN]
    assert b"\nReply-To" not in farewell.raw
    assert "Cleo" not in text_of(farewell)
    assert CLEO not in farewell.raw.decode()

    for to in (old, question):
        for body in ("Grey Mice: hold", "YES", "STATUS", "RESEND"):
            assert send(duel, BEN, to, body) == "held"
    learned = {text_of(mail) for mail in duel.mails() if mail.recipient == BEN}
    assert all("no player here writes from it" in " ".join(text.split()) for text in learned)
    assert duel.filed("B") == ["Blue Herons: hold"]

    assert send(duel, CLEO, reply_to(report.raw), "Grey Mice: hold") == "filed"
    assert duel.filed("B") == ["Blue Herons: hold", "Grey Mice: hold"]
    duel.clock.go(days=7)
    duel.run()
    assert {mail.recipient for mail in duel.mails() if "report" in mail.cause} == {ANA, CLEO}


def test_the_report_is_the_same_but_for_its_tokens(duel: Club) -> None:
    with duel.host.unit() as unit:
        before = next(mail for mail in unit.outbox.latest(50) if "report 0 B" in mail.cause)
    hand_over(duel)
    with duel.host.unit() as unit:
        after = next(mail for mail in unit.outbox.latest(50) if "report 0 B" in mail.cause)
    old, new = (reply_to(mail.raw).partition("+")[2].partition("@")[0] for mail in (before, after))
    assert old not in after.raw.decode()
    assert text_of(before).replace(old, new) == text_of(after)
    assert letter_of(after).recipients == (CLEO,)


def test_earlier_reports_can_be_had(duel: Club) -> None:
    for _ in range(2):
        duel.clock.go(days=7)
        assert duel.run() == 1
    hand_over(duel)
    duel.mails()
    assert send(duel, CLEO, duel.reply_address(CLEO), "RESEND 1") == "answered"
    assert "report" in duel.mail_to(CLEO).cause


class Post:
    """A way out that notes what goes by it."""

    def __init__(self) -> None:
        self.sent: list[str] = []

    async def send(self, mail: OutgoingMail) -> Result:
        self.sent.append(f"{letter_of(mail).subject} to {mail.recipient}")
        return Sent()

    async def close(self) -> None:
        """Nothing is held open."""


async def test_what_is_not_sent_yet_stays_here(duel: Club) -> None:
    """Ben plays Thorn of another campaign as well: what is for him there goes out."""
    post, to = Post(), duel.reply_address(OLGA)
    rematch = DUEL.replace('"duel"\ntitle', '"rematch"\ntitle')
    duel.begin(rematch.replace(BEN, "dora@example.org").replace(ANA, BEN))
    send(duel, OLGA, to, f"hand over Larks to {CLEO}")
    await deliver.flush(duel.host, post)
    of_ben = sorted(each for each in post.sent if each.endswith(f" to {BEN}"))
    assert of_ben == [
        f"[duel] Larks is in other hands now to {BEN}",
        f"[rematch] Turn 1 opens: you lead Thorn to {BEN}",
        f"[rematch] You lead Thorn in The Duel to {BEN}",
    ]
    with duel.host.unit() as unit:
        kept = [mail for mail in unit.outbox.latest(50, "failed") if mail.recipient == BEN]
        campaign = unit.campaigns.named("duel")
        assert campaign is not None
        assert trouble(unit, campaign) == ()
    assert {mail.note for mail in kept} == {"the seat has gone to somebody else"}
    assert len(kept) == 2
    with pytest.raises(BadInput, match="gone to somebody else"):
        retry(duel.host, kept[0].id or 0)


def test_it_is_written_down(duel: Club) -> None:
    hand_over(duel)
    with duel.host.unit() as unit:
        (entry,) = unit.campaigns.audits(unit.campaigns.all()[0])
    assert (entry.who, entry.what) == (OLGA, f"handed Larks over to {CLEO}")


@pytest.mark.parametrize(
    "words",
    [
        "hand over Larks to nobody@",
        f"hand over Larks to {CLEO}, {ANA}",
        f"hand over Nightingales to {CLEO}",
        "hand over Larks to orders+K7Q2ABCD@campaigns.example",
    ],
)
def test_what_cannot_be_done_is_answered_and_changes_nothing(duel: Club, words: str) -> None:
    assert hand_over(duel, words) == "answered"
    assert "NOT DONE" in text_of(duel.mail_to(OLGA))
    with duel.host.unit() as unit:
        assert unit.campaigns.addresses(unit.campaigns.seats_of(BEN)[0]) == [BEN]


@pytest.mark.parametrize(
    "words", [f"Hand over B to {CLEO}", f"hand over larks to {CLEO}.", f"HAND OVER 'Larks' TO {CLEO}"]
)
def test_a_seat_may_be_named_in_many_ways(duel: Club, words: str) -> None:
    hand_over(duel, words)
    with duel.host.unit() as unit:
        assert [seat.name for seat in unit.campaigns.seats_of(CLEO)] == ["Larks"]


def test_a_player_cannot_hand_over(duel: Club) -> None:
    send(duel, BEN, duel.reply_address(BEN), f"hand over Thorn to {CLEO}")
    with duel.host.unit() as unit:
        assert not unit.campaigns.seats_of(CLEO)


def test_the_organizer_renews_the_tokens_of_a_seat(duel: Club) -> None:
    old = duel.reply_address(BEN)
    assert send(duel, OLGA, duel.reply_address(OLGA), "renew tokens of Larks") == "answered"
    mails = [mail for mail in duel.mails() if mail.recipient == BEN]
    assert len(mails) == 2
    assert len({reply_to(mail.raw) for mail in mails} - {old}) == 1
    assert send(duel, BEN, old, "Blue Herons: hold") == "asked"
    assert send(duel, BEN, reply_to(mails[0].raw), "Blue Herons: hold") == "filed"


@pytest.mark.parametrize(
    ("words", "said", "instead"),
    [
        (f"hand over Larks to {BEN}", f"{BEN} plays Larks already", "renew tokens of Larks"),
        (f"hand over Larks to {ANA}", f"{ANA} plays Thorn and would know", f"hand over Larks to {ANA} anyway"),
        ("hand over B", "I cannot read the one address", "hand over Larks to ben@example.org"),
        ("Hand Over Larks To Zed", "I cannot read the one address", "hand over Larks to ben@example.org"),
        (f"hand over Salt Wind to {CLEO}", "No seat is called 'Salt Wind'; there are: Thorn, Larks", ""),
        ("renew tokens of Salt Wind", "No seat is called 'Salt Wind'; there are: Thorn, Larks", ""),
    ],
)
def test_a_seat_that_cannot_go_there_stays(duel: Club, words: str, said: str, instead: str) -> None:
    duel.mails()
    hand_over(duel, words)
    (mail,) = duel.mails()
    text = " ".join(text_of(mail).split())
    assert said in text
    assert instead in text
    assert send(duel, BEN, duel.reply_address(BEN), "Blue Herons: hold") == "filed"


def test_one_person_gets_a_second_seat_only_if_that_is_meant(duel: Club) -> None:
    hand_over(duel, f"hand over Larks to Ana <{ANA}> anyway.")
    assert "Larks is played from ana@example.org now." in " ".join(text_of(duel.mails()[-1]).split())
