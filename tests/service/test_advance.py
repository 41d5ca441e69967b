"""Stages are resolved once, when they are due, and everything they tell is stored with them."""

import hashlib
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.core.ruleset import Ruleset
from pbem.service.host import Host
from pbem.service.stages import advance, archiving
from pbem.storage.tables import Mail
from tests.service.conftest import DUEL, START, Clock, Club, text_of
from tests.toy import TOY


def turns(host: Host) -> list[tuple[int, str]]:
    with host.unit() as unit:
        return [(turn.number, turn.kind) for turn, _ in unit.turns.all(unit.campaigns.all()[0])]


def stage_number(host: Host) -> int:
    with host.unit() as unit:
        stage = unit.campaigns.current_stage(unit.campaigns.all()[0])
        assert stage is not None
        return stage.number


def test_nothing_is_resolved_before_its_deadline(club: Club) -> None:
    club.clock.go(days=2, seconds=-1)
    assert club.run() == 0


def test_a_stage_is_resolved_at_its_deadline_and_the_next_one_opens(club: Club) -> None:
    club.clock.go(days=2)
    assert club.run() == 1
    assert turns(club.host) == [(0, "setup"), (1, "close")]
    assert stage_number(club.host) == 2


def test_every_seat_gets_its_report_and_the_public_one_is_stored(club: Club) -> None:
    club.mails()
    club.clock.go(days=2)
    club.run()
    assert sorted(mail.cause for mail in club.mails()) == ["gate closed 1", "gate report 1 A", "gate report 1 B"]
    with club.host.unit() as unit:
        rows = [row.seat for row, turn, _ in unit.turns.reports(unit.campaigns.all()[0]) if turn.number == 1]
    assert rows == ["", "A", "B"]


def test_a_stage_closes_early_when_all_awaited_are_done(club: Club) -> None:
    club.write(club.mover(), "OK")
    assert club.run() == 0
    club.write(club.mover(), "FINAL")
    assert club.run() == 1


def test_a_change_after_final_takes_the_final_back(club: Club) -> None:
    mover = club.mover()
    club.write(mover, "FINAL")
    club.write(mover, "OK")
    assert club.run() == 0


def test_a_stage_is_resolved_once_by_many_servers(club: Club) -> None:
    club.clock.go(days=2)
    (stage,) = advance.due(club.host)
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda _: advance.run_stage(club.host, stage), range(4)))
    assert sorted(done) == [False, False, False, True]
    assert turns(club.host) == [(0, "setup"), (1, "close")]


def test_orders_that_come_in_while_a_stage_is_resolved_still_count(club: Club) -> None:
    hand = next(text_of(mail) for mail in reversed(club.mails()) if mail.recipient == club.mover())
    highest = hand.partition("you hold ")[2].split("\n")[0].split()[-1]
    mover = club.mover()
    calls = []

    def late(*arguments: object) -> object:
        if not calls:
            calls.append(club.write(mover, f"lay {highest}"))
        return TOY.stage(*arguments)

    rules: Ruleset = replace(TOY, stage=late)
    host = replace(club.host, rulesets={"toy": rules})
    club.clock.go(days=2)
    with host.unit() as unit:
        stage = unit.campaigns.current_stage(unit.campaigns.all()[0])
    assert stage is not None
    assert stage.id is not None
    assert advance.run_stage(host, stage.id)
    assert calls == ["filed"]
    with host.unit() as unit:
        campaign = unit.campaigns.all()[0]
        state = host.state(campaign, unit.turns.last(campaign))
    assert [shown.card for shown in state.table] == [int(highest)]


def test_mails_that_wait_for_a_yes_do_not_put_off_the_closing(club: Club) -> None:
    mover = club.mover()
    resolved = []

    def flooded(state: object) -> object:
        resolved.append(state)
        if len(resolved) < 5:
            assert club.write(mover, "OK", to="orders@campaigns.example") == "asked"
        return TOY.phases(state)

    host = replace(club.host, rulesets={"toy": replace(TOY, phases=flooded)})
    club.clock.go(days=2)
    assert advance.run_due(host) == 1
    assert len(resolved) == 1


def test_a_rule_that_fails_holds_the_stage_and_tells_the_organizer_alone(club: Club) -> None:
    def broken(turn: object) -> None:
        raise ZeroDivisionError("the secret card is 7")

    host = replace(club.host, rulesets={"toy": replace(TOY, phases=lambda state: [broken])})
    club.mails()
    club.clock.go(days=2)
    assert advance.run_due(host) == 0
    mail = club.mail_to("olga@example.org")
    assert "ZeroDivisionError" in text_of(mail)
    assert "secret card" not in text_of(mail)
    assert turns(host) == [(0, "setup")]
    assert advance.run_due(host) == 0
    # Mended, and closed again by the organizer's word.
    club.write("olga@example.org", "close")
    assert club.run() == 1


def test_a_campaign_is_played_to_its_end(club: Club) -> None:
    for _ in range(40):
        club.clock.go(days=2)
        if not club.run():
            break
    with club.host.unit() as unit:
        campaign = unit.campaigns.all()[0]
        assert campaign.status == "over"
        assert unit.campaigns.current_stage(campaign) is None
    over = [mail for mail in club.mails() if "over" in mail.cause]
    assert sorted(mail.recipient for mail in over) == ["ana@example.org", "ben@example.org", "olga@example.org"]


def test_the_secret_of_the_sealed_dice_is_promised_at_the_beginning_and_opened_at_the_end(club: Club) -> None:
    with club.host.unit() as unit:
        secret = unit.campaigns.all()[0].sealed_secret
    promise = hashlib.sha256(bytes.fromhex(secret)).hexdigest()
    told = {mail.cause: text_of(mail) for mail in club.mails()}
    assert promise in told["gate welcome A"]
    while club.run() or club.clock.now < START + timedelta(days=60):
        club.clock.go(days=2)
    told = {mail.cause: text_of(mail) for mail in club.mails()}
    assert [cause for cause, text in told.items() if secret in text] == [
        "gate over North",
        "gate over South",
        "gate over ",
    ]


def test_the_deadline_of_the_next_stage_stands_in_the_report(club: Club) -> None:
    club.mails()
    club.clock.go(days=2)
    club.run()
    assert "Fri 8 May, 14:00 Europe/Berlin (12:00 UTC)" in text_of(club.mails()[0])


@pytest.mark.parametrize("stop", ["pbem.service.outgoing.telling.deliver", "pbem.service.outgoing.telling._keep"])
def test_a_crash_while_storing_leaves_the_stage_unresolved(
    club: Club, monkeypatch: pytest.MonkeyPatch, stop: str
) -> None:
    def crash(*arguments: object) -> None:
        raise SystemExit

    club.mails()
    club.clock.go(days=2)
    with monkeypatch.context() as patch:
        patch.setattr(stop, crash)
        with pytest.raises(SystemExit):
            club.run()
    assert turns(club.host) == [(0, "setup")]
    assert club.mails() == []
    assert club.run() == 1


@pytest.mark.parametrize("part", ["stage", "view", "outcome", "picture", "briefing"])
def test_whatever_part_of_the_rules_fails_the_stage_is_held_and_other_games_go_on(club: Club, part: str) -> None:
    club.begin(DUEL)
    club.mails()
    host = replace(club.host, rulesets={**club.host.rulesets, "toy": replace(TOY, **{part: lambda *arguments: 1 / 0})})
    club.clock.go(days=7)
    assert advance.run_due(host) == 1
    assert [mail.recipient for mail in club.mails() if "held" in mail.cause] == ["olga@example.org"]
    with host.unit() as unit:
        assert [stage.title for stage, _ in unit.campaigns.open_stages()] == ["Turn 2, orders"]


def test_a_report_that_cannot_be_mailed_holds_the_stage(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    club.mails()
    club.clock.go(days=2)
    with monkeypatch.context() as patch:
        patch.setattr("pbem.service.outgoing.telling.post", lambda *arguments: 1 / 0)
        assert club.run() == 0
    assert turns(club.host) == [(0, "setup")]
    assert "held" in club.mail_to("olga@example.org").cause


def test_a_server_whose_rules_fail_does_not_hold_what_another_has_closed(club: Club) -> None:
    club.clock.go(days=2)
    (stage,) = advance.due(club.host)

    def beaten(state: object) -> list[object]:
        club.run()
        raise ZeroDivisionError

    host = replace(club.host, rulesets={"toy": replace(TOY, phases=beaten)})
    assert not advance.run_stage(host, stage)
    with host.unit() as unit:
        assert unit.campaigns.stage(stage).status == "closed"


def test_a_pause_that_comes_while_a_stage_is_resolved_keeps_it_open(club: Club) -> None:
    def paused(*arguments: object) -> object:
        club.write("olga@example.org", "pause")
        return TOY.stage(*arguments)

    host = replace(club.host, rulesets={"toy": replace(TOY, stage=paused)})
    club.clock.go(days=2)
    (stage,) = advance.due(club.host)
    assert not advance.run_stage(host, stage)
    assert turns(club.host) == [(0, "setup")]


# --- the organizer's letter ---------------------------------------------------------------------------------------


REALMS = {"ana@example.org": "North", "ben@example.org": "South"}


def told_olga(club: Club) -> Mail:
    """Close the open stage at its deadline; what the organizer is told."""
    club.mails()
    club.clock.go(days=2)
    assert club.run() == 1
    return club.mail_to("olga@example.org")


def rows_of(mail: Mail) -> list[list[str]]:
    """Who had sent orders, as the letter's table has it, without receipt and time."""
    lines = [re.split("  +", line) for line in text_of(mail).splitlines() if line.startswith(("North", "South"))]
    return [[line[0], line[1], line[3] if len(line) > 3 else ""] for line in lines]


def test_the_organizer_is_told_of_every_closed_stage_who_had_sent_orders(club: Club) -> None:
    first = club.mover()
    mail = told_olga(club)
    assert mail.subject.endswith(" to lay closed")
    assert "Fri 8 May, 14:00 Europe/Berlin" in text_of(mail)
    assert [REALMS[first], "missing", "played by default orders"] in rows_of(mail)
    second = club.mover()
    club.write(second, "OK")
    assert [REALMS[second], "sent", ""] in rows_of(told_olga(club))


def test_the_organizer_is_told_no_contents_and_no_secrets(club: Club) -> None:
    club.write("ana@example.org", "taunt Hush!")
    club.write(club.mover(), "OK")
    assert "Hush!" in "".join(map(text_of, club.mails()))
    text = text_of(told_olga(club))
    assert [word for word in ("Hush!", "you hold") if word in text] == []


def test_the_organizer_is_told_what_came_and_was_not_obeyed_while_the_stage_was_open(club: Club) -> None:
    mover = club.mover()
    to = club.reply_address(mover)
    assert "WAITS FOR YOU" not in text_of(told_olga(club))
    club.write(mover, "taunt Too late?", to=to)
    assert f"from {mover}: came for Round 1" in " ".join(text_of(told_olga(club)).split())
    assert "WAITS FOR YOU" not in text_of(told_olga(club))


def test_the_organizer_is_shown_the_page_of_the_turn_where_there_are_pages(host: Host, clock: Clock) -> None:
    club = Club(replace(host, pages="https://club.example"), clock)
    club.begin()
    stage = "north" if club.mover() == "ana@example.org" else "south"
    assert f"https://club.example/gate/01-round-1-{stage}-to-lay.html\n" in text_of(told_olga(club))


def test_the_page_that_the_organizer_is_shown_is_there(host: Host, clock: Clock, tmp_path: Path) -> None:
    club = Club(replace(host, pages="https://club.example"), clock)
    club.begin()
    page = text_of(told_olga(club)).partition("https://club.example/")[2].split()[0]
    archiving.write(club.host, tmp_path)
    assert (archiving.public(tmp_path) / page).exists()
