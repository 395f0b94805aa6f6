"""What is under way: programs between their question and their place in the tree, and the tasks that work on them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Self, TypeVar

from maxcode.search.parts import Judged

_Found = TypeVar("_Found")


class Flight:
    """Tasks of a search and the verdicts they bring. Leaving it ends every task that is still at work."""

    def __init__(self, tell: Callable[[Judged], None]) -> None:
        self.asked = 0
        """Number of programs asked for since the search began."""
        self.fallen: dict[int, Judged] = {}
        """Verdicts that are not in the tree yet, by program, in the order they fell."""
        self._taken = 0
        self._tell = tell
        self._tasks: set[asyncio.Task[Any]] = set()
        self._news = asyncio.Event()
        self._problem: BaseException | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def out(self) -> int:
        """Number of programs that were asked for and are not in the tree."""
        return self.asked - self._taken

    def start(self, work: Coroutine[Any, Any, _Found]) -> asyncio.Task[_Found]:
        """Runs a coroutine beside the loop. Its error is raised where the loop waits for verdicts."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def fell(self, judged: Judged) -> None:
        self.fallen[judged.program] = judged
        self._tell(judged)
        self._news.set()

    async def until(self, there: Callable[[], bool], *, on_record: bool = False) -> None:
        """Waits for verdicts until it is so. An error is raised once all else that is under way, and paid for, has
        ended; verdicts on record come whatever happens beside them."""
        while not (there() and (on_record or self._problem is None)):
            if self._problem is not None and not self._tasks:
                raise self._problem
            self._news.clear()
            await self._news.wait()

    def has(self, programs: Iterable[int] | None) -> bool:
        """True if these programs have verdicts; with None, all that were asked for."""
        return len(self.fallen) == self.out if programs is None else all(each in self.fallen for each in programs)

    def take(self, programs: Iterable[int] | None) -> list[Judged]:
        """Verdicts of these programs, or of all in the order they were asked for; they are the tree's from now on."""
        taken = [self.fallen.pop(each) for each in (sorted(self.fallen) if programs is None else programs)]
        self._taken += len(taken)
        return taken

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (problem := task.exception()) is not None:
            self._problem = self._problem or problem
        self._news.set()
