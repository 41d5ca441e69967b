"""Time a call."""

import time
from collections.abc import Callable, Sequence


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


def alternately(calls: Sequence[Callable[[], object]], repeat: int = 5) -> list[float]:
    """The shortest run of each of some calls that take about as long, one after the other, again and again.

    So they can be compared on a machine whose pace changes: all of them meet its quiet spells and its busy ones.
    """
    rounds = [[seconds(call, 1) for call in calls] for _ in range(repeat)]
    return [min(spans) for spans in zip(*rounds, strict=True)]
