"""What a guard is told of a game of Gate, and what a robot makes of it."""

from pbem.core.dice import Dice
from pbem.core.report import Form, Items, Map, Section, Text
from pbem.core.ruleset import Briefing, Material
from tests.toy.orders import form
from tests.toy.rules import stage
from tests.toy.state import State, View


def briefing(material: Material) -> Briefing:
    """In short, what happened, the hand, the table, the form."""
    after: View = material.after
    position = after.position
    headline = stage(position).title
    told = tuple((f"({entry.rule})", material.say(entry.event)) for entry in material.log)
    sections = [
        Section("short", "In short", (Text(f"{headline}. Rounds: {_rounds(position)}."),)),
        Section("events", "What happened", (Items(told) if told else Text("Nothing."),)),
        Section("table", "The table", (Map(f"On the table: {_table(after)}."),)),
    ]
    if after.seat:
        hand = " ".join(map(str, position.hands[after.seat]))
        sections.append(Section("hand", "Your hand", (Text(hand or "You hold no card."),)))
    lines = tuple(form(after))
    return Briefing(headline, (*sections, *([Section("form", "Order form", (Form(lines),))] if lines else [])))


def _rounds(position: State) -> str:
    return ", ".join(f"{name} {position.won.get(seat, 0)}" for seat, name in position.names.items())


def _table(view: View) -> str:
    names = view.position.names
    shown = [f"{each.card}{' boldly' if each.bold else ''} by {names[each.seat]}" for each in view.position.table]
    return ", ".join(shown) or "nothing"


def picture(view: View) -> str:
    """The cards on the table as SVG."""
    cards = "".join(
        f'<rect x="{10 + 70 * place}" y="10" width="60" height="90" fill="white" stroke="black"/>'
        f'<text x="{40 + 70 * place}" y="62" text-anchor="middle" font-size="24">{shown.card}</text>'
        for place, shown in enumerate(view.position.table)
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="150" height="110" viewBox="0 0 150 110">'
        f'<rect width="150" height="110" fill="#dfe8d8"/>{cards}</svg>'
    )


def robot(view: View, dice: Dice) -> str:
    """Lays any card, boldly at times, and is rude about it."""
    position = view.position
    if view.seat is None or view.seat != position.mover or position.over:
        return ""
    hand = position.hands[view.seat]
    label = f"robot {view.seat} {position.round}"
    card = hand[dice.roll(f"{label} card", len(hand)).value - 1]
    boldly = " boldly" if dice.roll(f"{label} boldly", 3).value == 3 else ""
    taunt = "\ntaunt My gate!" if dice.roll(f"{label} taunt", 4).value == 4 else ""
    return f"lay {card}{boldly}{taunt}"
