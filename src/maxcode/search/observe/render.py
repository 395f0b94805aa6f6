"""An observation as chat messages, within a budget of tokens. The texts are files that a user may replace."""

from __future__ import annotations

from copy import copy
from pathlib import Path
from string import Template
from typing import Literal

from maxcode.core import Status, content_hash
from maxcode.kinds.known import OURS
from maxcode.search.observe.feedback import feedback
from maxcode.search.observe.observation import Attempt, Observation
from maxcode.task.kind import Kind
from maxcode.task.model import Task

HERE = Path(__file__).parent / "prompts"
CHARACTERS_PER_TOKEN = 3.5
AnswerForm = Literal["whole", "edits"]
Message = dict[str, str]


class Prompts:
    """Prompt texts by file name. Files in the folder `overrides` replace those of the same name."""

    def __init__(self, overrides: Path | None = None) -> None:
        folders = [HERE, *(kind.prompts for kind in OURS.values()), *([overrides] if overrides is not None else [])]
        self._texts = {path.stem: path.read_text() for folder in folders for path in sorted(folder.glob("*.md"))}

    @property
    def version(self) -> str:
        """Hash of all texts, kept in the journal."""
        return content_hash(*(part for name in sorted(self._texts) for part in (name, self._texts[name])))

    def text(self, prompt: str, /, **values: str) -> str:
        return Template(self._texts[prompt]).safe_substitute(values).strip()

    def of(self, kind: Kind) -> Prompts:
        """Prompts with the texts of a kind added; a text of the same name that is there already stays."""
        found = copy(self)
        found._texts = {path.stem: path.read_text() for path in sorted(kind.prompts.glob("*.md"))} | self._texts
        return found


def render(
    observation: Observation, prompts: Prompts, *, form: AnswerForm = "whole", budget: int = 16_000
) -> list[Message]:
    """System and user message for `budget` tokens. The trajectory is cut to fit: its newest and best attempts stay."""
    task, current = observation.task, observation.current
    prompts = prompts.of(task.kind)
    fixed = [_describe(task, prompts)]
    if current.node != 0 or observation.best is None:
        fixed.append(_show("Current program", current))
    else:
        fixed.append(_show("Current program (the baseline)", current))
    if observation.best is not None and observation.best.node != current.node:
        fixed.append(_show("Best so far", observation.best))
    closing = [_ask(observation, prompts), prompts.text(form, files=", ".join(task.editable or task.files))]
    room = (budget - tokens("\n\n".join([prompts.text("system"), *fixed, *closing]))) // 2
    fixed += _examples(observation, room)
    left = budget - tokens("\n\n".join([prompts.text("system"), *fixed, *closing])) - len(observation.trajectory)
    shown = _fit([attempt for attempt in observation.trajectory if attempt.node != 0], left)
    history = [_show(f"Earlier attempt {attempt.depth}", attempt) for attempt in shown]
    user = "\n\n".join([fixed[0], *history, *fixed[1:], *closing])
    return [{"role": "system", "content": prompts.text("system")}, {"role": "user", "content": user}]


def tokens(text: str) -> int:
    """Estimate of the tokens in a text. Exact counts differ between models, and a budget needs no more."""
    return int(len(text) / CHARACTERS_PER_TOKEN) + 1


def _fit(attempts: list[Attempt], budget: int) -> list[Attempt]:
    """Attempts that fit into `budget` tokens, in their order; the best one is taken first, then the newest."""
    if not attempts:
        return []
    best = max(attempts, key=lambda attempt: (attempt.reward, attempt.depth))
    ranked = list({id(a): a for a in (best, *reversed(attempts))}.values())
    kept = []
    for attempt in ranked:
        cost = tokens(_show(f"Earlier attempt {attempt.depth}", attempt) + "\n\n")
        if cost <= budget:
            kept.append(attempt)
            budget -= cost
    return sorted(kept, key=lambda attempt: attempt.depth)


def _examples(observation: Observation, budget: int) -> list[str]:
    """The nearest solved cases that fit."""
    shown = []
    for example in observation.examples:
        text = (
            f"## Solved before: {example.title} ({example.speedup:.2f}x)\n"
            f"```\n{example.before.rstrip()}\n```\nbecame\n```\n{example.after.rstrip()}\n```"
        )
        if tokens(text) + 1 <= budget:
            shown.append(text)
            budget -= tokens(text) + 1
    return shown


def _show(title: str, attempt: Attempt) -> str:
    files = "\n".join(f"{name}:\n```\n{text.rstrip()}\n```" for name, text in attempt.files.items())
    parts = [f"## {title}", files, feedback(attempt.outcome)]
    if attempt.critique:
        parts.append(f"Review: {attempt.critique.text}")
    return "\n".join(parts)


def _ask(observation: Observation, prompts: Prompts) -> str:
    """Text of the request, which depends on the outcome of the current program."""
    status = observation.current.outcome.status
    if status in (Status.REJECTED, Status.BUILD_ERROR):
        return prompts.text("build_error")
    if status is not Status.OK:
        return prompts.text("wrong")
    best = observation.best or observation.current
    return prompts.text(observation.task.kind.faster, best=f"{max(best.u, 1.0):.3g}x the baseline's speed")


def _describe(task: Task, prompts: Prompts) -> str:
    limits = task.limits
    values = {
        "name": task.name,
        "description": task.description,
        "language": f"{task.language.value} ({task.standard})" if task.language != "python" else "Python",
        "build": " ".join(task.build.flags),
        "limits": f"{limits.seconds:g} s, {limits.memory_mb} MB, {limits.cpus} CPU{'s' * (limits.cpus > 1)}",
        "metric": {"time": "its running time", "gflops": "its GFLOPS", "instructions": "its instruction count"}[
            task.objective.metric
        ],
        "rules": _rules(task),
    }
    return prompts.text(task.kind.name, **values, **task.kind.words(task))


def _rules(task: Task) -> str:
    rules = task.rules
    named = {"calls": rules.calls, "includes": rules.includes, "libraries": rules.libraries, "pragmas": rules.pragmas}
    words = [f"{kind}: {', '.join(names)}" for kind, names in named.items() if names]
    return f"Not allowed: {'; '.join(words)}." if words else ""
