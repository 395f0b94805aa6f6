"""What people get for a function: a patch of its module, and the text of a pull request."""

from __future__ import annotations

from maxcode.core import Candidate, Outcome
from maxcode.evaluate.measure.words import interval_in_words, times
from maxcode.kinds.command.repository import patch_of
from maxcode.kinds.command.table import in_words
from maxcode.kinds.function.benchmark import benchmark_of
from maxcode.kinds.function.calls import held_out_calls, recorded_calls
from maxcode.kinds.function.excerpt import Misfit
from maxcode.kinds.function.files import in_package, package_of
from maxcode.kinds.function.table import PackageFunction
from maxcode.task.model import Task

MOST_SHOWN = 8


def diff(task: Task, best: Candidate) -> str:
    try:
        return patch_of(package_of(task), in_package(task, best))
    except Misfit:  # only candidates that were refused
        return ""


def results(task: Task, best: Candidate, summary: str) -> dict[str, str]:
    """Files to write: the patch first, then the text of a pull request, the function by itself, and a benchmark."""
    found = {"best.patch": diff(task, best), "summary.md": summary, "best.py": best.files[task.main_file]}
    benchmark = benchmark_of(task)
    return found if benchmark is None else {**found, "test_benchmark.py": benchmark}


def against(task: Task, winner: Candidate) -> None:
    """Returns None: the winner is compared with the package as it is."""


def claim(task: Task, _: Candidate, confirmed: Outcome) -> str | None:
    """Text of a pull request: how much the call and its command gain, on which calls, and how that was checked."""
    m, settings = confirmed.measurement, task.table(PackageFunction)
    if m is None:
        return None
    tests = in_words(settings.test)
    calls, held_out = recorded_calls(task), held_out_calls(task)
    count = confirmed.verification.total if confirmed.verification else 0
    parts = [
        f"# Make {settings.module}:{settings.function} {times(m.speedup)} faster\n",
        f"A call of `{settings.function}` runs **{times(m.speedup)} as fast** (interval "
        f"{interval_in_words(m.ci_low, m.ci_high)}) after this change of `{settings.file}`. "
        f"{of_command(settings, m.speedup)}\n",
        "## Calls\n",
        f"Recorded from `{settings.command}`: {len(calls)} calls and {len(held_out)} held-out ones. Some of them:\n",
        "| call | seconds |",
        "|---|---|",
        *(f"| `{settings.function}({_cell(each.seen)})` | {each.seconds:.2g} |" for each in calls[:MOST_SHOWN]),
        "",
        "## How it was checked\n",
        f"Results, exceptions, changed arguments, warnings and what is printed are the same on these calls and on "
        f"others like them, and `{tests}` passes ({count} checks in all). Signature and docstring are unchanged.\n",
        "## How it was measured\n",
        f"{len(m.samples)} pairs of fresh processes with the old and the new version in turn, by CPU time seen from "
        f"outside, every call on arguments that the process had not seen; the interval holds whenever one stops "
        f"sampling (alpha {m.alpha:g}). Machine: {m.machine}.\n",
        "## How to apply\n",
        "```sh\ngit apply best.patch\n```\n",
    ]
    return "\n".join(parts)


def of_command(settings: PackageFunction, speedup: float) -> str:
    """What the whole command gains, by Amdahl's law."""
    if settings.share is None or not settings.command:
        return ""
    whole = 1 / (1 - settings.share + settings.share / speedup)
    return (
        f"The function takes {settings.share:.1%} of the time of `{settings.command}`, so the whole command would run "
        f"{times(whole)} as fast."
    )


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("`", "'").replace("\n", " ")
