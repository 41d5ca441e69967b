"""After the demo: check everything, say where it lies, and leave a seat for whoever watched."""

from pathlib import Path

from rich.console import Console

from pbem.config import load
from pbem.core.proof import read_proof, verify
from pbem.hosting import build_host
from pbem.mail.reading.letter import read_letter
from pbem.reports.raster import Rasterizer
from pbem.service.host import Host
from pbem.service.outgoing.post import seat_head
from pbem.service.stages import archiving
from pbem.service.stages.replay import replay

CONFIG = "config.toml"

SETTINGS = """# The demo's server: .venv/bin/pbem serve --config {folder}/config.toml
data = "{folder}/data"

[mail]
address = "orders@campaigns.example"

[limits]
answers = 0  # Any number in an hour: whoever plays on tries out much.
"""


def mark(folder: Path) -> None:
    """Write the configuration with which the demo can be played on; by it the folder is known as a demo's."""
    (folder / CONFIG).write_text(SETTINGS.format(folder=folder), encoding="utf-8")


def is_ours(folder: Path) -> bool:
    """Whether a folder holds a demo, whole or broken off."""
    config = folder / CONFIG
    return config.is_file() and config.read_text(encoding="utf-8").startswith(SETTINGS.partition(":")[0])


def clear_up(folder: Path, out: Console) -> None:
    """Check the dice and the turns, hand over a seat, and say where everything is."""
    settings = load(folder / CONFIG)
    with Rasterizer() as rasterizer:
        host = build_host(settings, rasterizer)
        _check(host, folder, out)
        archiving.write(host, settings.data)
        _say_where(host, folder, out)
        _hand_over(host, folder, out)
        host.engine.dispose()


def _check(host: Host, folder: Path, out: Console) -> None:
    """Play every turn again, and every die of every mailed report."""
    steps = list(replay(host, "demo"))
    wrong = [step for step in steps if step.differs]
    out.print(f"Replayed {len(steps)} steps: {len(wrong)} differ.")
    reports = [path for path in sorted((folder / "data" / "mail").rglob("*")) if path.is_file() and _is_report(path)]
    faults = [fault for path in reports for fault in verify(read_proof(read_letter(path.read_bytes()).body))]
    out.print(f"Verified the dice of {len(reports)} mailed reports: {len(faults)} wrong.")


def _is_report(path: Path) -> bool:
    return b"BEGIN PROOF" in path.read_bytes()


def _say_where(host: Host, folder: Path, out: Console) -> None:
    maps = folder / "maps"
    maps.mkdir(exist_ok=True)
    with host.unit() as unit:
        campaign = unit.campaigns.all()[0]
        for row, turn, _ in unit.turns.reports(campaign):
            if row.picture and not row.seat:
                (maps / f"step-{turn.number:02}.png").write_bytes(unit.turns.picture(row.picture).png)
    out.print(f"\nMails    {folder}/data/mail/ (a Maildir for each: mutt -f {folder}/data/mail/ana@players.example)")
    out.print(f"Maps     {folder}/maps/")
    out.print(f"Archive  {archiving.public(folder / 'data')}/index.html")


def _hand_over(host: Host, folder: Path, out: Console) -> None:
    """All seats but the first are played by the server from now on. What they have sent is their last word."""
    with host.unit() as unit:
        campaign = unit.campaigns.all()[0]
        mine, *others = unit.campaigns.seats(campaign)
        stage = unit.campaigns.current_stage(campaign)
        for seat in others:
            seat.robot = True
            if stage and (sent := unit.submissions.current(stage, seat)):
                sent.final = True
        head = seat_head(host, campaign, mine, stage)
        filed = bool(stage and unit.submissions.current(stage, mine))
        (address,) = unit.campaigns.addresses(mine)
        unit.commit()
    out.print(f"\nPlay on: {mine.name} is yours, the others stay robots. Start the server with")
    out.print(f"    .venv/bin/pbem serve --config {folder}/config.toml", style="bold")
    out.print("and send it orders, for example (FINAL closes the turn at once):")
    out.print(
        f"    printf 'From: {address}\\nTo: {head.reply_to}\\nSubject: orders\\n\\nOK\\nFINAL\\n' |\\\n"
        f"      curl -s smtp://127.0.0.1:2525 --mail-from {address} --mail-rcpt {head.reply_to} -T -",
        style="bold",
    )
    if filed:
        out.print(f"{mine.name} has orders on file, a robot's; what you send takes the place of those it names.")
    out.print(f"The answers come into the folder of mails: mutt -f {folder}/data/mail/{address}")
