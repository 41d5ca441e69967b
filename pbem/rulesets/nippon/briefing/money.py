"""Money, with its arithmetic and every die."""

from collections import Counter
from collections.abc import Iterator, Sequence

from pbem.core.report import Block, Section, Table, Text
from pbem.core.ruleset import Material
from pbem.core.turn import Entry
from pbem.core.wording import listed
from pbem.rulesets.nippon.briefing.chronicle import Chronicle, position_before
from pbem.rulesets.nippon.briefing.telling import shown
from pbem.rulesets.nippon.events import (
    Built,
    GiftPaid,
    ItemBought,
    ItemSold,
    Launched,
    Produced,
    RazingPaid,
    Recruited,
    Reinforced,
    StandardBought,
    TermsPaid,
    TreasureFound,
    Upgraded,
)
from pbem.rulesets.nippon.items import ITEMS


def money(material: Material, chronicle: Chronicle) -> Section:
    """What every section paid, and the sum; for the public what each realm was paid by its land."""
    blocks = _public(material, chronicle) if material.seat is None else _own(material, chronicle, material.seat)
    return Section("money", "Money", tuple(blocks))


def _own(material: Material, chronicle: Chronicle, seat: str) -> Iterator[Block]:
    rows = [row for entry in chronicle.payments for row in _row(material, entry, seat)]
    if rows:
        yield Table(("From", "Reckoning", "#pp"), tuple((origin, how, f"{pp:+,}") for origin, how, pp in rows))
    yield Text(_sum(material, seat, [pp for _, _, pp in rows]))
    yield from _markets(material, seat)


def _markets(material: Material, seat: str) -> Iterator[Block]:
    """What the merchant cities have in which the reader's banners stand."""
    position = material.after.position
    for at in sorted({banner.at for banner in position.banners_of(seat)}):
        if stock := position.sections[at].stock:
            goods = ", ".join(f"{name} ({left} at {ITEMS[name].price})" for name, left in stock)
            yield Text(f"For sale in {material.after.place(at)}: {goods}.")


def _row(material: Material, entry: Entry, seat: str) -> Iterator[tuple[str, str, int]]:
    """What a payment meant for a realm's treasury: origin, reckoning, pp."""
    event, view = entry.event, material.after
    if isinstance(event, Produced) and event.realm == seat:
        yield view.place(event.at), reckoning(material, event), event.pp
    elif isinstance(event, RazingPaid) and event.realm == seat:
        yield view.place(event.at), "razed", event.pp
    elif isinstance(event, TermsPaid) and event.payee == seat:
        yield view.realm(event.payer), f"terms P{event.number}", event.pp
    elif isinstance(event, TermsPaid) and event.payer == seat:
        yield view.realm(event.payee), f"terms P{event.number}", -event.pp
    elif isinstance(event, TreasureFound) and event.realm == seat:
        yield view.place(event.at), "treasure of the lair", event.pp
    elif isinstance(event, GiftPaid) and event.taker == seat:
        yield view.realm(event.giver), "a gift", event.pp
    elif isinstance(event, GiftPaid) and event.giver == seat:
        yield view.realm(event.taker), "your gift", -event.pp
    elif isinstance(event, Recruited) and event.realm == seat:
        yield view.place(event.at), event.unit.name, -event.pp
    elif isinstance(event, Reinforced) and event.realm == seat:
        yield view.place(event.at), f"{event.models} for {event.unit}", -event.pp
    elif isinstance(event, StandardBought) and event.realm == seat:
        yield view.place(event.at), f"a standard for {event.unit}", -event.pp
    elif isinstance(event, Built) and event.realm == seat:
        yield view.place(event.at), event.what, -event.pp
    elif isinstance(event, ItemBought) and event.realm == seat:
        yield view.place(event.at), event.item, -event.pp
    elif isinstance(event, ItemSold) and event.realm == seat:
        yield view.place(event.at), f"{event.item}, sold", event.pp
    elif isinstance(event, Upgraded) and event.realm == seat:
        yield view.place(event.at), f"upgrade to {event.to}", -event.pp
    elif isinstance(event, Launched) and event.realm == seat:
        yield view.place(event.at), f"{event.kind} {listed(event.names)}", -event.pp


def reckoning(material: Material, event: Produced) -> str:
    """``10 x (die 4 + village 1)``."""
    signed = (f"{'-' if value < 0 else '+'} {source} {abs(value)}" for source, value in event.parts)
    pips = " ".join(signed).removeprefix("+ ")
    halved = f", D3: {event.halved}" if event.halved else ""
    swarm = f" + Swarm {event.swarm:,}" if event.swarm else ""
    return f"{material.after.position.options.pp_per_pip} x ({pips}){halved}{swarm}"


def _sum(material: Material, seat: str, payments: Sequence[int]) -> str:
    """The treasury before, what came and went, and the treasury now; what is not accounted for is said so."""
    before = position_before(material).realms[seat].treasury
    after = material.after.position.realms[seat].treasury
    gained, paid = sum(pp for pp in payments if pp > 0), -sum(pp for pp in payments if pp < 0)
    other = after - before - gained + paid
    if not payments and not other:
        return f"Your treasury holds {after:,} pp, as before."
    parts = [f"{before:,} + {gained:,}", *([f"- {paid:,}"] if paid else [])]
    parts += [f"{other:+,} otherwise"] if other else []
    return f"Your treasury: {' '.join(parts)} = {after:,} pp."


def _public(material: Material, chronicle: Chronicle) -> Iterator[Block]:
    paid = income(chronicle)
    if paid:
        rows = tuple(
            (realm.name, str(len(material.after.position.held_by(seat))), f"{paid[seat]:,}")
            for seat, realm in sorted(material.after.position.realms.items())
        )
        yield Text("What the land paid. Treasuries are secret.")
        yield Table(("Realm", "#Sections", "#pp"), rows)
        yield Table(("Section", "Realm", "Dice", "#pp"), tuple(_payments(material, chronicle)))


def _payments(material: Material, chronicle: Chronicle) -> Iterator[tuple[str, str, str, str]]:
    view = material.after
    for entry in chronicle.payments:
        if isinstance(entry.event, Produced | RazingPaid):
            dice = ", ".join(shown(entry.rolls)) or "razed"
            yield view.place(entry.event.at), view.realm(entry.event.realm), dice, f"{entry.event.pp:,}"


def income(chronicle: Chronicle) -> Counter[str]:
    """What their land paid the realms, by seat: it is public, what realms pay each other is not."""
    paid: Counter[str] = Counter()
    for entry in chronicle.payments:
        if isinstance(entry.event, Produced | RazingPaid):
            paid[entry.event.realm] += entry.event.pp
    return paid
