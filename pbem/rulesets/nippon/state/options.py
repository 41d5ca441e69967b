"""The switches of a campaign."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Options:
    """The switches of a campaign that do something; the defaults are those of the rules."""

    setup: bool = False
    """The campaign begins with a stage in which players choose headquarters and armies (NIP 2)."""
    army_points: int = 2000
    foreign_rosters: bool = False
    """Rosters made for other games are let in (NIP 2.4)."""
    pp_per_pip: int = 10
    interception: bool = True
    flyers_ignore_difficult: bool = False
    battles: Literal["table", "auto"] = "table"
    """Who fights battles (NIP 8.3): the players on the table, or dice alone."""
    unfought: Literal["auto", "draw"] = "auto"
    """What becomes of a battle without a result (NIP 8.3)."""
    disputes: Literal["players", "organizer"] = "players"
    """Who settles a disputed result (NIP 8.5): the players alone, or the organizer if they do not; else dice do."""
    site_battles: Literal["auto", "table"] = "auto"
    """Who fights garrisons and what lives in lairs (NIP 8.9): dice alone, or players if one takes the defence."""
    garrisons: bool = True
    """Whether neutral sites have to be won from a garrison (NIP 8.7), and lairs have inhabitants (NIP 8.6)."""
    owned_sites_garrisoned: bool = True
    """Whether a realm's site that no banner guards has to be won too (NIP 6.6)."""
    withdrawn_turns: int = 3
    """Turns for which the banners of a realm that nobody plays any more stay on the map (NIP 13.1)."""
    end_turn: int = 0
    """The last turn; 0: none is set."""
    domination: float = 0.6
    allied_victory: bool = False
    season_turns: int = 4
    """After so many turns what all have agreed to change is changed (NIP 15.1)."""
    cost_percent: int = 100
    """Prices of buildings, upgrades and ships, of those in the book (NIP 11.8)."""
    gifts: Literal["any", "meetings"] = "any"
    """When realms may give each other production points (NIP 11.6): any turn, or only by terms when they meet."""
    fog: Literal["none", "adjacent"] = "none"
    """Whose banners a realm sees (NIP 17): all, or those in its own sections and next to its banners or sections."""
