"""`maxcode new` and `maxcode optimize` for a function: its package is found, its calls are recorded, a task is made."""

from __future__ import annotations

import ast
import json
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from maxcode.authoring.new import slug
from maxcode.core import InputError
from maxcode.evaluate.machine import usable_cpus
from maxcode.evaluate.sandbox.sandbox import Lane, Sandbox
from maxcode.kinds.command.copies import RepositoryCopies
from maxcode.kinds.command.files import tree_parts
from maxcode.kinds.function.calls import write_calls
from maxcode.kinds.function.choosing import ChosenCalls, choose, in_words, looked_at
from maxcode.kinds.function.excerpt import Misfit, excerpt_of, found_in, spliced
from maxcode.kinds.function.exploring import new_calls, replayed
from maxcode.kinds.function.files import package_of, source_files
from maxcode.kinds.function.finding import Package, find_package
from maxcode.kinds.function.recording import SeenCall, SeenCalls, record
from maxcode.kinds.function.table import EXCERPT
from maxcode.kinds.function.testing import working_tests
from maxcode.task.kind import NewOptions, NewTask
from maxcode.task.load import load_task
from maxcode.task.model import Task
from maxcode.task.ordinary import FILE_NAME

LEAST_SECONDS = 10.0
NO_CALLS = ChosenCalls([], [], 0.0, (), 0)
CLOCKS = frozenset(["now", "utcnow", "today", "time", "perf_counter", "monotonic", "time_ns", "localtime", "gmtime"])
CLOCK_MODULES = frozenset(["time", "datetime", "date", "dt"])


@dataclass(frozen=True)
class _Made:
    package: Package
    recording: SeenCalls
    choice: ChosenCalls
    new: int
    """Number of new calls that can be made of the recorded ones."""
    seconds: float


def depends(source: Path, wanted: NewOptions) -> Iterator[bytes | str]:
    """What a task made of a function depends on: all of its package's repository."""
    package = find_package(source, wanted.python, wanted.command)
    yield str(source)
    yield str(package.root)
    yield from tree_parts(package.root, source_files(package.root))


def make(folder: Path, source: Path, wanted: NewOptions) -> NewTask:
    if (folder / FILE_NAME).exists():
        raise InputError(f"{folder / FILE_NAME}: already there. Choose another folder, or remove it first.")
    began = time.monotonic()
    package = find_package(source, wanted.python, wanted.command)
    module = (package.root / package.file).read_bytes().decode()
    excerpt = _excerpt(package, module)
    _refuse_by_text(package, module)
    package, recording = record(package)
    calls = looked_at(recording)
    with tempfile.TemporaryDirectory(prefix="maxcode-new-") as scratch, Sandbox() as sandbox:
        staged, lane = Path(scratch) / "task", Lane(sandbox, tuple(usable_cpus()[:1]))
        staged.mkdir()

        def staged_task(package: Package, choice: ChosenCalls = NO_CALLS) -> Task:
            _write(staged, package, recording, choice, excerpt, wanted.name or _name(package))
            return load_task(staged)

        task = staged_task(package)
        copies = RepositoryCopies(sandbox, lane.cpus)
        tree = copies.baseline(package_of(task)).built
        first, calls = _replayed(task, lane, tree, calls, closely=True)
        again, _ = _replayed(task, lane, tree, calls, closely=False)
        choice = choose(f"{package.module}:{package.function}", recording, calls, first, again)
        new = len(new_calls(staged_task(package, choice), lane, tree, 0))
        before = time.monotonic()
        package = working_tests(package, lambda each: staged_task(each, choice), lane, tree)
        recording.command_seconds += time.monotonic() - before
        folder.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(staged, folder, dirs_exist_ok=True)
    made = _Made(package, recording, choice, new, time.monotonic() - began)
    return NewTask(_summary(folder, made), _head(made), _lines(made), (*package.assumed, _head(made), *_lines(made)))


def _replayed(
    task: Task, lane: Lane, tree: Path, calls: list[SeenCall], *, closely: bool
) -> tuple[list[dict[str, Any]], list[SeenCall]]:
    """What calls do when they are made again, and those of them that were."""
    if not calls:
        return [], []
    found = replayed(task, lane, tree, [each.data for each in calls], closely=closely)
    return found, calls[: len(found) - 1]


def _excerpt(package: Package, module: str) -> str:
    try:
        excerpt = excerpt_of(module, package.function)
        if spliced(module, package.function, excerpt, excerpt + "\n") != module:
            raise Misfit("put back, it would not be the same")
    except SyntaxError as error:
        raise InputError(f"{package.file}: is no Python that this version reads: {error}") from None
    except Misfit as misfit:
        raise InputError(f"{package.function}: cannot be cut out of its module: {misfit}") from None
    return excerpt


def _refuse_by_text(package: Package, module: str) -> None:
    node, classes = found_in(ast.parse(module), package.function)
    name = f"{package.module}:{package.function}"
    if isinstance(node, ast.AsyncFunctionDef):
        raise InputError(f"{name}: is async: a call of it does not return by itself.")
    if any(isinstance(each, ast.Name) and each.id == "__class__" for each in ast.walk(node)) and not classes:
        raise InputError(f"{name}: uses __class__ outside of a class.")
    for each in ast.walk(node):
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr in CLOCKS:
            holder = each.func.value
            if getattr(holder, "id", getattr(holder, "attr", "")) in CLOCK_MODULES:
                raise InputError(f"{name}: depends on the time (line {each.lineno}: {ast.unparse(each)}).")


def _write(folder: Path, package: Package, recording: SeenCalls, choice: ChosenCalls, excerpt: str, name: str) -> None:
    (folder / EXCERPT).write_text(excerpt)
    write_calls(folder / "calls.jsonl", choice.public)
    write_calls(folder / "held-out.jsonl", choice.held_out)
    path = tuple(dict.fromkeys([*package.path, *recording.folders]))
    module = (package.root / package.file).read_bytes().decode()
    settings = {
        "repository": str(package.root),
        "file": package.file,
        "module": package.module,
        "function": package.function,
        "path": list(path),
        "test": list(package.test_in_sandbox),
        "globals": variables(module, package.function),
        "python": str(package.python) if package.python else None,
        "command": package.command,
        "share": round(recording.share, 4) if recording.share is not None else None,
    }
    lines = [
        f"name = {json.dumps(name)}",
        'kind = "function"',
        f"description = {json.dumps(f'The function {package.function} of the module {package.module}.')}",
        "",
        "[function]",
        *(f"{key} = {json.dumps(value)}" for key, value in settings.items() if value is not None),
        "",
        "[limits]",
        f"seconds = {_limit(choice)}",
        "memory_mb = 2048",
        "",
    ]
    (folder / FILE_NAME).write_text("\n".join(lines))


def _limit(choice: ChosenCalls) -> int:
    """Seconds that a row of calls may take, the module's import included, with room for a machine that is busy."""
    longest = max((each.seconds for each in [*choice.public, *choice.held_out]), default=0.0)
    return round(max(LEAST_SECONDS, 200 * longest, 20 * choice.import_seconds))


def variables(module: str, function: str) -> list[str]:
    """Variables of the module that the function names, functions, classes and imports left out."""
    tree = ast.parse(module)
    node, _ = found_in(tree, function)
    named = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    assigned = {
        each.id
        for statement in tree.body
        if isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign)
        for each in ast.walk(statement)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }
    return sorted(named & assigned)


def _name(package: Package) -> str:
    return slug(f"{package.module.rpartition('.')[2]}.{package.function}")


def _summary(folder: Path, made: _Made) -> dict[str, object]:
    return {
        "folder": str(folder),
        "public": len(made.choice.public),
        "hidden": len(made.choice.held_out),
        "recorded": made.recording.count,
        "new": made.new,
        "covered": made.choice.covered,
        "missed_lines": list(made.choice.missed),
        "share": made.recording.share,
        "seconds": round(made.seconds, 1),
        "command_seconds": round(made.recording.command_seconds, 1),
        "assumed": list(made.package.assumed),
    }


def _head(made: _Made) -> str:
    kept = len(made.choice.public) + len(made.choice.held_out)
    return (
        f"{made.recording.count} calls seen, {kept} kept, {len(made.choice.held_out)} of them held out; "
        f"they reach {made.choice.covered:.0%} of the function's lines."
    )


def _lines(made: _Made) -> tuple[str, ...]:
    lines = [f"{made.new} new calls can be made of them, to test and time it on."]
    if made.recording.share is not None:
        lines.append(f"The function takes {made.recording.share:.1%} of the time of `{made.package.command}`.")
    if made.choice.missed:
        lines.append(f"No call reaches lines {in_words(made.choice.missed)} of {made.package.file}.")
    refused = sum(made.recording.refused.values())
    if refused:
        reason = max(made.recording.refused, key=lambda each: made.recording.refused[each])
        lines.append(f"The arguments of {refused} calls could not be copied: {reason}.")
    spent = made.recording.command_seconds
    lines.append(f"The task was made in {made.seconds:.0f} s, of which the package's own commands took {spent:.0f} s.")
    if made.choice.dropped:
        lines.append(f"{made.choice.dropped} calls were left out: made again, they return something else.")
    return tuple(lines)
