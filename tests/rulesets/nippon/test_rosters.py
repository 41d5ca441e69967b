"""Armies that players send: as text, as a table, from other programs, and what is wrong with them (NIP 2.4)."""

import io
import zipfile
from collections.abc import Iterable
from contextlib import suppress
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.errors import BadInput
from pbem.rulesets.nippon import armies
from pbem.rulesets.nippon.armies import rosters
from pbem.rulesets.nippon.armies.rosters import Judged, Roster, archive, judge, safe_xml, writing
from pbem.rulesets.nippon.armies.rosters.transcript import transcribed

FREE = armies.army("free peoples")
READY = tuple(zip(FREE.banner_names[0], FREE.ready, strict=True))

every_army = pytest.mark.parametrize("name", armies.names())


def read(text: str | bytes, name: str = "roster.txt") -> Roster:
    """A roster of the free peoples."""
    return rosters.read(name, text if isinstance(text, bytes) else text.encode(), FREE)


def judged(text: str, points: int = 2000) -> Judged:
    """The same, judged."""
    return judge(read(text), FREE, points)


def reasons(text: str | bytes, name: str = "roster.txt") -> list[str]:
    """Why a roster cannot be read."""
    with pytest.raises(BadInput) as caught:
        read(text, name)
    return [str(flaw) for flaw in caught.value.flaws]


# --- written by hand ----------------------------------------------------------------------------------------------

LETTER = """
Hello, here is my army!

Banner: Red Dragons (844 points)
- General Marshal Oda on a barded warhorse with lance, full plate, Dawn Armour [300 pts]
* 30x Swordsmen named Iron Wall (full command)
20 halberdier, musician and standard bearer
banner "White Herons":
captain: bsb
archers x12, marksman
"""


def test_text_is_read_as_people_write_it():
    first, second = read(LETTER).banners()
    assert [first[0], second[0]] == ["Red Dragons", "White Herons"]
    assert [str(entry) for entry in first[1] + second[1]] == [
        'general "Marshal Oda" (barded warhorse, lance, full plate, Dawn Armour)',
        '30 swordsmen "Iron Wall" (full command)',
        "20 halberdiers (musician, standard bearer)",
        "captain (bsb)",
        "12 archers (marksman)",
    ]


def test_units_get_what_they_ask_for_at_its_price():
    """General 110 + warhorse 14 + barding 6 + lance 9 + full plate 12 + Dawn Armour 35."""
    army = judged(LETTER)
    (_, (general, swordsmen, halberdiers)), (_, (captain, archers)) = army.banners
    assert general.worth == 110 + 14 + 6 + 9 + 12 + 35
    assert (general.mount, general.items, general.profile.M) == ("warhorse", ("Dawn Armour",), 8)
    assert (swordsmen.worth, halberdiers.worth) == (30 * 10 + 5 + 10 + 10, 20 * 6 + 4 + 8)
    assert (captain.battle_standard, archers.champion) == ("army", 8)
    assert [str(flaw) for flaw in army.flaws] == ["banner White Herons: it is worth 189 points and needs 250"]


@every_army
def test_ready_army_reads_back_as_itself(name):
    army = armies.army(name)
    ready = tuple(zip(army.banner_names[0], army.ready, strict=True))
    text = "\n".join(writing.lines(writing.roster_of(ready, army)))
    assert judge(rosters.read("a", text.encode(), army), army, 2000) == Judged(ready, ())


def test_units_without_a_banner_form_one_and_get_names():
    army = judged("captain\n10 archers\n10 archers\n10 swordsmen (standard)")
    ((banner, units),) = army.banners
    assert (banner, [unit.name for unit in units]) == (
        "Red Dragons", ["Captain", "Archers", "Archers B", "Swordsmen"],
    )  # fmt: skip
    assert not army.flaws


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "banner Red\n5 grateswords",
            ["line 2: No unit is called 'grateswords' in the list of the free peoples. Did you mean 'greatswords'?"],
        ),
        (
            "20 orcs",
            ["line 1: No unit is called 'orcs' in the list of the free peoples. There are: lords: gene"],
        ),
        ("Dear Olga,", ["roster: no unit is in it. Write lines such as: banner Red Dragons; "]),
        ("100000 archers", ["line 1: a unit has 999 models at most, an army 200 units"]),
        (b"\x00\x01\x02", ["roster.txt: this is no text; send a roster as .ros, .rosz, .csv or .txt"]),
        (b" " * (rosters.MOST_BYTES + 1), ["roster.txt: 2,000,001 bytes are too many"]),
    ],
)
def test_what_is_no_roster_is_refused(text, told):
    for reason, expected in zip(reasons(text), told, strict=True):
        assert reason.startswith(expected)


def test_words_below_the_units_are_left_out_and_told():
    assert read("banner Red\ncaptain\n20 archers\nCheers, Ben").remarks == (
        "line 4 is no unit and was left out: Cheers, Ben",
    )


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text):
    with suppress(BadInput):
        judged(text)


# --- judged -------------------------------------------------------------------------------------------------------

ILLEGAL = """
army: skaven
banner Red Dragons
general "Oda" (griffon, barding, Rune Fang, Dawn Armour)
wizard lord "Sage" (army standard, Giant Blade)
captain "Oda" (longbow, handgun, halberd, army standard, Rune Fang)
4 greatswords "Great" (shield, musician)
21 archers "A/1" (pegasus)
3 outriders (standard)
30 knights (Imperial Banner, standard, full command)
30 swordsmen (Griffon Standard, standard)
mortar
banner red dragons
10 archers (fnord)
banner Blue
captain (army standard)
"""

WORTH = sum((
    110 + 160 + 6 + 100 + 35,  # Oda, his griffon, barding and items
    200 + 25,  # Sage with the standard
    60 + 8 + 4 + 25 + 100,  # the other Oda: one missile weapon, halberd, standard, Rune Fang
    4 * 10 + 6, 21 * 8, 3 * 21, 30 * 26 + 8 + 16 + 16 + 100, 30 * 10 + 10 + 55, 100,
    10 * 8, 60 + 25,
))  # fmt: skip
"""What of it can be had at all."""


def test_all_that_is_wrong_is_told_at_once():
    assert [str(flaw) for flaw in judged(ILLEGAL).flaws] == [
        "line 4, Oda: no griffon wears barding",
        "line 4, Oda: its magic items cost 135 points, and it may have 100",
        "line 5, Sage: only a hero can bear a battle standard",
        "line 5, Sage: Giant Blade is not in the list of the free peoples, so nobody begins with it",
        "line 6, Oda: it can have longbow or handgun, but not together",
        "line 6, Oda: its magic items cost 100 points, and it may have 50",
        "line 7, Great: it cannot have shield",
        "line 7, Great: it has 4 models and should have 5 or more",
        "line 8, A/1: it cannot ride a pegasus",
        "line 8, A/1: it has 21 models and should have 10 to 20",
        "line 9, Outriders: it can have no standard",
        "line 9, Outriders: it has 3 models and should have 5 or more",
        "line 12, Mortar: it stands where it is built and marches under no banner; buy it at a site",
        "line 14, Archers: no option is called 'fnord'.",
        "roster: it is for skaven, but your realm musters the free peoples",
        f"army: it is worth {WORTH:,} points, {WORTH - 2000} more than 2,000",
        "army: 1 lord at most, but here are Oda, Sage",
        "army: one hero bears the Army Battle Standard, but here are Sage, Oda, Captain",
        "army: there is only one Rune Fang, but here are 2",
        "Swordsmen: its magic standard costs 55 points, and it may have 0; only a general's heirloom may be dearer, "
        "and one unit bears it",
        "banner red dragons: 2 banners are called so",
        "unit A/1: a name should be words of letters, at most 30 signs",
        "unit oda: 2 units are called so",
        "banner red dragons: it needs a hero or lord",
        "banner Blue: a lone character is no banner",
    ]


def test_a_generals_heirloom_lets_one_unit_bear_a_dear_standard():
    legal = "general\n10 swordsmen (standard, Imperial Banner)\n20 archers"
    assert not judged(legal).flaws
    assert judged(legal.replace("general", "captain")).flaws
    assert judged(legal + "\n10 swordsmen (standard, Griffon Standard)").flaws


def test_somebody_must_be_general():
    assert [str(flaw) for flaw in judged("40 archers (standard)").flaws][1:] == [
        "army: no lord or hero is in it who could be the Army General",
        "banner Red Dragons: it needs a hero or lord",
    ]


# --- tables -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("delimiter", [",", ";", "\t"], ids=["comma", "semicolon", "tab"])
def test_ready_army_comes_back_out_of_a_table(delimiter):
    rows = [["Banner", "Number", "Unit", "Name", "Upgrades"]] + [
        [each.banner, str(each.models), each.type, each.name, " / ".join(each.options)]
        for each in writing.roster_of(READY, FREE).entries
    ]
    table = "\r\n".join(delimiter.join(row) for row in rows)
    assert judge(read(table, "army.CSV"), FREE, 2000) == Judged(READY, ())


def test_what_is_wrong_with_a_table_is_told_row_by_row():
    assert reasons("captain,1", "a.csv") == [
        "a.csv: the first row must name the columns: banner, type, models, name, options"
    ]
    assert reasons("type,models\ncaptain,\nknihgts,5\narchers,ten", "a.csv") == [
        "row 3: No unit is called 'knihgts' in the list of the free peoples. Did you mean 'knights'?",
        "row 4: 'ten' should be a number of models, 999 at most",
    ]


# --- BattleScribe and New Recruit ---------------------------------------------------------------------------------

NAMESPACE = "http://www.battlescribe.net/schema/rosterSchema"


def element(name: str, children: Iterable[str] = (), /, **attributes: object) -> str:
    """An XML element."""
    said = "".join(f" {key}={quoteattr(str(value))}" for key, value in attributes.items())
    return f"<{name}{said}>{''.join(children)}</{name}>"


def costs(points: object, kind: str = "pts") -> str:
    """What a selection costs, in points and in another kind."""
    return element("costs", [element("cost", name=kind, value=points), element("cost", name="PL", value="9.0")])


def selection(name: str, points: object, *below: str, number: int = 1, type: str = "unit", **said: object) -> str:
    """A selection with those below it."""
    category = element("categories", [element("category", name=said.pop("category", "Core"), primary="true")])
    inner = [costs(points), category, element("selections", below)]
    return element("selection", inner, name=name, number=number, type=type, **said)


def roster(*selections: str, catalogue: str = "Free Peoples", kind: str = "pts") -> bytes:
    """A roster file of one force."""
    force = element("force", [element("selections", selections)], name="Red Dragons", catalogueName=catalogue)
    inner = [costs("1970.5", kind), element("forces", [force])]
    root = element("roster", inner, xmlns=NAMESPACE, name="Mine", gameSystemName="Warhammer")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{root}'.encode()


def packed(*files: tuple[str, bytes]) -> bytes:
    """A ZIP archive."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in files:
            file.writestr(name, content)
    return target.getvalue()


SWORDSMEN = selection(
    "Swordsmen", 0,
    selection("Swordsman", "290.0", number=29, type="model"),
    selection("Champion", "20", number=1, type="model"),
    selection("Standard Bearer", "10", type="upgrade"),
    customName="Iron Wall",
)  # fmt: skip
OWN = roster(selection("Army Size", 0, type="upgrade"), selection("Captain", 60, type="model"), SWORDSMEN)
FOREIGN = roster(
    selection("Black Orc Big Boss", "105.5", type="model", category="Heroes"),
    selection("Orc Boyz", 0, selection("Boy", "181", number=30, type="model"), category="Core"),
    selection("Spear Chukka", 35, category="Special, War Machine"),
    catalogue="Orcs & Goblins",
)


@pytest.mark.parametrize(
    "content", [OWN, packed(("Mine.ros", OWN)), OWN.decode().replace("UTF-8", "UTF-16").encode("utf-16")]
)
def test_roster_of_an_own_list_is_read_like_any_other(content):
    """Selections of type model are models; the rest are options, of which the standard bearer is one."""
    army = judge(read(content), FREE, 2000)
    ((banner, (captain, swordsmen)),) = army.banners
    assert (banner, captain.type, swordsmen.name, swordsmen.models) == ("Red Dragons", "captain", "Iron Wall", 30)
    assert (swordsmen.standard, army.flaws) == (10, ())


def test_units_of_another_game_come_only_if_the_organizer_lets_them():
    refused = judge(read(FOREIGN), FREE, 2000)
    assert [str(flaw) for flaw in refused.flaws] == [
        "roster: it is made for Warhammer (Orcs & Goblins); this campaign wants units of the free peoples"
    ]
    army = judge(read(FOREIGN), FREE, 2000, foreign=True)
    ((_, (boss, boyz, chukka)),) = army.banners
    assert [unit.category for unit in (boss, boyz, chukka)] == ["hero", "core", "war machine"]
    assert (boss.worth, boyz.models, boyz.points, boyz.profile) == (106, 30, 7, FREE.types["halberdiers"].profile)
    assert all("custom" in unit.tags for unit in (boss, boyz, chukka))
    assert army.flaws == ()
    assert army.remarks == (
        "Black Orc Big Boss: 105.5 pts are counted as 106",
        "units of Warhammer (Orcs & Goblins) fight with the profile of their class here",
        "Orc Boyz: 181 points for 30 models count as 7 each",
    )


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("10 Boss (monster, fly) [hero, 10 points]", "a lord or hero is a unit by himself"),
        ("2 Kings [lord, 400 points]", "a lord or hero is a unit by himself"),
        ("0 Boyz [core, 10 points]", "it has no models"),
    ],
)
def test_a_unit_of_another_game_has_as_many_models_as_its_class_may(line, told):
    written = f"made for Warhammer\nbanner Foo\n1 Chief [hero, 90 points]\n20 Boys [core, 200 points]\n{line}"
    flaws = judge(read(written.encode(), "a.txt"), FREE, 2000, foreign=True).flaws
    assert [told in str(flaw) for flaw in flaws] == [True]


def transcript(content: bytes) -> Roster:
    """What a file is after it has become lines of a mail."""
    return read(transcribed("Mine.rosz", content))


@pytest.mark.parametrize("content", [OWN, packed(("Mine.ros", OWN)), FOREIGN])
def test_lines_that_a_file_becomes_say_what_it_says(content):
    told, there = read(content), transcript(content)
    assert judge(there, FREE, 2000, foreign=True).banners == judge(told, FREE, 2000, foreign=True).banners
    assert there.foreign == told.foreign


def test_lines_that_a_file_becomes_say_whose_list_it_is_made_from():
    dwarfs = roster(selection("Tanist", 60, type="model"), catalogue="Mountain Clans")
    assert transcribed("x.ros", dwarfs) == "army: mountain clans\nbanner Red Dragons\ntanist"


def test_file_that_is_a_text_becomes_its_lines():
    assert transcribed("army.ros", b"banner Red\n20 swordsmen") == "banner Red\n20 swordsmen"


def test_what_is_wrong_with_a_file_comes_back_when_its_lines_are_read():
    with pytest.raises(BadInput) as caught:
        transcript(b"<catalogue/>")
    (flaw,) = caught.value.flaws
    assert flaw.reason.startswith("Mine.rosz: this is no roster but a 'catalogue'")


@given(st.binary(max_size=40), st.sampled_from([b"", b"<", b"PK\x03\x04", OWN[:300], packed(("a.ros", OWN))[:90]]))
def test_any_file_becomes_lines(content, before):
    assert isinstance(transcribed("x.ros", before + content), str)


ENTITIES = (
    b'<?xml version="1.0"?><!DOCTYPE roster [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><roster>&b;</roster>'
)
OUTSIDE = b'<!DOCTYPE roster [<!ENTITY x SYSTEM "file:///etc/passwd">]><roster name="&x;"/>'
DECLARED = "x.ros: it declares a document type or entities, which no roster does; export it again"
LARGE = packed(("Mine.ros", b"<roster>" + b" " * archive.MOST_UNPACKED))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (ENTITIES, DECLARED),
        (OUTSIDE, DECLARED),
        (b'<!DOCTYPE roster SYSTEM "http://players.example/x.dtd"><roster/>', DECLARED),
        (b"<roster><a></roster>", "x.ros: this is no XML that can be read: mismatched tag"),
        (b'<?xml version="1.0" encoding="klingon"?><roster/>', "x.ros: this is no XML that can be read: "),
        (b'<?xml version="1.0" encoding="UTF-8"?><roster a="\xff"/>', "x.ros: this is no XML that can be read: "),
        (b"<a>" * 70, "x.ros: it has more elements, or deeper ones, than any roster"),
        (b"<a>" + b"<b/>" * safe_xml.MOST_ELEMENTS, "x.ros: it has more elements, or deeper ones, than any roster"),
        (b"<catalogue/>", "x.ros: this is no roster but a 'catalogue'; export the roster"),
        (roster(kind="PL"), "x.ros: it has no cost called pts or points; the kinds of cost in it: PL, PL"),
        (roster(), "x.ros: no unit is selected in it"),
        (roster(selection("Captain", "1e99")), "force 1, selection 1: '1e99' should be a number"),
        (roster(selection("Captain", "9" * 18)), "force 1, selection 1: 1e+18 points; a unit has 0 to 100,000"),
        (roster(selection("Archers", 80, number=10**7)), "force 1, selection 1: 10000000 models; a unit has 1 to 999"),
        (roster(selection("Orc Boyz", 80)), "force 1, selection 1: The free peoples have no 'Orc Boyz'"),
        (packed(("a.ros", OWN), ("b.ros", OWN)), "x.ros: one .ros file should be in it, but here are 2 among 2 files"),
        (packed(("a.txt", b"")), "x.ros: one .ros file should be in it, but here are 0 among 1 files"),
        (packed(*((f"{n}.ros", b"") for n in range(99))), "x.ros: one .ros file should be in it, but here are 99"),
        (LARGE, "x.ros: unpacked it has more than 5,000,000 bytes: that is no roster"),
        (packed(("a.ros", OWN))[:200], "x.ros: the archive cannot be opened: "),
        (packed(("a.ros", packed(("b.ros", OWN)))), "x.ros: "),
    ],
    ids=lambda value: value[:60] if isinstance(value, str) else "file",
)  # fmt: skip
def test_what_could_do_harm_is_refused_with_the_reason(content, told):
    assert reasons(content, "x.ros")[0].startswith(told)


@given(st.binary(max_size=200), st.sampled_from([b"", b"<", b"PK\x03\x04", OWN[:300], packed(("a.ros", OWN))]))
def test_any_bytes_are_read_or_refused(noise, head):
    with suppress(BadInput):
        judge(read(head + noise, "a.ros"), FREE, 2000)
