"""Pairs of runs of a repository's bench command, in the baseline's copy and in the candidate's, on the same seed.

Copies are read-only while they are timed, so that no run can leave anything for the next. The time is the runner's,
unless the task names a number in the output: that one is the candidate's own word, and is only believed while it stays
near what the clock outside says.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count
from math import exp, log
from pathlib import Path
from statistics import fmean

from maxcode.core import InputError, Status, content_hash
from maxcode.evaluate.failure import Failure, failure_of
from maxcode.evaluate.measure.pairs import Pair, Timing
from maxcode.evaluate.sandbox.running import Ended
from maxcode.kinds.command.ends import Ends
from maxcode.kinds.command.original import Original
from maxcode.kinds.command.output import BenchDifference, compared_lines, differences, printed_number, wrong_output
from maxcode.kinds.command.patterns import of_the_original
from maxcode.kinds.command.run import CommandRunner, EndedCommand
from maxcode.kinds.command.table import Command
from maxcode.task.model import Task

DISAGREEMENT = 10.0
"""Largest factor between the ratio of printed numbers and the ratio of times measured outside."""


class CommandPairs:
    """Pairs of runs, each pair on a seed of its own; the two outputs are compared."""

    def __init__(
        self,
        task: Task,
        lanes: tuple[CommandRunner, CommandRunner],
        trees: tuple[Path, Path],
        seeds: Iterator[int],
        original: Original,
    ) -> None:
        self._task, self._command, self._lanes = task, task.table(Command), lanes
        self._trees, self._seeds, self._original = trees, seeds, original
        self._varying = original.varying
        self._used: list[int] = []
        self._log_ratios: list[tuple[float, float]] = []

    def exclusive(self, candidate_first: bool) -> Pair:
        return self._one_by_one(self._next_seed(), candidate_first)

    def again(self, number: int, candidate_first: bool) -> Pair:
        return self._one_by_one(self._used[number], candidate_first)

    def _next_seed(self) -> int:
        self._used.append(next(self._seeds))
        return self._used[-1]

    def _one_by_one(self, seed: int, candidate_first: bool) -> Pair:
        ran: dict[int, EndedCommand] = {}
        for which in (1, 0) if candidate_first else (0, 1):
            ran[which] = self._lanes[0].bench(self._trees[which], seed).run()
        timings = self._judge(seed, ran[0], ran[1])
        self._cross_check(*timings)
        return timings[0][0], timings[1][0]

    def duet(self, candidate_first: bool) -> Pair:
        seed = self._next_seed()
        with ExitStack() as stack:
            order = (1, 0) if candidate_first else (0, 1)
            running = {
                i: stack.enter_context(lane.bench(self._trees[i], seed))
                for i, lane in zip(order, self._lanes, strict=True)
            }
            for each in running.values():
                each.ready()
            for each in running.values():
                each.go()
            ended = {i: each.wait() for i, each in running.items()}
        baseline, candidate = self._judge(seed, ended[0], ended[1])
        return baseline[0], candidate[0]

    def close(self) -> None:
        """Does nothing: no resource is held between pairs."""

    def _judge(
        self, seed: int, baseline: EndedCommand, candidate: EndedCommand
    ) -> tuple[tuple[Timing, Timing], tuple[Timing, Timing]]:
        """Timing that counts and timing by the clock outside, of the baseline and of the candidate.

        Failure if the candidate's run is not right.
        """
        failure = failure_of(candidate.ended, self._task.limits, "bench", hidden=False)
        if failure:
            raise failure
        failure = failure_of(baseline.ended, self._task.limits, "bench", hidden=False)
        if failure:
            raise InputError(f"{self._task.folder}: command.bench fails: {failure.reason}")
        check_ends(candidate.ends, self._original.bench_ends, "bench")
        if self._original.compared and candidate.ended.stdout != baseline.ended.stdout:
            self._compare(seed, baseline.ended, candidate.ended)
        with of_the_original(self._task.folder):
            timed = self._timed(baseline.ended, 0)
        return timed, self._timed(candidate.ended, 1)

    def _compare(self, seed: int, baseline: Ended, candidate: Ended) -> None:
        """Failure at the first result that differs.

        A number that has not been seen to vary may still do so on this seed: then the original is run once more.
        """
        expected, asked = self._lines(baseline), False
        for each in differences(expected, compared_lines(candidate.stdout, self._command)):
            if each.field and not asked and not self._excused(each, baseline, candidate):
                asked = True
                again = self._lines(self._lanes[0].bench(self._trees[0], seed).run().ended)
                self._varying |= {other.field for other in differences(expected, again) if other.field}
            if not self._excused(each, baseline, candidate):
                raise wrong_output(each)

    def _lines(self, ended: Ended) -> list[bytes]:
        with of_the_original(self._task.folder):
            return compared_lines(ended.stdout, self._command)

    def _excused(self, found: BenchDifference, baseline: Ended, candidate: Ended) -> bool:
        """True if the difference is a number that varies by itself, or a time that may have passed within the run."""
        if found.field in self._varying:
            return True
        return found.seconds is not None and all(
            least <= ended.wall for least, ended in zip(found.seconds, (baseline, candidate), strict=True)
        )

    def _timed(self, ended: Ended, which: int) -> tuple[Timing, Timing]:
        outside = Timing(ended.cpu, ended.wall, ended.rss_mb)
        if self._command.number is None:
            return outside, outside
        number = printed_number(ended.stdout, self._command)
        if number is None:
            problem = f"bench: prints no positive number that command.number ({self._command.number}) finds"
            raise Failure(Status.WRONG, problem) if which else InputError(f"{self._task.folder}: {problem}")
        cost = number if self._command.better == "lower" else 1 / number
        return Timing(cost, cost, ended.rss_mb), outside

    def _cross_check(self, baseline: tuple[Timing, Timing], candidate: tuple[Timing, Timing]) -> None:
        """Failure when the printed numbers claim a speedup that the clock outside does not show."""
        claimed, seen = (log(a.wall / b.wall) for a, b in zip(baseline, candidate, strict=True))
        self._log_ratios.append((claimed, seen))
        claimed, seen = (fmean(side) for side in zip(*self._log_ratios, strict=True))
        if claimed - seen > log(DISAGREEMENT):
            raise Failure(
                Status.REJECTED,
                f"the bench prints numbers {exp(claimed):.3g} times as good, but takes {exp(-seen):.3g} times as long "
                "by the clock outside. Numbers so far from the clock are not believed; leave command.number out, or "
                "let the bench do little besides what it counts",
            )


def seeds_for(seed: int, key: str) -> Iterator[int]:
    """Seeds, another one for each pair and candidate: what one candidate tells is of no use to the next."""
    for pair in count():
        yield 1 + int(content_hash(str(seed), key, str(pair))[:8], 16) % (2**31 - 1)


def check_ends(ends: Ends, original: Ends, where: str) -> None:
    """Failure when a program ended as none of the original's does."""
    unlike = ends.unlike(original)
    if unlike:
        raise Failure(Status.REJECTED, f"{where}: ends early: {unlike}")
