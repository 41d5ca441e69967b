"""The primer: how each order is written, with the reader's own names."""

import pytest

from pbem.rulesets.nippon.cards.primer import primer
from pbem.rulesets.nippon.cards.talks import TALKS
from pbem.rulesets.nippon.cards.verbs import BASIC
from pbem.rulesets.nippon.view import view
from tests.rulesets.nippon.cards import spoken
from tests.rulesets.nippon.cards.test_voyages import AT_SEA


def test_primer_shows_every_form_with_a_banner_that_can_do_it():
    """A form that nobody can carry out now is shown all the same."""
    assert primer(view(spoken.position(spoken.USUAL), "A")) == (
        "Iron Wall: move 1                                               # to a section, by number or name",
        "Swift Wings: move 3 7                                           # by a way you name, step by step",
        "Swift Wings: move 3 by land                                     # walks, though it could fly",
        "Iron Wall: hold                                                 # stays and takes the section",
        "Red Dragons: hold no claim                                      # takes nothing; goes with move, too",
        "Swift Wings: fortify                                            # builds works for the next defence",
        "Iron Wall: raze and hold                                        # burns its section and stays",
        "Swift Wings: raze and move 3                                    # burns it and goes on, with luck",
        "Swift Wings: recover                                            # rebuilds its section, if that is razed",
        "Swift Wings: retreat to 3                                       # if beaten; goes behind any order, too",
        "recruit 20 swordsmen at 4 (musician)                            # a unit; reinforce UNIT with 5",
        "build tavern at 3                                               # out of your treasury",
        "upgrade 3 to village                                            # or keep, stronghold, port",
        "give 100 to Blue                                                # a gift",
        "form New Banner from Hero of Iron Wall, Warriors of Iron Wall   # a new banner",
        "join Iron Wall to Red Dragons                                   # as one; or transfer UNIT to BANNER",
        "plan Iron Wall: left Warriors of Iron Wall attack               # for automatic battles: or centre, hold,",
        "plan Iron Wall: flank right Warriors of Iron Wall               # reserve; retreat 50, target weakest",
        "plan Iron Wall: none                                            # as by default",
        "loss order: Warriors of Iron Wall, Warriors                     # who falls first on dangerous ground",
        "carriers: Hero of Iron Wall                                     # who gets what is found",
        "give up: as usual                                               # or items: with which the beaten part first",
        "take: as usual                                                  # or items: what you want most as spoils",
        "captured creatures: kill                                        # or: as usual; they join",
        "assaults: as usual                                              # or banners that fight garrisons and lairs",
        "side with: as usual                                             # or realms: with whom, against your allies",
        'contact "your address or phone, and when"                       # for those you meet, and deputies; or none',
        "volunteer yes                                                   # you would play battles of others; or no",
        'propose "words"                                                 # a house rule; or propose cost_percent 25',
        "vote yes on R1                                                  # or vote no; all realms must agree",
    )


def test_primer_teaches_all_that_a_banner_can_be_told():
    """No order is left out that a player could give."""
    drawn = spoken.USUAL.strip().replace("at 3", "at 3 drawn")
    drawn += '\nunit A "Iron Wall" "Captain" hero models 1 points 300 carries "Scroll of Town Portal"'
    realms = [f'{drawn}\nrealm A army "{army}"' for army in ("free peoples", "orcs and goblins", "skaven")]
    told = " ".join(" ".join(primer(view(spoken.position(realm), "A"))) for realm in (*realms, AT_SEA))
    assert [verb for verb in BASIC if verb not in told] == []


def test_primer_of_a_meeting_teaches_all_that_can_be_said_there():
    """Every word of the talks but those for pacts and assaults, of which there are none."""
    words = [line.replace("-", " ").split()[0] for line in primer(view(spoken.meeting(), "A"))]
    assert set(TALKS.words) - set(words) == {"break", "defend"}


def test_primer_of_an_assault_teaches_who_attacks_and_who_could_defend():
    """What one can say of it."""
    assault = spoken.meeting(spoken.ASSAULT)
    assert {line.split()[0] for line in primer(view(assault, "A"))} >= {"automatic", "result", "confirm", "dispute"}
    assert "defend" in [line.split()[0] for line in primer(view(assault, "B"))]


@pytest.mark.parametrize("state", [spoken.position(spoken.USUAL), spoken.meeting()])
def test_primer_is_read_as_orders(state):
    """What is taught is understood, line by line."""
    seen = view(state, "A")
    sheet = spoken.sheet(seen, "\n".join(primer(seen)))
    assert (sheet.faults, sheet.ignored) == ((), ())


def test_primer_shows_the_upgrade_that_can_be_made_now():
    rows = primer(view(spoken.position(spoken.COAST), "A"))
    assert [row.split("  ")[0] for row in rows if row.startswith("upgrade")] == ["upgrade 1 to port"]


def test_primer_for_the_public_is_empty():
    """Nothing can be ordered by nobody."""
    assert primer(view(spoken.position(spoken.USUAL), None)) == ()


def test_primer_offers_a_standard_to_who_has_lost_one():
    """Nobody else can buy one."""
    line = 'unit A "Iron Wall" "Old Guard" models 30'
    lost, kept = (
        view(spoken.position(f"{spoken.USUAL}{line}{mark}"), "A") for mark in (" lost the standard of unit", "")
    )
    assert [any("buy standard for Old Guard at 4" in row for row in primer(each)) for each in (lost, kept)] == [
        True,
        False,
    ]
