"""Functions in which a repository's bench spends its time, and the files to make editable because of it."""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path

from maxcode.core import Fact, Frozen, InputError, Outcome, Status
from maxcode.evaluate.pool import LocalPool
from maxcode.kinds.command.files import repository_files
from maxcode.kinds.command.table import JUDGES, SHELL, SUFFIXES, Command
from maxcode.task import load_task
from maxcode.task.model import Task
from maxcode.task.ordinary import FILE_NAME

WORTH_EDITING = 0.03
MOST_FILES = 6


class GuessedCommands(Frozen):
    """Commands of a repository without a task.toml; those that are not given are guessed."""

    build: str | None = None
    test: str | None = None
    bench: str | None = None


class Hot(Frozen):
    """The functions that take the time, and the task.toml that they suggest."""

    functions: tuple[Fact, ...]
    files: tuple[str, ...]
    snippet: str


async def find_hot(target: Path, given: GuessedCommands, pool: LocalPool) -> Hot:
    """Finds the functions that take the time.

    InputError when the target is neither a task nor a repository with a bench.
    """
    if (target / FILE_NAME).is_file() or target.name == FILE_NAME:
        return await _profiled(load_task(target), None, pool)
    if not target.is_dir():
        raise InputError(f"{target}: no such folder. Give a repository, or a folder with a {FILE_NAME}.")
    commands = guess_commands(target, given)
    with tempfile.TemporaryDirectory(prefix="maxcode-new-") as folder:
        suffixes = sorted({Path(name).suffix for name in repository_files(target)} & set(SUFFIXES)) or [""]
        trial = {**commands.model_dump(), "test": "true"}
        editable = [f"**/*{suffix}" for suffix in suffixes]
        Path(folder, FILE_NAME).write_text(task_text("hot", editable, trial, str(target.resolve())))
        return await _profiled(load_task(folder), (target, commands), pool)


async def _profiled(task: Task, bare: tuple[Path, GuessedCommands] | None, pool: LocalPool) -> Hot:
    if not isinstance(task.settings, Command):
        name = task.kind.name
        raise InputError(f"{task.folder}: is a {name}; `maxcode evaluate --profile` says where its time goes.")
    (outcome,) = await pool(task, [task.baseline_candidate], profile=True, measure=False)
    if outcome.status is not Status.OK:
        raise InputError(f"{task.folder}: does not pass its own tests: {outcome.reason}")
    functions = tuple(fact for fact in outcome.facts if fact.kind == "hot_function")
    if not functions:
        raise InputError(f"{task.root}: the profile shows no function of the repository. Let the bench run longer.")
    files = files_worth_editing(outcome)
    if bare is not None:
        name, commands = re.sub(r"[^\w.-]", "-", bare[0].resolve().name), bare[1].model_dump()
        snippet = task_text(name, list(files), {**commands, "test": commands["test"] or "SAY HOW TO TEST IT"})
    else:
        snippet = task_text(task.name, list(files), _commands_of(task.settings), task.settings.repository)
    return Hot(functions=functions, files=files, snippet=snippet)


def files_worth_editing(outcome: Outcome) -> tuple[str, ...]:
    """Files by their share of the time, the largest first, without those that judge."""
    shares: dict[str, float] = {}
    for fact in outcome.facts:
        if fact.kind == "hot_function" and fact.file and not JUDGES.search(fact.file) and not _is_bench(fact.file):
            shares[fact.file] = shares.get(fact.file, 0.0) + (fact.value or 0.0)
    ranked = sorted(shares, key=lambda name: -shares[name])
    return tuple(name for name in ranked if shares[name] >= WORTH_EDITING)[:MOST_FILES] or tuple(ranked[:1])


def _is_bench(name: str) -> bool:
    return "bench" in Path(name).name.lower()


def guess_commands(repository: Path, given: GuessedCommands) -> GuessedCommands:
    """Commands guessed from the build files that are there. InputError when nothing says how to run the bench."""
    guess = _of_cmake(repository) or _of_make(repository) or _of_python(repository) or GuessedCommands()
    merged = GuessedCommands(**{**guess.model_dump(), **given.model_dump(exclude_none=True)})
    if merged.bench is None:
        raise InputError(f"{repository}: no bench found. Say how to run it: --bench 'build/bench' (and --build).")
    return merged


def _of_cmake(repository: Path) -> GuessedCommands | None:
    if not (repository / "CMakeLists.txt").is_file():
        return None
    text = (repository / "CMakeLists.txt").read_text(errors="replace")
    programs = re.findall(r"add_executable\(\s*([\w-]*bench[\w-]*)", text, re.IGNORECASE)
    return GuessedCommands(
        build="cmake -S . -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build",
        test="ctest --test-dir build",
        bench=f"build/{programs[0]}" if programs else None,
    )


def _of_make(repository: Path) -> GuessedCommands | None:
    file = next((repository / n for n in ("GNUmakefile", "makefile", "Makefile") if (repository / n).is_file()), None)
    if file is None:
        return None
    targets = set(re.findall(r"^([\w.-]+)\s*:(?!=)", file.read_text(errors="replace"), re.MULTILINE))
    test = next((f"make {name}" for name in ("test", "check", "tests") if name in targets), None)
    bench = next((f"make {name}" for name in ("bench", "benchmark") if name in targets), None)
    return GuessedCommands(build="make", test=test, bench=bench)


def _of_python(repository: Path) -> GuessedCommands | None:
    names = [name for name in repository_files(repository) if name.endswith(".py")]
    if not names:
        return None
    benches = [name for name in names if Path(name).name.startswith("bench") and "/test" not in f"/{name}"]
    bench = min(benches, key=len) if benches else None
    return GuessedCommands(test="python -m pytest -q", bench=f"python {bench}" if bench else None)


def task_text(
    name: str, editable: list[str], commands: dict[str, str | list[str] | None], repository: str = "."
) -> str:
    """Text of a task.toml."""
    lines = [f"name = {json.dumps(name)}", 'kind = "command"', "", "[command]"]
    if repository != ".":
        lines.append(f"repository = {json.dumps(repository)}")
    lines.append(f"editable = {json.dumps(editable)}")
    lines += [f"{key} = {json.dumps(value)}" for key, value in commands.items() if value is not None]
    return "\n".join(lines) + "\n"


def _commands_of(command: Command) -> dict[str, str | list[str] | None]:
    """Commands as they were written: a shell string, or words."""
    found: dict[str, str | list[str] | None] = {}
    for key, words in (("build", command.build), ("test", command.test), ("bench", command.bench)):
        if words is not None:
            found[key] = words[2] if words[:2] == SHELL and len(words) == 3 else list(words)
    return found
