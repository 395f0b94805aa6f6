"""Several policies as one: each sample is drawn from one of them by weight."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator

from maxcode.core import Proposal
from maxcode.search.observe.observation import Observation
from maxcode.search.parts import Policy, batches


def mixture(parts: list[tuple[float, Policy]]) -> Policy:
    weights = [weight for weight, _ in parts]

    async def propose(observation: Observation, n: int, seed: int) -> AsyncIterator[Proposal]:
        drawn = Counter(random.Random(f"mixture/{seed}").choices(range(len(parts)), weights, k=n))
        asked = [batches(parts[i][1], observation, count, seed) for i, count in sorted(drawn.items())]
        async for proposal in merged(asked):
            yield proposal

    return propose


async def merged(streams: list[AsyncIterator[list[Proposal]]]) -> AsyncIterator[Proposal]:
    """Answers of several policies, each as soon as it comes."""
    answers: asyncio.Queue[Proposal | None] = asyncio.Queue()

    async def drain(stream: AsyncIterator[list[Proposal]]) -> None:
        async for batch in stream:
            for proposal in batch:
                answers.put_nowait(proposal)

    draining = asyncio.gather(*map(drain, streams))
    draining.add_done_callback(lambda _: answers.put_nowait(None))
    try:
        while (proposal := await answers.get()) is not None:
            yield proposal
        await draining
    finally:
        draining.cancel()
