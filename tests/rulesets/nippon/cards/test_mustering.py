"""Cards of the set-up: headquarters, armies, and what the player is told of them (NIP 2)."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.core.dice import Dice
from pbem.core.orders import Check, Line, Sheet, Written
from pbem.core.ruleset import Entrant
from pbem.core.turn import resolve
from pbem.packaged import packaged
from pbem.rulesets.nippon import NIPPON, armies
from pbem.rulesets.nippon.armies.rosters import Entry
from pbem.rulesets.nippon.armies.rosters.writing import roster_of
from pbem.rulesets.nippon.orders import Beginning, Enlist, NameBanners, Prefer
from pbem.rulesets.nippon.setup import setup
from pbem.rulesets.nippon.state import State
from pbem.rulesets.nippon.view import View, view

FREE = armies.army("free peoples")


def position() -> State:
    """A campaign that is set up by mail; the candidates are 1, 4, 16 and 19."""
    entrants = [
        Entrant("A", "Thorn", {}),
        Entrant("B", "Larks", {"headquarters": 19, "banners": ["One", "Two", "Six"]}),
    ]
    return setup({"map": "duel", "setup": True}, entrants, Dice())


def seen(seat: str = "A") -> View:
    """What a player sees of it."""
    return view(position(), seat)


def read(text: str, seat: str = "A") -> Sheet:
    """A card as it is read."""
    return NIPPON.read(seen(seat), [Line(number, line) for number, line in enumerate(text.split("\n"), 1)])


def check(text: str, seat: str = "A") -> Check:
    """A card as it is checked."""
    return NIPPON.check(seen(seat), read(text, seat).orders)


CARD = """Hello Olga,
my headquarters: Emberly, then 16 or 1

banner Sea Wolves
captain "Ito" (warhorse, shield)
20 swordsmen "Iron Wall", standard
Cheers, Ben"""


def test_a_card_is_an_army_and_a_list_of_wishes():
    sheet = read(CARD)
    assert [str(each.order) for each in sheet.orders] == [
        "headquarters 4, 16, 1",
        'roster: banner Sea Wolves; captain "Ito" (warhorse, shield); 20 swordsmen "Iron Wall" (standard)',
    ]
    assert [line.text for line in sheet.ignored] == ["Hello Olga,", "Cheers, Ben"]


def test_the_answer_shows_the_army_with_its_points():
    home, army = check(CARD).verdicts
    assert (home.subject, home.does) == ("Headquarters", "4 Emberly, else 16 Southmoor, else 1 Thornwick")
    assert (army.does, *army.notes) == (
        "286 of 2,000 points, 1 banner",
        "1,714 points are unused, and nobody can muster them later",
        "Sea Wolves: 286 points",
        "  Ito: captain (on warhorse, shield): 76",
        "  Iron Wall: 20 swordsmen (light armour, shield, standard): 210",
    )


def test_what_is_wrong_with_an_army_is_told_all_at_once_with_its_lines():
    sheet = read("banner Red\n5 grateswords\n9 archers (shield)")
    assert [(fault.line.number, fault.reason) for fault in sheet.faults] == [
        (2, "No unit is called 'grateswords' in the list of the free peoples. Did you mean 'greatswords'?"),
        (3, "Archers: it cannot have shield."),
        (3, "Archers: it has 9 models and should have 10 to 20."),
    ]
    assert {fault.otherwise for fault in sheet.faults} == {"the ready-made army"}


@pytest.mark.parametrize("wish", ["headquarters 12, 7, 30", "headquarters Nowhere"])
def test_a_headquarters_that_is_not_there_is_answered_with_the_candidates(wish):
    (fault,) = read(wish).faults
    assert fault.reason.endswith(" There are: 1 Thornwick, 4 Emberly, 16 Southmoor.")


def test_what_an_army_lacks_is_told_where_it_stands_once_all_of_it_can_be_read():
    text = 'banner Red\ncaptain Ito\n30 archers (shield)\nbanner Oaks\n30 spearmen "Ito"'
    assert [(fault.line.text, fault.reason) for fault in check(text).faults] == [
        ("30 archers (shield)", "Archers: it cannot have shield."),
        ("30 archers (shield)", "Archers: it has 30 models and should have 10 to 20."),
        ("captain Ito", "unit ito: 2 units are called so."),
        ("banner Oaks", "banner Oaks: it needs a hero or lord."),
    ]


def test_rows_of_a_table_are_told_as_they_stand():
    table = "banner,number,unit,name\nOaks,1,captain,Ito\nRed,10,spearmen,Wall"
    assert [fault.line.text for fault in check(table).faults] == ["Oaks,1,captain,Ito", "Red,10,spearmen,Wall"]


@pytest.mark.parametrize(
    ("line", "there_are"),
    [
        ('lord "Ito"', "lords: general, wizard lord; heroes: captain."),
        ("hero", "lords: general, wizard lord; heroes: captain."),
        ("2 war machines", "war machines: great cannon, mortar."),
    ],
)
def test_who_names_a_rank_is_told_the_units_of_that_rank(line, there_are):
    (fault,) = read(f"banner Red\n{line}\n30 swordsmen").faults
    assert fault.reason.endswith(f" in the list of the free peoples. There are: {there_are}")


def test_an_army_that_leaves_less_than_a_model_costs_is_not_warned():
    """The cheapest model of the list costs 6 points, so at 2,000 an army of 1,995 is full."""
    text = "\n".join(line.removeprefix("# ") for line in NIPPON.form(seen()) if line.startswith("# "))
    notes = [check(text.replace(old, new, 1)).verdicts[-1].notes for old, new in (("#", "#"), ("(musician, ", "("))]
    assert [note for each in notes for note in each if "unused" in note] == []


TABLE = """Here it is:
Banner;Number;Unit;Name;Options
Sea Wolves;1;Captain;Ito;warhorse, shield
Sea Wolves;20;Swordsmen;Iron Wall;standard"""


def test_an_army_may_be_a_table():
    sheet = read(TABLE)
    assert [str(each.order) for each in sheet.orders] == [str(read(CARD).orders[1].order)]
    assert [line.text for line in sheet.ignored] == ["Here it is:"]


def test_what_is_wrong_in_a_table_is_told_with_its_line():
    assert [(fault.line.number, fault.reason) for fault in read(TABLE.replace("20", "x")).faults] == [
        (4, "'x' should be a number of models, 999 at most.")
    ]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("hq 3", "No headquarters can be put in 3 Mistfell. There are: 1 Thornwick, 4 Emberly, 16 Southmoor."),
        ("names One, Two", "The ready-made army has 3 banners, here are 2 names."),
        ("names One, one, B:2", "2 banners are called so."),
        ("names One, Two, B:2", "A name should be words of letters, at most 30 signs."),
    ],
)
def test_wrong_choice_is_told(line, told):
    assert told in [fault.reason for fault in check(line).faults]


def test_headquarters_without_a_section_are_asked_for():
    assert [fault.reason for fault in read("headquarters").faults] == [
        "Where? There are: 1 Thornwick, 4 Emberly, 16 Southmoor."
    ]


def test_without_a_card_it_is_said_what_comes_by_itself():
    assert check("").defaults == (
        ("Headquarters", "the candidate with the lowest number that is left"),
        ("Army", "the ready-made one: Red Dragons, White Herons, Black Foxes"),
    )
    assert check("", "B").defaults == (("Army", "the ready-made one: One, Two, Six"),)


@pytest.mark.parametrize("seat", ["A", "B"])
def test_forms_are_legal_as_they_stand(seat):
    for lines in (NIPPON.form(seen(seat)), NIPPON.primer(seen(seat))[:2]):
        text = "\n".join(lines)
        assert not read(text, seat).faults
        assert not check(text, seat).faults
        assert check(text, seat).verdicts


def test_the_ready_made_army_in_the_form_can_be_sent_back_changed():
    text = "\n".join(line.removeprefix("# ") for line in NIPPON.form(seen()) if line.startswith("# "))
    ((order,), faults) = [each.order for each in read(text).orders], read(text).faults
    assert (order.entries, faults) == (
        _unplaced(roster_of(zip(NAMES, FREE.ready, strict=True), FREE).entries, order),
        (),
    )


def test_the_army_in_the_documentation_is_legal_and_spends_all_points():
    text = (packaged("docs") / "playing.md").read_text(encoding="utf-8").partition("banner ")[2].partition("\n\n")[0]
    army = check(f"banner {text}").verdicts[-1]
    assert army.does == "2,000 of 2,000 points, 3 banners"


NAMES = FREE.banner_names[0]


def _unplaced(entries, order):
    """The entries, standing where those of the order do in the card."""
    return tuple(
        replace(each, where=own.where, said=own.said) for each, own in zip(entries, order.entries, strict=True)
    )


def enlisted() -> st.SearchStrategy[Enlist]:
    """Some units of the ready-made army, under some names."""
    units = [unit for units in FREE.ready for unit in units]
    chosen = st.lists(st.sampled_from(units), min_size=1, max_size=6, unique=True)
    banners = st.lists(
        st.tuples(st.sampled_from(["Red", "Sea Wolves", "Oda's Own"]), chosen),
        max_size=2,
        unique_by=lambda each: each[0],
    )
    return banners.map(lambda held: Enlist(roster_of(held, FREE).entries))


def _tidied(entry: Entry) -> Entry:
    """The unit with one blank between two words, as files are read."""
    options = tuple(" ".join(each.split()) for each in entry.options)
    return replace(entry, type=" ".join(entry.type.split()), category=" ".join(entry.category.split()), options=options)


def foreign() -> st.SearchStrategy[Enlist]:
    """Units of another game, with words that lists of other games might have."""
    words = st.text("abcXYZ 3-'&.!+/:", max_size=12).map(lambda text: f"b {text}".strip(" -'&.!+/:"))
    names = st.text("abc XYZ", max_size=8).map(lambda text: " ".join(text.split()))
    units = st.builds(
        Entry, st.just("Red"), words, st.integers(1, 999), names, st.lists(words, max_size=2).map(tuple),
        st.integers(0, 99_999), words,
    )  # fmt: skip
    tidy = words.map(lambda text: " ".join(text.split()))
    return st.builds(Enlist, st.lists(units, min_size=1, max_size=4).map(tuple), tidy)


ORDERS: st.SearchStrategy[Beginning] = st.one_of(
    st.lists(st.sampled_from([1, 4, 16]), min_size=1, unique=True).map(lambda sections: Prefer(tuple(sections))),
    st.lists(st.sampled_from(["One", "Sea Wolves", "Oda's Own"]), min_size=1).map(
        lambda names: NameBanners(tuple(names))
    ),
    enlisted(),
    foreign().map(lambda order: Enlist(tuple(map(_tidied, order.entries)), order.foreign)),
)


@settings(deadline=None, max_examples=50)
@given(ORDERS)
def test_an_order_is_read_back_from_its_line(order):
    sheet = read(str(order))
    assert [str(each.order) for each in sheet.orders] == [str(order)]
    assert not sheet.faults


ORCS = """made for Warhammer (Orcs)
banner Waaagh
1 Boss "Gork" [Heroes, 100 points]
20 Boyz [Core, 200 points]
"""


def test_units_of_another_game_come_only_where_the_organizer_lets_them():
    (fault,) = check(ORCS).faults
    assert "it is made for Warhammer (Orcs)" in fault.reason
    open_to_all = replace(position(), options=replace(position().options, foreign_rosters=True))
    lines = [Line(number, line) for number, line in enumerate(ORCS.split("\n"), 1)]
    sheet = NIPPON.read(view(open_to_all, "A"), lines)
    (verdict,) = NIPPON.check(view(open_to_all, "A"), sheet.orders).verdicts
    assert verdict.does == "300 of 2,000 points, 1 banner"
    after = resolve(NIPPON.phases(open_to_all), open_to_all, {"A": [sheet.orders[0].order]}, Dice(b"seed")).state
    assert [unit.name for unit in after.banners["A Waaagh"].units] == ["Gork", "Boyz"]


def test_an_army_of_another_people_is_refused():
    sheet = read(CARD.replace("banner", "army: mountain clans\nbanner", 1))
    assert ["it is for mountain clans" in fault.reason for fault in sheet.faults] == [True]


def test_robots_say_where_they_want_to_be():
    card = NIPPON.robot(seen(), Dice(b"seed"))
    assert check(card).verdicts
    assert not check(card).faults
    assert NIPPON.robot(seen("B"), Dice(b"seed")) == ""


def test_nobody_else_learns_what_an_army_is_made_of():
    order = read(CARD).orders[1].order
    after = resolve(NIPPON.phases(position()), position(), {"A": [order]}, Dice(b"seed"))
    assert view(after.state, "B").position.banners["A Sea Wolves"].units == ()
    assert view(after.state, "B").position.realms["A"].general == ""
    told = [entry.event for entry in after.log if "B" in entry.audience or not entry.audience]
    assert not [event for event in told if "Ito" in str(event)]


def test_first_position_waits_for_all_and_nothing_is_taken():
    state = position()
    assert (NIPPON.stage(state).title, NIPPON.stage(state).awaiting) == ("Set-up", {"A", "B"})
    assert {seat: realm.headquarters for seat, realm in state.realms.items()} == {"A": 0, "B": 19}
    assert not state.banners
    assert NIPPON.codec.load(NIPPON.codec.dump(state)) == state


def test_orders_of_another_stage_are_answered():
    written = Written(object(), Line(1, "Red Dragons: hold"))
    assert [fault.reason for fault in NIPPON.check(seen(), [written]).faults] == [
        "Orders come with the first turn; now the campaign is set up."
    ]
