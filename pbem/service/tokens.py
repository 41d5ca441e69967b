"""The tokens in reply addresses and on framed cards: good for one seat and one stage, together with a known sender.

Nothing is stored, not even a hash: a token is computed again to be compared. ``tenure`` counts the persons who had a
seat and the times its tokens were renewed, and goes into every token of the seat: one more, and all of them are void.
"""

import hashlib
import hmac
import secrets

LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Thirty-two signs that nobody mixes up on a phone or reading aloud: no 0, 1, I, O."""
SIGNS = bytes(ord(LETTERS[byte % len(LETTERS)]) for byte in range(256))
"""A letter for each byte."""
LENGTH = 8
RECEIPT_LENGTH = 4
ORGANIZER = "organizer"
"""Stands for the organizer where a seat's code is expected."""


def seat_token(key: bytes, campaign: str, seat: str, tenure: int, stage: int) -> str:
    """The token of a seat for a stage. It stands in reports, which players show to one another."""
    return _token(key, "seat", campaign, seat, tenure, stage)


def organizer_token(key: bytes, campaign: str) -> str:
    """The token with which the organizer steers a campaign by mail."""
    return _token(key, "organizer", campaign)


def reader_token(key: bytes, campaign: str, seat: str, tenure: int, stage: int, address: str, receipt: str = "") -> str:
    """The token in the reply address of a mail that asks whether something came from this address, and goes nowhere
    else: who has it reads what is sent there. It begins with the receipt of what it asks about, if that has one."""
    return receipt + _token(key, "reader", campaign, seat, tenure, stage, address, receipt)


def receipt_in(token: str) -> str:
    """The receipt that a token begins with, if it is one of a question about a receipt; else nothing."""
    return token[:-LENGTH].upper() if len(token) >= RECEIPT_LENGTH + LENGTH else ""


def joining_token(key: bytes, campaign: str, seat: str, tenure: int, stage: int, address: str, times: int) -> str:
    """The token of the mail that asks a new address whether it wants to play a seat. ``times`` counts how often the
    address was taken from the seat: what was asked before that is answered too late."""
    return _token(key, "joining", campaign, seat, tenure, stage, address, times)


def applicant_token(key: bytes, campaign: str, address: str, name: str, wish: str) -> str:
    """The token of the mail that asks somebody whether it is he who wants a free seat, and this one."""
    return _token(key, "applicant", campaign, address, name, wish)


def _token(key: bytes, *words: str | int) -> str:
    digest = hmac.digest(key, "\n".join(map(str, words)).encode(), hashlib.sha256)
    return digest[:LENGTH].translate(SIGNS).decode()


def same(one: str, other: str) -> bool:
    """Whether two tokens are the same, whatever their case."""
    return hmac.compare_digest(one.upper().encode(), other.upper().encode())


def new_receipt(more: int = 0) -> str:
    """A receipt number, short enough to be quoted in a mail: ``K7Q2``; or one of some ``more`` signs."""
    return "".join(secrets.choice(LETTERS) for _ in range(RECEIPT_LENGTH + more))
