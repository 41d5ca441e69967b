"""Odd players: they order whatever can be said, of what is theirs and of what is not, and not always cleanly.

Most lines of their cards could be legal; some belong to another stage or to another realm's things; some come twice,
contradict each other, or were garbled on the way. All of it hangs on the view and the dice alone, like a robot's card.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Any

from pbem.core.dice import Dice
from pbem.core.orders import Line
from pbem.rulesets.nippon import armies
from pbem.rulesets.nippon.cards.checking import check
from pbem.rulesets.nippon.cards.reading import read
from pbem.rulesets.nippon.items import ITEMS
from pbem.rulesets.nippon.orders import THE_RESERVE
from pbem.rulesets.nippon.robot import robot
from pbem.rulesets.nippon.state import Banner, Unit
from pbem.rulesets.nippon.tables import BUILDINGS, HULLS, UPGRADES
from pbem.rulesets.nippon.view import View

LINES = {
    "set-up": """
headquarters {number}, {number}, {number}
names {new}, {new}, {new}
roster: ready-made
roster: banner {new}; 20 {type}; {type}; {type} name {new}
banner {new}
20 {type} (musician, standard)
""",
    "orders": """
{own}: hold{how}
{own}: move {near}{how}
{own}: move {near} {next}{how}
{own}: move {number}{how}
{own}: raze and hold
{own}: raze and move {near}{how}
{own}: fortify
{own}: recover
{own}: scatter
{own}: march {near} {next}{how}
{own}: march {near} {next} raze {near}{how}
{own}: underground to {number}{how}
{own}: portal to {held}
{own}: portal to {held} if a hostile is ordered into its section
{own}: sail {near} {next}{how}
{own}: sail land {near}{how}
{own}: sail aboard {ship} {number}, land {number}
{ship}: sail {number}
{ship}: sail {number} {number}
form {new} from {unit}, {unit}
form {new} from {units}
transfer {unit} to {fellow}
transfer {units} to {reserve}
join {own} to {fellow}
rename {own} to {new}
general {hero}
give {pp} to {realm}
recruit {few} {type} at {at} name {new}
recruit 20 {type} at {held} (musician, standard)
reinforce {unit} with {few} at {at}
build {building} at {held}
build 2 {type} at {at}
upgrade {held} to {grown}
ship {hull} at {port} name {new}
buy {stock} at {at} for {hero}
buy {item} at {at} for {hero} bid {pp}
sell {carried} of {hero} at {at}
sell {carried} of {hero} at {at}
transfer {carried} from {hero} to {unit}
use {carried} by {hero}
scry {foreign}
break with {realm}
{own}: retreat to {near}
loss order: {unit}, {unit}
give up: {item}, {carried}
take: {item}
carriers: {hero}
raise dead: {type}
captured creatures: {wish}
propose interception no
propose "{new}"
vote yes on R{vote}
vote no
""",
    "meetings": """
offer {met}: truce {few}
offer {met}: alliance
offer {met}: passage, give {pp} to {seat}
offer {met}: cede {held}, claim {number}, ask {pp} from {seat}
offer {met} to {seat}: give {pp} to {seat}, "{new}"
accept P{terms}
decline P{terms}
automatic {met}
table {met}
result {met}: draw
result {met}: {realm} victory; {seat} {unit} {few}, 1 fled, lost standard
result {met}: {realm} massacre
confirm {met}
dispute {met} "{new}"
use {carried} by {hero}
scry {foreign}
break with {realm}
""",
    "disputes": """
offer {met}: truce {few}
accept P{terms}
automatic {met}
dice-off {met}
table {met}
result {met}: draw
result {met}: {realm} victory; {seat} {unit} {few}, 1 fled, lost standard
confirm {met}
dispute {met} "{new}"
use {carried} by {hero}
break with {realm}
""",
    "over": """
{own}: move {near}
""",
}
"""Everything that can be said in each stage; twice, what seldom fits: else it takes many games until it is done."""

HOW = (" by land", " no claim", " no assault", " retreat to 3", " raze 4", ", please", " # why not", " and hold")
"""What can stand behind an order, fitting or not."""

NEW = ("Iron Wall", "Red Host", "Sea Wolves", "Crane", "the reserve", "hold", "Zoë", "A", "12", "Name " * 9)
"""What things are called; not all of it can be."""


class Pieces(dict[str, str]):
    """What fills the gaps of a line about one banner: mostly its own things, where it has any."""

    def __init__(self, view: View, chance: Random) -> None:
        super().__init__()
        self.view, self.seat, self.position, self._chance = view, view.seat or "", view.position, chance
        own, all_there = [*self.position.all_of(self.seat)], [*self.position.banners.values()]
        self.banner: Banner | None = self._one(own * STEADY + all_there)
        self.here = self.banner.at if self.banner else 1

    def __missing__(self, gap: str) -> str:
        found = self._one(tuple(GAPS[gap](self)))
        found = self._one((*self.position.sections, *NEW)) if found is None else found
        if gap in ("near", "next"):
            self.here = found
        return str(found)

    def _one(self, of: Sequence[Any]) -> Any:
        return self._chance.choice(of) if of else None

    @property
    def units(self) -> Sequence[Unit]:
        """Units of the banner, and of the reserve where it stands."""
        return (*(self.banner.units if self.banner else ()), *self.position.sections[self.here].reserve)

    @property
    def heroes(self) -> Iterator[Unit]:
        """Who could carry something."""
        return (unit for unit in self.units if unit.character)

    def some(self, of: Sequence[str], most: int) -> tuple[str, ...]:
        """Some of these, as they come."""
        return tuple(self._chance.sample(of, min(len(of), self._chance.randint(1, most))))


STEADY = 3
"""So much likelier a line is about one's own banner than about any."""

GAPS: dict[str, Callable[[Pieces], Iterable[object]]] = {
    "own": lambda of: [of.banner.name] if of.banner else [],
    "fellow": lambda of: [each.name for each in of.position.banners_at(of.here)],
    "foreign": lambda of: [of.view.banner(key) for key in of.position.banners],
    "unit": lambda of: [unit.name for unit in of.units],
    "units": lambda of: [", ".join(of.some([unit.name for unit in of.units], 4))],
    "hero": lambda of: [unit.name for unit in of.heroes],
    "carried": lambda of: [item for unit in of.heroes for item in unit.items],
    "type": lambda of: armies.army(of.position.realms[of.seat].army).types,
    "at": lambda of: [of.banner.at] if of.banner else [],
    "near": lambda of: of.position.place(of.banner.at).neighbours if of.banner else [],
    "next": lambda of: of.position.place(of.here).neighbours,
    "number": lambda of: of.position.sections,
    "held": lambda of: of.position.held_by(of.seat),
    "port": lambda of: [number for number in of.position.held_by(of.seat) if of.position.port(number)],
    "ship": lambda of: [ship.name for ship in of.position.ships.values()],
    "met": lambda of: of.position.meetings,
    "terms": lambda of: [*of.position.terms, 1],
    "wish": lambda of: ["join", "kill", "as usual"],
    "vote": lambda of: range(1, 4),
    "realm": lambda of: [realm.name for realm in of.position.realms.values()],
    "seat": lambda of: of.position.realms,
    "stock": lambda of: [name for name, _ in of.position.sections[of.here].stock],
    "item": lambda of: ITEMS,
    "building": lambda of: BUILDINGS,
    "grown": lambda of: (*UPGRADES, "port"),
    "hull": lambda of: HULLS,
    "reserve": lambda of: [THE_RESERVE],
    "new": lambda of: NEW,
    "few": lambda of: range(12),
    "pp": lambda of: [1, 50, 200, 10**6],
    "how": lambda of: ["", "", "".join(of.some(HOW, 3))],
}
"""What can stand in each gap."""


# --- lines that went wrong ----------------------------------------------------------------------------------------


def _shaken(line: str, chance: Random) -> str:
    """Two signs change places."""
    at = chance.randrange(len(line))
    return line[:at] + line[at : at + 2][::-1] + line[at + 2 :]


def _cut(line: str, chance: Random) -> str:
    """A part is missing."""
    start = chance.randrange(len(line))
    return line[:start] + line[start + chance.randint(1, 5) :]


def _mixed(line: str, chance: Random) -> str:
    """The words stand anyhow."""
    words = line.split()
    chance.shuffle(words)
    return " ".join(words)


WRONG: tuple[Callable[[str, Random], str], ...] = (
    _shaken,
    _cut,
    _mixed,
    lambda line, chance: line.upper(),
    lambda line, chance: f'"{line}"',
    lambda line, chance: f"> {line}",
    lambda line, chance: f"{line}; {line}",
    lambda line, chance: f"pls {line.replace(':', ' will')} !",
    lambda line, chance: line.replace(" ", "\N{NO-BREAK SPACE}").replace(":", "\N{FULLWIDTH COLON}"),
    lambda line, chance: f"{line} " * chance.randint(2, 99),
    lambda line, chance: "".join(chr(chance.randrange(1, 0xD7FF)) for _ in line).replace("\n", ""),
)
"""What becomes of a line on the way."""

MOST_LINES = 24
"""Of a card, before some come twice."""

TRIES = 30
"""Lines among which an odd player looks for one that can be carried out, when he wants to get something done."""


SORTS = 4
"""Such lines of a card that are not about one of his banners."""


def odd(view: View, dice: Dice) -> str:
    """A card for the seat of ``view``: what a robot would say, among other things."""
    chance = Random(dice.roll("odd player", 1_000_000).value)
    lines = robot(view, dice).splitlines() if chance.random() < 0.3 else []
    lines += [odd_line(view, chance) for _ in range(chance.randrange(MOST_LINES))]
    lines += chance.sample(lines, len(lines) // 4)
    chance.shuffle(lines)
    lines += [line for line in _in_earnest(view, chance) if chance.random() < 0.8]
    return "\n".join(lines)


def odd_line(view: View, chance: Random) -> str:
    """One line, of this stage most of the time, and clean most of the time."""
    stage = view.position.stage if chance.random() < 0.9 else chance.choice([*LINES])
    line = _line(view, stage, chance)
    return chance.choice(WRONG)(line, chance) if chance.random() < 0.15 else line


def _line(view: View, stage: str, chance: Random) -> str:
    return chance.choice(LINES[stage].split("\n")[1:-1]).format_map(Pieces(view, chance))


def _in_earnest(view: View, chance: Random) -> Iterator[str]:
    """Lines that can be carried out, whatever they are: one about each of his banners and ships, and some others."""
    stage, seat = view.position.stage, view.seat or ""
    lines = [_line(view, stage, chance) for _ in range(TRIES)]
    own = (*view.position.banners_of(seat), *view.position.ships_of(seat)) if stage == "orders" else ()
    wanted = [[line for line in lines if line.startswith(f"{each.name}: ")] for each in own]
    others = [line for line in lines if ": " not in line or not own]
    for about in (*wanted, *(others[start::SORTS] for start in range(SORTS))):
        yield from next(([line] for line in about if _legal(view, line)), [])


def _legal(view: View, line: str) -> bool:
    orders = read(view, [Line(1, line)]).orders
    return bool(check(view, orders).verdicts)
