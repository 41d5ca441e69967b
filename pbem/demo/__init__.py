"""The demo: six robots play four turns by real mail, and then one of their seats is yours.

Everybody has a mailbox at a mail provider that runs inside the program. The server listens for mail and fetches its
own mailbox over IMAP; three players write straight to its listener, three by way of the provider. Each player is a
mail program of his own: it watches its mailbox over IMAP and answers what comes. Only the clock is not real: when
all have ordered, it leaps to the deadline.
"""

from pbem.demo.play import run

__all__ = ["run"]
