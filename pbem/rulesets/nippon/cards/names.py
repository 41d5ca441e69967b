"""Sections, banners and realms as players name them: ``14``, ``Ford``, ``14 (Ford)``, ``red dragons``, ``Blue``."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pbem.core.grammar import Misread, Names, offered, unknown
from pbem.core.orders import UNDRESSED, plain
from pbem.rulesets.nippon.state import Banner, key_of, known_as
from pbem.rulesets.nippon.view import View

KEPT = 64
"""Maps and realms whose names are kept at hand."""


UNRENAMED: Mapping[str, str] = {}
"""No names."""

# --- who is who -----------------------------------------------------------------------------------------------


def own_banners(view: View) -> tuple[Banner, ...]:
    """The banners of the reader, by name; also those that his lines dissolve or call otherwise."""
    there = view.position.all_of(view.seat) if view.seat else ()
    gone = view.origin.banners_of(view.seat) if view.seat and view.origin else ()
    return (*there, *(banner for banner in gone if not view.position.banner_called(banner.key)))


def own_banner(view: View, key: str) -> Banner:
    """One of :func:`own_banners`."""
    gone = view.origin.banners.get(key) if view.origin else None
    return next(filter(None, (view.position.banner_called(key), gone)))


def name_now(view: View, name: str) -> str:
    """What the reader's lines call a banner of his that went by this name."""
    now = view.renamed.get(name, name)
    known = (each for each in (name, now) if view.position.banner_called(key_of(view.seat, each)))
    return next(known, name)


def former_names(view: View) -> dict[str, str]:
    """Names that the reader's lines take from his banners, also those they had given them, with the keys of today."""
    between = {name: key_of(view.seat, name_now(view, name)) for name in view.renamed}
    return {name: key for name, key in between.items() if view.position.banner_called(key)}


def banner_names(
    banners: Sequence[Banner], view: View | None = None, former: Mapping[str, str] = UNRENAMED
) -> Names[str]:
    """Banners by name, with a view also as ``Blue's Red Fist``; what is found is the key. ``former``: names that they
    have lost."""
    named = [*former.items(), *((banner.name, banner.key) for banner in banners)]
    named += [(f"{view.realm(banner.realm)}'s {banner.name}", banner.key) for banner in banners] if view else []
    return _names(tuple(named))


def realm_names(view: View) -> Names[str]:
    """Realms by name or letter; what is found is the seat."""
    realms = view.position.realms.values()
    return _names((*((realm.name, realm.seat) for realm in realms), *((realm.seat, realm.seat) for realm in realms)))


@lru_cache(KEPT)
def _names(named: tuple[tuple[str, str], ...]) -> Names[str]:
    return Names(dict(named).items())


def realm(view: View, text: str, among: Iterable[str] | None = None) -> str:
    """The seat that ``text`` names; raises :class:`Misread`, which names those ``among`` whom one is asked for."""
    names = realm_names(view)
    seat = names.find(text) or _without_titles(names).find(known_as(text))
    if seat is None:
        others = (seat for seat in view.position.realms if seat != view.seat) if among is None else among
        known = ", ".join(map(view.realm, others)) or "none"
        raise unknown("realm", text, names.near(text), f"There are: {known}.")
    return seat


def _without_titles(realms: Names[str]) -> Names[str]:
    """Realms by what is left of their names without ``the`` or ``realm``."""
    return Names((known_as(name), seat) for name, seat in realms.all)


def around(view: View, at: int) -> str:
    """The sections next to one, those at sea behind the others: ``2 4 6, sea 69``."""
    near = view.position.place(at).neighbours
    at_sea = [number for number in near if view.position.place(number).ocean]
    land = " ".join(str(number) for number in near if number not in at_sea)
    return ", ".join(filter(None, (land, f"sea {' '.join(map(str, at_sea))}" if at_sea else "")))


# --- sections -------------------------------------------------------------------------------------------------

TOKEN = re.compile(r"\d+(?=\.(?:\s|$))|[^\s,;:()>/&+#]+|[()]")
"""A word or number, or a bracket."""

FILLERS = frozenset({
    "to", "then", "and", "from", "sea", "section", "sections", "map", "sec", "number", "no", "no.", "into", "in", "on",
    "at", ".", "(", ")",
})  # fmt: skip
"""Words that may stand between the sections of a route and say nothing."""

DETOUR = frozenset({"via", "through", "over"})
"""``to 14 via 13``: what follows comes first."""

FORBIDDING = re.compile(r"(?<!\w)(?:no|not|non|never|without|don['\u2019]?t)(?!\w)", re.IGNORECASE)
"""Words by which somebody says what is not to be done."""

SLIPS = str.maketrans("lio|sbz", "1101582")
"""Letters that are struck or scanned for digits."""


@dataclass(frozen=True)
class Gazetteer:
    """The sections of a map by name."""

    names: Names[int]
    longest: int
    by_number: tuple[str, ...]

    def named(self, words: Sequence[str]) -> tuple[int, int] | None:
        """The section whose name ``words`` begin with, and how many words that takes."""
        for count in range(min(self.longest, len(words)), 0, -1):
            number = self.names.find(" ".join(words[:count]))
            if number is not None:
                return number, count
        return None


@lru_cache(KEPT)
def _gazetteer(names: tuple[str, ...]) -> Gazetteer:
    longest = max((len(plain(name).split()) for name in names), default=0)
    return Gazetteer(Names((name, number) for number, name in enumerate(names, 1)), longest, names)


def gazetteer(view: View) -> Gazetteer:
    """The sections of the reader's map by name."""
    return _gazetteer(view.position.atlas.names)


def section(view: View, text: str) -> int:
    """The one section that ``text`` names; raises :class:`Misread`."""
    numbers = sections(view, text)
    if len(numbers) != 1:
        raise Misread(f"{text!r} names more than one section: {', '.join(map(view.place, numbers))}.")
    return numbers[0]


BATTLE = re.compile(r"(?<!\w)B\s?#?(?=\d)", re.IGNORECASE)
"""``B14``: a battle goes by the number of its section."""


def battle(view: View, text: str) -> int:
    """The section of the battle that ``text`` names: ``14``, ``B14``, ``Ford``; raises :class:`Misread`."""
    return section(view, BATTLE.sub("", text))


def sections(view: View, text: str) -> tuple[int, ...]:
    """The sections that ``text`` names, as written; at least one. Raises :class:`Misread`."""
    numbers = tuple(_numbers(gazetteer(view), _tokens(text)))
    if not numbers:
        raise Misread(f"{text!r} names no section.")
    return numbers


def route(view: View, text: str, start: int) -> tuple[int, ...]:
    """A way from ``start``, which is left out: ``13 14``, ``13 -> 14``, ``to 14 via 13``. Raises :class:`Misread`."""
    tokens, book = _tokens(text), gazetteer(view)
    turning = next((index for index, token in enumerate(tokens) if token.lower() in DETOUR), 0)
    goal, detour = tokens[:turning], tokens[turning:]
    if goal and "to" in map(str.lower, detour):
        raise Misread(f"I cannot tell the order of the sections in {text!r}. Write them as the banner enters them.")
    numbers = [*_numbers(book, detour), *_numbers(book, goal)]
    if len(numbers) > 1 and numbers[0] == start:
        del numbers[0]
    return tuple(numbers)


def _tokens(text: str) -> list[str]:
    """The words, numbers and brackets of a text as they were typed, without quotes and dashes."""
    return TOKEN.findall(text.translate(UNDRESSED))


def _numbers(book: Gazetteer, tokens: Sequence[str]) -> Iterator[int]:
    index = 0
    while index < len(tokens):
        token = tokens[index].lower()
        if token in DETOUR or (token in FILLERS and not book.named(tokens[index:])):
            index += 1
            continue
        number, used = _section(book, tokens, index)
        yield number
        index += used


def _section(book: Gazetteer, tokens: Sequence[str], index: int) -> tuple[int, int]:
    """The section named at ``index`` and the number of tokens that takes."""
    found = book.named(tokens[index:])
    if found:
        number, used = found
        return number, used + _echo(book, tokens[index + used :], number)
    if tokens[index].isdecimal():
        number = _number(book, tokens[index])
        return number, 1 + _echo(book, tokens[index + 1 :], number)
    raise _unknown(book, tokens, index)


def _number(book: Gazetteer, digits: str) -> int:
    number = int(digits) if len(digits) < 6 else 0
    if not 1 <= number <= len(book.by_number):
        raise Misread(f"There is no section {digits}: the map has 1 to {len(book.by_number)}.")
    return number


def _echo(book: Gazetteer, tokens: Sequence[str], number: int) -> int:
    """How many tokens say again which section it is: ``Ford`` after 14, ``(14)`` after Ford.

    A name in brackets that belongs to another section is a contradiction; without brackets it is the next section.
    """
    bracket = bool(tokens) and tokens[0] == "("
    words = tokens[1:] if bracket else tokens
    if words and words[0].isdecimal() and bracket:
        again: tuple[int, int] | None = (int(words[0]), 1)
    else:
        again = book.named(words)
    if again is None or (again[0] != number and not bracket):
        return 0
    if again[0] != number:
        said = " ".join(words[: again[1]])
        raise Misread(f"{number} is {book.by_number[number - 1]}, not {said}. Name one or the other.")
    return again[1] + (2 if bracket else 0)


def _unknown(book: Gazetteer, tokens: Sequence[str], index: int) -> Misread:
    token = tokens[index]
    digits = token.lower().translate(SLIPS)
    plausible = len(token) < 3 or any(sign.isdigit() for sign in token)
    if digits.isdecimal() and plausible and 0 < int(digits[:6]) <= len(book.by_number):
        return Misread(f"{token!r} is not a number.{offered((digits,))}", (token, digits))
    words = _run(book, tokens, index)
    near = book.names.near(words)
    shown = [f"{book.names.find(name)} {name}" for name in near]
    fix = (words, near[0]) if near else None if FORBIDDING.search(words) else (words, "")
    return Misread(f"No section is called {words!r}.{offered(shown)}", fix)


def _run(book: Gazetteer, tokens: Sequence[str], index: int) -> str:
    """The unknown words from ``index`` on, up to the next number, bracket or known name."""
    end = index + 1
    while end < len(tokens) and not (tokens[end].isdecimal() or tokens[end] in "()" or book.named(tokens[end:])):
        end += 1
    return " ".join(tokens[index:end])
