"""Rewards for callers without an event loop, such as a trainer's: the loop runs in a thread beside them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, contextmanager

from maxcode.evaluate.pool import Evaluator
from maxcode.train.reward import Ceiling, Rewards


@contextmanager
def rewards_in_thread(
    engine: AbstractAsyncContextManager[Evaluator], *, slots: int | None = None, ceiling: Ceiling | None = None
) -> Iterator[Rewards]:
    """Rewards over an evaluator that is entered and left in a thread of its own: for `reward_function`."""
    ready: Future[Rewards] = Future()
    loop = asyncio.new_event_loop()
    over = asyncio.Event()

    async def live() -> None:
        async with engine as evaluate, Rewards(evaluate, slots=slots, ceiling=ceiling) as rewards:
            ready.set_result(rewards)
            await over.wait()

    def run() -> None:
        try:
            loop.run_until_complete(live())
        except BaseException as error:
            if ready.done():
                raise
            ready.set_exception(error)
        finally:
            loop.close()

    thread = threading.Thread(target=run, name="rewards", daemon=True)
    thread.start()
    try:
        yield ready.result()
    finally:
        if thread.is_alive() and not loop.is_closed():
            loop.call_soon_threadsafe(over.set)
        thread.join()
