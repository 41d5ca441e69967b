"""Commands about mail that came in."""

import logging
import sys
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from pbem.cli.common import (
    WHO,
    Config,
    Since,
    each_of,
    number,
    one_of,
    say,
    say_flaws,
    the_campaign,
    the_host,
    the_moment,
)
from pbem.core.errors import BadInput, Flaw
from pbem.mail.charsets import clean

app = typer.Typer()
letters = typer.Typer(help="Mail that came in.", no_args_is_help=True)
app.add_typer(letters, name="letters")

DATA_ERROR, TRY_LATER = 65, 75
"""Exit codes of sysexits.h, which mail servers understand."""

STATUS = ("filed", "answered", "ignored", "asked", "held", "failed")

Numbers = Annotated[list[int], typer.Argument(help="The letters' numbers, as the list has them.", parser=number)]


@app.command()
def deliver(config: Config = None) -> None:
    """Take in one letter from standard input, for a mail server's pipe.

    Exit codes: 0 it is stored; 65 it is empty, or larger than `largest` in \\[mail]; 75 it could not be stored, the
    mail server is to keep it and try again.
    """
    from pbem.config import load
    from pbem.mail.pipe import NoMail, read_mail
    from pbem.mail.reading.letter import Envelope
    from pbem.service.incoming.intake import accept

    try:
        raw = read_mail(sys.stdin.buffer, load(config).mail.largest)
        with the_host(config) as host:
            accept(host, raw, Envelope(), "pipe")
    except NoMail as error:  # Mail servers put what is said here into their report to the sender.
        typer.echo(f"not taken: {error}", err=True)
        raise typer.Exit(DATA_ERROR) from error
    except BadInput as bad:  # The configuration: when it is mended, the letter comes again.
        say_flaws(bad)
        raise typer.Exit(TRY_LATER) from bad
    except Exception as error:
        logging.getLogger(__name__).exception("not stored")
        raise typer.Exit(TRY_LATER) from error


@letters.command("list")
def list_letters(
    status: Annotated[str | None, typer.Option(help=f"Those of one status: {', '.join(STATUS)}.")] = None,
    campaign: Annotated[str | None, typer.Option(help="Those to one campaign, by its short name.")] = None,
    since: Since = None,
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 50,
    config: Config = None,
) -> None:
    """List the newest letters and what became of them."""
    one_of("--status", status, STATUS, "status of a letter")
    with the_host(config) as host, host.reading() as unit:
        wanted = the_campaign(unit, campaign) if campaign else None
        found = unit.letters.latest(limit, status, wanted, the_moment(since))
    say(f"{'No':>5}  {'Came (UTC)':16}  {'By':5}  {'Status':8}  From" if found else "none")
    for letter in found:
        head = f"{letter.received_at:%Y-%m-%d %H:%M}  {letter.route:5}  {letter.status:8}"
        again = f"  (taken in {letter.attempts} times)" if letter.attempts > 1 else ""
        say(f"{letter.id:5}  {head}  {letter.sender or '-'}{again}")
        say(*(f"       {line}" for line in (letter.subject, letter.note) if line))


@letters.command("show")
def show_letter(
    number: Annotated[int, typer.Argument(help="The letter's number, as the list has it.", parser=number)],
    raw: Annotated[bool, typer.Option("--raw", help="The mail itself, byte for byte.")] = False,
    config: Config = None,
) -> None:
    """Show a letter: what became of it, and how it is read."""
    from pbem.service.incoming.requeue import reading

    with the_host(config) as host, host.reading() as unit:
        letter = unit.letters.get(number)
        if letter is None:
            raise BadInput([Flaw(f"letter {number}", "there is no such letter")])
        lines = () if raw else (*_head(unit, letter), *_read(reading(host, unit, letter)))
    if raw:
        _write(letter.raw)
    say(*lines)


def _write(raw: bytes) -> None:
    """The bytes; a terminal, which some of them could command, gets only those to be read."""
    if sys.stdout.isatty():
        sys.stdout.write(clean(raw.decode("utf-8", "replace")))
    else:
        sys.stdout.buffer.write(raw)


def _head(unit: Any, letter: Any) -> Iterator[str]:
    times = f", taken in {letter.attempts} times" if letter.attempts > 1 else ""
    yield f"Letter {letter.id}: {letter.status}{times}"
    yield from ([f"  {letter.note}"] if letter.note else [])
    yield f"Came:     {letter.received_at:%Y-%m-%d %H:%M:%S} UTC by {letter.route}"
    yield f"From:     {letter.sender or 'no usable address'}"
    yield f"To:       {', '.join(letter.recipients) or '-'}"
    yield f"Subject:  {letter.subject}"
    yield f"Id:       {letter.message_id or '-'}"
    campaign = unit.campaigns.get(letter.campaign_id).name if letter.campaign_id else "none that is known"
    seat = f", {unit.campaigns.seat(letter.seat_id).name}" if letter.seat_id else ""
    yield f"Campaign: {campaign}{seat}"


def _read(reading: Any) -> Iterator[str]:
    card = reading.card
    if reading.letter.automatic:
        yield f"Taken for automatic mail: {reading.letter.automatic}"
    if card.frame:
        yield f"Card:     of {card.frame.campaign}, turn {card.frame.turn}"
    yield "Read as the writer's own:" if card.lines else "Nothing in it is read as the writer's own."
    yield from (f"{line.number:4}  {line.text}" for line in card.lines)
    if card.outside:
        yield "Outside of the card; orders among them are asked about:"
        yield from (f"{line.number:4}  {line.text}" for line in card.outside)
    if card.quoted:
        yield "Read as quoted, or not part of the card:"
        yield from (f"{line.number:4}  {line.text}" for line in card.quoted)
    if reading.faults:
        yield "Wrong with it, as the game stands now:"
        yield from (f"{fault.line.number:4}  {fault.reason}" for fault in reading.faults)


@letters.command("requeue")
def requeue_letters(numbers: Numbers, config: Config = None) -> None:
    """Take letters in again that were not obeyed, as if they came now; their time of receipt stays."""
    from pbem.service.incoming.requeue import requeue

    def again(number: int) -> str:
        letter = requeue(host, number, WHO)
        return f"Letter {number} is {letter.status}: {letter.note}"

    with the_host(config) as host:
        each_of(numbers, again)


@letters.command("drop")
def drop_letters(numbers: Numbers, config: Config = None) -> None:
    """Set letters aside that are settled. They are kept, and can be requeued."""
    from pbem.service.incoming.requeue import drop

    def aside(number: int) -> str:
        drop(host, number, WHO)
        return f"Letter {number} is set aside."

    with the_host(config) as host:
        each_of(numbers, aside)
