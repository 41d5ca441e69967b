"""The position of a Nippon campaign (NIP 1). Everything but the top is frozen; only events make new values."""

from pbem.rulesets.nippon.state.ballots import Proposal
from pbem.rulesets.nippon.state.index import Indexed, having
from pbem.rulesets.nippon.state.land import Realm, Section, counted_machines, known_as
from pbem.rulesets.nippon.state.meetings import (
    DEFENCE,
    GARRISON,
    LAIR,
    RESERVE,
    UNREPORTED,
    Assault,
    Bout,
    Degree,
    Engagement,
    Loss,
    Losses,
    Meeting,
    Pact,
    PactKind,
    Result,
    Statement,
    Terms,
    Verdict,
    assault_key,
    by_corps,
    spawn_key,
)
from pbem.rulesets.nippon.state.options import Options
from pbem.rulesets.nippon.state.position import State, changed
from pbem.rulesets.nippon.state.preferences import Preferences, rank
from pbem.rulesets.nippon.state.ships import Ship, ShipKind
from pbem.rulesets.nippon.state.turns import March, Pending, Razing, Scrying
from pbem.rulesets.nippon.state.units import Banner, Profile, Steed, Toll, Tunnel, Unit, name_of, seat_of

__all__ = [
    "DEFENCE",
    "GARRISON",
    "LAIR",
    "RESERVE",
    "UNREPORTED",
    "Assault",
    "Banner",
    "Bout",
    "Degree",
    "Engagement",
    "Indexed",
    "Loss",
    "Losses",
    "March",
    "Meeting",
    "Options",
    "Pact",
    "PactKind",
    "Pending",
    "Preferences",
    "Profile",
    "Proposal",
    "Razing",
    "Realm",
    "Result",
    "Scrying",
    "Section",
    "Ship",
    "ShipKind",
    "State",
    "Statement",
    "Steed",
    "Terms",
    "Toll",
    "Tunnel",
    "Unit",
    "Verdict",
    "assault_key",
    "by_corps",
    "changed",
    "counted_machines",
    "having",
    "known_as",
    "name_of",
    "rank",
    "seat_of",
    "spawn_key",
]
