"""Disputes in words: what was said of a battle, what becomes of it, and how the organizer rules on it (NIP 8.5)."""

import re
from collections.abc import Iterable, Iterator

from pbem.core.errors import NotNow
from pbem.core.grammar import Misread, tidy
from pbem.core.ruleset import ORGANIZER, Dispute
from pbem.core.wording import listed
from pbem.rulesets.nippon.cards.bargains import outcome
from pbem.rulesets.nippon.cards.casualties import misreported, units
from pbem.rulesets.nippon.cards.own_words import own_words
from pbem.rulesets.nippon.cards.results import told_result
from pbem.rulesets.nippon.disputes import agreed_losses, automatic, to_be_played, to_rule
from pbem.rulesets.nippon.engagements import (
    asked,
    battle,
    fighters,
    has_time,
    left_to_dice,
    rolled_for,
    stands,
    uncontradicted,
)
from pbem.rulesets.nippon.orders import ReportResult, Ruling
from pbem.rulesets.nippon.results import as_told, unsound
from pbem.rulesets.nippon.state import UNREPORTED, Meeting, Result, State, Statement
from pbem.rulesets.nippon.view import View

# --- for players ------------------------------------------------------------------------------------------------------


def statements(view: View, meeting: Meeting) -> Iterator[tuple[str, str]]:
    """What was said of the battle that is not decided: by whom, and what."""
    for each in meeting.next.statements:
        yield view.realm(each.by), "; ".join(_said(view, meeting, each))


def _said(view: View, meeting: Meeting, statement: Statement) -> Iterator[str]:
    if statement.result:
        yield as_told(view.position, meeting.at, statement.result)
    if statement.words:
        yield f'"{statement.words}"'
    elif not statement.result:
        yield "it came out differently"


def fate(view: View, meeting: Meeting) -> str:
    """What becomes of the battle that waits if nobody says anything more of it."""
    state = view.position
    if meeting.next.ruled:
        return "AUTOMATIC, as the organizer ruled"
    if rolled_for(state, meeting):
        return "a DICE-OFF, when the stage closes"
    if state.options.battles == "auto" or left_to_dice(state, meeting):
        return "AUTOMATIC, when the stage closes"
    if meeting.assault:
        return "AUTOMATIC, if both sides do not agree on a result in time"
    if meeting.next.result is None and to_be_played(state, meeting):
        return "the turn waits for it once more, if nobody reports a result"
    if meeting.next.result is None:
        return f"{'AUTOMATIC' if automatic(state, meeting) else 'a DRAW'}, if nobody reports a result"
    if stands(state, meeting):
        return _unless_disputed(view, meeting)
    return f"DISPUTED: if {named(view, fighters(state, meeting))} come to no agreement, {_last_word(state, meeting)}"


def _unless_disputed(view: View, meeting: Meeting) -> str:
    """What becomes of a result that nobody disputes, as far as yet."""
    judges, counts = asked(view.position, meeting), uncontradicted(view.position, meeting)
    does = "does" if len(judges) == 1 and judges[0] != view.seat else "do"
    if counts == meeting.next.result:
        return f"the result stands as reported, if {named(view, judges)} {does} not dispute it"
    before = f"what was reported before counts: {as_told(view.position, meeting.at, counts)}" if counts else ""
    return f"if {named(view, judges)} {does} not confirm the result, {before or 'it is taken as disputed'}"


def agreeing(view: View, meeting: Meeting) -> str:
    """What confirming a result means, and what happens without."""
    return f"agrees: {outcome(view, meeting)}; {silence(view, meeting)}"


def silence(view: View, meeting: Meeting) -> str:
    """What becomes of a reported result if the reader neither confirms nor disputes it."""
    counts = uncontradicted(view.position, meeting)
    if meeting.assault:
        return "without your word dice alone fight it"
    if not stands(view.position, meeting):
        return "it is disputed already"
    if counts == meeting.next.result:
        return "it counts if you say nothing"
    return "if you say nothing, what was reported before counts" if counts else "it does not count without"


def _last_word(state: State, meeting: Meeting) -> str:
    if meeting.next.disputes and has_time(state, meeting):
        return "the turn waits for it once more"
    rules = state.options.disputes == "organizer"
    fate = "the organizer rules; if he does not, it is AUTOMATIC" if rules else "it is AUTOMATIC"
    return f"the turn waits for it; then {fate}" if has_time(state, meeting) else fate


def named(view: View, seats: Iterable[str]) -> str:
    """Realms in the middle of a sentence: ``Blue and you``."""
    return listed("you" if seat == view.seat else view.realm(seat) for seat in seats)


# --- for the organizer ------------------------------------------------------------------------------------------------

RULED = re.compile(
    r'(?:battle\s+)?(?:b\s?)?#?(?P<at>\d{1,4})(?!\d)(?P<told>[^"]*)(?P<why>".*)?',
    re.IGNORECASE,
)
"""What stands behind ``rule``."""
AUTOMATIC = re.compile(r"(?:auto|automatic|dice)", re.IGNORECASE)
WHY = '"why"'
"""In the place of a reason."""


def disputes(state: State) -> tuple[Dispute, ...]:
    """The disputes that the organizer may settle, each with all that was said, and the lines by which he rules."""
    return tuple(_dispute(View(ORGANIZER, state), meeting) for meeting in to_rule(state))


def _dispute(view: View, meeting: Meeting) -> Dispute:
    at = meeting.at
    attackers, defenders = (listed(map(view.realm, side)) for side in battle(view.position, meeting))
    even = as_told(view.position, at, _even(view.position, meeting))
    told = {
        as_told(view.position, at, each.result): view.realm(each.by) for each in meeting.next.statements if each.result
    }
    ways = {even: "nobody won"} | {way: f"as {name} says" for way, name in told.items()} | {"auto": "left to dice"}
    letters = ", ".join(f"{seat} is {view.realm(seat)}" for seat in sorted(meeting.realms))
    return Dispute(
        key=f"B{at}",
        title=f"Battle in {view.place(at)}, {attackers} against {defenders}",
        between=meeting.concerned,
        statements=(*(f"{name}: {said}" for name, said in statements(view, meeting)), f"Before units {letters}."),
        lines=tuple((f"rule B{at} {way} {WHY}", meaning) for way, meaning in ways.items()),
    )


def _even(state: State, meeting: Meeting) -> Result:
    """A draw, with the losses on which both sides agree."""
    losses, burnt = agreed_losses(state, meeting)
    return Result(UNREPORTED, losses=losses, destroyed=burnt)


def ruling(state: State, words: str) -> tuple[Dispute, Ruling]:
    """What the organizer means by ``B14 Crane Host victory; Spearmen 12, 3 fled "reason"``, and the dispute that it
    settles; raises ``NotNow``."""
    view, found = View(ORGANIZER, state), RULED.fullmatch(tidy(words))
    meeting = next((each for each in to_rule(state) if found and each.at == int(found["at"])), None)
    if found is None or meeting is None:
        raise NotNow(_nothing_to_rule(view, found["at"] if found else ""))
    told, reason = found["told"].strip(" ,;:"), own_words((found["why"] or "").strip('". '))
    if not reason:
        raise NotNow(f"Say why, in quotes, for those who fought: rule B{meeting.at} {told or 'draw'} {WHY}")
    line = None if AUTOMATIC.fullmatch(told) else _told(view, meeting, told)
    return _dispute(view, meeting), Ruling(meeting.at, line, reason)


def _told(view: View, meeting: Meeting, told: str) -> ReportResult:
    try:
        line = told_result(view, meeting, told)
    except Misread as error:
        raise NotNow(f"{error.reason} Or say auto.") from error
    refused = next(unsound(view.position, meeting, line), None)
    refused = refused or misreported(units(view, meeting), line.losses, meeting.realms)
    if refused:
        raise NotNow(f"{refused.reason} (NIP {refused.rule})")
    return line


def _nothing_to_rule(view: View, number: str) -> str:
    if view.position.options.disputes != "organizer":
        return 'The players settle disputes by themselves here: the campaign has disputes = "players"'
    waiting = listed([f"B{each.at}" for each in to_rule(view.position)], "")
    battle = f"B{number}" if number else "a battle"
    return f"No dispute about {battle} waits for your ruling" + (f"; there is: {waiting}" if waiting else "")
