"""Facts about where a program's time goes, each with its source: advice for people and policies, never a verdict."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from maxcode.core import Candidate, EvaluatorError, Fact, FactKind
from maxcode.evaluate.build import Builder
from maxcode.evaluate.native.compiled import allocation_counter
from maxcode.evaluate.profile.cachegrind import (
    CachegrindCounts,
    cachegrind_command,
    read_cachegrind,
    valgrind_caps,
    valgrind_view,
)
from maxcode.evaluate.profile.valgrind import valgrind_environment
from maxcode.evaluate.sandbox.running import Ended
from maxcode.evaluate.sandbox.sandbox import Sandbox
from maxcode.evaluate.sandbox.view import BOX, Caps, View
from maxcode.evaluate.toolchain import runtime_view
from maxcode.task.model import Task

HOT_LINES = 10
HOT_FUNCTIONS = 5
REMARKS = 20
MOST_SECONDS = 10.0
"""Most seconds of a run that counts instructions: questions wait for it. Beyond that, the other facts have to do."""

Run = Callable[[list[str], View, Caps, dict[str, str]], Ended]


def facts_of_compiled(
    task: Task, candidate: Candidate, builder: Builder, sandbox: Sandbox, caps: Caps, run: Run
) -> tuple[Fact, ...]:
    facts = list(read_remarks(builder.build(task, candidate, "valgrind").remarks))
    built = builder.build(task, candidate)
    how = builder.invocation(task.language, built)
    counter = {f"{BOX}/allocations.so": allocation_counter()}
    view = replace(runtime_view(), read={**how.files, **counter})
    ended = run(how.command, view, caps, {"LD_PRELOAD": f"{BOX}/allocations.so"})
    facts += [*resources(ended), *_allocations(ended)]
    with suppress(EvaluatorError):  # no valgrind here: the other facts stand
        facts += _hot_lines(task, candidate, builder, sandbox, caps, run)
    return tuple(facts)


def _hot_lines(
    task: Task, candidate: Candidate, builder: Builder, sandbox: Sandbox, caps: Caps, run: Run
) -> list[Fact]:
    built = builder.build(task, candidate, "valgrind")
    if built.program is None:
        return []
    how = builder.invocation(task.language, built)
    with tempfile.TemporaryDirectory(prefix="maxcode-profile-") as folder:
        sandbox.give(Path(folder))
        view = valgrind_view(how.files, {f"{BOX}/out": Path(folder)})
        run(
            cachegrind_command(how.command, caches=True, output=f"{BOX}/out/counts", log=f"{BOX}/out/log"),
            view,
            replace(slow := valgrind_caps(caps), seconds=min(slow.seconds, MOST_SECONDS)),
            valgrind_environment(),
        )
        written = Path(folder) / "counts"
        text = written.read_text(errors="replace") if written.is_file() else ""
    return _count_facts(read_cachegrind(text)) if text else []


def _count_facts(counts: CachegrindCounts) -> list[Fact]:
    total = counts.instructions or 1
    own = sum(line.instructions for line in counts.lines)
    misses = sum(line.misses for line in counts.lines)
    facts = []
    for line in counts.lines[:HOT_LINES]:
        share = line.instructions / total
        missed = f", {line.misses / misses:.0%} of the last-level cache misses of your files" if misses else ""
        words = f"{share:.0%} of all instructions{missed}"
        facts.append(_fact("hot_line", words, share, "cachegrind", line.file, line.line))
    for name, instructions in counts.functions[:HOT_FUNCTIONS]:
        words = f"{instructions / total:.0%} of all instructions in {name[:120]}"
        facts.append(_fact("hot_function", words, instructions / total, "cachegrind"))
    facts.append(
        _fact("count", f"{total:,} instructions, {own / total:.0%} of them on your own lines", total, "cachegrind")
    )
    facts.append(_fact("count", f"{misses:,} last-level cache misses in your files", misses, "cachegrind"))
    return [fact for fact in facts if fact.kind == "count" or (fact.value or 0) > 0.01]


def _fact(
    kind: FactKind, text: str, value: float, source: str, file: str | None = None, line: int | None = None
) -> Fact:
    return Fact(kind=kind, text=text, value=value, source=source, file=file, line=line)


def read_remarks(text: str) -> list[Fact]:
    """Remarks of the compiler on the loops of the candidate's own files: vectorised or not, and why not."""
    facts: dict[tuple[str, int], Fact] = {}
    for file, number, kind, words in re.findall(rf"{BOX}/src/([^:\n]+):(\d+):\d+: (optimized|missed): *(.+)", text):
        place = (file, int(number))
        if kind == "optimized" and "vectorized" in words:
            facts[place] = Fact(kind="vectorized", text=words.strip(), source="compiler", file=file, line=place[1])
        elif kind == "missed" and "not vectorized:" in words:
            known = facts.get(place)
            if known is None or (known.kind == "not_vectorized" and "couldn't" in known.text):
                reason = words.split("not vectorized:", 1)[1].strip()
                facts[place] = Fact(kind="not_vectorized", text=reason, source="compiler", file=file, line=place[1])
        elif kind == "missed" and "couldn't vectorize loop" in words:
            facts.setdefault(
                place, Fact(kind="not_vectorized", text=words.strip(), source="compiler", file=file, line=place[1])
            )
    return sorted(facts.values(), key=lambda f: (f.file or "", f.line or 0))[:REMARKS]


def resources(ended: Ended) -> tuple[Fact, ...]:
    facts = [
        _fact("resource", f"peak memory of {ended.rss_mb:.1f} MB", ended.rss_mb, "rusage"),
        _fact("resource", f"{ended.minor_faults + ended.major_faults:,} page faults", ended.minor_faults, "rusage"),
    ]
    if ended.wall > 0:
        share = max(ended.wall - ended.cpu, 0.0) / ended.wall
        facts.append(_fact("resource", f"{share:.0%} of the time spent waiting, not computing", share, "rusage"))
    return tuple(facts)


def _allocations(ended: Ended) -> list[Fact]:
    found = re.findall(rb"maxcode-allocations (\d{1,15}) (\d{1,15})\n", ended.stderr)
    if not found:
        return []
    calls, size = (int(part) for part in found[-1])
    return [
        Fact(
            kind="count",
            source="allocation counter",
            value=calls,
            text=f"{calls:,} heap allocations, {size / 2**20:.1f} MB in all",
        )
    ]
