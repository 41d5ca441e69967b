"""Time a call."""

import time
from collections.abc import Callable


def seconds(call: Callable[[], object], repeat: int = 20, before: Callable[[], object] = lambda: None) -> float:
    """The shortest of some runs: what else the machine does can only lengthen them. ``before`` each is not counted."""
    spans = []
    for _ in range(repeat):
        before()
        begun = time.perf_counter()
        call()
        spans.append(time.perf_counter() - begun)
    return min(spans)
