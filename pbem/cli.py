"""The organizer's commands. Everything they do can also be done by mail."""

import asyncio
import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from pbem.core.errors import BadInput, Flaw, PbemError

app = typer.Typer(
    help="Campaigns played by e-mail: order cards in, turns closed on time, reports with a map out.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
letters = typer.Typer(help="Mail that came in.", no_args_is_help=True)
app.add_typer(letters, name="letters")

out = Console(highlight=False, soft_wrap=True)

FAILED, UNUSABLE = 1, 2
"""Exit codes: something went or is wrong; a file or command cannot be used."""
DATA_ERROR, TRY_LATER = 65, 75
"""Exit codes of sysexits.h, which mail servers understand."""

Config = Annotated[Path | None, typer.Option("--config", help="A configuration file; default: config.toml here.")]
Name = Annotated[str, typer.Argument(help="The campaign's short name.")]


def main() -> None:
    """Run the command line; bad input ends with exit code 2 and every flaw on a line of its own."""
    try:
        app()
    except BadInput as bad:
        _say_flaws(bad)
        sys.exit(UNUSABLE)
    except PbemError as error:
        typer.echo(str(error), err=True)
        sys.exit(FAILED)


def _say_flaws(bad: BadInput) -> None:
    for flaw in bad.flaws:
        typer.echo(str(flaw), err=True)


@contextmanager
def _host(config: Path | None) -> Iterator[Any]:
    """A host on the configured data; heavy parts are imported only when a command needs them."""
    from pbem.app import build_host
    from pbem.config import load
    from pbem.reports.raster import Rasterizer

    with Rasterizer() as rasterizer:
        yield build_host(load(config), rasterizer)


@app.command()
def serve(config: Config = None) -> None:
    """Run the server until Ctrl-C."""
    from pbem.app import build_host, build_server
    from pbem.app import serve as run
    from pbem.config import load
    from pbem.log import configure
    from pbem.reports.raster import Rasterizer

    settings = load(config)
    configure()
    with Rasterizer() as rasterizer:
        host = build_host(settings, rasterizer)
        server = build_server(settings, host)
        asyncio.run(run(server, lambda: _say_where(settings, host)))
    out.print("Stopped.")


def _say_where(settings: Any, host: Any) -> None:
    given = settings.smtp_in
    if given.enabled:
        out.print(f"Orders:  {given.protocol.upper()} on {given.host}:{given.port}, addressed as the reports say")
    if settings.imap_in.enabled:
        out.print(f"         and the mailbox {settings.imap_in.user} on {settings.imap_in.host}")
    where = settings.smtp_out.host if settings.smtp_out.mode == "smtp" else f"folders under {settings.data / 'mail'}"
    out.print(f"Mail:    goes out to {where}")
    if settings.web.enabled:
        out.print(f"Read:    {host.pages}/")
    _say_campaigns(host)
    out.print("Ctrl-C stops.")


def _say_campaigns(host: Any) -> None:
    with host.unit() as unit:
        campaigns = unit.campaigns.all()
    names = ", ".join(each.name for each in campaigns)
    out.print(f"Plays:   {names}" if names else "Plays:   nothing yet; begin with: pbem new FILE")


@app.command()
def demo(
    folder: Annotated[Path, typer.Argument(help="Where to put it; an earlier demo there is replaced.")] = Path("demo"),
) -> None:
    """Watch six robot realms play four turns by real mail. Ends by itself."""
    from pbem.demo import run

    run(folder, out)


@app.command()
def new(file: Annotated[Path, typer.Argument(help="A campaign file.")], config: Config = None) -> None:
    """Begin the campaign of a file and invite its players."""
    from pbem.service.begin import begin
    from pbem.service.campaign_file import read_campaign

    with _host(config) as host:
        name = begin(host, read_campaign(str(file), _text(file)))
    out.print(f"{name} has begun; the invitations are in the outbox and go out when the server runs.")


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise BadInput([Flaw(str(file), f"cannot be read: {error.strerror}")]) from error
    except UnicodeDecodeError as error:
        raise BadInput([Flaw(str(file), f"is no text in UTF-8: {error}")]) from error


@app.command()
def status(
    name: Annotated[str | None, typer.Argument(help="The campaign's short name; default: all.")] = None,
    addresses: Annotated[bool, typer.Option("--addresses", help="Show where each player writes to.")] = False,
    config: Config = None,
) -> None:
    """Show who has sent orders, and what waits for the organizer."""
    with _host(config) as host, host.unit() as unit:
        for campaign in unit.campaigns.all() if name is None else [_campaign(unit, name)]:
            _say_status(host, unit, campaign)
            if addresses:
                _say_addresses(host, unit, campaign)


def _say_status(host: Any, unit: Any, campaign: Any) -> None:
    from pbem.reports.when import moment
    from pbem.service.overview import seatings, trouble

    stage = unit.campaigns.current_stage(campaign)
    due = moment(stage.deadline, campaign.zone) if stage and stage.deadline else "no deadline"
    out.print(f"{campaign.title} ({campaign.name}), {campaign.status}: {stage.title if stage else 'over'}, {due}")
    for seating in seatings(host, unit, campaign):
        out.print(f"  {seating.realm:24} {seating.state:12} {seating.receipt}")
    for line in trouble(unit, campaign):
        out.print(f"  ! {line}", markup=False)


def _say_addresses(host: Any, unit: Any, campaign: Any) -> None:
    from pbem.service.post import organizer_head, seat_head

    stage = unit.campaigns.current_stage(campaign)
    for seat in unit.campaigns.seats(campaign):
        sender = " or ".join(unit.campaigns.addresses(seat))
        out.print(f"  {seat.name:24} from {sender} to {seat_head(host, campaign, seat, stage).reply_to}")
    out.print(f"  {'organizer':24} from {campaign.organizer} to {organizer_head(host, campaign, stage).reply_to}")


def _campaign(unit: Any, name: str) -> Any:
    campaign = unit.campaigns.named(name)
    if campaign is None:
        known = ", ".join(each.name for each in unit.campaigns.all()) or "none"
        raise BadInput([Flaw(name, f"no campaign has this name; there are: {known}")])
    return campaign


def _steer(name: str, text: str, config: Path | None) -> None:
    """Do an organizer's command as if it had been mailed."""
    with _host(config) as host:
        out.print(_command(host, name, text))


def _command(host: Any, name: str, text: str) -> str:
    from pbem.service import organize

    with host.unit() as unit:
        try:
            done = organize.command(organize.Control(host, unit, _campaign(unit, name), "command line"), text)
        except organize.Refused as refusal:
            raise BadInput([Flaw(name, str(refusal))]) from refusal
        unit.commit()
    return done


@app.command()
def close(name: Name, config: Config = None) -> None:
    """Resolve the open stage now, whether the server runs or not. Exit code 1 if it cannot be resolved."""
    from pbem.service import advance

    with _host(config) as host:
        with host.unit() as unit:
            stage = unit.campaigns.current_stage(_campaign(unit, name))
        _command(host, name, "close")
        advance.run_stage(host, stage.id)
        with host.unit() as unit:
            stage = unit.campaigns.stage(stage.id)
    if stage.status != "closed":
        raise PbemError(f"{stage.title} could not be resolved and is {stage.status}; the lines above say why")
    out.print(f"{stage.title} is closed; the reports are in the outbox and go out when the server runs.")


@app.command()
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


@app.command()
def dismiss(
    name: Name,
    numbers: Annotated[list[str], typer.Argument(help="The letters' numbers, as status has them.")],
    config: Config = None,
) -> None:
    """Set letters aside that are settled; they no longer wait for the organizer."""
    _steer(name, f"dismiss {' '.join(numbers)}", config)


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
        with _host(config) as host:
            accept(host, raw, Envelope(), "pipe")
    except BadInput as bad:  # The configuration: when it is mended, the letter comes again.
        _say_flaws(bad)
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
    with _host(config) as host, host.unit() as unit:
        for letter in unit.letters.latest(limit, status):
            head = f"{letter.received_at:%Y-%m-%d %H:%M}  {letter.route:5}  {letter.status:8}"
            out.print(f"{letter.id:5}  {head}  {letter.sender or '-'}", markup=False)
            for line in filter(None, (letter.subject, letter.note)):
                out.print(f"       {line}", markup=False)


@letters.command("show")
def show_letter(number: int, config: Config = None) -> None:
    """Show a letter as it came."""
    with _host(config) as host, host.unit() as unit:
        letter = unit.letters.get(number)
        if letter is None:
            raise BadInput([Flaw(str(number), "there is no such letter")])
        sys.stdout.buffer.write(letter.raw)


@app.command()
def replay(
    name: Annotated[str | None, typer.Argument(help="One campaign; default: all.")] = None, config: Config = None
) -> None:
    """Play every stored turn again and compare byte for byte. Exit code 1 if one differs."""
    from pbem.service.replay import replay as play

    wrong = 0
    with _host(config) as host:
        with host.unit() as unit:
            names = [each.name for each in unit.campaigns.all()] if name is None else [_campaign(unit, name).name]
        for each in names:
            for step in play(host, each):
                wrong += bool(step.differs)
                result = f"DIFFERS: {', '.join(step.differs)}" if step.differs else "the same bytes"
                out.print(f"{each} {step.number:3} {step.title}: {result}")
    if wrong:
        raise typer.Exit(1)


@app.command()
def verify(
    files: Annotated[list[Path], typer.Argument(help="Reports as mailed, in any order: mails, their text, or JSON.")],
) -> None:
    """Recompute every die of the reports, and tell which of them had been promised by another one here.

    Exit code 1 if something is wrong.
    """
    from pbem.core.proof import verify as check

    proofs = {file: _proof(file) for file in files}
    promises = {proof.next_commitment: proof for proof in proofs.values()}
    wrong = 0
    for file, proof in proofs.items():
        before = promises.get(proof.commitment)
        discrepancies = check(proof, before)
        wrong += bool(discrepancies)
        promised = "as another report here promised" if before else "no report here promised them"
        verdict = "WRONG" if discrepancies else f"all dice are right; {promised}"
        out.print(f"{file}: {verdict}", markup=False)
        for each in discrepancies:
            out.print(f"  {each}", markup=False)
    if wrong:
        raise typer.Exit(1)


def _proof(file: Path) -> Any:
    from pbem.core.proof import read_proof

    try:
        return read_proof(_proof_text(file.read_bytes()))
    except OSError as error:
        raise BadInput([Flaw(str(file), f"cannot be read: {error.strerror}")]) from error
    except BadInput as bad:
        raise BadInput([Flaw(str(file), flaw.reason) for flaw in bad.flaws]) from bad


def _proof_text(raw: bytes) -> str:
    """The part of a saved mail that holds the proof; other files as they are."""
    if raw.lstrip().startswith(b"{"):
        return raw.decode(errors="replace")
    from pbem.mail.letter import read_letter

    return read_letter(raw).body or raw.decode(errors="replace")


@app.command()
def cases(
    paths: Annotated[list[Path], typer.Argument(help="Files of rule cases, or folders of them.")],
    rules: Annotated[str, typer.Option(help="The rule system they are about.")] = "nippon",
) -> None:
    """Play rule cases and say what differs. Exit code 1 if something does."""
    from pbem.core.cases import read_cases

    system = _ruleset(rules)
    played = wrong = 0
    for file in sorted(each for path in paths for each in (path.rglob("*.txt") if path.is_dir() else [path])):
        for case in read_cases(str(file), _text(file)):
            differences = system.play_case(case)
            played, wrong = played + 1, wrong + bool(differences)
            for each in differences:
                out.print(f"{case.where}: {case.number} {case.title}: {each}", markup=False)
    out.print(f"{played} cases, {wrong} wrong")
    if wrong:
        raise typer.Exit(1)


def _ruleset(name: str) -> Any:
    from pbem.app import RULESETS

    if name not in RULESETS:
        raise BadInput([Flaw("--rules", f"no rule system is called {name!r}; there are: {', '.join(RULESETS)}")])
    return RULESETS[name]


@app.command()
def config_check(config: Config = None) -> None:
    """Read the configuration and show it, without passwords."""
    from pbem.config import load

    out.print_json(json.dumps(load(config).model_dump(mode="json"), default=str))
