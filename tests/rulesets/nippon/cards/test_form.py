"""The order form: lines to send back, each with what one must know."""

from dataclasses import replace
from textwrap import wrap

import pytest

from pbem.core.dice import Dice
from pbem.core.turn import resolve
from pbem.reports.layout import folded
from pbem.rulesets.nippon.cards.form import answers, form
from pbem.rulesets.nippon.orders import Defend
from pbem.rulesets.nippon.phases import ACTS, phases
from pbem.rulesets.nippon.results import combatants
from pbem.rulesets.nippon.state import Loss
from pbem.rulesets.nippon.state.ballots import Proposal
from pbem.rulesets.nippon.view import view
from tests.rulesets.nippon.cards import spoken


def test_form_tells_where_banners_stand_and_where_they_can_go():
    """The default stands in the line, the rest behind the sign of a comment."""
    seen = view(spoken.position(spoken.USUAL + "banner A Strays at 8 scattered"), "A")
    assert form(seen) == (
        "Iron Wall: hold     # 4 Ishikari. next: 1 2 3 5 7. 2 steps",
        "Red Dragons: hold   # 3 Iburi. next: 2 4 6 7, sea 69",
        "# Strays: WALKS home: 8 -> 7",
        "Swift Wings: hold   # 2 Shiribeshi. next: 3 4 6, sea 67. flies 4 steps",
        "# your 500 pp can buy, for example:",
        "# recruit 10 halberdiers at 4   # 60 pp",
    )


@pytest.mark.parametrize("treasury", [60, 500, 2500, 9000])
def test_form_offers_what_the_treasury_can_buy_at_its_price(treasury):
    """Taken out of their comments, the lines are legal one by one, and cost what they say."""
    seen = view(spoken.position(f"{spoken.USUAL}realm A treasury {treasury}"), "A")
    offers = [line.removeprefix("# ").split("   # ") for line in form(seen) if line.endswith(" pp")]
    assert offers
    for line, price in offers:
        checked, faults = spoken.handled(seen, line)
        (verdict,) = checked.verdicts
        assert (str(verdict.written.order), faults) == (line, [])
        assert verdict.does.endswith(f" for {price}")


def test_form_offers_a_port_where_nothing_else_can_grow():
    seen = view(spoken.position(spoken.COAST), "A")
    assert [line.split()[1:5] for line in form(seen) if "upgrade" in line] == [["upgrade", "1", "to", "port"]]


def test_form_says_that_nothing_can_be_bought():
    seen = view(spoken.position(f"{spoken.USUAL}realm A treasury 59"), "A")
    words = " ".join(line.removeprefix("# ") for line in form(seen))
    assert "your 59 pp buy nothing where you are; RULES 11.1 to 11.4 have the prices" in words


def test_form_tells_what_a_draw_and_a_razing_allow():
    """What is special about a banner or its section."""
    seen = view(spoken.position("map 1-2\nsection 1 razed\nbanner A Red at 1 drawn"), "A")
    after_draw = "after the draw: hold, move to a section of yours, or scatter"
    assert form(seen) == (f"Red: hold   # 1 Section 1. next: 2. {after_draw}. razed: recover",)


def talked(*cards):
    """The usual meeting after some cards, each of a seat."""
    state = spoken.meeting()
    for seat, card in cards:
        found, _ = spoken.handled(view(state, seat), card)
        state = resolve(ACTS, state, {seat: [each.written.order for each in found.verdicts]}, Dice()).state
    return state


def test_form_of_a_meeting_leaves_the_choice_to_the_player():
    """Sent back untouched it says nothing."""
    assert form(view(talked(), "A")) == (
        "# 2 Section 2, against Blue:",
        "# offer 2: truce 3",
        "# plan Red Dragons:",
        "# centre Iron Guard",
        "# Captain Oda with Iron Guard",
        "# target strongest; pursue yes; sally yes; retreat 65",
        "# automatic 2",
        '# propose B2 "Saturday 15:00"',
        '# cannot B2 "why"',
        "# Spoils, where a hero or lord falls: what you want first, and what you",
        "# give up (RULES 9.5):",
        "# take B2: as usual",
        "# If you are beaten:",
        "# retreat B2 to 1",
        "# After a game: take the # away from these lines, and lower the numbers.",
        "# result 2: Red Duchy victory",
        "# # your Red Dragons:",
        "# Captain Oda 1",
        "# Iron Guard 20",
        "# # Blue's Red Fist:",
        "# Lord Kuma 1",
        "# Bowmen 15",
        "# There may follow, after a comma: 3 fled, lost standard, champion dead,",
        "# musician dead, in challenge",
    )


def uncommented(lines):
    """Lines without the sign of a comment before them."""
    return "\n".join(line.removeprefix("# ") for line in lines)


def result_lines(seen):
    """The lines of the form that tell a result."""
    lines = form(seen)
    start = next(index for index, line in enumerate(lines) if line.startswith("# result"))
    end = next((index for index, line in enumerate(lines) if "There may follow" in line), None)
    return lines[start:end]


def test_filled_form_names_every_unit_of_both_sides():
    """As it stands nobody has lost anything; so a player only lowers numbers."""
    state = spoken.meeting(spoken.MET + 'unit B "Red Fist" "Iron Guard" models 10\n')
    seen = view(state, "A")
    lines = result_lines(seen)
    assert "# Red Duchy's Iron Guard 20" in lines
    assert "# Blue's Iron Guard 10" in lines
    found, faults = spoken.handled(seen, uncommented(lines))
    assert not faults
    (order,) = (each.written.order for each in found.verdicts)
    told = {line.of: line.loss for line in order.losses}
    there = {(key, unit.name): unit for key, unit in combatants(state, state.meetings[2])}
    assert told == {of: Loss(unit.name, unit.standing) for of, unit in there.items()}


def test_form_holds_what_the_other_side_reported():
    """Whoever saw it otherwise changes only what was otherwise; sent as it is it is the same result."""
    state = talked(("B", "result 2: Blue massacre; Iron Guard 4, 3 fled, in challenge; Bowmen 9"))
    seen = view(state, "A")
    lines = result_lines(seen)
    assert lines[0] == "# result 2: Blue massacre"
    assert "# Iron Guard 4, 3 fled, in challenge" in lines
    found, _ = spoken.handled(seen, uncommented(lines))
    (order,) = (each.written.order for each in found.verdicts)
    after = resolve(ACTS, state, {"A": [order]}, Dice()).state.meetings[2]
    assert [bout.winners for bout in after.fought] == [("B",)]


def test_form_leaves_out_what_a_unit_of_its_owner_cannot_have_lost():
    state = talked(("B", "result 2: Blue massacre; Iron Guard 4, lost standard, champion dead"))
    lines = result_lines(view(state, "A"))
    assert "# Iron Guard 4" in lines


def test_form_after_a_meeting_says_nothing_of_it():
    """Only the banners are left to order."""
    met = talked()
    met.options = replace(met.options, unfought="draw")
    state = resolve(phases(met), met, {}, Dice(b"unfought", lambda audience: b"sealed")).state
    assert state.stage == "orders"
    lines = [line.partition("  ")[0] for line in form(view(state, "A"))]
    assert [line for line in lines if not line.startswith("#")] == ["Red Dragons: hold"]


def test_form_holds_answers_to_offers_and_results():
    """Sent back untouched it does what would happen anyway."""
    state = talked(("B", "offer 2: truce 3, ask 200"), ("B", "result 2: Blue massacre"))
    (number,) = state.terms
    lines = form(view(state, "A"))
    assert lines == (
        "# Blue offers: you pay 200 pp to Blue; truce of 3 turns",
        f"# accept P{number}",
        f"# decline P{number}",
        "# 2 Section 2, reported: Blue massacre",
        "# confirm 2   # it counts if you say nothing",
        '# dispute 2 "why"',
        "# or how it was; take the # away from these lines, and change them:",
        "# result 2: Blue massacre",
        "# # your Red Dragons:",
        "# Captain Oda 1",
        "# Iron Guard 20",
        "# # Blue's Red Fist:",
        "# Lord Kuma 1",
        "# Bowmen 15",
    )


@pytest.mark.parametrize(
    ("before", "silence"),
    [
        ([{"B": "result 2: Blue victory"}], "confirm 2   # it counts if you say nothing"),
        (
            [{"A": "result 2: draw"}, {"B": "result 2: Blue massacre; A Iron Guard 0"}],
            "confirm 2-2   # it is disputed already",
        ),
    ],
)
def test_a_form_with_another_result_filled_in_confirms_nothing(before, silence):
    """Nor does one in which only some other line is used: to agree somebody has to take a sign away."""
    seen = view(spoken.after(spoken.meeting(), *before), "A")
    lines = form(seen)
    assert f"# {silence}" in lines
    used = [line for line in lines if not line.startswith("#")]
    (told,) = spoken.handled(seen, "\n".join([*used, "result 2: Red Duchy victory"]))[0].verdicts
    assert told.does == "RESULT: RED DUCHY VICTORY"


@pytest.mark.parametrize("card", [("confirm 2", "result 2: draw"), ("result 2: draw", "confirm 2")])
def test_whoever_tells_his_own_result_does_not_agree_to_another_in_the_same_card(card):
    seen = view(spoken.after(spoken.meeting(), {"B": "result 2: Blue massacre"}), "A")
    checked, (fault,) = spoken.handled(seen, "\n".join(card))
    assert [each.does for each in checked.verdicts] == ["RESULT: DRAW"]
    assert (fault.line.text, fault.paste) == ("confirm 2", "")
    assert fault.reason.startswith("You tell a result of that battle yourself")


def test_answers_are_lines_that_can_be_sent():
    """Each of them alone, as a notice offers it; nobody else is asked."""
    state = talked(("B", "offer 2: truce 3"), ("B", "result 2: Blue massacre"))
    seen = view(state, "A")
    lines = [line for line, _ in answers(seen)]
    (number,) = state.terms
    assert lines == [f"accept P{number}", f"decline P{number}", "confirm 2", 'dispute 2 "why"']
    assert all(not spoken.handled(seen, line)[1] for line in lines)
    assert answers(view(state, "B")) == answers(view(state, None)) == ()


WITH_CRANE = spoken.MET + 'realm C named "Crane Host"\nbanner C Grey at 3\n'


def _withdrawn(state):
    state.realms["B"] = replace(state.realms["B"], status="withdrawn")


def _ruled(state):
    meeting = state.meetings[2]
    state.meetings[2] = replace(meeting, next=replace(meeting.next, ruled=True))


IN_VAIN = {
    "dice against a side that nobody plays": ([{"B": "automatic 2"}], _withdrawn, "automatic"),
    "a volunteer who plays for the other side": (
        [{"C": "volunteer yes"}, {"B": "deputy C for B2"}, {"A": "cannot B2"}],
        None,
        "deputy Crane Host for B2",
    ),
    "terms that cannot be paid": ([{"B": "offer 2: truce 1, ask 9000"}], None, "accept"),
    "a yes when the organizer has ruled": ([{"B": "result 2: draw"}], _ruled, "confirm"),
    "a no when the organizer has ruled": ([{"B": "result 2: draw"}], _ruled, "dispute"),
}
"""What has been said, what came then, and the line that would be refused now."""


@pytest.mark.parametrize(("said", "then", "refused"), IN_VAIN.values(), ids=IN_VAIN)
def test_no_line_is_offered_that_would_be_refused(said, then, refused):
    """Neither among the answers nor in the form."""
    state = spoken.after(spoken.meeting(WITH_CRANE), *said)
    if then:
        assert any(line.startswith(refused) for line, _ in answers(view(state, "A")))
        then(state)
    seen = view(state, "A")
    offered = [*dict(answers(seen)), *(line.removeprefix("# ").partition("   #")[0] for line in form(seen))]
    assert not any(line.startswith(refused) for line in offered)
    assert all(not spoken.handled(seen, line)[1] for line in dict(answers(seen)))


def test_form_can_be_sent_back_as_it_is():
    """Every line is understood and legal."""
    position = spoken.position(spoken.USUAL + "banner A Strays at 8 scattered")
    offered = talked(("B", "offer 2: truce 3"), ("B", "result 2: draw"))
    for state in (position, talked(), offered):
        seen = view(state, "A")
        card = "\n".join(form(seen))
        checked, faults = spoken.handled(seen, card)
        assert (faults, spoken.sheet(seen, card).ignored) == ([], ())
        assert len(checked.verdicts) == sum(not line.startswith("#") for line in form(seen))


def test_public_and_the_end_have_no_form():
    """There is nothing to order."""
    state = spoken.position(spoken.USUAL)
    assert form(view(state, None)) == ()
    state.stage = "over"
    assert form(view(state, "A")) == ()


def test_form_of_an_assault_invites_to_the_defence_and_then_to_tell_the_result():
    """Before and after somebody has taken it."""
    state = spoken.meeting(spoken.ASSAULT)
    assert form(view(state, "B")) == ("# defend 2: you play those whom Red Duchy assault in 2 Section 2",)
    assert form(view(state, "A")) == (
        "# Assault in 2 Section 2. The defence is played by nobody yet.",
        "# automatic 2",
    )
    taken = resolve(ACTS, state, {"B": [Defend(2)]}, Dice()).state
    for seat in "AB":
        lines = result_lines(view(taken, seat))
        banner = "your Red Dragons" if seat == "A" else "Red Duchy's Red Dragons"
        units = ("# Captain Oda 1", "# Iron Guard 20", "# # the garrison:", "# Town watch 24")
        assert lines[1:] == (f"# # {banner}:", *units)
        assert not spoken.handled(view(taken, seat), uncommented(lines))[1]


LONG = (
    spoken.MET.replace("Blue", "The Most Serene Republic of the Sunken Vale")
    + """option disputes organizer
section 1 stronghold controlled by A
realm C named "The Host of the Seven Silver Cranes"
banner C "Grey Wardens of the Northern Marches" at 1
ship A "Sea Swan" transport at 9
coast 1-9
"""
)
WORDS = "we share the harbour, the mines and the honour of the day, as our fathers did before us"


@pytest.mark.parametrize(
    "cards",
    [
        [],
        [("B", f'offer 2: truce 3, "{WORDS}"')],
        [("B", f"propose B2 Saturday 15:00, {WORDS}")],
        [("B", "result 2: draw")],
        [("B", "result 2: draw"), ("A", f'dispute 2 "{WORDS}"')],
        [("B", "result 2: draw"), ("A", f'dispute 2 "{WORDS}"'), ("", "")],
        [("A", "deputy C for B2")],
        [("B", f'propose "{WORDS}"')],
    ],
)
@pytest.mark.parametrize("seat", ["A", "B", "C"])
def test_form_comes_back_whole_from_a_mail_program_that_breaks_lines(cards, seat):
    """After 72 signs, as most do: no second half of a comment is read as an order. Without a seat: the stage closes."""
    state = spoken.meeting(LONG)
    for writer, card in cards:
        found, _ = spoken.handled(view(state, writer or "A"), card)
        orders = {writer: [each.written.order for each in found.verdicts]} if writer else {}
        state = resolve(ACTS if writer else phases(state), state, orders, Dice(b"closed")).state
    seen = view(state, seat)
    broken = [half for line in form(seen) for part in folded(line).splitlines() for half in wrap(part, 72)]
    sheet = spoken.sheet(seen, "\n".join(broken))
    assert not sheet.faults
    assert not sheet.ignored


def test_news_of_a_proposal_can_be_answered_with_one_line():
    """In any stage; its author has voted for it, and who has voted is not asked again."""
    state = spoken.position(spoken.USUAL)
    state.proposals[2] = Proposal(2, "A", words="no elephants", votes=(("A", True), ("C", True)))
    assert [line for line, _ in answers(view(state, "B"))] == ["vote yes on R2", "vote no on R2"]
    assert answers(view(state, "A")) == answers(view(state, "C")) == answers(view(state, None)) == ()
