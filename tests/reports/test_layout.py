"""Plain text keeps its shape."""

from hypothesis import given
from hypothesis import strategies as st

from pbem.core.report import Bar, Bars
from pbem.reports.layout import (
    NBSP,
    TABLE_WIDTH,
    bars,
    explained,
    folded,
    itemized,
    labelled,
    portions,
    share_of_longest,
    table,
    wrap,
)


def test_wrap_breaks_at_72_columns_and_moves_in() -> None:
    assert wrap("word " * 20, indent=4).splitlines() == [
        "    word word word word word word word word word word word word word",
        "    word word word word word word word",
    ]


def test_wrap_never_parts_what_belongs_together() -> None:
    assert wrap(f"see NIP{NBSP}6.4", width=10).splitlines() == ["see", "NIP 6.4"]


def test_labelled_aligns_texts_and_keeps_their_lines() -> None:
    assert labelled([("Red", "move 13\nDone."), ("Iron Wall", "hold")]).splitlines() == [
        "  Red        move 13",
        "             Done.",
        "  Iron Wall  hold",
    ]


def test_a_comment_stands_below_the_line_that_it_explains() -> None:
    assert explained("Red Dragons: hold   # stays where it is, and rests", 34).splitlines() == [
        "  Red Dragons: hold",
        "      # stays where it is, and",
        "      # rests",
    ]
    assert explained("OK") == "  OK"


def test_labelled_gives_a_long_label_its_own_line() -> None:
    assert labelled([("Red", "hold"), ("Grand Army of the Marches", "fortify")]).splitlines() == [
        "  Red  hold",
        "  Grand Army of the Marches",
        "       fortify",
    ]


def test_itemized_puts_dashes_where_labels_are_missing() -> None:
    assert itemized([("", "one"), ("B", "two")]).splitlines() == ["-  one", "-  B: two"]


def test_table_sets_numbers_flush_right() -> None:
    assert table(("Banner", "#Points"), (("Red", "90"), ("Iron Wall", "1,200"))).splitlines() == [
        "Banner     Points",
        "---------  ------",
        "Red            90",
        "Iron Wall   1,200",
    ]


def test_table_wraps_its_widest_cells_to_fit() -> None:
    lines = table(("Where", "News"), (("14 Ford", "in a meeting, drew its battle"),), width=24).splitlines()
    assert lines == ["Where    News", "-------  ---------------", "14 Ford  in a meeting,", "         drew its battle"]


def test_table_cuts_a_word_that_is_too_long() -> None:
    assert table(("A",), (("abcdef",),), width=3).splitlines() == ["A", "---", "abc", "def"]


def test_folded_carries_a_long_comment_on_in_comment_lines() -> None:
    assert folded("Red: hold   # 13 Ford, next: 12 14 19", width=30).splitlines() == [
        "Red: hold   # 13 Ford, next:",
        "            # 12 14 19",
    ]


def test_folded_leaves_a_line_alone_that_the_player_may_uncomment() -> None:
    line = "# result 14: Crane Host victory; Spearmen 30"
    assert folded(line, width=30) == line


def test_a_label_that_is_longer_than_a_line_is_wrapped() -> None:
    label = "result 9: " + "A Iron Wall 12, " * 8
    told = labelled([(label, "It stands.")])
    assert all(len(line) <= TABLE_WIDTH for line in told.splitlines())
    assert " ".join(told.split()) == f"{label}It stands."


def test_bars_show_parts_of_a_whole() -> None:
    long = "Halberdiers of the Western Gate, Iron Wall"
    groups = (
        ("Left", (Bar("Spears", (5, 3, 2)), Bar("Oda", (0, 0, 1), "slain in a challenge"))),
        ("Right", (Bar(long, (1, 0, 2)),)),
    )
    assert bars(Bars(("stood", "fled", "fell"), groups)).splitlines() == [
        "  # stood, > fled, . fell",
        "  Left",
        f"    {'Spears':<26}  #####>>>..  5 stood, 3 fled, 2 fell",
        f"    {'Oda':<26}  .  1 fell; slain in a challenge",
        "  Right",
        f"    {long}",
        f"    {'':<26}  #..  1 stood, 2 fell",
    ]


def test_a_long_bar_is_as_wide_as_there_is_room() -> None:
    (*_, line) = bars(Bars(("stood",), (("Left", (Bar("Spears", (500,)),)),))).splitlines()
    assert line == f"    Spears  {'#' * 20}  500 stood"


def test_bars_of_a_page_tell_who_had_many_and_who_few() -> None:
    many, few = Bar("Spears", (20, 5, 15)), Bar("Oda", (1, 0, 0))
    picture = Bars(("stood", "fled", "fell"), (("Left", (many, few)),))
    assert (share_of_longest(many, picture), share_of_longest(few, picture)) == (100, 4)


@given(st.lists(st.integers(0, 500), min_size=1, max_size=3))
def test_bars_are_as_long_as_they_should_be(parts: list[int]) -> None:
    assert sum(portions(parts, 20)) == (20 if sum(parts) else 0)
