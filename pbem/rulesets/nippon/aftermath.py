"""Chapter 9, after a battle: who takes the section, and where the beaten go."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.banners import outside, own_site
from pbem.rulesets.nippon.control import foremost
from pbem.rulesets.nippon.events import BattleDrawn, RetreatChosen, Retreated, Scattered, SectionWon, StructureTested
from pbem.rulesets.nippon.garrisons import guarded
from pbem.rulesets.nippon.headquarters import lacks_headquarters
from pbem.rulesets.nippon.legality import claimable, hostile_at
from pbem.rulesets.nippon.meetings import allied
from pbem.rulesets.nippon.orders import Retreat
from pbem.rulesets.nippon.scattered import disband
from pbem.rulesets.nippon.state import DEFENCE, Assault, Banner, Bout, Meeting, State, key_of, seat_of
from pbem.rulesets.nippon.tables import SURVIVES_FROM
from pbem.rulesets.nippon.terrain import Step, snow


@dataclass(frozen=True)
class Fought:
    """A decided battle of this turn, wherever it was fought."""

    at: int
    banners: tuple[str, ...]
    """Keys of all banners at the place, some of whom may have had no part in it."""
    bout: Bout
    kind: Literal["meeting", "garrison", "lair", "spawn"] = "meeting"
    alone: bool = False
    """Just one character fought, while his banner waited (NIP 8.6)."""

    @property
    def present(self) -> tuple[str, ...]:
        """Keys of the banners that fought, on whatever side, if only by one character."""
        return tuple(key for key in self.banners if any(seat_of(key) in side for side in self.bout.sides))


def bouts(state: State) -> tuple[Fought, ...]:
    """All decided battles of this turn, by section, as they were fought: meetings before assaults."""
    met = (Fought(meeting.at, meeting.banners, bout) for meeting in meetings_fought(state) for bout in meeting.fought)
    stormed = (
        Fought(each.at, each.banners, each.bout, each.kind, each.alone) for each in state.assaults.values() if each.bout
    )
    return tuple(sorted((*met, *stormed), key=lambda fought: fought.at))


def reserve_in(state: State, fought: Fought) -> str:
    """The realm whose reserve had a part in a battle at its site; nobody's, if there is none (NIP 8.7)."""
    section, sides = state.sections[fought.at], fought.bout.sides
    stood = fought.kind == "garrison" or any(section.quartered in side for side in sides)
    return section.quartered if section.reserve and not section.razed and stood else ""


def witnesses(state: State, fought: Fought) -> frozenset[str]:
    """Who knows how a battle went: both sides, and whose reserve was in it."""
    seats = {seat for side in fought.bout.sides for seat in side} | {reserve_in(state, fought)}
    return frozenset(seats - {"", DEFENCE})


def last_battles(state: State) -> dict[str | int, Fought]:
    """The last battle of this turn of each banner, by key, and of each reserve, by section."""
    found = dict[str | int, Fought]()
    for fought in bouts(state):
        found |= dict.fromkeys(fought.present, fought)
        if reserve_in(state, fought):
            found[fought.at] = fought
    return found


def meetings_fought(state: State) -> Iterator[Meeting]:
    """The meetings of this turn that ended in battle, by section."""
    return (state.meetings[at] for at in state.battles)


# --- 9.1 Winning a battle -----------------------------------------------------------------------------------------


@rule("9.1", "Winning a battle")
def take_sections(turn: Turn[State]) -> None:
    """The winner takes the section, unless he was told not to; what stands there may burn."""
    last = {fought.at: fought for fought in bouts(turn.state) if fought.kind != "spawn"}
    for at, fought in last.items():
        takers = conquerors(turn.state, fought)
        if takers:
            realm = foremost(turn, "claim", at, takers)
            turn.emit(SectionWon(at, realm, turn.state.sections[at].controller))
            test_structures(turn, at)


def conquerors(state: State, fought: Fought) -> list[Banner]:
    """The banners of the winner that may take the section and are willing to. A garrison has to be beaten too."""
    willing = (key for key in fought.banners if key not in state.pending.unclaiming)
    there = (state.banners[key] for key in willing if key in state.banners)  # not who came to terms and fell short
    won = (banner for banner in there if banner.realm in fought.bout.winners and not banner.scattered)
    open_to = {state.sections[fought.at].controller, DEFENCE} & {*fought.bout.losers}
    return [
        banner
        for banner in won
        if claimable(state, banner.realm, fought.at) and (open_to or not guarded(state, banner.realm, fought.at))
    ]


def test_structures(turn: Turn[State], at: int) -> None:
    """A die for each building and war machine of the site."""
    section = turn.state.sections[at]
    test_each(turn, at, "buildings", section.buildings)
    test_each(turn, at, "machines", section.machines)


def test_each(turn: Turn[State], at: int, kind: Literal["buildings", "machines"], names: Sequence[str]) -> None:
    """A die for each structure of a kind; of several with one name the later are counted."""
    for index, name in enumerate(names):
        earlier = names[:index].count(name)
        die = turn.roll(f"survives {at} {name}" + (f" {earlier + 1}" if earlier else ""))
        turn.emit(StructureTested(at, kind, name, die >= SURVIVES_FROM))


# --- 9.2 Losing a battle ------------------------------------------------------------------------------------------


@rule("9.2", "Losing a battle")
def choose_retreats(turn: Turn[State]) -> None:
    """Note where banners are to retreat to if they are beaten."""
    for seat, chosen in turn.given(Retreat):
        key = key_of(seat, chosen.banner)
        if key in turn.state.banners:
            turn.emit(RetreatChosen(key, turn.state.banners[key].at, chosen.to), to=frozenset({seat}))


@rule("9.2", "Losing a battle")
def retreats(turn: Turn[State]) -> None:
    """The beaten go to a friendly neighbouring section, all at once; the massacred, and who finds none, scatter."""
    on_foot = [banner for banner in losers(turn.state) if not banner.aboard]  # ships flee by their own rule (NIP 11.4)
    beaten = {banner.key: refuges(turn.state, banner) for banner in on_foot}
    routed = {banner.key for banner in losers(turn.state, "massacre")}
    for key, ways in beaten.items():
        if turn.state.banners[key].scattered:
            disband(turn, key)
        else:
            retreat(turn, key, [] if key in routed else ways)


def losers(state: State, degree: str = "") -> list[Banner]:
    """The banners that lost a battle this turn, or lost it by a certain degree, by section and key; not those of whom
    one character alone has lost (NIP 8.6)."""
    return [
        state.banners[key]
        for fought in bouts(state)
        for key in fought.present
        if not fought.alone and seat_of(key) in fought.bout.losers and degree in ("", fought.bout.result.degree)
    ]


def refuges(state: State, banner: Banner) -> list[int]:
    """Where a beaten banner may retreat to, the best first.

    That is where its realm has chosen to; then what is nearest to its headquarters, else to a site of its own.
    """
    chosen = dict(state.pending.retreating).get(banner.key)
    near = [number for number in dry_neighbours(state, banner.at) if shelters(state, banner.realm, number)]
    home = state.realms[banner.realm].headquarters
    if lacks_headquarters(state, banner.realm):
        goals = [number for number in state.held_by(banner.realm) if own_site(state, banner.realm, number)]
    else:
        goals = [home]
    steps = [state.atlas.distances(goal) for goal in goals]

    def liking(number: int) -> tuple[bool, int, int]:
        return number != chosen, min((way[number] for way in steps if number in way), default=0), number

    return sorted(near, key=liking)


def dry_neighbours(state: State, at: int) -> tuple[int, ...]:
    """The neighbours that are not across the sea."""
    borders = state.place(at).borders
    return tuple(sorted((*borders.get("land", ()), *borders.get("strait", ()))))


def shelters(state: State, realm: str, number: int) -> bool:
    """Whether a section is the realm's own or an ally's, and holds no enemy."""
    holder = state.sections[number].controller
    friendly = holder == realm or (bool(holder) and allied(state, holder, realm))
    return friendly and all(outside(state, enemy) for enemy in hostile_at(state, realm, number))


def retreat(turn: Turn[State], key: str, ways: list[int]) -> None:
    """Try one way after the other: only snow can bar one, or be the end."""
    at = turn.state.banners[key].at
    for number in ways:
        if not turn.state.place(number).snow or snow(turn, Step(key, (at,), number)):
            turn.emit(Retreated(key, at, number))
            return
        if key not in turn.state.banners:
            return
    turn.emit(Scattered(key, at))


# --- 9.4 Draws ----------------------------------------------------------------------------------------------------


@rule("9.4", "Draws")
def draws(turn: Turn[State]) -> None:
    """Both stay, and nobody claims."""
    places: tuple[Meeting | Assault, ...] = (*meetings_fought(turn.state), *turn.state.assaults.values())
    for place in places:
        bound = tuple(key for key in place.drew if not turn.state.banners[key].scattered)
        if bound:
            turn.emit(BattleDrawn(place.at, bound))
