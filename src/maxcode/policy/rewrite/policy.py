"""The rewriter as a policy: from an observation to new programs, the same ones for the same seed."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections import Counter

from maxcode.core import Candidate, Cost, Language, Proposal
from maxcode.policy.rewrite.actions import (
    BY_NAME,
    LONGEST,
    Action,
    RewriteStep,
    language_of,
    offered,
    rewrites,
    setting_of,
    written_form,
)
from maxcode.policy.rewrite.analysis.macros import plain
from maxcode.policy.rewrite.priors import NEAR, Priors, priors
from maxcode.policy.rewrite.python.bytecode import bytecode
from maxcode.policy.rewrite.source import SourceFile, apply
from maxcode.policy.rewrite.torch.program import has_kernel
from maxcode.policy.rewrite.transformation import Rewrite, Setting, Transformation
from maxcode.search.observe.observation import Attempt, Observation
from maxcode.search.parts import Policy
from maxcode.task.model import Task

LENGTHS = (0.5, 0.3, 0.2)
"""Shares of actions of one, two and three transformations."""
SWEPT = 0.35
"""Share of the actions on programs that take up to `MANY` steps: most go together, and few gain much alone."""
MANY = 12
SWEEPING = ("memory", "library", "algorithms", "python")
"""Families of such steps. Transformations of loops stand in each other's way, and the compiler's need a try each."""
LIKELY = 1.0
"""Least weight of a transformation in such an action."""
AGAIN = 0.3
"""Factor of a transformation's weight for each action of the same round that it began, so that rounds are varied."""
FROM_BEST = 0.3
"""Share of the proposals that start from the best program in view instead of a slower current one."""
TRIES = 12
"""Draws per proposal before the rewriter says that it has nothing new."""
NEIGHBOUR = 3.0
"""Weight of a further step near the one before: transformations of one place go together."""
SAME_LOOP = 0.25
"""Weight of a loop transformation right after another one: the second mostly undoes the first."""


def rewrite_policy() -> Policy:
    async def propose(observation: Observation, n: int, seed: int) -> list[Proposal]:
        return await asyncio.to_thread(proposals, observation, n, seed)

    return propose


def proposals(observation: Observation, n: int, seed: int) -> list[Proposal]:
    """n programs that differ from each other and from those in view."""
    rng, begun = random.Random(f"rewrite/{seed}"), Counter[str]()
    seen = {_essence(files) for files in _in_view(observation)}
    return [_proposal(observation, rng, seen, begun) for _ in range(n)]


def _proposal(observation: Observation, rng: random.Random, seen: set[str], begun: Counter[str]) -> Proposal:
    started = time.perf_counter()
    for _ in range(TRIES):
        start = _starting_point(observation, rng)
        wanted = priors(observation, start)
        action, files = _drawn(start, observation.task, wanted, begun, rng)
        if action and _essence(files) not in seen:
            seen.add(_essence(files))
            begun[action[0].name] += 1
            text = written_form(action)
            candidate = Candidate(files=files, origin=f"rewrite: {text}")
            cost = Cost(usd=0.0, seconds=time.perf_counter() - started)
            return Proposal(text=text, candidate=candidate, model="rewrite", cost=cost)
    return Proposal(text="", problem="the rewriter has nothing new to try here", model="rewrite", cost=Cost(usd=0.0))


def _in_view(observation: Observation) -> list[dict[str, str]]:
    attempts = [observation.current, *observation.trajectory, *([observation.best] if observation.best else [])]
    return [observation.task.baseline_candidate.files, *(attempt.files for attempt in attempts)]


def _essence(files: dict[str, str]) -> str:
    """What the programs come to: bytecode of Python files, other text without comments and white space."""
    return "\0".join(_bare(name, files[name]) for name in sorted(files))


def _bare(name: str, code: str) -> str:
    if name.endswith(".py"):
        return bytecode(code) or code.strip()
    return re.sub(r"\s+", "", re.sub(r"//[^\n]*|/\*.*?\*/", "", code, flags=re.DOTALL))


def _starting_point(observation: Observation, rng: random.Random) -> Attempt:
    """The current program where it works; else the nearest one in view that does. Now and then, the best in view."""
    current, best = observation.current, observation.best
    if best is not None and best.reward > current.reward and (not current.correct or rng.random() < FROM_BEST):
        return best
    if current.correct:
        return current
    working = [attempt for attempt in observation.trajectory if attempt.correct]
    if working:
        return working[-1]
    files = observation.task.baseline_candidate.files
    return current.model_copy(update={"files": files, "critique": None, "origin": None})


def _drawn(
    start: Attempt, task: Task, wanted: Priors, begun: Counter[str], rng: random.Random
) -> tuple[Action, dict[str, str]]:
    """A random action on a program and what it makes of it; shorter than meant where nothing more applies."""
    files = dict(start.files)
    action: Action = ()
    (length,) = rng.choices(range(1, LONGEST + 1), LENGTHS)
    setting = setting_of(task)
    swept = setting.torch is None and setting.entry is None and rng.random() < SWEPT
    if swept:
        length = MANY if task.language is Language.PYTHON else rng.randint(LONGEST + 1, MANY)
    while len(action) < length:
        only_kernels = len(action) + 1 == length and _lacks_kernel(files, setting)
        weights = {
            name: wanted.transformation(each) * _fit(each, action, begun) * _on_this_device(each, setting)
            for name, each in BY_NAME.items()
            if offered(each, setting) and (each.makes_kernel or not only_kernels)
            and (each.family in SWEEPING or not swept)
        }  # fmt: skip
        weights = {name: weight for name, weight in weights.items() if weight >= LIKELY or not swept}
        found = _step(files, task, wanted, weights, action[-1:], rng)
        if found is None:
            break
        step, changed = found
        action = (*action, step)
        files[step.file] = changed
    return ((), files) if _lacks_kernel(files, setting) else (action, files)


def _lacks_kernel(files: dict[str, str], setting: Setting) -> bool:
    """Whether the task requires a kernel of the candidate's own and the files have none."""
    required = setting.torch is not None and setting.torch.kernel_required
    return required and not any(map(has_kernel, files.values()))


def _fit(each: Transformation, action: Action, begun: Counter[str]) -> float:
    """Weight of a transformation given the steps already chosen, in this action and in this round."""
    if not action:
        return AGAIN ** begun[each.name]
    before = BY_NAME[action[-1].name].family
    return SAME_LOOP if each.family == before == "loops" else 1.0


def _step(
    files: dict[str, str], task: Task, wanted: Priors, weights: dict[str, float], last: Action, rng: random.Random
) -> tuple[RewriteStep, str] | None:
    """One step, drawn by weight among transformations and their rewrites, and the new text; None if nothing fits."""
    sources = {file: plain(SourceFile(files[file], language_of(file, task))) for file in task.editable or task.files}
    while weights:
        (name,) = rng.choices(list(weights), list(weights.values()))
        del weights[name]
        options = [
            (file, rewrite) for file, source in sources.items() for rewrite in rewrites(source, setting_of(task), name)
        ]
        if options:
            odds = [wanted.place(rewrite) * _closeness(file, rewrite, last) for file, rewrite in options]
            ((file, rewrite),) = rng.choices(options, odds)
            step = RewriteStep(name=name, file=file, line=rewrite.line, options=rewrite.options)
            return step, apply(sources[file], rewrite.edits).code
    return None


def _on_this_device(each: Transformation, setting: Setting) -> float:
    on_cpu = setting.torch is not None and setting.torch.device == "cpu"
    return each.prior_on_cpu / each.prior if on_cpu and each.prior_on_cpu is not None else 1.0


def _closeness(file: str, rewrite: Rewrite, last: Action) -> float:
    return NEIGHBOUR if any(step.file == file and abs(step.line - rewrite.line) <= NEAR for step in last) else 1.0
