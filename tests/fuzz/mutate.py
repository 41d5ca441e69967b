"""Letters broken in the ways in which programs, networks and people break them."""

import re
from collections.abc import Callable, Sequence
from random import Random

LARGEST = 5_000_000
"""Bytes of the largest letters."""
LARGE_SHARE = 0.03
"""How many of them are that large; most are small, for those are read a thousand times as fast."""

TOKENS = (
    *(
        b"\r\n",
        b"\n",
        b"\r",
        b"\0",
        b" ",
        b"\t",
        b"\xff",
        b"\xfe",
        b"\x1b$B",
        b"\x1b(B",
        b"=",
        b"=\r\n",
        b"=00",
        b"=?",
        b"?=",
    ),
    *(
        b"=?utf-8?q?",
        b"=?utf-8?b?",
        b"--",
        b"-- \r\n",
        b"<",
        b">",
        b"<!--",
        b"-->",
        b"<div>",
        b"</div>",
        b"<blockquote>",
    ),
    *(
        b"<style>",
        b"<pre>",
        b"&#",
        b"&amp;",
        b'"',
        b"'",
        b"(",
        b")",
        b"\\",
        b";",
        b":",
        b",",
        b"@",
        b"On 2026 a@b.c wrote:\r\n",
    ),
    *(
        b"From: a@b.c\r\nSent: 2026\r\nTo: x\r\n",
        b"-----Original Message-----\r\n",
        b"________________\r\n",
        b"> ",
        b">>> ",
    ),
    *(
        b"=== a turn 1 ABCD ===\r\n",
        b"END\r\n",
        b"-----BEGIN PGP SIGNED MESSAGE-----\r\n",
        b"-----BEGIN PGP MESSAGE-----\r\n",
    ),
    *(
        b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n",
        b"Content-Type: message/rfc822\r\n\r\n",
        b"\r\n--b\r\n",
    ),
    *(
        b"Content-Transfer-Encoding: base64\r\n",
        b"Content-Transfer-Encoding: quoted-printable\r\n",
        b"; format=flowed; delsp=yes",
    ),
    *(b"Content-Type: text/html\r\n", b"Content-Disposition: attachment; filename*0*=utf-8''a; filename*1=b.txt\r\n"),
    *(
        b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n",
        b"Auto-Submitted: auto-replied\r\n",
    ),
    *(
        b"Final-Recipient: rfc822; a@b.c\r\nAction: failed\r\nStatus: 5.1.1\r\n",
        b"Message-ID: <a@b>\r\n",
        b"Return-Path: <>\r\n",
    ),
)
LABELS = (
    *(
        b"utf-8",
        b"utf-7",
        b"utf-16",
        b"utf-32",
        b"iso-2022-jp",
        b"gb18030",
        b"hz",
        b"punycode",
        b"idna",
        b"x-what",
        b"text/html",
    ),
    *(
        b"text/plain",
        b"multipart/alternative",
        b"message/rfc822",
        b"base64",
        b"quoted-printable",
        b"8bit",
        b"uuencode",
        b"",
    ),
)
LABEL = re.compile(
    rb"utf-8|us-ascii|iso-[\w-]{1,12}|windows-\d+|text/\w{1,9}|multipart/\w{1,12}|base64|quoted-printable|7bit|8bit"
)
BOUNDARY = re.compile(rb'boundary="?([^";\s]{1,70})')

Mutation = Callable[[bytes, Random], bytes]


def flip_bits(raw: bytes, dice: Random) -> bytes:
    changed = bytearray(raw)
    for _ in range(dice.randint(1, 20)):
        changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
    return bytes(changed)


def insert_token(raw: bytes, dice: Random) -> bytes:
    at = dice.randrange(len(raw))
    return raw[:at] + dice.choice(TOKENS) * dice.choice((1, 1, 1, 2, 10, 100)) + raw[at:]


def insert_noise(raw: bytes, dice: Random) -> bytes:
    at = dice.randrange(len(raw))
    return raw[:at] + dice.randbytes(dice.choice((1, 5, 50, 500))) + raw[at:]


def cut(raw: bytes, dice: Random) -> bytes:
    begin, end = sorted((dice.randrange(len(raw)), dice.randrange(len(raw))))
    return raw[:begin] + raw[end:]


def repeat(raw: bytes, dice: Random) -> bytes:
    begin = dice.randrange(len(raw))
    end = min(len(raw), begin + dice.choice((1, 2, 3, 5, 20, 100, 1000)))
    most = LARGEST if dice.random() < LARGE_SHARE else 20_000
    times = max(1, (most - len(raw)) // (end - begin))
    return raw[:begin] + raw[begin:end] * dice.randint(1, times) + raw[end:]


def shuffle_headers(raw: bytes, dice: Random) -> bytes:
    head, blank, body = raw.partition(b"\n\n")
    lines = head.split(b"\n")
    dice.shuffle(lines)
    return b"\n".join(lines) + blank + body


def double_header(raw: bytes, dice: Random) -> bytes:
    lines = raw.split(b"\n")
    at = dice.randrange(min(len(lines), 20))
    return b"\n".join([*lines[:at], *[lines[at]] * dice.choice((2, 20, 600)), *lines[at:]])


def change_label(raw: bytes, dice: Random) -> bytes:
    found = list(LABEL.finditer(raw))
    if not found:
        return raw
    label = dice.choice(found)
    return raw[: label.start()] + dice.choice(LABELS) + raw[label.end() :]


def change_boundary(raw: bytes, dice: Random) -> bytes:
    """Make boundaries alike, one the beginning of another, or empty."""
    boundaries = sorted(set(BOUNDARY.findall(raw)))
    if not boundaries:
        return raw
    old = dice.choice(boundaries)
    new = dice.choice((b"", b"-", b" ", old[:1], old[: len(old) // 2], old + b"--", old * 3, *boundaries))
    places = [place.start() for place in re.finditer(re.escape(old), raw)]
    at = dice.choice((0, dice.choice(places)))
    return raw[:at] + raw[at:].replace(old, new, dice.choice((1, 2, -1)))


def wrap(raw: bytes, dice: Random) -> bytes:
    """Put it into a multipart, several times."""
    for level in range(dice.choice((1, 3, 12, 40))):
        kind = dice.choice((b"mixed", b"alternative", b"related", b"signed", b"report", b"digest"))
        raw = b"Content-Type: multipart/%s; boundary=w%d\n\n--w%d\n%s\n--w%d--\n" % (kind, level, level, raw, level)
    return raw


def other_line_ends(raw: bytes, dice: Random) -> bytes:
    return raw.replace(b"\n", dice.choice((b"\r\n", b"\r", b"\n\n", b"\r\r\n", b"\n ")))


MUTATIONS: tuple[Mutation, ...] = (
    *(flip_bits, insert_token, insert_noise, cut, repeat, shuffle_headers, double_header, change_label),
    *(change_boundary, wrap, other_line_ends),
)


def mutated(seeds: Sequence[bytes], dice: Random) -> bytes:
    """One of the letters, or two spliced, broken a few times."""
    raw = dice.choice(seeds)
    if dice.random() < 0.2:
        other = dice.choice(seeds)
        raw = raw[: dice.randrange(len(raw))] + other[dice.randrange(len(other)) :]
    for _ in range(dice.choice((1, 1, 2, 3, 5, 8))):
        raw = dice.choice(MUTATIONS)(raw or b"\n", dice)
    return raw[:LARGEST]
