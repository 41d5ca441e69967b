"""Every stored turn can be played again to the same bytes; a changed one is found."""

from pbem.service.stages.replay import replay
from pbem.storage.tables import Turn
from tests.service.conftest import Club


def play(club: Club) -> None:
    club.write("ana@example.org", "taunt One\nOK")
    club.write("ben@example.org", "taunt Two")
    for _ in range(4):
        club.clock.go(days=2)
        club.run()


def test_all_steps_come_out_with_the_same_bytes(club: Club) -> None:
    play(club)
    steps = list(replay(club.host, "gate"))
    assert [step.differs for step in steps] == [()] * 7
    assert [step.title.rpartition(", ")[2] for step in steps] == ["setup", "act", "act", *["close"] * 4]


def test_a_changed_state_is_found(club: Club) -> None:
    play(club)
    with club.host.unit() as unit:
        turn: Turn = unit.turns.last(unit.campaigns.all()[0])
        turn.state = turn.state.replace(b'"round":', b'"round":1')
        unit.commit()
    assert [step.number for step in replay(club.host, "gate") if step.differs] == [6]


def test_a_changed_secret_is_found(club: Club) -> None:
    play(club)
    with club.host.unit() as unit:
        campaign = unit.campaigns.all()[0]
        campaign.sealed_secret = "00" * 32
        unit.commit()
    assert next(replay(club.host, "gate")).differs == ("state",)
