"""Direct the demo: start everybody, leap from deadline to deadline, tell what happens, clear up."""

import asyncio
import contextlib
import logging
import shutil
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from importlib import resources
from pathlib import Path

from rich.console import Console

from pbem.app import build_server
from pbem.config import ImapIn, Mail, Schedule, Settings, SmtpIn, SmtpOut, Web
from pbem.core.errors import BadInput, Flaw, PbemError
from pbem.demo import farewell
from pbem.demo.clock import CLOSING, LeapingClock, beginning, closing_day
from pbem.demo.mailhost import MailHost
from pbem.demo.player import Manner, Player
from pbem.hosting import build_host
from pbem.mail.imap.mailbox import Mailbox
from pbem.mail.outgoing.maildir import MaildirOutbox
from pbem.mail.outgoing.smtp import Relay, SmtpOutbox
from pbem.reports.raster import Rasterizer
from pbem.server import Server, end
from pbem.service.host import Host, game
from pbem.service.incoming.robots import robot_card
from pbem.service.outgoing.post import seat_head
from pbem.service.stages.begin import begin
from pbem.service.stages.campaign_file import CampaignFile, read_campaign
from pbem.service.stages.deadlines import DAYS
from pbem.storage.tables import Campaign, Stage

TURNS = 4
SERVER = "orders@campaigns.example"
PASSWORD = "amber"
PATIENCE = 120.0
"""Seconds to wait for what should take a few."""
POLL = 1.0
"""Seconds between looks into a mailbox: the provider does not tell of a mail that comes just when somebody begins to
wait for one."""
LOOK = 0.05


@dataclass
class Stagehand:
    """What the direction works with."""

    host: Host
    server: Server
    clock: LeapingClock
    out: Console

    def campaign(self) -> Campaign:
        """The demo's campaign."""
        with self.host.unit() as unit:
            return unit.campaigns.all()[0]

    def stage(self) -> Stage | None:
        """The open stage."""
        with self.host.unit() as unit:
            return unit.campaigns.current_stage(unit.campaigns.all()[0])


class Stuck(PbemError):
    """The demo waited too long for something."""


def run(folder: Path, out: Console) -> None:
    """Play the demo into ``folder`` and say where everything lies. Raises ``BadInput`` if the folder is another's."""
    text = resources.files("pbem.demo").joinpath("campaign.toml").read_text()
    file = read_campaign("demo/campaign.toml", text)
    last = closing_day(datetime.now(UTC), file.spec.zone)
    file = _closing_on(file, last)
    _clear(folder)
    clock = LeapingClock(beginning(last, TURNS, file.spec.zone))
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # The provider goes on talking to players who have hung up.
    with Rasterizer() as rasterizer:
        asyncio.run(_play(folder, file, clock, rasterizer, out))
        farewell.clear_up(folder, out)


def _closing_on(file: CampaignFile, last: date) -> CampaignFile:
    """The campaign, with its turns closing on the weekday of ``last``: the demo is at any day's."""
    schedule = {**file.spec.schedule, "orders": f"weekly {DAYS[last.weekday()]} {CLOSING:%H:%M}"}
    return replace(file, spec=file.spec.model_copy(update={"schedule": schedule}))


def _clear(folder: Path) -> None:
    """Make room; never for anything but an earlier demo."""
    if folder.exists() and not farewell.is_ours(folder) and any(folder.iterdir()):
        raise BadInput([Flaw(str(folder), "holds something that is no demo; name another folder: pbem demo FOLDER")])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    farewell.mark(folder)


async def _play(folder: Path, file: CampaignFile, clock: LeapingClock, rasterizer: Rasterizer, out: Console) -> None:
    addresses = [file.spec.organizer, *(seat.address for seat in file.spec.seat)]
    async with MailHost(dict.fromkeys([SERVER, *addresses], PASSWORD), clock) as provider:
        settings = _settings(folder, provider)
        host = build_host(settings, rasterizer, clock=clock)
        relay = SmtpOutbox(Relay("127.0.0.1", provider.smtp_port, "none"))
        server = build_server(settings, host, relay)
        hand = Stagehand(host, server, clock, out)
        out.print(f"[b]{file.spec.title}[/b]: {len(file.spec.seat)} robot realms, {TURNS} turns, by real mail.")
        await asyncio.to_thread(begin, host, file)
        async with _serving(server), _players(folder, file, hand, provider):
            await _direct(hand)


def _settings(folder: Path, provider: MailHost) -> Settings:
    return Settings(
        data=folder / "data",
        mail=Mail(address=SERVER),
        smtp_in=SmtpIn(port=0),
        imap_in=ImapIn(
            enabled=True,
            host="127.0.0.1",
            port=provider.imap_port,
            security="none",
            user=SERVER,
            password=PASSWORD,
            poll=timedelta(seconds=POLL),
        ),
        smtp_out=SmtpOut(mode="smtp", host="127.0.0.1", port=provider.smtp_port, security="none"),
        web=Web(enabled=False),
        schedule=Schedule(tick="0.2s"),
    )


@contextlib.asynccontextmanager
async def _serving(server: Server) -> AsyncIterator[None]:
    """The server, running."""
    stop, started = asyncio.Event(), asyncio.Event()
    task = asyncio.create_task(server.run(stop, started.set))
    await asyncio.wait({asyncio.create_task(started.wait()), task}, return_when=asyncio.FIRST_COMPLETED)
    try:
        yield
    finally:
        stop.set()
        await task


@contextlib.asynccontextmanager
async def _players(folder: Path, file: CampaignFile, hand: Stagehand, provider: MailHost) -> AsyncIterator[None]:
    """Everybody, reading his mail. Every other player sends straight to the server's listener."""
    assert hand.server.listener is not None
    offices = [("127.0.0.1", hand.server.listener.port), ("127.0.0.1", provider.smtp_port)]
    manners: Sequence[Manner] = ("framed", "short", "short")
    shelf = MaildirOutbox(folder / "data" / "mail")
    people = [(file.spec.organizer, ""), *((seat.address, seat.name) for seat in file.spec.seat)]
    tasks = []
    for place, (address, realm) in enumerate(people):
        mailbox = Mailbox("127.0.0.1", address, PASSWORD, provider.imap_port, security="none", poll=POLL)
        player = Player(
            address, mailbox, offices[place % 2], shelf, _thinker(hand.host, realm), hand.clock, manners[place % 3]
        )
        tasks.append(asyncio.create_task(player.live()))
    try:
        yield
    finally:
        await asyncio.gather(*map(end, tasks), return_exceptions=True)


def _thinker(host: Host, realm: str) -> Callable[[str], str]:
    """What the robot of a realm would order now in answer to a mail, by the reply address that mail gave; from what
    it may see. Nothing if nobody waits for it, or no longer."""

    def think(reply_to: str) -> str:
        with host.unit() as unit:
            found = game(host, unit, unit.campaigns.all()[0])
            if found is None:
                return ""
            seat = next((each for each in unit.campaigns.seats(found.campaign) if each.name == realm), None)
            if seat is None or seat.code not in found.rules.stage(found.state).awaiting:
                return ""
            if reply_to != seat_head(host, found.campaign, seat, found.stage).reply_to:
                return ""
            return robot_card(host, found, seat)

    return think


# --- direction ----------------------------------------------------------------------------------------------------


async def _direct(hand: Stagehand) -> None:
    """From deadline to deadline, until the turns are played."""
    while (stage := hand.stage()) is not None and stage.turn <= TURNS:
        await _until(partial(_quiet, hand, stage), f"the mails of {stage.title}")
        _tell(hand, stage)
        if stage.deadline is not None:
            hand.clock.leap(stage.deadline)
            hand.server.worker.wake()
        await _until(partial(_closed, hand, stage), f"the end of {stage.title}")
    await _until(partial(_all_sent, hand), "the last reports to go out")
    hand.out.print("All reports are out.")


def _closed(hand: Stagehand, stage: Stage) -> bool:
    current = hand.stage()
    return current is None or current.id != stage.id


def _quiet(hand: Stagehand, stage: Stage) -> bool:
    """All awaited seats have ordered and everything written has been sent, or the stage is closed already."""
    if _closed(hand, stage):
        return True
    with hand.host.unit() as unit:
        found = game(hand.host, unit, unit.campaigns.all()[0])
        if found is None:
            return True
        missing = found.rules.stage(found.state).awaiting - unit.submissions.filed(stage).keys()
        return not missing and unit.outbox.waiting() == 0


def _all_sent(hand: Stagehand) -> bool:
    with hand.host.unit() as unit:
        return unit.outbox.waiting() == 0


async def _until(true: Callable[[], bool], what: str) -> None:
    """Wait until something is true, and a moment longer."""
    try:
        async with asyncio.timeout(PATIENCE):
            while not await asyncio.to_thread(true):
                await asyncio.sleep(LOOK)
    except TimeoutError as error:
        raise Stuck(f"the demo is stuck: after {PATIENCE:.0f} seconds still waiting for {what}") from error
    await asyncio.sleep(LOOK)


def _tell(hand: Stagehand, stage: Stage) -> None:
    """One line for a stage about to close."""
    with hand.host.unit() as unit:
        routes = [letter.route for letter in unit.letters.latest(200) if letter.received_at >= stage.opened_at]
    mails = f"{routes.count('smtp')} mails by SMTP, {routes.count('imap')} by IMAP"
    hand.out.print(f"  {stage.title:16}  {mails}; closes {stage.deadline:%a %-d %b %H:%M} UTC")
