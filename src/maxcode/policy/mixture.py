"""Several policies as one: each sample is drawn from one of them by weight."""

from __future__ import annotations

import asyncio
import random
from collections import Counter

from maxcode.core import Proposal
from maxcode.search.observe.observation import Observation
from maxcode.search.parts import Policy


def mixture(parts: list[tuple[float, Policy]]) -> Policy:
    weights = [weight for weight, _ in parts]

    async def propose(observation: Observation, n: int, seed: int) -> list[Proposal]:
        drawn = Counter(random.Random(f"mixture/{seed}").choices(range(len(parts)), weights, k=n))
        asked = [(i, count) for i, count in sorted(drawn.items()) if count]
        answers = await asyncio.gather(*(parts[i][1](observation, count, seed) for i, count in asked))
        return [proposal for few in answers for proposal in few]

    return propose
