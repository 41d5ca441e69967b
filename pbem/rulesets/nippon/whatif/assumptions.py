"""What a player assumes that others do: ``Blue's Red Fist moves 12 14``, in the words in which they would order it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from pbem.core.grammar import Names, bare, offered
from pbem.core.orders import Fault, Line
from pbem.rulesets.nippon.cards import checking, reading
from pbem.rulesets.nippon.orders import BannerOrder
from pbem.rulesets.nippon.state import Banner, key_of
from pbem.rulesets.nippon.view import View
from pbem.rulesets.nippon.whatif.guesses import PACES, Pace, blank, filled_in


@dataclass(frozen=True)
class Assumption:
    """An order that another realm's banner is assumed to have."""

    order: BannerOrder
    does: str
    """In a few words."""
    pace: Pace
    """The slowest at which it can be carried out."""


@dataclass
class Assumptions:
    """What lines assume, by key of the banner; of two for one banner the later."""

    orders: dict[str, Assumption] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)


def assume(view: View, lines: Sequence[Line]) -> Assumptions:
    """What lines assume of other realms' banners, as far as they can be read and carried out."""
    names = Names(dict.fromkeys(_names(view)))
    found = Assumptions()
    for line in lines:
        begun = names.head(bare(line.text))
        if begun is None:
            found.faults.append(_unknown(view, line, names))
            continue
        banner = view.position.banners[begun[0]]
        assumed = _assumed(view, banner, Line(line.number, f"{banner.name}: {begun[1]}"))
        if isinstance(assumed, Fault):
            found.faults.append(_as_written(view, banner, line, assumed))
        else:
            found.orders[banner.key] = assumed
    return found


def _names(view: View) -> Iterator[tuple[str, str]]:
    """The banners of others by all their names. One that several realms have needs the realm's name before it."""
    banners = blank(view)
    times = Counter(banner.name for banner in banners)
    for banner in banners:
        for realm in (view.realm(banner.realm), banner.realm):
            yield f"{realm}'s {banner.name}", banner.key
            yield key_of(realm, banner.name), banner.key
        if times[banner.name] == 1:
            yield banner.name, banner.key


def _assumed(view: View, banner: Banner, line: Line) -> Assumption | Fault:
    """What a line orders its banner to do, read and judged as if its own realm had written it."""
    first: Fault | None = None
    for pace in PACES:
        theirs = View(banner.realm, filled_in(view, {banner.key: pace}))
        sheet = reading.read(theirs, [line])
        check = checking.check(theirs, sheet.orders)
        for verdict in check.verdicts:
            if isinstance(verdict.written.order, BannerOrder):
                return Assumption(verdict.written.order, verdict.does, pace)
        first = first or next(iter((*sheet.faults, *check.faults)), None)
    return first or Fault(line, banner.name, ONLY_ORDERS, f"{banner.name}: hold")


ONLY_ORDERS = "Only orders to banners can be assumed."


def _as_written(view: View, banner: Banner, line: Line, fault: Fault) -> Fault:
    """A fault for the player, who assumes, in place of one for the realm that would order."""
    paste = f"ASSUME {view.banner(banner.key)}{fault.paste.removeprefix(banner.name)}" if fault.paste else ""
    return replace(fault, line=_said(line), subject=view.banner(banner.key), paste=paste, otherwise="It holds.")


def _unknown(view: View, line: Line, names: Names[str]) -> Fault:
    own = Names((banner.name, banner.key) for banner in view.position.banners_of(view.seat or ""))
    if begun := own.head(bare(line.text)):
        banner = view.position.banners[begun[0]]
        return Fault(_said(line), banner.name, "It is your own: write its order without ASSUME.")
    near = [names.near(" ".join(line.text.split()[:words])) for words in (4, 3, 2, 1)]
    candidates = next((each for each in near if each), ())
    hidden = " Perhaps the fog hides it from you: only banners in sight can be assumed." if view.foggy else ""
    reason = f"No banner of another realm that you can see is called so.{offered(candidates) or hidden}"
    return Fault(_said(line), "", reason)


def _said(line: Line) -> Line:
    return Line(line.number, f"ASSUME {line.text}")
