"""What every use case works with. Built once, in ``pbem.hosting``; tests build their own."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from sqlalchemy import Engine

from pbem.core.errors import BadInput, Flaw
from pbem.core.ruleset import FileReader, Ruleset
from pbem.mail.addresses import untagged
from pbem.mail.authentication import Proof
from pbem.mail.reading.safely import Read, read
from pbem.reports.render import Templates
from pbem.service.clerk import Clerk, ThreadClerk
from pbem.storage.engine import for_reading
from pbem.storage.tables import Campaign, Stage, Turn
from pbem.storage.unit import Unit


@dataclass(frozen=True)
class Rendition:
    """A map picture as bytes of PNG, for desks and for phones."""

    png: bytes
    small: bytes


@dataclass(frozen=True)
class Limits:
    """How much one address may cause in an hour; 0: any number."""

    answers: int = 20
    """Answers to the address of a player or an organizer."""
    strangers: int = 3
    """Answers to any other."""
    letters: int = 60
    """Letters that are read."""
    questions: int = 5
    """Answers to the address of a player or an organizer, for letters in his name that may be forged."""
    strangers_together: int = 100
    """Answers to all addresses together that nobody plays from."""


def no_proof(raw: bytes, sender: str) -> Proof:
    """Of a server that believes nobody's word and checks no signatures."""
    return Proof.ABSENT


@dataclass(frozen=True)
class Host:
    """The server's parts and manners."""

    engine: Engine
    rulesets: Mapping[str, Ruleset]
    templates: Templates
    draw: Callable[[str], Rendition]
    """SVG to pictures; may take a while, never call it inside a unit of work."""
    address: str
    """Where players write to; tokens are put behind its local part: ``orders+K7Q2ABCD@example.org``."""
    name: str
    """What the server calls itself in From."""
    key: bytes
    """Makes the tokens."""
    clock: Callable[[], datetime]
    """The time, aware UTC."""
    pages: str = ""
    """Address of the public pages; empty: there are none."""
    postmaster: str = ""
    """Who is told of what belongs to no campaign; empty: nobody."""
    limits: Limits = Limits()
    largest: int = 10_000_000
    """Bytes of the largest letter that is read."""
    catch_up: timedelta = timedelta(hours=2)
    mailbox_grace: timedelta = timedelta(minutes=10)
    """So long after its deadline a stage waits for a look into the mailbox."""
    reminders: tuple[timedelta, ...] = (timedelta(hours=72), timedelta(hours=24), timedelta(hours=3))
    prove: Callable[[bytes, str], Proof] = no_proof
    """Whether a mail, as bytes, comes from the sender that it names; may ask the DNS, so never in a unit of work."""
    read: Read = read
    """Reads a letter that comes in, in this process or at a safe distance from it."""
    strict: bool = False
    """Whether a token alone is not enough."""
    clerk: Clerk = field(default_factory=ThreadClerk)
    """Works with a host off the event loop."""
    _states: Callable[[str, int, bytes], Any] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        decode = lru_cache(maxsize=64)(lambda rules, turn_id, state: self.rulesets[rules].codec.load(state))
        object.__setattr__(self, "_states", decode)

    def unit(self) -> Unit:
        """A new unit of work."""
        return Unit(self.engine)

    def reading(self) -> Unit:
        """A new unit of work that only reads."""
        return Unit(for_reading(self.engine))

    def rules(self, name: str) -> Ruleset:
        """The rule system of this name; raises ``BadInput`` for one that is not there."""
        if name not in self.rulesets:
            known = ", ".join(sorted(self.rulesets))
            raise BadInput([Flaw("rules", f"no rule system is called {name!r}; there are: {known}")])
        return self.rulesets[name]

    def state(self, campaign: Campaign, turn: Turn) -> Any:
        """The state after a stored step. Rules never write to it: they copy first."""
        assert turn.id is not None
        return self._states(campaign.ruleset, turn.id, turn.state)

    @property
    def files(self) -> Mapping[str, FileReader]:
        """Who reads which kinds of files that come with a letter: it may be for any campaign."""
        return {ending: reader for rules in self.rulesets.values() for ending, reader in rules.files.items()}

    @property
    def domain(self) -> str:
        """The domain of the server's address."""
        return self.address.rpartition("@")[2]

    @property
    def id_domain(self) -> str:
        """The right side of our Message-IDs. By it our own mail is known when it comes back, so it must not be that of
        players who share the domain."""
        return f"pbem.{self.domain}"

    def is_own(self, address: str) -> bool:
        """Whether mail to it comes to us."""
        return untagged(address) == untagged(self.address)

    def reply_address(self, token: str) -> str:
        """The address that answers go to."""
        local, _, domain = self.address.rpartition("@")
        return f"{local}+{token}@{domain}"


@dataclass(frozen=True)
class Game:
    """A campaign as it stands: its rules, its open stage, the newest step and the state after it."""

    campaign: Campaign
    rules: Ruleset
    stage: Stage
    turn: Turn
    state: Any


def game(host: Host, unit: Unit, campaign: Campaign) -> Game | None:
    """The game as it stands; ``None`` when it is over."""
    stage = unit.campaigns.current_stage(campaign)
    if stage is None:
        return None
    turn = unit.turns.last(campaign)
    return Game(campaign, host.rules(campaign.ruleset), stage, turn, host.state(campaign, turn))
