"""File a player's card: merge it with what is on file, check the whole, store the new version."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from pbem.core.orders import Check, Fault, Line, Sheet, Written, merge, nearest, outdone, plain
from pbem.core.ruleset import Ruleset
from pbem.service.host import Game, Host
from pbem.service.incoming.commands import Words, sort_out
from pbem.service.orders import document, orders_of
from pbem.service.tokens import new_receipt
from pbem.storage.tables import Letter, Seat, Submission, number_of
from pbem.storage.unit import Unit


@dataclass(frozen=True)
class Chair:
    """A player's place in a game."""

    host: Host
    unit: Unit
    game: Game
    seat: Seat

    @cached_property
    def view(self) -> Any:
        """What the player may know."""
        return self.game.rules.view(self.game.state, self.seat.code)

    def read(self, lines: Sequence[Line]) -> Sheet:
        """Orders and faults in lines of a card."""
        return self._read(tuple(lines))

    @cached_property
    def _read(self) -> Callable[[tuple[Line, ...]], Sheet]:
        # The same lines are read for several questions.
        rules, current = self.game.rules, self.unit.submissions.current(self.game.stage, self.seat)
        expected = rules.expecting(self.view, orders_of(rules, current))
        return lru_cache(maxsize=8)(lambda lines: rules.read(expected, lines))

    def sort_out(self, lines: Sequence[Line]) -> Words:
        """The words to the server in a card, and what is left for the rules."""
        return sort_out(lines, lambda line: bool(self.read((line,)).orders))


@dataclass(frozen=True)
class Desk(Chair):
    """A letter of a player on the table, with the game it is for."""

    letter: Letter


@dataclass(frozen=True)
class Filed:
    """What became of a card."""

    submission: Submission | None
    """What is stored; nothing if no line of the card could be carried out."""
    sheet: Sheet
    check: Check
    acts: tuple[Written, ...] = ()
    """Immediate orders, still to be carried out."""
    dropped: tuple[str, ...] = ()
    """Lines that were on file and no longer are."""
    overtaken: tuple[str, ...] = ()
    """Lines of the card that do not count, because a card that came in later says otherwise."""
    outdone: tuple[tuple[str, str], ...] = ()
    """Orders of the card that do not count, each with the one further down that takes its place, or says the same."""
    same: bool = False
    """It is on file already, as this submission."""
    reopened: bool = False
    """The player had said that he was done; no longer."""

    @property
    def receipt(self) -> str:
        """The receipt number; none if nothing was filed."""
        return self.submission.receipt if self.submission else ""


def file_card(desk: Desk, words: Words, *, propose: bool = False, later: Sequence[Words] = ()) -> Filed:
    """File a card, or put it up for the player's YES (``propose``).

    ``later`` is what those cards say that came in after this one and were filed before it. What stands on file by their
    word stays; beyond that, this card counts. What has been acknowledged to a player is never undone by an older mail.
    """
    current = desk.unit.submissions.current(desk.game.stage, desk.seat)
    weighed = weigh(desk, words, later)
    sheet, check, basis = weighed.sheet, weighed.check, weighed.basis
    kept = [verdict.written for verdict in check.verdicts]
    standing = tuple(each for each in kept if not each.order.immediate)
    acts = tuple(each for each in kept if each.order.immediate)
    overtaken = tuple(each.line.text for each in basis.overtaken)
    said = words.commands or overtaken or any(_heard(written, kept) for written in sheet.orders)
    if not said and not propose:
        return Filed(None, sheet, check, outdone=weighed.outdone)
    before = orders_of(desk.game.rules, current)
    final = current.final if current and later else words.final
    if current and not acts and not propose and _same(standing, before) and final == current.final:
        return Filed(current, sheet, check, overtaken=overtaken, outdone=weighed.outdone, same=True)
    submission = _store(desk, standing, acts, final=final, status="proposed" if propose else "filed")
    reopened = bool(current and current.final and not final)
    return Filed(submission, sheet, check, acts, basis.dropped, overtaken, weighed.outdone, reopened=reopened)


def _heard(written: Written, kept: Sequence[Written]) -> bool:
    """Whether a line of the card is among the legal ones."""
    return any(each.line == written.line for each in kept)


def settle(rules: Ruleset, view: Any, base: Sequence[Written], new: Sequence[Written]) -> Check:
    """Check new orders together with those on file. A new order that is refused leaves the old one in its place."""
    first = rules.check(view, merge(base, new))
    refused = {fault.line for fault in first.faults}
    if not refused:
        return first
    second = rules.check(view, merge(base, [each for each in new if each.line not in refused]))
    more = tuple(fault for fault in second.faults if fault.line not in refused)
    return replace(second, faults=first.faults + more)


@dataclass(frozen=True)
class _Basis:
    """What a card builds upon."""

    standing: tuple[Written, ...]
    """Orders that stay unless the card changes them."""
    dropped: tuple[str, ...] = ()
    """Lines that the card drops from what is on file."""
    withdrawn: tuple[Written, ...] = ()
    """Orders of the card itself that it takes back further down."""
    overtaken: tuple[Written, ...] = ()
    """Orders of the card itself that fall to later cards."""
    faults: tuple[Fault, ...] = ()
    """CANCEL lines that name nothing."""


@dataclass(frozen=True)
class Weighed:
    """A card, and what would be on file after it."""

    sheet: Sheet
    check: Check
    basis: _Basis

    @property
    def outdone(self) -> tuple[tuple[str, str], ...]:
        """Legal orders of the card that do not count, each with the legal one further down that takes its place."""
        refused = {fault.line for fault in self.check.faults}
        legal = [each for each in self.sheet.orders if each.line not in refused]
        return tuple((str(each.order), str(by.order)) for each, by in outdone(legal))


def weigh(chair: Chair, words: Words, later: Sequence[Words] = ()) -> Weighed:
    """What a card would put on file; nothing is stored."""
    current = chair.unit.submissions.current(chair.game.stage, chair.seat)
    sheet = chair.read(words.lines)
    basis = _basis(chair, words, current, sheet, later)
    orders = tuple(each for each in sheet.orders if each not in basis.withdrawn and each not in basis.overtaken)
    sheet = replace(sheet, orders=orders, faults=(*sheet.faults, *basis.faults, *words.faults))
    return Weighed(sheet, settle(chair.game.rules, chair.view, basis.standing, sheet.orders), basis)


def _basis(desk: Chair, words: Words, current: Submission | None, sheet: Sheet, later: Sequence[Words]) -> _Basis:
    on_file = orders_of(desk.game.rules, current)
    cancel = {plain(line.text): line for line in words.cancel}
    names = _names(desk, (*on_file, *sheet.orders)) if cancel or later else {}
    settled = _settled(desk, later, on_file, names)
    withdrawn = tuple(each for each in sheet.orders if _taken_back(names.get(each.order.key, ()), each, cancel))
    meant = tuple(each for each in on_file if words.replace_all or cancel.keys() & names.get(each.order.key, ()))
    dropped = tuple(each for each in meant if each.order.key not in settled)
    named = {name for each in (*meant, *withdrawn) for name in names.get(each.order.key, ())}
    return _Basis(
        standing=tuple(each for each in on_file if each not in dropped),
        dropped=tuple(str(each.order) for each in dropped),
        withdrawn=withdrawn,
        overtaken=tuple(each for each in sheet.orders if each.order.key in settled and not each.order.immediate),
        faults=tuple(_nothing_to_cancel(line, on_file) for name, line in cancel.items() if name not in named),
    )


def _settled(
    desk: Chair, later: Sequence[Words], on_file: Sequence[Written], names: Mapping[str, set[str]]
) -> frozenset[str]:
    """The keys of the orders, among those named, about which later cards have the last word."""
    if any(words.replace_all for words in later):
        return frozenset(names)
    said = {each.order.key for words in later for each in desk.read(words.lines).orders if _heard(each, on_file)}
    cancelled = {plain(line.text) for words in later for line in words.cancel}
    return frozenset(said | {key for key, known_as in names.items() if cancelled & known_as})


def _names(desk: Chair, orders: Sequence[Written]) -> dict[str, set[str]]:
    """The ways to name each order in a CANCEL line, by its key: its whole line, what stands before the colon, or whom
    it commands as the acknowledgement has it."""
    names: dict[str, set[str]] = {}
    for each in orders:
        line = str(each.order)
        names.setdefault(each.order.key, set()).update((plain(line), plain(line.partition(":")[0])))
    for verdict in desk.game.rules.check(desk.view, orders).verdicts:
        names.setdefault(verdict.written.order.key, set()).add(plain(verdict.subject))
    return names


def _taken_back(names: Iterable[str], written: Written, cancel: Mapping[str, Line]) -> bool:
    """Whether a line further down in the card takes an order back."""
    return any(written.line.number < cancel[name].number for name in names if name in cancel)


def _nothing_to_cancel(line: Line, on_file: Sequence[Written]) -> Fault:
    subjects = sorted({str(each.order).partition(":")[0] for each in on_file})
    paste = next((f"cancel {each}" for each in nearest(line.text, subjects, 1)), "")
    named = ", ".join(subjects) or "nothing"
    return Fault(line, line.text, f"There is no order on file for {line.text!r}; on file: {named}.", paste)


def _same(one: Sequence[Written], other: Sequence[Written]) -> bool:
    return [each.order for each in one] == [each.order for each in other]


def _store(desk: Desk, standing: Sequence[Written], acts: Sequence[Written], *, final: bool, status: str) -> Submission:
    stage, seat = desk.game.stage, desk.seat
    last = desk.unit.submissions.last(stage, seat)
    return desk.unit.submissions.add(
        Submission(
            stage_id=number_of(stage),
            seat_id=number_of(seat),
            letter_id=desk.letter.id,
            version=last.version + 1 if last else 1,
            status=status,
            receipt=desk.unit.submissions.free_receipt(new_receipt),
            orders=[document(desk.game.rules, each) for each in standing],
            acts=[document(desk.game.rules, each) for each in acts],
            final=final,
            created_at=desk.host.clock(),
        )
    )
