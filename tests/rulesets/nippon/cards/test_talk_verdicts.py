"""What an acknowledgement says of offers and results: names, where the line has letters and numbers."""

import pytest

from pbem.rulesets.nippon.state.ballots import Proposal
from pbem.rulesets.nippon.view import view
from tests.rulesets.nippon.cards import spoken


def verdict(card):
    """What a card of one line is said to do."""
    checked, faults = spoken.handled(view(spoken.meeting(), "A"), card)
    assert faults == []
    (only,) = checked.verdicts
    return only


def test_offer_is_told_with_names():
    """The line itself stays as it is."""
    offer = verdict('offer 2: give 200, cede 1, truce 1, "Well met."')
    assert offer.does == 'OFFER to Blue: give 200 pp to Blue; cede 1 Section 1; truce of 1 turn; "Well met."'
    assert str(offer.written.order) == 'offer 2: give 200 to B, cede 1, truce 1, "Well met."'


def test_losses_are_told_with_the_name_of_the_realm():
    """The line itself stays as it is; who is not named is, so that nobody is left out by mistake."""
    result = verdict("result 2: Blue victory; A Iron Guard 5, 3 fled")
    assert result.notes[1:] == (
        "Red Duchy's Iron Guard 20 -> 5, 3 fled",
        "who neither stands nor fled is at 0 wounds, and will be tested",
        "without losses, for you do not name them: Red Duchy's Captain Oda, Blue's Lord Kuma and Blue's Bowmen; "
        "if they lost models, send all units again",
    )
    assert str(result.written.order) == "result 2: Blue victory; A Iron Guard 5, 3 fled"


def test_a_contact_is_said_to_be_seen_by_deputies_too():
    """They may be anybody, and are named by others than whoever gives his contact."""
    assert verdict('contact "ana@example.org"').notes == (
        "seen by those whom you meet and by who plays for them, as long as you meet them, and by nobody else",
    )


def test_a_victory_without_any_loss_is_asked_about():
    """So a form that comes back as it was does no harm unseen."""
    (_, note) = verdict("result 2: Blue victory").notes
    assert note.startswith("nobody was lost on either side?")


def test_whoever_takes_a_proposal_back_is_given_the_vote_that_ends_it():
    state = spoken.position(spoken.USUAL)
    state.proposals[2] = Proposal(2, "A", words="no elephants", votes=(("A", True),))
    _, (fault,) = spoken.handled(view(state, "A"), "withdraw R2")
    assert fault.paste == "vote no on R2"


@pytest.mark.parametrize(
    ("told", "warning"),
    [
        ("draw; Iron Guard 4; Captain Oda 0", "odd for a draw: Red Duchy lost 81% of the models"),
        ("draw; Iron Guard 12", ""),
        ("Red Duchy victory; Iron Guard 10", "odd: Red Duchy lost 48% of the models, the beaten only 0%"),
        ("Blue victory; Iron Guard 10", ""),
        ("Blue massacre; Iron Guard 19", "odd for a massacre: Red Duchy lost 5% of the models"),
        ("Blue massacre; Iron Guard 4, 16 fled", ""),
    ],
)
def test_what_does_not_fit_the_losses_is_a_warning(told, warning):
    """The result is filed all the same: 17 of 21 models, 10 of 21, 1 of 21."""
    odd = [note for note in verdict(f"result 2: {told}").notes if note.startswith("odd")]
    assert odd == ([warning] if warning else [])


def test_whoever_does_not_name_his_own_losses_is_told_how_to_confirm_what_was_told_of_them():
    """That line names them, so it is the same result."""
    reported = spoken.after(spoken.meeting(), {"B": "result 2: Blue victory; A Iron Guard 5"})
    for card, confirms in (("result 2: Blue victory", False), ("result 2: Blue victory; A Iron Guard 5", True)):
        (told,) = spoken.handled(view(reported, "A"), card)[0].verdicts
        notes = [note for note in told.notes if note.startswith("does not confirm what Blue told")]
        assert [note.partition(": for that send ")[2] for note in notes] == (
            [] if confirms else ["result 2: Blue victory; A Iron Guard 5"]
        )
        assert spoken.after(reported, {"A": card}).meetings[2].settled == ("battle" if confirms else "")


@pytest.mark.parametrize(
    "named", ["C Iron Guard", "Crane Host's Iron Guard", "the Crane Host Iron Guard", "Cranes Iron Guard"]
)
def test_units_of_a_realm_that_does_not_fight_are_not_taken_for_those_of_another(named):
    """Their writer's own have the same name, and would be dead."""
    text = spoken.MET + 'realm C named "Crane Host"\nbanner C Grey at 3\nunit C Grey "Iron Guard" models 9\n'
    _, (fault,) = spoken.handled(view(spoken.meeting(text), "A"), f"result 2: Blue victory; {named} 0")
    assert fault.reason.endswith(f"called just {named!r}. Crane Host does not fight in it.")
    assert fault.paste == ""


def test_nor_are_those_that_a_realm_has_not():
    """Blue has no Iron Guard; Red Duchy has."""
    _, (fault,) = spoken.handled(view(spoken.meeting(), "A"), "result 2: Blue victory; Blue Iron Guard 0")
    assert fault.paste == ""
    _, (fault,) = spoken.handled(view(spoken.meeting(), "A"), "result 2: Blue victory; Red Iron Guard 0")
    assert fault.paste == "result 2: Blue victory; A Iron Guard 0"
