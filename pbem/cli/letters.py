"""Commands about mail that came in."""

import logging
import sys
from typing import Annotated

import typer

from pbem.cli.common import Config, out, say_flaws, the_host
from pbem.core.errors import BadInput, Flaw

app = typer.Typer()
letters = typer.Typer(help="Mail that came in.", no_args_is_help=True)
app.add_typer(letters, name="letters")

DATA_ERROR, TRY_LATER = 65, 75
"""Exit codes of sysexits.h, which mail servers understand."""


@app.command()
def deliver(config: Config = None) -> None:
    """Take in one letter from standard input, for a mail server's pipe.

    Exit codes: 0 it is stored; 65 it is empty; 75 it could not be stored, the mail server is to keep it and try again.
    """
    from pbem.mail.letter import Envelope
    from pbem.service.intake import accept

    raw = sys.stdin.buffer.read()
    if not raw.strip():
        raise typer.Exit(DATA_ERROR)
    try:
        with the_host(config) as host:
            accept(host, raw, Envelope(), "pipe")
    except BadInput as bad:  # The configuration: when it is mended, the letter comes again.
        say_flaws(bad)
        raise typer.Exit(TRY_LATER) from bad
    except Exception as error:
        logging.getLogger(__name__).exception("not stored")
        raise typer.Exit(TRY_LATER) from error


@letters.command("list")
def list_letters(
    status: Annotated[str | None, typer.Option(help="filed, answered, ignored, held or failed")] = None,
    limit: int = 50,
    config: Config = None,
) -> None:
    """List the newest letters and what became of them."""
    with the_host(config) as host, host.unit() as unit:
        for letter in unit.letters.latest(limit, status):
            head = f"{letter.received_at:%Y-%m-%d %H:%M}  {letter.route:5}  {letter.status:8}"
            out.print(f"{letter.id:5}  {head}  {letter.sender or '-'}", markup=False)
            for line in filter(None, (letter.subject, letter.note)):
                out.print(f"       {line}", markup=False)


@letters.command("show")
def show_letter(number: int, config: Config = None) -> None:
    """Show a letter as it came."""
    with the_host(config) as host, host.unit() as unit:
        letter = unit.letters.get(number)
        if letter is None:
            raise BadInput([Flaw(str(number), "there is no such letter")])
        sys.stdout.buffer.write(letter.raw)
