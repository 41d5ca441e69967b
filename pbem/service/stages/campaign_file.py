"""Campaign files: what the organizer writes to start a game. All mistakes are told at once, with key and line."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, Self
from zoneinfo import ZoneInfo, available_timezones

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from pbem.core import toml
from pbem.core.errors import BadInput, Flaw
from pbem.core.ruleset import Entrant
from pbem.mail.addresses import normal, valid
from pbem.service.stages.deadlines import next_deadline

CODE = re.compile(r"[a-zA-Z0-9-]{6,40}")
SHORT_NAME = re.compile("[a-z0-9][a-z0-9-]{0,30}")


def _address(text: str) -> str:
    address = text.strip()
    if address.endswith(">"):  # Olga Orsini <olga@example.org>
        address = address.rpartition("<")[2].removesuffix(">").strip()
    if not valid(address):
        raise ValueError(f"{text!r} is no mail address")
    return normal(address).lower()


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

    @property
    def all_addresses(self) -> tuple[str, ...]:
        """Every address he may write from."""
        return (self.address, *self.addresses)


class JoinSpec(BaseModel):
    """``[join]``: seats that are free for whoever asks for one by mail."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    seats: int = Field(ge=1, le=26)
    how: Literal["open", "code", "approved"] = "approved"
    """Who gets one: everybody, who knows the code, or whom the organizer lets in."""
    code: str = ""

    @model_validator(mode="after")
    def _has_its_code(self) -> Self:
        if (self.how == "code") != bool(self.code):
            raise ValueError('a code belongs to how = "code", and to nothing else')
        if self.code and not CODE.fullmatch(self.code):
            raise ValueError("a code is one word of 6 to 40 letters, digits and hyphens: a shorter one is guessed")
        return self


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
    join: JoinSpec | None = None
    seat: tuple[SeatSpec, ...] = ()


@dataclass(frozen=True)
class CampaignFile:
    """A campaign file as it was read, with the places of its keys."""

    spec: CampaignSpec
    """What stands in it; in the place of what cannot be read, something harmless."""
    where: Callable[..., str]
    """Where a key stands, for error messages."""
    flaws: tuple[Flaw, ...] = ()
    """What cannot be read. No campaign begins with any: the rest is only looked at, to tell all mistakes at once."""

    def entrants(self) -> tuple[Entrant, ...]:
        """The seats for the rule system: ``A``, ``B``, … in their order."""
        return tuple(
            Entrant(chr(ord("A") + place), seat.name, seat.model_extra or {}, self.where("seat", place))
            for place, seat in enumerate(self.spec.seat)
        )

    def doubts(self) -> Iterator[Flaw]:
        """What may be meant as it stands, but ought to be looked at twice; it keeps no campaign from beginning."""
        spec, players = self.spec, [seat for seat in self.spec.seat if not seat.robot]
        for address in dict.fromkeys(address for seat in players for address in seat.all_addresses):
            seats = [seat.name for seat in players if address in seat.all_addresses]
            played = " and ".join(seats)
            if len(seats) > 1:
                yield Flaw(address, f"it plays {played}: whoever reads it knows the secrets of them all")
            if address == spec.organizer:
                reason = (
                    f"it leads the campaign and plays {played}: as what it writes is told by the mail that it answers"
                )
                yield Flaw(address, reason)
            if "." not in address.rpartition("@")[2]:
                yield Flaw(address, "its domain has no dot: mail gets there only within a local network")


def read_campaign(name: str, text: str) -> CampaignFile:
    """Read the campaign file called ``name``. Raises ``BadInput`` if so little can be read that nothing else can be
    looked at; else the flaws stand in what is returned."""
    data = toml.parse(name, text)

    def where(*path: str | int) -> str:
        return toml.where(name, text, path)

    try:
        return CampaignFile(CampaignSpec(**data), where)
    except ValidationError as error:
        flaws = toml.flaws(name, text, error.errors())
        try:
            return CampaignFile(CampaignSpec(**_mended(data, error)), where, tuple(flaws))
        except ValidationError:
            raise BadInput(flaws) from error


HARMLESS: Mapping[str, Any] = {
    "name": "0" * 31,
    "title": "?",
    "organizer": "nobody@localhost.example",
    "schedule": {},
    "join": {"seats": 2},  # As a whole: one of its keys without the other is wrong again.
}
HARMLESS_IN_SEAT = {"name": "seat {}", "address": "nobody@localhost.example"}
"""What stands for a key that cannot be left out, while the rest of a file is looked at."""


def _mended(data: dict[str, Any], error: ValidationError) -> dict[str, Any]:
    """The data without what is wrong with it."""
    mended = deepcopy(data)
    places = {each["loc"] for each in error.errors()}
    for *way, key in sorted(places, key=repr, reverse=True):  # The last of a list first.
        if any(place[: len(way) + 1] == (*way, key) for place in places if len(place) > len(way) + 1):
            continue  # A list is called too short because something in it is wrong.
        table = _table(mended, way)
        if isinstance(table, dict):
            table.pop(str(key), None)
        elif isinstance(table, list) and isinstance(key, int) and key < len(table):
            table.pop(key)
        if len(way) == 2 and way[0] == "seat" and key in HARMLESS_IN_SEAT and isinstance(table, dict):
            table[str(key)] = HARMLESS_IN_SEAT[str(key)].format(way[1])
        elif way == ["join"]:
            mended["join"] = HARMLESS["join"]
        elif not way and key in HARMLESS:
            mended[str(key)] = HARMLESS[str(key)]
    return mended


def _table(data: Any, way: Sequence[str | int]) -> Any:
    """What a way through tables and lists leads to; ``None`` if there is no such way."""
    for step in way:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return None
    return data
