"""The map of a turn: what stands in it, that its words say the same, and that it shows nothing it should not."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from pbem.core.dice import Dice
from pbem.core.ruleset import Entrant
from pbem.rulesets.nippon import maps
from pbem.rulesets.nippon.drawing.panels import legend
from pbem.rulesets.nippon.drawing.words import section
from pbem.rulesets.nippon.picture import alt, picture
from pbem.rulesets.nippon.setup import setup
from pbem.rulesets.nippon.state import Banner, March, Meeting, State
from pbem.rulesets.nippon.view import View, view
from tests.rulesets.nippon.cards import spoken

NAMES = ("Crane Host", "Bell of Yamato", "Iron Carp", "Salt Wind", "Nine Lanterns", "Foxfire", "Moon Rabbits", "Ash")


def marched(*marches):
    """Marches as a position keeps them."""
    return {march.banner: march for march in marches}


def start(realms: int = 2, map_name: str = "nippon") -> State:
    """The first position of a campaign; A sits in 3 Iburi and B in 16 Rikuchu on the large map."""
    homes = [place.number for place in maps.atlas(map_name) if place.headquarters]
    entrants = [
        Entrant(seat, name, {"headquarters": home})
        for seat, name, home in zip("ABCDEFGH"[:realms], NAMES, homes, strict=False)
    ]
    return setup({"map": map_name}, entrants, Dice(b"seed"))


def post(state: State, seat: str, at: int, *names: str, scattered: bool = False) -> State:
    """The same position with banners of ``seat`` in a section, without units."""
    after = state.copy()
    for name in names:
        banner = Banner(seat, name, at, (), scattered=scattered)
        after.banners[banner.key] = banner
    return after


def change(state: State, number: int, **changes: object) -> State:
    """The same position with a section changed."""
    after = state.copy()
    after.change_section(number, **changes)
    return after


def icons(state: State, seat: str | None = None) -> list[str]:
    """Names of the icons on the map, those of the legend and the table of realms left out."""
    drawn = picture(view(state, seat))
    around = [*used(legend(state.atlas, "A")), *(f"banner-{each}" for each in state.realms)]
    found = used(drawn)
    for icon in around:
        found.remove(icon)
    return sorted(found)


def used(svg: str) -> list[str]:
    """Names of the icons in a drawing; outlines of sections are called ``s1``, ``s2`` ..."""
    return re.findall(r'<use href="#(?!s\d)([^"]+)"', svg)


def texts(svg: str) -> list[str]:
    """All written words of a drawing, without what pointers show."""
    root = ElementTree.fromstring(svg)
    return [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]


BARE = start()
BARE.banners = {}


# --- the whole ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("realms", range(2, 9))
def test_picture_any_number_of_realms_is_well_formed_and_names_them(realms: int) -> None:
    written = texts(picture(view(start(realms), None)))

    assert set(NAMES[:realms]) <= set(written)
    assert not set(NAMES[realms:]) & set(written)


@pytest.mark.parametrize("map_name", maps.names())
def test_picture_same_view_same_bytes(map_name: str) -> None:
    assert picture(view(start(2, map_name), None)) == picture(view(start(2, map_name), None))


def test_picture_is_the_same_for_all_who_know_the_same() -> None:
    state = replace(post(start(3), "A", 7, "Red"), stage="meetings", marches=marched(March("A", "A Red", (4, 7))))

    assert len({picture(view(state, seat)) for seat in (None, "A", "B", "C")}) == 1


def test_picture_shows_nothing_of_treasuries_units_and_reserves() -> None:
    state = start()
    richer = state.copy()
    richer.change_realm("B", treasury=5000)
    for banner in state.banners_of("B"):
        richer.change_banner(banner.key, units=banner.units[:1], heroism=300)
    richer.change_section(16, reserve=state.banners_of("B")[0].units)

    assert [picture(View("B", each)) for each in (state, richer)] == [picture(view(state, "A"))] * 2


def test_picture_has_title_turn_and_moment() -> None:
    state = replace(start(), turn=7, stage="meetings", meetings={7: Meeting(7, ("A Red", "B Blue"))})

    written = texts(picture(view(state, None)))

    assert written[-len(written) :].count("NIPPON") == 1
    assert {"Turn 7", "after the moves, before the meeting in Hidaka"} <= set(written)


def test_picture_names_are_escaped() -> None:
    state = start()
    state.change_realm("A", name='<Fox & "Sons">')

    assert '<Fox & "Sons">' in texts(picture(view(state, None)))


def test_picture_name_too_long_for_the_table_is_cut_but_whole_in_the_words() -> None:
    state = start()
    state.change_realm("A", name="The Most Serene Republic of the Nine Hundred Lanterns")
    seen = view(state, None)

    assert [each for each in texts(picture(seen)) if each.startswith("The Most")] == ["The Most Serene Republic of…"]
    assert "The Most Serene Republic of the Nine Hundred Lanterns" in str(alt(seen))


def test_picture_names_of_sections_are_fine_detail() -> None:
    fine = re.findall(r'<g class="fine".*?</g>', picture(view(start(), None)))

    assert len(fine) == 1
    assert "Hizen" in fine[0]


# --- what stands in sections --------------------------------------------------------------------------------------


def test_icons_of_the_first_position() -> None:
    sites = [place.site.replace(" ", "-") for place in maps.atlas("nippon") if place.site]
    ports = ["port" for place in maps.atlas("nippon") if place.port]
    homes = ["chip-A", "chip-B", "citadel-A", "citadel-B"]

    assert icons(BARE) == sorted([*sites, *ports, *homes])


@pytest.mark.parametrize(
    ("changed", "icon"),
    [
        (change(BARE, 13, razed=True), "razed"),
        (change(BARE, 13, fortified="A Red"), "fortified"),
        (change(BARE, 13, controller="B"), "chip-B"),
        (replace(BARE, meetings={13: Meeting(13, ())}), "meeting"),
        (replace(BARE, battles=(13,)), "fought"),
        (post(BARE, "A", 13, "Red"), "banner-A"),
        (post(BARE, "B", 13, "Blue", scattered=True), "scattered-B"),
        (post(BARE, "A", 71, "Red"), "banner-A"),
    ],
)
def test_icons_each_mark_adds_one(changed: State, icon: str) -> None:
    assert icons(changed) == sorted([*icons(BARE), icon])


def test_icons_settled_meeting_is_gone() -> None:
    settled = replace(BARE, meetings={13: Meeting(13, (), settled="parley")})

    assert icons(settled) == icons(BARE)


def test_icons_lost_headquarters_has_no_flag_and_a_struck_letter() -> None:
    gained, lost = {"chip-B", "lost-A", "citadel"}, {"chip-A", "citadel-A"}

    after = icons(change(BARE, 3, controller="B"))

    assert sorted(after) == sorted([*(icon for icon in icons(BARE) if icon not in lost), *gained])


def test_icons_headquarters_of_a_dead_realm_is_not_lost() -> None:
    after = change(BARE, 3, controller="B")
    after.change_realm("A", status="eliminated")

    assert "lost-A" not in icons(after)


def test_icons_banners_stand_one_by_one_while_there_is_room() -> None:
    shields = [icon for icon in icons(post(post(BARE, "A", 6, "1", "2"), "B", 6, "1")) if icon.startswith("banner")]

    assert shields == ["banner-A", "banner-A", "banner-B"]


def test_icons_many_banners_of_a_realm_become_one_shield_with_their_number() -> None:
    crowd = post(post(BARE, "A", 20, *"123456789"), "B", 20, "1")

    assert [icon for icon in icons(crowd) if icon.startswith("banner")] == ["banner-A", "banner-B"]
    before, after = (texts(picture(view(state, None))).count("9") for state in (BARE, crowd))
    assert after - before == len(("on the shield", "in the table of realms"))


def test_picture_eliminated_realm_has_no_numbers() -> None:
    state = BARE.copy()
    state.change_realm("B", status="eliminated")

    assert texts(picture(view(state, None)))[-1] == "eliminated"


# --- moves --------------------------------------------------------------------------------------------------------


def heads(state: State, *paths: tuple[int, ...]) -> int:
    """How many arrows A's banners draw that went these ways, beyond the one in the legend."""
    moved = replace(state, marches=marched(*(March("A", f"A {path}", path) for path in paths)))
    return tails(moved) - tails(state)


def tails(state: State) -> int:
    """How many discs there are where arrows begin."""
    return picture(view(state, None)).count('<circle r="6.2"')


@pytest.mark.parametrize("path", [(3, 7), (6, 10), (3, 69), (69, 71), (3, 7, 8, 9)], ids=str)
def test_arrows_over_land_straits_and_coasts(path: tuple[int, ...]) -> None:
    assert heads(BARE, path) == 1


def test_arrows_one_for_all_banners_of_a_realm_on_the_same_way() -> None:
    moved = replace(
        BARE, marches=marched(March("A", "A Red", (3, 7)), March("A", "A Blue", (3, 7)), March("B", "B", (3, 7)))
    )

    assert tails(moved) - tails(BARE) == 2


def test_arrows_none_for_a_banner_that_stayed_or_crossed_no_border() -> None:
    assert heads(BARE, (3,), (3, 66)) == 0


# --- in words -----------------------------------------------------------------------------------------------------


def test_alt_says_all_that_stands_in_the_picture() -> None:
    state = post(post(start(4), "A", 7, "Red"), "B", 7, "Blue", scattered=True)
    state = change(change(change(state, 13, razed=True), 4, controller="A", fortified="A Red"), 16, controller="A")
    state = replace(state, stage="meetings", meetings={7: Meeting(7, ("A Red", "B Blue"))}, battles=(9,), turn=3)
    state = replace(state, marches=marched(March("A", "A Red", (4, 7))))

    seen = alt(view(state, None))

    assert seen.title == "Nippon, turn 3, after the moves, before the meeting in Hidaka."
    said = dict(seen.position + seen.land)
    assert said["A, Crane Host"] == "3 sections, 4 banners. Holds 3 Iburi, 4 Ishikari, 16 Rikuchu."
    assert said["B, Bell of Yamato"] == "0 sections, 4 banners."
    assert said["Lost headquarters"] == "16 Rikuchu, that of Bell of Yamato."
    assert said["In 7 Hidaka"] == "Crane Host's Red, Bell of Yamato's Blue (scattered)."
    assert said["Moved"] == "Crane Host's Red 4 Ishikari > 7 Hidaka."
    assert (said["Meetings"], said["Battles fought"]) == ("7 Hidaka.", "9 Kushiro.")
    assert (said["Razed"], said["Fortified"]) == ("13 Nambu.", "4 Ishikari.")
    assert said["Terrain"].endswith("; wasteland 11 28.")
    assert said["With"].startswith("river 4 7 8 15 ")
    assert said["Sites"].startswith("citadel 3 16 20 24; gold mine 5 14 63; keep ")
    assert said["Straits"] == "6-10 31-44 35-55 53-54."


@pytest.mark.parametrize("map_name", maps.names())
def test_alt_holds_every_word_of_the_picture_but_names_of_the_land(map_name: str) -> None:
    state = start(2, map_name)
    seen = view(state, None)
    around = {*texts(f'<svg xmlns="http://www.w3.org/2000/svg">{legend(state.atlas, "A")}</svg>'), "N", "Realms"}
    land = {word for place in state.atlas for word in (place.name, *str(place).split())}
    written = set(texts(picture(seen))) - around - land - {"sections", "banners"}
    said = str(alt(seen)).casefold()

    assert [words for words in sorted(written) if words.casefold() not in said and " · " not in words] == []


def test_alt_leaves_the_realm_out_of_the_names_of_the_readers_own_banners() -> None:
    state = post(BARE, "A", 7, "Red")

    assert ("In 7 Hidaka", "Red.") in alt(view(state, "A")).position
    assert ("In 7 Hidaka", "Crane Host's Red.") in alt(view(state, "B")).position


def test_picture_tells_a_pointer_what_a_section_is() -> None:
    state = post(change(BARE, 22, controller="A"), "B", 22, "Blue")

    hint = "22 Echigo: plains, snow, port, stronghold; held by Crane Host; Bell of Yamato&#x27;s Blue"
    assert f"<title>{hint}</title>" in picture(view(state, None))


def test_picture_tells_a_pointer_of_a_port_that_was_built() -> None:
    inland = next(place.number for place in BARE.atlas if not place.port and not place.ocean)
    harbour = view(change(BARE, inland, port=True), None)

    assert ", port" in section(harbour, inland)
    assert f"<title>{section(harbour, inland)}</title>" in picture(harbour)


# --- other maps ---------------------------------------------------------------------------------------------------


def test_picture_of_a_map_without_a_layout_shows_the_same() -> None:
    own = replace(BARE.atlas, name="own")

    assert icons(replace(BARE, atlas=own)) == icons(BARE)


def test_picture_of_a_map_without_panels_has_a_strip_below() -> None:
    root = ElementTree.fromstring(picture(view(start(2, "duel"), None)))

    assert root.get("viewBox") == "0 0 1000 1134"


@pytest.mark.parametrize(
    ("fog", "seat", "counted"),
    [("adjacent", None, ""), ("adjacent", "A", "in sight"), ("none", None, "banners"), ("none", "A", "banners")],
)
def test_numbers_of_banners_are_those_that_the_reader_sees(fog: str, seat: str | None, counted: str) -> None:
    """The public is told none that the fog hides; a player those in his sight, and that they are no more than that."""
    state = spoken.position(f"{spoken.USUAL}option fog {fog}")
    seen = view(state, seat)
    told = " ".join(fact for _, fact in alt(seen).position)
    svg = picture(seen)
    assert ("banner" in told, "in sight" in told) == (bool(counted), counted == "in sight")
    assert [words for words in ("in sight", "banners") if f">{words}<" in svg] == ([counted] if counted else [])
    assert (f">{len(seen.position.banners_of('A'))}<" in svg) is bool(counted)
