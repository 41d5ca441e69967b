"""Everything that a reader gets of a stage, in every form: whoever builds something new that is told adds it here."""

from collections.abc import Iterator
from typing import Any

from pbem.core.orders import Check, Line, Sheet
from pbem.core.views import visible
from pbem.reports.archive import Chapter
from pbem.reports.letters import Acknowledgement, Help, Notice, Over
from pbem.reports.render import Rendered, Templates
from tests.playing import Stage
from tests.reports.reporting import HASH, report
from tests.reports.samples import HEAD, NOW

TEMPLATES = Templates()


def renditions(stage: Stage, seat: str | None, probe: str = "") -> dict[str, str]:
    """All that ``seat`` reads (``None``: the public) by name of the form: what it was told of a stage and of its own
    orders in it, and what it is told if it now sends the card ``probe``."""
    forms = dict(_report(stage, seat))
    if seat is not None:
        forms |= dict(_answers(stage, seat, probe))
    return forms


def _report(stage: Stage, seat: str | None) -> Iterator[tuple[str, str]]:
    told = report(stage, seat, TEMPLATES)
    yield from _mail("report", TEMPLATES.report(told, HEAD))
    yield "report, json", TEMPLATES.json(told).decode()
    yield "map", stage.table.rules.picture(stage.table.rules.view(stage.after, seat)) or ""
    if seat is None:
        chapter = Chapter(7, "07", told.stage, told.headline, NOW.isoformat())
        facts: dict[str, Any] = {
            "report": told,
            "head": HEAD,
            "chapter": chapter,
            "battles": (),
            "earlier": None,
            "later": None,
        }
        yield "page of the archive", TEMPLATES.page("web/turn", zone="UTC", **facts)


def _answers(stage: Stage, seat: str, probe: str) -> Iterator[tuple[str, str]]:
    rules = stage.table.rules
    before, after = rules.view(stage.opened, seat), rules.view(stage.after, seat)
    filed = Sheet(stage.filed.get(seat, ()))
    yield from _mail("acknowledgement", _acknowledged(filed, rules.check(before, filed.orders)))
    sheet = rules.read(after, [Line(number, text) for number, text in enumerate(probe.splitlines(), 1)])
    yield from _mail("answer to a probe", _acknowledged(sheet, rules.check(after, sheet.orders)))
    say = TEMPLATES.say(rules.name, after)
    news = tuple(say(entry.event) for entry in visible(stage.log, seat))
    yield from _mail("notice", TEMPLATES.mail(Notice(HEAD, 7, "news", news, ())))
    yield from _mail("help", TEMPLATES.mail(Help(HEAD, tuple(rules.primer(after)), tuple(rules.form(after)))))
    outcome = rules.outcome(stage.after)
    if outcome:
        yield from _mail("the end", TEMPLATES.mail(Over(HEAD, outcome.reason, outcome.ranking)))


def _acknowledged(sheet: Sheet, check: Check) -> Rendered:
    return TEMPLATES.mail(Acknowledgement(HEAD, 7, "K7Q2", HASH, NOW, sheet, check))


def _mail(name: str, rendered: Rendered) -> Iterator[tuple[str, str]]:
    yield f"{name}, subject", rendered.subject
    yield f"{name}, text", rendered.text
    yield f"{name}, html", rendered.html
