"""What the acknowledgement says of an order that can be carried out."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Prospect:
    """An order that can be carried out, and what will come of it."""

    order: Any
    """With everything settled that was left open, such as the way."""
    subject: str
    does: str
    notes: tuple[str, ...]
