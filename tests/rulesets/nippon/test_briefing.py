"""What players are told of a turn: everything they may know, once, and nothing else."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import pytest

from pbem.core.dice import Dice, Roll
from pbem.core.orders import Line, Written
from pbem.core.report import Choices, Items, Section, Text
from pbem.core.report import Table as ReportTable
from pbem.core.ruleset import ORGANIZER, Briefing, Entrant, Material
from pbem.core.turn import Entry, resolve
from pbem.reports.render import Templates
from pbem.rulesets.nippon import NIPPON
from pbem.rulesets.nippon.briefing.chronicle import UNTOLD, sorted_out
from pbem.rulesets.nippon.events import (
    EVENTS,
    AssaultDecided,
    BattleDecided,
    BattleTold,
    Built,
    CameUp,
    DeputyNamed,
    MeetingOpened,
    Passed,
    Upgraded,
    WentUnderground,
)
from pbem.rulesets.nippon.orders import Hold, Join, JudgeResult, ReportResult, Withdraw
from pbem.rulesets.nippon.phases import ACTS
from pbem.rulesets.nippon.state import State
from pbem.rulesets.nippon.view import view
from tests.playing import Stage, Table, play
from tests.reports.reporting import material, report
from tests.reports.samples import HEAD
from tests.reports.test_letters import words
from tests.rulesets.nippon.cards import spoken
from tests.rulesets.nippon.cards.spoken import position

TEMPLATES = Templates()
STAGES = 6

NAMES = {"A": "Ash <b>", "B": "Birch & Co", "C": "Cedar's Own", "D": 'Elm "Host"'}
"""Names that no page must take for its own."""

SIGNS = {"A": "Ampelopsis", "B": "Buddleja", "C": "Calycanthus", "D": "Deutzia"}
"""A word in the name of every unit of a realm, by which it would be known anywhere."""

TREASURIES = {"A": 7100001, "B": 7200003, "C": 7300007, "D": 7400009}
POINTS = {"A": 51000, "B": 52000, "C": 53000, "D": 54000}
"""The points of each realm's units; a banner of so many cannot be mistaken for another number."""


@dataclass(frozen=True)
class Marked(Table):
    """A campaign in which every secret can be told from all others."""

    def set_up(self, game: str = "1") -> State:
        state: State = super().set_up(game)
        for seat, realm in state.realms.items():
            state.realms[seat] = replace(realm, treasury=TREASURIES[seat])
        for key, banner in state.banners.items():
            sign, points = SIGNS[banner.realm], POINTS[banner.realm]
            units = (replace(unit, name=f"{sign} {unit.name}", points=points + 1) for unit in banner.units)
            state.banners[key] = replace(banner, units=tuple(units))
        return state


CAMPAIGN = Marked(NIPPON, {"map": "duel"}, tuple(Entrant(seat, name, {}) for seat, name in NAMES.items()))
READERS = (*NAMES, None)


@cache
def game() -> tuple[Stage, ...]:
    """A few stages by robots."""
    return tuple(play(CAMPAIGN, STAGES))


@cache
def rendered(number: int, seat: str | None) -> tuple[str, str, str]:
    """A report as text, HTML and JSON."""
    told = report(game()[number], seat, TEMPLATES)
    mail = TEMPLATES.report(told, replace(HEAD, realm=NAMES.get(seat or "", "")))
    return f"{mail.subject}\n{mail.text}", mail.html, TEMPLATES.json(told).decode()


def everything() -> Iterator[tuple[int, str | None]]:
    """All reports of the game: stage and reader."""
    return ((number, seat) for number in range(len(game())) for seat in READERS)


# --- who may know what --------------------------------------------------------------------------------------------


def met(stage: Stage, seat: str | None) -> set[str]:
    """The realms whose units a seat has seen in this stage: it met or was a deputy, or its reserve fought."""
    state_meetings = [*stage.before.meetings.values(), *stage.after.meetings.values()]
    opened = [entry.event for entry in stage.log if isinstance(entry.event, MeetingOpened)]
    present = [{key[0] for key in each.banners} for each in [*state_meetings, *opened]]
    stormed = [entry.event for entry in stage.log if isinstance(entry.event, AssaultDecided)]
    present += [{stage.before.sections[each.at].quartered, *each.attackers} for each in stormed]
    named = [entry.event for entry in stage.log if isinstance(entry.event, DeputyNamed)]
    present += [{each.deputy, *at} for each in named for at in present if each.realm in at]
    return {other for realms in present if seat in realms for other in realms}


def test_nobody_learns_the_units_of_a_realm_he_has_not_met() -> None:
    for number, seat in everything():
        for other in set(NAMES) - {seat} - met(game()[number], seat):
            assert [page for page in rendered(number, seat) if SIGNS[other] in page] == []


def test_nobody_learns_the_points_or_the_treasury_of_another() -> None:
    for number, seat in everything():
        stage = game()[number]
        met = [*stage.before.meetings.values(), *stage.after.meetings.values()]
        for state in (stage.before, stage.after):
            for other in set(NAMES) - {seat}:
                played = {key for each in met if each.deputy_of(other) == seat for key in each.banners}
                hidden = (banner for banner in state.banners_of(other) if banner.key not in played)
                secrets = [state.realms[other].treasury, *(each.points for each in hidden)]
                spelled = [form for secret in secrets for form in (str(secret), f"{secret:,}")]
                pages = rendered(number, seat)
                alone = [re.compile(rf"(?<!\d){form}(?!\d)") for form in spelled]  # Not amid a row of dice.
                assert [each.pattern for each in alone if any(map(each.search, pages))] == []


def test_everybody_learns_his_own_units_and_treasury() -> None:
    for number, seat in everything():
        text = rendered(number, seat)[0]
        if seat and game()[number].after.banners_of(seat):
            assert SIGNS[seat] in text
        if seat:
            assert f"{game()[number].after.realms[seat].treasury:,} pp" in text


def test_who_meets_somebody_sees_his_units_before_the_battle() -> None:
    seen = [
        SIGNS[other] in rendered(number, seat)[0]
        for number, seat in everything()
        for meeting in game()[number].after.meetings.values()
        for other in NAMES
        if seat and meeting.side(seat) and meeting.side(other)
    ]
    assert len(seen) > len(NAMES)
    assert all(seen)


# --- everything that happened -------------------------------------------------------------------------------------


def test_every_entry_is_told_once() -> None:
    for number, seat in everything():
        told = sorted_out(material(game()[number], seat, TEMPLATES))
        mine = {id(entry): entry for entries in told.own.values() for entry in entries}
        others = [entry for part in (told.others, told.meetings) for entries in part.values() for entry in entries]
        parts = [*mine.values(), *others, *told.stories, *told.payments, *told.news]
        assert sorted(map(id, parts)) == sorted(map(id, tellable(number, seat)))


def test_every_fight_is_told_in_short_to_those_who_fought_and_to_the_public() -> None:
    """An assault is one, too, for whoever held the site: with one no turn was quiet."""
    told = 0
    for number, seat in everything():
        stage = game()[number]
        told_of = material(stage, seat, TEMPLATES)
        made = NIPPON.briefing(told_of)
        short = " ".join(
            line for block in made.sections[0].blocks if isinstance(block, Items) for _, line in block.items
        )
        for entry in tellable(number, seat):
            if not isinstance(entry.event, AssaultDecided | BattleDecided):
                continue
            holder = stage.before.sections[entry.event.at].controller
            sides = (*entry.event.attackers, *getattr(entry.event, "defenders", (holder,)), None)
            if seat in sides and stage.after.stage not in ("over", "meetings", "disputes"):
                assert told_of.say(entry.event) in short
                assert "battle" in made.headline
                told += isinstance(entry.event, AssaultDecided)
    assert told > 0


def test_what_others_build_is_told_to_everybody() -> None:
    told = 0
    for number, seat in everything():
        text = words(rendered(number, seat)[0])
        say = material(game()[number], seat, TEMPLATES).say
        for entry in tellable(number, seat):
            if isinstance(entry.event, Built | Upgraded) and entry.event.realm != seat:
                assert words(say(entry.event)) in text
                told += 1
    assert told > 0


def test_both_sides_read_the_same_story_of_their_battle() -> None:
    read = 0
    for stage in game():
        fought = [entry.event for entry in stage.log if isinstance(entry.event, BattleTold) and not entry.event.assault]
        for told in fought:
            one, *others = [stories_of(stage, seat, told.at) for side in told.sides for seat in side]
            assert one
            assert all(one & theirs for theirs in others)
            read += len(others)
    assert read > 0


def stories_of(stage: Stage, seat: str, at: int) -> set[Section]:
    """The stories of a section; a winner may have one more, of the site he then assaults."""
    sections = NIPPON.briefing(material(stage, seat, TEMPLATES)).sections
    return {section for section in sections if section.key.split()[:2] == ["battle", str(at)]}


def tellable(number: int, seat: str | None) -> list[Entry]:
    log = material(game()[number], seat, TEMPLATES).log
    return [entry for entry in log if not isinstance(entry.event, UNTOLD)]


def test_every_die_that_a_seat_may_know_stands_in_its_report() -> None:
    for number, seat in everything():
        text = rendered(number, seat)[0].replace("\\\n", "")
        dice = [roll for entry in tellable(number, seat) for roll in entry.rolls]
        assert [die for die in dice if f"{printed(die)}\n" not in text] == []


def printed(die: Roll) -> str:
    if die.row:
        return f"{die.label} {die.value}d{die.sides} = {die.row}"
    return f"{die.label} d{die.sides} = {die.value}"


def test_every_own_banner_has_its_order_answered() -> None:
    for number, seat in everything():
        stage = game()[number]
        if seat and stage.before.stage == "orders":
            answered = next(each for each in report(stage, seat, TEMPLATES).sections if each.key == "orders")
            labels = {label for block in answered.blocks for label, _ in block.items}  # type: ignore[union-attr]
            assert labels >= {banner.name for banner in stage.before.banners_of(seat)}


def test_money_is_accounted_for_to_the_last_point() -> None:
    for number, seat in everything():
        assert "otherwise" not in rendered(number, seat)[0]


# --- the first and the last ---------------------------------------------------------------------------------------


def told_of(state: State, seat: str | None) -> Briefing:
    """A briefing on a position in which nothing has happened yet."""
    view = NIPPON.view(state, seat)
    return NIPPON.briefing(Material(seat, None, view, (), (), TEMPLATES.say("nippon", view)))


def test_first_report_describes_every_section_of_the_map() -> None:
    state = CAMPAIGN.set_up()
    see = next(each for each in told_of(state, "A").sections if each.key == "see")
    labels = [label for block in see.blocks if isinstance(block, Items) for label, _ in block.items]
    assert labels == [str(place) for place in state.atlas]


def test_first_headline_names_the_realm() -> None:
    assert told_of(CAMPAIGN.set_up(), "B").headline == "Turn 1 opens: you lead Birch & Co"


@pytest.mark.parametrize(
    ("seat", "headline"),
    [("A", "The campaign is over: you and Birch & Co won"), (None, "The campaign is over: Ash <b> and Birch & Co won")],
)
def test_last_headline_names_the_winners(seat: str | None, headline: str) -> None:
    state = CAMPAIGN.set_up()
    state.stage, state.ending, state.ranking = "over", "Time is up.", (("A", "B"), ("C",), ("D",))
    assert told_of(state, seat).headline == headline


HIDDEN = """
map 1-2-3
realm B named "Iron Carp"
banner A Red at 1
banner A Deep at 2 underground to 3 until 9
section 2 village razed
quartered B at 2 "Old Guard" models 20
"""


def test_last_report_shows_banners_underground_and_whose_reserves_are_left_at_razed_sites() -> None:
    state = position(HIDDEN)
    state.stage = "over"
    (lifted,) = (each for each in told_of(state, None).sections if each.key == "lifted")
    (where,) = (block for block in lifted.blocks if isinstance(block, ReportTable))
    assert [row[:2] for row in where.rows] == [
        ("A's Red", "1 Section 1"),
        ("A's Deep", "underground, comes up in 3 Section 3"),
    ]
    told = [text for block in lifted.blocks if isinstance(block, Items) for _, text in block.items]
    assert [text for text in told if "reserve" in text] == ["reserve of Iron Carp: Old Guard (20)"]


def test_last_report_asks_for_nothing() -> None:
    state = CAMPAIGN.set_up()
    state.stage = "over"
    assert [each.key for each in told_of(state, "A").sections if each.key in ("do", "form")] == ["do"]


# --- its shape ----------------------------------------------------------------------------------------------------


def test_the_sections_stand_in_their_order() -> None:
    order = ["short", "end", "honours", "lifted", "do", "orders", "meetings", "banners", "see", "money", "world"]
    order += ["votes", "map", "land", "proof", "form"]
    for number, seat in everything():
        keys = [each.key for each in report(game()[number], seat, TEMPLATES).sections]
        assert len({*keys}) == len(keys)
        known = [key for key in keys if not key.startswith(("meeting ", "battle "))]
        if seat:
            assert known == [key for key in order if key in known]


def test_a_report_fits_a_terminal_and_a_mail() -> None:
    for number, seat in everything():
        text, html, _ = rendered(number, seat)
        assert [line for line in text.splitlines()[1:] if len(line) > 80] == []
        assert len(html.encode()) < 100_000


def test_every_word_of_the_html_stands_in_the_text() -> None:
    for number, seat in everything():
        text, html, _ = rendered(number, seat)
        plain = " ".join(text.split()).casefold()
        assert [word for word in words(html).casefold().split() if word not in plain] == []


def test_names_cannot_become_markup() -> None:
    for number, seat in everything():
        assert "Ash <b>" not in rendered(number, seat)[1]


def test_a_program_gets_events_with_rule_and_dice_and_a_position_without_the_printed_map() -> None:
    document: dict[str, Any] = json.loads(rendered(0, "A")[2])
    assert [sorted(each) for each in document["events"]] == [["dice", "event", "rule"]] * len(document["events"])
    assert document["position"]["position"]["atlas"] == "duel"


# --- sentences ----------------------------------------------------------------------------------------------------


def test_every_event_has_a_sentence_and_every_sentence_an_event() -> None:
    macros = TEMPLATES.sentences("nippon")
    assert {name for name in macros if name[0].isupper()} == {event.__name__ for event in EVENTS}


def test_nobody_masters_the_ground_of_a_sea() -> None:
    state = NIPPON.setup({"map": "nippon"}, CAMPAIGN.entrants, Dice(b"sea"))
    say = TEMPLATES.say("nippon", NIPPON.view(state, "A"))
    key = state.banners_of("A")[0].key
    told = [say(Passed(key, 17, to, "difficult")).partition(" mastered ")[2] for to in (76, 18)]
    assert told == ["the high seas of 76 Wakasa Sea.", "the difficult ground of 18 Uzen."]


@pytest.mark.parametrize("number", range(STAGES))
def test_a_sentence_is_a_sentence(number: int) -> None:
    told = material(game()[number], None, TEMPLATES)
    odd = [each for each in (told.say(entry.event) for entry in told.log) if each[-1] != "." or "  " in each]
    assert odd == []


# --- underground ----------------------------------------------------------------------------------------------------


def test_banners_underground_are_told_of_to_everybody() -> None:
    """Skaven go down and come up, and nothing of it is left out or takes a banner for a ship."""
    skaven = tuple(Entrant(seat, name, {"army": "skaven"}) for seat, name in NAMES.items())
    stages = tuple(play(Table(NIPPON, {"map": "duel"}, skaven), 10))
    seen = {type(entry.event) for stage in stages for entry in stage.log}
    assert seen >= {WentUnderground, CameUp}
    for stage in stages:
        for seat in READERS:
            parts = {section.key: section for section in NIPPON.briefing(material(stage, seat, TEMPLATES)).sections}
            assert "no order of its own" not in repr(parts.get("orders"))


# --- regrouping -----------------------------------------------------------------------------------------------------


def test_a_banner_that_is_no_more_is_not_said_to_have_held() -> None:
    """It went over to another before there were orders; the units are told of where they are now."""
    table = Table(NIPPON, {"map": "duel"}, (Entrant("A", "Ash", {}), Entrant("B", "Birch", {})))
    before = table.set_up()
    gone, kept, *_ = before.banners_of("A")
    orders = (Join(gone.name, kept.name), Hold(kept.name))
    stage = Stage(table, before, before, "regrouping")
    stage.filed = {"A": tuple(Written(order, Line(1, str(order))) for order in orders)}
    stage.resolution = stage.close()
    parts = {section.key: section for section in NIPPON.briefing(material(stage, "A", TEMPLATES)).sections}
    told = dict(next(block.items for block in parts["orders"].blocks if isinstance(block, Items)))
    assert told[gone.name].startswith(f"Went over to {kept.name}")
    assert told[kept.name].startswith("hold\n" + gone.units[0].name)


# --- meetings -------------------------------------------------------------------------------------------------------


def one_plays(state: State) -> State:
    """Nobody plays the other side of the meeting any more."""
    gone = Withdraw("B", "has moved away")
    return resolve(ACTS, state, {ORGANIZER: [gone]}, Dice()).state


THREE = (
    spoken.MET
    + """realm C named "Crane Host"
banner C Grey at 2 points 250
"""
)
"""C is the weakest: it meets the winner of the two others."""


def test_whoever_is_third_at_a_meeting_reads_that_he_meets_the_winner() -> None:
    """And is offered no line about a battle that is not his, on the card or in the form."""
    state = spoken.meeting(THREE)
    seen = view(state, "C")
    parts = {each.key: each for each in NIPPON.briefing(Material("C", seen, seen, (), (), str)).sections}
    blocks = parts["meeting 2"].blocks
    assert "fight first; then you meet the winner" in " ".join(each.text for each in blocks if isinstance(each, Text))
    (lines,) = [block.items for block in blocks if isinstance(block, Choices)]
    assert [line.split()[0] for line, _ in lines] == ["offer"]
    about = (line.removeprefix("# ").split()[0] for line in NIPPON.form(seen))
    assert not {"result", "automatic", "propose", "cannot", "take"}.intersection(about)


def test_whoever_fights_the_next_battle_of_a_meeting_gets_its_card_at_once() -> None:
    """The winner of the first one and the third; who has lost gets none."""
    state = spoken.meeting(THREE)
    log: list[Entry] = []
    for seat, order in (("A", ReportResult(2, "A", "Red Duchy", "victory")), ("B", JudgeResult(2, confirm=True))):
        done = resolve(ACTS, state, {seat: [order]}, Dice())
        state, log = done.state, [*log, *done.log]
    cards = {seat: dict(NIPPON.facts(view(state, seat), [entry.event for entry in log])) for seat in "ABC"}
    assert {cards[seat]["Attack"] for seat in "AC"} <= {"you", "Red Duchy", "Crane Host"}
    assert "Warriors" in cards["A"]["Crane Host's Grey"]
    assert cards["B"] == {}


@pytest.mark.parametrize("changed", [lambda state: state, one_plays], ids=["both play", "one plays"])
def test_a_meeting_offers_only_lines_that_are_accepted(changed: Callable[[State], State]) -> None:
    state = changed(spoken.meeting())
    before, after = view(spoken.meeting(), "A"), view(state, "A")
    parts = {each.key: each for each in NIPPON.briefing(Material("A", before, after, (), (), str)).sections}
    (lines,) = [block.items for block in parts["meeting 2"].blocks if isinstance(block, Choices)]
    assert [line for line, _ in lines if any(spoken.handled(after, line)[1])] == []
    assert any(line.startswith("result 2") for line, _ in lines) == (changed is not one_plays)
