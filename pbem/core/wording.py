"""Numbers and lists in sentences, worded alike in whatever is said."""

from collections.abc import Iterable


def listed(names: Iterable[str], nothing: str = "nothing", last: str = "and") -> str:
    """``A``, ``A and B``, ``A, B and C``; of none: ``nothing``."""
    *others, final = list(names) or [nothing]
    return f"{', '.join(others)} {last} {final}" if others else final


def counted(count: int, thing: str) -> str:
    """``1 battle``, ``2 battles``."""
    return f"{count:,} {thing}{'' if count == 1 else 's'}"
