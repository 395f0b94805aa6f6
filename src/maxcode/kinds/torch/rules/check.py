"""What a torch candidate may not contain: a look at its text, before anything is built or run.

These give early, named reasons that a person or a policy can act on. They are not what safety rests on: that is the
harness, in whose reach no candidate is. Text that walks around them (names put together at run time, pasted by the
preprocessor) must be caught there, and tests/adversarial/torch has each trick in plain and in disguised form.

Decided here, for all torch tasks:

- a construct that the problem itself has is not held against a candidate;
- `if __name__ == "__main__"` is not looked at, since it never runs;
- `get_inputs` and `get_init_inputs` may be defined (answers often repeat them; the problem's are used), not called;
- `Model` may be repeated, not used: what ModelNew needs of it belongs into ModelNew;
- `try` with `except` is for imports and for handlers that raise again; around work it hides a kernel that fails;
- CUDA graphs are fine, other streams than the current one are not;
- storing in half precision is for the comparison of numbers to judge; switches for the whole process are rejected here.
"""

from __future__ import annotations

import ast
import re
from pathlib import PurePath

from maxcode.core import Candidate
from maxcode.kinds.torch.rules.kernel import missing_kernel
from maxcode.kinds.torch.rules.names import BrokenRule, Names
from maxcode.kinds.torch.rules.native import native_findings
from maxcode.kinds.torch.rules.python import python_findings
from maxcode.kinds.torch.rules.task import task_findings
from maxcode.kinds.torch.table import Torch
from maxcode.task.model import Task

_ENCODING = re.compile(r"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")


def broken_rule(task: Task, candidate: Candidate) -> str | None:
    """The first rule that the candidate's text breaks, in words that name the line and what to do instead, or None.

    Text that is not valid Python passes: it cannot run, and the build says where it is wrong.
    """
    stranger = set(candidate.files) - set(task.files)
    if stranger:
        return f"has files the task does not: {', '.join(sorted(stranger))}"
    name = task.main_file
    text, baseline = candidate.files[name], task.baseline_candidate.files[name]
    if text == baseline:
        return None
    try:
        found = _first_finding(task, text, baseline)
    except RecursionError:
        return "is nested too deeply to be read; break long expressions into several"
    if found is None:
        return None
    return f"line {found.line}: {found.reason}" if found.line else found.reason


def _first_finding(task: Task, text: str, baseline: str) -> BrokenRule | None:
    strange = _strange_text(text)
    if strange:
        return strange
    try:
        tree = _parse(text)
    except (SyntaxError, ValueError, MemoryError):
        return None
    if not _defines_model(tree):
        return BrokenRule(
            0, "ModelNew", "defines no class ModelNew; define it with the constructor and forward of Model"
        )
    given = {found.construct for found in _findings(task, _parse_baseline(baseline))}
    new = [found for found in _findings(task, tree) if found.construct not in given]
    if new:
        return min(new, key=lambda found: found.line)
    settings = task.table(Torch)
    return missing_kernel(tree, settings) if settings.rule == "custom-kernel-required" else None


def _findings(task: Task, tree: ast.Module) -> list[BrokenRule]:
    names = Names(tree)
    settings = task.table(Torch)
    reserved = frozenset(PurePath(name).stem for name in task.files)
    return [
        *python_findings(tree, names, reserved=reserved, tf32=settings.tf32),
        *native_findings(tree, task, tf32=settings.tf32),
        *task_findings(tree, names, task.rules),
    ]


def _strange_text(text: str) -> BrokenRule | None:
    """Finding for text that the interpreter could read in another way than we do."""
    if "\0" in text:
        return BrokenRule(0, "NUL", "contains a NUL byte")
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text)[:2], 1):
        encoding = _ENCODING.match(line)
        if encoding and encoding[1].lower().replace("_", "-") not in ("utf-8", "utf8", "ascii", "us-ascii"):
            return BrokenRule(number, "encoding", f"declares the encoding {encoding[1]}; write it in UTF-8")
    return None


def _parse(text: str) -> ast.Module:
    """Syntax tree of the module as it is run: without what is only for the command line."""
    tree = ast.parse(text)
    tree.body = [each for each in tree.body if not _is_for_the_command_line(each)]
    return tree


def _parse_baseline(text: str) -> ast.Module:
    try:
        return _parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module(body=[], type_ignores=[])


def _is_for_the_command_line(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and not node.orelse and ast.unparse(node.test) == "__name__ == '__main__'"


def _defines_model(tree: ast.Module) -> bool:
    return any(isinstance(node, ast.ClassDef) and node.name == "ModelNew" for node in ast.walk(tree))
