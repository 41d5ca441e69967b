"""File a player's card: merge it with what is on file, check the whole, store the new version."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbem.core.orders import Check, Fault, Line, Sheet, Written, merge, nearest, plain
from pbem.core.ruleset import Ruleset
from pbem.service.commands import Words
from pbem.service.host import Game, Host
from pbem.service.tokens import new_receipt
from pbem.storage.tables import Letter, Seat, Submission, number_of
from pbem.storage.unit import Unit


@dataclass(frozen=True)
class Desk:
    """A letter of a player on the table, with the game it is for."""

    host: Host
    unit: Unit
    game: Game
    seat: Seat
    letter: Letter

    @property
    def view(self) -> Any:
        """What the player may know."""
        return self.game.rules.view(self.game.state, self.seat.code)

    def read(self, lines: Sequence[Line]) -> Sheet:
        """Orders and faults in lines of a card."""
        return self.game.rules.read(self.view, lines)


@dataclass(frozen=True)
class Filed:
    """What became of a card."""

    submission: Submission
    sheet: Sheet
    check: Check
    acts: tuple[Written, ...] = ()
    """Immediate orders, still to be carried out."""
    dropped: tuple[str, ...] = ()
    """Lines that were on file and no longer are."""
    same_as: str = ""
    """The receipt that it changes nothing about."""


def file_card(desk: Desk, words: Words, *, propose: bool = False) -> Filed:
    """File a card, or put it up for the player's YES (``propose``)."""
    current = desk.unit.submissions.current(desk.game.stage, desk.seat)
    basis = _basis(desk, words, current)
    sheet = desk.read(words.lines)
    sheet = replace(sheet, orders=basis.confirmed + sheet.orders, faults=sheet.faults + basis.faults)
    check = settle(desk.game.rules, desk.view, basis.standing, sheet.orders)
    kept = [verdict.written for verdict in check.verdicts]
    standing = tuple(each for each in kept if not each.order.immediate)
    acts = tuple(each for each in kept if each.order.immediate)
    before = orders_of(desk.game.rules, current)
    if current and not acts and not propose and _same(standing, before) and words.final == current.final:
        return Filed(current, sheet, check, same_as=current.receipt)
    submission = _store(desk, standing, acts, final=words.final, status="proposed" if propose else "filed")
    return Filed(submission, sheet, check, acts, dropped=basis.dropped)


def orders_of(rules: Ruleset, submission: Submission | None) -> tuple[Written, ...]:
    """The standing orders of a submission, with the lines they were read from."""
    return _written(rules, submission.orders) if submission else ()


def _written(rules: Ruleset, stored: Sequence[Any]) -> tuple[Written, ...]:
    return tuple(Written(rules.codec.decode(each["order"]), Line(each["line"], each["text"])) for each in stored)


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
    confirmed: tuple[Written, ...] = ()
    """Orders that waited for the card's YES."""
    dropped: tuple[str, ...] = ()
    """Lines that the card drops from what is on file."""
    faults: tuple[Fault, ...] = ()
    """CANCEL lines that name nothing."""


def _basis(desk: Desk, words: Words, current: Submission | None) -> _Basis:
    rules = desk.game.rules
    on_file, confirmed = orders_of(rules, current), _confirmed(desk, words)
    if words.replace_all:
        return _Basis((), confirmed, tuple(str(each.order) for each in on_file))
    wanted = {plain(line.text): line for line in words.cancel}
    dropped = tuple(each for each in on_file if _subjects(each) & wanted.keys())
    matched = {subject for each in dropped for subject in _subjects(each)}
    return _Basis(
        standing=tuple(each for each in on_file if each not in dropped),
        confirmed=confirmed,
        dropped=tuple(str(each.order) for each in dropped),
        faults=tuple(_nothing_to_cancel(line, on_file) for name, line in wanted.items() if name not in matched),
    )


def _confirmed(desk: Desk, words: Words) -> tuple[Written, ...]:
    """What was put up for a YES, if this card says it; the letter that brought it is filed with that."""
    proposed = desk.unit.submissions.proposed(desk.game.stage, desk.seat) if words.yes else None
    if proposed is None:
        return ()
    desk.unit.letters.settle(proposed.letter_id, f"confirmed by letter {desk.letter.id}")
    return _written(desk.game.rules, [*proposed.orders, *proposed.acts])


def _subjects(written: Written) -> set[str]:
    """The ways to name an order in a CANCEL line: by its whole line, or by whom it commands."""
    line = str(written.order)
    return {plain(line), plain(line.partition(":")[0])}


def _nothing_to_cancel(line: Line, on_file: Sequence[Written]) -> Fault:
    subjects = sorted({str(each.order).partition(":")[0] for each in on_file})
    paste = next((f"cancel {each}" for each in nearest(line.text, subjects, 1)), "")
    named = ", ".join(subjects) or "nothing"
    return Fault(line, line.text, f"there is no order on file for {line.text!r}; on file: {named}", paste)


def _same(one: Sequence[Written], other: Sequence[Written]) -> bool:
    return {each.order for each in one} == {each.order for each in other}


def _store(desk: Desk, standing: Sequence[Written], acts: Sequence[Written], *, final: bool, status: str) -> Submission:
    stage, seat = desk.game.stage, desk.seat
    return desk.unit.submissions.add(
        Submission(
            stage_id=number_of(stage),
            seat_id=number_of(seat),
            letter_id=desk.letter.id,
            version=len(desk.unit.submissions.of(stage, seat)) + 1,
            status=status,
            receipt=desk.unit.submissions.free_receipt(new_receipt),
            orders=[_document(desk.game.rules, each) for each in standing],
            acts=[_document(desk.game.rules, each) for each in acts],
            final=final,
            created_at=desk.host.clock(),
        )
    )


def _document(rules: Ruleset, written: Written) -> dict[str, Any]:
    return {"order": rules.codec.encode(written.order), "line": written.line.number, "text": written.line.text}
