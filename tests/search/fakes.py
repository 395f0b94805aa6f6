"""Instant, deterministic stand-ins for machines and models, for tests of the loop itself.

A program says in its own text what becomes of it: `// speed 1.7`, `// tie`, `// wrong`, `// broken`, `// crash` or
`// forbidden`. A program that says nothing is the baseline: correct, and as fast as itself.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable
from dataclasses import replace

from maxcode.core import Candidate, Cost, Critique, Fact, Measurement, Mode, Outcome, Proposal, Sample, Status, Verdict
from maxcode.critic.rules import rule_critic
from maxcode.policy.openai import read_answer
from maxcode.search.observe.observation import Observation
from maxcode.search.parts import Critic, Parts, Policy, batches
from maxcode.search.tree import Node, Tree
from maxcode.store.journal import Journal, Store
from maxcode.task import Task, load_task
from tests.conftest import SMALL_TASK

TASK = load_task(SMALL_TASK)
FAILURES = {
    "wrong": Status.WRONG,
    "broken": Status.BUILD_ERROR,
    "crash": Status.CRASHED,
    "forbidden": Status.REJECTED,
    "endless": Status.TIMEOUT,
}
COST = Cost(prompt_tokens=100, completion_tokens=20, usd=0.01, seconds=0.5)


def measured(speedup: float, verdict: Verdict | None = None) -> Measurement:
    """A measurement with a narrow interval."""
    return Measurement(
        samples=(Sample(baseline=1.0, candidate=1 / speedup, method="exclusive"),),
        clock="cpu",
        method="exclusive",
        verdict=verdict or (Verdict.FASTER if speedup > 1 else Verdict.SLOWER),
        speedup=speedup,
        ci_low=speedup * 0.99,
        ci_high=speedup * 1.01,
        alpha=0.02,
        machine="none",
    )


def outcome(
    status: Status = Status.OK, measurement: Measurement | None = None, reason: str | None = None, candidate: str = "x"
) -> Outcome:
    return Outcome(candidate=candidate, task=TASK.hash, status=status, reason=reason, measurement=measurement)


def outcome_of(candidate: Candidate) -> Outcome:
    text = "\n".join(candidate.files.values())
    for word, status in FAILURES.items():
        if f"// {word}\n" in text:
            return outcome(status, reason=f"it is {word}", candidate=candidate.id)
    speed = re.search(r"// speed ([\d.]+)\n", text)
    if speed is None:
        return outcome(measurement=measured(1.0, Verdict.TIE), candidate=candidate.id)
    return outcome(measurement=measured(float(speed[1])), candidate=candidate.id)


async def instant_evaluator(
    task: Task, candidates: list[Candidate], *, mode: Mode = Mode.SEARCH, seed: int | None = None
) -> list[Outcome]:
    del task, mode, seed
    return [outcome_of(candidate) for candidate in candidates]


async def instant_profile(task: Task, candidate: Candidate) -> tuple[Fact, ...]:
    """One of a few remarks, by the bytes of the program."""
    del task
    text = ("possible aliasing", "control flow in loop", "strided access")[int(candidate.id, 16) % 3]
    return (Fact(kind="not_vectorized", text=text, source="gcc", file="main.cpp", line=1),)


def program(*says: str) -> str:
    """The text of a program that says this of itself."""
    return "".join(f"// {each}\n" for each in says) + "int main() {}\n"


def answer_to(observation: Observation, number: int) -> str:
    """A model's answer: depends on all that is observed and on the number of the program that is asked for."""
    now, best = observation.current, observation.best
    tags = [tag for each in (now.critique.diagnoses if now.critique else ()) for tag in each.tags]
    seen = [number, now.node, now.reward, best.node if best else None, [a.node for a in observation.trajectory], tags]
    rng = random.Random(repr(seen))
    drawn = rng.random()
    if drawn < 0.08:
        return "I would rather not."
    failure, speed = rng.choice(list(FAILURES)), max(now.reward, 0.5) * rng.uniform(0.7, 1.5)
    says = failure if drawn < 0.30 else f"speed {speed:.4f}"
    return f"Faster:\n```cpp\n{program(says, f'number {number}', f'from {now.node}')}```\n"


async def instant_policy(observation: Observation, n: int, seed: int) -> list[Proposal]:
    return [
        read_answer(answer_to(observation, seed + i), observation, "instant").model_copy(update={"cost": COST})
        for i in range(n)
    ]


async def answers_of(policy: Policy, observation: Observation, n: int, seed: int) -> list[Proposal]:
    """All answers of a policy, whether it returns or yields them."""
    return [answer async for batch in batches(policy, observation, n, seed) for answer in batch]


def constant_policy(*texts: str, cost: Cost = COST) -> Policy:
    """Gives these answers in turn, whatever it sees."""

    async def propose(observation: Observation, n: int, seed: int) -> list[Proposal]:
        del seed
        given = (texts[(observation.program + i) % len(texts)] for i in range(n))
        return [read_answer(text, observation, "constant").model_copy(update={"cost": cost}) for text in given]

    return propose


def in_memory() -> Journal:
    return Store("sqlite://").start("total", {})


def instant_parts(journal: Journal | None = None, *, critic: Critic | None = rule_critic) -> Parts:
    return Parts(
        policy=instant_policy,
        evaluate=instant_evaluator,
        journal=journal or in_memory(),
        critic=critic,
        profile=instant_profile,
    )


def dawdling(parts: Parts, seed: int) -> Parts:
    """The same parts, each answer arriving after a random time."""
    rng = random.Random(seed)

    async def pause() -> None:
        for _ in range(rng.randrange(6)):
            await asyncio.sleep(0)
        if rng.random() < 0.1:
            await asyncio.sleep(rng.random() / 1000)

    async def policy(observation: Observation, n: int, seed: int) -> list[Proposal]:
        await pause()
        return await answers_of(parts.policy, observation, n, seed)

    async def evaluate(
        task: Task, candidates: list[Candidate], *, mode: Mode = Mode.SEARCH, seed: int | None = None
    ) -> list[Outcome]:
        await pause()
        return await parts.evaluate(task, candidates, mode=mode, seed=seed)

    async def critic(tree: Tree, node: Node) -> Critique:
        await pause()
        assert parts.critic is not None
        return await parts.critic(tree, node)

    async def profile(task: Task, candidate: Candidate) -> tuple[Fact, ...]:
        await pause()
        assert parts.profile is not None
        return await parts.profile(task, candidate)

    return replace(
        parts,
        policy=policy,
        evaluate=evaluate,
        critic=critic if parts.critic else None,
        profile=profile if parts.profile else None,
    )


def shape(tree: Tree) -> list[tuple[int | None, str, float]]:
    """What two equal trees have in common."""
    return [(node.parent, node.candidate.id, node.reward) for node in tree]


def grown(*nodes: tuple[int, float, int]) -> Tree:
    """A tree of given (parent, reward, step); a reward of 0 is a wrong program, one below 0 a broken one."""
    tree = Tree(TASK, outcome(measurement=measured(1.0, Verdict.TIE)))
    for parent, reward, step in nodes:
        add(tree, tree.nodes[parent], reward, step)
    return tree


def add(tree: Tree, parent: Node, reward: float, step: int, island: int = 0, text: str | None = None) -> Node:
    """One more node. The text of its program is its own unless given."""
    status = Status.OK if reward > 0 else Status.WRONG if reward == 0 else Status.BUILD_ERROR
    says = f"speed {reward}" if status is Status.OK else "wrong" if status is Status.WRONG else "broken"
    candidate = TASK.candidate(text if text is not None else program(says, f"number {len(tree)}"))
    found = outcome(status, measured(reward) if status is Status.OK else None, candidate=candidate.id)
    return tree.add(parent, candidate, found, max(reward, 0.0), step=step, island=island)


def rewards(nodes: list[Node]) -> dict[int, float]:
    """Values for selection: what each program reached."""
    return {node.id: node.reward for node in nodes}


Clock = Callable[[], float]


def ticking(seconds: float) -> Clock:
    """A clock that goes on by this much whenever it is looked at."""
    now = [-seconds]

    def clock() -> float:
        now[0] += seconds
        return now[0]

    return clock
