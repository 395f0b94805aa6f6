"""Server-sent events: how runs go, as it happens.

A stream keeps nothing for its reader: it looks at what is known, says what has changed since it last spoke, and at
most so much of what happened in between. A reader that was away says which event it saw last, and is told the rest.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

from maxcode.report.under_way import under_way_in_words
from maxcode.view.feed import RunFeed
from maxcode.view.follow import Followers
from maxcode.view.overview import RunOverview

LOOK = 0.2
HEARTBEAT = 15.0
"""Seconds of silence after which a comment is sent, so that proxies do not close the connection."""
MOST_STREAMS = 64


class Streams:
    """All open streams; `closing` ends them, so that the server can."""

    def __init__(self, feed: RunFeed, followers: Followers, closing: Callable[[], bool]) -> None:
        self._feed, self._followers, self._closing = feed, followers, closing
        self.open = 0

    @property
    def full(self) -> bool:
        return self.open >= MOST_STREAMS

    def of_all(self) -> AsyncIterator[str]:
        def look(_: int) -> tuple[object, int, dict[str, Any]]:
            states = [
                (overview.info.id, overview.state, overview.last) for overview in list(self._feed.overviews.values())
            ]
            running = sum(state in ("running", "active") for _, state, _ in states)
            return states, self._feed.last, {"runs": len(states), "running": running, "problem": self._feed.problem}

        return self._stream("runs", 0, look)

    def of_run(self, overview: RunOverview, seen: int) -> AsyncIterator[str]:
        def look(told: int) -> tuple[object, int, dict[str, Any]]:
            said = self.progress(overview)
            happened = [head for head in list(overview.heads) if head["number"] > told]
            return said, overview.last, {**said, "happened": happened}

        return self._stream("progress", seen, look)

    def progress(self, overview: RunOverview) -> dict[str, Any]:
        """Progress of a run; figures of its tree are None unless the tree is open in some page."""
        follower = self._followers.at_hand(overview.info.id)
        return {
            **overview.row(),
            "doing": under_way_in_words(overview.asked),
            "nodes": len(follower.columns) if follower else None,
            "rounds": len(follower.rounds) if follower else None,
            "caught_up": follower.caught_up if follower else None,
            "problem": follower.problem if follower else None,
        }

    async def _stream(
        self, name: str, told: int, look: Callable[[int], tuple[object, int, dict[str, Any]]]
    ) -> AsyncIterator[str]:
        """Sends an event when the state changes. `look` returns the state, the event's number, and the data."""
        self.open += 1
        before, spoke = None, time.monotonic()
        try:
            yield "retry: 1000\n\n"
            while not self._closing():
                now, number, said = look(told)
                if now != before:
                    before, told, spoke = now, number, time.monotonic()
                    yield f"id: {number}\nevent: {name}\ndata: {json.dumps(said, allow_nan=False)}\n\n"
                elif time.monotonic() - spoke > HEARTBEAT:
                    spoke = time.monotonic()
                    yield ": still here\n\n"
                await asyncio.sleep(LOOK)
        finally:
            self.open -= 1
