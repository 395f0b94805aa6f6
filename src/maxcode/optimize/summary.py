"""What came out of a run, in words and as files for people."""

from __future__ import annotations

from pathlib import Path

from maxcode.evaluate.measure.words import interval_in_words, speed_in_words, times
from maxcode.optimize.minimize import gain_in_words
from maxcode.optimize.run import Result
from maxcode.task.model import Task

SUMMARY = "summary.md"


def write_results(folder: Path, task: Task, result: Result) -> list[Path]:
    """The best program, the diff and a summary, for people, the most important file first; without a gain, only the
    summary, which says why."""
    texts = task.kind.results(task, result.best, summary_in_words(task, result))
    if not result.improved:
        texts = {name: text for name, text in texts.items() if name == SUMMARY}
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode(errors="surrogateescape"))
    return [folder / name for name in texts]


def changes_in_words(result: Result) -> list[str]:
    """What the best program changes, why, and at what risk; and what each part of its diff gains."""
    words = [f"- {change.words}" for change in result.changes]
    gains = [f"- {gain.hunk}: {gain_in_words(gain)}" for gain in result.hunks]
    return [
        *(["What it changes:", *words] if words else []),
        *(["What each part of the diff gains:", *gains] if gains else []),
    ]


def why_nothing(result: Result, policy: str = "") -> list[str]:
    """Why a search found nothing, and what to do next."""
    if result.verdicts is None:
        return []
    advice = [line.format(run=result.run) for line in result.verdicts.advice(policy)]
    return [*result.verdicts.words(), *(["What next:", *(f"- {line}" for line in advice)] if advice else [])]


def summary_in_words(task: Task, result: Result) -> str:
    m = result.confirmed.measurement if result.confirmed else None
    own = task.kind.claim(task, result.best, result.confirmed) if result.improved and result.confirmed else None
    if own is not None:
        return own
    if result.improved and m:
        claim = (
            f"**{times(m.speedup)} faster** than the baseline (interval {interval_in_words(m.ci_low, m.ci_high)}, "
            f"{len(m.samples)} exclusive pairs with fresh seeds on {m.machine})"
            f"{compiled_in_words(result)}{sanitizers_in_words(result)}." + (f" Note: {m.note}." if m.note else "")
        )
    elif m:
        claim = f"No improvement is claimed: measured afresh, the best is {speed_in_words(m)} as fast."
    else:
        claim = "No improvement was found."
    total = result.spent.total
    usd = f", {total.usd:.4f} USD" if total.usd is not None else ""
    spent = f"{result.spent.evals} programs, {total.tokens} tokens{usd}, {result.spent.seconds:.0f} s"
    more = changes_in_words(result) if result.improved else why_nothing(result)
    claim = "\n\n".join([claim, *(["\n".join(more)] if more else [])])
    return f"# {task.name}\n\n{claim}\n\nSpent: {spent}. Run: `{result.run}`.\n"


def compiled_in_words(result: Result) -> str:
    """Words on the speedup over torch.compile of the original; empty where that was not measured."""
    m = result.confirmed.measurement if result.confirmed else None
    return f", {times(m.speedup_compiled)} over torch.compile" if m and m.speedup_compiled else ""


def sanitizers_in_words(result: Result) -> str:
    return ", sanitizers clean" if result.confirmed and result.confirmed.sanitized else ""
