"""Players do not agree on something, and the organizer settles it: he is told of it, and everybody of his ruling."""

from pbem.core.errors import NotNow
from pbem.core.ruleset import ORGANIZER
from pbem.service.host import Game, Host
from pbem.service.outgoing import news, overview
from pbem.service.stages.acts import take
from pbem.storage.tables import Letter
from pbem.storage.unit import Unit


def tell_of_new(host: Host, unit: Unit, before: Game, after: Game, letter: Letter) -> None:
    """Tell the organizer of the disputes that a player's letter has brought up, or said more of."""
    known = after.rules.disputes(before.state)
    found = [each for each in after.rules.disputes(after.state) if each not in known]
    new = [each.key for each in found if not overview.own(unit, after.campaign, each)]
    if new:
        topic = f"dispute about {', '.join(new)}"
        told = overview.overview(host, unit, after.campaign, topic=topic, besides=letter)
        overview.send(host, unit, after.campaign, told, f"disputes {after.turn.number}")


def rule(host: Host, unit: Unit, found: Game, words: str, who: str) -> str:
    """Settle a dispute by what the organizer says behind ``rule``; what came of it, in sentences.

    Raises ``NotNow`` if the rules do not let him, or if he plays a seat that has a part in it.
    """
    dispute, order = found.rules.ruling(found.state, words)
    if overview.own(unit, found.campaign, dispute):
        raise NotNow(f"You have a part in {dispute.key} yourself: nobody rules on his own matter")
    unit.campaigns.audit(found.campaign, host.clock(), who, f"ruled on {words}")
    after, log = take(host, unit, found, {ORGANIZER: (order,)})
    news.spread(host, unit, after, log, f"ruling on {dispute.key}")
    return " ".join((f"Your ruling on {dispute.key} counts.", *news.sentences(host, after, None, log)))
