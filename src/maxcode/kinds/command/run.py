"""Runs of a repository's test and bench commands, in surroundings that are alike for both.

The folders, the environment, the user, the descriptors and the limits are the same, and both see /proc. The copy is
writable for tests and read-only for the bench, so that no run leaves anything for a timed one.
"""

from __future__ import annotations

import shlex
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from maxcode.evaluate.native.compiled import end_recorder
from maxcode.evaluate.sandbox.running import Ended, Running
from maxcode.evaluate.sandbox.sandbox import Sandbox
from maxcode.evaluate.sandbox.view import BOX, Caps, View
from maxcode.kinds.command.copies import BUILD_FAILED, CHANGED, COPY, REPOSITORY, TREE
from maxcode.kinds.command.ends import Ends, read_ends
from maxcode.kinds.command.environment import commands_environment, commands_view
from maxcode.kinds.command.table import Command
from maxcode.task.model import Task

FIRST_SEED = 1
RECORDER, ENDS, RESULTS = f"{BOX}/ends.so", f"{BOX}/ends", f"{BOX}/results.xml"
RECORDING = {"LD_PRELOAD": RECORDER, "PYTEST_ADDOPTS": f"--junitxml={RESULTS}"}
"""Variables that turn on the notes of how programs end and which tests ran; pytest does not say the latter
otherwise."""
MOST_NOTES = 16 << 20

_BENCH = f'cd {REPOSITORY} && exec "$@"'
_TEST = f'{COPY} && cd {REPOSITORY} && exec "$@"'


@dataclass(frozen=True)
class EndedCommand:
    """End of a command, with the notes that were taken."""

    ended: Ended
    ends: Ends
    results: str
    """Test results in the form of JUnit; empty without any."""


class CommandRun:
    """A command in its sandbox, before, during and after its run."""

    def __init__(
        self, sandbox: Sandbox, words: list[str], view: View, caps: Caps, environment: dict[str, str], *, recorded: bool
    ) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="maxcode-notes-")
        Path(self._folder.name).chmod(0o755)
        self._notes = {inside: Path(self._folder.name) / Path(inside).name for inside in (ENDS, RESULTS)}
        for path in self._notes.values():
            path.touch()
            sandbox.give(path)
        self._written = [path.open("rb") for path in self._notes.values()]  # now: the program may close them to us
        view = replace(view, read={**view.read, RECORDER: end_recorder()}, write=self._notes)
        try:
            whole = {**environment, **RECORDING} if recorded else environment
            self._running: Running = sandbox.start(words, view, caps, environment=whole)
        except BaseException:
            self._discard()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._running.close()
        self._discard()

    def ready(self) -> None:
        self._running.ready()

    def go(self) -> None:
        self._running.go()

    def wait(self) -> EndedCommand:
        ended = self._running.wait()
        ends, results = (file.read(MOST_NOTES) for file in self._written)
        return EndedCommand(ended, read_ends(ends), results.decode(errors="replace"))

    def _discard(self) -> None:
        for file in self._written:
            file.close()
        self._folder.cleanup()

    def run(self) -> EndedCommand:
        with self:
            self.go()
            return self.wait()


class CommandRunner:
    """Runs a task's commands on copies of its repository."""

    def __init__(self, task: Task, sandbox: Sandbox, cpus: tuple[int, ...], *, recorded: bool = True) -> None:
        self._task, self._command, self._sandbox, self._cpus = task, task.table(Command), sandbox, cpus
        self.recorded = recorded

    def bench(self, tree: Path, seed: int) -> CommandRun:
        view = commands_view(self._task)
        view = replace(view, read={**view.read, TREE: tree, REPOSITORY: tree}, proc=True)
        return self._start(bench_words(self._task, seed), view, self._task.limits.seconds)

    def test(self, tree: Path) -> CommandRun:
        """Test command in a writable copy, which is discarded afterwards."""
        return self._start(["/bin/sh", "-c", _TEST, "sh", *self._command.test], self._writable({TREE: tree}), None)

    def test_with(self, tree: Path, changed: Path) -> CommandRun:
        """Test command in a copy with some files changed and built anew; exit code `BUILD_FAILED` where that fails."""
        words = ["/bin/sh", "-c", _planted(self._command), "sh", *self._command.test]
        return self._start(words, self._writable({TREE: tree, CHANGED: changed}), None)

    def _writable(self, read: dict[str, Path]) -> View:
        view = commands_view(self._task)
        return replace(view, read={**view.read, **read}, memory={REPOSITORY: self._command.copy_mb}, proc=True)

    def _start(self, words: list[str], view: View, seconds: float | None) -> CommandRun:
        caps = command_caps(self._task, self._sandbox, self._cpus, seconds=seconds or self._command.test_seconds)
        environment = commands_environment(self._task)
        return CommandRun(self._sandbox, words, view, caps, environment, recorded=self.recorded)


def command_caps(task: Task, sandbox: Sandbox, cpus: tuple[int, ...], *, seconds: float) -> Caps:
    """Limits of a command: alike for tests and bench but for the seconds, which cannot be seen from inside."""
    limits = task.limits
    return Caps(
        seconds,
        limits.memory_mb,
        limits.output_mb,
        limits.scratch_mb,
        cpus[: limits.cpus],
        commands=True,
        bound_address_space=not sandbox.protections.memory_group,
        cpu_seconds=max(seconds, limits.seconds, task.table(Command).test_seconds),
    )


def bench_words(task: Task, seed: int) -> list[str]:
    return ["/bin/sh", "-c", _BENCH, "sh", *task.table(Command).bench_with(seed)]


def _planted(command: Command) -> str:
    build = shlex.join(command.build or ("true",))
    return f"""
{COPY} && cp -r {CHANGED}/. {REPOSITORY}/ && cd {REPOSITORY} || exit 98
{build} >&2 || exit {BUILD_FAILED}
cd {REPOSITORY} && exec "$@"
"""
