"""Reports and letters as text, HTML and JSON. All wording lies in ``templates/``."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from css_inline import CSSInliner
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from pbem.core.codec import Codec, canonical
from pbem.core.errors import PbemError
from pbem.core.report import Report
from pbem.packaged import packaged
from pbem.reports import layout, prose, when
from pbem.reports.letters import LastAnswer, Letter, Letterhead, Plain

SENTENCES = "reports/{}/sentences.j2"


class MissingTemplate(PbemError):
    """A template lacks something that a rule system or a letter asks of it."""


@dataclass(frozen=True)
class Rendered:
    """A letter or report, ready to be mailed."""

    subject: str
    text: str
    html: str


class Templates:
    """The templates of some folders, the first that has a file wins; the shipped ones if none is named.

    A letter has one wording, ``mail/<letter>.j2``, set twice: as text by the macros of ``mail/parts.txt.j2``, as
    HTML by those of ``mail/parts.html.j2``. So both always say the same.
    """

    def __init__(self, *folders: Path) -> None:
        self._folders = folders or (packaged("templates"),)
        self._inliner = CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)

    def say(self, ruleset_name: str, view: Any) -> Callable[[Any], str]:
        """Events to sentences for the reader of ``view``, by the macros of ``reports/<ruleset>/sentences.j2``.

        Raises :class:`MissingTemplate` for an event without a macro of its name.
        """
        macros = self.sentences(ruleset_name)

        def say(event: Any) -> str:
            name = type(event).__name__
            if name not in macros:
                raise MissingTemplate(f"{SENTENCES.format(ruleset_name)} has no macro {name}")
            return squeeze(macros[name](event, view))

        return say

    def sentences(self, ruleset_name: str) -> dict[str, Callable[[Any, Any], str]]:
        """The macros of a rule system's sentences, by name."""
        module = self._text.get_template(SENTENCES.format(ruleset_name)).module
        return {name: macro for name, macro in vars(module).items() if callable(macro)}

    def report(self, report: Report, head: Letterhead) -> Rendered:
        """A report as a mail."""
        facts = {"report": report, "head": head}
        text = self._text.get_template("reports/report.txt.j2").render(facts)
        page = self._html.get_template("reports/report.html.j2").render(facts)
        return Rendered(squeeze(f"[{head.campaign}] {report.headline}"), tidy(text), self._inliner.inline(page))

    def json(self, report: Report) -> bytes:
        """A report for programs: canonical JSON of the whole object."""
        return canonical(Codec(Report).encode(report))

    def mail(self, letter: Letter | Plain, last: LastAnswer | None = None) -> Rendered:
        """A letter, worded by the template named after its class; ``last``: what it says of answers after it."""
        name = f"mail/{type(letter).__name__.lower()}.j2"
        facts = {"letter": letter, "head": getattr(letter, "head", None), "last": last}
        subject, text = self._worded(self._text, name, facts)
        _, body = self._worded(self._html, name, facts)
        page = self.page("mail/page", subject=subject, body=Markup(body))
        return Rendered(subject, tidy(text), self._inliner.inline(page))

    def _worded(self, form: Environment, name: str, facts: dict[str, Any]) -> tuple[str, str]:
        """A letter's subject and body, in one form."""
        subject, body = _split(form.get_template(name).render(facts))
        return subject, body + form.get_template("mail/lastanswer.j2").render(facts) if facts["last"] else body

    def page(self, name: str, **facts: Any) -> str:
        """The HTML template ``<name>.html.j2``, filled in."""
        return self._html.get_template(f"{name}.html.j2").render(facts)

    @property
    def _text(self) -> Environment:
        return _environment(self._folders, "txt")

    @property
    def _html(self) -> Environment:
        return _environment(self._folders, "html")


@cache
def _environment(folders: tuple[Path, ...], form: str) -> Environment:
    """The templates of some folders in one form, for all who use them: to compile them takes long."""
    environment = Environment(
        loader=FileSystemLoader(folders),
        undefined=StrictUndefined,
        autoescape=form == "html",
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.globals.update(parts=f"mail/parts.{form}.j2", mailto=mailto)
    environment.globals.update(table=layout.table, portions=layout.portions, counts=layout.counts)
    environment.globals.update(longest=layout.share_of_longest)
    environment.globals.update(until=when.until, sections=prose.sections)
    environment.filters.update(wrap=layout.wrap, labelled=layout.labelled, itemized=layout.itemized)
    environment.filters.update(folded=layout.folded, explained=layout.explained, bars=layout.bars)
    environment.filters.update(moment=when.moment, clock=when.clock, capitalized=capitalized, thousands=thousands)
    environment.tests.update(kind=lambda value, name: type(value).__name__ == name)
    return environment


def mailto(head: Letterhead, body: str) -> str:
    """The address of a link that opens an answer with ``body`` written in it."""
    return f"mailto:{quote(head.reply_to, safe='@+')}?subject={quote(f'[{head.campaign}]')}&body={quote(body)}"


def capitalized(text: str) -> str:
    """A sentence with a capital at its beginning, the rest as it is."""
    return text[:1].upper() + text[1:]


def thousands(number: int) -> str:
    """A number as people read it: ``1,590``."""
    return f"{number:,}"


def squeeze(text: str) -> str:
    """A text on one line, without doubled blanks."""
    return layout.BLANKS.sub(" ", text).strip(" ")


def tidy(text: str) -> str:
    """A plain text without blanks at line ends, with at most one empty line in a row."""
    bare = "\n".join(line.rstrip() for line in text.splitlines())
    return re.sub(r"\n{3,}", "\n\n", bare).strip("\n") + "\n"


def _split(rendered: str) -> tuple[str, str]:
    """A rendered letter as its subject and its body; the subject is the first line."""
    first, _, body = rendered.lstrip().partition("\n")
    return squeeze(first.removeprefix("Subject:")), body
