"""TOML files that people write, and where their keys stand."""

import re

import pytest

from pbem.core.errors import BadInput, Flaw
from pbem.core.toml import flaws, parse, where

TEXT = """\
name = "crown"
schedule = { orders = "weekly" }

[options]
map = "nippon"

[[seat]]
name = "Ash"

[[seat]]
name = "Birch"
"dotted key".inner = 3

[unit."cave bears"]
points = 45

[unit."D. of Elm"]
points = 50
"""


@pytest.mark.parametrize(
    ("path", "told"),
    [
        (("name",), "c.toml: name (line 1)"),
        (("schedule", "orders"), "c.toml: schedule.orders (line 2)"),
        (("options", "map"), "c.toml: options.map (line 5)"),
        (("options", "maps"), "c.toml: options.maps (line 4)"),
        (("seat", 0, "name"), "c.toml: seat.1.name (line 8)"),
        (("seat", 1, "name"), "c.toml: seat.2.name (line 11)"),
        (("seat", 1, "address"), "c.toml: seat.2.address (line 10)"),
        (("unit", "cave bears", "points"), "c.toml: unit.cave bears.points (line 15)"),
        (("unit", "D. of Elm", "points"), "c.toml: unit.D. of Elm.points (line 18)"),
        (("zone",), "c.toml: zone"),
    ],
)
def test_a_key_is_told_with_its_line(path, told):
    assert where("c.toml", TEXT, path) == told


def test_a_file_is_parsed():
    assert parse("c.toml", TEXT)["seat"][1]["name"] == "Birch"


def test_what_is_no_toml_is_told_with_its_file():
    with pytest.raises(BadInput, match=r"c\.toml: this is not TOML: .*line 1"):
        parse("c.toml", "name = \nzone = 1")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("setup = yes", "write true or false, a number, or a text in straight quotation marks"),
        ("name = \N{LEFT DOUBLE QUOTATION MARK}Ash\N{RIGHT DOUBLE QUOTATION MARK}", "straight quotation marks"),
        ("at = 08:00", "texts in straight quotation marks"),
        ("name: 3", "a line is a key, =, and its value"),
        ('name = "Ash', "ends on its line with the quotation mark"),
        ("name = 'Ash", "ends on its line with the quotation mark"),
        ("join = { seats = 2 how = 'open' }", "commas between its parts"),
        ("a = 1\na = 2", "a key stands there twice"),
        ("[seat]\na = 1\n[seat]\na = 1", "[[seat]] for each seat"),
    ],
)
def test_what_to_write_in_place_of_what_is_no_toml_is_told(text, hint):
    with pytest.raises(BadInput, match=re.escape(hint)):
        parse("c.toml", text)


def test_a_list_is_not_too_short_because_of_what_is_wrong_in_it():
    missing = {"type": "missing", "loc": ("seat", 0, "address"), "msg": "Field required"}
    too_short = {"type": "too_short", "loc": ("seat",), "msg": "Tuple should have at least 1 item"}
    assert flaws("c.toml", TEXT, [missing, too_short]) == [
        Flaw("c.toml: seat.1.address (line 7)", "this key is missing")
    ]
    assert flaws("c.toml", "", [too_short]) == [Flaw("c.toml: seat", "Tuple should have at least 1 item")]
