"""The first position of a campaign."""

import pytest

from pbem.core.dice import Dice
from pbem.core.errors import BadInput
from pbem.core.ruleset import Entrant
from pbem.rulesets.nippon.setup import setup
from pbem.rulesets.nippon.state import State


def entrant(seat: str, **options: object) -> Entrant:
    """A seat of a campaign file."""
    return Entrant(seat, f"Realm {seat}", options, f"c.toml: seat {ord(seat) - 64}")


def duel(*entrants: Entrant, dice: dict[str, int] | None = None, **options: object) -> State:
    """A campaign on the small map, whose candidates are 1, 4, 16 and 19."""
    return setup({"map": "duel", **options}, entrants, Dice(fixed=dice or {}))


def flaws(*entrants: Entrant, **options: object) -> list[str]:
    """What is wrong with such a campaign."""
    with pytest.raises(BadInput) as caught:
        duel(*(entrants or (entrant("A"), entrant("B"))), **options)
    return [str(flaw) for flaw in caught.value.flaws]


CANDIDATES = "1 Thornwick, 4 Emberly, 16 Southmoor, 19 Larkfield"
CHOSEN = (entrant("A", headquarters=19), entrant("B", headquarters="emberly"))


def test_headquarters_stand_where_the_campaign_says_by_number_or_name():
    state = duel(*CHOSEN)
    assert {seat: realm.headquarters for seat, realm in state.realms.items()} == {"A": 19, "B": 4}


def test_headquarters_fall_to_the_highest_roll_first_and_tied_realms_roll_again():
    dice = {
        "headquarters A a": 3, "headquarters A b": 3, "headquarters B a": 2, "headquarters B b": 4,
        "headquarters C a": 6, "headquarters C b": 1,
        "headquarters A again a": 1, "headquarters A again b": 1,
        "headquarters B again a": 1, "headquarters B again b": 2,
    }  # fmt: skip
    state = duel(entrant("A"), entrant("B"), entrant("C"), entrant("D", headquarters=4), dice=dice)
    assert {seat: realm.headquarters for seat, realm in state.realms.items()} == {"A": 19, "B": 16, "C": 1, "D": 4}


def test_headquarters_become_citadels_with_two_machines():
    section = duel(*CHOSEN).sections[19]
    assert (section.controller, section.site, section.machines, section.buildings) == (
        "A",
        "citadel",
        ("mortar",) * 2,
        (),
    )


def test_neutral_strongholds_have_a_machine():
    state = setup({}, [entrant("A", headquarters=3), entrant("B", headquarters=16)], Dice())
    strongholds = [section for section in state.sections.values() if section.site == "stronghold"]
    assert [(section.controller, section.machines) for section in strongholds] == [("", ("mortar",))] * len(strongholds)
    assert strongholds


def test_all_banners_start_at_home_under_names_of_their_own():
    state = duel(*CHOSEN)
    assert {key: banner.at for key, banner in state.banners.items()} == {
        "A Red Dragons": 19, "A White Herons": 19, "A Black Foxes": 19,
        "B Iron Oaks": 4, "B Silver Reeds": 4, "B Storm Lances": 4,
    }  # fmt: skip


def test_banners_may_be_named_by_the_campaign():
    state = duel(entrant("A", headquarters=1, banners=["One", "Two", "The Third's"]), entrant("B", headquarters=4))
    assert [banner.name for banner in state.banners_of("A")] == ["One", "The Third's", "Two"]


def test_order_of_entrants_does_not_matter():
    assert duel(*CHOSEN) == duel(*reversed(CHOSEN))


def test_first_stage_is_the_orders_of_turn_one():
    state = duel(*CHOSEN, interception=False)
    assert (state.turn, state.stage, state.options.interception) == (1, "orders", False)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"map": "atlantis"}, ["options: map: there is no map 'atlantis'; there are duel, nippon"]),
        ({"interceptions": True}, ["options: interceptions: there is no such option. Did you mean interception?"]),
        (
            {"dispute_days": 2},
            ['options: dispute_days: how long disputes may take stands in the schedule: disputes = "after 2d"'],
        ),
        ({"disputes": "umpire"}, ["options: disputes: 'umpire' should be players or organizer"]),
        ({"interception": 1}, ["options: interception: 1 should be true or false"]),
        ({"end_turn": -1}, ["options: end_turn: -1 should be a whole number from 0 on"]),
        ({"domination": 1.5}, ["options: domination: 1.5 should be a share above 0 and up to 1"]),
        ({"army_points": 1500}, ["options: army_points: there is no ready-made army of 1500 points; leave it at 2000"]),
        ({"fog": "thick"}, ["options: fog: 'thick' should be none or adjacent"]),
    ],
)
def test_wrong_option_is_told(options, told):
    assert flaws(**options) == told


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("Ash", "The Ash"), "seats: the name 'ash' is given to 2 realms"),
        (("Realm Ash", "ash"), "seats: the name 'ash' is given to 2 realms"),
        (("B", "Ash"), "seats: B would be taken for the letter of a seat"),
        (("The Q", "Ash"), "seats: The Q would be taken for the letter of a seat"),
        (("Ash", "Realm A"), "seats: Realm A would be taken for the letter of a seat"),
    ],
)
def test_no_realm_can_be_taken_for_another(names, told):
    assert told in flaws(*(Entrant(seat, name, {}) for seat, name in zip("AB", names, strict=True)))


def test_everything_that_is_wrong_with_seats_is_told_at_once():
    first = Entrant("A", "Ash", {"army": "elves", "headquarters": "Mistfell", "colour": "red"}, "c.toml: seat 1")
    second = Entrant("B", "ASH", {"headquarters": 4, "banners": ["Red", "red", "B:2"]}, "c.toml: seat 2")
    third = Entrant("C", "Bog", {"headquarters": 4, "banners": "Red"}, "c.toml: seat 3")
    assert flaws(first, second, third) == [
        "seats: the name 'ash' is given to 2 realms",
        f"c.toml: seat 1, headquarters: 3 Mistfell is no candidate; there are {CANDIDATES}",
        "c.toml: seat 3, headquarters: 4 Emberly is taken by ASH",
        "c.toml: seat 1, colour: there is no such key. There are army, headquarters, banners.",
        "c.toml: seat 1, army: there is no people 'elves'; there are dwarfs, free peoples, high elves, mountain clans, "
        "orcs and goblins, skaven, vampire counts, warriors of chaos. Did you mean high elves?",
        "c.toml: seat 2, banners: 2 banners are called 'red'",
        "c.toml: seat 2, banners: 'B:2' should be words of letters, at most 30 signs",
        "c.toml: seat 3, banners: 'Red' should be a list of 3 names",
    ]


def test_number_of_seats_must_suit_the_map():
    assert flaws(*map(entrant, "ABCDE")) == ["seats: 5 seats, but the map duel is for 2 to 4"]
