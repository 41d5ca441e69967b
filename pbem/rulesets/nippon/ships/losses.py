"""What becomes of ships that fall to an enemy: beaten at sea, or in a port that changed hands (NIP 11.4)."""

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.events import Scattered, ShipFled, ShipLost, ShipTaken
from pbem.rulesets.nippon.ships.fleet import sea_way
from pbem.rulesets.nippon.ships.harbours import berths, unused_name
from pbem.rulesets.nippon.state import Meeting, Ship, State
from pbem.rulesets.nippon.tables import TAKEN_FROM


@rule("11.4", "Ships")
def seize_stormed(turn: Turn[State]) -> None:
    """With a port that was won in battle its ships fall: a pact agreed meanwhile begins after the battles (NIP 8.2)."""
    for key, ship in in_hostile_ports(turn.state):
        if turn.state.sections[ship.at].taken == turn.state.turn:
            strike(turn, key, turn.state.sections[ship.at].controller)


@rule("11.4", "Ships")
def seize(turn: Turn[State]) -> None:
    """Ships that lie in a port which is now an enemy's are taken, or burnt."""
    for key, ship in in_hostile_ports(turn.state):
        strike(turn, key, turn.state.sections[ship.at].controller)


def in_hostile_ports(state: State) -> list[tuple[str, Ship]]:
    """The ships that lie where an enemy of their realm rules, by key."""
    ships = [(key, ship, state.sections[ship.at].controller) for key, ship in sorted(state.ships.items())]
    return [(key, ship) for key, ship, holder in ships if holder and state.hostile(holder, ship.realm)]


@rule("11.4", "Ships")
def flee(turn: Turn[State]) -> None:
    """The ships of those who were beaten at sea: with troops they make for a port, without they are taken or sunk."""
    for at in turn.state.battles:
        meeting = turn.state.meetings[at]
        for ship in turn.state.ships_at(at):
            if turn.state.place(at).ocean and ship.realm in meeting.beaten:
                escape(turn, ship, meeting)


def escape(turn: Turn[State], ship: Ship, meeting: Meeting) -> None:
    """A beaten ship runs for the nearest port, if it has troops to save; who was massacred takes to the boats."""
    bout = next(bout for bout in meeting.fought if ship.realm in bout.losers)
    troops = turn.state.aboard(ship.key)
    refuge = 0 if bout.result.degree == "massacre" else haven(turn.state, ship)
    if troops and refuge:
        turn.emit(ShipFled(ship.key, ship.at, refuge))
        return
    for banner in troops:
        turn.emit(Scattered(banner.key, banner.at))
    strike(turn, ship.key, captor(turn.state, meeting.at, bout.winners))


def haven(state: State, ship: Ship) -> int:
    """The nearest port of a ship's realm that has room, however far off; 0: there is none."""
    ports = [
        number
        for number in state.held_by(ship.realm)
        if not state.sections[number].razed and len(state.ships_at(number)) < berths(state, number)
    ]
    way = sea_way(state, ship, ports, longest=len(state.sections))
    return way[-1] if way else 0


def captor(state: State, at: int, winners: tuple[str, ...]) -> str:
    """Who of the winners takes what is taken: who has most ships there, then the first by letter."""
    ships = [ship.realm for ship in state.ships_at(at)]
    return min(winners, key=lambda seat: (-ships.count(seat), seat))


def strike(turn: Turn[State], key: str, by: str) -> None:
    """A die says whether an enemy takes a ship, or it is lost."""
    ship = turn.state.ships[key]
    if turn.roll(f"taken {key}") >= TAKEN_FROM:
        turn.emit(ShipTaken(key, ship.at, by, unused_name(turn.state, by, ship.name)))
    else:
        turn.emit(ShipLost(key, ship.at, by, "sunk" if turn.state.place(ship.at).ocean else "burnt"))
