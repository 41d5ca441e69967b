"""The organizer's commands. Everything they do can also be done by mail."""

import sys

import typer

from pbem.cli import campaigns, checks, doctor, letters, mails, server
from pbem.cli.common import FAILED, UNUSABLE, say_fault, say_flaws
from pbem.core.errors import BadInput, PbemError

app = typer.Typer(
    help="Campaigns played by e-mail: order cards in, turns closed on time, reports with a map out.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
for topic in (server, doctor, campaigns, letters, mails, checks):
    app.add_typer(topic.app)


def main() -> None:
    """Run the command line; bad input ends with exit code 2 and every flaw on a line of its own."""
    try:
        app()
    except BadInput as bad:
        say_flaws(bad)
        sys.exit(UNUSABLE)
    except PbemError as error:
        say_fault(error)
        sys.exit(FAILED)
