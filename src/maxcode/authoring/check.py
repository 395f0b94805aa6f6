"""`maxcode check`: is the task itself sound?

The baseline must pass, known-wrong programs must fail, noise and workloads must allow timing.
"""

from __future__ import annotations

from math import exp
from pathlib import Path

from maxcode.authoring.finding import Finding
from maxcode.core import Candidate, Language, Mode, Outcome, Status
from maxcode.evaluate.pool import LocalPool
from maxcode.kinds.command.check import check_judges
from maxcode.kinds.torch.check import check_model
from maxcode.task.model import Kernel, Task

SHORTEST, LONGEST = 0.03, 3.0
"""Seconds a workload should take: long enough to time, short enough to repeat."""
MOSTLY_OVERHEAD = 5e-5
"""Seconds: a model's call that takes less is mostly Python, and launches on a GPU."""
LOUD = 0.05


async def check_task(task: Task, pool: LocalPool) -> list[Finding]:
    """Everything that can be found out about a task without a policy."""
    if task.command is not None:
        return [*await check_judges(task, pool), *await timing_findings(task, pool)]
    if task.torch is not None:
        about_model = await check_model(task, pool)
        sound = all(each.ok or not each.serious for each in about_model)
        return about_model + (await timing_findings(task, pool) if sound else [])
    findings = []
    (baseline,) = await pool(
        task, [task.baseline_candidate], mode=Mode.SEARCH, sanitize=task.language is not Language.PYTHON, measure=False
    )
    findings.append(_baseline_finding(baseline))
    if baseline.status is not Status.OK:
        return findings
    probes = wrong_programs(task)
    outcomes = await pool(task, list(probes.values()), measure=False)
    findings += [_probe_finding(name, outcome) for name, outcome in zip(probes, outcomes, strict=True)]
    findings += _inputs_findings(task)
    if task.objective.metric == "instructions":
        return findings
    return findings + await timing_findings(task, pool)


async def timing_findings(task: Task, pool: LocalPool) -> list[Finding]:
    """Whether this machine is quiet enough, and the timed work long enough."""
    noise = await pool.noise(task)
    spread = exp(noise.exclusive) - 1
    counted = ', or use objective.metric = "instructions".'
    duet = f", ±{exp(noise.duet) - 1:.1%} in a duet" if noise.duet is not None else ""
    findings = [
        Finding(
            name="noise floor",
            ok=noise.exclusive < LOUD,
            serious=False,
            detail=f"±{spread:.1%} between runs of one program{duet}",
            fix="This machine is loud: stop other programs" + (counted if task.kind == "program" else "."),
        )
    ]
    (timed,) = await pool(task, [task.baseline_candidate])
    findings.append(_length_finding(task, timed))
    return findings


def _baseline_finding(outcome: Outcome) -> Finding:
    if outcome.status is not Status.OK:
        return Finding(
            name="baseline passes",
            ok=False,
            detail=outcome.reason or "",
            fix="The baseline is the oracle: mend it, or the tests it fails.",
        )
    assert outcome.verification is not None
    tests = f"{outcome.verification.total} of {outcome.verification.total} tests"
    return Finding(name="baseline passes", ok=True, detail=tests + (", sanitizers clean" if outcome.sanitized else ""))


def _probe_finding(name: str, outcome: Outcome) -> Finding:
    if outcome.status is Status.OK:
        return Finding(
            name=f"{name} program fails",
            ok=False,
            detail="it passes every test",
            fix="The tests cannot tell it from the real program: add tests with other answers, or compare strictly.",
        )
    return Finding(
        name=f"{name} program fails",
        ok=True,
        detail=f"{outcome.status.value}: {(outcome.reason or '').splitlines()[0][:90]}",
    )


def _inputs_findings(task: Task) -> list[Finding]:
    fixed = [workload.name for workload in task.workloads if workload.fixed]
    if not task.workloads:
        return []
    return [
        Finding(
            name="timed on several inputs",
            ok=not fixed,
            serious=False,
            detail=f"always the same: {', '.join(fixed)}" if fixed else "no program can know them by heart",
            fix="Give the workload `variants`, a folder of inputs like it, or a generator instead of a file.",
        )
    ]


def _length_finding(task: Task, outcome: Outcome) -> Finding:
    seconds = outcome.measurement.seconds_baseline if outcome.measurement else None
    if seconds is None:
        return Finding(name="workload length", ok=False, detail=outcome.reason or "not timed", fix="See the reason.")
    what = {
        "program": "a larger input or larger generator arguments",
        "command": "a larger bench",
        "kernel": "a larger timed shape",
        "torch": "larger constants",
    }[task.kind]
    smaller = what.replace("larger", "smaller")
    calls = task.kind in ("kernel", "torch")
    detail = f"{seconds * 1000:.3g} ms of the baseline per {'call' if calls else 'run'}"
    if not calls and seconds < SHORTEST:
        return Finding(
            name="workload length",
            ok=False,
            serious=False,
            detail=detail,
            fix=f"Too short to time well: mostly process start. Use {what} (at least {SHORTEST * 1000:.0f} ms).",
        )
    if task.torch is not None and seconds < MOSTLY_OVERHEAD:
        fix = f"Mostly Python and launches: {what} show what a kernel can do."
        return Finding(name="workload length", ok=False, serious=False, detail=detail, fix=fix)
    if seconds > LONGEST:
        return Finding(
            name="workload length",
            ok=False,
            serious=False,
            detail=detail,
            fix=f"Long: every evaluation repeats it. Use {smaller} (at most {LONGEST:g} s).",
        )
    return Finding(name="workload length", ok=True, detail=detail)


def wrong_programs(task: Task) -> dict[str, Candidate]:
    """Programs that do not do the work and must not pass."""
    sources = _wrong_kernels(task.kernel) if task.kernel else _wrong_mains(task)
    return {name: task.candidate(text, origin=f"probe:{name}") for name, text in sources.items()}


def _wrong_mains(task: Task) -> dict[str, str]:
    answer = _first_answer(task)
    tokens = answer.split()
    shorter = " ".join(tokens[:-1]) + "\n" if tokens else ""
    if task.language is Language.PYTHON:
        return {
            "empty": "pass\n",
            "constant": f"print({answer!r})\n",
            "truncated": f"print({shorter!r})\n",
            "crashing": f"print({answer!r})\nraise SystemExit(1)\n",
        }
    include = "#include <stdio.h>\n#include <stdlib.h>\n"
    put = "{include}int main(void) {{ fputs({text}, stdout); {then} }}\n"
    return {
        "empty": "int main(void) { return 0; }\n",
        "constant": put.format(include=include, text=_literal(answer), then="return 0;"),
        "truncated": put.format(include=include, text=_literal(shorter), then="return 0;"),
        "crashing": put.format(include=include, text=_literal(answer), then="fflush(stdout); abort();"),
    }


def _first_answer(task: Task) -> str:
    """The expected output of the first test there is: what a program that knows one answer would print."""
    for folder in (task.tests.public, task.tests.hidden):
        if folder:
            files = sorted((task.folder / folder).glob("output.*.txt"))
            return Path(files[0]).read_bytes()[:50_000].decode(errors="surrogateescape")
    return "0\n"


def _literal(text: str) -> str:
    """A C string literal of exactly these bytes."""
    lines = text.encode(errors="surrogateescape").splitlines(keepends=True) or [b""]
    return " ".join('"' + "".join(map(_c_character, line)) + '"' for line in lines)


def _c_character(byte: int) -> str:
    plain = 32 <= byte < 127 and byte not in b'"\\?'
    return chr(byte) if plain else f"\\{byte:03o}"


def _wrong_kernels(kernel: Kernel) -> dict[str, str]:
    outputs = [a for a in kernel.arguments if a.role in ("out", "inout")]
    fill = "".join(f"    memset({a.name}, 0, sizeof({a.type}) * (size_t)({a.shape}));\n" for a in outputs)
    half = "".join(f"    memset({a.name}, 0, sizeof({a.type}) * (size_t)({a.shape}) / 2);\n" for a in outputs)
    head = "#include <stdlib.h>\n#include <string.h>\n"
    return {
        "empty": f"{kernel.signature} {{ }}\n",
        "constant": f"{head}{kernel.signature} {{\n{fill}}}\n",
        "truncated": f"{head}{kernel.signature} {{\n{half}}}\n",
        "crashing": f"{head}{kernel.signature} {{ abort(); }}\n",
    }
