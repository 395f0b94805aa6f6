"""One search for each task and arm, with its answers, critiques and outcome in files."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path

from arms import ANSWERS, ARMS, arm
from outcomes import CriticisedProgram, StrongCell
from shared import SharedModel, SharedProfiles, critic_of, policy_of, recorded_critic

from maxcode.bench.cell import RoundSummary, cell_of
from maxcode.config import Config
from maxcode.core import InputError, Mode, Outcome
from maxcode.evaluate.pool import LocalPool, Pool
from maxcode.optimize.run import Chosen, SearchSettings, make_parts
from maxcode.policy.providers import settings_of
from maxcode.policy.recording import read_recording, record_policy, replay_policy
from maxcode.search.budget import Budget
from maxcode.search.loop import search
from maxcode.search.observe.render import Prompts
from maxcode.search.parts import Critic, Policy
from maxcode.search.rewards import looks_faster
from maxcode.search.tree import Tree
from maxcode.search.values import any_proposal, own_reward
from maxcode.store.journal import Store
from maxcode.system.processes import session, this_process
from maxcode.task import Task, load_task

RECORDED = "recorded"
"""In place of a model: answers of recordings alone."""


@dataclass(frozen=True)
class Shared:
    """What all searches share."""

    out: Path
    model: SharedModel | None
    """None where only recordings answer."""
    prompts: Prompts
    profiles: dict[str, SharedProfiles]
    """By the name of the task."""
    pool: Pool
    store: Store


async def run_cells(model: str, config: Config, out: Path, folders: list[Path], abreast: int) -> None:
    """Searches all tasks by all arms that have no outcome yet, the first task first."""
    out.mkdir(parents=True, exist_ok=True)
    asked = None if model == RECORDED else SharedModel(model, settings_of(model, config), out / "shared.jsonl")
    tasks, turn = [load_task(folder) for folder in folders], asyncio.Semaphore(abreast)
    profiles = {task.name: SharedProfiles(out / f"{task.name}.profiles.jsonl") for task in tasks}
    places = [(task, name) for task in tasks for name in ARMS]
    with Store() as store:
        async with LocalPool() as pool:
            shared = Shared(out, asked, Prompts(config.prompts), profiles, pool, store)

            async def one(task: Task, name: str) -> None:
                async with turn:
                    await _cell(task, name, shared)

            done = await asyncio.gather(*(one(*place) for place in places), return_exceptions=True)
    for (task, name), problem in zip(places, done, strict=True):
        if isinstance(problem, BaseException):
            print(f"{task.name} {name}: stopped: {problem}")


async def _cell(task: Task, name: str, shared: Shared) -> None:
    files, model, prompts = shared.out / task.name / name, shared.model, shared.prompts
    if files.with_suffix(".cell.json").is_file():
        return
    files.parent.mkdir(parents=True, exist_ok=True)
    policy = _recorded_policy(files.with_suffix(".answers.jsonl"), policy_of(model, prompts) if model else None)
    critic = recorded_critic(files.with_suffix(".critiques.jsonl"), critic_of(model, prompts) if model else None)
    found = await _searched(task, name, policy, critic, shared)
    files.with_suffix(".cell.json").write_text(found.model_dump_json(indent=1) + "\n")
    print(f"{task.name} {name}: {found.speedup:.3g}x after {found.cell.evals} answers", flush=True)


def _recorded_policy(file: Path, policy: Policy | None) -> Policy:
    """Answers of the file, then those of `policy`, each written down before it is used."""
    then = record_policy(file, policy) if policy else None
    if file.is_file():
        return replay_policy(read_recording(str(file)), then)
    if then is None:
        raise InputError(f"{file}: no such recording.")
    return then


async def _searched(task: Task, name: str, policy: Policy, critic: Critic, shared: Shared) -> StrongCell:
    by = shared.model.name if shared.model else RECORDED
    budget, rounds = Budget(evals=ANSWERS, race=0.0), list[RoundSummary]()
    settings = SearchSettings(task=str(task.folder), policy=by, strategy=name, critic=by, budget=budget)
    chosen = Chosen(arm(name), policy, critic, own_reward, any_proposal, ())
    journal = shared.store.start(task.name, settings.model_dump(mode="json"))
    with journal.session(session(this_process())):
        parts = make_parts(
            chosen, shared.pool, journal, lambda tree, spent: rounds.append(RoundSummary.of(tree, spent))
        )
        assert parts.profile is not None
        parts = replace(parts, profile=shared.profiles[task.name].of(parts.profile))
        found = await search(task, chosen.strategy, parts, budget=budget)
        tree = found.tree
        confirmed = await _confirmed(task, tree, shared.pool)
        cell = cell_of(tree, found.spent, rounds, method=name, seed=0, run=journal.run, confirmed=confirmed)
    parents = tuple(node.parent or 0 for node in tree.nodes[1:])
    return StrongCell(cell=cell, statuses=_statuses(tree), parents=parents, critiques=_critiques(tree))


async def _confirmed(task: Task, tree: Tree, pool: Pool) -> Outcome | None:
    """The best program judged afresh; None where none looks faster than the original."""
    if not looks_faster(tree.best):
        return None
    (outcome,) = await pool(task, [tree.best.candidate], mode=Mode.CONFIRM)
    return outcome


def _statuses(tree: Tree) -> tuple[str, ...]:
    return tuple(node.outcome.status.value for node in tree.nodes[1:])


def _critiques(tree: Tree) -> tuple[CriticisedProgram, ...]:
    return tuple(
        CriticisedProgram(
            node=node.id,
            reward=node.reward,
            said=tuple(each.what for each in critique.diagnoses) or (critique.text,),
            children=tuple(child.reward for child in tree.children(node)),
        )
        for node in tree
        if (critique := tree.critique(node)) is not None
    )
