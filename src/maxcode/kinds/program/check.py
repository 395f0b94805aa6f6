"""Checks of `maxcode check` for a program's task."""

from __future__ import annotations

from pathlib import Path

from maxcode.authoring.check import SHORTEST, START, Length, answer_findings, timing_findings
from maxcode.authoring.finding import Finding
from maxcode.core import Candidate, Language
from maxcode.evaluate.pool import LocalPool
from maxcode.task.model import Task

LARGER = "a larger input or larger generator arguments"
LENGTH = Length(
    LARGER,
    shortest=SHORTEST,
    too_short=START.format(LARGER),
    quieter=', or use objective.metric = "instructions".',
)


async def check(task: Task, pool: LocalPool) -> list[Finding]:
    findings = await answer_findings(task, pool, wrong_programs(task))
    if not findings[0].ok:
        return findings
    findings += _inputs_findings(task)
    counted = task.objective.metric == "instructions"
    return findings if counted else findings + await timing_findings(task, pool, LENGTH)


def _inputs_findings(task: Task) -> list[Finding]:
    fixed = [workload.name for workload in task.workloads if workload.fixed]
    return [
        Finding(
            name="timed on several inputs",
            ok=not fixed,
            serious=False,
            detail=f"always the same: {', '.join(fixed)}" if fixed else "no program can know them by heart",
            fix="Give the workload `variants`, a folder of inputs like it, or a generator instead of a file.",
        )
    ]


def wrong_programs(task: Task) -> dict[str, Candidate]:
    """Programs that do not do the work and must not pass."""
    return {name: task.candidate(text, origin=f"probe:{name}") for name, text in _wrong_mains(task).items()}


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
