"""What MaxCode does not have: a strategy from the best program on, a critic of a program's length, a policy that
appends a comment, an engine that judges by length without running anything, and a model that values all states alike.
"""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Literal

from maxcode.config import Config
from maxcode.core import Candidate, Critique, Measurement, Outcome, Proposal, Sample, Status, Verdict
from maxcode.evaluate.engine import EngineType, PoolOptions
from maxcode.plugins import Choice
from maxcode.policy.providers import Provider
from maxcode.search.observe.observation import Observation
from maxcode.search.parts import Critic, Policy
from maxcode.search.selection import Expansion, Select, Values
from maxcode.search.strategy import Strategy
from maxcode.search.tree import Node, Tree
from maxcode.task.model import Task
from maxcode.value.model import ModelReader
from maxcode.value.state import State


def from_best(samples: int) -> Select:
    """Always from the best program so far."""

    def select(tree: Tree, values: Values, rng: random.Random) -> list[Expansion]:
        del values, rng
        return [Expansion(tree.best, samples)]

    return select


def length_critic(limit: str, config: Config) -> Critic:
    """Tells how many lines a program is over the limit."""
    del config

    async def criticise(tree: Tree, node: Node) -> Critique:
        del tree
        lines = sum(len(text.splitlines()) for text in node.candidate.files.values())
        return Critique(text=f"{lines} lines; {limit} are enough.")

    return criticise


def comment_policy(word: str, config: Config) -> Policy:
    """Appends a comment to the current program."""
    del config

    async def propose(observation: Observation, n: int, seed: int) -> list[Proposal]:
        (name, text), *_ = observation.current.files.items()
        files = [{name: f"{text}// {word} {seed + i}\n"} for i in range(n)]
        return [Proposal(text=word, candidate=Candidate(files=each, origin="comment")) for each in files]

    return propose


class Lengths:
    """Judges programs by their length: the longer, the faster."""

    slots = 1

    async def __call__(self, task: Task, candidates: list[Candidate], **_: object) -> list[Outcome]:
        before = len("".join(task.baseline_candidate.files.values()))
        return [self._outcome(task, each, len("".join(each.files.values())) / before) for each in candidates]

    def _outcome(self, task: Task, candidate: Candidate, speedup: float) -> Outcome:
        measurement = Measurement(
            samples=(Sample(baseline=1.0, candidate=1 / speedup, method="exclusive"),),
            clock="cpu",
            method="exclusive",
            verdict=Verdict.FASTER if speedup > 1 else Verdict.TIE,
            speedup=speedup,
            ci_low=speedup,
            ci_high=speedup,
            alpha=0.02,
            machine="a ruler",
        )
        return Outcome(candidate=candidate.id, task=task.hash, status=Status.OK, measurement=measurement)


@asynccontextmanager
async def lengths_pool(options: PoolOptions, config: Config) -> AsyncIterator[Lengths]:
    del config
    options.say("lengths: nothing is run")
    yield Lengths()


class ConstantModel:
    reads: Literal["features"] = "features"

    def __init__(self, value: float) -> None:
        self.value = value

    def scores(self, rows: Sequence[State]) -> list[float]:
        return [self.value] * len(rows)


FROM_BEST = Strategy("from-best", partial(from_best, samples=2), about="the best program so far", by_value=False)
SOMEWHERE = Provider("a provider of their own", "http://somewhere/v1", "SOMEWHERE_KEY")
LENGTH = Choice("complains about long programs", length_critic, argument="LINES")
COMMENT = Choice("appends a comment", comment_policy, argument="WORD")
LENGTHS = EngineType("a ruler", lengths_pool)
CONSTANT = ModelReader(lambda content, _, __: (ConstantModel(content["value"]), ConstantModel(content["value"])))
