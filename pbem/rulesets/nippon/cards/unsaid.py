"""Lines about meetings that do not say which one: each is about the only one that it can be about."""

from collections.abc import Callable, Iterator, Sequence

from pbem.core.grammar import Misread
from pbem.core.wording import listed
from pbem.rulesets.nippon.agenda import (
    dates_to_answer,
    defences_to_take,
    dice_to_answer,
    open_meetings,
    results_to_judge,
    tables,
    terms_to_answer,
)
from pbem.rulesets.nippon.engagements import disputed, fighters
from pbem.rulesets.nippon.orders import (
    AgreeDate,
    Answer,
    AskAutomatic,
    AskDiceOff,
    Defend,
    JudgeResult,
    ReportResult,
)
from pbem.rulesets.nippon.state import Banner, Meeting
from pbem.rulesets.nippon.tabletop import voice
from pbem.rulesets.nippon.view import View

NO_BATTLE = "You have no battle that is open."
NO_RESULT = "No result waits for your answer."
NO_DISPUTE = "No result of yours is disputed: only then a dice-off may decide."
NO_OFFER = "Nobody has made you an offer, or proposed a date, that is still open."


def the_only(meetings: Sequence[Meeting], line: Callable[[int], object], none: str = NO_BATTLE) -> int:
    """The section of the only meeting that a line can be about; raises :class:`Misread`, which gives the lines that
    could be meant, each about a section, or says that there is ``none``."""
    if len(meetings) == 1:
        return meetings[0].at
    lines = _choice(line(each.at) for each in meetings)
    raise Misread(f"Which battle? Send one of these: {lines}." if meetings else none)


def _choice(lines: Iterator[object]) -> str:
    return listed(map(str, lines), last="or")


# --- what is said of a battle -------------------------------------------------------------------------------------


def fought(view: View) -> tuple[Meeting, ...]:
    """The meetings whose next battle the reader fights, or plays for another, by section."""
    state, seat = view.position, view.seat or ""
    return tuple(each for each in tables(view) if voice(state, each.at, seat) in fighters(state, each))


def judged(view: View, *, confirm: bool, words: str = "") -> JudgeResult:
    """Yes or no to the only result that waits for it; raises :class:`Misread`."""
    at = the_only(results_to_judge(view), lambda at: JudgeResult(at, confirm, words), NO_RESULT)
    return JudgeResult(at, confirm, words)


def reported(view: View) -> int:
    """The section of the only battle whose result the reader can tell; raises :class:`Misread`."""
    return the_only(fought(view), ReportResult)


def by_dice(view: View, *, automatic: bool = True) -> AskAutomatic:
    """A wish for dice, or for none, in the only battle of the reader's own; raises :class:`Misread`."""
    own = [each for each in fought(view) if view.seat in each.realms]
    return AskAutomatic(the_only(own, lambda at: AskAutomatic(at, automatic)), automatic)


def dice_off(view: View) -> AskDiceOff:
    """A wish for a dice-off, in the only battle on whose result its players do not agree; raises :class:`Misread`."""
    quarrels = [each for each in fought(view) if view.seat in each.realms and disputed(view.position, each)]
    return AskDiceOff(the_only(quarrels, AskDiceOff, NO_DISPUTE))


def defended(view: View) -> Defend:
    """The only defence that can be taken; raises :class:`Misread`."""
    return Defend(the_only(defences_to_take(view), Defend, "There is no defence to take."))


def accepted(view: View) -> Answer | AgreeDate:
    """Yes to the only thing that was offered or proposed: terms, or a date. What else waits for a yes may have been
    meant as well, the more so as terms bind at once. Raises :class:`Misread`."""
    put = [Answer(terms.number, accept=True) for terms in terms_to_answer(view)]
    waiting: list[Answer | AgreeDate] = [*put, *(AgreeDate(each.at) for each in dates_to_answer(view))]
    results = [JudgeResult(each.at, confirm=True, version=each.next.number) for each in results_to_judge(view)]
    besides = [*results, *dice_to_answer(view)]
    if len(waiting) == 1 and not besides:
        return waiting[0]
    if waiting:
        raise Misread(f"To what? Send one of these: {_choice(iter((*besides, *waiting)))}.")
    raise Misread(NO_OFFER, instead=str(results[0]) if len(results) == 1 else "")


def declined(view: View) -> Answer:
    """No to the only offer that is open; whom a result asks as well may mean that. Raises :class:`Misread`."""
    waiting = [Answer(terms.number, accept=False) for terms in terms_to_answer(view)]
    results = [JudgeResult(each.at, confirm=False, words="why") for each in results_to_judge(view)]
    if len(waiting) == 1 and not results:
        return waiting[0]
    if waiting:
        raise Misread(f"To what? Send one of these: {_choice(iter((*results, *waiting)))}.")
    raise Misread("Nobody has made you an offer that is still open.")


# --- whose banners are meant --------------------------------------------------------------------------------------


def own_there(view: View, line: Callable[[int], object]) -> tuple[Banner, ...]:
    """The reader's banners at his only meeting; nobody if he has none. Raises :class:`Misread`."""
    opened = open_meetings(view)
    at = the_only(opened, line) if opened else 0
    return tuple(banner for banner in view.position.banners_at(at) if banner.realm == view.seat) if at else ()
