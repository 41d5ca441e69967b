"""Chapter 10, production: what every section pays."""

from string import ascii_lowercase
from typing import Literal

from pbem.core.turn import Turn, rule
from pbem.rulesets.nippon.events import MineFailing, MineRanOut, Produced, RazingPaid
from pbem.rulesets.nippon.handling import swarm
from pbem.rulesets.nippon.headquarters import lacks_headquarters, site_for
from pbem.rulesets.nippon.state import State
from pbem.rulesets.nippon.tables import (
    FAILING_ONES,
    HALVED_PAY_DIE,
    MINE_DICE,
    PAY_DIE,
    PORT_DIE,
    SITE_PAY,
    TAVERN_PAY,
    people,
)

Parts = tuple[tuple[str, int], ...]
"""What a sum is made of: sources and pips."""


Halving = Literal["", "snow", "no headquarters"]
"""Why the die of a section is a D3, if it is."""


@rule("10", "Production")
def production(turn: Turn[State]) -> None:
    """Every controlled section pays its controller; what was razed this turn pays once more, and pays for it."""
    for at, realm in payees(turn.state).items():
        roll = mine if turn.state.sections[at].site == "gold mine" else section
        roll(turn, at, realm)
    for razing in turn.state.pending.razed:
        with turn.citing("7.1"):
            turn.emit(RazingPaid(razing.at, razing.paid, razing.pp))


def payees(state: State) -> dict[int, str]:
    """Whom each section pays, by number: who controls it, or did until it was razed this turn (NIP 7.1).

    What changed hands by battle pays nobody.
    """
    razed = {razing.at: razing.held_by for razing in state.pending.razed}
    held = {at: section.controller or razed.get(at, "") for at, section in sorted(state.sections.items())}
    return {at: realm for at, realm in held.items() if realm and state.sections[at].taken != state.turn}


def section(turn: Turn[State], at: int, realm: str) -> None:
    """An ordinary section or a settlement: a die, and what its site adds."""
    halved = poor(turn.state, at, realm)
    die = turn.roll(f"production {at}", HALVED_PAY_DIE if halved else PAY_DIE)
    parts = (("die", die), *fixtures(turn.state, at, realm))
    if turn.state.port(at):
        parts += (("port", turn.roll(f"port {at}", PORT_DIE)),)
    parts += by_people(turn.state, at, realm)
    pay(turn, at, realm, parts, halved)


def pay(turn: Turn[State], at: int, realm: str, parts: Parts, halved: Halving = "") -> None:
    """What a section pays for its pips, one at least; a Banner of the Swarm adds to it (NIP 14.6)."""
    pp = max(1, sum(pips for _, pips in parts)) * turn.state.options.pp_per_pip
    more = swarm(turn.state, at, realm, pp)
    turn.emit(Produced(at, realm, parts, pp + more, halved, more))


def poor(state: State, at: int, realm: str) -> Halving:
    """Why the die of a section is a D3, if it is; one reason is enough."""
    if state.place(at).snow:
        return "snow"
    return "no headquarters" if lacks_headquarters(state, realm) else ""


def fixtures(state: State, at: int, realm: str) -> Parts:
    """What the site adds, and its tavern."""
    site = site_for(state, at, realm)
    parts: Parts = ((site, SITE_PAY[site]),) if site in SITE_PAY else ()
    return (*parts, ("tavern", TAVERN_PAY)) if "tavern" in state.sections[at].buildings else parts


def by_people(state: State, at: int, realm: str) -> Parts:
    """What the realm's people makes of a section, once for all its dice (NIP 12)."""
    army = state.realms[realm].army
    traits = people(army)
    pay = traits.pay_at_home if state.place(at).terrain == traits.at_home_in else traits.pay
    return ((army, pay),) if pay else ()


def mine(turn: Turn[State], at: int, realm: str) -> None:
    """A gold mine; two or more ones, and it runs out as many turns later as the highest die says."""
    state = turn.state
    dice = [turn.roll(f"mine {at} {letter}") for letter in ascii_lowercase[:MINE_DICE]]
    parts = (*(("mine", die) for die in dice), *by_people(state, at, realm))
    pay(turn, at, realm, parts)
    last = state.turn + max(dice) - 1
    if dice.count(1) >= FAILING_ONES and (last < state.sections[at].mine_ends or not state.sections[at].mine_ends):
        turn.emit(MineFailing(at, last))


@rule("10", "Production")
def exhaust_mines(turn: Turn[State]) -> None:
    """A mine whose last turn this was is an ordinary section from the next on, whoever holds it."""
    for at in sorted(turn.state.sections):
        if 0 < turn.state.sections[at].mine_ends <= turn.state.turn:
            turn.emit(MineRanOut(at))
