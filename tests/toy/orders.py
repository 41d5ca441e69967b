"""The orders of Gate: read, checked, and as a form."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pbem.core.grammar import Grammar, Misread, Verb, bare, mended, offered, read_each
from pbem.core.orders import Check, Fault, Line, Sheet, Verdict, Written, nearest
from tests.toy.state import View


@dataclass(frozen=True)
class Lay:
    """Lay a card (1.1), boldly if so (1.2)."""

    immediate: ClassVar[bool] = False

    card: int
    boldly: bool = False

    @property
    def key(self) -> str:
        """One card a stage."""
        return "lay"

    def __str__(self) -> str:
        return f"lay {self.card}{' boldly' if self.boldly else ''}"


@dataclass(frozen=True)
class Taunt:
    """Say something to the other guard (2.1)."""

    immediate: ClassVar[bool] = True

    words: str

    @property
    def key(self) -> str:
        """As many as one likes: each taunt stands for itself."""
        return f"taunt {self.words}"

    def __str__(self) -> str:
        return f"taunt {self.words}"


def _card(view: View, text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise Misread(f"{text!r} is no card.", (text, str(min(_hand(view), default=1))))
    return int(text)


GRAMMAR: Grammar[View] = Grammar(
    [
        Verb("lay|play {card} boldly", lambda view, card: Lay(card, boldly=True)),
        Verb("lay|play {card}", lambda view, card: Lay(card)),
        Verb("taunt {words}", lambda view, words: Taunt(words)),
    ],
    {"card": _card, "words": lambda view, text: text},
    example="lay 7",
)


def read(view: View, lines: Sequence[Line]) -> Sheet:
    """Lines of a card to orders; lines without a word of the game are no orders."""

    def orders(text: str) -> Sequence[Lay | Taunt] | None:
        text = bare(text)
        if not text:
            return ()
        if not GRAMMAR.knows(text) and not nearest(text.split()[0], GRAMMAR.words):
            return None
        return (GRAMMAR.read(view, text),)

    def refuse(line: Line, misread: Misread) -> Fault:
        meant = [order for order in mended(line.text, misread, orders) if not _reason(view, order)]
        return Fault(line, "", misread.reason, paste=str(meant[0]) if meant else "")

    return read_each(lines, orders, refuse)


def check(view: View, written: Sequence[Written]) -> Check:
    """What the orders will do."""
    verdicts, faults = [], []
    for each in written:
        reason = _reason(view, each.order)
        if reason:
            faults.append(Fault(each.line, "", reason, paste=next(iter(form(view)), "").partition("  #")[0]))
        else:
            verdicts.append(Verdict(each, "you", str(each.order).upper(), tuple(_notes(each.order))))
    laid = any(isinstance(verdict.written.order, Lay) for verdict in verdicts)
    defaults = (("you", f"LAY {min(_hand(view))}"),) if _awaited(view) and not laid else ()
    return Check(tuple(verdicts), tuple(faults), defaults)


def _reason(view: View, order: Lay | Taunt) -> str:
    if view.position.over:
        return "The game is over (3.1)."
    if isinstance(order, Taunt):
        return ""
    if not _awaited(view):
        return f"It is {view.position.names[view.position.mover]}'s turn to lay (1.1)."
    if order.card not in _hand(view):
        return f"You do not hold the {order.card} (1.1).{offered([str(card) for card in _hand(view)])}"
    return ""


def _notes(order: Lay | Taunt) -> list[str]:
    if isinstance(order, Lay) and order.boldly:
        return ["5 in 6 that the die adds 2 to 6; 1 in 6 that the card is worth nothing (1.2)"]
    return []


def form(view: View) -> Sequence[str]:
    """The line to send back: the lowest card."""
    if not _awaited(view):
        return ()
    hand = _hand(view)
    return (f"lay {min(hand)}  # you hold {' '.join(map(str, hand))}",)


def _awaited(view: View) -> bool:
    return not view.position.over and view.seat == view.position.mover


def _hand(view: View) -> tuple[int, ...]:
    return view.position.hands.get(view.seat or "", ())
