"""Nobody plays a seat any more: the organizer withdraws it, for a reason that all see, and may hand it over yet."""

import pytest

from pbem.rulesets.nippon import NIPPON
from pbem.rulesets.nippon.state import State
from pbem.service.host import Host
from pbem.service.incoming.robots import play_robots
from pbem.service.stages.replay import replay
from tests.service.conftest import DUEL, Clock, Club, text_of

ANA, BEN, OLGA, CLEO, DORA = (f"{name}@example.org" for name in ("ana", "ben", "olga", "cleo", "dora"))

THIRD = """
[[seat]]
name = "Crane Host"
address = "dora@example.org"
headquarters = "Emberly"
robot = {robot}
"""


@pytest.fixture
def three(host: Host, clock: Clock) -> Club:
    """Three realms, so that the campaign goes on when one of them withdraws."""
    return begun(host, clock)


def begun(host: Host, clock: Clock, *, robot: bool = False) -> Club:
    club = Club(host, clock)
    club.begin(DUEL + THIRD.format(robot=str(robot).lower()))
    club.mails()
    return club


def state(club: Club) -> State:
    with club.host.unit() as unit:
        turn = unit.turns.last(unit.campaigns.all()[0])
        found: State = NIPPON.codec.load(turn.state)
    return found


def told(club: Club) -> dict[str, str]:
    """The new mails by their recipients, each in one line."""
    return {mail.recipient: " ".join(f"{mail.subject} {text_of(mail)}".split()) for mail in club.mails()}


def replays(club: Club) -> bool:
    return not any(step.differs for step in replay(club.host, "duel"))


def test_everybody_is_told_that_a_realm_has_withdrawn_and_why(three: Club) -> None:
    assert three.write(OLGA, 'withdraw Crane Host "has no time any more"') == "answered"
    mails = told(three)
    assert mails.keys() == {ANA, BEN, DORA, OLGA}
    assert all("has no time any more" in text for text in mails.values())
    assert "Crane Host has withdrawn" in mails[ANA]
    assert "until turn 3 is over" in mails[OLGA]
    assert state(three).realms["C"].status == "withdrawn"
    assert replays(three)


def test_names_and_reasons_are_read_as_people_write_them(three: Club) -> None:
    lines = (
        "withdraw C has no time",
        "Withdraw larks: has no time.",
        "withdraw \N{LEFT DOUBLE QUOTATION MARK}Thorn\N{RIGHT DOUBLE QUOTATION MARK} because has no time!",
    )
    three.write(OLGA, "\n".join(lines))
    with three.host.unit() as unit:
        done = [entry.what for entry in unit.campaigns.audits(unit.campaigns.all()[0])]
    assert done == ["withdrew Crane Host: has no time", "withdrew Larks: has no time", "withdrew Thorn: has no time"]


def test_what_is_missing_is_said(three: Club) -> None:
    three.write(OLGA, f"withdraw Crane Host\nwithdraw C {'very ' * 50}busy\nwithdraw Nobody he left\nwithdraw")
    mails = told(three)
    assert mails.keys() == {OLGA}
    for answer in (
        'withdraw Crane Host "has no time any more"',
        "up to 200 signs",
        "No seat is called 'Nobody'",
        'withdraw A "has no time any more"',
    ):
        assert answer in mails[OLGA]
    assert all(realm.in_play for realm in state(three).realms.values())


def test_who_has_withdrawn_cannot_withdraw_again(three: Club) -> None:
    three.write(OLGA, "withdraw C has left")
    three.mails()
    three.write(OLGA, "withdraw C has left")
    assert "Crane Host is withdrawn already" in told(three)[OLGA]


def test_rules_that_know_no_withdrawal_say_so(club: Club) -> None:
    club.write(OLGA, "withdraw South has left")
    assert "know no seats that nobody plays" in " ".join(text_of(club.mails()[-1]).split())


def test_what_is_on_file_is_void_and_nobody_waits(three: Club) -> None:
    banner = state(three).banners_of("C")[0].name
    assert three.write(DORA, f"{banner}: hold\nFINAL") == "filed"
    three.write(OLGA, "withdraw C has left")
    assert three.filed("C") == []
    three.mails()
    three.write(OLGA, "status")
    assert "Crane Host not awaited" in told(three)[OLGA]
    for player in (ANA, BEN):
        three.write(player, "FINAL")
    assert three.run() == 1
    assert replays(three)


def test_its_player_is_told_that_nobody_commands_it(three: Club) -> None:
    three.write(OLGA, "withdraw C has left")
    three.mails()
    banner = state(three).banners_of("C")[0].name
    three.write(DORA, f"{banner}: hold")
    assert "Your realm has withdrawn" in told(three)[DORA]
    assert three.filed("C") == []


def test_another_player_takes_over_and_is_awaited(three: Club) -> None:
    banner = state(three).banners_of("C")[0].name
    three.write(DORA, f"{banner}: hold")
    three.write(OLGA, "withdraw C has left")
    three.clock.go(days=7)
    three.run()
    three.mails()
    three.write(OLGA, f"hand over Crane Host to Cleo <{CLEO}>")
    mails = told(three)
    assert "Crane Host is played again" in mails[ANA]
    assert "another player has been found" in mails[BEN]
    assert "Nothing is on file." in mails[OLGA]
    assert "came back" in mails[OLGA]
    assert state(three).realms["C"].status == "active"
    assert three.write(CLEO, f"{banner}: hold") == "filed"
    assert replays(three)


def test_a_realm_that_has_disbanded_comes_back_no_more(three: Club) -> None:
    three.write(OLGA, "withdraw C has left")
    for _ in range(3):
        three.clock.go(days=7)
        assert three.run() == 1
    assert state(three).realms["C"].status == "eliminated"
    three.mails()
    three.write(OLGA, f"hand over Crane Host to Cleo <{CLEO}>")
    assert ANA not in told(three)
    assert state(three).realms["C"].status == "eliminated"
    assert replays(three)


def test_a_robot_does_not_play_for_it(host: Host, clock: Clock) -> None:
    club = begun(host, clock, robot=True)
    club.write(OLGA, "withdraw C is not needed")
    assert play_robots(host) == 0
    club.write(OLGA, f"hand over C to {CLEO}")
    assert state(club).realms["C"].status == "active"


def test_where_one_realm_is_left_the_campaign_ends_with_the_turn(duel: Club) -> None:
    duel.write(OLGA, "withdraw Larks has moved away")
    duel.write(ANA, "FINAL")
    assert duel.run() == 1
    assert state(duel).ranking == (("A",), ("B",))


def test_a_player_cannot_withdraw_another(three: Club) -> None:
    three.write(ANA, "withdraw Crane Host has left")
    assert state(three).realms["C"].status == "active"
