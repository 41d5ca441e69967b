"""All mistakes of a campaign file are told at once: what cannot be read, and what the rules find wrong."""

import pytest

from pbem.core.errors import BadInput
from pbem.service.host import Host
from pbem.service.stages.begin import begin
from pbem.service.stages.campaign_file import read_campaign

WRONG_MAP = """
name = "duel"
title = "The Duel"
rules = "nippon"
organizer = "olga@example.org"
zone = "Europe/Berlin"
schedule = { set-up = "after 4d", orders = "after 7d", meetings = "after 3d" }
join = { seats = 2, how = "code", code = "Sunflower" }
options = { map = "duell", setup = true }

[[seat]]
name = "Thorn"
address = "ana@example.org"
"""
MISTAKES = (
    ('"duel"', '"My Duel"'),
    ('name = "duel"', ""),
    ('"The Duel"', '""'),
    ('"olga@example.org"', "3"),
    ("Europe/Berlin", "Berlin"),
    ("after 4d", "in 4 days"),
    ('{ set-up = "after 4d", orders = "after 7d", meetings = "after 3d" }', '"weekly"'),
    ("seats = 2", "seats = 0"),
    ("seats = 2, ", ""),
    ('how = "code"', 'how = "coded"'),
    ('how = "code", ', ""),
    ("Sunflower", "abc"),
    ('join = { seats = 2, how = "code", code = "Sunflower" }', "join = 2"),
    ('name = "Thorn"', ""),
    ("ana@example.org", "ana"),
    ("[[seat]]", "colour = 1\n[[seat]]\naddresses = 3"),
)


@pytest.mark.parametrize("mistakes", [*((each,) for each in MISTAKES), MISTAKES[::2], MISTAKES[1::2]])
def test_no_mistake_hides_another_one(host: Host, mistakes: tuple[tuple[str, str], ...]) -> None:
    text = WRONG_MAP
    for right, wrong in mistakes:
        text = text.replace(right, wrong)
    file = read_campaign("duel.toml", text)
    with pytest.raises(BadInput) as told:
        begin(host, file)
    assert file.flaws
    assert told.value.flaws[: len(file.flaws)] == file.flaws
    (rest,) = told.value.flaws[len(file.flaws) :]
    assert (rest.where, rest.reason[:21]) == (
        f"duel.toml: options.map (line {text[: text.index('options')].count(chr(10)) + 1})",
        "there is no map 'duel",
    )


def test_an_address_may_have_a_name_before_it() -> None:
    file = read_campaign("duel.toml", WRONG_MAP.replace('"olga@', '"Olga Orsini <Olga@').replace('org"', 'org>"', 1))
    assert (file.spec.organizer, file.flaws) == ("olga@example.org", ())
