"""Where a stage's dice come from: secrets drawn when it opens, stored, and opened when it has closed."""

import secrets
from collections.abc import Sequence

from pbem.service.steps import Secrets
from pbem.storage.tables import Campaign, Stage

BYTES = 32


def new_secret() -> str:
    """A fresh secret, hex."""
    return secrets.token_hex(BYTES)


def secrets_of(campaign: Campaign, stage: Stage, letters: Sequence[str]) -> Secrets:
    """The secrets of a stage together with the players' part: the content hashes of the accepted letters."""
    return Secrets(bytes.fromhex(stage.secret), bytes.fromhex(campaign.sealed_secret), tuple(letters))
