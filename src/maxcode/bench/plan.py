"""What a benchmark is made of: tasks x methods x seeds, each a cell; all of it data."""

from __future__ import annotations

from itertools import product
from pathlib import Path

from maxcode.core import Frozen, InputError
from maxcode.optimize import Settings
from maxcode.search import Budget


class Method(Frozen):
    """How a task is searched, under a name of its own."""

    name: str
    strategy: str
    policy: str = "rewrite"
    critic: str = "rules"
    screen: float | None = None


class Plan(Frozen):
    suite: str
    tasks: tuple[str, ...]
    """Folders."""
    methods: tuple[Method, ...]
    seeds: tuple[int, ...] = (0,)
    budget: Budget = Budget(evals=32)

    def cells(self) -> list[Place]:
        """Seeds outermost: a benchmark that is stopped has whole rounds over all tasks and methods."""
        return [
            Place(task=task, method=method, seed=seed)
            for seed, task, method in product(self.seeds, self.tasks, self.methods)
        ]


class Place(Frozen):
    """One cell of the plan, before anything is known of it."""

    task: str
    method: Method
    seed: int

    @property
    def key(self) -> str:
        return f"{self.task}/{self.method.name}/{self.seed}"

    def settings(self, budget: Budget, prompts: str) -> Settings:
        method = self.method
        return Settings(
            task=self.task,
            policy=method.policy,
            strategy=method.strategy,
            critic=method.critic,
            screen=method.screen,
            budget=budget,
            seed=self.seed,
            prompts=prompts,
        )


def methods_of(specs: list[str], policy: str, critic: str) -> tuple[Method, ...]:
    """Methods as written on the command line: a strategy, or NAME=STRATEGY,policy=...,critic=...,screen=..."""
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
        if key not in ("policy", "critic", "screen") or not equals:
            raise InputError(f"--method {spec}: '{option}' is not known; use policy=..., critic=... or screen=...")
        fields[key] = value
    return Method.model_validate({"name": name, "strategy": strategy if named else name, **fields})


def example_tasks(folder: Path) -> tuple[str, ...]:
    """The task folders in a folder, in order of name."""
    found = tuple(str(path.parent.resolve()) for path in sorted(folder.glob("*/task.toml")))
    if not found:
        raise InputError(f"{folder}: has no task folders (NAME/task.toml).")
    return found
