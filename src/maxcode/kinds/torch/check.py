"""Checks of `maxcode check` for a torch task: a model that can be judged, and a comparison that tells wrong ones."""

from __future__ import annotations

import asyncio

from maxcode.authoring.check import Length, is_sound, timing_findings
from maxcode.authoring.finding import Finding
from maxcode.core import InputError, Outcome, Status
from maxcode.evaluate.pool import LocalPool
from maxcode.kinds.torch.device import device_of
from maxcode.kinds.torch.judge import problem_texts
from maxcode.kinds.torch.problem.tryout import TryoutResult, Tryouts
from maxcode.kinds.torch.table import Torch
from maxcode.kinds.torch.wrong_models import wrong_models
from maxcode.task.load import load_task
from maxcode.task.model import Task

MILD = frozenset(("last step left out", "half precision"))
"""Wrong models that may pass for a good reason: a step that changes nothing, or tolerances that the task chose."""

LONGEST_REASON = 90
LENGTH = Length(
    "larger constants",
    unit="call",
    shortest=5e-5,
    too_short="Mostly Python and launches: larger constants show what a kernel can do.",
)


async def check(task: Task, pool: LocalPool) -> list[Finding]:
    about_model = await check_model(task, pool)
    return about_model + (await timing_findings(task, pool, LENGTH) if is_sound(about_model) else [])


async def check_model(task: Task, pool: LocalPool) -> list[Finding]:
    """Findings about the model and the comparison. Without a sound model, only those about the model."""
    findings = await asyncio.to_thread(_model_findings, task)
    if any(each.serious and not each.ok for each in findings):
        return findings
    try:
        (baseline,) = await pool(task, [task.baseline_candidate], measure=False)
    except InputError as error:
        return [*findings, Finding(name="baseline passes", ok=False, detail=str(error), fix="Mend the problem.")]
    findings.append(_baseline_finding(baseline))
    if baseline.status is not Status.OK:
        return findings
    return findings + await _probe_findings(task, pool)


def _model_findings(task: Task) -> list[Finding]:
    device = device_of(task)
    texts = list(problem_texts(task))
    with Tryouts(device, seconds=task.limits.seconds, memory_mb=task.limits.memory_mb) as tryouts:
        tried = [(words, tryouts.run(text)) for text, words in texts]
    broken = [(words, each.problem) for words, each in tried if each.problem]
    if broken:
        words, problem = broken[0]
        fix = "Mend the problem, or the constants that give these sizes."
        return [Finding(name="model runs", ok=False, detail=f"{words}: {problem}", fix=fix)]
    usual = tried[0][1]
    others = f", and at {len(tried) - 1} other sizes" if len(tried) > 1 else ""
    return [
        Finding(name="model runs", ok=True, detail=f"{_size(usual)}{others}"),
        _shapes_finding(task),
        _steady_finding(tried),
        _answers_finding(tried),
        *_weights_findings(usual),
    ]


def _size(tried: TryoutResult) -> str:
    numbers = f"{tried.inputs:,} elements in, {tried.outputs:,} out, {tried.parameters:,} parameters"
    return f"{numbers}, {tried.megabytes} MB on {tried.device}"


def _shapes_finding(task: Task) -> Finding:
    count = len(task.table(Torch).shapes)
    return Finding(
        name="other sizes are verified",
        ok=count > 0,
        serious=False,
        detail=f"{count} besides the timed one",
        fix="A kernel made for one size passes: give the sizes by constants of the file, and `maxcode new` finds "
        "others; or write them as `shapes` in [torch].",
    )


def _steady_finding(tried: list[tuple[str, TryoutResult]]) -> Finding:
    unsteady = [words for words, each in tried if not each.steady]
    return Finding(
        name="model is deterministic",
        ok=not unsteady,
        detail=f"gives something else each time at {unsteady[0]}" if unsteady else "the same inputs give the same",
        fix="Take random numbers (dropout in training mode, noise) out of forward: nothing can be compared with them.",
    )


def _weights_findings(tried: TryoutResult) -> list[Finding]:
    if not tried.fixed:
        return []
    count = f"{tried.fixed} that every construction begins with"
    return [
        Finding(
            name="weights are varied",
            ok=tried.varied,
            serious=False,
            detail=f"{count} get other values" if tried.varied else f"{count}: no finite results with others",
            fix="A candidate may leave them out: draw them in the constructor, in the range in which they make sense.",
        )
    ]


def _answers_finding(tried: list[tuple[str, TryoutResult]]) -> Finding:
    usual = tried[0][1].answers
    words = {
        "same": "two draws of the inputs give the same",
        "alike": "two draws of the inputs give the same within 1e-4: a constant may pass for it",
        "differ": "two draws of the inputs give different results",
    }
    return Finding(
        name="results depend on the inputs",
        ok=usual == "differ",
        serious=usual == "same",
        detail=words[usual],
        fix="Let get_inputs vary more, or let forward return more than a sum or mean over everything.",
    )


def _baseline_finding(outcome: Outcome) -> Finding:
    if outcome.status is not Status.OK or outcome.verification is None:
        fix = "The original must pass for itself: mend what the reason names."
        return Finding(name="baseline passes", ok=False, detail=outcome.reason or "", fix=fix)
    return Finding(name="baseline passes", ok=True, detail=f"all {outcome.verification.total} trials")


async def _probe_findings(task: Task, pool: LocalPool) -> list[Finding]:
    """Findings about wrong models.

    Rules on how to compute are switched off: the comparison itself must tell them apart.
    """
    free = load_task(task.folder, {**task.changes, "torch": _without_rule(task)})
    probes = wrong_models(task.read(task.main_file))
    candidates = [free.candidate(text, origin=f"probe:{name}") for name, text in probes.items()]
    outcomes = await pool(free, candidates, measure=False)
    return [_probe_finding(task, name, outcome) for name, outcome in zip(probes, outcomes, strict=True)]


def _without_rule(task: Task) -> dict[str, object]:
    changed = task.changes.get("torch", {})
    return {**(changed if isinstance(changed, dict) else {}), "rule": "anything-faster"}


def title(probe: str) -> str:
    return f"wrong model fails ({probe})"


def _probe_finding(task: Task, name: str, outcome: Outcome) -> Finding:
    if outcome.status is not Status.OK:
        return Finding(name=title(name), ok=True, detail=f"{outcome.status.value}: {_first_line(outcome)}")
    fix = "The comparison cannot tell it from the model: let inputs vary more, return more, or use precision strict."
    if name == "last step left out":
        fix = "If that step changes results, let get_inputs give values on which it does."
    if name == "half precision" and task.table(Torch).precision == "kernelbench":
        fix = 'Half precision passes by KernelBench\'s tolerances; precision = "strict" tells it apart.'
    return Finding(name=title(name), ok=False, serious=name not in MILD, detail="it passes every trial", fix=fix)


def _first_line(outcome: Outcome) -> str:
    line = outcome.first_line or "no reason"
    return line if len(line) <= LONGEST_REASON else f"{line[: LONGEST_REASON - 3]}..."
