"""The orders of a Nippon campaign (NIP 4). ``str()`` of an order is the line that reads back as that order."""

from pbem.rulesets.nippon.orders.banners import BannerOrder, Fortify, Hold, Move, Raze, Recover, Scatter
from pbem.rulesets.nippon.orders.regrouping import RESERVE, Appoint, Form, Join, Regrouping, Rename, Transfer
from pbem.rulesets.nippon.orders.ships import Sail, Steer, Voyage
from pbem.rulesets.nippon.orders.spending import Build, Gift, Launch, Recruit, Reinforce, Spending, Upgrade, Works
from pbem.rulesets.nippon.orders.talks import (
    Answer,
    AskAutomatic,
    BreakPact,
    JudgeResult,
    Offer,
    ReportResult,
    UnitLoss,
)

Order = (
    Hold
    | Move
    | Raze
    | Fortify
    | Recover
    | Scatter
    | Sail
    | Steer
    | Form
    | Transfer
    | Join
    | Rename
    | Appoint
    | Spending
    | BreakPact
    | Offer
    | Answer
    | AskAutomatic
    | ReportResult
    | JudgeResult
)
"""Everything a player may order in this campaign."""

__all__ = [
    "RESERVE",
    "Answer",
    "Appoint",
    "AskAutomatic",
    "BannerOrder",
    "BreakPact",
    "Build",
    "Form",
    "Fortify",
    "Gift",
    "Hold",
    "Join",
    "JudgeResult",
    "Launch",
    "Move",
    "Offer",
    "Order",
    "Raze",
    "Recover",
    "Recruit",
    "Regrouping",
    "Reinforce",
    "Rename",
    "ReportResult",
    "Sail",
    "Scatter",
    "Spending",
    "Steer",
    "Transfer",
    "UnitLoss",
    "Upgrade",
    "Voyage",
    "Works",
]
