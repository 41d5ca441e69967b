"""Bytes to clean text, whatever character set they claim to be in."""

import codecs
import re
from collections.abc import Iterator

import webencodings

SUPERSETS = {
    "ascii": "utf-8",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "cp950": "big5hkscs",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "euc_jp": "euc_jis_2004",
    "iso2022_jp": "iso2022_jp_ext",
}
"""What mail programs send under the name of a smaller character set; a strict reading would fail for nothing."""

NOT_FOR_TEXT = frozenset({"punycode", "idna", "unicode-escape", "raw-unicode-escape", "undefined", "utf-7"})
"""Codecs the interpreter knows which can be made slow, or turn plain letters into others."""

ALIASES = {
    "cn-gb": "gb18030",
    "cp50220": "iso2022_jp_ext",
    "cp50221": "iso2022_jp_ext",
    "cp50222": "iso2022_jp_ext",
    "cp51932": "euc_jis_2004",
    "cp51949": "cp949",
    "cp54936": "gb18030",
    "mac-ce": "mac-latin2",
    "mac-japanese": "cp932",
    "mac-korean": "cp949",
    "mac-chinesesimp": "gb18030",
    "mac-chinesetrad": "big5hkscs",
}
"""Names that neither the interpreter nor the browsers' table knows."""

NUMBERED = re.compile(r"(?:windows|dos|ibm|cp|ms|oem)[-_]?(?:cp)?0{0,3}(\d{3,5})")
"""A code page by its number, whatever stands before it."""
OTHER_SCRIPT = re.compile(rb"[\x80-\xff]{3}")
"""Hardly ever in a text of Latin letters with accents, and in every word of another script."""

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
    does not fit, in UTF-8; last, with signs for what does not fit, in ``charset`` again or in Windows-1252."""
    for name in (*_marked(raw), *_candidates(charset)):
        try:
            return clean(raw.decode(name))
        except (UnicodeError, LookupError):  # A codec that is none for text is a LookupError here.
            continue
    codec = _codec(charset)
    return clean(raw.decode("cp1252" if codec in ("", "utf-8") else codec, "replace"))


def is_illegible(raw: bytes, charset: str) -> bool:
    """Whether it is text of another script in a character set of which nobody knows the name. Read as Latin letters its
    words would be others, also those that tell what is quoted."""
    if not charset.strip() or _codec(charset) or not OTHER_SCRIPT.search(raw) or any(_marked(raw)):
        return False
    try:
        raw.decode()
    except UnicodeError:
        return True
    return False


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
    """The interpreter's name for a character set, or nothing."""
    name = charset.strip().lower().removesuffix("-i").removesuffix("-e")
    if not NAME.fullmatch(name):
        return ""
    plain = name.removeprefix("x-")
    numbered = NUMBERED.fullmatch(plain)
    page = f"cp{numbered[1]}" if numbered else plain
    known = (*map(_of_interpreter, (name, plain, page)), *map(_of_browsers, (name, plain)), ALIASES.get(page, ""))
    canonical = next(filter(None, known), "")
    return SUPERSETS.get(canonical, canonical)


def _of_interpreter(name: str) -> str:
    try:
        found = codecs.lookup(name)
    except LookupError:
        return ""
    is_text = getattr(found, "_is_text_encoding", True)
    return found.name if is_text and found.name not in NOT_FOR_TEXT else ""


def _of_browsers(name: str) -> str:
    """By the table of the WHATWG, which knows what programs call them that are no browsers, too."""
    found = webencodings.lookup(name)
    return _of_interpreter(str(found.codec_info.name)) if found else ""


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
