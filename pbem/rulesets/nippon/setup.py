"""Chapter 2, before the first turn: from a campaign's options and seats to the first position."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from string import ascii_lowercase
from typing import Any

from pbem.core.dice import Dice
from pbem.core.errors import BadInput, Flaw
from pbem.core.orders import nearest, plain
from pbem.core.ruleset import Entrant
from pbem.rulesets.nippon import armies, maps, switches
from pbem.rulesets.nippon.armies.rosters import ready
from pbem.rulesets.nippon.atlas import Atlas, Place
from pbem.rulesets.nippon.composition import costliest
from pbem.rulesets.nippon.items import MERCHANDISE
from pbem.rulesets.nippon.naming import LONGEST_NAME, fit_name
from pbem.rulesets.nippon.state import Banner, Options, Realm, Section, State, Unit, known_as
from pbem.rulesets.nippon.tables import FIRST_MACHINES, NEUTRAL_MACHINES, PEOPLES, RATES
from pbem.rulesets.nippon.ties import rolled_off

DEFAULT_MAP = "nippon"

ELSEWHERE = {"dispute_days": 'how long disputes may take stands in the schedule: disputes = "after 2d"'}
"""What is no option of a campaign here, and where it stands instead."""

SEAT_KEYS = ("army", "headquarters", "banners")


def setup(options: Mapping[str, Any], entrants: Sequence[Entrant], dice: Dice) -> State:
    """The first position (NIP 2.2 to 2.5). Raises ``BadInput`` with every flaw of the options and the seats."""
    flaws = [*_option_flaws(options), *_entrant_flaws(options, entrants)]
    if flaws:
        raise BadInput(flaws)
    if options.get("setup"):
        return _unchosen(options, entrants)
    atlas = maps.atlas(options.get("map", DEFAULT_MAP))
    homes = headquarters(atlas, entrants, dice)
    realms = {each.seat: _realm(each, homes[each.seat]) for each in _by_seat(entrants)}
    sections = _land(atlas)
    sections |= {realm.headquarters: _citadel(realm) for realm in realms.values()}
    banners = {banner.key: paced(banner, dice) for banner in _banners(entrants, homes)}
    return State(atlas, _switches(options), realms, sections, banners)


def _unchosen(options: Mapping[str, Any], entrants: Sequence[Entrant]) -> State:
    """The position in which the players choose, beside what the campaign chose for them (NIP 18)."""
    atlas = maps.atlas(options.get("map", DEFAULT_MAP))
    realms = {
        each.seat: Realm(
            each.seat,
            each.name,
            _army(each),
            place.number if _chooses(each) and (place := _named(atlas, each.options["headquarters"])) else 0,
            banner_names=tuple(each.options.get("banners", ())),
        )
        for each in _by_seat(entrants)
    }
    return State(atlas, _switches(options), realms, _land(atlas), {}, turn=0, stage="set-up")


def _switches(options: Mapping[str, Any]) -> Options:
    return Options(**{key: value for key, value in options.items() if key != "map"})


def _land(atlas: Atlas) -> dict[int, Section]:
    """The sections as they are before anybody comes."""
    return {place.number: _section(place) for place in atlas}


def _by_seat(entrants: Sequence[Entrant]) -> list[Entrant]:
    return sorted(entrants, key=lambda each: each.seat)


def _army(entrant: Entrant) -> str:
    return str(entrant.options.get("army", armies.DEFAULT))


def _realm(entrant: Entrant, home: int) -> Realm:
    """A realm as it sets out, led by the dearest lord of its army (NIP 2.4)."""
    units = [unit for held in armies.army(_army(entrant)).ready for unit in held]
    return Realm(entrant.seat, entrant.name, _army(entrant), home, general=first_general(units))


def first_general(units: Sequence[Unit]) -> str:
    """The name of the dearest lord, or of the dearest hero where there is no lord (NIP 2.4)."""
    general = costliest(unit for unit in units if unit.category == "lord") or costliest(units)
    return general.name if general else ""


# --- 2.2 Headquarters ---------------------------------------------------------------------------------------------


def headquarters(atlas: Atlas, entrants: Sequence[Entrant], dice: Dice) -> dict[str, int]:
    """The headquarters of each seat: as the campaign says; the others by 2D6, highest first, the lowest free one."""
    given = {each.seat: _named(atlas, each.options["headquarters"]) for each in entrants if _chooses(each)}
    homes = {seat: place.number for seat, place in given.items() if place}
    free = [place.number for place in atlas if place.headquarters and place.number not in homes.values()]
    waiting = [each.seat for each in _by_seat(entrants) if each.seat not in homes]

    def roll(seat: str, again: str) -> int:
        return sum(dice.roll(label, 6).value for label in picking_dice(seat, again))

    return homes | dict(zip(rolled_off(waiting, roll), free, strict=False))


def picking_dice(seat: str, again: str) -> Iterator[str]:
    """The labels of the 2D6 that decide when a seat picks its headquarters (NIP 2.2)."""
    return (f"headquarters {seat}{again} {letter}" for letter in "ab")


def _chooses(entrant: Entrant) -> bool:
    return "headquarters" in entrant.options


def _named(atlas: Iterable[Place], wanted: Any) -> Place | None:
    """The section of that number or name."""
    matches = (place for place in atlas if wanted == place.number or plain(str(wanted)) == plain(place.name))
    return next(matches, None)


# --- 2.3 to 2.5 Citadels and armies -------------------------------------------------------------------------------


def first_machines(army: str) -> tuple[str, ...]:
    """The war machines of a new citadel (NIP 2.3)."""
    return (armies.army(army).cheapest_machine,) * FIRST_MACHINES


def usual_names(army: armies.ArmyList, before: int) -> tuple[str, ...]:
    """The names of the ready-made banners where nobody gives others; ``before``: realms that mustered that list."""
    return army.banner_names[before % len(army.banner_names)]


def _citadel(realm: Realm) -> Section:
    return Section(controller=realm.seat, site="citadel", machines=first_machines(realm.army))


def _machines(place: Place) -> tuple[str, ...]:
    if place.site != "stronghold":
        return ()
    return (armies.army(armies.DEFAULT).cheapest_machine,) * NEUTRAL_MACHINES


def _section(place: Place) -> Section:
    return Section(site=place.site, machines=_machines(place), stock=_stock(place))


def _stock(place: Place) -> tuple[tuple[str, int], ...]:
    """What a merchant city has to sell when the campaign begins (NIP 11.5)."""
    return MERCHANDISE if place.site == "merchant city" else ()


def _banners(entrants: Sequence[Entrant], homes: Mapping[str, int]) -> Iterator[Banner]:
    """The ready-made armies, all in their headquarters; no two realms get the same names unless they say so."""
    mustered = Counter[str]()
    for entrant in _by_seat(entrants):
        army = armies.army(_army(entrant))
        names = usual_names(army, mustered[army.name])
        mustered[army.name] += 1
        for name, units in zip(entrant.options.get("banners", names), army.ready, strict=True):
            yield Banner(entrant.seat, name, homes[entrant.seat], units)


def paced(banner: Banner, dice: Dice) -> Banner:
    """A banner with what its models with random movement do in the first turn (NIP 6.1)."""
    if not banner.erratic:
        return banner
    own = frozenset({banner.realm})
    rolled = (dice.roll(f"pace {banner.key} {die}", 6, own).value for die in ascii_lowercase[: RATES.random_dice])
    return replace(banner, pace=sum(rolled))


# --- flaws --------------------------------------------------------------------------------------------------------


def _option_flaws(options: Mapping[str, Any]) -> Iterator[Flaw]:
    known = ["map", *switches.NAMES]
    for key, value in options.items():
        if key == "map":
            if value not in maps.names():
                yield Flaw("options: map", f"there is no map {value!r}; there are {', '.join(maps.names())}")
        elif key in ELSEWHERE:
            yield Flaw(f"options: {key}", ELSEWHERE[key])
        elif key not in known:
            yield Flaw(f"options: {key}", f"there is no such option.{_guess(key, known)}")
        elif reason := switches.flaw(key, value, by_mail=options.get("setup") is True):
            yield Flaw(f"options: {key}", reason)


def _guess(word: str, known: Sequence[str]) -> str:
    near = nearest(word, known, 1)
    return f" Did you mean {near[0]}?" if near else f" There are {', '.join(known)}."


def _entrant_flaws(options: Mapping[str, Any], entrants: Sequence[Entrant]) -> Iterator[Flaw]:
    name = options.get("map", DEFAULT_MAP)
    atlas = maps.atlas(name) if name in maps.names() else None
    yield from _seat_flaws(atlas, entrants, by_mail=options.get("setup") is True) if atlas else ()
    yield from _doubled(entrants)
    yield from _headquarters_flaws(atlas, entrants) if atlas else _nowhere(entrants)
    for entrant in entrants:
        yield from (Flaw(f"{entrant.where}, {key}", reason) for key, reason in _faults(entrant))


def _seat_flaws(atlas: Atlas, entrants: Sequence[Entrant], *, by_mail: bool) -> Iterator[Flaw]:
    """Too many or too few of them; in a set-up by mail others may still come."""
    least, most = atlas.seats
    least = 0 if by_mail else least
    if not least <= len(entrants) <= most:
        yield Flaw("seats", f"{len(entrants)} seats, but the map {atlas.name} is for {least} to {most}")


def _doubled(entrants: Sequence[Entrant]) -> Iterator[Flaw]:
    names, seats = [known_as(each.name) for each in entrants], [plain(each.seat) for each in entrants]
    for what, words in (("name", names), ("seat", seats)):
        for word, times in Counter(words).items():
            if times > 1:
                yield Flaw("seats", f"the {what} {word!r} is given to {times} realms")
    for each in entrants:
        if known_as(each.name) != plain(each.seat) and like_a_seat(each.name, [other.seat for other in entrants]):
            yield Flaw("seats", f"{each.name} would be taken for the letter of a seat")


def like_a_seat(name: str, seats: Iterable[str]) -> bool:
    """Whether a realm's name could be taken for a seat, one of these or one that is taken later."""
    return len(known_as(name)) == 1 or known_as(name) in map(plain, seats)


def _headquarters_flaws(atlas: Atlas, entrants: Sequence[Entrant]) -> Iterator[Flaw]:
    candidates = ", ".join(str(place) for place in atlas if place.headquarters)
    taken: dict[int, str] = {}
    for entrant in filter(_chooses, entrants):
        wanted = entrant.options["headquarters"]
        place = _named(atlas, wanted)
        where = f"{entrant.where}, headquarters"
        if place is None or not place.headquarters:
            yield Flaw(where, f"{place or repr(wanted)} is no candidate; there are {candidates}")
        elif place.number in taken:
            yield Flaw(where, f"{place} is taken by {taken[place.number]}")
        else:
            taken[place.number] = entrant.name


def _nowhere(entrants: Sequence[Entrant]) -> Iterator[Flaw]:
    """Headquarters that stand on no map, where the one that is meant is not known."""
    candidates = [[place for place in maps.atlas(name) if place.headquarters] for name in maps.names()]
    for entrant in filter(_chooses, entrants):
        wanted = entrant.options["headquarters"]
        if not any(_named(places, wanted) for places in candidates):
            yield Flaw(f"{entrant.where}, headquarters", f"{wanted!r} is no candidate on any map")


def _faults(entrant: Entrant) -> Iterator[tuple[str, str]]:
    """What is wrong with what a seat says of itself: the key and the reason."""
    for key in entrant.options:
        if key not in SEAT_KEYS:
            yield key, f"there is no such key.{_guess(key, SEAT_KEYS)}"
    known = peoples()
    if faulty := army_flaws(_army(entrant)):
        yield from (("army", f"its list cannot be used: {flaw}") for flaw in faulty)
    elif (army := _army(entrant)) not in known:
        yield "army", f"there is no people {army!r}; there are {', '.join(known)}{_meant(army, known)}"
    elif "banners" in entrant.options:
        yield from (("banners", reason) for reason in _banner_faults(entrant))


def _meant(army: str, known: Sequence[str]) -> str:
    """The people that a part of its name may mean: ``orcs``."""
    near = [name for name in known if plain(army) in plain(name)]
    return f". Did you mean {near[0]}?" if len(near) == 1 else ""


def peoples() -> list[str]:
    """Whose armies can be mustered; those of peoples without a list of their own from the free peoples'."""
    return sorted(people for people in {*armies.names(), *PEOPLES} if not army_flaws(people))


def part(state: State, seat: str) -> str:
    """Which people a realm is, and whose army list it musters."""
    people = state.realms[seat].army
    army = armies.army(people)
    return people if people == army.name else f"{people}, with the army list of {army.title.lower()}"


def army_flaws(people: str) -> tuple[Flaw, ...]:
    """Why nobody can muster the army of a people: what is wrong with its list."""
    return armies.left_out(people) or ready.flaws(armies.army(people))


def _banner_faults(entrant: Entrant) -> Iterator[str]:
    names, needed = entrant.options["banners"], len(armies.army(_army(entrant)).ready)
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        yield f"{names!r} should be a list of {needed} names"
        return
    if len(names) != needed:
        yield f"the army has {needed} banners, here are {len(names)} names"
    for name, times in Counter(map(plain, names)).items():
        if times > 1:
            yield f"{times} banners are called {name!r}"
    for name in names:
        if not fit_name(name):
            yield f"{name!r} should be words of letters, at most {LONGEST_NAME} signs"
