"""Mail addresses in headers. Whatever could be read in two ways is read in none."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from unicodedata import normalize

import idna

from pbem.mail.mime import decode_words

ADDRESS = re.compile(r"""[^\s@<>()\[\]\\,;:"]{1,64}@[^\s@<>()\[\]\\,;:"]{1,255}""")
TOKEN = re.compile(r'"((?:[^"\\]|\\.){0,300})"|<([^<>]*)>|([,;])|(:)|(\()|(\))|([^"<>(),;:]+)|(["<>])')
"""Quoted words, an address in angles, separators, a colon after a group's name, brackets, words, a stray sign."""
INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\ufffd\U000e0100-\U000e01ef]"
)
"""Signs that show nothing, besides those that Python does not call printable; and the one that stands for such signs
and for torn ones."""


@dataclass(frozen=True)
class Address:
    """A name and an address in its normal form."""

    address: str
    name: str = ""


def valid(address: str) -> bool:
    """Whether it is one plain address, in any script, without a sign that passes for another or for none."""
    plain = bool(ADDRESS.fullmatch(address)) and address.isprintable() and not INVISIBLE.search(address)
    return plain and not any(map(_passes_for_ascii, address.rpartition("@")[0]))


def _passes_for_ascii(sign: str) -> bool:
    """Whether it becomes a plain letter when letters are composed or put in lower case: the sign for Kelvin a k."""
    return not sign.isascii() and normalize("NFC", sign).lower().isascii()


def normal(address: str) -> str:
    """The one form of an address: the domain in lower case and in ASCII (``xn--bcher-kva.example``), the rest composed.

    Letters that only look alike stay different, and so do those that differ in width or style (NFC, not NFKC). The case
    of the local part is kept, for the mail server that cares; nobody is told from anybody by it.
    """
    local, at, domain = address.rpartition("@")
    return normalize("NFC", local) + at + ascii_domain(domain)


def ascii_domain(domain: str) -> str:
    """A domain as the DNS knows it, in lower case; one that the DNS cannot have stays as written."""
    lower = domain.lower()
    if lower.isascii():
        return lower
    try:
        return idna.encode(domain, uts46=True).decode("ascii")
    except UnicodeError:  # What the library raises is one, and so is what it lets through.
        return lower


def untagged(address: str) -> str:
    """The normal form without case, and without what stands behind a plus sign: the mailbox that it belongs to."""
    local, _, domain = normal(address).lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


def read_addresses(value: str) -> tuple[tuple[Address, ...], bool]:
    """The addresses in a header's value, and whether all of it was well-formed."""
    reader = _Reader()
    for token in TOKEN.finditer(value):
        reader.take(token)
    reader.end_address()
    return tuple(reader.found), not reader.faulty and reader.depth == 0


def only_address(values: tuple[str, ...]) -> Address | None:
    """The address in a header that may stand once and name one; ``None`` where there is any doubt."""
    if len(values) != 1:
        return None
    found, sound = read_addresses(values[0])
    return found[0] if sound and len(found) == 1 else None


def all_addresses(values: tuple[str, ...]) -> Iterator[str]:
    """Every address that can be made out in these headers."""
    for value in values:
        yield from (each.address for each in read_addresses(value)[0])


@dataclass
class _Reader:
    found: list[Address] = field(default_factory=list)
    faulty: bool = False
    depth: int = 0
    """Of nested brackets: comments."""
    _words: list[str] = field(default_factory=list)
    _comment: list[str] = field(default_factory=list)
    _angle: str | None = None

    def take(self, token: re.Match[str]) -> None:
        quoted, angle, separator, colon, opening, closing, words, stray = token.groups()
        if opening or closing:
            self.depth += 1 if opening else -1
            self.faulty |= self.depth < 0
        elif self.depth > 0:
            self._comment.append(token[0])
        elif separator:
            self.end_address()
        elif colon:
            self.faulty = True  # A group has no sender, even if it has one member.
            self._words.clear()
        elif angle is not None:
            self.faulty |= self._angle is not None
            self._angle = angle.strip()
        elif stray:
            self.faulty = True
        else:
            self._words.append(re.sub(r"\\(.)", r"\1", quoted) if quoted is not None else words)

    def end_address(self) -> None:
        """What was read since the last separator is one address, or nothing."""
        words = "".join(self._words).strip()
        name = words if self._angle is not None else "".join(self._comment).strip()
        address = self._angle if self._angle is not None else words
        if valid(address):
            self.found.append(Address(normal(address), decode_words(name)))
        elif address or name:
            self.faulty = True
        self._words, self._comment, self._angle = [], [], None
