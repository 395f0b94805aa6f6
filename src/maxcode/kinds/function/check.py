"""Checks of `maxcode check` for a function: wrong versions of it fail, and calls are long enough to time."""

from __future__ import annotations

import ast

from maxcode.authoring.check import Length, answer_findings, is_sound, timing_findings
from maxcode.authoring.finding import Finding
from maxcode.core import Candidate
from maxcode.evaluate.pool import LocalPool
from maxcode.kinds.function.excerpt import found_in
from maxcode.kinds.function.table import PackageFunction
from maxcode.task.model import Task

LENGTH = Length("larger arguments", unit="sample")


async def check(task: Task, pool: LocalPool) -> list[Finding]:
    findings = await answer_findings(task, pool, wrong_versions(task))
    return findings + await timing_findings(task, pool, LENGTH) if is_sound(findings) else findings


def wrong_versions(task: Task) -> dict[str, Candidate]:
    """Versions of the function that do not do its work and must not pass."""
    last = task.table(PackageFunction).function.rpartition(".")[2]
    bodies = {"empty": "return None", "raising": "raise ValueError", "first-argument": _first(task, last)}
    return {
        name: task.candidate(_with_body(task, last, body), origin=f"probe:{name}")
        for name, body in bodies.items()
        if body
    }


def _first(task: Task, name: str) -> str:
    node, _ = found_in(ast.parse(task.baseline_candidate.files[task.main_file]), name)
    arguments = [*node.args.posonlyargs, *node.args.args]
    return f"return {arguments[-1].arg}" if arguments else ""


def _with_body(task: Task, name: str, body: str) -> str:
    """The excerpt with another body below the docstring."""
    tree = ast.parse(task.baseline_candidate.files[task.main_file])
    node, _ = found_in(tree, name)
    documented = ast.get_docstring(node, clean=False) is not None
    (wrong,) = ast.parse(body).body
    node.body = [*node.body[: int(documented)], wrong]
    return ast.unparse(tree) + "\n"
