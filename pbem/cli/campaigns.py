"""Commands about campaigns: begin one, look at it, steer it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.cli.common import WHO, Config, say, the_campaign, the_host, the_seat, the_text, wrapped
from pbem.core.errors import BadInput, Flaw, PbemError
from pbem.core.orders import plain

app = typer.Typer()

Name = Annotated[str, typer.Argument(help="The campaign's short name.")]

AS_WRITTEN = {"ignore_unknown_options": True}
"""For commands whose words may begin with a minus sign: what to say of ``-1d`` is not for the reader of options."""


@app.command()
def new(file: Annotated[Path, typer.Argument(help="A campaign file.")], config: Config = None) -> None:
    """Begin the campaign of a file and invite its players."""
    from pbem.service.stages.begin import begin
    from pbem.service.stages.campaign_file import read_campaign

    with the_host(config) as host:
        campaign = read_campaign(str(file), the_text(file))
        name = begin(host, campaign)
    for doubt in campaign.doubts():
        say(*wrapped(f"! {doubt}"))
    say(f"{name} has begun; the invitations are in the outbox, and the server sends them.")


@app.command()
def status(
    name: Annotated[str | None, typer.Argument(help="The campaign's short name; default: all.")] = None,
    addresses: Annotated[bool, typer.Option("--addresses", help="Show where each player writes to.")] = False,
    config: Config = None,
) -> None:
    """Show who has sent orders, and what waits for the organizer."""
    with the_host(config) as host, host.reading() as unit:
        lines = [
            line
            for campaign in (unit.campaigns.all() if name is None else [the_campaign(unit, name)])
            for line in (*_status(host, unit, campaign), *(_addresses(host, unit, campaign) if addresses else ()))
        ]
    say(*lines)


def _status(host: Any, unit: Any, campaign: Any) -> Iterator[str]:
    from pbem.reports.when import moment
    from pbem.service.outgoing.overview import held_up, seatings, trouble

    stage = unit.campaigns.current_stage(campaign)
    due = moment(stage.deadline, campaign.zone) if stage and stage.deadline else "no deadline"
    now = f"{campaign.status}: {stage.title if stage else 'over'}, {due}"
    yield from wrapped(f"{campaign.title} ({campaign.name}), {now}")
    for seating in seatings(host, unit, campaign):
        yield f"  {seating.realm:24} {seating.state:12} {seating.receipt:8} {seating.note}".rstrip()
    for line in (*held_up(host, unit, campaign), *trouble(unit, campaign)):
        yield from wrapped(f"! {line}", "  ")


def _addresses(host: Any, unit: Any, campaign: Any) -> Iterator[str]:
    from pbem.service.outgoing.post import organizer_head, seat_head

    stage = unit.campaigns.current_stage(campaign)
    for seat in unit.campaigns.seats(campaign):
        sender = " or ".join(unit.campaigns.addresses(seat))
        yield f"  {seat.name:24} from {sender} to {seat_head(host, campaign, seat, stage).reply_to}"
    yield f"  {'organizer':24} from {campaign.organizer} to {organizer_head(host, campaign, stage).reply_to}"


@app.command("try")
def try_out(
    name: Name,
    seat: Annotated[str, typer.Argument(help="A seat, by its letter or the name of its realm.")],
    file: Annotated[Path | None, typer.Argument(help="A card; default: the orders on file.")] = None,
    assume: Annotated[list[str] | None, typer.Option(help="What another banner does: 'Red Fist moves 12 14'.")] = None,
    config: Config = None,
) -> None:
    """Tell what may come of a seat's card, by what its player knows. Nothing is filed, nothing changes."""
    lines = [*(the_text(file).splitlines() if file else ()), *(f"ASSUME {each}" for each in assume or ())]
    with the_host(config) as host, host.reading() as unit:
        found = the_seat(unit, the_campaign(unit, name), seat)
        say(*_odds(host, unit, found, lines))


def _odds(host: Any, unit: Any, seat: Any, lines: list[str]) -> Iterator[str]:
    from pbem.mail.reading.card import read_card
    from pbem.service.bounds import within_bounds
    from pbem.service.host import game
    from pbem.service.incoming.filing import Chair
    from pbem.service.incoming.trying import tried

    found = game(host, unit, unit.campaigns.get(seat.campaign_id))
    if found is None:
        raise BadInput([Flaw(seat.name, "the campaign is over; nothing can be ordered any more")])
    chair = Chair(host, unit, found, seat)
    within, too_much = within_bounds(read_card("\n".join(lines)).lines)
    words = chair.sort_out(within)
    words.faults += too_much
    yield from host.templates.mail(tried(chair, words)).text.splitlines()


@app.command(context_settings=AS_WRITTEN)
def do(
    name: Name,
    words: Annotated[list[str], typer.Argument(help="For example: hand over Crane Host to ben@example.org")],
    config: Config = None,
) -> None:
    """Do anything that an organizer can write in a mail.

    close, extend 2d, pause, resume, status, dismiss 12, hand over A to ben@x.example, renew tokens of A,
    withdraw A "has no time any more", seat ben@x.example, refuse ben@x.example: as in a mail. Quotation marks may be
    left out.
    """
    match plain(text := " ".join(words)):
        case "close" | "close now" | "close anyway" | "close now anyway":
            close(name, anyway="anyway" in text.lower(), config=config)
        case "status":
            status(name, config=config)
        case _:
            _steer(name, text, config)


def _steer(name: str, text: str, config: Path | None) -> None:
    """Do an organizer's command as if it had been mailed."""
    with the_host(config) as host:
        say(_command(host, name, text))


def _command(host: Any, name: str, text: str) -> str:
    from pbem.service.organizer import organize

    with host.unit() as unit:
        try:
            done = organize.command(organize.Control(host, unit, the_campaign(unit, name), WHO), text)
        except organize.Refused as refusal:
            instead = f"; write for example: pbem do {name} {refusal.paste}" if refusal.paste else ""
            raise BadInput([Flaw(name, f"{refusal}{instead}")]) from refusal
        unit.commit()
    return done


@app.command()
def close(
    name: Name,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Also a stage for which nobody has sent orders yet.")
    ] = False,
    config: Config = None,
) -> None:
    """Resolve the open stage now, whether the server runs or not. Exit code 1 if it cannot be resolved."""
    from pbem.service.stages import advance

    with the_host(config) as host:
        with host.unit() as unit:
            stage = unit.campaigns.current_stage(the_campaign(unit, name))
        _command(host, name, "close anyway" if anyway else "close")
        advance.run_stage(host, stage.id)
        with host.unit() as unit:
            stage = unit.campaigns.stage(stage.id)
    if stage.status != "closed":
        raise PbemError(f"{stage.title} could not be resolved and is {stage.status}; the lines above say why")
    say(f"{stage.title} is closed; the reports are in the outbox, and the server sends them.")


@app.command(context_settings=AS_WRITTEN)
def extend(
    name: Name, by: Annotated[str, typer.Argument(help="How much, for example 2d or 36h.")], config: Config = None
) -> None:
    """Move the deadline of the open stage."""
    _steer(name, f"extend {by}", config)


@app.command()
def pause(name: Name, config: Config = None) -> None:
    """Stop a campaign's clock."""
    _steer(name, "pause", config)


@app.command()
def resume(name: Name, config: Config = None) -> None:
    """Start it again; the deadline moves by the length of the pause."""
    _steer(name, "resume", config)
