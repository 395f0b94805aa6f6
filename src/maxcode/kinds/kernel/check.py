"""Checks of `maxcode check` for a kernel's task."""

from __future__ import annotations

from maxcode.authoring.check import Length, answer_findings, timing_findings
from maxcode.authoring.finding import Finding
from maxcode.core import Candidate
from maxcode.evaluate.pool import LocalPool
from maxcode.kinds.kernel.table import Kernel
from maxcode.task.model import Task

LENGTH = Length("a larger timed shape", unit="call")


async def check(task: Task, pool: LocalPool) -> list[Finding]:
    findings = await answer_findings(task, pool, wrong_kernels(task))
    if not findings[0].ok:
        return findings
    return [*findings, calls_finding(task), *await timing_findings(task, pool, LENGTH)]


def calls_finding(task: Task) -> Finding:
    inputs = [a for a in task.table(Kernel).arguments if a.role in ("in", "inout") and a.is_buffer]
    varies = any(a.fill.kind != "constant" for a in inputs)
    return Finding(
        name="calls differ",
        ok=varies,
        serious=False,
        detail="each has inputs of its own" if varies else "the output depends on the shape alone",
        fix="What never changes can be computed beforehand, by a compiler too. Give it an input that varies.",
    )


def wrong_kernels(task: Task) -> dict[str, Candidate]:
    """Functions that do not do the work and must not pass."""
    sources = _wrong_kernels(task.table(Kernel))
    return {name: task.candidate(text, origin=f"probe:{name}") for name, text in sources.items()}


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
