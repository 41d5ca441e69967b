"""Files of army lists: what is said of bad ones, and that nobody else suffers from them."""

from importlib.resources import files

import pytest

from pbem.core.errors import BadInput
from pbem.rulesets.nippon import armies
from pbem.rulesets.nippon.armies.rosters import ready

GOOD = (files(armies) / "mountain-clans.toml").read_text(encoding="utf-8")
BEARS = '[unit."cave bears"]\ncategory = "rare"\npoints = 45'


def changed(old: str, new: str) -> bytes:
    """The file of the mountain clans as that of other people, with one thing changed."""
    assert old in GOOD
    return GOOD.replace(old, new, 1).replace('name = "mountain clans"', 'name = "hill folk"').encode()


def line_of(text: str) -> int:
    """The number of the first line of the good file with this text."""
    return next(number for number, line in enumerate(GOOD.splitlines(), 1) if text in line)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (BEARS, BEARS.replace("45", '"45"'), "unit.cave bears.points: '45' should be a whole number from 0 on"),
        ('tags = ["stubborn"]', 'tags = ["stuborn"]', "unit.axemen.tags: no special rule is called 'stuborn'. Did you"),
        ('["great weapon", "heavy', '["great weapon", "hevy', "unit.axemen.gear: no gear is called 'hevy armour'. Did"),
        ("{ longbow = 8 }", "{ longbo = 8 }", "unit.tanist.choices: no gear is called 'longbo'. Did you mean 'long"),
        ('mounted_on = "hill pony"', 'mounted_on = "pony"', "unit.pony riders.mounted_on: no mount is called 'pony'"),
        ("size = [10, 20]", "size = [20, 10]", "unit.bowmen.size: [20, 10] should be the least number of models,"),
        ("profile = [4, 6, 4,", "profile = [6, 4,", "unit.chieftain.profile: [6, 4, 4, 4, 3, 5, 4, 9] should be 9 who"),
        ('category = "lord"', 'catgory = "lord"', "unit.chieftain.category: this key is missing"),
        ('champion_gains = "BS"\ntags = ["skirm', 'tags = ["skirm', "unit.bowmen.champion: champion and champion_gai"),
        ('type = "cave bears"', 'type = "bears"', "ready.banner.1.units.4.type: no unit is called 'bears'"),
        ('"pony riders", models = 15', '"rangers", models = 15', "ready.banner.3.units.2.command: rangers can have no"),
        ('["Grey Peaks", "Broken Horns",', '["Grey Peaks",', "ready.names: 3 banners need as many names, not Grey P"),
        ('"Tall Pines"', '"Grey peaks"', "ready.names: 2 banners are called 'grey peaks'"),
        ('magic_items = "free-peoples"', 'magic_items = "clans"', "magic_items: 'clans' should be one of free-peoples"),
        ('category = "war machine"', 'category = "rare"', "unit: none is a war machine, and each citadel has some"),
        ("[ready]\n", "[ready]\nsize = 3\n", "ready.size: there is no such key; there are points, names, banner"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_with_its_key(old: str, new: str, told: str) -> None:
    with pytest.raises(BadInput) as caught:
        armies.load("hill-folk.toml", changed(old, new))
    where, _, reason = str(caught.value.flaws[0]).removeprefix("hill-folk.toml: ").partition(": ")
    assert f"{where.partition(' (line')[0]}: {reason}".startswith(told)


def test_keys_are_told_with_their_lines_and_all_at_once() -> None:
    with pytest.raises(BadInput) as caught:
        armies.load("clans.toml", changed('tags = ["stubborn"]', 'tags = "stubborn"\nshield = 1'))
    line = line_of('tags = ["stubborn"]')
    assert [flaw.where for flaw in caught.value.flaws] == [
        f"clans.toml: unit.axemen.tags (line {line})",
        f"clans.toml: unit.axemen.shield (line {line + 1})",
    ]


@pytest.mark.parametrize("text", [b"name = = 1", b"\xff\xfe\x00", b'name = "hill folk"\nunit = 3', b"ready = 1"])
def test_a_faulty_file_is_left_out_and_the_others_serve(text: bytes) -> None:
    library = armies.shelved({"hill-folk.toml": text, "mountain-clans.toml": GOOD.encode()})
    assert library.names == ("mountain clans",)
    assert library.army("mountain clans").title == "The mountain clans"
    with pytest.raises(BadInput, match=r"^hill-folk\.toml"):
        library.army("hill folk")


def test_a_copy_that_keeps_the_name_is_told_and_the_first_one_serves() -> None:
    library = armies.shelved({"clans.toml": GOOD.encode(), "copy.toml": GOOD.encode()})
    assert library.army("mountain clans").file == "clans.toml"
    assert [str(flaw) for flaw in library.flaws] == [
        "copy.toml: clans.toml is the list of the mountain clans already; give this one a name"
    ]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"cave bears", models = 4', '"cave bears", models = 9', "Cave Bears: it has 9 models and should have 1 to 4"),
        ("[ready]\npoints = 2000", "[ready]\npoints = 2500", "points: its banners are worth 2,000 in all, not 2,500"),
        ('models = 36, gear = ["shield"]', 'models = 36, gear = ["bow"]', "Clansmen: it cannot have bow; it can have"),
        ('name = "Cave Bears"', 'name = "Axemen"', "unit axemen: 2 units are called so"),
        ('{ name = "Seer", type = "seer" }', '{ name = "Seer", type = "chieftain" }', "army: 1 lord at most, but here"),
    ],
)
def test_a_ready_made_army_is_held_to_the_rules(old: str, new: str, told: str) -> None:
    flaws = [str(flaw) for flaw in ready.flaws(armies.load("hill-folk.toml", changed(old, new)))]
    assert any(flaw.startswith(f"hill-folk.toml: ready, {told}") for flaw in flaws)


def test_the_lists_of_the_program_are_in_order() -> None:
    assert ready.all_flaws(armies.library()) == ()


def test_rules_that_no_other_list_has_can_be_named() -> None:
    named = 'special_rules = ["frenzy"]\n\n[upgrades]'
    text = changed("[upgrades]", named).replace(b'tags = ["stubborn"]', b'tags = ["frenzy"]')
    assert armies.load("hill-folk.toml", text).types["axemen"].tags == {"frenzy"}
