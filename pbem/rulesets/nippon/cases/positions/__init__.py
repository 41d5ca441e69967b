"""Positions in words: ``map 1-2-3``, ``section 2 mountains river``, ``banner A Red at 1 M 8``."""

from pbem.core.trials import Vocabulary
from pbem.rulesets.nippon.cases.positions.banners import BANNER_MARKS, BANNERS, UNIT_MARKS
from pbem.rulesets.nippon.cases.positions.land import LAND, SECTION_MARKS
from pbem.rulesets.nippon.cases.positions.realms import REALM_MARKS, REALMS
from pbem.rulesets.nippon.cases.positions.ships import SHIPS

POSITION = Vocabulary(LAND, REALMS, BANNERS, SHIPS)
"""All the phrases that describe a position."""

__all__ = ["BANNER_MARKS", "POSITION", "REALM_MARKS", "SECTION_MARKS", "UNIT_MARKS"]
