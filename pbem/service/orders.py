"""Orders as they are stored."""

from typing import Any

from pbem.core.orders import Line, Written
from pbem.core.ruleset import Ruleset
from pbem.storage.tables import Submission


def orders_of(rules: Ruleset, submission: Submission | None) -> tuple[Written, ...]:
    """The standing orders of a submission, with the lines they were read from."""
    stored = submission.orders if submission else ()
    return tuple(Written(rules.codec.decode(each["order"]), Line(each["line"], each["text"])) for each in stored)


def document(rules: Ruleset, written: Written) -> dict[str, Any]:
    """An order with its line, as a submission holds it."""
    return {"order": rules.codec.encode(written.order), "line": written.line.number, "text": written.line.text}
