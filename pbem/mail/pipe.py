"""Mail out of a pipe: a mail server runs us once for each mail."""

from typing import BinaryIO

from pbem.core.errors import PbemError


class NoMail(PbemError):
    """What came is none that can be taken; says why."""


def read_mail(source: BinaryIO, largest: int) -> bytes:
    """The mail in a pipe, which has at most ``largest`` bytes; raises ``NoMail``. No more than that is ever read."""
    raw = source.read(largest + 1)
    if len(raw) > largest:
        raise NoMail(f"the mail is larger than {largest:,} bytes, which `largest` in [mail] allows")
    if not raw.strip():
        raise NoMail("there is no mail: nothing came on standard input")
    return raw
