"""How mail programs put an answer together: the lead above what they quote, by language, and the shape of the whole."""

import tomllib
from collections.abc import Callable, Sequence
from html import escape
from itertools import zip_longest
from pathlib import Path

LEADS: dict[str, str] = tomllib.loads(Path(__file__).with_name("leads.toml").read_text("utf-8"))
"""What programs put above a quotation; ``demo@x.example`` wrote it on 30 November 2026 at 10:00."""

Lines = Sequence[str]
Shape = Callable[[Lines, str, Lines], str]
"""What the writer wrote, the lead, and what he answers: together the text of a mail."""


def marked(lines: Lines) -> list[str]:
    return [f"> {line}" for line in lines]


def above_marked(own: Lines, lead: str, old: Lines) -> str:
    return "\n".join([*own, "", lead, *marked(old)])


def above_marked_after_a_gap(own: Lines, lead: str, old: Lines) -> str:
    return "\n".join([*own, "", "", lead, "", "", *marked(old), ""])


def above_unmarked(own: Lines, lead: str, old: Lines) -> str:
    return "\n".join([*own, "", lead, "", *old, ""])


def below_marked(own: Lines, lead: str, old: Lines) -> str:
    return "\n".join([lead, *marked(old), "", *own, ""])


def between_marked(own: Lines, lead: str, old: Lines) -> str:
    lines = [lead, *marked(old[:1])]
    for number, line in enumerate(own):
        lines += ["", line, "", *marked(old[number + 1 : number + 2])]
    return "\n".join([*lines, *marked(old[len(own) + 1 :])])


def signed(own: Lines, lead: str, old: Lines) -> str:
    return "\n".join([*own, "", "-- ", "Ana", "Red Duchy", "", lead, *marked(old)])


MARKED: tuple[Shape, ...] = (above_marked, above_marked_after_a_gap, below_marked, between_marked, signed)
"""Shapes with marks, which tell by themselves."""


def each(element: str, lines: Lines) -> str:
    name = element.partition(" ")[0]
    return "".join(f"<{element}>{escape(line)}</{name}>\n" for line in lines)


def breaks(text: str) -> str:
    return "<br>\n".join(map(escape, text.split("\n")))


def gmail_page(own: Lines, lead: str, old: Lines) -> str:
    return (
        f'<div dir="ltr">{each("div", own)}</div><br><div class="gmail_quote gmail_quote_container">'
        f'<div dir="ltr" class="gmail_attr">{breaks(lead)}<br></div>'
        f'<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex">{each("div", old)}</blockquote></div>'
    )


def gmail_page_answered_between(own: Lines, lead: str, old: Lines) -> str:
    pairs = zip_longest((f'<blockquote class="gmail_quote">{escape(line)}</blockquote>' for line in old), own)
    answers = "".join(f"{quoted or ''}<div>{escape(line or '')}</div>" for quoted, line in pairs)
    return f'<div dir="ltr" class="gmail_attr">{breaks(lead)}</div>{answers}'


def apple_page(own: Lines, lead: str, old: Lines) -> str:
    return (
        f'<html><body dir="auto">{breaks(chr(10).join(own))}<br id="lineBreakAtBeginningOfSignature">'
        f'<div dir="ltr"></div><div dir="ltr"><br><blockquote type="cite">{breaks(lead)}<br><br></blockquote></div>'
        f'<blockquote type="cite"><div dir="ltr">{each("p", old)}</div></blockquote></body></html>'
    )


def word_page(own: Lines, lead: str, old: Lines) -> str:
    """Outlook on a desk: no quotation but for the headers above it."""
    return (
        "<html><head><style><!-- p.MsoNormal {margin:0cm} --></style></head><body><div class=WordSection1>"
        f"{each('p class=MsoNormal', own)}<p class=MsoNormal><o:p>&nbsp;</o:p></p>"
        "<div><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'>"
        f"<p class=MsoNormal>{breaks(lead)}<o:p></o:p></p></div></div>"
        f"{each('p class=MsoNormal', old)}</div></body></html>"
    )


def outlook_phone_page(own: Lines, lead: str, old: Lines) -> str:
    return (
        f'{each("div", own)}<div id="ms-outlook-mobile-signature">Get <a href="https://aka.ms/o0ukef">Outlook</a></div>'
        f'<hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr">'
        f'<font face="Calibri">{breaks(lead)}</font><div>&nbsp;</div></div>{each("div", old)}'
    )


def yahoo_page(own: Lines, lead: str, old: Lines) -> str:
    return (
        f'<div class="ydp1 yahoo-style-wrap">{each("div", own)}</div><div class="ydp2yahoo_quoted">'
        f"<div><div>{breaks(lead)}</div><div><br></div>{each('div', old)}</div></div>"
    )


def proton_page(own: Lines, lead: str, old: Lines) -> str:
    return (
        f'<div>{breaks(chr(10).join(own))}</div><div class="protonmail_quote">{breaks(lead)}<br>'
        f'<blockquote class="protonmail_quote" type="cite">{each("p", old)}</blockquote><br></div>'
    )


def thunderbird_page(own: Lines, lead: str, old: Lines) -> str:
    return (
        f'<div class="moz-cite-prefix">{breaks(lead)}<br></div><blockquote type="cite" cite="mid:t3.ana@x.example">'
        f'<pre class="moz-quote-pre" wrap="">{escape(chr(10).join(old))}</pre></blockquote>{each("p", own)}'
        '<pre class="moz-signature" cols="72">-- \nAna\nRed Duchy</pre>'
    )


def gmx_page(own: Lines, lead: str, old: Lines) -> str:
    return (
        f'<div style="font-family: Verdana;">{each("div", own)}<div>&nbsp;<div name="quote">'
        f'<div style="margin:0 0 10px 0;">{breaks(lead)}</div>'
        f'<div name="quoted-content">{each("div", old)}</div></div></div></div>'
    )


PAGES: tuple[Shape, ...] = (
    *(gmail_page, gmail_page_answered_between, apple_page, word_page, outlook_phone_page, yahoo_page, proton_page),
    *(thunderbird_page, gmx_page),
)
