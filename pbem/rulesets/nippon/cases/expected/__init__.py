"""What should come out of a rule case; each phrase answers with what came instead, or nothing."""

from pbem.core.trials import Vocabulary
from pbem.rulesets.nippon.cases.expected.banners import BANNERS
from pbem.rulesets.nippon.cases.expected.campaign import CAMPAIGN
from pbem.rulesets.nippon.cases.expected.realms import REALMS
from pbem.rulesets.nippon.cases.expected.sections import SECTIONS
from pbem.rulesets.nippon.cases.expected.ships import SHIPS

EXPECTED = Vocabulary(BANNERS, SECTIONS, REALMS, SHIPS, CAMPAIGN)
"""All of them."""
