"""Pairs of runs of a repository's bench command, in the baseline's copy and in the candidate's.

Copies are read-only while they are timed, so that no run can leave anything for the next. The time is the runner's,
unless the task names a number in the output: that one is the candidate's own word, and is only believed while it stays
near what the clock outside says.
"""

from __future__ import annotations

import re
from contextlib import ExitStack
from dataclasses import replace
from math import exp, log
from pathlib import Path
from statistics import fmean

from maxcode.core import InputError, Mismatch, Status
from maxcode.evaluate.command_environment import commands_environment, commands_view
from maxcode.evaluate.copies import REPOSITORY, bench_caps, bench_words
from maxcode.evaluate.failure import Failure, failure_of
from maxcode.evaluate.pairs import Pair, Timing
from maxcode.evaluate.sandbox import Ended, Running, Sandbox
from maxcode.task.command import Command
from maxcode.task.model import Task

DISAGREEMENT = 10.0
"""How far the ratio of printed numbers may be from the ratio of times measured outside."""
_TIMES = re.compile(rb"\d[\d.,]*(e[+-]?\d+)?\s*(ns|us|\xc2\xb5s|ms|s|sec|secs|seconds?|minutes?|[\w/]+/s|%)(?![\w])")


class CommandPairs:
    def __init__(
        self,
        task: Task,
        sandboxes: tuple[Sandbox, Sandbox],
        cpus: tuple[int, ...],
        trees: tuple[Path, Path],
        expected: bytes | None,
    ) -> None:
        assert task.command is not None
        self._task, self._command, self._cpus = task, task.command, cpus
        self._sandboxes, self._trees, self._expected = sandboxes, trees, expected
        self._log_ratios: list[tuple[float, float]] = []

    def exclusive(self, candidate_first: bool) -> Pair:
        timings: list[tuple[Timing, Timing]] = [(Timing(0, 0), Timing(0, 0))] * 2
        for which in (1, 0) if candidate_first else (0, 1):
            with self._start(which, self._sandboxes[0]) as running:
                running.go()
                timings[which] = self._judge(running.wait(), which)
        self._cross_check(*timings)
        return timings[0][0], timings[1][0]

    def duet(self) -> Pair:
        with ExitStack() as stack:
            running = [stack.enter_context(self._start(i, self._sandboxes[i])) for i in (0, 1)]
            for each in running:
                each.ready()
            for each in running:
                each.go()
            ended = [each.wait() for each in running]
        first, second = (self._judge(each, which)[0] for which, each in enumerate(ended))
        return first, second

    def close(self) -> None:
        """Nothing is held between pairs."""

    def _start(self, which: int, sandbox: Sandbox) -> Running:
        return start_bench(self._task, sandbox, self._cpus, self._trees[which])

    def _judge(self, ended: Ended, which: int) -> tuple[Timing, Timing]:
        """What counts, and what the clock outside says."""
        failure = failure_of(ended, self._task.limits, "bench", hidden=False)
        if failure:
            raise failure if which else InputError(f"{self._task.folder}: command.bench fails: {failure.reason}")
        if which and self._expected is not None:
            check_bench_output(self._expected, comparable(ended.stdout, self._command))
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
        """Failure when the numbers claim a speedup that nobody outside has seen."""
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


def start_bench(
    task: Task,
    sandbox: Sandbox,
    cpus: tuple[int, ...],
    tree: Path,
) -> Running:
    view = commands_view(task)
    view = replace(view, read={**view.read, REPOSITORY: tree})
    caps = bench_caps(task, sandbox, cpus)
    return sandbox.start(bench_words(task), view, caps, environment=commands_environment(task))


def run_bench(task: Task, sandbox: Sandbox, cpus: tuple[int, ...], tree: Path) -> Ended:
    with start_bench(task, sandbox, cpus, tree) as running:
        running.go()
        return running.wait()


def printed_number(output: bytes, command: Command) -> float | None:
    """The last number that the pattern finds; None when there is none, or none to divide by."""
    assert command.number is not None
    found = re.findall(command.number, output.decode(errors="replace"), re.MULTILINE)
    try:
        number = float(found[-1].replace(",", "")) if found else 0.0
    except ValueError:
        return None
    return number if 0 < number < float("inf") else None


def comparable(output: bytes, command: Command) -> bytes:
    """The bench's output without what may differ from run to run: the number's lines, and times."""
    lines = output.splitlines()
    if command.number is not None:
        lines = [line for line in lines if not re.search(command.number, line.decode(errors="replace"))]
    return b"\n".join(_TIMES.sub(b"<time>", line) for line in lines)


def check_bench_output(expected: bytes, got: bytes) -> None:
    if got == expected:
        return
    pairs = zip([*expected.splitlines(), b""], [*got.splitlines(), b""], strict=False)
    number, (want, have) = next(((i, pair) for i, pair in enumerate(pairs, 1) if pair[0] != pair[1]), (1, (b"", b"")))
    words = [each.decode(errors="replace")[:100] for each in (want, have)]
    raise Failure(
        Status.WRONG,
        f"bench: prints something else than the original, line {number}: expected '{words[0]}', got '{words[1]}'",
        Mismatch(test="bench", hidden=False, where=f"line {number}", expected=words[0], got=words[1]),
    )
