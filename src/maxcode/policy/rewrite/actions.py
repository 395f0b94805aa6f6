"""Actions of the rewriter: transformations at sites, one after another, with a written form that can be read back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import PurePath

from maxcode.core import Frozen, InputError, Language
from maxcode.policy.rewrite import TRANSFORMATIONS
from maxcode.policy.rewrite.analysis.macros import plain
from maxcode.policy.rewrite.source import SourceFile, apply
from maxcode.policy.rewrite.transformation import Rewrite, Setting, Transformation
from maxcode.task.model import Task

BY_NAME: Mapping[str, Transformation] = {each.name: each for each in TRANSFORMATIONS}
LONGEST = 3
ROUNDING = 1e-13
"""Tolerance above which sums may be formed in another order."""
_LANGUAGES = {".c": Language.C, ".h": Language.C, ".py": Language.PYTHON}


class RewriteStep(Frozen):
    """One transformation at one place, with its parameters; written `name(options)@file:line`."""

    name: str
    file: str
    line: int
    options: str = ""

    def __str__(self) -> str:
        options = f"({self.options})" if self.options else ""
        return f"{self.name}{options}@{self.file}:{self.line}"


Action = tuple[RewriteStep, ...]


def written_form(action: Action) -> str:
    return " + ".join(map(str, action))


def read_action(text: str) -> Action:
    """The action of a written form. InputError where it is not one."""
    found = []
    for part in re.split(r"(?<=\d) \+ (?=[\w-]+[(@])", text.strip()):
        match = re.fullmatch(r"([\w-]+)(?:\((.*)\))?@([^@:]+):(\d+)", part.strip())
        if not match or match[1] not in BY_NAME:
            raise InputError(f"'{part.strip()}' is not a step such as tile(size=64)@baseline.cpp:7.")
        found.append(RewriteStep(name=match[1], options=match[2] or "", file=match[3], line=int(match[4])))
    return tuple(found)


def setting_of(task: Task) -> Setting:
    entry = task.kind.entry(task)
    tolerance = entry.tolerance if entry else task.tests.tolerance if task.tests.compare == "numbers" else None
    return Setting(
        cpus=task.limits.cpus,
        relaxed_floats=tolerance is not None and tolerance.relative + tolerance.absolute >= ROUNDING,
        entry=entry.function if entry else None,
        flags=(*task.build.flags, *task.build.link),
        sizes=tuple(tuple(sizes.items()) for sizes in entry.sizes) if entry else (),
        torch=task.kind.rewriting(task),
    )


def offered(each: Transformation, setting: Setting) -> bool:
    """Whether a transformation is for programs of this kind."""
    return each.family in setting.families


def language_of(name: str, task: Task) -> Language:
    """Language of a file by its suffix; headers and unknown suffixes have the task's language."""
    if task.language is Language.CPP:
        return Language.CPP
    return _LANGUAGES.get(PurePath(name).suffix, task.language)


@lru_cache(maxsize=4096)
def rewrites(source: SourceFile, setting: Setting, name: str) -> tuple[Rewrite, ...]:
    """Rewrites of a source by one transformation; none if it is for other languages or kinds of tasks."""
    each = BY_NAME[name]
    fits = source.language in each.languages and offered(each, setting)
    return tuple(found for found in each.find(source, setting) if not _strands_a_pragma(source, found)) if fits else ()


def _strands_a_pragma(source: SourceFile, rewrite: Rewrite) -> bool:
    """True if something would come between a pragma and its loop, which compilers refuse."""
    return any(
        first <= edit.start <= last and not edit.text.lstrip().startswith(("for", "#pragma"))
        for edit in rewrite.edits
        for first, last in source.between_pragmas_and_loops
    )


def carried_out(action: Action, files: dict[str, str], task: Task, setting: Setting) -> dict[str, str] | None:
    """The files after an action; None where a step does not apply to what the steps before it made."""
    files = dict(files)
    for step in action:
        if step.file not in files:
            return None
        source = plain(SourceFile(files[step.file], language_of(step.file, task)))
        found = rewrites(source, setting, step.name)
        chosen = next((r for r in found if r.line == step.line and r.options == step.options), None)
        if chosen is None:
            return None
        files[step.file] = apply(source, chosen.edits).code
    return files
