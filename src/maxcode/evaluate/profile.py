"""Facts about where a program's time goes, each with its source: advice for people and policies, never a verdict."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from maxcode.core import Candidate, EvaluatorError, Fact, Language
from maxcode.evaluate.build import Builder
from maxcode.evaluate.cases import Programs
from maxcode.evaluate.counting import cachegrind_command, read_cachegrind, valgrind_caps, valgrind_view
from maxcode.evaluate.kernel import Lane, References
from maxcode.evaluate.kernel_data import SharedMemory
from maxcode.evaluate.native import allocation_counter
from maxcode.evaluate.sandbox import BOX, Caps, Ended, Sandbox, View
from maxcode.evaluate.toolchain import runtime_view
from maxcode.task.model import Task

HOT_LINES = 10
REMARKS = 20

Run = Callable[[list[str], View, Caps, dict[str, str]], Ended]


def profile_program(task: Task, candidate: Candidate, programs: Programs, stdin: Path) -> tuple[Fact, ...]:
    """Everything this machine can tell about a program on one input."""

    def run(command: list[str], view: View, caps: Caps, environment: dict[str, str]) -> Ended:
        return programs.sandbox.run(command, view, caps, stdin=stdin, environment=environment)

    if task.language is Language.PYTHON:
        built = programs.builder.build(task, candidate)
        how = programs.builder.invocation(task.language, built)
        return _resources(
            run(how.command, programs.view(task.language, how.files), programs.caps(task), how.environment)
        )
    return _compiled(task, candidate, programs.builder, programs.sandbox, programs.caps(task), run)


def profile_kernel(
    task: Task, candidate: Candidate, builder: Builder, lane: Lane, references: References
) -> tuple[Fact, ...]:
    """The same for one call of a kernel at the first timed shape."""
    assert task.kernel is not None
    dataset = references.timed(1)[0]
    with SharedMemory(task.kernel, [dataset.sizes], references.rng()) as memory:

        def run(command: list[str], view: View, caps: Caps, environment: dict[str, str]) -> Ended:
            memory.load(0, dataset.inputs)
            with lane.sandbox.start(command, view, caps, environment=environment, shared=memory.descriptor) as running:
                running.ready()
                running.go()
                ended = running.serving()
                answer = ended or running.call(0, 1)
                return answer if isinstance(answer, Ended) else running.dismiss()

        limits = task.limits
        caps = Caps(
            limits.seconds,
            limits.memory_mb + memory.megabytes,
            limits.output_mb,
            limits.scratch_mb,
            lane.cpus[: limits.cpus],
        )
        return _compiled(task, candidate, builder, lane.sandbox, caps, run)


def _compiled(
    task: Task, candidate: Candidate, builder: Builder, sandbox: Sandbox, caps: Caps, run: Run
) -> tuple[Fact, ...]:
    facts = list(read_remarks(builder.build(task, candidate, "remarks").remarks))
    built = builder.build(task, candidate)
    how = builder.invocation(task.language, built)
    counter = {f"{BOX}/allocations.so": allocation_counter()}
    view = replace(runtime_view(), read={**how.files, **counter})
    ended = run(how.command, view, caps, {"LD_PRELOAD": f"{BOX}/allocations.so"})
    facts += [*_resources(ended), *_allocations(ended)]
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
        run(cachegrind_command(how.command, caches=True, output=f"{BOX}/out/counts"), view, valgrind_caps(caps), {})
        counts = Path(folder) / "counts"
        lines = read_cachegrind(counts.read_text(errors="replace")) if counts.is_file() else []
    total = sum(line.instructions for line in lines) or 1
    misses = sum(line.misses for line in lines)
    facts = [
        Fact(
            kind="hot_line",
            source="cachegrind",
            file=line.file,
            line=line.line,
            value=line.instructions / total,
            text=f"{line.instructions / total:.0%} of the instructions in your files"
            + (f", {line.misses / misses:.0%} of the last-level cache misses" if misses else ""),
        )
        for line in lines[:HOT_LINES]
        if line.instructions > 0.01 * total
    ]
    facts.append(Fact(kind="count", source="cachegrind", value=total, text=f"{total:,} instructions in your files"))
    facts.append(
        Fact(kind="count", source="cachegrind", value=misses, text=f"{misses:,} last-level cache misses in your files")
    )
    return facts


def read_remarks(text: str) -> list[Fact]:
    """What the compiler says about the loops of the candidate's own files: vectorised or not, and why not."""
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


def _resources(ended: Ended) -> tuple[Fact, ...]:
    waiting = max(ended.wall - ended.cpu, 0.0)
    figures = [
        ("peak memory of {:.1f} MB", ended.rss_mb),
        ("{:,.0f} page faults", float(ended.minor_faults + ended.major_faults)),
        ("{:.0%} of the time spent waiting, not computing", waiting / ended.wall if ended.wall else 0.0),
    ]
    return tuple(
        Fact(kind="resource", source="rusage", text=text.format(value), value=value) for text, value in figures
    )


def _allocations(ended: Ended) -> list[Fact]:
    found = re.findall(rb"maxcode-allocations (\d+) (\d+)", ended.stderr)
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
