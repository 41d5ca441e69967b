"""What a reported result says of the units in a battle, and what in it is odd (NIP 8.5)."""

from collections.abc import Iterable, Iterator

from pbem.core.wording import listed
from pbem.rulesets.nippon.engagements import asked, battle, uncontradicted
from pbem.rulesets.nippon.orders import ReportResult, UnitLoss
from pbem.rulesets.nippon.results import as_told, combatants, combined, fielded, fitting, leaves_out, read_result
from pbem.rulesets.nippon.state import GARRISON, LAIR, Loss, Meeting, seat_of
from pbem.rulesets.nippon.tabletop import voice
from pbem.rulesets.nippon.view import View

LIGHT, HEAVY = 1 / 4, 1 / 2
"""Shares of its models that a side has lost: less than this is little for who was beaten, more much for who was not."""


def put_late(view: View, realm: str, order: ReportResult) -> str:
    """What becomes of a result that a realm reports when the disputes of its battle have begun, unless all confirm it:
    who reports another than somebody else did disputes that."""
    meeting = view.position.meetings[order.at]
    told, before = read_result(view.position, meeting, realm, order), uncontradicted(view.position, meeting)
    disputes = realm in asked(view.position, meeting) and fitting(view.position, meeting, realm, told) is None
    if before is None or disputes:
        return "counts only if they confirm it"
    return f"counts only if they confirm it; else {as_told(view.position, meeting.at, before)}, as reported before"


def unread(view: View, order: ReportResult) -> Iterator[str]:
    """Notes on a result that would agree to what another has told, but for losses of the reader's own side."""
    meeting = view.position.meetings[order.at]
    seat, standing = voice(view.position, order.at, view.seat or ""), meeting.next.result
    if standing is None or seat not in asked(view.position, meeting):
        return
    result = read_result(view.position, meeting, seat, order)
    if combined(standing, result) and leaves_out(view.position, meeting, seat, result):
        whole = f"result {order.at}: {as_told(view.position, order.at, standing)}"
        teller = view.realm(standing.by)
        yield f"does not confirm what {teller} told, which names losses of your side: for that send {whole}"


def losses_told(view: View, order: ReportResult) -> Iterator[str]:
    """Notes on a result: the losses, the units of which nothing is said, and what does not fit together."""
    meeting = view.position.meetings[order.at]
    there = [*combatants(view.position, meeting)]
    hurt = [f"{_whose(view, key)} {change}" for key, change in changes(view, meeting, order.losses)]
    yield from hurt
    if hurt:
        yield "who neither stands nor fled is at 0 wounds, and will be tested"
    else:
        yield "nobody was lost on either side? If that is not so, send the result again with each unit that lost models"
    named = {line.of for line in order.losses}
    missing = (
        [] if not hurt else [(key, unit) for key, unit in there if unit.standing and (key, unit.name) not in named]
    )
    if missing:
        names = listed(f"{_whose(view, key)} {unit.name}" for key, unit in missing)
        yield f"without losses, for you do not name them: {names}; if they lost models, send all units again"
    yield from _oddities(view, order)


def changes(view: View, meeting: Meeting, lines: Iterable[UnitLoss]) -> Iterator[tuple[str, str]]:
    """What a battle did to each unit that did not come through whole: whose it is, and ``Knights 10 -> 3, 4 fled``."""
    models = {(key, unit.name): unit.standing for key, unit in combatants(view.position, meeting)}
    for line in lines:
        name, before = line.loss.unit, models[line.of]
        if line.loss != Loss(name, before):
            yield line.banner, f"{name} {before} -> {line.told.removeprefix(f'{name} ')}"


def _whose(view: View, key: str) -> str:
    return f"the {key}'s" if key in (GARRISON, LAIR) else f"{view.realm(seat_of(key))}'s"


def _oddities(view: View, order: ReportResult) -> Iterator[str]:
    """Warnings: winner and degree against losses. Such a result counts all the same: stranger things have happened."""
    attackers, defenders = battle(view.position, view.position.meetings[order.at])
    shares = {side: _lost(order, view, side) for side in (attackers, defenders)}
    if not order.winner:
        for side, share in shares.items():
            if share > HEAVY:
                yield f"odd for a draw: {_percent(view, side, share)}"
        return
    won = attackers if order.winner in attackers else defenders
    lost = defenders if won == attackers else attackers
    if shares[won] > shares[lost]:
        yield f"odd: {_percent(view, won, shares[won])}, the beaten only {shares[lost]:.0%}"
    elif order.degree == "massacre" and shares[lost] < LIGHT:
        yield f"odd for a massacre: {_percent(view, lost, shares[lost])}"


def _percent(view: View, side: tuple[str, ...], share: float) -> str:
    return f"{listed(map(view.realm, side))} lost {share:.0%} of the models"


def _lost(order: ReportResult, view: View, side: tuple[str, ...]) -> float:
    """The share of its models that a side has no longer on the table."""
    left = {line.of: line.loss.models for line in order.losses}
    own = [*fielded(view.position, view.position.meetings[order.at], side)]
    before = sum(unit.standing for _, unit in own)
    return sum(unit.standing - left.get((key, unit.name), unit.standing) for key, unit in own) / max(before, 1)
