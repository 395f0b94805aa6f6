"""An observation as chat messages, within a budget of tokens. The texts are files that a user may replace.

What stays the same during a search comes first, so that endpoints that keep prompts find it again.
"""

from __future__ import annotations

from copy import copy
from pathlib import Path
from string import Template
from typing import Literal

from maxcode.core import Status, content_hash
from maxcode.kinds.known import OURS
from maxcode.search.observe.feedback import speed
from maxcode.search.observe.fitting import Section, fitted, tokens, versions
from maxcode.search.observe.observation import Attempt, Observation, SolvedCase
from maxcode.search.observe.showing import Shown, attempt_versions, root_versions, tried_versions
from maxcode.task.kind import Kind
from maxcode.task.model import Task

HERE = Path(__file__).parent / "prompts"
CHANGING = "# The search so far"
"""Line at which the part begins that differs between the prompts of a search."""
ORIGINAL = "The original program (#0)"
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
    """System and user message of `budget` tokens at most, as far as the instructions alone do not take more.

    The current program gets room first. One that has to be shown in part is to be answered by edits.
    """
    prompts = prompts.of(observation.task.kind)
    stable, sections = _stable(observation, prompts), _so_far(observation)
    system, ask = prompts.text("system"), _ask(observation, prompts)
    for asked in dict.fromkeys((form, "edits")):
        closing = f"{ask}\n\n{_form(observation, prompts, asked)}"
        texts = fitted([*stable, *sections, Section(0, (closing,))], budget - tokens(system))
        if all(f"\n{each}\n" in "\n".join(texts) for each in _current_text(observation)):
            break
    return _messages(system, texts)


def render_for_critic(observation: Observation, prompts: Prompts, *, budget: int = 16_000) -> list[Message]:
    """What a critic reads: the contract, the original, the program before it, the program, its feedback and profile.

    What it is asked depends on what became of the program.
    """
    prompts = prompts.of(observation.task.kind)
    shown = _with_original(observation)
    before = [_before(observation, shown)] if observation.before else []
    asked = prompts.text(f"critic_{_outcome(observation)}", **_values(observation))
    system = prompts.text("critic")
    sections = [*_stable(observation, prompts), *before, _current_section(observation, shown), Section(0, (asked,))]
    return _messages(system, fitted(sections, budget - tokens(system)))


def _messages(system: str, texts: list[str]) -> list[Message]:
    user = "\n\n".join(text for text in texts if text)
    return [{"role": "system", "content": system}, {"role": "user", "content": user}]


def _stable(observation: Observation, prompts: Prompts) -> list[Section]:
    """What is the same in all prompts of a search: the task and the original program."""
    task, original = observation.task, observation.task.baseline_candidate
    text = Shown(task).program(original.files, ORIGINAL, whole=True)
    left_out = f"## {ORIGINAL}\n(left out: there is no room for it)"
    return [
        Section(2, versions(_describe(task, prompts))),
        Section(3, (*(f"## {ORIGINAL}\n{each}" for each in versions(text)), left_out)),
        Section(0, (CHANGING,)),
    ]


def _with_original(observation: Observation) -> Shown:
    shown = Shown(observation.task)
    shown.add(observation.task.baseline_candidate.files, ORIGINAL)
    return shown


def _so_far(observation: Observation) -> list[Section]:
    """Examples, earlier attempts, the best, the current program, and what else was tried."""
    shown, current, best = _with_original(observation), observation.current, observation.best
    now = _current_section(observation, shown)
    special = [] if best is None or best.node in (0, current.node) else [best]
    leading = [Section(4, attempt_versions(shown, each, f"The best so far (#{each.node})")) for each in special]
    if observation.before and not current.files:
        leading.append(_before(observation, shown))
    told = {each.node for each in special} | {0}
    if observation.before and not current.files:
        told.add(observation.before.node)
    earlier = [each for each in observation.trajectory if each.node not in told]
    path = [  # the newest first: a text refers to another only if that gets room before it
        Section(6 + i, (*attempt_versions(shown, each, f"Earlier attempt (#{each.node})"), ""))
        for i, each in enumerate(reversed(earlier))
    ]
    examples = [Section(6 + len(path), (_example(each), "")) for each in observation.examples]
    tried = tuple(each for each in observation.tried if each.node not in told)
    return [*examples, *path[::-1], *leading, now, Section(5, tried_versions(tried, current.node))]


def _current_section(observation: Observation, shown: Shown) -> Section:
    current = observation.current
    if current.node == 0:
        return Section(1, root_versions(shown, current))
    title = f"The current program (#{current.node})"
    return Section(1, attempt_versions(shown, current, title, observation.before))


def _before(observation: Observation, shown: Shown) -> Section:
    """The program that the current one was made from."""
    before = observation.before
    assert before is not None
    if before.node == 0:
        return Section(4, root_versions(shown, before, "The program before it is the original (#0)"))
    return Section(4, attempt_versions(shown, before, f"The program before it (#{before.node})"))


def _example(example: SolvedCase) -> str:
    return (
        f"## Solved before: {example.title} ({example.speedup:.2f}x)\n"
        f"```\n{example.before.rstrip()}\n```\nbecame\n```\n{example.after.rstrip()}\n```"
    )


def _outcome(observation: Observation) -> str:
    """The name of what became of the current program: by it, what is asked for differs."""
    current = observation.current
    if not current.files:
        return "unusable"
    if current.outcome.status in (Status.REJECTED, Status.BUILD_ERROR):
        return "build_error"
    if current.outcome.status is not Status.OK:
        return "wrong"
    return "faster" if current.node == 0 or current.reward > 1 else "slower"


def _ask(observation: Observation, prompts: Prompts) -> str:
    """Text of the request, which depends on the outcome of the current program."""
    name = _outcome(observation)
    if name in ("faster", "slower"):
        name = observation.task.kind.faster
    return prompts.text(name, **_values(observation))


def _values(observation: Observation) -> dict[str, str]:
    """Values for the texts that ask for something."""
    target, current = _target(observation), observation.current
    what = (
        "it is now" if target.node == current.node else "the best so far" if observation.best else "the best of these"
    )
    seen = target.node not in (0, current.node) and target.correct
    words = f"{what}: {_speed(target)}" if target.node else "the original"
    example = f"#{target.node}, the best so far, shows what works" if seen else "the original shows what works"
    return {"target": words, "best": _speed(target), "cue": example, "u": _reached(observation)}


def _target(observation: Observation) -> Attempt:
    """The fastest program in view: what is to be beaten."""
    if observation.best is not None:
        return observation.best
    return max((*observation.trajectory, observation.current), key=lambda each: (each.reward, -each.depth))


def _reached(observation: Observation) -> str:
    """u in words: the best on the way to the current program, where it is in view and not the best of all."""
    path = (*observation.trajectory, observation.current)
    best = max(path, key=lambda each: (each.reward, -each.depth))
    if not observation.trajectory or best.node == _target(observation).node:
        return ""
    return f"The best on the way to the current program: {_speed(best)}."


def _speed(attempt: Attempt) -> str:
    m = attempt.outcome.measurement
    if attempt.node == 0 or m is None:
        return "the original"
    return f"#{attempt.node}, {speed(m)}"


def _form(observation: Observation, prompts: Prompts, form: str) -> str:
    task = observation.task
    return prompts.text(form, files=", ".join(task.editable or task.files))


def _current_text(observation: Observation) -> tuple[str, ...]:
    """The current program as it is shown if nothing of it is left out."""
    files = observation.current.files
    editable = observation.task.editable or tuple(files)
    return tuple(files[name].rstrip() for name in editable if name in files)


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
