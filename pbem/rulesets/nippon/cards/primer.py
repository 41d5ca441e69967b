"""How orders are written: every form once, with names of the reader's own, and what it does (NIP 4).

A form stands there with a banner that can carry it out, if there is one: so those that are legal can be sent as they
are.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar, get_args

from pbem.rulesets.nippon.aftermath import dry_neighbours
from pbem.rulesets.nippon.agenda import defences_to_take, open_meetings, tables, terms_to_answer
from pbem.rulesets.nippon.assaults import on_foot
from pbem.rulesets.nippon.banners import Station
from pbem.rulesets.nippon.cards import mustering
from pbem.rulesets.nippon.cards.checking import judge
from pbem.rulesets.nippon.cards.form import aligned
from pbem.rulesets.nippon.cards.mustering import Row
from pbem.rulesets.nippon.cards.prospect import Prospect
from pbem.rulesets.nippon.engagements import by_dice, parleyed
from pbem.rulesets.nippon.items import ITEMS, SCRY
from pbem.rulesets.nippon.merchants import bearers
from pbem.rulesets.nippon.orders import (
    AgreeDate,
    Alone,
    BannerOrder,
    BreakPact,
    Build,
    Buy,
    BuyStandard,
    Cannot,
    Contact,
    Defend,
    Drink,
    ForcedMarch,
    Form,
    Fortify,
    HandOver,
    Hold,
    Join,
    JudgeResult,
    Launch,
    Move,
    NameDeputy,
    Portal,
    Preference,
    ProposeDate,
    Quaff,
    Raze,
    Recover,
    Recruit,
    Retreat,
    Sail,
    Scatter,
    Sell,
    SetPlan,
    Steer,
    Underground,
    Upgrade,
    Volunteer,
)
from pbem.rulesets.nippon.paths import steps_of
from pbem.rulesets.nippon.preferences import KILL
from pbem.rulesets.nippon.recruiting import army_list
from pbem.rulesets.nippon.state import Banner, Meeting, Ship, ShipKind
from pbem.rulesets.nippon.tables import BUILDINGS, GROWTHS, PORTAL_SCROLL, people
from pbem.rulesets.nippon.tabletop import voice
from pbem.rulesets.nippon.view import View

Shape = Callable[[View, Banner], Iterator[BannerOrder | Retreat | Alone]]
"""The orders of one form that a banner might get."""


Example = TypeVar("Example")
"""An order that shows how a form is written."""


def primer(view: View) -> tuple[str, ...]:
    """The forms of what the seat of ``view`` can order in this stage; none when there is nothing to order."""
    if view.seat is None:
        return ()
    if view.position.stage == "set-up":
        return aligned(list(mustering.primer(view)))
    if view.position.stage == "orders":
        banners = [*_forms(view), *_fleet(view), *_works(view), *_musters(view)]
        return aligned([*banners, *_plans(view), *_wishes(view), *_company(view), *_pacts(view), *_ballots(view)])
    if view.position.stage in ("meetings", "disputes"):
        potions = _potions(view) if view.position.stage == "meetings" else ()
        talks = [*_terms(view), *potions, *_results(view), *_plans(view), *_retreats(view)]
        return aligned([*talks, *_wishes(view), *_company(view), *_pacts(view), *_ballots(view)])
    return ()


def _example(view: View, orders: Iterable[Example]) -> Example | None:
    """Of the orders of one form the first that can be carried out, else the first."""
    found = list(orders)
    return next((order for order in found if isinstance(judge(view, order), Prospect)), next(iter(found), None))


def _forms(view: View) -> Iterator[Row]:
    banners = [banner for banner in view.position.banners_of(view.seat or "") if not banner.scattered]
    for orders, words in FORMS:
        found = (order for banner in banners for order in orders(view, banner))
        if order := _example(view, found):
            yield str(order), words
        banners = [*banners[1:], *banners[:1]]  # So that not all lines are about the same one.


def _terms(view: View) -> Iterator[Row]:
    for meeting in [each for each in open_meetings(view) if not each.assault and not parleyed(view.position, each)][:1]:
        yield f"offer {meeting.at}: truce 3", "or alliance, passage, give 200, ask 200,"
        yield f'offer {meeting.at}: "free words"', "cede 12, claim 9, give Sword of Might; with commas"
        number = next((terms.number for terms in terms_to_answer(view)), 1)
        yield f"accept P{number}", "takes the offer with this number"
        yield f"decline P{number}", "does not take it"


def _results(view: View) -> Iterator[Row]:
    for meeting in defences_to_take(view)[:1]:
        yield str(Defend(meeting.at)), "you play those who are assaulted there"
    for meeting in [each for each in tables(view) if not by_dice(view.position, each)][:1]:
        at, own = meeting.at, view.seat in meeting.realms
        if own:
            yield f"automatic {at}", "no game: dice decide, if all want it"
            yield f"table {at}", "a game after all, or agreement"
        fighting = view.realm(voice(view.position, at, view.seat or ""))
        yield f"result {at}: {fighting} victory", "or solid victory, or massacre"
        yield f"result {at}: draw", "how the battle came out"
        yield str(JudgeResult(at, confirm=True, version=meeting.next.number)), "the result that another reports"
        yield f'dispute {at} "why"', "it is another"
        if own and not meeting.assault:
            yield f"dice-off {at}", "a die each decides a dispute, if all want it"
        yield from () if parleyed(view.position, meeting) else _dates(view, meeting)


def _dates(view: View, meeting: Meeting) -> Iterator[Row]:
    """When and by whom a battle is played."""
    at = meeting.at
    yield str(ProposeDate(at, "Saturday 15:00")), "when you could play"
    yield str(AgreeDate(at)), "yes to the date that another proposed"
    yield str(Cannot(at, "why")), "you cannot play it"
    others = sorted(view.position.realms.keys() - meeting.concerned) if view.seat in meeting.realms else ()
    yield from ((str(NameDeputy(at, seat, view.realm(seat))), "plays it for you") for seat in others[:1])


def _company(view: View) -> Iterator[Row]:
    """What a player lets others know of himself."""
    if view.position.options.battles == "table":
        yield str(Contact("your address or phone, and when")), "for those you meet, and deputies; or none"
        yield str(Volunteer()), "you would play battles of others; or no"


def _works(view: View) -> Iterator[Row]:
    """What a treasury can be told: at a site that can be used for it, if there is one."""
    seat = view.seat or ""
    held = view.position.held_by(seat)
    core = [name for name, kind in army_list(view.position, seat).types.items() if kind.category == "core"]
    raised = (Recruit(at, name, 20, ("musician",)) for name in core for at in held)
    bereft = [
        BuyStandard(banner.at, unit.name)
        for banner in view.position.banners_of(seat)
        for unit in banner.units
        if unit.bereft
    ]
    built = (Build(at, what) for what in BUILDINGS for at in held)
    grown = (Upgrade(at, to) for to in GROWTHS for at in held)
    ports = [number for number in held if view.position.port(number)]
    launched = (Launch(at, kind) for kind in get_args(ShipKind) for at in ports)
    forms = (
        (raised, "a unit; reinforce UNIT with 5"),
        (bereft, "again, for one lost in battle"),
        (built, "out of your treasury"),
        (grown, "or keep, stronghold, port"),
        (launched, "or battle ship, war ship"),
    )
    for found, words in forms:
        if order := _example(view, found):
            yield str(order), words
    yield from _trade(view)
    yield from _items(view)
    if view.position.options.gifts == "any":
        yield from ((f"give 100 to {view.realm(other)}", "a gift") for other in _others(view)[:1])


def _musters(view: View) -> Iterator[Row]:
    """What banners can be told about each other, with units of the reader's own."""
    own = view.position.banners_of(view.seat or "")
    for banner in own[:1]:
        first, *rest = (unit.name for unit in banner.units)
        forms = [Form("New Banner", tuple(units)) for units in ((first, *rest[-1:]), (first, *rest))]
        yield str(_example(view, forms)), "a new banner"
    pairs = (Join(one.name, other.name) for one in own for other in own if one != other)
    if join := _example(view, pairs):
        yield str(join), "as one; or transfer UNIT to BANNER"


def _trade(view: View) -> Iterator[Row]:
    """Something to buy, or sell, where a hero stands in a merchant city."""
    heroes = [each for each in bearers(view.position, view.seat or "").values() if each.unit.character]
    here = [each for each in heroes if view.position.sections[each.at].stock]
    goods = [Buy(each.at, name, each.unit.name) for each in here for name, _ in view.position.sections[each.at].stock]
    wares = [Sell(each.at, name, each.unit.name) for each in here for name in each.unit.items]
    yield from ((str(order), "out of the city's stock") for order in goods[:1])
    yield from ((str(order), "for half its price") for order in wares[:1])


def _items(view: View) -> Iterator[Row]:
    """What can be done with the items that the reader has."""
    carried = [(each, name) for each in bearers(view.position, view.seat or "").values() for name in each.unit.items]
    heroes = [each.unit.name for each in bearers(view.position, view.seat or "").values() if each.unit.character]
    for each, name in carried[:1]:
        other = next((hero for hero in heroes if hero != each.unit.name), "")
        yield from [(str(HandOver(name, each.unit.name, other)), "to another in the same section")] if other else ()
    elixirs = [Drink(name, each.unit.name) for each, name in carried if ITEMS[name].kind == "elixir"]
    yield from ((str(order), "what it gives is for good") for order in elixirs[:1])
    yield from _looks(view, carried)


def _looks(view: View, carried: Sequence[tuple[Station, str]]) -> Iterator[Row]:
    foreign = sorted(key for key, banner in view.position.banners.items() if banner.realm != view.seat)
    if foreign and any(name == SCRY for _, name in carried):
        yield f"scry {view.banner(foreign[0])}", "at once: what is in that banner"


def _potions(view: View) -> Iterator[Row]:
    """What can be drunk before a battle."""
    for each in bearers(view.position, view.seat or "").values():
        for name in each.unit.items:
            if ITEMS[name].kind == "potion" and ITEMS[name].slot == "map":
                yield str(Quaff(name, each.unit.name)), "at once, until the turn's resources"
                return


def _retreats(view: View) -> Iterator[Row]:
    """Where a banner may go if it is beaten."""
    for meeting in open_meetings(view)[:1]:
        own = [banner for banner in view.position.banners_at(meeting.at) if banner.realm == view.seat]
        ways = [way for banner in own[:1] for way in _retreat(view, banner)]
        if way := _example(view, ways):
            yield str(way), "if beaten"


def _plans(view: View) -> Iterator[Row]:
    """How a banner fights where dice alone decide, with a unit that it has."""
    for banner in view.position.banners_of(view.seat or "")[:1]:
        unit = next((unit for unit in banner.units if not unit.character), banner.units[0]).name
        yield f"plan {banner.name}: left {unit} attack", "for automatic battles: or centre, hold,"
        yield f"plan {banner.name}: flank right {unit}", "reserve; retreat 50, target weakest"
        yield str(SetPlan(banner.name)), "as by default"


def _wishes(view: View) -> Iterator[Row]:
    """What can be said once and for all: with units and items that are there."""
    units = [unit for banner in view.position.banners_of(view.seat or "") for unit in banner.units]
    ranks = tuple(dict.fromkeys(unit.name for unit in units if not unit.character))
    leaders = [unit.name for unit in units if unit.character]
    if ranks:
        yield str(Preference("loss order", ranks[:2])), "who falls first on dangerous ground"
        if people(view.position.realms[view.seat or ""].army).raises_dead:
            yield str(Preference("raise dead", ranks[:1])), "which units the dead join"
    if leaders:
        yield str(Preference("carriers", (leaders[0],))), "who gets what is found"
    yield str(Preference("give up")), "or items: with which the beaten part first"
    yield str(Preference("take")), "or items: what you want most as spoils"
    yield str(Preference("captured creatures", (KILL,))), "or: as usual; they join"
    yield str(Preference("assaults")), "or banners that fight garrisons and lairs"
    if len(view.position.realms) > 2:  # Two allies may fight each other.
        yield str(Preference("side with")), "or realms: with whom, against your allies"


def _others(view: View) -> Sequence[str]:
    return sorted(view.position.realms.keys() - {view.seat})


def _pacts(view: View) -> Iterator[Row]:
    for pact in view.position.pacts:
        if view.seat in pact.between and not pact.broken:
            other = next(iter(pact.between - {view.seat}))
            yield str(BreakPact(other, view.realm(other))), "ends your pact, from the next turn on"


def _ballots(view: View) -> Iterator[Row]:
    yield 'propose "words"', "a house rule; or propose cost_percent 25"
    yield f"vote yes on R{next(iter(sorted(view.position.proposals)), 1)}", "or vote no; all realms must agree"


def _next_to(view: View, at: int) -> Sequence[int]:
    """The sections next to one, dry land first."""
    return sorted(view.position.place(at).neighbours, key=lambda number: (view.position.place(number).ocean, number))


def _moves(view: View, banner: Banner) -> Iterator[Move]:
    yield from (Move(banner.name, (number,)) for number in _next_to(view, banner.at))


def _ways(view: View, banner: Banner) -> Iterator[Move]:
    if steps_of(view.position, banner) >= 2:
        yield from (Move(banner.name, way) for way in _ahead(view, banner))


def _ahead(view: View, banner: Banner) -> Iterator[tuple[int, int]]:
    """Ways of two steps that lead further away."""
    near = _next_to(view, banner.at)
    for number in near:
        further = [there for there in _next_to(view, number) if there not in (banner.at, *near)]
        yield from ((number, there) for there in further)


def _by_land(view: View, banner: Banner) -> Iterator[Move]:
    if banner.flies:
        yield from (Move(banner.name, move.path, by_land=True) for move in _moves(view, banner))


def _raze_and_move(view: View, banner: Banner) -> Iterator[Move]:
    yield from (Move(banner.name, move.path, raze=True) for move in _moves(view, banner))


def _voyages(view: View, banner: Banner) -> Iterator[Sail]:
    """Landings within reach of a ship that the banner can board."""
    seas = {number for ship in view.position.ships_of(banner.realm) for number in _seas_of(view, ship)}
    for sea in sorted(seas):
        coasts = (number for number in view.position.place(sea).neighbours if number != banner.at)
        yield from (Sail(banner.name, (sea,), number) for number in coasts if not view.position.place(number).ocean)


def _seas_of(view: View, ship: Ship) -> Iterator[int]:
    return (number for number in (ship.at, *_next_to(view, ship.at)) if view.position.place(number).ocean)


def _fleet(view: View) -> Iterator[Row]:
    """A ship's own order."""
    steered = (
        Steer(ship.name, (sea,)) for ship in view.position.ships_of(view.seat or "") for sea in _seas_of(view, ship)
    )
    if order := _example(view, steered):
        yield str(order), "a ship with whoever is aboard"


def _march(view: View, banner: Banner) -> Iterator[ForcedMarch]:
    if people(view.position.realms[banner.realm].army).marches:
        for way in _ahead(view, banner):
            yield ForcedMarch(banner.name, way, way[:1])


def _underground(view: View, banner: Banner) -> Iterator[Underground]:
    if people(view.position.realms[banner.realm].army).tunnels:
        yield from (Underground(banner.name, number) for number in _next_to(view, banner.at))


def _portal(view: View, banner: Banner) -> Iterator[Portal]:
    if banner.bears(PORTAL_SCROLL):
        yield from (Portal(banner.name, at, if_threatened=True) for at in view.position.held_by(banner.realm))


def _scatter(view: View, banner: Banner) -> Iterator[Scatter]:
    if banner.drawn:
        yield Scatter(banner.name)


def _retreat(view: View, banner: Banner) -> Iterator[Retreat]:
    yield from (Retreat(banner.name, number) for number in dry_neighbours(view.position, banner.at))


def _champion(view: View, banner: Banner) -> Iterator[Alone]:
    """Who could go into a lair alone, where there is one next door."""
    if any(view.position.site(number) == "lair" for number in (banner.at, *view.position.place(banner.at).neighbours)):
        yield from (Alone(banner.name, unit.name) for unit in banner.units if on_foot(unit))


FORMS: Sequence[tuple[Shape, str]] = (
    (_moves, "to a section, by number or name"),
    (_ways, "by a way you name, step by step"),
    (_by_land, "walks, though it could fly"),
    (lambda view, banner: iter([Hold(banner.name)]), "stays and takes the section"),
    (lambda view, banner: iter([Hold(banner.name, no_claim=True)]), "takes nothing; goes with move, too"),
    (lambda view, banner: iter([Fortify(banner.name)]), "builds works for the next defence"),
    (lambda view, banner: iter([Raze(banner.name)]), "burns its section and stays"),
    (_raze_and_move, "burns it and goes on, with luck"),
    (lambda view, banner: iter([Recover(banner.name)]), "rebuilds its section, if that is razed"),
    (_voyages, "by ship; or without landing; or only land 12"),
    (_march, "one section further, and razes on the way"),
    (_underground, "comes up there two turns later"),
    (_portal, "or always, without the condition"),
    (_scatter, "after a draw, with nowhere to go"),
    (_retreat, "if beaten; goes behind any order, too"),
    (_champion, "into a lair; goes behind any order, too"),
)
"""Every form, the most used first, and what it does."""
