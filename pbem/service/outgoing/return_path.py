"""Where reports on a mail go: an address of the mail's own, ``orders+b3f-k7q2abcdef@example.org`` (VERP).

It names the row of the outbox, and its second half, made with the server's key, proves that it is ours: whoever has not
got the mail cannot tell us that it came back.
"""

import hashlib
import hmac
import re
from collections.abc import Iterable

from pbem.service.host import Host
from pbem.service.tokens import LETTERS, same
from pbem.storage.tables import Mail, number_of
from pbem.storage.unit import Unit

PROOF_LENGTH = 10
LONGEST_LOCAL = 64
"""Octets before the ``@``, by RFC 5321."""
TAG = re.compile(rf"b([{LETTERS}]{{1,6}})-([{LETTERS}]{{{PROOF_LENGTH}}})", re.IGNORECASE | re.ASCII)


def return_path(host: Host, mail: Mail) -> str:
    """The address that reports on this mail go to; the server's own where a tag would make it too long."""
    tag = f"b{_digits(number_of(mail))}-{_proof(host, mail)}".lower()
    address = host.reply_address(tag)
    return address if len(address.rpartition("@")[0].encode()) <= LONGEST_LOCAL else host.address


def returned_to(host: Host, unit: Unit, addresses: Iterable[str]) -> Mail | None:
    """The mail whose return path is among these addresses."""
    for address in addresses:
        tag = TAG.fullmatch(address.rpartition("@")[0].partition("+")[2])
        mail = unit.outbox.find(_number(tag[1])) if tag else None
        if tag and mail and same(tag[2], _proof(host, mail)):
            return mail
    return None


def _proof(host: Host, mail: Mail) -> str:
    """With the Message-ID in it: an outbox that was begun anew has other mails under the same numbers."""
    told = f"return path\n{number_of(mail)}\n{mail.message_id}"
    digest = hmac.digest(host.key, told.encode(), hashlib.sha256)
    return "".join(LETTERS[byte % len(LETTERS)] for byte in digest[:PROOF_LENGTH])


def _digits(number: int) -> str:
    rest, digit = divmod(number, len(LETTERS))
    return (_digits(rest) if rest else "") + LETTERS[digit]


def _number(digits: str) -> int:
    number = 0
    for digit in digits.upper():
        number = number * len(LETTERS) + LETTERS.index(digit)
    return number
