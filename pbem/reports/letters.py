"""The letters the server writes, as facts. ``templates/mail/<name of the class, lower case>.*.j2`` words them.

Every time is an aware UTC ``datetime``; the reader's zone stands in the letterhead. A letter holds nothing that
its reader may not know: what is in here may end up in the text.
"""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Literal

from pbem.core.orders import Check, Fault, Line, Sheet, Verdict


@dataclass(frozen=True)
class Deadline:
    """When something is due."""

    what: str
    """``Turn 7, orders``."""
    at: datetime


@dataclass(frozen=True)
class Link:
    """A page to look at."""

    words: str
    address: str


@dataclass(frozen=True)
class Letterhead:
    """What all letters and reports to one reader share."""

    campaign: str
    """The campaign's short name, which tags every subject: ``[dragonis]``."""
    title: str
    """The campaign's title."""
    now: datetime
    realm: str = ""
    """The name of the reader's seat; nothing for the organizer and the public."""
    tenure: int = 0
    """Which of the persons who had the seat one after the other the reader is; 0: the mail is for one address alone."""
    person: str = ""
    """What to call the reader, if he told it."""
    zone: str = "UTC"
    """The reader's time zone."""
    reply_to: str = ""
    """Where he sends his cards: the address with his token."""
    deadlines: tuple[Deadline, ...] = ()
    """What is due, the next one first."""
    frame: str = ""
    """The first line of a framed card; its last is ``END``."""
    links: tuple[Link, ...] = ()
    picture: str | None = None
    """Address of the map picture: ``cid:map.7`` in a mail, a file name on a page; ``None``: no picture."""

    @property
    def hello(self) -> str:
        """How to greet: ``Ana (Red Banner Duchy)``, or whatever of it is known."""
        if self.person and self.realm:
            return f"{self.person} ({self.realm})"
        return self.person or self.realm or "there"

    @property
    def deadline(self) -> Deadline | None:
        """The next thing due."""
        return self.deadlines[0] if self.deadlines else None


@dataclass(frozen=True)
class Letter:
    """What all letters have."""

    head: Letterhead


@dataclass(frozen=True)
class LastAnswer:
    """What stands at the end of an answer after which, for a while, there are none."""

    most: int
    """Answers that one gets in an hour."""
    until: datetime
    """When there will be answers again."""


@dataclass(frozen=True)
class Acknowledgement(Letter):
    """The answer to a mail with orders.

    What was in this mail is ``sheet``, what is on file now ``check``, made of the whole merged set. From these faults,
    new orders, kept orders and defaults are derived."""

    turn: int
    receipt: str
    """``K7Q2``; nothing if nothing was filed."""
    content: str
    """SHA-256 of the mail's content, hex; nothing if the mail has no part in the dice."""
    received: datetime
    sheet: Sheet
    """What this mail said. After ``YES`` to orders in a quoted part: those orders."""
    check: Check
    """The whole set now on file, and the faults the check found."""
    kind: Literal["filed", "unchanged", "late", "overdue", "quoted", "outside"] = "filed"
    """``unchanged``: this mail was here before. ``late``: it answers a closed stage; its orders wait for a ``YES`` to
    count in the open one, where ``check`` is what they would do. ``overdue``: it came after the deadline of a stage
    that is being closed; nothing counts. ``quoted``: orders stand only in the quoted part (``sheet`` holds those),
    ``outside``: some stand outside the card, or below a quotation below others; they wait for a ``YES``."""
    same_as: str = ""
    """For ``unchanged``: the receipt of the first copy."""
    missed: str = ""
    """For ``late`` and ``overdue``: the stage it answers."""
    closed: datetime | None = None
    """For ``late``: when that stage was closed. For ``overdue``: its deadline."""
    later: str = ""
    """The receipt of a mail that was received later, at ``later_at``, and read before; nothing: there is none."""
    later_at: datetime | None = None
    overtaken: tuple[str, ...] = ()
    """Lines of this mail that do not count, because a later one says otherwise."""
    all_hold: bool = False
    """The mail said ``OK``."""
    final: bool = False
    """The mail said ``FINAL``: the player is done."""
    reopened: bool = False
    """An earlier mail said ``FINAL``; this one changes something, so that no longer holds."""
    replaced: bool = False
    """The mail said ``REPLACE ALL``."""
    dropped: tuple[str, ...] = ()
    """The lines that were on file and no longer are: cancelled, or fallen to ``REPLACE ALL``."""
    done: tuple[str, ...] = ()
    """What the ``acted`` immediate orders of this mail did, as sentences: they are carried out already."""
    acted: int = 0
    examples: tuple[str, ...] = ()
    """Three lines this player could send, for a mail in which nothing could be read."""

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        """All faults, in the order of the lines."""
        return tuple(sorted(self.sheet.faults + self.check.faults, key=lambda fault: fault.line.number))

    @cached_property
    def understood(self) -> tuple[Verdict, ...]:
        """The orders of this mail that are now on file."""
        said = {(written.order.key, written.line) for written in self.sheet.orders}
        on_file = ((verdict, verdict.written) for verdict in self.check.verdicts)
        return tuple(verdict for verdict, written in on_file if (written.order.key, written.line) in said)

    @cached_property
    def kept(self) -> tuple[Verdict, ...]:
        """The orders of earlier mails that are still on file."""
        new = self.understood
        return tuple(verdict for verdict in self.check.verdicts if verdict not in new)

    @property
    def good(self) -> int:
        """How many orders of this mail were understood."""
        return len(self.understood) + self.acted

    @property
    def total(self) -> int:
        """How many orders this mail held."""
        return self.good + len(self.faults)

    @property
    def readable(self) -> bool:
        """Whether anything in the mail could be read as an order or a word to the server."""
        return bool(self.total or self.all_hold or self.final or self.replaced or self.dropped or self.later)

    @property
    def ignored(self) -> tuple[Line, ...]:
        """Lines that did not look like orders."""
        return self.sheet.ignored

    def otherwise(self, fault: Fault) -> str:
        """What happens if the player leaves a fault as it is: what is on file, else the default."""
        on_file = {verdict.subject: f"your order on file stays, {verdict.does}" for verdict in self.check.verdicts}
        defaults = {subject: f"{subject}: {deed}" for subject, deed in self.check.defaults}
        return on_file.get(fault.subject) or fault.otherwise or defaults.get(fault.subject, "")


@dataclass(frozen=True)
class Status(Letter):
    """What a player has on file; the answer to ``STATUS``."""

    turn: int
    stage: str
    """``Turn 7, orders``."""
    check: Check
    receipt: str = ""
    """The receipt of the last mail that counted; nothing: none came."""
    received: datetime | None = None
    final: bool = False
    awaited: bool = True
    """Whether the stage waits for this seat."""


@dataclass(frozen=True)
class Reminder(Letter):
    """To a player from whom nothing came."""

    turn: int
    stage: str
    defaults: tuple[tuple[str, str], ...] = ()
    """What happens without a word from him: ``Check.defaults`` of an empty card."""
    form: tuple[str, ...] = ()
    """The order form, to reply with."""


@dataclass(frozen=True)
class Notice(Letter):
    """News of what another player's immediate order did, with the lines to answer it."""

    turn: int
    topic: str
    """A few words for the subject: ``an offer at 14 Ford``."""
    sentences: tuple[str, ...]
    answers: tuple[tuple[str, str], ...] = ()
    """Line to send and what it does: ``("accept P3", "takes the terms")``."""
    otherwise: str = ""
    """What happens without an answer."""


@dataclass(frozen=True)
class Welcome(Letter):
    """The invitation."""

    about: str
    """What the campaign is, in a sentence."""
    pace: str
    """``one turn a week: orders by Friday 20:00, meetings by Sunday 20:00``."""
    length: str = ""
    """``12 turns, or until somebody has won``; nothing: no end is set."""
    minutes: int = 20
    """What a turn asks of a player, in minutes."""
    promise: str = ""
    """SHA-256 of the secret behind dice that only some may know; nothing: there are none in this game."""
    takes_over: bool = False
    """The seat was another's until now."""


@dataclass(frozen=True)
class Farewell(Letter):
    """To a player whose seat another has now."""


@dataclass(frozen=True)
class Leaving(Letter):
    """To a player who says that he wants to leave."""


@dataclass(frozen=True)
class WantsOut(Letter):
    """To the organizer: a player wants to leave."""

    realm: str
    player: str
    address: str


@dataclass(frozen=True)
class Announcement(Letter):
    """News for everybody from the organizer or the server: extended, paused, resumed, closed early."""

    topic: str
    """For the subject: ``Turn 7 extended by 2 days``."""
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Catchup(Letter):
    """A deadline passed while the server was down; the stage stays open a little longer."""

    stage: str
    deadline: datetime
    closes: datetime


@dataclass(frozen=True)
class Held(Letter):
    """A stage could not be resolved because of an error in the program."""

    stage: str
    reference: str
    """Under which the log tells more."""
    error: str = ""
    """For the organizer only: kind and place of the error."""


@dataclass(frozen=True)
class Over(Letter):
    """The campaign has ended."""

    reason: str
    ranking: tuple[tuple[str, ...], ...]
    """Realms in order of merit, equals together."""
    secret: str = ""
    """The secret that the invitation promised, hex."""

    @property
    def places(self) -> tuple[tuple[str, str], ...]:
        """Rank and realm; equals share a rank, and the next ranks are left out: 1, 2, 2, 4."""
        ranks = [1 + sum(map(len, self.ranking[:index])) for index in range(len(self.ranking))]
        return tuple((str(rank), realm) for rank, realms in zip(ranks, self.ranking, strict=True) for realm in realms)


@dataclass(frozen=True)
class Help(Letter):
    """How to write to the server."""

    forms: tuple[str, ...] = ()
    """How orders are written: a line of each form, what it does after ``#``; none when there is nothing to order."""
    examples: tuple[str, ...] = ()
    """Order lines this player could send now."""


@dataclass(frozen=True)
class Rules(Letter):
    """An excerpt of the rulebook; the answer to ``RULES 6.4``."""

    asked: str
    """What was asked for."""
    excerpt: str = ""
    """Markdown, as the rulebook has it; nothing: no such rule."""
    contents: tuple[str, ...] = ()
    """Headings to ask for instead: ``6.4 Don't Pass in the Night``."""


@dataclass(frozen=True)
class Unsure(Letter):
    """To a known address from which a mail came that may be forged: it is kept, and a ``YES`` files it."""

    why: Literal["token", "proof", "account"]
    """``token``: it carried no valid one. ``proof``: it did, but its sender is not proven. ``account``: it would change
    who may write for the seat, which takes more than a token."""
    receipt: str
    received: datetime
    lines: tuple[str, ...] = ()
    """What it says."""


@dataclass(frozen=True)
class Addresses(Letter):
    """How things stand with a player's addresses; the answer to ``ADDRESS``, ``FORGET``, ``REPORTS TO``."""

    addresses: tuple[tuple[str, str], ...]
    """Each with what it is used for; none for an address that is no longer among them."""
    done: tuple[str, ...] = ()
    """What was done, as sentences."""
    faults: tuple[Fault, ...] = ()
    topic: str = ""
    """For the subject: ``Your addresses have changed``; nothing: they are only listed."""


@dataclass(frozen=True)
class Joining(Letter):
    """To an address that a player wants to write from, whoever reads it: nothing about the game."""

    asker: str
    """The address that asks."""
    unclear: bool = False
    """He was asked before, and has answered neither yes nor no."""


@dataclass(frozen=True)
class Misused(Letter):
    """To whoever a token belongs to: somebody else wrote with it. Nothing has come of it."""

    stranger: str
    """The address of whoever wrote; nothing: it could not be made out."""
    asked: datetime | None = None
    """When it was asked whether it wants to play this seat; it has not answered yet."""


@dataclass(frozen=True)
class Plain:
    """What letters have that belong to no campaign."""

    service: str
    """How the server calls itself: the address it writes from."""


@dataclass(frozen=True)
class Unknown(Plain):
    """To a stranger: no word about any game."""

    asked: datetime | None = None
    """When he was asked at his address whether he wants to play; he has not answered yet."""


@dataclass(frozen=True)
class Unread(Plain):
    """To whoever sent something that cannot be read as a letter: too large, or it broke the program. It is kept."""

    subject: str
    reason: str
    """A clause: ``it has 300,000 bytes``."""
    obstacle: str = ""
    """What stood in the way, where there is a way around it: ``tnef``, ``smime``, ``pgp``."""


@dataclass(frozen=True)
class Unreachable(Letter):
    """To the organizer: mail to a player's address comes back."""

    realm: str
    address: str
    reason: str
    """What the other server said."""
    other: str = ""
    """Where his mail goes now; nothing: he has no other address."""


@dataclass(frozen=True)
class Complained(Letter):
    """To the organizer: a player, or his mail program, has marked a mail of the campaign as unwanted."""

    realm: str
    address: str


@dataclass(frozen=True)
class Senders:
    """Letters of one address that were not answered, or not read, because there were too many."""

    address: str
    letters: int
    held: int
    """Those of them that were not read."""
    first: datetime
    last: datetime


@dataclass(frozen=True)
class Digest(Letter):
    """To the organizer, once an hour at most: whose letters went without an answer."""

    senders: tuple[Senders, ...]


@dataclass(frozen=True)
class UnreachableOrganizer(Plain):
    """To the postmaster: mail to an organizer comes back."""

    title: str
    address: str
    reason: str


@dataclass(frozen=True)
class Stray:
    """A letter that belongs to no campaign."""

    number: int
    sender: str
    subject: str
    note: str


@dataclass(frozen=True)
class Strays(Plain):
    """To the postmaster, once a day at most: letters that belong to no campaign."""

    until: datetime
    """The end of the day that is told of."""
    letters: tuple[Stray, ...]
    total: int
    """How many there were; not all are listed."""


@dataclass(frozen=True)
class Seating:
    """One seat, as the organizer sees it: what came, never what it says."""

    realm: str
    state: Literal["final", "sent", "missing", "not awaited"]
    receipt: str = ""
    received: datetime | None = None
    note: str = ""
    """``mail bounced on 3 May``."""


@dataclass(frozen=True)
class Organizer(Letter):
    """The answer to an organizer's commands, or news for him; with the state of the campaign."""

    topic: str
    """For the subject: ``closed Turn 7, orders``."""
    stage: str
    done: tuple[str, ...] = ()
    """What was done, as sentences."""
    faults: tuple[Fault, ...] = ()
    seats: tuple[Seating, ...] = ()
    trouble: tuple[str, ...] = ()
    """What waits for him: late letters, held stages, bounces."""
    commands: tuple[tuple[str, str], ...] = ()
    """Commands he may send now and what they do."""
    ignored: tuple[Line, ...] = ()
    """Lines that did not look like commands."""
