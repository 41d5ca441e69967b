"""The report in a nutshell: its headline, its first lines, and what is to be done now."""

from collections import Counter
from collections.abc import Iterator, Sequence

from pbem.core.report import Block, Items, Section, Text
from pbem.core.ruleset import Material
from pbem.core.turn import Entry
from pbem.core.wording import counted, listed
from pbem.rulesets.nippon.agenda import defences_to_take, tables
from pbem.rulesets.nippon.briefing.chronicle import position_before
from pbem.rulesets.nippon.briefing.land import picture_of
from pbem.rulesets.nippon.briefing.telling import told, you
from pbem.rulesets.nippon.cards.disputes import fate, named
from pbem.rulesets.nippon.events import AssaultDecided, BattleDecided
from pbem.rulesets.nippon.legality import controllable
from pbem.rulesets.nippon.orders import Defend
from pbem.rulesets.nippon.state import Meeting, State
from pbem.rulesets.nippon.tabletop import awaited
from pbem.rulesets.nippon.view import View

# --- the headline -------------------------------------------------------------------------------------------------


def headline(material: Material) -> str:
    """What happened in a line: ``Turn 7: you hold 11 of 66 sections, 1 meeting to settle``."""
    view, seat = material.after, material.seat
    position = view.position
    if position.stage == "over":
        winners = [you(view, each) for rank in position.ranking[:1] for each in rank]
        return "The campaign is over" + (f": {listed(winners)} won" if winners else "")
    if position.stage == "set-up":
        return "Choose headquarters and army" + (f": you lead {view.realm(seat)}" if seat else "")
    if not material.log or position_before(material).stage == "set-up":
        return f"Turn {position.turn} opens" + (f": you lead {view.realm(seat)}" if seat else "")
    if position.stage == "meetings":
        begun = "movement" if position_before(material).stage == "orders" else "goes on"
        return f"Turn {position.turn} {begun}: {_meetings(view)}"
    if position.stage == "disputes":
        return f"Turn {position.turn} waits for {_unagreed(view)}"
    return f"Turn {position_before(material).turn}: {_standing(material)}"


def _meetings(view: View) -> str:
    waiting = [each for each in view.position.meetings.values() if not each.settled]
    own = tables(view)
    if own:
        return f"{_counted(own)} for you to settle"
    return _counted(waiting) + (", none of yours" if view.seat else "")


def _counted(meetings: Sequence[Meeting]) -> str:
    """How many there are of each kind: ``2 meetings and 1 assault``."""
    kinds = Counter("assault" if each.assault else "meeting" for each in meetings)
    return listed(counted(kinds[kind], kind) for kind in ("meeting", "assault") if kinds[kind])


def _unagreed(view: View) -> str:
    """Who has to agree on how many results."""
    waiting = sum(not each.settled for each in view.position.meetings.values())
    own = len(tables(view))
    if own:
        return f"you to agree on {counted(own, 'result')}"
    return f"{'others to agree on ' if view.seat else ''}{counted(waiting, 'result')}"


def _standing(material: Material) -> str:
    view = material.after
    fought = _fights(material)
    if material.seat is None:
        taken = len(_changed(material))
        facts = [f"{counted(taken, 'section')} changed hands"] if taken else []
        facts += [counted(len(fought), "battle")] if fought else []
        return ", ".join(facts) or "all quiet"
    held, worth = view.position.held_by(material.seat), _worth_holding(view.position, material.seat)
    standing = f"you hold {len(held)} of {worth} sections"
    return f"{standing}, {counted(len(fought), 'battle')}" if fought else standing


def _fights(material: Material) -> list[Entry]:
    """How every battle and every assault came out: for a reader with a seat those in which that realm fought."""
    seat, decided = material.seat, (BattleDecided, AssaultDecided)
    fights = [entry for entry in material.log if isinstance(entry.event, decided)]
    return fights if seat is None else [entry for entry in fights if _fought(material, seat, entry.event)]


def _fought(material: Material, seat: str, event: BattleDecided | AssaultDecided) -> bool:
    """Whether a realm fought, or a site of its own was defended without it."""
    if isinstance(event, BattleDecided):
        return seat in event.attackers + event.defenders
    return seat in (*event.attackers, position_before(material).sections[event.at].controller)


def _worth_holding(position: State, seat: str) -> int:
    """How many sections a realm may hold at all; razed ones may live again."""
    return sum(section.razed or controllable(position, seat, number) for number, section in position.sections.items())


def _changed(material: Material) -> tuple[int, ...]:
    """The sections that have another controller than before the stage."""
    before, after = position_before(material).sections, material.after.position.sections
    return tuple(number for number in sorted(after) if after[number].controller != before[number].controller)


# --- in short -----------------------------------------------------------------------------------------------------


def short(material: Material, *, with_picture: bool = True) -> Section:
    """A few lines that could stand alone."""
    lines = Items(tuple(("", line) for line in _lines(material)))
    return Section("short", "In short", (lines, picture_of(material)) if with_picture else (lines,))


def _lines(material: Material) -> Iterator[str]:
    view, seat = material.after, material.seat
    if not material.log:
        yield from _opening(view)
    elif seat is None:
        yield from _public(material)
    else:
        yield from _land(material, seat)
        yield from (told(material, entry) for entry in _fights(material))
        yield from _banners(material, seat)
        yield from _treasury(material, seat)
    yield _next(view)


def _opening(view: View) -> Iterator[str]:
    position = view.position
    realms, sections = counted(len(position.realms), "realm"), counted(len(position.atlas.places), "section")
    yield f"{position.atlas.title}: {realms}, {sections}."
    if view.seat:
        realm = position.realms[view.seat]
        if position.stage == "set-up":
            yield f"You lead {realm.name} ({realm.army})."
            return
        yield f"You lead {realm.name} ({realm.army}) from {view.place(realm.headquarters)}, your headquarters."
        yield f"You have {counted(len(position.banners_of(view.seat)), 'banner')} and {realm.treasury:,} pp."


def _public(material: Material) -> Iterator[str]:
    view = material.after
    changed = _changed(material)
    if changed:
        yield f"Changed hands: {listed(map(view.place, changed))}."
    yield from (told(material, entry) for entry in _fights(material))
    before = sorted(position_before(material).banners)
    gone = [view.banner(key) for key in before if not view.position.banner_called(key)]
    if gone and not view.foggy:
        yield f"Gone: {listed(gone)}."


def _land(material: Material, seat: str) -> Iterator[str]:
    view, before = material.after, position_before(material)
    now, then = set(view.position.held_by(seat)), set(before.held_by(seat))
    held = f"You hold {len(now)} of {_worth_holding(view.position, seat)} sections"
    yield f"{held}, as before." if len(now) == len(then) else f"{held}; before it was {len(then)}."
    if now - then:
        yield f"Won: {listed(map(view.place, sorted(now - then)))}."
    if then - now:
        yield f"Lost: {listed(map(view.place, sorted(then - now)))}."
    if view.position.realms[seat].headquarters in then - now:
        yield "Your headquarters is lost: win it back."


def _banners(material: Material, seat: str) -> Iterator[str]:
    position, before = material.after.position, position_before(material)
    below = [tunnel.banner for tunnel in position.tunnels_of(seat)]
    banners = [*position.banners_of(seat), *below]
    yield f"You have {counted(len(banners), 'banner')}, {sum(each.points for each in banners):,} points in all."
    gone = [each.name for each in before.banners_of(seat) if not position.banner_called(each.key)]
    if gone:
        yield f"Gone: {listed(gone)}."
    if below:
        yield f"Underground: {listed(each.name for each in below)}."
    scattered = [each.name for each in banners if each.scattered]
    if scattered:
        yield f"Scattered: {listed(scattered)}."


def _treasury(material: Material, seat: str) -> Iterator[str]:
    before, after = position_before(material).realms[seat].treasury, material.after.position.realms[seat].treasury
    yield f"Treasury: {before:,} -> {after:,} pp." if before != after else f"Treasury: {after:,} pp."


def _next(view: View) -> str:
    position = view.position
    if position.stage == "over":
        return f"The campaign is over. {position.ending}"
    if position.stage == "meetings":
        waiting = [each for each in position.meetings.values() if not each.settled]
        if all(each.assault for each in waiting):
            return f"Turn {position.turn}: assaults may be played on the table."
        return f"Turn {position.turn}: meetings are to be settled by words or battles."
    if position.stage == "disputes":
        places = listed(view.place(at) for at, each in sorted(position.meetings.items()) if not each.settled)
        return f"Turn {position.turn} waits for the result of the battle in {places}; retreats and production follow."
    if position.stage == "set-up":
        return "Headquarters and armies are to be chosen."
    return f"Orders for turn {position.turn} are awaited."


# --- do now -------------------------------------------------------------------------------------------------------


def do_now(material: Material) -> Section:
    """What the game waits for from this player."""
    return Section("do", "Do now", tuple(_tasks(material.after)) if material.seat else ())


def _tasks(view: View) -> Iterator[Block]:
    position, own = view.position, tables(view)
    if position.stage == "over" or not position.realms[view.seat or ""].in_play:
        yield Text("Nothing. Thank you for playing.")
    elif position.stage == "set-up":
        yield Text("Say where your headquarters should stand, and send your army: the form stands at the end.")
    elif position.stage == "disputes":
        yield from _disputed(view)
    elif position.stage == "meetings" and not own:
        yield Text("Nothing: you have no part in a meeting. The full report, with the map, comes when all are settled.")
        yield from _defences(view)
    elif position.stage == "meetings":
        places = listed(view.place(each.at) for each in own)
        yield Text(f"Settle {_counted(own)}, in {places}. What follows tells how.")
        yield from _defences(view)
    else:
        yield Text(f"Send your orders for turn {position.turn}: the form stands at the end.")
        yield from _limits(view)


def _disputed(view: View) -> Iterator[Block]:
    """On whom the reader's battles hang whose result is not agreed, and what becomes of them else."""
    if not tables(view):
        yield Text("Nothing: others have to agree on a result. Then the turn goes on, and the full report comes.")
    for meeting in tables(view):
        awaits = named(view, sorted(awaited(view.position, meeting)))
        otherwise = fate(view, meeting)
        told = f"an answer is awaited from {awaits}. {otherwise[:1].upper()}{otherwise[1:]}."
        yield Text(f"Battle in {view.place(meeting.at)}: {told}")


def _defences(view: View) -> Iterator[Block]:
    """Assaults in which the reader may play the defence (NIP 8.9)."""
    if wanted := [str(Defend(each.at)) for each in defences_to_take(view)]:
        yield Text(f"If you like a game: an assault waits for somebody who plays the defence ({' or '.join(wanted)}).")


def _limits(view: View) -> Iterator[Block]:
    """Banners and realms that may not do everything this turn."""
    position, seat = view.position, view.seat or ""
    limits = [
        (each.name, "scattered: it obeys no orders and walks home.")
        for each in position.banners_of(seat)
        if each.scattered
    ]
    limits += [
        (each.name, "drew its battle: it may only hold, move to a section of yours, or scatter.")
        for each in position.banners_of(seat)
        if each.drawn and not each.scattered
    ]
    if position.realms[seat].homeless:
        limits.append(("All banners", "without headquarters they may only hold and move."))
    if limits:
        yield Items(tuple(limits))
