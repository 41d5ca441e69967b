"""The letters the server writes, as facts. ``templates/mail/<name of the class, lower case>.j2`` words them.

Every time is an aware UTC ``datetime``; the reader's zone stands in the letterhead. A letter holds nothing that
its reader may not know: what is in here may end up in the text.
"""

from pbem.reports.letters.answers import Help, Rules
from pbem.reports.letters.campaign import Announcement, Catchup, Farewell, Held, Leaving, Over, Welcome
from pbem.reports.letters.head import Deadline, LastAnswer, Letter, Letterhead, Link, Plain
from pbem.reports.letters.orders import Acknowledgement, Notice, Reminder, Status, Try
from pbem.reports.letters.organizer import (
    Complained,
    Digest,
    Organizer,
    Seating,
    Senders,
    Stray,
    Strays,
    Unreachable,
    UnreachableOrganizer,
    WantsIn,
    WantsOut,
)
from pbem.reports.letters.senders import Addresses, Applied, Applying, Joining, Misused, Unknown, Unread, Unsure

__all__ = [
    "Acknowledgement",
    "Addresses",
    "Announcement",
    "Applied",
    "Applying",
    "Catchup",
    "Complained",
    "Deadline",
    "Digest",
    "Farewell",
    "Held",
    "Help",
    "Joining",
    "LastAnswer",
    "Leaving",
    "Letter",
    "Letterhead",
    "Link",
    "Misused",
    "Notice",
    "Organizer",
    "Over",
    "Plain",
    "Reminder",
    "Rules",
    "Seating",
    "Senders",
    "Status",
    "Stray",
    "Strays",
    "Try",
    "Unknown",
    "Unreachable",
    "UnreachableOrganizer",
    "Unread",
    "Unsure",
    "WantsIn",
    "WantsOut",
    "Welcome",
]
