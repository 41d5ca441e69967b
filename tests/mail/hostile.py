"""Mails made to break whoever reads them: each shape fills as many bytes as it is told to."""

import base64
from collections.abc import Callable

FROM = b"From: ann@example.org\r\nTo: orders@campaigns.example\r\nSubject: Orders\r\nMessage-ID: <1@example.org>\r\n"
TEXT = b"Content-Type: text/plain; charset=utf-8\r\n\r\n"
PAGE = b"Content-Type: text/html; charset=utf-8\r\n\r\n"
MIXED = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"
QP = b"Content-Transfer-Encoding: quoted-printable\r\n"
BASE64 = b"Content-Transfer-Encoding: base64\r\n"

MACHINE = b"From: MAILER-DAEMON@example.org\r\nAuto-Submitted: auto-replied\r\n"
REPORT = MACHINE + (
    b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
    b"--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\n"
)

Shape = Callable[[int], bytes]


def filled(head: bytes, piece: bytes, tail: bytes = b"") -> Shape:
    """``head``, then ``piece`` again and again, then ``tail``."""
    return lambda size: head + piece * ((size - len(head) - len(tail)) // len(piece)) + tail


def header(name: str, piece: bytes, tail: bytes = b"") -> Shape:
    """One header that fills the mail."""
    return filled(FROM.replace(f"{name}: ".encode(), b"X: ") + f"{name}: ".encode(), piece, tail + b"\r\n\r\nhi\r\n")


def counted(head: bytes, piece: str, tail: bytes = b"\r\n\r\nhi\r\n") -> Shape:
    """Pieces with a number in each."""

    def shape(size: int) -> bytes:
        count = (size - len(head)) // (len(piece) + 4)
        return head + "".join(piece.format(number) for number in range(count)).encode() + tail

    return shape


def nested(size: int) -> bytes:
    """Multiparts in multiparts, all of them opened and none closed."""
    opening = "Content-Type: multipart/mixed; boundary=b{0}\r\n\r\n--b{0}\r\n"
    return counted(FROM, opening, b"\r\nhi\r\n")(size)


def wide_and_deep(size: int) -> bytes:
    """Many parts, each with many parts, each with many parts: few on every level, a million in all."""
    leaf = b"--c\r\n\r\nx\r\n" * 90
    middle = (b"--d\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n" + leaf) * 90
    top = b"--b\r\nContent-Type: multipart/mixed; boundary=d\r\n\r\n" + middle
    return FROM + MIXED + top * max(1, size // len(top))


def same_boundary(size: int) -> bytes:
    """A multipart whose parts are multiparts with the same boundary."""
    return filled(FROM + MIXED, b"--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n")(size)


def prefix_boundaries(size: int) -> bytes:
    """Boundaries that begin with one another."""
    longest = 1000
    head = b"".join(
        b"Content-Type: multipart/mixed; boundary=%s\r\n\r\n--%s\r\n" % (b"b" * length, b"b" * length)
        for length in range(1, 12)
    )
    return FROM + head + b"--" + b"b" * longest + b"\r\n" + (b"--bbbbbb\r\n" * ((size - 3000) // 10))


def gzip_like(size: int) -> bytes:
    """Text in an encoding that grows: every byte of it is escaped."""
    return FROM + QP + TEXT + b"=E2=82=AC" * (size // 9)


def escapes(charset: str, escape: bytes) -> Shape:
    """A stateful character set that changes state for every character."""
    return filled(FROM + f"Content-Type: text/plain; charset={charset}\r\n\r\n".encode(), escape)


def encoded(charset: str) -> Shape:
    """Base64 of bytes that look like nothing, in a character set."""
    head = FROM + BASE64 + f"Content-Type: text/plain; charset={charset}\r\n\r\n".encode()
    return lambda size: head + base64.encodebytes(bytes(range(256)) * (size // 360))


CHARSETS = ("utf-7", "utf-16", "utf-32", "iso-2022-jp", "gb18030", "hz", "punycode", "idna", "mbcs", "x-unknown")

SHAPES: dict[str, Shape] = {
    # Bytes without a mail.
    "all NUL": filled(b"", b"\0"),
    "all CR": filled(b"", b"\r"),
    "all LF": filled(b"", b"\n"),
    "all CRLF": filled(b"", b"\r\n"),
    "all 0xff": filled(b"", b"\xff"),
    "all colons": filled(b"", b":"),
    "all spaces": filled(b"", b" "),
    "all From": filled(b"", b"From "),
    "mailbox lines": filled(b"", b">From x\n"),
    "continuations": filled(b"", b" \r\n"),
    "tabs and CR": filled(b"", b"\t\r"),
    # Headers.
    "header without end": header("Subject", b"x"),
    "header of words": header("Subject", b"x "),
    "folded header": header("Subject", b"x\r\n "),
    "blank folded header": header("Subject", b"\r\n \r\n "),
    "header of CR": header("Subject", b"\r"),
    "many headers": filled(FROM, b"X-A: b\r\n", b"\r\nhi\r\n"),
    "many empty headers": filled(FROM, b"a:\r\n", b"\r\nhi\r\n"),
    "long header name": filled(FROM, b"x", b": y\r\n\r\nhi\r\n"),
    "header name and spaces": filled(FROM + b"x", b" ", b": y\r\n\r\nhi\r\n"),
    "many From": filled(b"", b"From: ann@example.org\r\n", b"\r\nhi\r\n"),
    "many Authentication-Results": filled(FROM, b"Authentication-Results: x; dkim=pass\r\n", b"\r\nhi\r\n"),
    "encoded words": header("Subject", b"=?utf-8?q?a?= "),
    "torn encoded words": header("Subject", b"=?utf-8?q?"),
    "encoded words of base64": header("Subject", b"=?utf-8?b?/////w==?="),
    "encoded words nobody knows": header("Subject", b"=?x-what?q?=ff?= =?zlib?b?eA==?= "),
    "one encoded word": header("Subject", b"=3D", b"?="),
    "question marks": header("Subject", b"=?"),
    "references": header("References", b"<a@b> "),
    "one reference": header("References", b"<a"),
    "references without angles": header("References", b"a@b "),
    "recipients": header("To", b"a@b.example, "),
    "recipients one by one": filled(FROM, b"To: a@b.example\r\n", b"\r\nhi\r\n"),
    "commas": header("To", b","),
    "deep comments": header("From", b"("),
    "comments": header("From", b"()"),
    "quotes": header("From", b'"'),
    "backslashes": header("From", b'"\\'),
    "groups": header("From", b"a:"),
    "angles": header("From", b"<"),
    "at signs": header("From", b"a@"),
    "dates": header("Date", b"Mon, 30 Nov 2026 "),
    "date of digits": header("Date", b"9"),
    "parameters": header("Content-Type", b"; a=b"),
    "parameters in pieces": counted(FROM + b"Content-Type: text/plain", "; name*{0}=x"),
    "boundary in pieces": counted(FROM + b"Content-Type: multipart/mixed", "; boundary*{0}*=%62"),
    "semicolons": header("Content-Type", b";"),
    "quoted parameter": header("Content-Type", b'; a="\\'),
    "spaces in parameters": header("Content-Type", b"; a "),
    "disposition": header("Content-Disposition", b'; filename="'),
    # Parts.
    "empty parts": filled(FROM + MIXED, b"--b\r\n\r\n"),
    "delimiters": filled(FROM + MIXED, b"--b"),
    "delimiter lines": filled(FROM + MIXED, b"--b\r\n"),
    "delimiters and spaces": filled(FROM + MIXED + b"--b", b" "),
    "line feeds before a delimiter": filled(FROM + MIXED, b"\r\n", b"--b"),
    "parts with headers": filled(FROM + MIXED, b"--b\r\nContent-Type: text/html\r\n\r\n<p>x\r\n"),
    "nested parts": nested,
    "wide and deep": wide_and_deep,
    "same boundary": same_boundary,
    "boundaries that begin alike": prefix_boundaries,
    "dashes": filled(FROM + MIXED.replace(b"=b", b"=" + b"-" * 70), b"-"),
    "alternatives": filled(
        FROM + MIXED.replace(b"mixed", b"alternative"), b"--b\r\nContent-Type: text/plain\r\n\r\n \r\n"
    ),
    "messages": filled(FROM, b"Content-Type: message/rfc822\r\n\r\n"),
    # Reports on other mails.
    "fates": filled(REPORT, b"Final-Recipient: rfc822; a@b.c\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n"),
    "reported mails": filled(REPORT, b"\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n"),
    "reports in words": filled(MACHINE + TEXT, b"<a@b.example>: 550 5.1.1 user unknown\r\n"),
    "identifiers in a report": filled(MACHINE + TEXT, b"Message-ID: <a@b>\r\n"),
    # Encodings.
    "soft breaks": filled(FROM + QP + TEXT, b"=\r\n"),
    "equals signs": filled(FROM + QP + TEXT, b"="),
    "escaped bytes": gzip_like,
    "spaces before breaks": filled(FROM + QP + TEXT, b" " * 1000 + b"\r\n"),
    "base64": filled(FROM + BASE64 + TEXT, b"QUFB"),
    "base64 garbage": filled(FROM + BASE64 + TEXT, b"\xff!"),
    "base64 padding": filled(FROM + BASE64 + TEXT, b"QQ=="),
    "iso-2022-jp escapes": escapes("iso-2022-jp", b"\x1b$B\x1b(B"),
    "iso-2022-kr shifts": escapes("iso-2022-kr", b"\x0e\x0f"),
    "hz shifts": escapes("hz", b"~{~}"),
    "utf-7 shifts": escapes("utf-7", b"+AAA-"),
    "gb18030 pairs": escapes("gb18030", b"\x81\x30\x81\x30"),
    **{f"charset {name}": encoded(name) for name in CHARSETS},
    # Text.
    "one line": filled(FROM + TEXT, b"x"),
    "one line of words": filled(FROM + TEXT, b"x "),
    "marks": filled(FROM + TEXT, b">"),
    "marked lines": filled(FROM + TEXT, b">\r\n"),
    "marks and spaces": filled(FROM + TEXT, b"> "),
    "short lines": filled(FROM + TEXT, b"x\r\n"),
    "euro signs": filled(FROM + TEXT, "€".encode()),
    "ideographs": filled(FROM + TEXT, "写道".encode()),
    "emoji": filled(FROM + TEXT, "\N{GRINNING FACE}".encode()),
    "combining marks": filled(FROM + TEXT, "\u0301".encode()),
    "invisible": filled(FROM + TEXT, "\u200b".encode()),
    "full-width": filled(FROM + TEXT, "\N{FULLWIDTH COLON}".encode()),
    "ligatures": filled(FROM + TEXT, "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}".encode()),
    "leads": filled(FROM + TEXT, b"On 30 Nov 2026 at 10:00, Ann wrote:\r\n"),
    "begun leads": filled(FROM + TEXT, b"On "),
    "begun leads on lines": filled(FROM + TEXT, b"On 30 Nov 2026\r\n"),
    "times and places": filled(FROM + TEXT, b" on x..at y.."),
    "wrote": filled(FROM + TEXT, b"wrote "),
    "header blocks": filled(FROM + TEXT, b"From: a\r\nSent: 2026\r\n"),
    "rules": filled(FROM + TEXT, b"________________\r\n"),
    "dashes in text": filled(FROM + TEXT, b"-"),
    "lines of dashes": filled(FROM + TEXT, b"-" * 390 + b"\r\n"),
    "lines of stars": filled(FROM + TEXT, b"*" * 390 + b":\r\n"),
    "lines in dashes": filled(FROM + TEXT, b"  ----- Transcript of session follows -----\r\n"),
    "signatures": filled(FROM + TEXT, b"--\r\n"),
    "frames": filled(FROM + TEXT, b"=== a turn 1 ABCDEFGH ===\r\n"),
    "begun frames": filled(FROM + TEXT, b"=== a turn 1 "),
    "ends": filled(FROM + TEXT, b"END\r\n"),
    "flowed": filled(FROM + TEXT.replace(b"plain;", b"plain; format=flowed;"), b"x \r\n"),
    "flowed marks": filled(FROM + TEXT.replace(b"plain;", b"plain; format=flowed; delsp=yes;"), b"> \r\n"),
    "armour": filled(FROM + TEXT, b"-----BEGIN PGP SIGNED MESSAGE-----\r\n"),
    "armour with headers": filled(FROM + TEXT + b"-----BEGIN PGP SIGNED MESSAGE-----\r\n", b"Hash: x\r\n"),
    "dash-escapes": filled(FROM + TEXT + b"-----BEGIN PGP SIGNED MESSAGE-----\r\n\r\n", b"- - "),
    # Pages.
    "angle brackets": filled(FROM + PAGE, b"<"),
    "closing brackets": filled(FROM + PAGE, b">"),
    "comments in a page": filled(FROM + PAGE, b"<!--"),
    "declarations": filled(FROM + PAGE, b"<!"),
    "instructions": filled(FROM + PAGE, b"<?"),
    "begun tags": filled(FROM + PAGE, b"<a "),
    "begun attributes": filled(FROM + PAGE, b'<a b="'),
    "attributes": filled(FROM + PAGE + b"<a", b" b=c"),
    "quotes in a tag": filled(FROM + PAGE + b"<a", b" b='"),
    "equals signs in a tag": filled(FROM + PAGE + b"<a", b"="),
    "divisions": filled(FROM + PAGE, b"<div>"),
    "ended divisions": filled(FROM + PAGE, b"</div>"),
    "quotations": filled(FROM + PAGE, b"<blockquote>"),
    "quotations with text": filled(FROM + PAGE, b"<blockquote>x"),
    "breaks": filled(FROM + PAGE, b"<br>"),
    "tables": filled(FROM + PAGE, b"<table><tr><td>"),
    "cells": filled(FROM + PAGE + b"<table><tr>", b"<td>x"),
    "styles": filled(FROM + PAGE, b"<style>"),
    "style without end": filled(FROM + PAGE + b"<style>", b"p{}"),
    "style ends": filled(FROM + PAGE, b"<style></styl"),
    "entities": filled(FROM + PAGE, b"&amp;"),
    "begun entities": filled(FROM + PAGE, b"&"),
    "numbered entities": filled(FROM + PAGE, b"&#x10FFFF;"),
    "entity of digits": filled(FROM + PAGE + b"&#", b"9"),
    "surrogates": filled(FROM + PAGE, b"&#xD800;"),
    "preformatted": filled(FROM + PAGE, b"<pre>\n"),
    "spans": filled(FROM + PAGE, b"<span style='white-space:pre'>"),
    "hidden": filled(FROM + PAGE, b"<div style='display:none'>"),
    "lists": filled(FROM + PAGE, b"<ul><li>"),
}
"""What is read of each is not the question; that it is read, soon, and in little memory, is."""
