"""Ctrl-C: the first one ends the work in good order, further ones while it ends are let pass."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

Found = TypeVar("Found")


def run_until_interrupted(work: Coroutine[Any, Any, Found], stopping: Callable[[], None] = lambda: None) -> Found:
    """The result of the work. KeyboardInterrupt when it was stopped, after everything that it had open is closed."""
    asked: list[bool] = []

    async def watched() -> Found:
        task = asyncio.current_task()
        assert task is not None

        def stop() -> None:
            if not asked:
                asked.append(True)
                stopping()
                task.cancel()

        with suppress(ValueError, RuntimeError):  # signals go to the main thread only
            asyncio.get_running_loop().add_signal_handler(signal.SIGINT, stop)
        return await work

    try:
        return asyncio.run(watched())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
