"""The one place where the parts of a host are chosen and joined: settings to what every command works on."""

import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from pbem.config import Settings
from pbem.core.errors import BadInput, Flaw
from pbem.core.ruleset import Ruleset
from pbem.mail.addresses import normal
from pbem.mail.authentication import Proof, Trust, prove, txt_record
from pbem.packaged import packaged
from pbem.reports.raster import Rasterizer
from pbem.reports.render import Templates
from pbem.rulesets.nippon import NIPPON
from pbem.service.host import Host, Limits, Rendition, no_proof
from pbem.service.key import own_key
from pbem.storage.engine import open_engine
from pbem.storage.migrate import migrate

RULESETS: Mapping[str, Ruleset] = {rules.name: rules for rules in (NIPPON,)}
"""The rule systems of this server."""

WIDTH, SMALL_WIDTH = 1000, 600
"""Pixels of a map for desks and for phones."""


def now() -> datetime:
    """The time."""
    return datetime.now(UTC)


def build_host(
    settings: Settings,
    rasterizer: Rasterizer,
    *,
    clock: Callable[[], datetime] = now,
    rulesets: Mapping[str, Ruleset] = RULESETS,
    templates: Templates | None = None,
) -> Host:
    """What the use cases work with. Makes the data folder and brings the database up to date.

    Raises ``BadInput`` if the folder cannot be made, or nothing be written into it.
    """
    _make_folder(settings.data)
    engine = open_engine(settings.database_url)
    migrate(engine, packaged("db"))
    return Host(
        engine=engine,
        rulesets=rulesets,
        templates=templates or Templates(),
        draw=partial(_draw, rasterizer),
        address=normal(settings.mail.address),
        name=settings.mail.name,
        postmaster=settings.mail.postmaster,
        limits=Limits(**settings.limits.model_dump()),
        largest=settings.mail.largest,
        key=own_key(settings.data / "key"),
        clock=clock,
        pages=_linked_pages(settings),
        catch_up=settings.schedule.catch_up,
        mailbox_grace=settings.schedule.mailbox_grace,
        reminders=settings.schedule.reminders,
        prove=_prover(settings),
        strict=settings.trust.strict,
    )


def _make_folder(data: Path) -> None:
    try:
        data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput([Flaw("data", f"the folder {data} cannot be made: {error.strerror}")]) from error
    if not os.access(data, os.W_OK | os.X_OK):
        raise BadInput([Flaw("data", f"nothing can be written into the folder {data}: it is another user's")])


def _linked_pages(settings: Settings) -> str:
    """The address of the pages in mails. Without a public one, only mail that stays on this machine can name them."""
    stays = settings.web.enabled and settings.smtp_out.mode == "maildir"
    return settings.web.url or (local_pages(settings) if stays else "")


def local_pages(settings: Settings) -> str:
    """The address of the pages on this machine."""
    return f"http://{settings.web.host}:{settings.web.port}"


def _prover(settings: Settings) -> Callable[[bytes, str], Proof]:
    """What proves senders: nothing, if the settings name nobody to believe."""
    given = settings.trust
    if not (given.authserv_id or given.dkim):
        return no_proof
    lookup = txt_record if given.dkim else None
    return partial(prove, trust=Trust(settings.mail.address, given.authserv_id, given.hops, lookup))


def _draw(rasterizer: Rasterizer, svg: str) -> Rendition:
    return Rendition(*rasterizer.draw(svg, WIDTH, SMALL_WIDTH))


def clerks_host(settings: Settings) -> Host:
    """The host of a clerk in a process of his own, who draws nothing."""
    return build_host(settings, Rasterizer())
