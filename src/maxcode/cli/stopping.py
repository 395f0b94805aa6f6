"""Ctrl-C: the first one ends the work in good order, further ones while it ends are let pass."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

Found = TypeVar("Found")


def run_until_interrupted(work: Coroutine[Any, Any, Found], stopping: Callable[[], None] = lambda: None) -> Found:
    """The result of the work. KeyboardInterrupt when it was stopped, after everything that it had open is closed.

    The handler is the process's own rather than the loop's, which would be gone while the loop is being closed; from
    then on the signal is ignored, or a second press would end the process halfway.
    """
    stops: list[Callable[[], object]] = []
    asked: list[bool] = []

    async def watched() -> Found:
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task is not None

        def stop() -> None:
            stopping()
            task.cancel()

        stops.append(lambda: loop.call_soon_threadsafe(stop))
        return await work

    def pressed(*_: object) -> None:
        if not stops:
            raise KeyboardInterrupt
        if not asked:
            asked.append(True)
            stops[0]()

    with _handling_interrupts(pressed):
        try:
            return asyncio.run(watched())
        except asyncio.CancelledError:
            raise KeyboardInterrupt from None
        finally:
            if asked:
                _set_handler(signal.SIG_IGN)


@contextmanager
def one_interrupt() -> Iterator[None]:
    """The first Ctrl-C is a KeyboardInterrupt here; further ones, while what is open is being closed, are let pass."""

    def pressed(*_: object) -> None:
        _set_handler(signal.SIG_IGN)
        raise KeyboardInterrupt

    with _handling_interrupts(pressed):
        yield


@contextmanager
def _handling_interrupts(handler: Callable[..., None]) -> Iterator[None]:
    before = _set_handler(handler)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is handler:
            _set_handler(before)


def _set_handler(handler: Any) -> Any:
    """The handler that was there before; nothing changes outside of the main thread, which signals go to."""
    with suppress(ValueError):
        return signal.signal(signal.SIGINT, handler)
    return handler
