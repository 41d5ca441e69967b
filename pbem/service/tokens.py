"""The tokens in reply addresses and on framed cards: good for one seat and one stage, together with a known sender."""

import hashlib
import hmac
import secrets

LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Thirty-two signs that nobody mixes up on a phone or reading aloud: no 0, 1, I, O."""
LENGTH = 8
RECEIPT_LENGTH = 4


def seat_token(key: bytes, campaign: str, seat: str, stage: int) -> str:
    """The token of a seat for a stage; nothing is stored, it is computed again to be compared."""
    return _token(key, f"{campaign}\n{seat}\n{stage}")


def organizer_token(key: bytes, campaign: str) -> str:
    """The token with which the organizer steers a campaign by mail."""
    return _token(key, f"{campaign}\norganizer")


def _token(key: bytes, what: str) -> str:
    digest = hmac.digest(key, what.encode(), hashlib.sha256)
    return "".join(LETTERS[byte % len(LETTERS)] for byte in digest[:LENGTH])


def same(one: str, other: str) -> bool:
    """Whether two tokens are the same, whatever their case."""
    return hmac.compare_digest(one.upper().encode(), other.upper().encode())


def new_receipt() -> str:
    """A receipt number, short enough to be quoted in a mail: ``K7Q2``."""
    return "".join(secrets.choice(LETTERS) for _ in range(RECEIPT_LENGTH))
