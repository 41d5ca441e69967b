import asyncio
import contextlib

from pbem.app import end


async def test_a_part_that_lost_a_cancellation_is_ended_all_the_same() -> None:
    started = asyncio.Event()

    async def part() -> None:
        started.set()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        await asyncio.Event().wait()

    task = asyncio.create_task(part())
    await started.wait()
    await end(task)
    assert task.cancelled()
