"""Rosters of BattleScribe and New Recruit (``.ros``): a tree of selections, each with its costs.

A force is a banner, and what is selected in it a unit; what is selected below that are its models and options. Costs
are of several kinds, of which one is points; each selection tells its own, without those below it.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

from pbem.core.errors import BadInput, Flaw
from pbem.core.orders import plain
from pbem.rulesets.nippon.armies.lists import ArmyList
from pbem.rulesets.nippon.armies.rosters.roster import (
    MOST_MODELS,
    MOST_UNITS,
    Entry,
    Roster,
    same,
)
from pbem.rulesets.nippon.armies.rosters.safe_xml import Element, parse
from pbem.rulesets.nippon.naming import LONGEST_NAME, fit_name

FOREIGN_SIGNS = frozenset(" -'&.!+/:")
"""Beside letters and digits, what stays of the words of another game: no sign that means something in a roster."""
UNKNOWN = "unit"
"""What a unit of another game is, if its list does not say."""
LONGEST_WORDS = 60

POINTS = ("pts", "points", "pt", "point")
"""What the kind of cost is called that is points."""
MOST_POINTS = 100_000
LONGEST_NUMBER = 20


def read(name: str, content: bytes, army: ArmyList) -> Roster:
    """The roster in a file. Raises ``BadInput`` with every reason why there is none."""
    return roster_in(name, parse(name, content), army)


def is_of(root: Element, army: ArmyList) -> bool:
    """Whether a roster is made from a list of this program."""
    catalogues = [force.get("catalogueName") for force in root.under("forces", "force")]
    return bool(catalogues) and all(any(same(each, title) for title in (army.name, army.title)) for each in catalogues)


def roster_in(name: str, root: Element, army: ArmyList) -> Roster:
    """The roster in a file of which this is the outermost element. Raises ``BadInput``, too."""
    if root.name != "roster":
        raise BadInput([Flaw(name, f"this is no roster but a {root.name!r}; export the roster, not the game's data")])
    foreign = _foreign(root, army)
    reader = _Reader(army, _points_kind(name, root), bool(foreign))
    entries = tuple(entry for force in root.under("forces", "force") for entry in reader.units(force))
    flaws = [*reader.flaws, *_amount_flaws(name, entries)]
    if flaws:
        raise BadInput(flaws)
    return Roster(entries, foreign, remarks=tuple(reader.remarks))


def _amount_flaws(name: str, entries: tuple[Entry, ...]) -> Iterator[Flaw]:
    if not entries:
        yield Flaw(name, "no unit is selected in it")
    if len(entries) > MOST_UNITS:
        yield Flaw(name, f"an army has {MOST_UNITS} units at most, here are {len(entries)}")


def _foreign(root: Element, army: ArmyList) -> str:
    """The game that a roster is made for, if it is no list of this program."""
    if is_of(root, army):
        return ""
    game = _plain_words(root.get("gameSystemName")) or "another game"
    catalogues = [force.get("catalogueName") for force in root.under("forces", "force")]
    return " ".join([game, *(f"({words})" for each in catalogues[:1] if (words := _plain_words(each)))])


def _points_kind(name: str, root: Element) -> str:
    """What the roster's costs in points are called. Raises ``BadInput`` if it has none."""
    kinds = [cost.get("name") for cost in root.under("costs", "cost")]
    found = next((kind for kind in kinds if plain(kind) in POINTS), None)
    if found is None:
        known = ", ".join(kinds) or "none"
        raise BadInput([Flaw(name, f"it has no cost called pts or points; the kinds of cost in it: {known}")])
    return found


class _Reader:
    """Reads the units of forces, whose costs of one kind count."""

    def __init__(self, army: ArmyList, kind: str, foreign: bool) -> None:
        self.flaws: list[Flaw] = []
        self.remarks: list[str] = []
        self._army = army
        self._types = army.spellings
        self._kind = kind
        self._foreign = foreign
        self._forces = 0

    def units(self, force: Element) -> Iterator[Entry]:
        """The units of a force."""
        self._forces += 1
        banner = self._banner(force)
        for place, selection in enumerate(force.under("selections", "selection"), 1):
            where = f"force {self._forces}, selection {place}"
            points = self._points(selection, where)
            if selection.get("type") == "upgrade" and not points:
                continue  # A setting of the roster, such as its size or its detachment.
            entry = self._entry(banner, selection, where, points)
            if entry:
                yield entry

    def _banner(self, force: Element) -> str:
        name = force.get("customName") or force.get("name")
        if fit_name(name):
            return name
        title = self._army.banner_names[0][min(self._forces, len(self._army.banner_names[0])) - 1]
        self.remarks.append(f"force {self._forces} becomes the banner {title}")
        return title

    def _entry(self, banner: str, selection: Element, where: str, points: Fraction) -> Entry | None:
        told = selection.get("name")
        kind = told if self._foreign else self._types.find(told)
        models = self._models(selection, where)
        if kind is None or not told:
            self.flaws.append(Flaw(where, f"{self._army.title} have no {told!r}"))
            return None
        if points.denominator > 1:
            self.remarks.append(
                f"{told[:LONGEST_WORDS]}: {float(points):g} {self._kind} are counted as {ceil(points):,}"
            )
        custom = selection.get("customName")
        return Entry(
            banner=banner,
            type=(_plain_words(kind) or UNKNOWN) if self._foreign else kind,
            models=models,
            name=custom if custom and fit_name(custom) else _short(kind) if self._foreign else "",
            options=tuple(self._options(selection)),
            points=ceil(points) if self._foreign else 0,
            category=(_plain_words(_category(selection)) or UNKNOWN) if self._foreign else "",
            where=where,
        )

    def _options(self, selection: Element) -> Iterator[str]:
        for each in _below(selection):
            told = each.get("name")[:LONGEST_WORDS]
            words = _plain_words(told) if self._foreign else told
            if words and each.get("type") != "model":
                yield words

    def _models(self, selection: Element, where: str) -> int:
        """How many models a unit has: those selected below it, or itself."""
        below = [each for each in _below(selection) if each.get("type") == "model"]
        counted = [self._number(each.get("number") or "1", where) for each in below or [selection]]
        models = int(sum(counted))
        if not 1 <= models <= MOST_MODELS:
            self.flaws.append(Flaw(where, f"{models} models; a unit has 1 to {MOST_MODELS}"))
            return 1
        return models

    def _points(self, selection: Element, where: str) -> Fraction:
        """What a selection costs with all below it."""
        costs = [cost for each in (selection, *_below(selection)) for cost in each.under("costs", "cost")]
        points = sum((self._number(each.get("value"), where) for each in costs if each.get("name") == self._kind), ZERO)
        if not 0 <= points <= MOST_POINTS:
            self.flaws.append(Flaw(where, f"{float(points):g} points; a unit has 0 to {MOST_POINTS:,}"))
            return ZERO
        return points

    def _number(self, text: str, where: str) -> Fraction:
        """A number as such files write it: ``1970.0``."""
        digits = text.removeprefix("-").replace(".", "", 1)
        if len(text) > LONGEST_NUMBER or not (digits.isascii() and digits.isdecimal()):
            self.flaws.append(Flaw(where, f"{text[:LONGEST_NUMBER]!r} should be a number"))
            return ZERO
        return Fraction(text)


ZERO = Fraction(0)


def _below(selection: Element) -> Iterator[Element]:
    """All that is selected within a selection."""
    for each in selection.under("selections", "selection"):
        yield each
        yield from _below(each)


def _category(selection: Element) -> str:
    """What its list takes a unit for; the first one, if no category is marked as such."""
    categories = [*selection.under("categories", "category")]
    primary = [each for each in categories if each.get("primary") == "true"] or categories
    return primary[0].get("name") if primary else ""


def _plain_words(text: str) -> str:
    """Words of another game as they may stand in a line of a roster."""
    signs = (sign if sign.isalnum() or sign in FOREIGN_SIGNS else " " for sign in text)
    return " ".join("".join(signs).split())[:LONGEST_WORDS].strip(" -'&.!+/:")


def _short(name: str) -> str:
    """A unit's name of another game in the letters that names may have."""
    words = "".join(sign if sign.isalpha() else " " for sign in name).split()
    return " ".join(words)[:LONGEST_NAME].strip()
