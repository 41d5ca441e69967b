"""Bytes to clean text, whatever character set they claim to be in."""

import codecs
import re
from collections.abc import Iterator

SUPERSETS = {
    "ascii": "utf-8",
    "iso8859-1": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
}
"""What mail programs send under the name of a smaller character set; a strict reading would fail for nothing."""

NOT_FOR_TEXT = frozenset({"punycode", "idna", "unicode-escape", "raw-unicode-escape", "undefined", "utf-7"})
"""Codecs the interpreter knows which can be made slow, or turn plain letters into others."""

NAME = re.compile(r"[\w.:+-]{1,40}", re.ASCII)

CONTROLS = [*range(0x09), *range(0x0E, 0x20), *range(0x7F, 0xA0), 0xAD, 0xFEFF]
JOINERS = [*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070)]
"""With direction marks and other signs of no width."""
SPACES = [0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000]

CLEANING = dict.fromkeys(CONTROLS + JOINERS) | dict.fromkeys(SPACES, " ")
"""What players neither see nor mean is left out; every space is the plain one."""

SHOWN = dict.fromkeys(CONTROLS + JOINERS, "\ufffd") | dict.fromkeys(SPACES, " ")

LINE_BREAK = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")


def decode(raw: bytes, charset: str = "") -> str:
    """Text from bytes in the character set that their first ones mark, or else in ``charset``; where that is unknown or
    does not fit, in UTF-8, and last in Windows-1252."""
    for name in (*_marked(raw), *_candidates(charset)):
        try:
            return clean(raw.decode(name))
        except (UnicodeError, LookupError):  # A codec that is none for text is a LookupError here.
            continue
    return clean(raw.decode("cp1252", "replace"))


def _marked(raw: bytes) -> Iterator[str]:
    """Text files of Windows begin so, and mail programs do not always say it."""
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        yield "utf-16"
    if raw.startswith(codecs.BOM_UTF8):
        yield "utf-8"


def _candidates(charset: str) -> Iterator[str]:
    known = _codec(charset)
    if known:
        yield known
    yield "utf-8"


def _codec(charset: str) -> str:
    name = charset.strip().lower().removesuffix("-i").removesuffix("-e")
    if not NAME.fullmatch(name):
        return ""
    try:
        canonical = codecs.lookup(name).name
    except LookupError:
        return ""
    return "" if canonical in NOT_FOR_TEXT else SUPERSETS.get(canonical, canonical)


def show(raw: bytes) -> bytes:
    """Bytes in which a sign stands for each that would be left out as invisible: an address that somebody has hidden
    one in must not become another's."""
    try:
        text = raw.decode()
    except UnicodeError:
        text = raw.decode("cp1252", "replace")
    return text.translate(SHOWN).encode()


def clean(text: str) -> str:
    """Text as players see it: line feeds for all line breaks, plain spaces, nothing invisible, no half characters."""
    whole = text.encode("utf-8", "replace").decode()
    return LINE_BREAK.sub("\n", whole).translate(CLEANING)
