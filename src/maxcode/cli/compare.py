"""`maxcode compare`: shows a comparison while it goes on, and its result."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import typer
from rich.console import Group, RenderableType
from rich.live import Live
from rich.text import Text

from maxcode.bench.tables import FORMS, Table, rich
from maxcode.cli.compare_command import CommitOptions, Form, RunOptions, StopOptions
from maxcode.cli.console import err, out, print_json, told_regularly
from maxcode.cli.stopping import one_interrupt
from maxcode.compare.compare import CompareSettings, compare_commands, compare_commits
from maxcode.compare.comparison import ComparedSide, ComparisonResult, FailurePolicy, Results, failure_policy, share
from maxcode.compare.histogram import histogram
from maxcode.compare.sampling import ComparePlan
from maxcode.core import ExitCode, InputError, Verdict
from maxcode.evaluate.measure.words import interval_in_words, ratio_in_words
from maxcode.task.units import duration

LOG_EVERY = 10.0
MOST_HISTOGRAMS = 4


def run(
    commands: tuple[str, ...],
    around: RunOptions,
    until: StopOptions,
    commits: CommitOptions,
    names: str | None,
    form: Form,
) -> None:
    policy = failure_policy(until.fail_on) if until.fail_on else None
    settings = _settings(around, until, commits, names)
    with _stopped_by_terminate(), one_interrupt():
        result = _last(_started(commands, commits, settings))
    print_result(result, form, policy)
    if policy and policy.slower(result):
        raise typer.Exit(ExitCode.FAILED)


def _started(commands: tuple[str, ...], commits: CommitOptions, settings: CompareSettings) -> Results:
    if commits.git is None:
        if commits.results:
            raise InputError("--results: only with --git; commands are timed from outside.")
        return compare_commands(commands, settings)
    if settings.check:
        raise InputError("--check: not with --git; results of benches differ by what they time.")
    if len(commands) > 2:
        raise InputError("--git takes two commands, and options before them: --git BASE HEAD -- 'BUILD' 'BENCH'.")
    build = commands[0] if len(commands) == 2 else ""
    return compare_commits(*commits.git, build, commands[-1], settings)


def _settings(around: RunOptions, until: StopOptions, commits: CommitOptions, names: str | None) -> CompareSettings:
    plan = ComparePlan(until.metric, share(until.min_effect, "--min-effect"), seconds=until.max_seconds)
    if plan.min_effect <= 0:
        raise InputError(f"--min-effect {until.min_effect}: must be above 0; nothing is ever exactly equal.")
    added = [each.partition("=") for each in around.env or []]
    for name, equals, _ in added:
        if not (name and equals):
            raise InputError(f"--env {name}: write NAME=VALUE.")
    return CompareSettings(
        plan,
        (around.cwd or Path.cwd()).resolve(),
        {**os.environ, **{name: value for name, _, value in added}},
        tuple(names.split(",")) if names else (),
        around.input.resolve() if around.input else None,
        around.setup,
        around.prepare,
        around.warmup,
        around.timeout,
        around.check,
        around.ignore_failure,
        commits.results,
    )


def _last(results: Results) -> ComparisonResult:
    """The last result; shows those before."""
    latest: list[ComparisonResult] = []
    with closing(results), _display(latest) as show:
        for each in results:
            latest[:] = [each]
            show()
    return latest[0]


@contextmanager
def _display(latest: list[ComparisonResult]) -> Iterator[Callable[[], None]]:
    """Redraws the latest result at a terminal; a line now and then in a log."""
    if not err.is_terminal:
        with told_regularly(lambda: _progress(latest), LOG_EVERY):
            yield lambda: None
        return
    with Live(Text(_progress(latest)), console=err, auto_refresh=False, transient=True) as live:
        yield lambda: live.update(Group(*_drawn(latest[0]), Text(_progress(latest))), refresh=True)


def _progress(latest: list[ComparisonResult]) -> str:
    if not latest:
        return "warming up ..."
    result = latest[0]
    open_yet = [each for each in result.sides if each.verdict is Verdict.UNCLEAR]
    shown = "; ".join(f"{each.name} {in_words(each)}" for each in result.sides[:MOST_HISTOGRAMS])
    pairs = max(len(each.samples) for each in result.sides)
    return f"{pairs} pairs, {result.seconds:.0f} s, {len(open_yet)} of {len(result.sides)} unclear: {shown} ..."


def in_words(side: ComparedSide) -> str:
    return f"{side.verdict.value} {_times(side)} ({_interval(side)})"


def _times(side: ComparedSide) -> str:
    return f"{_exact(side.speedup)}x"


def _interval(side: ComparedSide) -> str:
    return interval_in_words(side.ci_low, side.ci_high, spelled=_exact)


def _exact(ratio: float) -> str:
    """Three decimals, since a difference of half a per cent is worth seeing; fewer where the ratio is large."""
    return f"{ratio:.3f}" if 0.1 <= ratio < 10 else ratio_in_words(ratio, digits=4)


def print_result(result: ComparisonResult, form: Form, policy: FailurePolicy | None = None) -> None:
    if form == "json":
        print_json(_summary(result, policy))
    elif form == "text":
        for each in _drawn(result):
            out.print(each, soft_wrap=True)
        for line in _last_words(result, policy):
            out.print(line, soft_wrap=True, markup=False)
    else:
        print(FORMS[form](table_of(result, policy)), end="")


def _summary(result: ComparisonResult, policy: FailurePolicy | None) -> dict[str, Any]:
    failed = [each.name for each in policy.slower(result)] if policy else []
    sides = [{**each.model_dump(mode="json"), "pairs": len(each.samples)} for each in result.sides]
    return {**result.model_dump(mode="json"), "sides": sides, "failed": failed}


def table_of(result: ComparisonResult, policy: FailurePolicy | None = None) -> Table:
    """The result as a table: a row for each command or benchmark."""
    return Table(
        title=f"Compared with {result.baseline}",
        columns=("name", "baseline", "time", "speedup", "interval", "verdict", "pairs"),
        rows=tuple(map(_row, result.sides)),
        words=("verdict",),
        note="\n".join(_last_words(result, policy)),
    )


def _row(side: ComparedSide) -> tuple[str, ...]:
    seconds = (duration(side.seconds_baseline), duration(side.seconds))
    return (side.name, *seconds, _times(side), _interval(side), side.verdict.value, str(len(side.samples)))


def _drawn(result: ComparisonResult) -> Iterator[RenderableType]:
    """The table, and a histogram for each of a few."""
    yield rich(table_of(result).model_copy(update={"note": ""}))
    few = result.sides if len(result.sides) <= MOST_HISTOGRAMS else ()
    for side in few:
        yield Text(f"\n{result.baseline} / {side.name}, pair by pair:", "bold")
        yield from map(Text, histogram([each.baseline / each.candidate for each in side.samples]))


def _last_words(result: ComparisonResult, policy: FailurePolicy | None) -> list[str]:
    """Sentences on what was found, and on what it took."""
    words = [] if len(result.sides) > 1 else [_sentence(result, result.sides[0])]
    if not result.settled:
        words.append(f"Time was up after {result.seconds:.0f} s; a larger --max-seconds makes intervals narrower.")
    words += [f"Note: {each}." for each in result.notes]
    if result.dropped:
        words.append(f"Note: {result.dropped} rounds were repeated, since the host had taken CPU time from them.")
    if policy:
        words.append(_judgement(policy, policy.slower(result)))
    return words


def _sentence(result: ComparisonResult, side: ComparedSide) -> str:
    pairs = f"{len(side.samples)} pairs, {'CPU time' if result.metric == 'cpu' else 'wall clock'}"
    interval = f"{_times(side)} ({_interval(side)}), {pairs}"
    least = f"{100 * result.min_effect:g}%"
    match side.verdict:
        case Verdict.TIE:
            return f"Tie: {side.name} and {result.baseline} differ by less than {least}. {interval}."
        case Verdict.UNCLEAR:
            return f"Unclear: {side.name} may be faster or slower than {result.baseline}. {interval}."
        case verdict:
            return f"{side.name} is {verdict.value} than {result.baseline}: {interval}."


def _judgement(policy: FailurePolicy, slower: list[ComparedSide]) -> str:
    by = f" by {100 * policy.least:g}% or more" if policy.least else ""
    if not slower:
        return f"Passed: nothing is certainly slower{by}."
    return f"Failed: certainly slower{by}: {', '.join(each.name for each in slower)}."


@contextmanager
def _stopped_by_terminate() -> Iterator[None]:
    """Ends at SIGTERM and SIGHUP as at Ctrl-C, so that nothing is left behind then either."""

    def stop(*_: object) -> None:
        for each in before:
            signal.signal(each, signal.SIG_IGN)  # while what is open is being closed
        raise KeyboardInterrupt

    before = {each: signal.signal(each, stop) for each in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
