"""Cards of the set-up: where the headquarters should stand, the army, the names of its banners (NIP 2).

Lines of a roster are one order together; what else stands in the card is read line by line.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pbem.core.errors import BadInput, Flaw
from pbem.core.grammar import Misread, bare
from pbem.core.orders import Check, Fault, Line, Sheet, Verdict, Written, plain
from pbem.core.wording import counted
from pbem.rulesets.nippon import armies
from pbem.rulesets.nippon.armies.rosters import Entry, Judged, Roster, judging, table, text, writing
from pbem.rulesets.nippon.beginning import candidates, mustered, ready_army
from pbem.rulesets.nippon.cards.names import section
from pbem.rulesets.nippon.handling import described
from pbem.rulesets.nippon.orders import Beginning, Enlist, NameBanners, Prefer
from pbem.rulesets.nippon.state import Unit
from pbem.rulesets.nippon.view import View

HOME = re.compile(r"(?:my\s+)?(?:headquarters?|hq|home)\b\s*[:=]?\s*(?:(?:in|at)\b)?\s*(?P<told>.*)", re.IGNORECASE)
NAMES = re.compile(r"(?:(?:banner\s+)?names|banners)\b\s*[:=]?\s*(?P<told>.*)", re.IGNORECASE)
READY = re.compile(
    r"(?:(?:roster|army)\b\s*:?\s*)?(?:the\s+)?ready[ -]?made(?:\s+army)?(?:[, ]+(?:please|pls))?", re.IGNORECASE
)
IN_A_LINE = re.compile(r"roster\s*:\s*(?P<told>.+)", re.IGNORECASE)
"""A roster whose lines stand one behind the other, with semicolons."""
BETWEEN = re.compile(r"\s*(?:[,;/>]|\b(?:then|and|or|else)\b)\s*", re.IGNORECASE)
NUMBERS = re.compile(r"\d+(?:\s+\d+)+")


# --- reading ------------------------------------------------------------------------------------------------------


def read(view: View, lines: Sequence[Line]) -> Sheet:
    """The card that the seat of ``view`` wrote while the campaign is set up."""
    orders: list[Written] = []
    faults: list[Fault] = []
    rest: list[Line] = []
    for line in lines:
        try:
            found = _order(view, bare(line.text))
        except Misread as misread:
            faults.append(Fault(line, "", misread.reason))
            continue
        if found:
            orders.append(Written(found, line))
        else:
            rest += _pieces(line)
    roster = _roster(view, rest)
    return Sheet((*orders, *roster.orders), (*faults, *roster.faults), roster.ignored)


def _order(view: View, told: str) -> Beginning | None:
    """The order of a line that is no part of a roster."""
    if READY.fullmatch(told):
        return Enlist()
    if found := HOME.fullmatch(told):
        return Prefer(_sections(view, found["told"]))
    if found := NAMES.fullmatch(told):
        return NameBanners(tuple(name.strip(' "') for name in re.split(r"[,;]", found["told"]) if name.strip(' "')))
    return None


def _sections(view: View, told: str) -> tuple[int, ...]:
    parts = [part for part in BETWEEN.split(told) if part]
    words = [word for part in parts for word in (part.split() if NUMBERS.fullmatch(part) else (part,))]
    if not words:
        raise Misread(f"Where? There are: {_listed(view, candidates(view.position))}.")
    try:
        return tuple(dict.fromkeys(section(view, word) for word in words))
    except Misread as misread:
        raise Misread(f"{misread.reason} There are: {_listed(view, candidates(view.position))}.") from misread


def _pieces(line: Line) -> Iterator[Line]:
    found = IN_A_LINE.fullmatch(bare(line.text))
    if not found:
        yield line
        return
    for piece in found["told"].split(";"):
        yield replace(line, text=piece)


def _roster(view: View, lines: Sequence[Line]) -> Sheet:
    """The lines of a roster as one order, or everything that is wrong with it."""
    army = armies.army(view.position.realms[view.seat or ""].army)
    begin = next((at for at, line in enumerate(lines) if table.is_header(line.text)), None)
    if begin is None:
        roster, flaws, ignored = text.collect(lines, army)
    else:
        (roster, flaws), ignored = _from_table(lines[begin:], army), tuple(lines[:begin])
    if not roster.entries and not flaws:
        return Sheet(ignored=ignored)
    first = next(line for line in lines if line not in ignored)
    order = Enlist(tuple(entry for _, entries in roster.banners() for entry in entries), roster.foreign)
    flaws += tuple(judging.people_flaws(roster, army))
    if not flaws:
        return Sheet((Written(order, first),), ignored=ignored)
    judged = mustered(view.position, view.seat or "", order) if order.entries else Judged((), ())
    flaws += tuple(flaw for flaw in judged.flaws if flaw not in judged.lacks)
    places = _places(first, order.entries) | {f"line {line.number}": line for line in lines}
    places |= {f"row {row}": line for row, line in enumerate(lines[begin or 0 :], 1)}
    return Sheet((), tuple(_fault(flaw, places.get(_place(flaw), first)) for flaw in flaws), ignored)


def _places(first: Line, entries: Sequence[Entry]) -> dict[str, Line]:
    """The lines of a roster, by what flaws say of where they stand: its place in the roster, its unit, its banner."""
    places: dict[str, Line] = {}
    for entry in reversed(entries):
        line = replace(first, text=entry.said or str(entry))
        head = (
            line if entry.where.startswith("row") or not entry.banner else replace(line, text=f"banner {entry.banner}")
        )
        places |= {entry.where: line, plain(entry.name): line, plain(f"unit {entry.name}"): line}
        places[plain(f"banner {entry.banner}")] = head
    return places


def _place(flaw: Flaw) -> str:
    return plain(flaw.where.partition(",")[0])


def _from_table(lines: Sequence[Line], army: armies.ArmyList) -> tuple[Roster, tuple[Flaw, ...]]:
    try:
        return table.read("\n".join(line.text for line in lines), army, "the table"), ()
    except BadInput as bad:
        return Roster(()), tuple(bad.flaws)


def _fault(flaw: Flaw, line: Line) -> Fault:
    """A flaw as the player gets it; the line it is about says where it stands."""
    number, comma, unit = flaw.where.partition(", ")
    where = unit if comma else "" if number.startswith(("line ", "row ")) else number
    reason = flaw.reason if flaw.reason.endswith("?") else f"{flaw.reason.rstrip('.')}."
    return Fault(line, "Army", f"{where}: {reason}" if where else reason, otherwise=OTHERWISE)


OTHERWISE = "the ready-made army"


# --- checking -----------------------------------------------------------------------------------------------------


def check(view: View, written: Sequence[Written]) -> Check:
    """What the orders of the seat of ``view`` will bring about when the set-up ends."""
    verdicts: list[Verdict] = []
    faults: list[Fault] = []
    for each in written:
        found = _judged(view, each)
        if isinstance(found, Verdict):
            verdicts.append(found)
        else:
            faults += found
    return Check(tuple(verdicts), tuple(faults), tuple(_defaults(view, written)))


def _judged(view: View, written: Written) -> Verdict | list[Fault]:
    order = written.order
    if isinstance(order, Prefer):
        return _home(view, written, order)
    if isinstance(order, NameBanners):
        return _named(view, written, order)
    if isinstance(order, Enlist):
        return _enlisted(view, written, order)
    return [Fault(written.line, "", "Orders come with the first turn; now the campaign is set up.")]


def _home(view: View, written: Written, order: Prefer) -> Verdict | list[Fault]:
    position = view.position
    fixed, free = position.realms[view.seat or ""].headquarters, candidates(position)
    if fixed:
        return [Fault(written.line, "Headquarters", f"The organizer has put it in {view.place(fixed)}.")]
    if wrong := [number for number in order.sections if number not in free]:
        reason = f"No headquarters can be put in {_listed(view, wrong)}. There are: {_listed(view, free)}."
        return [Fault(written.line, "Headquarters", reason)]
    notes = ("2D6 decide who picks first", "if none of these is left: the free one with the lowest number")
    return Verdict(written, "Headquarters", ", else ".join(map(view.place, order.sections)), notes)


def _named(view: View, written: Written, order: NameBanners) -> Verdict | list[Fault]:
    needed = len(ready_army(view.position, view.seat or ""))
    flaws = [each.reason for each in judging.name_flaws([(name, ()) for name in order.names])]
    if len(order.names) != needed:
        flaws.append(f"the ready-made army has {needed} banners, here are {len(order.names)} names")
    if flaws:
        return [Fault(written.line, "Names", f"{reason[:1].upper()}{reason[1:]}.") for reason in flaws]
    note = "for the ready-made army; a roster has names of its own"
    return Verdict(written, "Names", ", ".join(order.names), (note,))


def _enlisted(view: View, written: Written, order: Enlist) -> Verdict | list[Fault]:
    if not order.entries:
        return Verdict(written, "Army", "READY-MADE", tuple(_table(ready_army(view.position, view.seat or ""))))
    judged = mustered(view.position, view.seat or "", order)
    if judged.flaws:
        places = _places(written.line, order.entries)
        return [_fault(flaw, places.get(_place(flaw), written.line)) for flaw in judged.flaws]
    return Verdict(
        written, "Army", _sum(view, judged), (*_unused(view, judged), *_table(judged.banners), *judged.remarks)
    )


def _sum(view: View, judged: Judged) -> str:
    most = view.position.options.army_points
    return f"{judged.points:,} of {most:,} points, {counted(len(judged.banners), 'banner')}"


def _unused(view: View, judged: Judged) -> Iterator[str]:
    """That points are left of which more could be mustered."""
    left = view.position.options.army_points - judged.points
    army = armies.army(view.position.realms[view.seat or ""].army)
    if left >= min(kind.points for kind in army.types.values()):
        yield f"{left:,} points are unused, and nobody can muster them later"


def _table(banners: Sequence[tuple[str, tuple[Unit, ...]]]) -> Iterator[str]:
    """An army, a banner or a unit on a line, with its points."""
    for name, units in banners:
        yield f"{name}: {sum(unit.worth for unit in units):,} points"
        yield from (f"  {described(unit)}: {unit.worth:,}" for unit in units)


def _defaults(view: View, written: Sequence[Written]) -> Iterator[tuple[str, str]]:
    given = {type(each.order) for each in written}
    realm = view.position.realms[view.seat or ""]
    if Prefer not in given and not realm.headquarters:
        yield "Headquarters", "the candidate with the lowest number that is left"
    if Enlist not in given:
        names = ", ".join(name for name, _ in ready_army(view.position, realm.seat))
        yield "Army", "the ready-made one" if NameBanners in given else f"the ready-made one: {names}"


def _listed(view: View, numbers: Sequence[int]) -> str:
    return ", ".join(map(view.place, numbers))


# --- forms --------------------------------------------------------------------------------------------------------

Row = tuple[str, str]
"""A line and the comment on it."""


def form(view: View) -> Iterator[Row]:
    """The card of the set-up: what happens anyway, and the ready-made army to make another one of."""
    position, seat = view.position, view.seat or ""
    if not position.realms[seat].headquarters:
        yield str(Prefer(tuple(candidates(position)))), "put them in the order you like"
    ready = ready_army(position, seat)
    yield str(NameBanners(tuple(name for name, _ in ready))), "of the ready-made army"
    yield str(Enlist()), "or take the # away below, and change what you like"
    army = armies.army(position.realms[seat].army)
    yield from (("", line) for line in writing.lines(writing.roster_of(ready, army)))


def primer(view: View) -> Iterator[Row]:
    """How each line is written."""
    yield from list(form(view))[:3]
    army = armies.army(view.position.realms[view.seat or ""].army)
    for line in list(writing.lines(writing.roster_of(ready_army(view.position, view.seat or ""), army)))[:3]:
        yield line, "begins a banner" if line.startswith("banner") else "a unit, its name, its options"
    yield from (("", told) for told in _about(view, army))


def _about(view: View, army: armies.ArmyList) -> Iterator[str]:
    """What to know before mustering an army."""
    people = view.position.realms[view.seat or ""].army
    borrowed = "" if people == army.name else f", for {people} have no list of their own"
    yield f"you muster {army.title.lower()}{borrowed}; RULES {army.title.lower()} shows their units"
    yield f"up to {view.position.options.army_points:,} points, and a lord or hero in each banner"
    yield "a table (.csv) or a roster file (.ros, .rosz) can come along instead"
    yield "a lord called general is a unit; who leads the army is found by rank, and later by: general NAME"
