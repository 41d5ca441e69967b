"""Rule cases played: a position is built, orders are read and checked as a player's would be, dice are given,
the stage is resolved by the real rules, and what came of it is compared with what the case expects.

A rule system lends its functions and its own phrases (:class:`Game`); what every game shares is in ``words``.
"""

from collections.abc import Callable, Iterator, Sequence

from pbem.core.cases import Case
from pbem.core.errors import RuleError
from pbem.core.orders import Line
from pbem.core.trials.phrases import BadLine, Vocabulary, unknown
from pbem.core.trials.trial import Game, GivenDice, Trial
from pbem.core.trials.words import EXPECTED, SCRIPT, spelled

__all__ = ["EXPECTED", "SCRIPT", "BadLine", "Game", "Trial", "Vocabulary", "play", "spelled"]

Step = tuple[Line, Callable[[Trial], str | None]]
"""A line of a case and what it does; it says what came instead, if it expected something else."""


def play(case: Case, game: Game) -> tuple[str, ...]:
    """Play a case; every difference in words, with its line. Nothing: all came as expected."""
    draft = game.draft()
    steps, flaws = _read(case, game, draft)
    if flaws:
        return tuple(flaws)
    try:
        trial = Trial(game, game.build(draft), GivenDice(game.usual))
    except BadLine as error:
        return (f"the position does not hold together: {error}",)
    differences = list[str]()
    try:
        differences.extend(_run(trial, steps))
    except RuleError as error:
        differences.append(f"line {trial.line}: the rules stopped: {error}")
    else:
        differences += [*_unforeseen(trial), *_idle_dice(trial)]
    return tuple(_missing_dice(trial)) or tuple(differences)


# --- reading ----------------------------------------------------------------------------------------------------------


def _read(case: Case, game: Game, draft: object) -> tuple[list[Step], list[str]]:
    """Fill the draft from the lines that describe the position; the steps that the others ask for; flaws."""
    steps, flaws = list[Step](), list[str]()
    for line in case.lines:
        begun = any(not _is_die(step_line) for step_line, _ in steps)
        try:
            if _is_position(line.text, game, begun):
                game.position.read(line.text)(draft)
            else:
                steps.append((line, _step(line.text, game)))
        except BadLine as error:
            flaws.append(f"line {line.number}: {error}")
    return steps, flaws


def _is_die(line: Line) -> bool:
    return line.text.split()[0] in ("die", "dice")


def _is_position(text: str, game: Game, begun: bool) -> bool:
    """Position phrases come above the first order, play or expectation; some words mean another thing below it."""
    if not game.position.knows(text):
        return False
    if begun and not game.expected.knows(text) and not EXPECTED.knows(text):
        raise BadLine(f"{text!r} describes the position and belongs above the first order, play and expectation")
    return not begun


def _step(text: str, game: Game) -> Callable[[Trial], str | None]:
    if SCRIPT.knows(text):
        return SCRIPT.read(text)
    for vocabulary in (game.expected, EXPECTED):
        if vocabulary.knows(text):
            return _after_play(vocabulary.read(text))
    raise BadLine(unknown(text, game.position, SCRIPT, game.expected, EXPECTED))


def _after_play(expectation: Callable[[Trial], str | None]) -> Callable[[Trial], str | None]:
    def expect(trial: Trial) -> str | None:
        trial.settle()
        return expectation(trial)

    return expect


# --- playing ----------------------------------------------------------------------------------------------------------


def _run(trial: Trial, steps: Sequence[Step]) -> Iterator[str]:
    for line, do in steps:
        trial.line = line.number
        try:
            instead = do(trial)
        except BadLine as error:
            instead = str(error)
        if instead:
            yield f"line {line.number}: {line.text}: {instead}"


def _missing_dice(trial: Trial) -> Iterator[str]:
    for label, sides in trial.dice.missing.items():
        yield f"a die was rolled to which no line gives a value: {label} (D{sides})"


def _idle_dice(trial: Trial) -> Iterator[str]:
    for label in trial.dice.given:
        if not trial.dice.last(label):
            yield f"the die {label} has a value, but was never rolled"


def _unforeseen(trial: Trial) -> Iterator[str]:
    for number, (_, fault) in sorted(trial.refusals.items()):
        if number not in trial.foreseen:
            yield f"line {number}: the order was refused: {fault.reason}"
