"""TOML files that people write, and where their keys stand."""

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


def test_a_list_is_not_too_short_because_of_what_is_wrong_in_it():
    missing = {"type": "missing", "loc": ("seat", 0, "address"), "msg": "Field required"}
    too_short = {"type": "too_short", "loc": ("seat",), "msg": "Tuple should have at least 1 item"}
    assert flaws("c.toml", TEXT, [missing, too_short]) == [
        Flaw("c.toml: seat.1.address (line 7)", "this key is missing")
    ]
    assert flaws("c.toml", "", [too_short]) == [Flaw("c.toml: seat", "Tuple should have at least 1 item")]
