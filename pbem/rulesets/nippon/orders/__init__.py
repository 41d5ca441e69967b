"""The orders of a Nippon campaign (NIP 4). ``str()`` of an order is the line that reads back as that order."""

from pbem.rulesets.nippon.orders.ballots import Ballot, Propose, Vote
from pbem.rulesets.nippon.orders.banners import (
    BannerOrder,
    ForcedMarch,
    Fortify,
    Going,
    Hold,
    Move,
    Portal,
    Raze,
    Recover,
    Scatter,
    Underground,
)
from pbem.rulesets.nippon.orders.beginning import Beginning, Enlist, Enter, NameBanners, Prefer
from pbem.rulesets.nippon.orders.dates import (
    AgreeDate,
    Arranging,
    Cannot,
    Contact,
    NameDeputy,
    ProposeDate,
    Volunteer,
)
from pbem.rulesets.nippon.orders.departures import Readmit, Withdraw
from pbem.rulesets.nippon.orders.items import Drink, Handling, HandOver, Quaff, Scry
from pbem.rulesets.nippon.orders.preferences import Alone, Preference, Retreat, SetPlan
from pbem.rulesets.nippon.orders.regrouping import THE_RESERVE, Appoint, Form, Join, Regrouping, Rename, Transfer
from pbem.rulesets.nippon.orders.ships import Sail, Steer, Voyage
from pbem.rulesets.nippon.orders.spending import (
    Build,
    Buy,
    BuyStandard,
    Gift,
    Launch,
    Recruit,
    Reinforce,
    Sell,
    Spending,
    Trade,
    Upgrade,
    Works,
)
from pbem.rulesets.nippon.orders.talks import (
    Answer,
    AskAutomatic,
    AskDiceOff,
    BreakPact,
    Defend,
    JudgeResult,
    Offer,
    ReportResult,
    Ruling,
    UnitLoss,
)

Claiming = Hold | Going | Sail
"""Orders after which a banner takes the section where it ends, unless it is not to (NIP 6.6)."""

Order = (
    Prefer
    | NameBanners
    | Enlist
    | Hold
    | Move
    | ForcedMarch
    | Raze
    | Fortify
    | Recover
    | Scatter
    | Underground
    | Portal
    | Sail
    | Steer
    | Form
    | Transfer
    | Join
    | Rename
    | Appoint
    | Alone
    | Retreat
    | Preference
    | SetPlan
    | Spending
    | HandOver
    | Drink
    | Quaff
    | Scry
    | BreakPact
    | Defend
    | Offer
    | Answer
    | AskAutomatic
    | AskDiceOff
    | ReportResult
    | JudgeResult
    | ProposeDate
    | AgreeDate
    | Cannot
    | NameDeputy
    | Contact
    | Volunteer
    | Ballot
)
"""Everything a player may order in this campaign."""

ByHand = Enter | Withdraw | Readmit | Ruling
"""What no player can order: the host does, for whoever joins, and the organizer."""

__all__ = [
    "THE_RESERVE",
    "AgreeDate",
    "Alone",
    "Answer",
    "Appoint",
    "Arranging",
    "AskAutomatic",
    "AskDiceOff",
    "Ballot",
    "BannerOrder",
    "Beginning",
    "BreakPact",
    "Build",
    "Buy",
    "BuyStandard",
    "ByHand",
    "Cannot",
    "Claiming",
    "Contact",
    "Defend",
    "Drink",
    "Enlist",
    "Enter",
    "ForcedMarch",
    "Form",
    "Fortify",
    "Gift",
    "Going",
    "HandOver",
    "Handling",
    "Hold",
    "Join",
    "JudgeResult",
    "Launch",
    "Move",
    "NameBanners",
    "NameDeputy",
    "Offer",
    "Order",
    "Portal",
    "Prefer",
    "Preference",
    "Propose",
    "ProposeDate",
    "Quaff",
    "Raze",
    "Readmit",
    "Recover",
    "Recruit",
    "Regrouping",
    "Reinforce",
    "Rename",
    "ReportResult",
    "Retreat",
    "Ruling",
    "Sail",
    "Scatter",
    "Scry",
    "Sell",
    "SetPlan",
    "Spending",
    "Steer",
    "Trade",
    "Transfer",
    "Underground",
    "UnitLoss",
    "Upgrade",
    "Volunteer",
    "Vote",
    "Voyage",
    "Withdraw",
    "Works",
]
