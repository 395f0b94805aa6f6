"""What a benchmark is made of: tasks x methods x seeds, each a cell; all of it data."""

from __future__ import annotations

from itertools import product
from pathlib import Path

from pydantic import Field, ValidationError

from maxcode.core import Frozen, InputError
from maxcode.optimize.run import SearchSettings
from maxcode.search.budget import Budget
from maxcode.search.strategy import HEDGE
from maxcode.value.model import SHIPPED


class Method(Frozen):
    """Method by which a task is searched, under a name of its own."""

    name: str
    strategy: str
    policy: str = "rewrite"
    critic: str = "rules"
    screen: float | None = Field(default=None, gt=0.0, le=1.0)
    hedge: float = Field(default=HEDGE, ge=0.0, le=1.0)
    value: str = SHIPPED
    evals: int | None = None
    """Programs per search, where they differ between methods; the plan's budget when absent."""


class BenchPlan(Frozen):
    suite: str
    tasks: tuple[str, ...]
    """Folders of the tasks."""
    methods: tuple[Method, ...]
    seeds: tuple[int, ...] = (0,)
    budget: Budget = Budget(evals=32)
    confirm: bool = True
    """Whether winners are measured afresh. Off where runs only collect training data, which makes no claims."""

    def cells(self) -> list[PlannedCell]:
        """All cells, seed by seed, so that a stopped benchmark has whole rounds over all tasks and methods."""
        return [
            PlannedCell(task=task, method=method, seed=seed)
            for seed, task, method in product(self.seeds, self.tasks, self.methods)
        ]


class PlannedCell(Frozen):
    """One cell of the plan: a task, a method and a seed, not yet run."""

    task: str
    method: Method
    seed: int

    @property
    def key(self) -> str:
        return f"{self.task}/{self.method.name}/{self.seed}"

    def settings(self, budget: Budget, prompts: str) -> SearchSettings:
        method = self.method
        if method.evals is not None:
            budget = budget.model_copy(update={"evals": method.evals})
        return SearchSettings(
            task=self.task,
            policy=method.policy,
            strategy=method.strategy,
            critic=method.critic,
            screen=method.screen,
            hedge=method.hedge,
            value=method.value,
            budget=budget,
            seed=self.seed,
            prompts=prompts,
        )


OPTIONS = ("policy", "critic", "screen", "hedge", "value", "evals")


def methods_of(specs: list[str], policy: str, critic: str) -> tuple[Method, ...]:
    """Methods as written on the command line: a strategy, or NAME=STRATEGY,OPTION=...,OPTION=..."""
    found = tuple(_method(spec, policy, critic) for spec in specs)
    names = [method.name for method in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise InputError(f"--method {twice}: given twice; name one of them, as in other={twice}.")
    return found


def _method(spec: str, policy: str, critic: str) -> Method:
    first, *options = spec.split(",")
    name, named, strategy = first.partition("=")
    fields: dict[str, str] = {"policy": policy, "critic": critic}
    for option in options:
        key, equals, value = option.partition("=")
        if key not in OPTIONS or not equals:
            *most, last = (f"{each}=..." for each in OPTIONS)
            raise InputError(f"--method {spec}: '{option}' is not known; use {', '.join(most)} or {last}")
        fields[key] = value
    try:
        return Method.model_validate({"name": name, "strategy": strategy if named else name, **fields})
    except ValidationError as error:
        problem = error.errors()[0]
        raise InputError(f"--method {spec}: {problem['loc'][0]}: {problem['msg']}.") from None


def example_tasks(folder: Path) -> tuple[str, ...]:
    """The task folders in a folder, in order of name."""
    found = tuple(str(path.parent.resolve()) for path in sorted(folder.glob("*/task.toml")))
    if not found:
        raise InputError(f"{folder}: has no task folders (NAME/task.toml).")
    return found
