"""Repositories: judged by their own test command, timed by their own bench command."""

from __future__ import annotations

import json
from pathlib import Path

from maxcode.core import Candidate, Fact, Frozen, InputError, Measurement, Mode, Status, content_hash
from maxcode.evaluate import command_rules
from maxcode.evaluate.build import Built
from maxcode.evaluate.command_environment import environment_id
from maxcode.evaluate.command_pairs import CommandPairs, comparable, run_bench
from maxcode.evaluate.command_profile import profile_command
from maxcode.evaluate.copies import REPOSITORY, Copies, tracks_dependencies
from maxcode.evaluate.failure import Failure, failure_of
from maxcode.evaluate.judge import Tally
from maxcode.evaluate.once import made_once
from maxcode.evaluate.pairs import Pairs
from maxcode.evaluate.passed import passed_tests
from maxcode.evaluate.sandbox import Ended, Sandbox
from maxcode.evaluate.toolchain import toolchain
from maxcode.home import cache_folder
from maxcode.task.command import Command
from maxcode.task.model import Task

TAIL = 1500


class Original(Frozen):
    """What the repository as it is does: found out once."""

    passed: int | None
    bench_output: str | None
    """As far as it is the same each time; in the spelling of `comparable`."""


class CommandJudge:
    def __init__(self, sandboxes: tuple[Sandbox, Sandbox], cpus: tuple[int, ...]) -> None:
        self._sandboxes, self._cpus = sandboxes, cpus
        self._known: Copies | None = None

    def close(self) -> None:
        if self._known:
            self._known.close()

    def broken_rule(self, task: Task, candidate: Candidate) -> str | None:
        return command_rules.broken_rule(task, candidate)

    def build(self, task: Task, candidate: Candidate, mode: Mode) -> Built:
        command = _command(task)
        baseline = self._copies.baseline(task).built
        wanted = tracks_dependencies(baseline) if command.incremental is None else command.incremental
        incremental = wanted and command.build is not None and mode is Mode.SEARCH
        try:
            built = self._copies.candidate(task, candidate, incremental=incremental)
        except Failure:
            if not incremental:
                raise
            built = self._copies.candidate(task, candidate, incremental=False)  # the fault may be the baseline's build
        broken = command_rules.broken_by_programs(task, baseline, built)
        if broken:
            raise Failure(Status.REJECTED, broken)
        return Built(built, None, cached=False, key=candidate.id)

    def baseline(self, task: Task) -> Built:
        return Built(self._copies.baseline(task).built, None, cached=True)

    def verify(self, task: Task, built: Built, seed: int, tally: Tally, *, timed: bool) -> None:  # noqa: ARG002
        """The test command: it must end well, with no fewer tests passed than in the original."""
        original = self._original(task)
        tally.total = (original.passed or 1) + timed
        ended = self._copies.test(task, _tree(built))
        passed = _count(ended, _command(task))
        tally.passed = min(passed or 0, original.passed or 1)
        failure = _test_failure(ended, task)
        if failure:
            raise failure
        if original.passed is not None and (passed or 0) < original.passed:
            raise Failure(
                Status.WRONG,
                f"{passed or 0} tests passed where the original passes {original.passed}: tests are missing",
            )
        tally.passed = original.passed or 1

    def sanitize(self, task: Task, candidate: Candidate, seed: int) -> bool:  # noqa: ARG002
        return False

    def pairs(self, task: Task, baseline: Built, candidate: Built, seed: int, mode: Mode) -> Pairs:  # noqa: ARG002
        output = self._original(task).bench_output
        expected = None if output is None else output.encode(errors="surrogateescape")
        return CommandPairs(task, self._sandboxes, self._cpus, (_tree(baseline), _tree(candidate)), expected)

    def threads(self, task: Task) -> int:
        """A printed number has no CPU time, and two programs at once would each print a worse one."""
        return task.limits.cpus if _command(task).number is None else max(task.limits.cpus, 2)

    def annotate(self, task: Task, found: Measurement, mode: Mode) -> Measurement:  # noqa: ARG002
        if _command(task).number is None:
            return found
        note = "ratio of numbers that the bench prints, near the clock outside by less than a factor of 10"
        return found.model_copy(
            update={"clock": "printed", "note": note, "seconds_baseline": None, "seconds_candidate": None}
        )

    def profile(self, task: Task, candidate: Candidate, seed: int) -> tuple[Fact, ...]:  # noqa: ARG002
        return profile_command(task, candidate, self._copies, self._sandboxes[0], self._cpus)

    def release(self) -> None:
        """Nothing is held between evaluations."""

    @property
    def _copies(self) -> Copies:
        if self._known is None:
            self._known = Copies(self._sandboxes[0], self._cpus)
        return self._known

    def _original(self, task: Task) -> Original:
        made_once(_original_folder(task), lambda folder: self._judge_original(task, folder / "original.json"))
        found = known_original(task)
        assert found is not None
        return found

    def _judge_original(self, task: Task, file: Path) -> None:
        tree, command = self._copies.baseline(task).built, _command(task)
        ended = self._copies.test(task, tree)
        failure = _test_failure(ended, task)
        if failure:
            raise InputError(f"{task.folder}: command.test fails on the repository as it is: {failure.reason}")
        outputs = []
        for _ in range(2 if command.output == "same" else 1):
            bench = run_bench(task, self._sandboxes[0], self._cpus, tree)
            failed = failure_of(bench, task.limits, "bench", hidden=False)
            if failed:
                raise InputError(f"{task.folder}: command.bench fails on the repository as it is: {failed.reason}")
            outputs.append(comparable(bench.stdout, command).decode(errors="surrogateescape"))
        same = command.output == "same" and outputs[0] == outputs[1]
        found = {"passed": _count(ended, command), "bench_output": outputs[0] if same else None}
        file.write_text(json.dumps(found))


def known_original(task: Task) -> Original | None:
    """What was found out about the repository as it is; None before anything was evaluated."""
    file = _original_folder(task) / "original.json"
    return Original.model_validate_json(file.read_bytes()) if file.exists() else None


def _original_folder(task: Task) -> Path:
    return cache_folder("repositories") / content_hash(task.hash, toolchain().id, environment_id(task), "judged")


def _command(task: Task) -> Command:
    assert task.command is not None
    return task.command


def _tree(built: Built) -> Path:
    assert built.program is not None
    return built.program


def _count(ended: Ended, command: Command) -> int | None:
    return passed_tests((ended.stdout + b"\n" + ended.stderr).decode(errors="replace"), command.passed)


def _test_failure(ended: Ended, task: Task) -> Failure | None:
    limits = task.limits.model_copy(update={"seconds": _command(task).test_seconds})
    failure = failure_of(ended, limits, "tests", hidden=True)
    if failure is None or ended.exit_code <= 0 or failure.status is not Status.CRASHED or ended.out_of_memory:
        return failure
    words = (ended.stdout + b"\n" + ended.stderr).decode(errors="replace").replace(f"{REPOSITORY}/", "").strip()[-TAIL:]
    return Failure(Status.WRONG, f"the tests fail (exit code {ended.exit_code}):\n{words}")
