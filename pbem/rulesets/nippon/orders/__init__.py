"""The orders of a Nippon campaign (NIP 4). ``str()`` of an order is the line that reads back as that order."""

from pbem.rulesets.nippon.orders.banners import BannerOrder, Fortify, Hold, Move, Raze, Recover, Scatter
from pbem.rulesets.nippon.orders.ships import Sail, Steer, Voyage
from pbem.rulesets.nippon.orders.spending import Build, Gift, Launch, Spending, Upgrade, Works
from pbem.rulesets.nippon.orders.talks import Answer, BreakPact, JudgeResult, Offer, ReportResult, UnitLoss

Order = (
    Hold
    | Move
    | Raze
    | Fortify
    | Recover
    | Scatter
    | Sail
    | Steer
    | Spending
    | BreakPact
    | Offer
    | Answer
    | ReportResult
    | JudgeResult
)
"""Everything a player may order in this campaign."""

__all__ = [
    "Answer",
    "BannerOrder",
    "BreakPact",
    "Build",
    "Fortify",
    "Gift",
    "Hold",
    "JudgeResult",
    "Launch",
    "Move",
    "Offer",
    "Order",
    "Raze",
    "Recover",
    "ReportResult",
    "Sail",
    "Scatter",
    "Spending",
    "Steer",
    "UnitLoss",
    "Upgrade",
    "Voyage",
    "Works",
]
