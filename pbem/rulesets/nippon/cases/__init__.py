"""Rule cases of a Nippon campaign: what they may expect, and the player for them.

Positions are described with the phrases of ``positions.py``; orders, dice, plays and events with those that all
games share (``core/trials/words.py``). ``docs/writing-rule-cases.md`` tells of all of them.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from pbem.core.cases import Case
from pbem.core.orders import Line, Sheet, plain
from pbem.core.trials import BadLine, Game, Trial, Vocabulary, play
from pbem.rulesets.nippon import events
from pbem.rulesets.nippon.cards.checking import check
from pbem.rulesets.nippon.cards.reading import read
from pbem.rulesets.nippon.cases.drafts import Draft, build
from pbem.rulesets.nippon.cases.positions import POSITION, banner_key
from pbem.rulesets.nippon.phases import act, awaiting, phases
from pbem.rulesets.nippon.state import Banner, Meeting, Realm, Section, State
from pbem.rulesets.nippon.view import View, view

K = TypeVar("K")
V = TypeVar("V")

EXPECTED = Vocabulary()
"""The phrases that say what should come out; each answers with what came instead, or nothing."""


def play_case(case: Case) -> tuple[str, ...]:
    """Play a rule case; every difference in words, with its line. Nothing: all came as expected."""
    return play(case, GAME)


USUAL = 2
"""What a die shows that matters to its own chapter only, unless a line says otherwise."""


def usual_die(label: str) -> int | None:
    """Dice that a case need not give: production, scenarios, and the roll-off, which the first letter wins."""
    kind, *rest = label.split()
    if kind == "attack" and rest:
        return max(1, 6 - (ord(rest[0][0]) - ord("A")))
    return USUAL if kind in ("production", "port", "mine", "scenario") else None


# --- banners ----------------------------------------------------------------------------------------------------------


@EXPECTED.phrase("at {banner} {number:int}")
def at(trial: Trial, banner: str, number: int) -> str | None:
    """The banner stands in this section."""
    stands = _banner(trial, banner).at
    return None if stands == number else f"it stands in {stands}"


@EXPECTED.phrase("gone {banner}")
def gone(trial: Trial, banner: str) -> str | None:
    """The banner is no more."""
    found = trial.state.banners.get(_key(banner))
    return f"it stands in {found.at}" if found else None


@EXPECTED.phrase("scattered {banner}")
def scattered(trial: Trial, banner: str) -> str | None:
    """The banner is scattered."""
    return None if _banner(trial, banner).scattered else "it is not"


@EXPECTED.phrase("not scattered {banner}")
def not_scattered(trial: Trial, banner: str) -> str | None:
    """The banner is whole."""
    return "it is" if _banner(trial, banner).scattered else None


@EXPECTED.phrase("points {banner} {points:int}")
def points(trial: Trial, banner: str, points: int) -> str | None:
    """What the units of the banner are worth."""
    return _instead(points, _banner(trial, banner).points)


@EXPECTED.phrase("heroism {banner}")
def heroism(trial: Trial, banner: str) -> str | None:
    """The banner has heroism."""
    return None if _banner(trial, banner).heroism else "it has none"


@EXPECTED.phrase("no heroism {banner}")
def no_heroism(trial: Trial, banner: str) -> str | None:
    """The banner has no heroism."""
    return "it has" if _banner(trial, banner).heroism else None


@EXPECTED.phrase("drawn {banner}")
def drawn(trial: Trial, banner: str) -> str | None:
    """The banner drew its battle and is bound by that next turn."""
    return None if _banner(trial, banner).drawn else "it is not marked"


@EXPECTED.phrase("not drawn {banner}")
def not_drawn(trial: Trial, banner: str) -> str | None:
    """The banner is not bound by a drawn battle."""
    return "it is marked" if _banner(trial, banner).drawn else None


@EXPECTED.phrase("models {banner} {unit:quoted} {models:int}")
def models(trial: Trial, banner: str, unit: str, models: int) -> str | None:
    """How many models a unit has left; a lost unit has 0."""
    return _instead(models, sum(each.models for each in _banner(trial, banner).units if each.name == unit))


@EXPECTED.phrase("wounds {banner} {unit:quoted} {wounds:int}")
def wounds(trial: Trial, banner: str, unit: str, wounds: int) -> str | None:
    """How many wounds a unit lacks."""
    return _instead(wounds, sum(each.wounds for each in _banner(trial, banner).units if each.name == unit))


# --- sections ---------------------------------------------------------------------------------------------------------


@EXPECTED.phrase("controls nobody {numbers}")
def controls_nobody(trial: Trial, numbers: str) -> str | None:
    """Nobody controls these sections."""
    return _controllers(trial, "", numbers)


@EXPECTED.phrase("controls {seat:seat} {numbers}")
def controls(trial: Trial, seat: str, numbers: str) -> str | None:
    """The realm controls these sections."""
    return _controllers(trial, seat, numbers)


def _controllers(trial: Trial, seat: str, numbers: str) -> str | None:
    held = {number: _section(trial, number).controller for number in _numbers(numbers)}
    return "; ".join(f"{number} is held by {by or 'nobody'}" for number, by in held.items() if by != seat) or None


@EXPECTED.phrase("razed {number:int}")
def razed(trial: Trial, number: int) -> str | None:
    """The section bears a razed mark."""
    return None if _section(trial, number).razed else "it is not"


@EXPECTED.phrase("not razed {number:int}")
def not_razed(trial: Trial, number: int) -> str | None:
    """The section bears no razed mark."""
    return "it is" if _section(trial, number).razed else None


@EXPECTED.phrase("fortified {number:int} by {banner}")
def fortified(trial: Trial, number: int, banner: str) -> str | None:
    """The banner has fortified the section."""
    return _instead(_key(banner), _section(trial, number).fortified)


@EXPECTED.phrase("not fortified {number:int}")
def not_fortified(trial: Trial, number: int) -> str | None:
    """Nobody has fortified the section."""
    by = _section(trial, number).fortified
    return f"it is, by {by}" if by else None


@EXPECTED.phrase("site {number:int} {site}")
def site(trial: Trial, number: int, site: str) -> str | None:
    """The site that stands there; ``none`` for nothing."""
    return _instead("" if site == "none" else site, _section(trial, number).site)


@EXPECTED.phrase("buildings {number:int} {names}")
def buildings(trial: Trial, number: int, names: str) -> str | None:
    """The buildings of a site, with commas; ``none`` for no building."""
    wanted = () if names == "none" else tuple(sorted(names.replace(",", " ").split()))
    return _instead(wanted, tuple(sorted(_section(trial, number).buildings)))


@EXPECTED.phrase("mine {number:int} ends {turn:int}")
def mine_ends(trial: Trial, number: int, turn: int) -> str | None:
    """The last turn in which the mine pays as one; 0: no end in sight."""
    return _instead(turn, _section(trial, number).mine_ends)


@EXPECTED.phrase("tries {number:int} by {seat:seat} {count:int}")
def tries(trial: Trial, number: int, seat: str, count: int) -> str | None:
    """A realm's tries at recovery in a row."""
    return _instead(count, dict(_section(trial, number).tries).get(seat, 0))


# --- realms -----------------------------------------------------------------------------------------------------------


@EXPECTED.phrase("treasury {seat:seat} {pp:int}")
def treasury(trial: Trial, seat: str, pp: int) -> str | None:
    """Production points the realm has."""
    return _instead(pp, _realm(trial, seat).treasury)


@EXPECTED.phrase("pays {number:int} {pp:int}")
def pays(trial: Trial, number: int, pp: int) -> str | None:
    """What the section paid at production in all the case; 0: nothing."""
    return _instead(pp, sum(paid for section, paid in _paid(trial) if section == number))


def _paid(trial: Trial) -> Iterable[tuple[int, int]]:
    """Section and sum of each production in the log."""
    return [(entry.event.at, entry.event.pp) for entry in trial.log if isinstance(entry.event, events.Produced)]


@EXPECTED.phrase("pact {kind:word} {one:seat} {other:seat}[ until {until:int}]")
def pact(trial: Trial, kind: str, one: str, other: str, until: int | None = None) -> str | None:
    """Such a pact stands between two realms."""
    standing = [each for each in trial.state.pacts if each.between == {one, other}]
    if any(each.kind == kind and until in (None, each.until) for each in standing):
        return None
    return f"there is {', '.join(f'{each.kind} until {each.until}' for each in standing) or 'no pact'}"


@EXPECTED.phrase("no pact {one:seat} {other:seat}")
def no_pact(trial: Trial, one: str, other: str) -> str | None:
    """No pact stands between two realms."""
    kinds = ", ".join(each.kind for each in trial.state.pacts if each.between == {one, other})
    return f"there is {kinds}" if kinds else None


@EXPECTED.phrase("homeless {seat:seat}")
def homeless(trial: Trial, seat: str) -> str | None:
    """The realm is without headquarters."""
    return None if _realm(trial, seat).homeless else "it has its headquarters"


@EXPECTED.phrase("not homeless {seat:seat}")
def not_homeless(trial: Trial, seat: str) -> str | None:
    """The realm has its headquarters."""
    return "it is" if _realm(trial, seat).homeless else None


@EXPECTED.phrase("status {seat:seat} {status:word}")
def status(trial: Trial, seat: str, status: str) -> str | None:
    """The realm is active, eliminated or withdrawn."""
    return _instead(status, _realm(trial, seat).status)


# --- meetings and the end ---------------------------------------------------------------------------------------------


@EXPECTED.phrase("meeting {number:int} of {banners}")
def meeting(trial: Trial, number: int, banners: str) -> str | None:
    """These banners, no others, meet in the section."""
    wanted = sorted(_key(each.strip()) for each in banners.split(","))
    found = trial.state.meetings.get(number)
    if found and list(found.banners) == wanted:
        return None
    return f"meetings are: {_meetings(trial.state.meetings.values())}"


@EXPECTED.phrase("no meeting[ {number:int}]")
def no_meeting(trial: Trial, number: int | None = None) -> str | None:
    """Nobody meets there, or anywhere."""
    found = [each for each in trial.state.meetings.values() if number in (None, each.at)]
    return f"meetings are: {_meetings(found)}" if found else None


@EXPECTED.phrase("settled {number:int} {how:word}")
def settled(trial: Trial, number: int, how: str) -> str | None:
    """How the meeting in a section was settled: ``parley``, ``battle``, or ``no`` if it is open."""
    return _instead("" if how == "no" else how, _meeting(trial, number).settled)


@EXPECTED.phrase("attacker {number:int} {seat:seat}")
def attacker(trial: Trial, number: int, seat: str) -> str | None:
    """Who attacks in a section."""
    return _instead(seat, _meeting(trial, number).attacker)


@EXPECTED.phrase("scenario {number:int} {scenario:int}")
def scenario(trial: Trial, number: int, scenario: int) -> str | None:
    """The number of the scenario in a section."""
    return _instead(scenario, _meeting(trial, number).scenario)


@EXPECTED.phrase("turn {number:int}")
def turn(trial: Trial, number: int) -> str | None:
    """The turn it is now."""
    return _instead(number, trial.state.turn)


@EXPECTED.phrase("awaits {seats}")
def awaits(trial: Trial, seats: str) -> str | None:
    """The realms without which the stage does not end early; ``awaits nobody``."""
    wanted = () if seats == "nobody" else tuple(sorted(seats.split()))
    return _instead(wanted, tuple(sorted(awaiting(trial.state))))


@EXPECTED.phrase("over[ {words:quoted}]")
def over(trial: Trial, words: str = "") -> str | None:
    """The campaign is over, for a reason that holds these words."""
    if trial.state.stage != "over":
        return "it goes on"
    return None if plain(words) in plain(trial.state.ending) else f"the reason is: {trial.state.ending}"


@EXPECTED.phrase("not over")
def not_over(trial: Trial) -> str | None:
    """The campaign goes on."""
    return f"it ended: {trial.state.ending}" if trial.state.stage == "over" else None


@EXPECTED.phrase("ranking {places}")
def ranking(trial: Trial, places: str) -> str | None:
    """The realms in order of merit, equals with commas: ``ranking B A,C``."""
    return _instead(places, " ".join(",".join(equals) for equals in trial.state.ranking))


# --- what the phrases ask for -----------------------------------------------------------------------------------------


def _instead(wanted: object, came: object) -> str | None:
    if wanted == came:
        return None
    shown = " ".join(map(str, came)) if isinstance(came, tuple) else str(came)
    return f"it is {shown or 'nothing'}"


def _key(banner: str) -> str:
    seat, _, name = banner.partition(" ")
    return banner_key(seat, name)


def _state(trial: Trial) -> State:
    state: State = trial.state
    return state


def _banner(trial: Trial, banner: str) -> Banner:
    return _look_up(_state(trial).banners, _key(banner), "banner")


def _realm(trial: Trial, seat: str) -> Realm:
    return _look_up(_state(trial).realms, seat, "realm")


def _section(trial: Trial, number: int) -> Section:
    return _look_up(_state(trial).sections, number, "section")


def _meeting(trial: Trial, number: int) -> Meeting:
    return _look_up(_state(trial).meetings, number, "meeting in")


def _look_up(table: Mapping[K, V], key: K, kind: str) -> V:
    if key not in table:
        raise BadLine(f"there is no {kind} {key}; there are {', '.join(map(str, table)) or 'none'}")
    return table[key]


def _numbers(text: str) -> list[int]:
    words = text.replace(",", " ").split()
    if not all(word.isdigit() for word in words):
        raise BadLine(f"{text!r} are no section numbers")
    return [int(word) for word in words]


def _meetings(meetings: Iterable[Meeting]) -> str:
    return "; ".join(f"{each.at} of {', '.join(each.banners)}" for each in meetings) or "none"


def read_lines(view: View, lines: Sequence[Line]) -> Sheet:
    """Lines as the player of ``view`` wrote them; ``P?`` stands for the last terms that were put to him."""
    put = [number for number, terms in view.position.terms.items() if view.seat in terms.to]
    named = f"P{put[-1]}" if put else "P?"
    return read(view, [Line(line.number, line.text.replace("P?", named)) for line in lines])


GAME = Game(
    draft=Draft,
    build=build,
    position=POSITION,
    expected=EXPECTED,
    events=events.EVENTS,
    view=view,
    read=read_lines,
    check=check,
    phases=phases,
    act=act,
    stage=lambda state: str(state.stage),
    usual=usual_die,
)
