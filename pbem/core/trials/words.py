"""What every rule case may say, whatever the game: orders, dice, plays, and the plain expectations."""

import dataclasses
import re
from collections.abc import Iterable, Iterator
from typing import Any

from pbem.core.dice import EVERYONE, NOBODY, Audience
from pbem.core.orders import Fault, nearest, plain
from pbem.core.trials.phrases import BadLine, Vocabulary
from pbem.core.trials.trial import Trial
from pbem.core.turn import Entry

SCRIPT = Vocabulary()
"""What is done in a case, line by line."""

EXPECTED = Vocabulary()
"""What should have come of it."""


@SCRIPT.phrase("order {seat:seat}{text}")
def order(trial: Trial, seat: str, text: str) -> None:
    """An order as the player of ``seat`` would write it."""
    trial.order(seat, text.lstrip(": "))


@SCRIPT.phrase("unchecked order {seat:seat}{text}")
def order_unchecked(trial: Trial, seat: str, text: str) -> None:
    """An order that comes to execution though a check might refuse it."""
    trial.order_unchecked(seat, text.lstrip(": "))


@SCRIPT.phrase("withdraw {seat:seat} {reason:quoted}")
def withdraw(trial: Trial, seat: str, reason: str) -> None:
    """The organizer says that nobody plays the seat any more, and why."""
    trial.by_hand(seat, lambda state: trial.game.withdraw(state, seat, reason))


@SCRIPT.phrase("readmit {seat:seat} {reason:quoted}")
def readmit(trial: Trial, seat: str, reason: str) -> None:
    """The organizer has found somebody to play it again."""
    trial.by_hand(seat, lambda state: trial.game.readmit(state, seat, reason))


@SCRIPT.phrase("rule {words}")
def rule(trial: Trial, words: str) -> None:
    """The organizer settles a dispute; ``refused organizer`` tells that he could not."""
    trial.by_hand("organizer", lambda state: trial.game.ruling(state, words)[1])


@SCRIPT.phrase("die {label} = {value:int}")
def die(trial: Trial, label: str, value: int) -> None:
    """What a die shows, from here on."""
    trial.dice.given[label.replace('"', "")] = value


@SCRIPT.phrase("dice {list}")
def dice(trial: Trial, list: str) -> None:
    """Several dice, with commas; ``any`` stands for all that no line gives."""
    for text in re.split(r"\s*,\s*", list):
        label, _, value = (part.strip() for part in text.partition("="))
        if not label or not value.isdigit():
            raise BadLine(f"cannot read {text!r}; write it like this: dice LABEL = VALUE, LABEL = VALUE")
        if label == "any":
            trial.dice.others = int(value)
        else:
            die(trial, label, int(value))


@SCRIPT.phrase("play[ {kind:word}]")
def play_stage(trial: Trial, kind: str = "") -> str | None:
    """Resolve the stage; a named one must be the one the position is in."""
    now = trial.game.stage(trial.state)
    if kind and kind != now:
        return f"the position is in stage {now}"
    trial.play()
    return None


@SCRIPT.phrase("refused {who} {words:quoted}")
def refused(trial: Trial, who: str, words: str) -> str | None:
    """An order was refused, and the reason holds these words."""
    about = {
        number: fault.reason
        for number, (seat, fault) in trial.refusals.items()
        if _concerns(seat, fault, who.replace('"', ""))
    }
    fitting = [number for number, reason in about.items() if plain(words) in plain(reason)]
    trial.foreseen.update(fitting or about)
    if fitting:
        return None
    return f"the reason was: {'; '.join(about.values())}" if about else "it was not refused"


def _concerns(seat: str, fault: Fault, who: str) -> bool:
    whose, _, subject = who.partition(" ")
    return whose == seat and plain(subject) in plain(f"{fault.subject} {fault.line.text}")


@EXPECTED.phrase("event[ {rule:rule}] {kind:word}[ {details}]")
def event(trial: Trial, kind: str, rule: str = "", details: str = "") -> str | None:
    """Such an event is in the log."""
    return None if _events(trial, rule, kind, details) else f"no such event; the log says:\n{_told(_entries(trial))}"


@EXPECTED.phrase("no event[ {rule:rule}] {kind:word}[ {details}]")
def no_event(trial: Trial, kind: str, rule: str = "", details: str = "") -> str | None:
    """No such event is in the log."""
    found = _events(trial, rule, kind, details)
    return f"there is:\n{_told(found)}" if found else None


def _entries(trial: Trial) -> Iterator[Entry]:
    """The log, each event followed by what those learn who may not know it."""
    for entry in trial.log:
        yield entry
        instead = (pair for pair in entry.others if pair[0] != NOBODY)
        yield from (dataclasses.replace(entry, audience=to, event=event, rolls=(), others=()) for to, event in instead)


def _events(trial: Trial, rule: str, kind: str, details: str) -> list[Entry]:
    names = [cls.__name__ for cls in trial.game.events]
    if kind not in names:
        raise BadLine(f"no event is called {kind}; near are: {', '.join(nearest(kind, names, 4)) or ', '.join(names)}")
    wanted, audience = _details(details)
    return [
        entry
        for entry in _entries(trial)
        if type(entry.event).__name__ == kind
        and rule in ("", entry.rule)
        and wanted.items() <= {name: plain(text) for name, text in _fields(entry.event).items()}.items()
        and audience in (None, entry.audience)
    ]


def _details(text: str) -> tuple[dict[str, str], Audience | None]:
    """``banner="A Red" to A B``: the fields, and those who may know."""
    fields, _, seats = text.partition("to ") if text.startswith("to ") else text.partition(" to ")
    found = re.findall(r'(\w+)=("[^"]*"|\S+)', fields)
    if not found and fields.strip():
        raise BadLine(f'cannot read {text!r}; write it like this: FIELD=VALUE FIELD="SEVERAL WORDS" to A B')
    audience = EVERYONE if seats.strip() == "all" else frozenset(seats.split())
    return {name: plain(value) for name, value in found}, audience if seats else None


def _fields(event: Any) -> dict[str, str]:
    return {each.name: spelled(getattr(event, each.name)) for each in dataclasses.fields(event)}


def spelled(value: Any) -> str:
    """A value as cases write it: ``yes``, ``12``, ``A Red``, ``13,14``, ``A 5,B 3``, ``nothing``."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, frozenset):
        return ",".join(sorted(map(spelled, value))) or "nothing"
    if isinstance(value, tuple):
        return ",".join(map(_within, value)) or "nothing"
    return "nothing" if value in (None, "") else str(value)


def _within(value: Any) -> str:
    return " ".join(map(spelled, value)) if isinstance(value, tuple) else spelled(value)


def _told(log: Iterable[Entry]) -> str:
    return "\n".join(f"    {_line(entry)}" for entry in log) or "    nothing"


def _line(entry: Entry) -> str:
    fields = " ".join(
        f'{name}="{text}"' if " " in text else f"{name}={text}" for name, text in _fields(entry.event).items()
    )
    told = "" if entry.audience == EVERYONE else f" to {' '.join(sorted(entry.audience))}"
    dice = "".join(f"   [{roll.label} = {roll.row or roll.value}]" for roll in entry.rolls)
    return f"event {entry.rule} {type(entry.event).__name__} {fields}{told}{dice}"


@EXPECTED.phrase("rolled {label:quoted}[ = {value:int}]")
def rolled(trial: Trial, label: str, value: int | None = None) -> str | None:
    """This die was rolled."""
    roll = trial.dice.last(label)
    if roll is None:
        return f"it was not; these were: {_labels(trial)}"
    return f"it shows {roll.value}" if value not in (None, roll.value) else None


@EXPECTED.phrase("not rolled {label:quoted}")
def not_rolled(trial: Trial, label: str) -> str | None:
    """This die was not rolled."""
    return "it was" if trial.dice.last(label) else None


@EXPECTED.phrase("stage {kind:word}")
def stage(trial: Trial, kind: str) -> str | None:
    """The game now waits in this stage."""
    now = trial.game.stage(trial.state)
    return None if now == kind else f"the stage is {now}"


def _labels(trial: Trial) -> str:
    return ", ".join(f'"{label}"' for label, _ in trial.dice.rolled) or "none"
