"""Functions: judged on recorded calls, on others like them, and by the package's tests; timed on new calls."""

from __future__ import annotations

import random
from pathlib import Path

from maxcode.core import Candidate, Fact, InputError, Measurement, Mode, Status
from maxcode.evaluate.build import Built
from maxcode.evaluate.failure import Failure
from maxcode.evaluate.judge import Equipment, Tally
from maxcode.evaluate.measure.pairs import Pairs
from maxcode.evaluate.measure.sampling import SECONDS
from maxcode.evaluate.sandbox.sandbox import Lane
from maxcode.kinds.command.judge import CommandJudge
from maxcode.kinds.function import rules
from maxcode.kinds.function.calls import held_out_calls, recorded_calls
from maxcode.kinds.function.compare import check_answers
from maxcode.kinds.function.exploring import new_calls
from maxcode.kinds.function.files import in_package, package_of
from maxcode.kinds.function.pairs import FunctionPairs
from maxcode.kinds.function.serving import Answers, answered
from maxcode.task.model import Task

VARIED = 300
"""Number of calls like the recorded ones that a candidate is tested on."""
POOLS_KEPT, ROWS_KEPT = 4, 12
"""Number of pools of calls, and of rows of results, that are kept at a time."""


class FunctionJudge:
    waits = False

    def __init__(self, given: Equipment) -> None:
        self._package = CommandJudge(given)
        first, second = (Lane(each, given.cpus) for each in given.sandboxes)
        self._lanes = (first, second)
        self._pools: dict[tuple[str, int], list[bytes]] = {}
        self._expected: dict[tuple[str, str], Answers] = {}

    def close(self) -> None:
        self._package.close()

    def broken_rule(self, task: Task, candidate: Candidate) -> str | None:
        return rules.broken_rule(task, candidate)

    def build(self, task: Task, candidate: Candidate, mode: Mode) -> Built:
        return self._package.build(package_of(task), in_package(task, candidate), mode)

    def baseline(self, task: Task) -> Built:
        return self._package.baseline(package_of(task))

    def reserve(self, task: Task) -> None:
        """Does nothing: no resource is shared between workers."""

    def verify(self, task: Task, built: Built, seed: int, tally: Tally, *, timed: bool) -> None:
        """Makes the recorded calls and others like them, then runs the package's tests."""
        recorded, held_out = recorded_calls(task), held_out_calls(task)
        rng = random.Random(f"verify/{seed}")
        varied = self._pool(task, seed)
        rows: list[tuple[str, list[bytes], tuple[str, ...]]] = [
            ("recorded calls", [each.data for each in recorded], tuple(each.seen for each in recorded)),
            ("held-out calls", [each.data for each in held_out], ()),
            ("calls like the recorded ones", rng.sample(varied, min(VARIED, len(varied))), ()),
        ]
        total = sum(len(calls) for _, calls, _ in rows)
        tally.total = total + 1 + timed
        for where, calls, seen in rows:
            if calls:
                check_answers(
                    self._known(task, where, seed, calls), self._made(task, built, calls, where), where, seen=seen
                )
            tally.passed += len(calls)
        tests = Tally()
        self._package.verify(package_of(task), built, seed, tests, timed=False)
        tally.total = total + (tests.total or 1) + timed
        tally.passed = total + tests.passed

    def sanitize(self, task: Task, candidate: Candidate, seed: int) -> bool:  # noqa: ARG002
        return False

    def pairs(self, task: Task, baseline: Built, candidate: Built, seed: int, mode: Mode) -> Pairs:
        self._package.pairs(package_of(task), baseline, candidate, seed, mode)  # what annotate() is about
        pool = self._pool(task, seed)

        def draw(count: int, rng: random.Random) -> list[bytes]:
            return rng.sample(pool, min(count, len(pool)))

        trees = _tree(baseline), _tree(candidate)
        return FunctionPairs(task, self._lanes, trees, draw, f"{seed}/{candidate.key}")

    def count(self, task: Task, candidate: Candidate, seed: int) -> None:
        """Returns None: functions are timed."""

    def least_seconds(self, task: Task, mode: Mode) -> float:  # noqa: ARG002
        return SECONDS[mode]

    def threads(self, task: Task) -> int:
        return task.limits.cpus

    def annotate(self, task: Task, found: Measurement, mode: Mode) -> Measurement:
        """Failure if a candidate that looks faster passes tests that were made to fail."""
        return self._package.annotate(package_of(task), found, mode)

    def profile(self, task: Task, candidate: Candidate, seed: int) -> tuple[Fact, ...]:  # noqa: ARG002
        return ()

    def release(self) -> None:
        self._package.release()

    def _pool(self, task: Task, seed: int) -> list[bytes]:
        """Calls like the recorded ones, made from a seed."""
        key = (task.hash, seed)
        if key not in self._pools:
            if len(self._pools) >= POOLS_KEPT:
                self._pools.pop(next(iter(self._pools)))
            self._pools[key] = new_calls(task, self._lanes[0], _tree(self.baseline(task)), seed)
        return self._pools[key]

    def _known(self, task: Task, where: str, seed: int, calls: list[bytes]) -> Answers:
        """What the original answers."""
        key = (task.hash, f"{where}/{seed}")
        if key not in self._expected:
            if len(self._expected) >= ROWS_KEPT:
                self._expected.pop(next(iter(self._expected)))
            try:
                self._expected[key] = self._made(task, self.baseline(task), calls, where)
            except Failure as failure:
                raise InputError(f"{task.folder}: the original fails: {failure.reason}") from None
        return self._expected[key]

    def _made(self, task: Task, built: Built, calls: list[bytes], where: str) -> Answers:
        return answered(task, self._lanes[0], _tree(built), calls, where)


def _tree(built: Built) -> Path:
    if built.program is None:
        raise Failure(Status.BUILD_ERROR, "there is no copy of the package")
    return built.program
