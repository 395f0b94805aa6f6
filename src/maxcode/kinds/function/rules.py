"""Rules on a candidate's text. They give readable reasons; safety does not rest on them."""

from __future__ import annotations

import ast

from maxcode.core import Candidate
from maxcode.evaluate import rules
from maxcode.kinds.command import rules as package_rules
from maxcode.kinds.function.files import broken_rule as misfit
from maxcode.kinds.function.files import in_package, package_of
from maxcode.kinds.function.table import PackageFunction
from maxcode.task.model import Task

CACHES = frozenset(["cache", "lru_cache", "cached_property", "singledispatch"])


def broken_rule(task: Task, candidate: Candidate) -> str | None:
    """The first rule that a candidate breaks; None without one."""
    if set(candidate.files) != set(task.files):
        return f"a candidate has one file, {task.main_file}"
    text, before = candidate.files[task.main_file], task.baseline_candidate.files[task.main_file]
    if text == before:
        return None
    if len(text) > rules.LARGEST_TEXT or "\0" in text:
        return f"{task.main_file}: is too long, or contains a NUL byte"
    broken = misfit(task, candidate)
    if broken:
        return broken
    if not task.table(PackageFunction).cache and _caches(text) - _caches(before):
        return (
            f"{task.main_file}: uses {min(_caches(text) - _caches(before))}, which keeps results from one call to the "
            "next; a task allows it by function.cache = true"
        )
    return package_rules.broken_rule(package_of(task), in_package(task, candidate))


def _caches(text: str) -> set[str]:
    named = {getattr(each, "attr", getattr(each, "id", "")) for each in ast.walk(ast.parse(text))}
    imported = {
        one.name for each in ast.walk(ast.parse(text)) if isinstance(each, ast.ImportFrom) for one in each.names
    }
    return (named | imported) & CACHES
