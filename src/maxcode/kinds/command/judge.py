"""Repositories: judged by their own test command, timed by their own bench command."""

from __future__ import annotations

from pathlib import Path

from maxcode.core import Candidate, Fact, InputError, Measurement, Mode, Status
from maxcode.evaluate.build import Built
from maxcode.evaluate.failure import Failure
from maxcode.evaluate.judge import Equipment, Tally
from maxcode.evaluate.measure.pairs import Pairs
from maxcode.evaluate.measure.sampling import SECONDS
from maxcode.evaluate.once import made_once
from maxcode.kinds.command import rules
from maxcode.kinds.command.copies import RepositoryCopies, tracks_dependencies
from maxcode.kinds.command.original import Original, judged_folder, known_original
from maxcode.kinds.command.pairs import CommandPairs, check_ends, seeds_for
from maxcode.kinds.command.profile import profile_command
from maxcode.kinds.command.run import CommandRunner
from maxcode.kinds.command.table import Command
from maxcode.kinds.command.tests import check_planted, count_passed, judge_original, names_passed, test_failure
from maxcode.task.model import Task


class CommandJudge:
    waits = False

    def __init__(self, given: Equipment) -> None:
        self._sandboxes, self._cpus = given.sandboxes, given.cpus
        self._known: RepositoryCopies | None = None
        self._timed: tuple[Built, int] | None = None
        """The candidate that is being timed, and the evaluation's seed."""

    def close(self) -> None:
        if self._known:
            self._known.close()

    def broken_rule(self, task: Task, candidate: Candidate) -> str | None:
        return rules.broken_rule(task, candidate)

    def build(self, task: Task, candidate: Candidate, mode: Mode) -> Built:
        command = task.table(Command)
        baseline = self._copies.baseline(task).built
        wanted = tracks_dependencies(baseline) if command.incremental is None else command.incremental
        incremental = wanted and command.build is not None and mode is Mode.SEARCH
        try:
            built = self._copies.candidate(task, candidate, incremental=incremental)
        except Failure:
            if not incremental:
                raise
            built = self._copies.candidate(task, candidate, incremental=False)  # the fault may be the baseline's build
        broken = rules.broken_by_programs(task, baseline, built)
        if broken:
            raise Failure(Status.REJECTED, broken)
        return Built(built, None, cached=False, key=candidate.id)

    def baseline(self, task: Task) -> Built:
        return Built(self._copies.baseline(task).built, None, cached=True)

    def reserve(self, task: Task) -> None:
        """Does nothing: no resource is shared between workers."""

    def verify(self, task: Task, built: Built, seed: int, tally: Tally, *, timed: bool) -> None:  # noqa: ARG002
        """Runs the test command. It must end well, as the original's does, with every test passed that passes there."""
        original = self._original(task)
        tally.total = (original.passed or 1) + timed
        ran = self._commands(task).test(_tree(built)).run()
        passed = count_passed(ran, task)
        tally.passed = min(passed or 0, original.passed or 1)
        failure = test_failure(ran.ended, task)
        if failure:
            raise failure
        if original.passed is not None and (passed or 0) < original.passed:
            raise Failure(
                Status.WRONG,
                f"{passed or 0} tests passed where the original passes {original.passed}: tests are missing",
            )
        missing = sorted(original.names - names_passed(ran))
        if missing:
            raise Failure(Status.WRONG, f"{missing[0]} passes in the original, and is skipped or missing here")
        check_ends(ran.ends, original.test_ends, "tests")
        tally.passed = original.passed or 1

    def sanitize(self, task: Task, candidate: Candidate, seed: int) -> bool:  # noqa: ARG002
        return False

    def pairs(self, task: Task, baseline: Built, candidate: Built, seed: int, mode: Mode) -> Pairs:  # noqa: ARG002
        original = self._original(task)
        self._timed = candidate, seed
        first, second = (CommandRunner(task, each, self._cpus, recorded=original.recorded) for each in self._sandboxes)
        seeds = seeds_for(seed, candidate.key or "")
        return CommandPairs(task, (first, second), (_tree(baseline), _tree(candidate)), seeds, original)

    def count(self, task: Task, candidate: Candidate, seed: int) -> None:
        """Returns None: repositories are timed, or print a number."""

    def least_seconds(self, task: Task, mode: Mode) -> float:  # noqa: ARG002
        return SECONDS[mode]

    def threads(self, task: Task) -> int:
        """Number of threads, at least 2 where CPU time may not count.

        A printed number has no CPU time, and two programs at once would each print a worse one. CPU time is not
        reliable either where processes that nobody waits for are left out of it.
        """
        by_cpu_time = task.table(Command).number is None and self._sandboxes[0].counts_processes
        return task.limits.cpus if by_cpu_time else max(task.limits.cpus, 2)

    def annotate(self, task: Task, found: Measurement, mode: Mode) -> Measurement:  # noqa: ARG002
        """Failure if a candidate that looks faster passes tests that were made to fail."""
        if found.speedup > 1 and self._timed is not None:
            built, seed = self._timed
            trees = self._copies.baseline(task).built, _tree(built)
            check_planted(task, self._original(task), self._commands(task), trees, seed)
        if task.table(Command).number is None:
            return found
        note = "ratio of numbers that the bench prints, near the clock outside by less than a factor of 10"
        return found.model_copy(
            update={"clock": "printed", "note": note, "seconds_baseline": None, "seconds_candidate": None}
        )

    def profile(self, task: Task, candidate: Candidate, seed: int) -> tuple[Fact, ...]:  # noqa: ARG002
        return profile_command(task, candidate, self._copies, self._sandboxes[0], self._cpus)

    def release(self) -> None:
        self._timed = None

    @property
    def _copies(self) -> RepositoryCopies:
        if self._known is None:
            self._known = RepositoryCopies(self._sandboxes[0], self._cpus)
        return self._known

    def _commands(self, task: Task) -> CommandRunner:
        return CommandRunner(task, self._sandboxes[0], self._cpus, recorded=self._original(task).recorded)

    def _original(self, task: Task) -> Original:
        made_once(judged_folder(task), lambda folder: self._judge_original(task, folder / "original.json"))
        found = known_original(task)
        assert found is not None
        return found

    def _judge_original(self, task: Task, file: Path) -> None:
        tree, sandbox = self._copies.baseline(task).built, self._sandboxes[0]
        try:
            found = judge_original(task, CommandRunner(task, sandbox, self._cpus), tree)
        except InputError:  # perhaps due to the preloaded recorder; if not, it is raised again
            found = judge_original(task, CommandRunner(task, sandbox, self._cpus, recorded=False), tree)
        file.write_text(found.model_dump_json())


def _tree(built: Built) -> Path:
    assert built.program is not None
    return built.program
