"""What is known of the mails in a mailbox: which are stored, and which may be why something failed."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

LARGEST_GROUP, MOST_IN_GROUP = 1_000_000, 50
"""Bytes and mails that are fetched together."""
TIDYING = 2
"""How often it is tried to mark or move a mail that was stored."""

LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Listed:
    """A mail in the mailbox, not yet fetched."""

    uid: int
    size: int
    """Bytes, as the server says."""
    arrived: datetime | None

    @property
    def place(self) -> tuple[datetime, int]:
        """In order of arrival."""
        return self.arrived or LONG_AGO, self.uid


@dataclass
class Ledger:
    """The mails dealt with since the start, by UID; the numbers mean nothing under another UIDVALIDITY."""

    stored: set[int] = field(default_factory=set)
    aside: set[int] = field(default_factory=set)
    """Those in quarantine."""
    failures: dict[int, int] = field(default_factory=dict)
    """How often a mail failed when it was taken alone; 0: it was only among several when something failed."""
    uid_validity: int = 0
    _tidied: Counter[int] = field(default_factory=Counter)

    def under(self, uid_validity: int) -> None:
        """A mailbox that does not tell its UIDVALIDITY (0) may have numbered its mails anew each time."""
        if uid_validity != self.uid_validity or not uid_validity:
            self.__init__(uid_validity=uid_validity)  # type: ignore[misc]  # As if just begun.

    def waiting(self, listed: Sequence[int]) -> list[int]:
        """Those of the mails in the mailbox that are to be taken; what is known of mails that are gone is forgotten."""
        there = set(listed)
        self.stored &= there
        self.aside &= there
        for known in (self.failures, self._tidied):
            for uid in known.keys() - there:
                del known[uid]
        return [uid for uid in listed if uid not in self.stored and uid not in self.aside]

    def suspect(self, uids: Iterable[int]) -> None:
        """Something failed when several mails were asked for: from now on each of them is taken alone."""
        for uid in uids:
            self.failures.setdefault(uid, 0)

    def clear(self, uids: Iterable[int]) -> None:
        """What was asked for came: the mails that were only suspected are so no longer."""
        for uid in uids:
            if self.failures.get(uid) == 0:
                del self.failures[uid]

    def fail(self, uid: int) -> int:
        """A mail failed when it was taken alone; returns how often by now."""
        self.failures[uid] = self.failures.get(uid, 0) + 1
        return self.failures[uid]

    def store(self, uid: int) -> None:
        """A mail is stored."""
        self.stored.add(uid)
        self.failures.pop(uid, None)

    def set_aside(self, uid: int) -> None:
        """A mail is in quarantine, and not tried again."""
        self.aside.add(uid)
        self.failures.pop(uid, None)

    def to_tidy(self) -> list[int]:
        """Stored mails still to be marked or moved; that is tried a few times, for it may be what fails."""
        uids = [uid for uid in self.stored if self._tidied[uid] < TIDYING]
        self._tidied.update(uids)
        return uids

    def tidied(self, uids: Iterable[int]) -> None:
        """It was done, or refused."""
        for uid in uids:
            self._tidied[uid] = TIDYING

    def sorted(self, uids: Sequence[int]) -> tuple[list[int], list[int], list[int]]:
        """Those to be taken alone, because they were only among several when something failed; those that may be taken
        together; and those to be taken alone and last, the most hopeless at the end."""
        alone = [uid for uid in uids if self.failures.get(uid) == 0]
        together = [uid for uid in uids if uid not in self.failures]
        last = sorted((uid for uid in uids if self.failures.get(uid)), key=lambda uid: (self.failures[uid], uid))
        return alone, together, last


def groups(mails: Iterable[Listed]) -> Iterator[list[Listed]]:
    """Mails in order of arrival, as many together as may be fetched at once."""
    group: list[Listed] = []
    for mail in sorted(mails, key=lambda each: each.place):
        if group and (len(group) == MOST_IN_GROUP or sum(each.size for each in group) + mail.size > LARGEST_GROUP):
            yield group
            group = []
        group.append(mail)
    if group:
        yield group
