"""Seats without a person: the server writes their cards itself, from what the seat may see."""

import hmac
import logging

from pbem.core.dice import Dice
from pbem.core.orders import Line
from pbem.service.host import Game, Host, game
from pbem.service.incoming import act
from pbem.service.incoming.filing import Desk, file_card
from pbem.storage.tables import Letter, Seat, number_of
from pbem.storage.unit import Unit

log = logging.getLogger(__name__)

MOST_CARDS = 4
"""After so many cards in one stage a robot has said all it will say: two robots cannot talk for ever."""


def play_robots(host: Host) -> int:
    """File a card for every robot seat that is awaited and has none; how many. A robot that fails sends none."""
    with host.reading() as unit:
        robots = [number_of(seat) for seat in unit.campaigns.robots()]
    return sum(_try(host, seat_id) for seat_id in robots)


def _try(host: Host, seat_id: int) -> bool:
    """Let a robot send a card, if it has something to say; whether it did."""
    with host.unit() as unit:
        seat = unit.campaigns.seat(seat_id)
        try:
            found = game(host, unit, unit.campaigns.get(seat.campaign_id))
            if found is None or not _idle(host, unit, found, seat):
                return False
            _play(host, unit, found, seat)
            unit.commit()
        except Exception:
            log.exception("the robot %s sent no card", seat.name)
            return False
        return True


def _idle(host: Host, unit: Unit, found: Game, seat: Seat) -> bool:
    """Whether a robot has something to say: nothing yet, or not since somebody did something."""
    if unit.letters.known(_hash(host, _content(found, seat))):
        return False
    awaited = seat.code in found.rules.stage(found.state).awaiting
    last = unit.submissions.last(found.stage, seat)
    if not awaited or (last and last.version >= MOST_CARDS):
        return False
    return last is None or last.created_at < found.turn.resolved_at


def _play(host: Host, unit: Unit, found: Game, seat: Seat) -> None:
    desk = Desk(host, unit, found, seat, _letter(host, unit, found, seat))
    card = robot_card(host, found, seat)
    again = ["REPLACE ALL"] if unit.submissions.last(found.stage, seat) else []  # It may have ordered something else.
    lines = [Line(number, text) for number, text in enumerate([*again, *card.splitlines(), "FINAL"], 1)]
    filed = file_card(desk, desk.sort_out(lines))
    if filed.acts:
        act.carry_out(desk, filed.acts)


def robot_card(host: Host, found: Game, seat: Seat) -> str:
    """What a robot would order for a seat now; the same position gives the same card."""
    what = f"{found.campaign.name}\n{seat.code}\n{found.turn.number}"
    dice = Dice(hmac.digest(host.key, what.encode(), "sha256"))
    return found.rules.robot(found.rules.view(found.state, seat.code), dice)


def _letter(host: Host, unit: Unit, found: Game, seat: Seat) -> Letter:
    """The record of a robot's card: it has no sender, and its content is the step it was written for."""
    content = _content(found, seat)
    return unit.letters.add(
        Letter(
            content_hash=_hash(host, content),
            received_at=host.clock(),
            stored_at=host.clock(),
            route="robot",
            recipients=[],
            sender="",
            subject=content,
            message_id="",
            raw=content.encode(),
            status="filed",
            note="a robot's card",
            campaign_id=number_of(found.campaign),
            seat_id=number_of(seat),
        )
    )


def _content(found: Game, seat: Seat) -> str:
    return f"robot {found.campaign.name} {seat.code} {found.turn.number}"


def _hash(host: Host, content: str) -> str:
    """Nobody who does not know the key can tell it in advance: it has a part in the dice."""
    return hmac.digest(host.key, content.encode(), "sha256").hex()
