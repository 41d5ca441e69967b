"""Chapter 9.5, spoils of war: which magic items change hands on the battlefield, and which standards are lost."""

from collections.abc import Iterator

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.aftermath import Fought, bouts, witnesses
from pbem.rulesets.nippon.armies import army
from pbem.rulesets.nippon.events import BodySearched, StandardLost
from pbem.rulesets.nippon.events.tolls import stricken
from pbem.rulesets.nippon.garrisons import garrison
from pbem.rulesets.nippon.items import ITEMS
from pbem.rulesets.nippon.items.bearing import bearer_for, bearing
from pbem.rulesets.nippon.orders.preferences import Matter
from pbem.rulesets.nippon.state import DEFENCE, GARRISON, RESERVE, Banner, State, Unit, rank, seat_of
from pbem.rulesets.nippon.tables import SPOILS, Search


@rule("9.5", "Spoils of war")
def spoils(turn: Turn[State]) -> None:
    """Standards are gone; then the victors search who lies on the field, character by character."""
    searched = set[tuple[int, str, str]]()
    for fought in bouts(turn.state):
        for key, unit in reported(turn.state, fought):
            if key != GARRISON and unit.toll and unit.toll.standard_lost and (unit.standard or unit.battle_standard):
                lose_standard(turn, fought, key, unit)
        for key, unit in beaten_bearers(turn.state, fought):
            if (fought.at, key, unit.name) not in searched:
                searched.add((fought.at, key, unit.name))
                search(turn, fought, key, unit)


def beaten_bearers(state: State, fought: Fought) -> Iterator[tuple[str, Unit]]:
    """Who of the losers lies at 0 wounds and bears magic items; nobody where a garrison or creatures have won."""
    if fought.bout.victors:
        for key, unit in reported(state, fought):
            if side_of(state, fought, key) in fought.bout.losers and down(unit) and magic(unit):
                yield key, unit


def side_of(state: State, fought: Fought, key: str) -> str:
    """The realm that somebody fought for: of who fights for a site its holder; in an assault those are the defence."""
    if key not in (RESERVE, GARRISON):
        return seat_of(key)
    return DEFENCE if fought.kind == "garrison" else state.sections[fought.at].controller


def owner_of(state: State, fought: Fought, key: str) -> str:
    """Whose a unit is; a garrison's is no realm's."""
    return state.sections[fought.at].quartered if key == RESERVE else "" if key == GARRISON else seat_of(key)


def reported(state: State, fought: Fought) -> Iterator[tuple[str, Unit]]:
    """The units of whom the result of a battle told something, with the keys of their banners."""
    for key, losses in fought.bout.result.losses:
        told = {loss.unit: loss for loss in losses}
        if key == GARRISON:
            yield from ((key, stricken(unit, told.get(unit.name))) for unit in garrison(state, fought.at))
        else:
            banner = state.banners.get(key)
            units = state.sections[fought.at].reserve if key == RESERVE else banner.units if banner else ()
            yield from ((key, unit) for unit in units if unit.name in told)


def down(unit: Unit) -> bool:
    """Whether all its models are at 0 wounds."""
    return unit.toll is not None and unit.toll.fallen == unit.models > 0


def magic(unit: Unit) -> list[str]:
    """Its items that the rules know: those of foreign rosters stay with it."""
    return [name for name in unit.items if name in ITEMS]


def lose_standard(turn: Turn[State], fought: Fought, key: str, unit: Unit) -> None:
    """A standard that was lost in battle is gone, a magic one too; only the upgrade can be bought again."""
    owner = owner_of(turn.state, fought, key)
    points = army(turn.state.realms[owner].army).bearing(unit.battle_standard)
    turn.emit(StandardLost(key, fought.at, unit.name, points), to=witnesses(turn.state, fought))


# --- searching a body ---------------------------------------------------------------------------------------------


def search(turn: Turn[State], fought: Fought, key: str, unit: Unit) -> None:
    """A die says how much of what a fallen enemy carried is found; each thing goes to somebody with room for it."""
    privy = witnesses(turn.state, fought)
    die = turn.roll(f"spoils {fought.at} {key or 'reserve'}: {unit.name}", to=privy)
    in_challenge = bool(unit.toll and unit.toll.in_challenge)
    search_of = SPOILS[min(die + in_challenge, max(SPOILS))]
    victor = fought.bout.victors[0]
    owner = owner_of(turn.state, fought, key)
    wanted = wished(turn.state, victor, fought.at, "take")
    spare = wished(turn.state, owner, fought.at, "give up") if owner else ()
    found = found_on(unit, search_of, wanted, spare)
    goes = carried_off(turn.state, fought, found)
    turn.emit(BodySearched(key, fought.at, unit.name, victor, search_of, in_challenge, goes), to=privy)


def wished(state: State, realm: str, at: int, about: Matter) -> tuple[str, ...]:
    """What a realm wants of the spoils of a battle: as it said of that battle, else as it always does."""
    meeting, preferences = state.meetings.get(at), state.realms[realm].preferences
    said = {wish[:2]: wish[2] for wish in meeting.spoils} if meeting else {}
    always = {"take": preferences.take, "give up": preferences.give_up, "carriers": preferences.carriers}
    return said.get((realm, about), always.get(about, ()))


def found_on(
    unit: Unit, search_of: Search, wanted: tuple[str, ...] = (), spare: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """The items that are found: the loser parts with the cheapest and the victor picks the dearest, if not told."""
    match search_of:
        case "all":
            return tuple(sorted(magic(unit), key=lambda name: (rank(wanted, name), -ITEMS[name].price, name)))
        case "one to the victor's liking":
            return (min(magic(unit), key=lambda name: (rank(wanted, name), -ITEMS[name].price, name)),)
        case "one to the loser's liking" if len(magic(unit)) > 1:
            return (min(magic(unit), key=lambda name: (rank(spare, name), ITEMS[name].price, name)),)
    return ()


def carried_off(state: State, fought: Fought, items: tuple[str, ...]) -> tuple[tuple[str, str, str], ...]:
    """Who of the victors takes each item, as item, banner and unit; neither, if nobody has room for it."""
    banners = {key: state.banners[key] for key in fought.present if seat_of(key) in fought.bout.winners}
    hands = {(key, unit.name): unit for key, unit in in_turn(state, fought.at, list(banners.values()))}
    goes = list[tuple[str, str, str]]()
    for item in items:
        taker = next((each for each, unit in hands.items() if bearer_for([unit], item)), ("", ""))
        if taker in hands:
            hands[taker] = bearing(hands[taker], item)
        goes.append((item, *taker))
    return tuple(goes)


def in_turn(state: State, at: int, banners: list[Banner]) -> list[tuple[str, Unit]]:
    """The units of banners in the order in which they get what is found: as their realm wants it, the fallen last."""
    units = [(banner.key, unit) for banner in banners for unit in banner.units if unit.models]
    wanted = {banner.realm: wished(state, banner.realm, at, "carriers") for banner in banners}
    return sorted(units, key=lambda each: (down(each[1]), rank(wanted[seat_of(each[0])], each[1].name)))
