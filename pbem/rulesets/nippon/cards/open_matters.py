"""How things stand at the meetings of a player, in words: what comes of each, what was said, who is waited for."""

from collections.abc import Iterable, Iterator

from pbem.core.wording import listed
from pbem.rulesets.nippon.agenda import results_to_judge, tables, terms_to_answer
from pbem.rulesets.nippon.cards import bargains, disputes
from pbem.rulesets.nippon.cards.disputes import named
from pbem.rulesets.nippon.engagements import agreeing, left_to_dice, parleyed
from pbem.rulesets.nippon.orders import JudgeResult, NameDeputy
from pbem.rulesets.nippon.parley import may_answer
from pbem.rulesets.nippon.state import Meeting
from pbem.rulesets.nippon.tabletop import voice, volunteers
from pbem.rulesets.nippon.view import View

Matter = tuple[str, str]
"""What it is about, and how it stands, a line for each thing that can be said of it."""


def open_matters(view: View) -> Iterator[Matter]:
    """Terms and battles of the reader that are not settled."""
    for terms in terms_to_answer(view):
        offered = "; ".join(bargains.summary(view, terms))
        yield f"P{terms.number}", f"{view.realm(terms.by)} offers: {offered}\nDECLINED, if you do not answer"
    for number, terms in sorted(view.position.terms.items()):
        silent = [seat for seat in terms.to - terms.accepted if may_answer(view.position, terms, seat)]
        if terms.by == view.seat and silent:
            offered = "; ".join(bargains.summary(view, terms))
            yield f"P{number}", f"you offer: {offered}\n{listed(map(view.realm, silent))} did not answer yet"
    for meeting in tables(view):
        yield f"Battle in {meeting.at}", "\n".join((disputes.fate(view, meeting), *_said(view, meeting)))


def _said(view: View, meeting: Meeting) -> Iterator[str]:
    """What was said of a battle so far."""
    if meeting.next.result:
        judged = meeting in results_to_judge(view)
        yes = JudgeResult(meeting.at, confirm=True, version=meeting.next.number)
        asked = f"; is it true? {yes}, or dispute it" if judged else ""
        yield f"reported: {bargains.outcome(view, meeting)}{asked}"
    if any(each.by == view.seat and not each.words and not each.result for each in meeting.next.statements):
        yield f"you did not say how it was: send dispute {meeting.at} with your words in quotes, or your own result"
    if not parleyed(view.position, meeting):
        yield from _arranged(view, meeting)
    for wish, asking in (("an automatic battle", meeting.next.automatic), ("a dice-off", meeting.next.dice_off)):
        lacking = _lacking(view, meeting, asking)
        if asking and lacking and not left_to_dice(view.position, meeting):
            yield f"{named(view, sorted(asking))} asked for {wish}, {named(view, lacking)} did not yet"


def _arranged(view: View, meeting: Meeting) -> Iterator[str]:
    """When and by whom it is to be played (NIP 8.8)."""
    if meeting.next.date:
        yield f"date: {date(view, meeting)}; if that is after the deadline, ask the organizer for more time"
    for realm in sorted(meeting.cannot):
        if not meeting.deputy_of(realm):
            yield f"{named(view, [realm])} cannot play it{_who_would(view, meeting) if realm == view.seat else ''}"
    for realm, deputy in meeting.deputies:
        yield f"{named(view, [deputy])} {'play' if deputy == view.seat else 'plays'} it for {named(view, [realm])}"


def date(view: View, meeting: Meeting) -> str:
    """The date of a battle, who proposed it, and who agreed."""
    battle = meeting.next
    agreed = f"; {named(view, sorted(battle.agreed))} agreed" if battle.agreed else ", to which nobody has agreed yet"
    return f'"{battle.date}", as {named(view, [battle.date_by])} proposed{agreed}'


def _who_would(view: View, meeting: Meeting) -> str:
    """Who would play it for the reader, who cannot, and how he says so."""
    ready = volunteers(view.position, meeting, view.seat or "")
    lines = listed([str(NameDeputy(meeting.at, seat, view.realm(seat))) for seat in ready], "")
    return f"; who would: {lines}" if ready else "; nobody has volunteered yet, but you may name a deputy"


def _lacking(view: View, meeting: Meeting, asking: Iterable[str]) -> list[str]:
    """The realms whose wish for dice is still lacking."""
    seat = voice(view.position, meeting.at, view.seat or "")
    return sorted({*agreeing(view.position, meeting, seat)} - {*asking})
