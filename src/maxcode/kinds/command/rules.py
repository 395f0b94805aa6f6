"""Rules on what a candidate of a repository may not have unless the original has it.

Tests, bench and candidate share a process in most repositories, so these rules look for the plain ways to end it early
or to change its clock. They give readable reasons; safety does not rest on them.
"""

from __future__ import annotations

import re
import struct
from pathlib import Path

from maxcode.core import Candidate, Language
from maxcode.evaluate import rules
from maxcode.kinds.command.table import language_by_suffix
from maxcode.task.model import Task

EARLY_ENDS = frozenset("_exit _Exit quick_exit exit".split())
CHRONO = "_ZNSt6chrono3_V2"
"""Prefix of the mangled names of the C++ library's clocks."""
LARGEST_PROGRAM = 256 << 20
_PYTHON_TRICKS = re.compile(
    r"\b(os\._exit|sys\.exit|SystemExit|sys\.modules|sys\.settrace|sys\.setprofile|atexit|_pytest|pytest|unittest"
    r"|time\.\w+\s*=[^=]|perf_counter\s*=[^=]|gc\.get_objects|inspect\.stack|sys\._getframe)"
)


def broken_rule(task: Task, candidate: Candidate) -> str | None:
    """First rule that the candidate's text breaks and the original's does not; None without one."""
    original = task.baseline_candidate.files
    for name, text in candidate.files.items():
        if name not in original:
            return f"{name} may not be changed or added; editable: {', '.join(task.files)}"
        if text == original[name]:
            continue
        if "\0" in text:
            return f"{name} contains a NUL byte"
        found = _tricks(name, text, task) - _tricks(name, original[name], task)
        if found:
            return f"{name}: {min(found)}"
    missing = sorted(set(original) - set(candidate.files))
    return f"{missing[0]} is missing; a candidate has all editable files" if missing else None


def _tricks(name: str, text: str, task: Task) -> set[str]:
    language = language_by_suffix(name)
    if language is Language.OTHER:
        return set()
    if language is Language.PYTHON:
        code = re.sub(r"#[^\n]*", "", text)
        used = {match[1].split("=")[0].strip() for match in _PYTHON_TRICKS.finditer(code)}
        found = {rules.check_python(text, task), *(f"uses {each}, which is not allowed" for each in used)}
    else:
        joined = rules.normalise(text)
        plain = rules.without_comments(joined)
        found = {rules.check_pragmas(plain, task.rules), rules.check_assembler(joined)}
        found.add(rules.check_calls(rules.strip_comments_and_strings(joined), task.rules))
        found |= {_forbidden_include(name, task) for name in re.findall(r'#\s*include\s*[<"]([^>"]*)[>"]', plain)}
    return {each for each in found if each is not None}


def _forbidden_include(name: str, task: Task) -> str | None:
    forbidden = [each for each in (*task.rules.includes, *task.rules.libraries) if each.lower() in name.lower()]
    return f"#include of '{name}' is not allowed by this task's rules ({forbidden[0]})" if forbidden else None


def broken_by_programs(task: Task, baseline: Path, candidate: Path) -> str | None:
    """Complaint about the first linked program that calls or replaces what the baseline's does not; None without
    one."""
    allowed = rules.PROCESS_CALLS if task.rules.processes else frozenset()
    called = (rules.FORBIDDEN_IMPORTS | EARLY_ENDS | set(task.rules.calls)) - allowed
    replaced = rules.OWN_CLOCKS | rules.HARNESS_CALLS | rules.FORBIDDEN_IMPORTS
    for name, (imports, defined) in _programs(candidate).items():
        before = _symbols(baseline / name) or (frozenset(), frozenset())
        calls = sorted((imports - before[0]) & called)
        if calls:
            return f"{name} calls {', '.join(calls)}, which the original does not; this is not allowed"
        new = defined - before[1]
        clocks = sorted((new & replaced) | {each for each in new if each.startswith(CHRONO)})
        if clocks:
            return f"{name} defines {', '.join(clocks)}: clocks and system functions may not be replaced"
    return None


Symbols = tuple[frozenset[str], frozenset[str]]
"""Names that a linked file imports and names that it defines."""


def _programs(folder: Path) -> dict[str, Symbols]:
    found = {}
    for path in sorted(folder.rglob("*")):
        symbols = _symbols(path)
        if symbols:
            found[str(path.relative_to(folder))] = symbols
    return found


def _symbols(path: Path) -> Symbols | None:
    """Symbols of a linked program or library; None for everything else."""
    if path.is_symlink() or not path.is_file() or path.stat().st_size > LARGEST_PROGRAM:
        return None
    with path.open("rb") as file:
        head = file.read(18)
        if head[:4] != b"\x7fELF" or len(head) < 18 or struct.unpack_from("<H", head, 16)[0] not in (2, 3):
            return None
        data = head + file.read()
    try:
        imported, defined, _ = rules.read_symbols(data)
    except (struct.error, ValueError, IndexError, OverflowError):
        return None
    return frozenset(imported), frozenset(defined)
