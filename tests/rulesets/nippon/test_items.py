"""Magic items: every row of the rulebook's lists, what can be carried, and what it makes of its bearer."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.rulebook import look_up
from pbem.rulesets.nippon import rulebook
from pbem.rulesets.nippon.items import ITEMS, MERCHANDISE, load
from pbem.rulesets.nippon.items.bearing import (
    bearer_for,
    bearing,
    equipped,
    no_room_for,
    passes_tests,
    regenerates,
    rid_of,
    without_standard,
)
from pbem.rulesets.nippon.lairs import HOARD_ITEMS, TREASURE_ITEMS
from pbem.rulesets.nippon.state import Profile, Unit

MERCHANTS = """
Weapons
Giant Blade | 1 | 180
Sword of Bloodshed | 1 | 180
Obsidian Blade | 1 | 150
Ogre Blade | 1 | 120
Sword of Strife | 1 | 120
Fencer's Blades | 1 | 105
Sword of Anti-Heroes | 1 | 90
Spellthieving Sword | 1 | 75
Sword of Swift Slaying | 1 | 75
Sword of Battle | 2 | 60
Berserker Sword | 1 | 60
Sword of Might | 2 | 60
Gold Sigil Sword | 1 | 45
Sword of Striking | 1 | 45
Biting Blade | 1 | 30
Relic Sword | 1 | 30
Shrieking Blade | 1 | 30
Tormentor Sword | 1 | 15
Warrior Bane | 2 | 15
Armour
Armour of Destiny | 1 | 150
Trickster's Helm | 1 | 150
Armour of Silvered Steel | 1 | 135
Armour of Fortune | 1 | 105
Helm of Discord | 1 | 90
Glittering Scales | 1 | 75
Shield of Ptolos | 1 | 75
Spellshield | 2 | 60
Gambler's Armour | 1 | 60
Dragonhelm | 1 | 30
Enchanted Shield | 3 | 15
Charmed Shield | 3 | 15
Talisman
Talisman of Preservation | 1 | 135
Obsidian Lodestone | 1 | 135
Talisman of Endurance | 1 | 90
Obsidian Amulet | 1 | 90
Dawnstone | 1 | 75
Opal Amulet | 1 | 45
Obsidian Trinket | 1 | 45
Talisman of Protection | 1 | 45
Seed of Rebirth | 1 | 30
Dragonbane Gem | 1 | 15
Pidgeon Plucker Pendant | 1 | 15
Luckstone | 3 | 15
Magic Standards
Rampager's Standard | 1 | 165
Wailing Banner | 1 | 150
Ranger's Standard | 1 | 150
Razor Standard | 1 | 135
War Banner | 2 | 105
Banner of Swiftness | 1 | 45
Lichebone Pennant | 1 | 45
Standard of Discipline | 1 | 45
Banner of Eternal Flame | 1 | 30
Gleaming Pennant | 1 | 15
Scarecrow Banner | 1 | 15
Arcane Items
Book of Ashur | 1 | 210
Feedback Scroll | 2 | 50
Scroll of Leeching | 2 | 50
Sivejir's Hex Scroll | 1 | 50
Power Scroll | 5 | 35
Wand of Jet | 5 | 105
Forbidden Rod | 2 | 105
Trickster's Shard | 1 | 75
Earthing Rod | 3 | 25
Dispell Scroll | 5 | 25
Power Stone | 4 | 20
Sceptre of Stability | 5 | 45
Channeling Staff | 1 | 45
Scroll of Shielding | 3 | 15
Enchanted Items
Wizarding Hat | 1 | 300
Fozzrik's Folding Fortress | 1 | 300
Arabyan Carpet | 1 | 150
Crown of Command | 1 | 105
Healing Potion | 1 | 35
Featherfoe Torc | 1 | 105
Ruby Ring of Ruin | 1 | 75
The Terrifying Mask of Eee! | 1 | 75
Potion of Strength | 5 | 20
Potion of Toughness | 5 | 20
The Other Trickster's Shard | 1 | 45
Ironcurse Icon | 1 | 15
Potion of Foolhardiness | 10 | 5
Potion of Speed | 10 | 5
"""
"""Item, stock and price in the book's appendix II, by its headings."""

FREE_PEOPLES = """
Weapons
Rune Fang | 100
Mace of Helsturm | 60
Sword of Sigismund | 45
Sword of Fate | 40
Blade of Righteous Steel | 30
Dragon Bow | 25
Wyrmslayer Sword | 15
Armour
Shield of the Gorgon | 50
Dawn Armour | 35
Armour of Tarnus | 35
Helm of the Ratslayer | 25
Talismans
Shroud of the Magnus | 50
Holy Relic | 45
The White Cloak | 35
Crimson Amulet | 20
Arcane Items
Grey Wand | 40
Rod of Power | 30
Wizard's Luckstone | 25
Crystal Ball | 15
Wizard's Staff | 10
Enchanted Items
Laurels of Victory | 55
Doomfire Ring | 30
Van Horstmaan's Speculum | 30
Icon of Magnus | 25
Ring of Volans | 20
Magic Standards
Imperial Banner | 100
Griffon Standard | 55
Banner of the Daemonslayer | 50
Banner of Valour | 30
Steel Standard | 20
Banner of Duty | 10
"""
"""Item and cost in the book's list for NPCs. Its Luckstone is the wizard's here: cities sell another of that name."""

EFFECTS = """
Giant Blade | S +3
Sword of Bloodshed | A +3
Obsidian Blade | ignores saves
Ogre Blade | S +2
Sword of Strife | A +2
Fencer's Blades | WS 10
Sword of Swift Slaying | quick
Sword of Battle | A +1
Sword of Might | S +1
Gold Sigil Sword | I 10
Armour of Destiny | betters 2, ward 4
Trickster's Helm | betters 1
Armour of Silvered Steel | save 2
Armour of Fortune | betters 2, ward 5
Helm of Discord | betters 1
Glittering Scales | betters 1
Shield of Ptolos | betters 1
Spellshield | betters 1, resists 1
Gambler's Armour | betters 2, ward 6
Dragonhelm | betters 1
Enchanted Shield | betters 2
Charmed Shield | betters 1
Talisman of Preservation | ward 4
Obsidian Lodestone | resists 3
Talisman of Endurance | ward 5
Obsidian Amulet | resists 2
Obsidian Trinket | resists 1
Talisman of Protection | ward 6
Seed of Rebirth | regenerates 6
Lichebone Pennant | resists 1
Standard of Discipline | Ld +1
Wizarding Hat | caster
Arabyan Carpet | fly
Rune Fang | ignores saves
Sword of Sigismund | S +1, quick
Dragon Bow | reach 36
Shield of the Gorgon | betters 1
Dawn Armour | betters 3
Armour of Tarnus | betters 1, ward 5
Helm of the Ratslayer | betters 1
Shroud of the Magnus | ward 5, resists 2
Holy Relic | ward 4
The White Cloak | ward 5
Crimson Amulet | regenerates 6, passes tests
Banner of the Daemonslayer | only for knights
Steel Standard | only for knights
Elixir of Chaos | WS +1, S +1, T +1, W +1, A +1, I +1
Elixir of Endurance | T +1
Elixir of Finesse | A +1
Elixir of Might | S +1
Potion of Daily Haste | A +1
Potion of Daily Strength | S +1
Potion of Daily Toughness | T +1
Talisman of the Old Ones | ward 2, passes tests, alone
Twisted Crown of Undeath | regenerates 4
"""
"""What the campaign and its battles reckon with, from the book's descriptions. Light armour betters a save by 1, heavy
by 2, full plate by 3, a shield by 1. All other items work on the table alone."""

ONE_USE = {
    "once": {
        *("Feedback Scroll", "Scroll of Leeching", "Sivejir's Hex Scroll", "Power Scroll", "Dispell Scroll"),
        *("Power Stone", "Scroll of Shielding", "Healing Potion", "Potion of Strength", "Potion of Toughness"),
        *("Potion of Foolhardiness", "Potion of Speed", "Wizard's Luckstone", "Ring of Volans"),
    },
    "once a battle": {
        *("Charmed Shield", "Opal Amulet", "Luckstone", "Gleaming Pennant", "Wand of Jet", "Forbidden Rod"),
        *("Trickster's Shard", "Earthing Rod", "Sceptre of Stability"),
    },
}
"""Items of battle that the book calls "one use only", or "one use per battle only"."""

KINDS = {
    "Weapons": "weapon",
    "Armour": "armour",
    "Talisman": "amulet",
    "Talismans": "amulet",
    "Magic Standards": "standard",
    "Arcane Items": "arcane",
    "Enchanted Items": "enchanted",
}


def rows(text):
    """Kind, name and figures of each line."""
    kind = ""
    for line in text.strip().splitlines():
        name, *figures = line.split(" | ")
        kind = kind if figures else KINDS[name]
        if figures:
            yield kind, name, *map(int, figures)


def listed(source):
    """What the program has from a list."""
    return [item for item in ITEMS.values() if item.source == source]


def test_merchant_cities_have_what_the_book_says():
    assert [(item.kind, item.name, item.stock, item.price) for item in listed("merchants")] == [*rows(MERCHANTS)]
    assert tuple((name, stock) for _, name, stock, _ in rows(MERCHANTS)) == MERCHANDISE


def test_the_free_peoples_have_what_the_book_says():
    assert [(item.kind, item.name, item.price) for item in listed("free-peoples")] == [*rows(FREE_PEOPLES)]


def test_lairs_hold_the_rest():
    assert {item.name for item in listed("map")} == {*TREASURE_ITEMS.values(), *HOARD_ITEMS}
    assert {item.name for item in listed("map") if item.slot != "map"} == {*HOARD_ITEMS}


def effects(item):
    """What an item gives, in the words of the table."""
    flags = {"quick": item.quick, "ignores saves": item.ignores_saves, "passes tests": item.passes_tests}
    return [
        *(f"{name} +{more}" for name, more in item.gives.items()),
        *(f"{name} {value}" for name, value in item.sets.items()),
        *(f"{name} {value}" for name in NUMBERS if (value := getattr(item, name))),
        *(flag for flag, given in {**flags, "alone": item.alone}.items() if given),
        *item.lends,
        *(f"only for {kind}" for kind in item.only_for),
    ]


NUMBERS = ("betters", "save", "ward", "regenerates", "resists", "reach")


def test_items_give_what_the_book_says():
    found = {name: ", ".join(effects(item)) for name, item in ITEMS.items() if effects(item)}
    assert found == dict(line.split(" | ") for line in EFFECTS.strip().splitlines())


@pytest.mark.parametrize("uses", ONE_USE)
def test_items_serve_as_often_as_the_book_says(uses):
    assert {item.name for item in ITEMS.values() if item.uses == uses and item.slot != "map"} == ONE_USE[uses]


@pytest.mark.parametrize(
    ("slot", "names"),
    [
        ("helmet", {"Trickster's Helm", "Helm of Discord", "Dragonhelm", "Helm of the Ratslayer"}),
        (
            "shield",
            {"Shield of Ptolos", "Spellshield", "Enchanted Shield", "Charmed Shield", "Shield of the Gorgon"},
        ),
        ("ring", {"Ruby Ring of Ruin", "Doomfire Ring", "Ring of Volans"}),
    ],
)
def test_pieces_that_count_otherwise_than_they_are_listed(slot, names):
    assert {item.name for item in ITEMS.values() if item.slot == slot} == names


def test_scrolls_and_potions_are_known_by_their_names():
    for slot in ("scroll", "potion"):
        for item in ITEMS.values():
            assert (slot in item.name.lower() and item.slot != "map") == (item.slot == slot), item.name


@pytest.mark.parametrize("name", ITEMS)
def test_rules_finds_every_item_with_what_it_does(name):
    item = ITEMS[name]
    assert any(name in rule.text and item.text in rule.text for rule in look_up(rulebook.book(), name))


@pytest.mark.parametrize(
    "row",
    [
        "price = 10\nstock = 1",  # no text
        'text = "x"\nweight = 3',
        'text = "x"\nname = "Y"',
        'text = "x"\nslot = "boots"',
        'text = "x"\nuses = "twice"',
        'text = "x"\nprice = "10"',
        'text = "x"\nprice = -1',
        'text = "x"\nstock = 1',  # and no price
        'text = "x"\nward = 7',
        'text = "x"\nsave = 1',
        'text = "x"\ngives = { Q = 1 }',
        'text = "x"\nsets = { WS = "10" }',
        'text = "x"\nquick = 1',
    ],
)
def test_a_row_that_is_not_in_order_is_refused(row):
    with pytest.raises(ValueError, match="house: X"):
        load("house", f'[weapon."X"]\n{row}')


def test_an_item_of_another_system_does_nothing():
    bearer = replace(CAPTAIN, items=("Crook of Elsewhere",))
    assert "Crook of Elsewhere" not in ITEMS
    assert equipped(bearer) == bearer
    assert rid_of(bearer, "Crook of Elsewhere") == CAPTAIN


# --- carrying -----------------------------------------------------------------------------------------------------

CAPTAIN = Unit("Captain Oda", "captain", "hero", 1, 60, Profile(4, 5, 5, 4, 4, 2, 5, 3, 8))
GUARD = Unit("Guard", "knights", "special", 10, 26, Profile(8, 4, 3, 4, 3, 1, 3, 1, 8), standard=16)
LIMITS = [
    ("Sword of Might", 2),
    ("Armour of Fortune", 1),
    ("Enchanted Shield", 1),
    ("Dragonhelm", 1),
    ("Luckstone", 1),
    ("Doomfire Ring", 2),
    ("Crown of Command", 1),
    ("Power Stone", 1),
    ("Potion of Speed", 6),
]


@pytest.mark.parametrize(("name", "limit"), LIMITS)
def test_as_many_as_the_limit_and_no_more(name, limit):
    assert not no_room_for(replace(CAPTAIN, items=(name,) * (limit - 1)), name)
    assert f"{limit} {ITEMS[name].slot}" in no_room_for(replace(CAPTAIN, items=(name,) * limit), name)


@pytest.mark.parametrize("name", ["Power Scroll", "Scroll of Scry", "Elixir of Might", "Potion of Daily Haste"])
def test_no_limit_for_scrolls_nor_for_what_is_used_on_the_map(name):
    others = tuple(other for other, _ in LIMITS)
    assert not no_room_for(replace(CAPTAIN, items=(*others, *(name,) * 20)), name)


def test_a_map_item_takes_nobody_s_room():
    laden = replace(CAPTAIN, items=("Potion of Daily Haste",) * 6)
    assert not no_room_for(laden, "Potion of Speed")


def test_the_talisman_of_the_old_ones_suffers_nothing_beside_it():
    talisman = "Talisman of the Old Ones"
    assert not no_room_for(CAPTAIN, talisman)
    assert talisman in no_room_for(replace(CAPTAIN, items=("Sword of Might",)), talisman)
    assert talisman in no_room_for(replace(CAPTAIN, items=(talisman,)), "Scroll of Scry")


@pytest.mark.parametrize(
    ("unit", "name", "words"),
    [
        (CAPTAIN, "War Banner", "no standard bearer"),
        (replace(CAPTAIN, battle_standard="army"), "War Banner", ""),
        (GUARD, "War Banner", ""),
        (GUARD, "Banner of the Swarm", ""),
        (CAPTAIN, "Banner of the Swarm", ""),
        (replace(GUARD, standard=0), "Banner of the Swarm", "no hero or lord"),
        (GUARD, "Sword of Might", "no hero or lord"),
        (GUARD, "Steel Standard", ""),
        (replace(GUARD, type="greatswords"), "Steel Standard", "for knights only"),
        (replace(CAPTAIN, tags=frozenset({"fly"})), "Arabyan Carpet", "fly already"),
    ],
)
def test_who_can_carry_what(unit, name, words):
    assert (words in no_room_for(unit, name)) if words else not no_room_for(unit, name)


def test_the_first_with_room_takes_what_is_found():
    full = replace(CAPTAIN, name="Captain Mori", items=("Crown of Command",))
    assert bearer_for((GUARD, full, CAPTAIN), "Twisted Crown of Undeath") == "Captain Oda"
    assert bearer_for((GUARD, full), "Twisted Crown of Undeath") == ""


@given(st.sampled_from([CAPTAIN, replace(CAPTAIN, battle_standard="army"), GUARD]), st.sampled_from([*ITEMS.values()]))
def test_what_is_taken_up_counts_for_its_price_and_can_be_laid_down_again(unit, item):
    if not no_room_for(unit, item.name):
        laden = bearing(unit, item.name)
        assert laden.worth == unit.worth + item.price
        assert rid_of(laden, item.name) == unit


def test_a_magic_standard_goes_with_its_bearer():
    assert without_standard(bearing(GUARD, "War Banner")) == replace(GUARD, standard=0)


# --- what they make of him ----------------------------------------------------------------------------------------

ARMED = replace(CAPTAIN, save=4, gear=("heavy armour", "shield"))


@pytest.mark.parametrize(
    ("items", "changes"),
    [
        (("Sword of Might",), {"profile": replace(ARMED.profile, S=ARMED.profile.S + 1)}),
        (("Giant Blade", "Sword of Battle"), {"profile": replace(ARMED.profile, S=7, A=4)}),
        (("Gold Sigil Sword",), {"profile": replace(ARMED.profile, I=10)}),
        (("Fencer's Blades",), {"profile": replace(ARMED.profile, WS=10)}),
        (("Armour of Fortune",), {"tags": frozenset({"ward 5+"})}),  # heavy armour, too
        (("Dawn Armour",), {"save": 3}),
        (("Glittering Scales",), {"save": 5}),
        (("Enchanted Shield",), {"save": 3}),  # in place of the other shield
        (("Armour of Silvered Steel", "Enchanted Shield"), {"save": 2}),
        (("Helm of Discord",), {"save": 3}),
        (("Sword of Swift Slaying", "Obsidian Blade"), {"tags": frozenset({"quick", "ignores saves"})}),
        (("Holy Relic",), {"tags": frozenset({"ward 4+"})}),
        (("Armour of Destiny", "Talisman of Protection"), {"tags": frozenset({"ward 4+"})}),
        (("Seed of Rebirth",), {"tags": frozenset({"regeneration"})}),
        (("Dragon Bow",), {"reach": 36}),
        (("Elixir of Might",), {}),  # not before it is drunk
    ],
)
def test_what_items_make_of_their_bearer(items, changes):
    bearer = replace(ARMED, items=items)
    assert equipped(bearer) == replace(bearer, **changes)


@pytest.mark.parametrize(
    ("name", "again", "sure"),
    [
        ("Twisted Crown of Undeath", True, False),
        ("Crimson Amulet", True, True),
        ("Talisman of the Old Ones", False, True),
        ("Sword of Might", False, False),
    ],
)
def test_items_that_help_to_heal(name, again, sure):
    assert (regenerates(replace(CAPTAIN, items=(name,))), passes_tests(replace(CAPTAIN, items=(name,)))) == (
        again,
        sure,
    )


def test_trolls_need_no_item_to_regenerate():
    assert regenerates(replace(CAPTAIN, tags=frozenset({"regeneration"})))
