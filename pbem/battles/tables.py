"""The numbers of the resolver, read once from ``br1.toml``, in the order of that file."""

import tomllib
from importlib.resources import files
from typing import Any

_DATA: dict[str, Any] = tomllib.loads((files("pbem.battles") / "br1.toml").read_text(encoding="utf-8"))

VERSION: str = _DATA["version"]
"""Of the data; a battle fought with other numbers is another battle, and the report of their balance says so."""

# --- conversion ---------------------------------------------------------------------------------------------------

_CONVERSION = _DATA["conversion"]
MOST_SKILL: int = _CONVERSION["most_skill"]
MOST_DEFENCE: int = _CONVERSION["most_defence"]
MISSILE_RANGE: int = _CONVERSION["missile_range"]
MACHINE_RANGE: int = _CONVERSION["machine_range"]
INCHES_PER_BAND: int = _CONVERSION["inches_per_band"]
BANDS: int = _CONVERSION["bands"]
QUICK_INITIATIVE: int = _CONVERSION["quick_initiative"]
FAST: int = _CONVERSION["fast"]
FRONTAGE: dict[str, int] = _DATA["frontage"]
PROFILES: list[dict[str, Any]] = _DATA["profiles"]

# --- plans --------------------------------------------------------------------------------------------------------

_PLANS = _DATA["plans"]
MOST_IN_LANE: int = _PLANS["most_in_lane"]
RETREAT: int = _PLANS["retreat"]
FLANK_ROUND: int = _PLANS["flank_round"]
FAST_FLANK_ROUND: int = _PLANS["fast_flank_round"]
RESERVE_ROUND: int = _PLANS["reserve_round"]
SALLY_ROUND: int = _PLANS["sally_round"]
HOLD_SHIFT_ROUND: int = _PLANS["hold_shift_round"]

# --- the fight ----------------------------------------------------------------------------------------------------

LEAST_ROUNDS: int = _DATA["length"]["least"]
MOST_ROUNDS: int = _DATA["length"]["most"]
POINTS_PER_ROUND: int = _DATA["length"]["points"]
DAY_DIFFERENCE: int = _DATA["day"]["difference"]

_SHOOTING = _DATA["shooting"]
MODELS_PER_SHOT: int = _SHOOTING["models_per_shot"]
MACHINE_SHOTS: int = _SHOOTING["machine_shots"]
MACHINE_WOUNDS: int = _SHOOTING["machine_wounds"]
FAR_BAND: int = _SHOOTING["far_band"]
FAR: int = _SHOOTING["far"]
MOVED: int = _SHOOTING["moved"]
FOREST: int = _SHOOTING["forest"]
BEHIND: dict[str, int] = _SHOOTING["fort"]
PANIC_SHARE: int = _DATA["panic"]["share"]

_MELEE = _DATA["melee"]
RANK_FROM: int = _MELEE["rank_from"]
MODELS_PER_RANK_DIE: int = _MELEE["models_per_rank_die"]
MOST_RANK_DICE: int = _MELEE["most_rank_dice"]
WIDER: int = _MELEE["wider"]
BLOCK: int = _MELEE["block"]

_BREAKING = _DATA["breaking"]
LEAST_LIMIT: int = _BREAKING["least_limit"]
GENERAL_LEADS: int = _BREAKING["general"]
MOST_LEADERSHIP: int = _BREAKING["most_leadership"]
BREAK_STEPS: list[int] = _BREAKING["steps"]

# --- the result ---------------------------------------------------------------------------------------------------

_RESULT = _DATA["result"]
FLED_KEEPS: int = _RESULT["fled_keeps"]
FOR_ROUT: int = _RESULT["rout"]
FOR_GENERAL: int = _RESULT["general"]
FOR_STANDARD: int = _RESULT["standard"]
MINOR: int = _RESULT["minor"]
SOLID: int = _RESULT["solid"]
MASSACRE: int = _RESULT["massacre"]
MUSICIAN_LIVES: int = _RESULT["musician"]
