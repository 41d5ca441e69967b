"""A turn as its players are told it: the sections of a report, in the order in which they are read."""

from collections.abc import Sequence
from typing import Any

from pbem.core.report import Form, Section, Text
from pbem.core.ruleset import Briefing, Material
from pbem.rulesets.nippon.agenda import defences_to_take, tables
from pbem.rulesets.nippon.briefing.assaults import assault_card, defence_facts
from pbem.rulesets.nippon.briefing.chronicle import Chronicle, sorted_out
from pbem.rulesets.nippon.briefing.deeds import deeds
from pbem.rulesets.nippon.briefing.farewell import farewell
from pbem.rulesets.nippon.briefing.land import land_by_number, map_in_words, own_banners, sights, world
from pbem.rulesets.nippon.briefing.meetings import Fact, meeting_card, meeting_facts, result_facts, told_meetings
from pbem.rulesets.nippon.briefing.money import money
from pbem.rulesets.nippon.briefing.short import do_now, headline, short
from pbem.rulesets.nippon.briefing.story import stories
from pbem.rulesets.nippon.briefing.votes import votes
from pbem.rulesets.nippon.cards.form import form
from pbem.rulesets.nippon.state import Meeting
from pbem.rulesets.nippon.view import View

HOW_TO_ORDER = (
    "Answer this mail with the card below, changed as you like, or with only the lines you change. What follows # is "
    "for you and is not read. A card that comes back as it is counts as your orders; so does the one word OK."
)

HOW_TO_BEGIN = (
    "Answer this mail with the card below, changed as you like: your headquarters, the best section first, and your "
    "army. What follows # is not read. Without an answer you get a headquarters that is left, and the ready-made army."
)

HOW_TO_MEET = (
    "Answer this mail with the card below: take the # away from the lines you mean, and change them as you like. What "
    "still follows a # is not read."
)


def briefing(material: Material) -> Briefing:
    """The report of a stage to one seat, or to the public."""
    chronicle = sorted_out(material)
    if material.seat is None:
        sections = _public(material, chronicle)
    elif uninvolved(material.after):
        sections = _meanwhile(material, chronicle)
    else:
        sections = _private(material, chronicle)
    return Briefing(headline(material), tuple(section for section in sections if section.blocks))


def _private(material: Material, chronicle: Chronicle) -> tuple[Section, ...]:
    return (
        short(material),
        *farewell(material),
        do_now(material),
        *(_card(material, chronicle, meeting) for meeting in tables(material.after)),
        *(assault_card(material.after, meeting) for meeting in defences_to_take(material.after)),
        deeds(material, chronicle),
        told_meetings(material, chronicle),
        *battles(material),
        own_banners(material),
        sights(material),
        money(material, chronicle),
        world(material, chronicle),
        votes(material),
        map_in_words(material),
        land_by_number(material),
        _order_form(material),
    )


def uninvolved(view: View) -> bool:
    """Whether others have to settle something before the turn goes on, and the reader has no part in it."""
    waiting = view.position.stage in ("meetings", "disputes")
    return waiting and not tables(view) and not defences_to_take(view)


def _meanwhile(material: Material, chronicle: Chronicle) -> tuple[Section, ...]:
    """What happened, for somebody of whom nothing is asked: how all stands, with the map, he reads when the turn is
    over."""
    moved = material.after.position.stage == "meetings"
    return (
        short(material, with_picture=False),
        do_now(material),
        deeds(material, chronicle),
        told_meetings(material, chronicle),
        *battles(material),
        *((own_banners(material), sights(material)) if moved else ()),
        *((money(material, chronicle),) if chronicle.payments else ()),
        world(material, chronicle),
        votes(material),
    )


def _public(material: Material, chronicle: Chronicle) -> tuple[Section, ...]:
    return (
        short(material),
        *farewell(material),
        told_meetings(material, chronicle),
        *battles(material),
        world(material, chronicle),
        sights(material),
        money(material, chronicle),
        votes(material),
        map_in_words(material),
        land_by_number(material),
    )


def battles(material: Material) -> tuple[Section, ...]:
    """A section for each battle whose course the reader knows."""
    return tuple(story.section for story in stories(material))


def battle_facts(view: View, log: Sequence[Any]) -> tuple[Fact, ...]:
    """What whoever has just come to play a battle, or to judge a result, has to know: the events of a log tell so."""
    return (*meeting_facts(view, log), *defence_facts(view, log), *result_facts(view, log))


def _card(material: Material, chronicle: Chronicle, meeting: Meeting) -> Section:
    return assault_card(material.after, meeting) if meeting.assault else meeting_card(material, chronicle, meeting)


def _order_form(material: Material) -> Section:
    lines = tuple(form(material.after))
    how = {"set-up": HOW_TO_BEGIN, "orders": HOW_TO_ORDER}.get(material.after.position.stage, HOW_TO_MEET)
    return Section("form", "Order form", (Text(how), Form(lines)) if lines else ())
