"""What came in and got no answer, told in one mail: each hour to the organizer, each day to the postmaster."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import groupby

from pbem.reports.letters import Digest, Senders, Stray, Strays
from pbem.service.host import Host
from pbem.service.outgoing.post import organizer_head, tell
from pbem.storage.tables import Letter, number_of
from pbem.storage.unit import Unit

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
LOOK_BACK = 24
"""Hours for which nothing was told because the server was down are told later, as far back as this."""
MOST_SENDERS = 50
MOST_STRAYS = 50


def digest(host: Host) -> int:
    """Tell of the hours and of the day that are over; how many mails were written. Each is told of once."""
    now = host.clock()
    hour = now.replace(minute=0, second=0, microsecond=0)
    with host.unit() as unit:
        letters = unit.letters.unanswered(hour - LOOK_BACK * HOUR, hour)
        told = sum(_tell_organizers(host, unit, list(each)) for _, each in groupby(letters, _hour))
        told += _tell_postmaster(host, unit, hour.replace(hour=0))
        unit.commit()
        return told


def _hour(letter: Letter) -> datetime:
    return letter.stored_at.replace(minute=0, second=0, microsecond=0)


def _tell_organizers(host: Host, unit: Unit, letters: Sequence[Letter]) -> int:
    """Tell of the letters of one hour."""
    told = 0
    for number in sorted({letter.campaign_id for letter in letters if letter.campaign_id}):
        campaign = unit.campaigns.get(number)
        cause = f"digest {_hour(letters[0]):%Y%m%dT%H}"
        if not unit.outbox.caused_by(campaign.organizer, f"{campaign.name} {cause}"):
            senders = _senders([letter for letter in letters if letter.campaign_id == number])
            head = organizer_head(host, campaign, unit.campaigns.current_stage(campaign))
            tell(host, unit, campaign, campaign.organizer, Digest(head, senders[:MOST_SENDERS]), cause)
            told += 1
    return told


def _senders(letters: Sequence[Letter]) -> tuple[Senders, ...]:
    found = []
    for sender, each in groupby(sorted(letters, key=lambda letter: letter.sender), lambda letter: letter.sender):
        own = list(each)
        times = [letter.received_at for letter in own]
        held = sum(letter.status == "held" for letter in own)
        found.append(Senders(sender, len(own), held, min(times), max(times)))
    return tuple(sorted(found, key=lambda each: -each.letters))


def _tell_postmaster(host: Host, unit: Unit, until: datetime) -> int:
    """Tell of the letters of the day that ended then and that belong to no campaign."""
    cause = f"strays {until:%Y%m%d}"
    if not host.postmaster or unit.outbox.caused_by(host.postmaster, cause):
        return 0
    letters = unit.letters.strays(until - DAY, until)
    if not letters:
        return 0
    listed = tuple(Stray(number_of(each), each.sender, each.subject, each.note) for each in letters[:MOST_STRAYS])
    tell(host, unit, None, host.postmaster, Strays(host.address, until, listed, len(letters)), cause)
    return 1
