"""Time a call."""

import time
from collections.abc import Callable
from statistics import median


def seconds(call: Callable[[], object], repeat: int = 20) -> float:
    """The median of some runs, after one that warms up."""
    call()
    spans = []
    for _ in range(repeat):
        begun = time.perf_counter()
        call()
        spans.append(time.perf_counter() - begun)
    return median(spans)
