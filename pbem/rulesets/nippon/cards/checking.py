"""The check of orders (NIP 4): which can be carried out, what they will bring, and what happens without them.

Everything here is told to the player in the acknowledgement, and made from his view alone.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from pbem.core.orders import Check, Fault, Verdict, Written, outdone
from pbem.rulesets.nippon.aftermath import dry_neighbours
from pbem.rulesets.nippon.assaults import on_foot
from pbem.rulesets.nippon.cards import bargains, mustering, outlook
from pbem.rulesets.nippon.cards.ballots import judged
from pbem.rulesets.nippon.cards.dates import judge_arranging
from pbem.rulesets.nippon.cards.handling import handled
from pbem.rulesets.nippon.cards.lanes import judge_plan
from pbem.rulesets.nippon.cards.names import around, name_now
from pbem.rulesets.nippon.cards.open_matters import open_matters
from pbem.rulesets.nippon.cards.plan import Plan
from pbem.rulesets.nippon.cards.prospect import Prospect
from pbem.rulesets.nippon.cards.wishes import judge_wish
from pbem.rulesets.nippon.legality import Refusal, habitable, refusal, spared_for_good
from pbem.rulesets.nippon.orders import (
    Alone,
    Arranging,
    Ballot,
    BannerOrder,
    Contact,
    ForcedMarch,
    Going,
    Handling,
    Hold,
    JudgeResult,
    Move,
    Preference,
    Quaff,
    Regrouping,
    ReportResult,
    Retreat,
    Sail,
    Scry,
    SetPlan,
    Spending,
    Steer,
    Volunteer,
    Voyage,
)
from pbem.rulesets.nippon.paths import Path, first_leg, settled, shortest_path, steps_of, way_home
from pbem.rulesets.nippon.ships.fleet import Mustered, muster
from pbem.rulesets.nippon.state import Banner, assault_key, key_of
from pbem.rulesets.nippon.tables import MARCH_STEPS
from pbem.rulesets.nippon.view import View


def check(view: View, written: Sequence[Written]) -> Check:
    """What the orders of the seat of ``view`` will do; those that cannot be carried out come back as faults."""
    if view.position.stage == "set-up":
        return mustering.check(view, written)
    verdicts: list[Verdict] = []
    faults: list[Fault] = []
    plan = Plan(view, [each.order for each in written])
    written, idle = _under_new_names(plan.view, written)
    fleet = _mustered(plan.view, [each.order for each in written])
    for index, each in enumerate(written):
        if index in idle:
            continue
        found = unplayed(plan.view) or plan.of(index) or judge(plan.view, each.order, fleet)
        if isinstance(found, Prospect) and _outdone(each.order, written):
            found = OUTDONE
        if isinstance(found, Prospect):
            verdicts.append(Verdict(replace(each, order=found.order), found.subject, found.does, found.notes))
        else:
            faults.append(_fault(plan.view, each, found))
    talking = view.position.stage in ("meetings", "disputes")
    matters = tuple(open_matters(plan.view)) if talking else ()
    return Check(tuple(verdicts), tuple(faults), tuple(_defaults(plan.view, written)), matters)


OUTDONE = Refusal("8.5", "You tell a result of that battle yourself: yours counts, and no yes to another's.")


def _outdone(order: Any, written: Sequence[Written]) -> bool:
    """Whether an order agrees to a result in whose place the same card has one of its own, wherever the lines stand."""
    own = [each.order.at for each in written if isinstance(each.order, ReportResult)]
    return isinstance(order, JudgeResult) and order.confirm and order.at in own


def _under_new_names(view: View, written: Sequence[Written]) -> tuple[Sequence[Written], Container[int]]:
    """What is said to a banner under a name that other lines take from it is said to it under its new one (NIP 3.6);
    and the indexes of what no longer counts, because something else is said to it there."""
    renamed = {index: new for index, each in enumerate(written) if (new := _under_new_name(view, each)) is not each}
    if not renamed:
        return written, ()
    final = [renamed.get(index, each) for index, each in enumerate(written)]
    idle = [each for each, _ in outdone(final)]
    return final, {index for index, each in renamed.items() if any(each is other for other in idle)}


def _under_new_name(view: View, written: Written) -> Written:
    order = written.order
    if (
        not isinstance(order, BannerOrder | Alone | Retreat | SetPlan)
        or (name := name_now(view, order.banner)) == order.banner
    ):
        return written
    return replace(written, order=replace(order, banner=name))


# --- one order ------------------------------------------------------------------------------------------------


def judge(view: View, order: Any, fleet: Mapping[Voyage, Mustered] | None = None) -> Prospect | Refusal:
    """What comes of an order, or why it cannot be carried out; ``fleet``: what is ordered for the sea besides."""
    if view.position.stage == "over":
        return Refusal("15.2", "The campaign is over.")
    if gone := unplayed(view):
        return gone
    if isinstance(order, Sail | Steer) and (fleet is None or order not in fleet):
        fleet = _mustered(view, [order])
    if isinstance(order, Steer):
        return _judge_ship(view, *(fleet or {})[order])
    if isinstance(order, BannerOrder):
        return _judge_banner(view, order, fleet or {})
    if isinstance(order, Spending | Regrouping | Handling) and (found := Plan(view, [order]).of(0)):
        return found
    if isinstance(order, Handling | Quaff | Scry):
        return handled(view, view.position.copy(), order)
    if isinstance(order, Ballot):
        return judged(view, order)
    if isinstance(order, Arranging | Contact | Volunteer):
        return judge_arranging(view, order)
    if isinstance(order, Preference):
        return judge_wish(view, order)
    if isinstance(order, Retreat):
        return _judge_retreat(view, order)
    if isinstance(order, Alone):
        return _judge_champion(view, order)
    if isinstance(order, SetPlan):
        return judge_plan(view, order)
    seat = view.seat or ""
    refused = bargains.refused(view, order)
    return refused or Prospect(order, *bargains.told(order, view, seat))


def possible(view: View, lines: Iterable[tuple[Any, str]]) -> Iterator[tuple[str, str]]:
    """Those of some lines, each with what it does, that would not be refused now: no others are offered to anybody."""
    return ((str(order), words) for order, words in lines if isinstance(judge(view, order), Prospect))


def unplayed(view: View) -> Refusal | None:
    """NIP 13.1: nobody commands a realm that has withdrawn."""
    if view.seat is None or view.position.realms[view.seat].status != "withdrawn":
        return None
    return Refusal("13.1", "Your realm has withdrawn: nobody commands it unless the organizer hands it over again.")


def _mustered(view: View, orders: Sequence[Any]) -> dict[Voyage, Mustered]:
    """What comes of all orders for the sea, taken together (NIP 11.4)."""
    seat, position = view.seat or "", view.position
    sailing = [each for each in orders if isinstance(each, Sail) and key_of(seat, each.banner) in position.banners]
    return muster(position, seat, [*(each for each in orders if isinstance(each, Steer)), *sailing])


def _judge_ship(view: View, order: Voyage, refused: Refusal | None) -> Prospect | Refusal:
    seat = view.seat or ""
    if view.position.stage != "orders":
        return AFTERWARDS
    if view.position.realms[seat].homeless:
        return Refusal("4.2", "The ships of a realm without its headquarters do not sail.")
    if refused or not isinstance(order, Steer):
        return refused or Refusal("11.4", "It is no ship.")
    ship = view.position.ships[key_of(seat, order.ship)]
    return Prospect(order, ship.name, outlook.course(order, ship), tuple(outlook.voyage(view, ship, order.path)))


AFTERWARDS = Refusal("4.1", "This turn's moves are made. Orders to banners come again when the meetings are over.")


def _judge_banner(view: View, order: BannerOrder, fleet: Mapping[Voyage, Mustered]) -> Prospect | Refusal:
    banner = view.position.banner_called(key_of(view.seat, order.banner))
    if banner is None:
        return Refusal("4", f"You have no banner {order.banner}.")
    if view.position.stage != "orders":
        return AFTERWARDS
    sailing, unfit = fleet.get(order, (order, None)) if isinstance(order, Sail) else (None, None)
    final = sailing if isinstance(sailing, Sail) else settled(view.position, banner, order)
    refused = refusal(view.position, banner, final) or unfit
    if refused:
        return _explained(view, banner, order, final, refused)
    return Prospect(final, banner.name, outlook.does(final, banner), tuple(outlook.notes(final, view, banner)))


def _judge_retreat(view: View, order: Retreat) -> Prospect | Refusal:
    """What comes of naming a retreat (NIP 9.2). Before the movement it is not known from where."""
    banner = view.position.banners.get(key_of(view.seat, order.banner))
    if banner is None:
        return Refusal("4", f"You have no banner {order.banner}.")
    if not _may_shelter(view, order.to):
        reason = f"Nobody can hold {view.place(order.to)}, and a retreat ends in a section of yours or an ally's."
        return Refusal("9.2", reason)
    near = [number for number in dry_neighbours(view.position, banner.at) if _may_shelter(view, number)]
    if view.position.stage == "meetings" and order.to not in near:
        ways = f" Over land it is next to: {' '.join(map(str, near))}." if near else ""
        return Refusal("9.2", f"{banner.name} cannot retreat from {banner.at} to {order.to}.{ways}")
    notes = ("if that is next to where it loses, yours or an ally's, and holds no enemy; else where it is best",)
    return Prospect(order, banner.name, f"RETREAT to {view.place(order.to)}, if beaten", notes)


def _may_shelter(view: View, number: int) -> bool:
    """Whether some realm could ever control a section, the reader's own or one that becomes its ally."""
    return any(habitable(view.position, realm, number) for realm in view.position.realms)


def _judge_champion(view: View, order: Alone) -> Prospect | Refusal:
    """What comes of sending somebody into a lair alone (NIP 8.6). Before the movement it is not known into which."""
    banner = view.position.banners.get(key_of(view.seat, order.banner))
    if banner is None:
        return Refusal("4", f"You have no banner {order.banner}.")
    unit = next((each for each in banner.units if each.name == order.unit), None)
    if unit is None:
        return Refusal("8.6", f"{order.unit} is not with {banner.name}.")
    here = view.position.assaults.get(assault_key(banner.at))
    if here and here.met:
        return Refusal("8.9", f"All of {banner.name} are in the lair of {view.place(banner.at)} already.")
    if not on_foot(unit):
        why = "he rides" if unit.character else "that is no hero or lord"
        return Refusal("8.6", f"Only a character on foot may take on a lair alone; {order.unit} cannot: {why}.")
    notes = (
        "if it ends its move in a lair, and no other banner goes in: the others wait, his points count for who is met",
    )
    return Prospect(order, banner.name, f"ALONE with {order.unit}", notes)


def _explained(view: View, banner: Banner, written: BannerOrder, order: BannerOrder, refused: Refusal) -> Refusal:
    """The refusal of a way, as ``written`` and with the steps it would take, with the sections that are next."""
    if not isinstance(order, Going) or not isinstance(written, Going) or refused.rule != "6.1":
        return refused
    at, goal = banner.at, order.path[-1]
    if order.path == (at,):
        return Refusal("6.1", f"{banner.name} stands in {at} already.")
    reason = refused.reason
    if written.path == (goal,) and steps_of(view.position, banner, order.by_land) == 1:
        reason = f"{goal} is not next to {at}."
    elif len(written.path) > 1:
        at = _gap(view, (at, *order.path)) or at
    return Refusal("6.1", f"{reason} Next to {at}: {around(view, at)}.")


def _gap(view: View, path: Path) -> int:
    """The section of a path after which it jumps; 0 if it does not."""
    return next((here for here, there in pairwise(path) if there not in view.position.place(here).neighbours), 0)


# --- what to say instead --------------------------------------------------------------------------------------


def _fault(view: View, written: Written, refused: Refusal) -> Fault:
    order = written.order
    subject = order.banner if isinstance(order, BannerOrder) else order.ship if isinstance(order, Steer) else ""
    # What else to spend, and whom to send where, is the player's affair.
    mend = None if isinstance(order, Spending | Regrouping) else legal(view, order)
    paste = "" if mend is None or mend == order else str(mend)
    return Fault(written.line, subject, f"{refused.reason} (NIP {refused.rule})", paste, otherwise(view, subject))


def legal(view: View, order: Any) -> Any | None:
    """The order itself if it can be carried out, else the nearest one that can; ``None`` if none comes near."""
    return next((each for each in _nearest(view, order) if isinstance(judge(view, each), Prospect)), None)


def _nearest(view: View, order: Any) -> Iterator[Any]:
    yield order
    if isinstance(order, Steer):
        yield from (replace(order, path=order.path[:end]) for end in range(len(order.path) - 1, 0, -1))
        return
    if not isinstance(order, BannerOrder):
        yield from bargains.nearest(order, view)
        return
    banner = view.position.banner_called(key_of(view.seat, order.banner))
    if banner is None or banner.scattered or banner.key in view.position.tunnels:
        return
    if isinstance(order, Sail):
        yield replace(order, ship="")
        yield replace(order, path=())
    if isinstance(order, ForcedMarch):
        yield from _marches_near(view, banner, order)
        order = Move(order.banner, order.path, order.by_land, order.no_claim, order.no_assault)
    if isinstance(order, Move) and order.path and banner.aboard:
        yield Sail(order.banner, land=order.path[-1])
    elif isinstance(order, Move) and order.path:
        yield replace(order, raze=False)
        yield from (replace(order, path=order.path[:end]) for end in range(len(order.path) - 1, 0, -1))
        yield replace(order, path=order.path[-1:])
        yield from (replace(order, path=(number,)) for number in _towards(view, banner, order))
        yield from (replace(order, path=(number,), raze=False) for number in _towards(view, banner, order))
    yield Hold(order.banner, getattr(order, "no_claim", False), getattr(order, "no_assault", False))


def _marches_near(view: View, banner: Banner, order: ForcedMarch) -> Iterator[ForcedMarch]:
    """Marches like an illegal one: without what cannot be razed; with the whole way where only the goal is named."""
    passed = tuple(at for at in order.razes if at in order.path[:-1])
    possible = tuple(at for at in passed if not spared_for_good(view.position, banner.realm, at))
    yield from (replace(order, razes=razes) for razes in (passed, possible, ()))
    for end in range(len(order.path) - 1, 1, -1):
        yield replace(order, path=order.path[:end], razes=tuple(at for at in possible if at in order.path[: end - 1]))
    if len(order.path) == 1:
        way = shortest_path(view.position, banner, order.path[0], order.by_land, MARCH_STEPS)
        yield from [replace(order, path=way, razes=order.razes), replace(order, path=way, razes=())] if way else []


def _towards(view: View, banner: Banner, order: Move) -> Iterator[int]:
    """The sections that a move could end in, on dry land first, the nearest to its goal first."""
    position = view.position
    if order.path[-1] == banner.at:
        return
    steps = steps_of(position, banner, order.by_land)
    left = position.atlas.distances(order.path[-1])
    reach = [number for number, away in position.atlas.distances(banner.at).items() if 0 < away <= steps]
    far = len(position.sections)
    yield from sorted(reach, key=lambda number: (position.place(number).ocean, left.get(number, far), number))


def otherwise(view: View, subject: str) -> str:
    """What a banner without a valid order does; nothing for what concerns no banner."""
    position, key = view.position, key_of(view.seat, subject)
    banner = position.banner_called(key)
    if position.stage != "orders" or (banner is None and key not in position.ships):
        return ""
    if banner is None:
        return f"{subject} stays in {view.place(position.ships[key].at)}"
    if banner.aboard:
        return f"{subject} stays aboard {position.ships[banner.aboard].name}"
    if key in position.tunnels:
        return f"{subject} is underground"
    return f"{subject} obeys no orders" if banner.scattered else f"{subject} holds in {view.place(banner.at)}"


# --- what happens without an order ------------------------------------------------------------------------------


def _defaults(view: View, written: Sequence[Written]) -> Iterator[tuple[str, str]]:
    named = {each.order.banner for each in written if isinstance(each.order, BannerOrder)}
    if view.position.stage == "orders":
        for banner in view.position.all_of(view.seat or ""):
            if banner.name not in named:
                yield banner.name, by_default(view, banner)


def by_default(view: View, banner: Banner) -> str:
    """What a banner does without an order, in a few words."""
    tunnel = view.position.tunnels.get(banner.key)
    if tunnel:
        return f"UNDERGROUND: comes up in {view.place(tunnel.goal)} in turn {tunnel.up}"
    if not banner.scattered:
        return outlook.does(Hold(banner.name), banner)
    way = way_home(view.position, banner)
    if way is None:
        return "SCATTERED: no own village, keep, stronghold or citadel to walk to"
    leg = first_leg(view.position, banner, way)
    return f"WALKS home: {' -> '.join(map(str, (banner.at, *leg)))}"
