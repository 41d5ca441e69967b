"""A crowd: twenty clubs of six players each, and the mails that they write, in the shape of a common mail program."""

import html
import quopri
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from typing import Literal

from pbem.core.dice import Dice
from pbem.core.orders import Line
from pbem.mail.mime import read_part
from pbem.mail.reading.letter import read_letter
from pbem.service.host import Game, Host, Rendition, game
from pbem.service.stages.begin import begin
from pbem.service.stages.campaign_file import read_campaign
from pbem.storage.tables import Seat

CLUBS = 20
DICE = Dice(b"benchmark")
MALFORMED, STRANGERS, AGAIN = 0.05, 0.02, 0.01
"""How many of the letters are broken, come from an unknown address, are handed over a second time."""

SCRAMBLED = bytes(each if each in b"\r\n" else each ^ 0x95 for each in range(256))
"""No text any more, though still in lines."""

Kind = Literal["card", "malformed", "stranger", "again"]


@dataclass(frozen=True)
class Post:
    """A mail on its way to the server."""

    kind: Kind
    sender: str
    recipient: str
    raw: bytes


@dataclass(frozen=True)
class Writer:
    """A player: his addresses, the orders that he may give, and the report that he quotes."""

    address: str
    reply_to: str
    orders: tuple[str, ...]
    holds: tuple[str, ...]
    quoted: str
    """Below his text, quoted-printable."""
    quoted_html: str


def gather(host: Host, clubs: int = CLUBS) -> list[Writer]:
    """Begin the campaigns; their players. No deadline of theirs is near."""
    undrawn = replace(host, draw=lambda svg: Rendition(b"", b""))
    demo = resources.files("pbem.demo").joinpath("campaign.toml").read_text().replace("weekly Fri 20:00", "after 30d")
    for number in range(clubs):
        text = demo.replace('"demo"', f'"club{number}"').replace("@players.", f"@club{number}.")
        begin(undrawn, read_campaign("campaign.toml", text))
    with host.unit() as unit:
        reports = {mail.recipient: mail.raw for mail in unit.outbox.latest(100 * clubs)}
        found = [game(host, unit, each) for each in unit.campaigns.all()]
        return [
            _writer(each, seat, unit.campaigns.address(seat), reports)
            for each in found
            if each
            for seat in unit.campaigns.seats(each.campaign)
        ]


def _writer(found: Game, seat: Seat, address: str, reports: Mapping[str, bytes]) -> Writer:
    report = reports[address]
    view = found.rules.view(found.state, seat.code)
    card = [Line(number, text) for number, text in enumerate(found.rules.robot(view, DICE).splitlines(), 1)]
    filed = [
        each for each in found.rules.read(view, card).orders if not each.order.immediate
    ]  # A contact is said once.
    orders = [str(each.order) for each in filed]
    text = read_letter(report).body
    quoted = "".join(f"> {line}\n" for line in text.splitlines())
    page = "".join(f"<div>{html.escape(line) or '<br>'}</div>\n" for line in text.splitlines())
    return Writer(
        address,
        read_part(report).first("reply-to"),
        tuple(orders),
        tuple(f"{order.partition(':')[0]}: hold" for order in orders),
        _quoted_printable(quoted),
        _quoted_printable(page),
    )


def _quoted_printable(text: str) -> str:
    return quopri.encodestring(text.encode()).decode().replace("\n", "\r\n")


def letters(writers: Sequence[Writer], count: int) -> list[Post]:
    """So many letters in the order in which they are sent: everybody's first, everybody's second, and so on."""
    chance = random.Random(3)
    posts: list[Post] = []
    for number in range(count):
        before = posts[number - len(writers)] if number >= len(writers) else None
        posts.append(_post(writers[number % len(writers)], before, number, chance.random()))
    return posts


def _post(writer: Writer, before: Post | None, number: int, chance: float) -> Post:
    if chance < AGAIN and before:
        return replace(before, kind="again")
    if chance < AGAIN + STRANGERS:
        stranger = f"somebody{number}@elsewhere.example"
        return Post("stranger", stranger, writer.reply_to, _mail(writer, number, stranger))
    raw = _mail(writer, number, writer.address)
    if chance < AGAIN + STRANGERS + MALFORMED:
        return Post("malformed", writer.address, writer.reply_to, _broken(raw, number))
    return Post("card", writer.address, writer.reply_to, raw)


def _broken(raw: bytes, number: int) -> bytes:
    """A mail that something went wrong with on its way; the server that hands it over has put down how it got it, so no
    two are the same."""
    ways = (raw[: 300 + number % 600], raw.replace(b"utf-8", b"bogus-8"), raw.translate(SCRAMBLED), raw[300:])
    trace = f"Received: from mx.example by mail.example with ESMTP id {number}\r\n"
    return trace.encode() + ways[number // 7 % len(ways)]


def _card(writer: Writer, number: int) -> list[str]:
    """Three to seven lines: later ones take back earlier ones. What one round orders, the next one changes."""
    thoughts = [writer.holds[each % len(writer.holds)] for each in range(number // 11 % 5)]
    last = writer.orders if number // 120 % 2 else (*writer.orders[:-1], writer.holds[-1])
    return [*thoughts, *last]


MAIL = """\
MIME-Version: 1.0\r
From: =?utf-8?q?Ana_Kova=C4=8D?= <{sender}>\r
Date: Mon, 30 Nov 2026 19:04:11 +0100\r
Message-ID: <CAJ{number}xq2@mail.gmail.com>\r
Subject: Re: Turn 1 opens\r
To: The Amber Road <{reply_to}>\r
Content-Type: multipart/alternative; boundary="000000000000a1b2c3"\r
\r
--000000000000a1b2c3\r
Content-Type: text/plain; charset="utf-8"\r
Content-Transfer-Encoding: quoted-printable\r
\r
Hi,\r
\r
{card}\r
\r
Greetings\r
Ana\r
\r
On Mon, Nov 30, 2026 at 10:00 AM The Amber Road <{reply_to}> wrote:\r
\r
{quoted}\r
\r
--000000000000a1b2c3\r
Content-Type: text/html; charset="utf-8"\r
Content-Transfer-Encoding: quoted-printable\r
\r
<div dir=3D"ltr"><div>Hi,</div>{card_html}<div>Greetings</div><div>Ana</div></div>\r
<div class=3D"gmail_quote"><blockquote class=3D"gmail_quote">{quoted_html}</blockquote></div>\r
\r
--000000000000a1b2c3--\r
"""


def _mail(writer: Writer, number: int, sender: str) -> bytes:
    card = _card(writer, number)
    return MAIL.format(
        sender=sender,
        number=number,
        reply_to=writer.reply_to,
        card="\r\n".join(card),
        card_html="".join(f"<div>{line}</div>\r\n" for line in card),
        quoted=writer.quoted,
        quoted_html=writer.quoted_html,
    ).encode()
