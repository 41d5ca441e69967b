"""So many in a minute, and no more."""

import asyncio
from collections import deque


class Pace:
    """Lets through ``most`` callers in any ``window`` seconds, in the order in which they came; 0: any number."""

    def __init__(self, most: int, window: float = 60.0) -> None:
        self._window = window
        self._passed: deque[float] = deque(maxlen=most)
        self._turn = asyncio.Lock()

    async def turn(self) -> None:
        """Wait for one's turn."""
        if not self._passed.maxlen:
            return
        clock = asyncio.get_running_loop().time
        async with self._turn:
            if len(self._passed) == self._passed.maxlen:
                await asyncio.sleep(self._passed[0] + self._window - clock())
            self._passed.append(clock())
