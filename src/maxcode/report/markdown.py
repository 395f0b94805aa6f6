"""A run as text for a pull request: the claim, the change, and what it rests on."""

from __future__ import annotations

import re
from collections import Counter

from maxcode.bench.tables import Table, markdown
from maxcode.core import Status
from maxcode.optimize.recorded import Recorded
from maxcode.optimize.summary import summary_in_words
from maxcode.report.data import finalist
from maxcode.report.reproduce import command_of, reproduce
from maxcode.search.rewards import looks_faster
from maxcode.system.visible import visible

MOST_DIFF = 60_000
"""Most characters of a diff that are shown: services limit the text of a pull request."""


def report_markdown(run: Recorded) -> str:
    best, outcome = finalist(run)
    rows = tuple((label, _code(value)) for label, value in reproduce(run, outcome))
    parts = [
        summary_in_words(run.task, run.result) if run.result else _not_finished(run),
        _diff(run.task.kind.diff(run.task, best) if run.result else ""),
        f"## Attempts\n\n{_attempts(run)}",
        f"## To reproduce\n\n{_fenced(command_of(run.settings), 'sh')}",
        markdown(Table(title="What the figures depend on", columns=("what", "value"), rows=rows)),
    ]
    return visible("\n".join(part for part in parts if part))


def _not_finished(run: Recorded) -> str:
    return (
        f"# {run.task.name}\n\nRun `{run.info.id}` is not finished, so nothing is claimed. "
        f"`maxcode resume {run.info.id}` goes on with it.\n"
    )


def _diff(text: str) -> str:
    if not text:
        return ""
    if len(text) > MOST_DIFF:
        return "## Change\n\nThe diff is too long to be shown here; `maxcode diff` prints it.\n"
    return f"## Change\n\n{_fenced(text, 'diff')}"


def _attempts(run: Recorded) -> str:
    """How many programs there were of each kind, and what stopped those that failed most often."""
    nodes = run.tree.nodes[1:]
    if not nodes:
        return "No program was evaluated.\n"
    faster = sum(map(looks_faster, nodes))
    correct = sum(node.correct for node in nodes)
    lines = [f"{len(nodes)} programs were evaluated: {correct} correct, {faster} of them faster than the baseline."]
    failed = Counter(
        (node.outcome.status.value.replace("_", " "), node.outcome.first_line[:160])
        for node in nodes
        if node.outcome.status is not Status.OK
    )
    lines += [f"- {count} × {status}: {_code(reason)}" for (status, reason), count in failed.most_common(5)]
    return "\n".join([lines[0], "", *lines[1:]]).rstrip() + "\n"


def _fenced(text: str, language: str) -> str:
    """The text in a code fence that is longer than any fence in it, so that no program can close it."""
    fence = "`" * max(3, 1 + _longest_ticks(text))
    return f"{fence}{language}\n{text.rstrip()}\n{fence}\n"


def _code(text: str) -> str:
    """The text as inline code on one line, whatever characters it has."""
    text = " ".join(text.split())
    ticks = "`" * (1 + _longest_ticks(text))
    space = " " if "`" in text else ""
    return f"{ticks}{space}{text}{space}{ticks}" if text else "no reason given"


def _longest_ticks(text: str) -> int:
    return max((len(ticks) for ticks in re.findall("`+", text)), default=0)
