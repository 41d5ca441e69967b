"""Time a call."""

import time
from collections.abc import Callable


def seconds(
    call: Callable[[], object],
    repeat: int = 20,
    before: Callable[[], object] = lambda: None,
    clock: Callable[[], float] = time.process_time,
) -> float:
    """The shortest of some runs: what else the machine does can only lengthen them. ``before`` each is not counted.

    What waits for other processes is timed by the clock on the wall, ``time.perf_counter``.
    """
    spans = []
    for _ in range(repeat):
        before()
        begun = clock()
        call()
        spans.append(clock() - begun)
    return min(spans)
