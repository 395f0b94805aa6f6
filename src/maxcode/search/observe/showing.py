"""Programs and attempts as sections of a prompt, each program once."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field

from maxcode.core import Outcome, Status
from maxcode.evaluate.measure.words import speed_in_words
from maxcode.search.observe.contrast import contrast
from maxcode.search.observe.feedback import FAILED, facts_in_words, feedback
from maxcode.search.observe.fitting import SHARES, shortened
from maxcode.search.observe.observation import Attempt, Tried
from maxcode.task.model import Task
from maxcode.task.units import duration

SMALL = 2000
"""Characters of a file that is shown although it may not be edited."""
SHORT = 0.5
"""Share of a file's length up to which a change is shown in its place."""
LINES_OF_REASON = 3
"""Lines of a reason that are shown of an earlier attempt: a compiler's first error explains those that follow."""
LONGEST_REASON = 160
"""Characters of a reason in a line about an attempt."""


@dataclass
class Shown:
    """Texts of files that a prompt shows already, so that none is shown twice."""

    task: Task
    texts: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    """By the name of a file: titles of sections with its text there."""

    def add(self, files: dict[str, str], title: str) -> None:
        """Says that the files stand in full under a title."""
        for name, text in files.items():
            if text not in [known for _, known in self.texts.setdefault(name, [])]:
                self.texts[name].append((title, text))

    def program(self, files: dict[str, str], title: str, *, whole: bool = False) -> str:
        """Text of a program: files that are not shown yet, in full or, unless `whole`, as a change where that is short.

        Files that may not be edited are shown if they are small; of others there are the names.
        """
        editable = set(self.task.editable or files)
        told = [self._file(name, text, name in editable, whole) for name, text in files.items()]
        self.add(files, title)
        return "\n".join(told)

    def _file(self, name: str, text: str, may_change: bool, whole: bool) -> str:
        known = self.texts.get(name, [])
        same = next((title for title, other in known if other == text), None)
        if same is not None:
            return f'{name}: the same as under "{same}".'
        if not may_change and len(text) > SMALL:
            return f"{name}: not shown ({len(text)} characters), and not to be changed."
        changes = [] if whole else [(change(other, text), title) for title, other in known]
        diff, title = min(changes, key=lambda each: len(each[0]), default=("", ""))
        if title and len(diff) < SHORT * len(text):
            return f'{name}, as a change of what is under "{title}":\n```diff\n{diff}\n```'
        return f"{name}{'' if may_change else ' (not to be changed)'}:\n```\n{text.rstrip()}\n```"


def change(before: str, after: str) -> str:
    """The change from one text to another, as a diff with a line around it."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=1, lineterm="")
    return "\n".join(line for line in lines if not line.startswith(("---", "+++")))


def quoted(task: Task, attempt: Attempt) -> dict[str, str]:
    """The attempt's files that may be edited: what facts are told about."""
    names = set(task.editable or attempt.files)
    return {name: text for name, text in attempt.files.items() if name in names}


def root_versions(
    shown: Shown, root: Attempt, title: str = "The current program is the original (#0)"
) -> tuple[str, ...]:
    """The original, whose program stands elsewhere: how long it takes, its profile, and its review."""
    m, head = root.outcome.measurement, f"## {title}"
    timed = m is not None and m.seconds_baseline and m.clock in ("cpu", "wall")
    takes = f"A timed run takes about {duration(m.seconds_baseline)}." if m and m.seconds_baseline and timed else ""
    floor = shown.task.kind.floor(shown.task, root.outcome)
    facts = facts_in_words(root.outcome.facts, quoted(shown.task, root))
    review = [f"Review: {root.critique.text}"] if root.critique else []
    return tuple("\n".join(filter(None, [head, takes, floor, *more])) for more in ([*facts, *review], review, []))


def attempt_versions(shown: Shown, attempt: Attempt, title: str, before: Attempt | None = None) -> tuple[str, ...]:
    """An attempt in full, then with less: without its change as a diff, its facts, and at last part of its program.

    `before` is given for the current program; of others, a review sums the facts up.
    """
    head, files = f"## {title}", quoted(shown.task, attempt)
    outcome = attempt.outcome if before else _in_few_lines(attempt.outcome)
    said = [f"Its maker said: {attempt.rationale}"] if attempt.rationale else []
    text = shown.program(attempt.files, title, whole=before is not None) if attempt.files else failed_answer(attempt)
    review = [f"Review: {attempt.critique.text}"] if attempt.critique else []
    bare = feedback(outcome.model_copy(update={"facts": ()}))
    full = feedback(outcome, files) if before or not review else bare
    beside = [contrast(before, attempt, with_change=each) for each in (True, False)] if before else ["", ""]
    tails = [[full, beside[0], *review], [full, beside[1], *review], [bare, beside[1], *review], [bare]]
    whole = ["\n".join(filter(None, [head, *said, text, *tail])) for tail in tails]
    cut = ["\n".join([head, shortened(text, share), bare]) for share in SHARES]
    return (*whole, *cut, f"{head}\n(left out: there is no room for it)\n{bare.splitlines()[0]}")


def _in_few_lines(outcome: Outcome) -> Outcome:
    lines = (outcome.reason or "").splitlines()
    return outcome.model_copy(update={"reason": "\n".join(lines[:LINES_OF_REASON]) or None})


def failed_answer(attempt: Attempt) -> str:
    """An answer that had no usable program in it."""
    if not attempt.answer.strip():
        return "(the answer was empty)"
    return f"The answer was:\n~~~~\n{attempt.answer.rstrip()}\n~~~~"


def tried_versions(tried: tuple[Tried, ...], current: int) -> tuple[str, ...]:
    """One line for each program, then for fewer of them; nothing where there are none."""
    if not tried:
        return ("",)
    head = (
        "## What else was tried\nSpeeds are estimates, with intervals, in units of the original's. Do not repeat what "
        "failed: a program that was there before gains nothing."
    )
    lines = [_line(each, current) for each in tried]
    counts = sorted({len(lines), *(int(len(lines) * share) for share in SHARES)} - {0}, reverse=True)
    return (*("\n".join([head, *lines[:count], *_more(len(lines) - count)]) for count in counts), "")


def _more(count: int) -> list[str]:
    return [f"- and {count} more"] if count else []


def _line(tried: Tried, current: int) -> str:
    made_from = "the current program" if tried.parent == current else f"#{tried.parent}"
    said = f" {tried.rationale}:" if tried.rationale else ""
    again = f" (the same program again: {', '.join(f'#{each}' for each in tried.again)})" if tried.again else ""
    return f"- #{tried.node}, from {made_from}:{said} {_became(tried)}{again}"


def _became(tried: Tried) -> str:
    outcome = tried.outcome
    if outcome.status is Status.OK:
        m = outcome.measurement
        return speed_in_words(m) if m else "correct"
    reason = " ".join((outcome.reason or "").split())[:LONGEST_REASON]
    return f"{FAILED[outcome.status].removeprefix('It ')}{': ' if reason else ''}{reason}"
