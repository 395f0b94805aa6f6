"""Rewards for callers without an event loop, such as a trainer's: the loop runs in a thread beside them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, contextmanager, suppress

from maxcode.evaluate.pool import Evaluator
from maxcode.train.reward.reward import Ceiling, Rewards


@contextmanager
def rewards_in_thread(
    engine: AbstractAsyncContextManager[Evaluator], *, slots: int | None = None, ceiling: Ceiling | None = None
) -> Iterator[Rewards]:
    """Rewards over an evaluator that is entered and left in a thread of its own: for `reward_function`.

    An exception here, such as Ctrl-C, calls off what is under way there.
    """
    ready: Future[Rewards] = Future()
    runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
    loop = runner.get_loop()
    over = asyncio.Event()

    async def live() -> None:
        async with engine as evaluate, Rewards(evaluate, slots=slots, ceiling=ceiling) as rewards:
            ready.set_result(rewards)
            await over.wait()

    living = loop.create_task(live())

    def run() -> None:
        with runner:  # ends what callers still wait for, too
            try:
                loop.run_until_complete(living)
            except BaseException as error:
                if not ready.done():
                    ready.set_exception(error)
                elif not isinstance(error, asyncio.CancelledError):
                    raise

    def end(how: Callable[[], object]) -> None:
        with suppress(RuntimeError):  # it has ended by itself
            loop.call_soon_threadsafe(how)

    thread = threading.Thread(target=run, name="rewards", daemon=True)
    thread.start()
    try:
        yield ready.result()
    except BaseException:
        end(living.cancel)
        raise
    else:
        end(over.set)
    finally:
        thread.join()
