"""The organizer's commands."""

import typer

app = typer.Typer(help=__doc__, no_args_is_help=True)


def main() -> None:
    """Run the command line."""
    app()
