"""Battles that nobody plays: two sides of units go in, an outcome comes out (resolver ``BR-1``).

Any rule system may use it. It is pure: data and dice in, an :class:`Outcome` out; all numbers are whole.
Beside ``BR-1/2`` stands the flag ``heroic`` of units; without it nothing is changed.

==========================  ==========================================================
file                        what it holds
==========================  ==========================================================
``magic_seven.py``          the roll that decides everything: skill and die reach seven
``model.py``                what goes in and what comes out
``br1.toml``, ``tables.py``  every number, version ``BR-1/2``
``conversion.py``           from a unit's profile to its values in battle
``plans.py``                the sides' secret plans, and what holds without one
``writing.py``              plans in words
``field.py``                who stands where while it lasts
``approach.py``             step 1 of a round: arrivals, shifts, the advance
``shooting.py``             step 2a: shooting and panic
``melee.py``                steps 2b and 2c: quick and normal blows
``breaking.py``             step 4: who breaks, is pursued, withdraws
``result.py``               who won, how clearly, and what is left
``resolver.py``             :func:`fight`: the rounds in their order
==========================  ==========================================================
"""

from pbem.battles.model import (
    LANES,
    Account,
    Arrival,
    Battle,
    Class,
    End,
    Flag,
    Fort,
    Ground,
    Lane,
    LaneAccount,
    LeadershipTest,
    Margin,
    Order,
    Outcome,
    Plan,
    Policy,
    Profile,
    Role,
    Side,
    Station,
    Unit,
    UnitOutcome,
)
from pbem.battles.plans import Placed, drawn_up, together
from pbem.battles.resolver import fight
from pbem.battles.tables import LEAST_ROUNDS, MOST_IN_LANE, MOST_ROUNDS, RETREAT, VERSION
from pbem.battles.writing import LANE_NAMES, placings, policies, written

__all__ = [
    "LANES",
    "LANE_NAMES",
    "LEAST_ROUNDS",
    "MOST_IN_LANE",
    "MOST_ROUNDS",
    "RETREAT",
    "VERSION",
    "Account",
    "Arrival",
    "Battle",
    "Class",
    "End",
    "Flag",
    "Fort",
    "Ground",
    "Lane",
    "LaneAccount",
    "LeadershipTest",
    "Margin",
    "Order",
    "Outcome",
    "Placed",
    "Plan",
    "Policy",
    "Profile",
    "Role",
    "Side",
    "Station",
    "Unit",
    "UnitOutcome",
    "drawn_up",
    "fight",
    "placings",
    "policies",
    "together",
    "written",
]
