"""Whole games by the pure contract alone, played by the rule systems' own robots: no mail, no storage, no clock."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.core.dice import Dice, sealed_seed, seed
from pbem.core.orders import Check, Line, Sheet, Written, merge
from pbem.core.ruleset import ORGANIZER, Entrant, Ruleset
from pbem.core.turn import Entry, Resolution, resolve

TALKS = 4
"""So often each seat may file in one stage: two robots could bargain for ever."""


@dataclass(frozen=True)
class Table:
    """A rule system and who sits down to play it."""

    rules: Ruleset
    options: Mapping[str, Any]
    entrants: Sequence[Entrant]

    def dice(self, name: str) -> Dice:
        """The dice of a stage, all three kinds."""
        opened = seed(name.encode(), ())
        return Dice(opened, lambda audience: sealed_seed(b"sealed", opened, audience))

    def set_up(self, game: str = "1") -> Any:
        """The first state of a game."""
        return self.rules.setup(self.options, self.entrants, self.dice(f"game {game}"))

    @property
    def seats(self) -> tuple[str, ...]:
        """All seats."""
        return tuple(entrant.seat for entrant in self.entrants)


@dataclass(frozen=True)
class Act:
    """An order that acted at once."""

    seat: str
    written: Written
    before: Any
    log: tuple[Entry, ...]


@dataclass
class Stage:
    """A stage as it was played."""

    table: Table
    before: Any
    opened: Any
    """The state after all immediate orders, as the stage closed on it."""
    name: str
    cards: list[tuple[str, str]] = field(default_factory=list)
    """Every card, with its seat, in the order of filing."""
    sheets: list[Sheet] = field(default_factory=list)
    """What was read of each card."""
    filed: dict[str, tuple[Written, ...]] = field(default_factory=dict)
    checks: list[tuple[str, Check]] = field(default_factory=list)
    acted: list[Act] = field(default_factory=list)
    resolution: Resolution[Any] | None = None

    @property
    def after(self) -> Any:
        """The state that came of it."""
        assert self.resolution is not None
        return self.resolution.state

    @property
    def acts(self) -> tuple[Entry, ...]:
        """What happened before the stage closed."""
        return tuple(entry for act in self.acted for entry in act.log)

    @property
    def log(self) -> tuple[Entry, ...]:
        """Everything that happened."""
        assert self.resolution is not None
        return (*self.acts, *self.resolution.log)

    @property
    def orders(self) -> dict[str, list[Any]]:
        """The orders on file, by seat."""
        return {seat: [each.order for each in written] for seat, written in sorted(self.filed.items())}

    def said(self, seat: str | None) -> tuple[Written, ...]:
        """All orders that a seat gave in this stage, those that acted at once and then those on file."""
        return (*(act.written for act in self.acted if act.seat == seat), *self.filed.get(seat or "", ()))

    def close(self, orders: Mapping[str, Sequence[Any]] | None = None) -> Resolution[Any]:
        """Resolve it, perhaps with other orders, as often as one likes."""
        given = self.orders if orders is None else orders
        return resolve(self.table.rules.phases(self.opened), self.opened, given, self.table.dice(self.name))


def play(table: Table, stages: int, game: str = "1") -> Iterator[Stage]:
    """The first stages of a game, or all of them if it ends sooner."""
    state = table.set_up(game)
    for number in range(stages):
        if table.rules.outcome(state):
            return
        stage = Stage(table, state, state, f"game {game} stage {number}")
        for talk in range(TALKS):
            if not _all_file(stage, talk):
                break
        stage.resolution = stage.close()
        yield stage
        state = stage.after


def fingerprint(table: Table, stages: int) -> str:
    """A hash over everything that comes of a game, cards, events and positions."""
    digest = hashlib.sha256()
    for stage in play(table, stages):
        digest.update(repr(stage.cards).encode())
        digest.update(table.rules.codec.dump([entry.event for entry in stage.log]))
        digest.update(repr([entry.rolls for entry in stage.log]).encode())
        digest.update(table.rules.codec.dump(stage.after))
    return digest.hexdigest()


def _all_file(stage: Stage, talk: int) -> bool:
    """Let every awaited seat that has nothing on file send a card; whether anything acted at once."""
    acted = len(stage.acted)
    rules = stage.table.rules
    for seat in sorted(rules.stage(stage.opened).awaiting - stage.filed.keys() - {ORGANIZER}):
        view = rules.view(stage.opened, seat)
        card = rules.robot(view, stage.table.dice(f"{stage.name} {seat} {talk}"))
        file_card(stage, seat, card)
    return len(stage.acted) > acted


def file_card(stage: Stage, seat: str, card: str) -> None:
    """Read, check and file a card as a host does; carry out at once what acts at once."""
    stage.cards.append((seat, card))
    rules = stage.table.rules
    view = rules.view(stage.opened, seat)
    lines = [Line(number, text) for number, text in enumerate(card.splitlines(), 1)]
    sheet = rules.read(rules.expecting(view, stage.filed.get(seat, ())), lines)
    stage.sheets.append(sheet)
    new = merge((), sheet.orders)
    standing = tuple(each for each in merge(stage.filed.get(seat, ()), new) if not each.order.immediate)
    if standing:
        check = rules.check(view, standing)
        stage.checks.append((seat, check))
        stage.filed[seat] = tuple(verdict.written for verdict in check.verdicts)
    for each in new:
        if each.order.immediate:
            _act(stage, seat, each)


def _act(stage: Stage, seat: str, written: Written) -> None:
    """Carry out what acts at once, if what was said before it has not made it impossible."""
    rules = stage.table.rules
    check = rules.check(rules.view(stage.opened, seat), [written])
    stage.checks.append((seat, check))
    for verdict in check.verdicts:
        done = resolve(rules.acts, stage.opened, {seat: [verdict.written.order]}, Dice())
        stage.acted.append(Act(seat, verdict.written, stage.opened, done.log))
        stage.opened = done.state
