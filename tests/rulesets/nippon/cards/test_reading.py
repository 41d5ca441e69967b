"""What holds of all cards, whatever is written; what is understood of which line stands in tests/cards."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.battles import Plan, Station
from pbem.core.orders import Line
from pbem.rulesets.nippon.cards.checking import check
from pbem.rulesets.nippon.cards.deeds import DEEDS
from pbem.rulesets.nippon.cards.reading import read
from pbem.rulesets.nippon.cards.verbs import BASIC, FORMS, VERB
from pbem.rulesets.nippon.items import ITEMS
from pbem.rulesets.nippon.orders import (
    AgreeDate,
    Alone,
    Answer,
    AskAutomatic,
    BreakPact,
    Cannot,
    Contact,
    ForcedMarch,
    Fortify,
    Hold,
    JudgeResult,
    Move,
    NameDeputy,
    Offer,
    Preference,
    ProposeDate,
    Raze,
    Recover,
    ReportResult,
    Retreat,
    Scatter,
    SetPlan,
    UnitLoss,
    Volunteer,
)
from pbem.rulesets.nippon.state import Loss
from pbem.rulesets.nippon.view import view
from tests.rulesets.nippon.cards import spoken

MARCHING = view(spoken.position(spoken.USUAL), "A")
TALKING = view(spoken.meeting(), "A")
STAGES = {"orders": MARCHING, "meetings": TALKING}

VOCABULARY = """move hold raze fortify recover scatter and then to via by land no claim Red Dragons Iron Wall Swift
Wings: Blue Iburi Ishikari 3 4 6 7 12 99 l4 # ( ) [x] [ ] * _ | / , ; . " ' - > offer 2: accept P3 decline break with
result draw confirm dispute give 200 ask cede claim truce alliance passage massacre victory Bowmen Banner: will
special orders build march Order Card plan left C right: flank reserve round 3 when breaks target pursue retreat 50
all attack Captain Oda Iron Guard"""
WORDS = st.sampled_from(VOCABULARY.split())
"""What cards are made of, to be put together in any order."""

LIKE_CARDS = st.lists(st.lists(WORDS, max_size=9).map(" ".join), max_size=6).map("\n".join)


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(), LIKE_CARDS), st.sampled_from(sorted(STAGES)))
def test_read_takes_any_text(text, stage):
    """Nothing a player can write stops the reader, and it makes up no lines."""
    card = [Line(number, line) for number, line in enumerate(text.split("\n"), 1)]
    sheet = read(STAGES[stage], card)
    told = {each.line.number for each in sheet.orders} | {fault.line.number for fault in sheet.faults}
    told |= {line.number for line in sheet.ignored}
    assert told <= {line.number for line in card}


@settings(max_examples=150, deadline=None)
@given(LIKE_CARDS, st.sampled_from(sorted(STAGES)))
def test_every_line_to_paste_is_legal(text, stage):
    """What a fault offers can be sent as it is: it reads as one order, and that order can be carried out."""
    seen = STAGES[stage]
    sheet = read(seen, spoken.lines(text))
    faults = sheet.faults + check(seen, sheet.orders).faults
    pasted = [fault.paste for fault in faults if fault.paste]
    for line in pasted:
        again = read(seen, [Line(1, line)])
        checked = check(seen, again.orders)
        assert (len(checked.verdicts), again.faults, checked.faults) == (1, (), ())


# --- the line of an order reads back as that order ---------------------------------------------------------------

OWN = st.sampled_from([banner.name for banner in MARCHING.position.banners_of("A")])
SECTIONS = st.integers(1, len(MARCHING.position.atlas.places))
YES = st.booleans()
WHERE = {banner.name: banner.at for banner in MARCHING.position.banners_of("A")}

MOVES = st.builds(Move, OWN, st.lists(SECTIONS, min_size=1, max_size=4).map(tuple), YES, YES, YES, YES).filter(
    lambda move: move.path[0] != WHERE[move.banner] or len(move.path) == 1
)
MARCHES = st.builds(
    ForcedMarch,
    OWN,
    st.lists(SECTIONS, min_size=1, max_size=4).map(tuple),
    st.lists(SECTIONS, max_size=3, unique=True).map(tuple),
    YES,
    YES,
    YES,
).filter(lambda march: march.path[0] != WHERE[march.banner] or len(march.path) == 1)
BANNER_ORDERS = st.one_of(
    MOVES,
    MARCHES,
    st.builds(Hold, OWN, YES, YES),
    *(st.builds(kind, OWN) for kind in (Raze, Fortify, Recover, Scatter)),
)

UNIT_NAMES = st.lists(st.sampled_from(["Hero", "Warriors"]), unique=True).map(tuple)
ITEM_NAMES = st.lists(st.sampled_from(sorted(ITEMS)), max_size=3, unique=True).map(tuple)
WISHES = st.one_of(
    st.builds(Preference, st.just("loss order"), UNIT_NAMES),
    st.builds(Preference, st.sampled_from(["give up", "take"]), ITEM_NAMES),
    st.builds(Preference, st.just("carriers"), st.sampled_from([(), ("Hero",)])),
    st.builds(Preference, st.just("raise dead"), st.sampled_from([(), ("nothing",), ("Warriors",)])),
    st.builds(Preference, st.just("assaults"), st.sampled_from([(), ("nobody",), ("Iron Wall", "Red Dragons")])),
    st.builds(Preference, st.just("captured creatures"), st.sampled_from([(), ("kill",)])),
    st.builds(Preference, st.just("side with"), st.sampled_from([(), ("Blue",), ("Crane Host", "Blue")])),
)

LINES_UP = view(
    spoken.position(
        spoken.USUAL
        + """unit A "Red Dragons" "Captain Oda" hero models 1
unit A "Red Dragons" "Left Hand" models 20
unit A "Red Dragons" "Bows" models 10
unit A "Red Dragons" "Reserve Ogres" models 3 monster
"""
    ),
    "A",
)
"""Here Red Dragons have units with names that are words of a plan."""

RANKS = st.permutations(["Left Hand", "Bows", "Reserve Ogres"])
ARRIVALS = st.one_of(
    st.builds(dict, lane=st.sampled_from("LCR")),
    st.builds(dict, lane=st.sampled_from("LR"), arrives=st.just("flank")),
    st.builds(dict, lane=st.sampled_from("LCR"), arrives=st.just("broken")),
    st.builds(dict, lane=st.sampled_from("LCR"), arrives=st.just("round"), round=st.integers(1, 99)),
)
STATIONS = st.builds(
    lambda order, way: Station("", order=order, **way), st.sampled_from([None, "ATTACK", "HOLD"]), ARRIVALS
)
PLANS = st.builds(
    Plan,
    st.builds(
        lambda names, ways: tuple(replace(way, unit=name) for name, way in zip(names, ways, strict=False)),
        RANKS,
        st.lists(STATIONS, max_size=3),
    ),
    st.sampled_from([(), (("Captain Oda", "Bows"),)]),
    st.sampled_from(["STRONGEST", "WEAKEST", "MISSILES", "HEROES"]),
    YES,
    YES,
    st.none() | st.integers(0, 100),
)
BATTLE_PLANS = st.builds(SetPlan, st.just("Red Dragons"), PLANS.filter(lambda plan: plan != Plan()) | st.none())

PP = st.integers(1, 9999)
FREE_WORDS = st.text(st.sampled_from("abc XYZ,;:.#|/()-"), max_size=12).map(lambda text: " ".join(text.split()))
PACTS = st.one_of(
    st.tuples(st.just("truce"), st.integers(1, 20)), st.sampled_from([("", 0), ("alliance", 0), ("passage", 0)])
)
OFFERS = st.builds(
    lambda gives, asks, cedes, claims, items, wanted, pact, words: Offer(
        2, frozenset(), gives, asks, cedes, claims, items, wanted, pact[0], pact[1], words
    ),
    st.lists(st.tuples(st.just("B"), PP), max_size=2).map(tuple),
    st.lists(st.tuples(st.just("B"), PP), max_size=1).map(tuple),
    st.lists(st.integers(1, 3), max_size=2).map(tuple),
    st.lists(st.integers(1, 3), max_size=2).map(tuple),
    ITEM_NAMES.map(lambda items: tuple(("B", item) for item in items)),
    ITEM_NAMES.map(lambda items: tuple(("B", item) for item in items)),
    PACTS,
    FREE_WORDS,
).filter(lambda offer: str(offer) != "offer 2: ")

MET = TALKING.position.meetings[2].banners
UNITS = [(key, unit.name) for key in MET for unit in TALKING.position.banners[key].units]
LOSSES = st.builds(
    lambda unit, models, fled, wounds, *flags: UnitLoss(unit[0], Loss(unit[1], models, fled, *flags, wounds)),
    st.sampled_from(UNITS),
    st.integers(0, 30),
    st.integers(0, 5),
    st.integers(0, 3),
    YES,
    YES,
    YES,
    YES,
)
WINS = st.builds(
    lambda winner, degree: {"winner": winner[0], "winner_name": winner[1], "degree": degree},
    st.sampled_from([("A", "Red Duchy"), ("B", "Blue")]),
    st.sampled_from(["victory", "solid victory", "massacre"]),
)
CHAMPIONS = OWN.map(lambda name: Alone(name, MARCHING.position.banners[f"A {name}"].units[0].name))
TALKS = st.one_of(
    OFFERS,
    st.builds(Answer, st.integers(1, 99999), YES),
    st.just(BreakPact("B", "Blue")),
    st.builds(
        lambda won, losses: ReportResult(2, losses=tuple(losses), **won),
        st.one_of(st.just({}), WINS),
        st.lists(LOSSES, max_size=3),
    ),
    st.builds(AskAutomatic, st.just(2), YES),
    st.builds(lambda version: JudgeResult(2, confirm=True, version=version), st.integers(0, 12)),
    st.builds(lambda words: JudgeResult(2, confirm=False, words=words), FREE_WORDS),
    st.builds(ProposeDate, st.just(2), FREE_WORDS.filter(bool)),
    st.builds(Cannot, st.just(2), FREE_WORDS),
    st.sampled_from([AgreeDate(2), NameDeputy(2, "B", "Blue"), NameDeputy(2, "", "")]),
    st.builds(Contact, FREE_WORDS),
    st.builds(Volunteer, YES),
    st.builds(Preference, st.sampled_from(["give up", "take"]), ITEM_NAMES, st.just(2)),
    st.builds(Preference, st.just("carriers"), st.sampled_from([(), ("Captain Oda",)]), st.just(2)),
)


@settings(deadline=None)
@given(st.one_of(BANNER_ORDERS, st.builds(Retreat, OWN, SECTIONS), CHAMPIONS, WISHES))
def test_line_of_an_order_to_a_banner_reads_back(order):
    """A player can send back any order as it is printed."""
    assert [each.order for each in read(MARCHING, [Line(1, str(order))]).orders] == [order]


@settings(deadline=None)
@given(BATTLE_PLANS, st.booleans())
def test_line_of_a_battle_plan_reads_back(order, broken):
    """Also where a mail program, or the form, puts each part on a line of its own."""
    card = str(order).replace("; ", "\n").replace(": ", ":\n", 1) if broken and order.plan else str(order)
    assert [each.order for each in read(LINES_UP, spoken.lines(card)).orders] == [order]


@settings(deadline=None)
@given(TALKS)
def test_line_of_a_talk_reads_back(order):
    """So too what is said at meetings."""
    assert [each.order for each in read(TALKING, [Line(1, str(order))]).orders] == [order]


# --- more than one line ------------------------------------------------------------------------------------------


def test_fault_hides_nothing_in_the_next_line():
    """Every line is read by itself."""
    sheet = spoken.sheet(MARCHING, "Red Dragons: mve to 4\nIron Wall: hold\nSwift Wing: hold")
    assert [str(each.order) for each in sheet.orders] == ["Iron Wall: hold"]
    assert [fault.line.number for fault in sheet.faults] == [1, 3]


def test_fault_names_the_banner_and_what_it_does_otherwise():
    """The reader need not look anything up."""
    (fault,) = spoken.sheet(MARCHING, "Red Dragons: mve to 4").faults
    assert fault.subject == "Red Dragons"
    assert fault.otherwise == "Red Dragons holds in 3 Iburi"


def test_order_keeps_the_line_it_was_read_from():
    """As it was written, with its number; a paper card with all its lines."""
    sheet = spoken.sheet(MARCHING, "Hello\n\nBanner: Red Dragons\n[ ] hold\n[x] move to section 4")
    (written,) = sheet.orders
    assert written.line == Line(3, "Banner: Red Dragons | [ ] hold | [x] move to section 4")
    assert sheet.ignored == (Line(1, "Hello"),)


# --- verbs --------------------------------------------------------------------------------------------------------


def test_every_verb_begins_an_order_in_all_its_forms():
    assert set(BASIC) <= set(DEEDS.words)
    assert [form for form in FORMS if not (DEEDS.knows(form) and VERB.fullmatch(form))] == []
