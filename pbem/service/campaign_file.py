"""Campaign files: what the organizer writes to start a game. All mistakes are told at once, with key and line."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any
from zoneinfo import ZoneInfo, available_timezones

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from pbem.core import toml
from pbem.core.errors import BadInput
from pbem.core.ruleset import Entrant
from pbem.mail.addresses import normal, valid
from pbem.service.deadlines import next_deadline

SHORT_NAME = re.compile("[a-z0-9][a-z0-9-]{0,30}")


def _address(text: str) -> str:
    if not valid(text.strip()):
        raise ValueError(f"{text!r} is no mail address")
    return normal(text.strip()).lower()


def _zone(text: str) -> str:
    if text not in available_timezones():
        raise ValueError(f"{text!r} is no time zone; write for example Europe/Berlin")
    return str(ZoneInfo(text))


def _rule(text: str) -> str:
    next_deadline(text, datetime.fromtimestamp(0, UTC), "UTC")
    return text


def _short_name(text: str) -> str:
    if not SHORT_NAME.fullmatch(text):
        raise ValueError(f"{text!r} is no short name; write small letters, digits and hyphens, at most 31")
    return text


ShortName = Annotated[str, AfterValidator(_short_name)]
MailAddress = Annotated[str, AfterValidator(_address)]
Zone = Annotated[str, AfterValidator(_zone)]
Rule = Annotated[str, AfterValidator(_rule)]


class SeatSpec(BaseModel):
    """``[[seat]]``. What the host does not know is the rule system's."""

    model_config = ConfigDict(extra="allow", frozen=True)

    name: str = Field(min_length=1, max_length=40)
    address: MailAddress
    addresses: tuple[MailAddress, ...] = ()
    """Further addresses he may write from."""
    player: str = ""
    robot: bool = False
    """The server plays this seat."""
    zone: Zone = ""


class CampaignSpec(BaseModel):
    """A campaign file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: ShortName
    title: str = Field(min_length=1, max_length=60)
    rules: str
    organizer: MailAddress
    zone: Zone = "UTC"
    schedule: dict[str, Rule]
    options: dict[str, Any] = {}
    seat: tuple[SeatSpec, ...] = Field(min_length=1)


@dataclass(frozen=True)
class CampaignFile:
    """A campaign file that reads well, with the places of its keys."""

    spec: CampaignSpec
    where: Callable[..., str]
    """Where a key stands, for error messages."""

    def entrants(self) -> tuple[Entrant, ...]:
        """The seats for the rule system: ``A``, ``B``, … in their order."""
        return tuple(
            Entrant(chr(ord("A") + place), seat.name, seat.model_extra or {}, self.where("seat", place))
            for place, seat in enumerate(self.spec.seat)
        )


def read_campaign(name: str, text: str) -> CampaignFile:
    """Read the campaign file called ``name``; raises ``BadInput`` with every flaw."""
    data = toml.parse(name, text)

    def where(*path: str | int) -> str:
        return toml.where(name, text, path)

    try:
        return CampaignFile(CampaignSpec(**data), where)
    except ValidationError as error:
        raise BadInput(toml.flaws(name, text, error.errors())) from error
