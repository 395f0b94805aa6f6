"""KernelBench problems as task folders: brought to a size, tried out, written once and kept by content."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from maxcode.bench.sources.kernelbench import Found, KernelProblem
from maxcode.bench.sources.loading import Progress, Suite, Unread
from maxcode.bench.sources.problem import Made, Refused
from maxcode.bench.sources.trial import readable
from maxcode.core import Frozen, content_hash
from maxcode.evaluate.once import made_once
from maxcode.evaluate.pytorch.tryout import Tried, Tryouts
from maxcode.home import home
from maxcode.task.load import FILE_NAME, load_task
from maxcode.task.problem import constants, elements, extra_shapes, variants, with_constants
from maxcode.task.torch import Constants, Torch

VERSION = "1"
"""Changes whenever the same problem would become another task."""
CPU_ELEMENTS = 1 << 20
"""Of inputs, and about as many of outputs, where there is no GPU and no scale is given."""
CPU_SECONDS = 0.25
"""A call that takes longer makes every evaluation dear."""
SMALLER = (1, 1 / 4, 1 / 16, 1 / 64)
LEAST_MEMORY_MB = 8192


class Making(Frozen):
    """How tasks are made of problems."""

    scale: float | None = None
    """Of the number of elements of inputs; None: as it is on CUDA, about a million elements on a CPU."""
    rule: Literal["anything-faster", "custom-kernel-required"] = "anything-faster"
    precision: Literal["strict", "kernelbench"] = "strict"
    vary_shapes: bool = False


@dataclass(frozen=True)
class _Sized:
    """A problem at the size that is timed."""

    text: str
    changed: Constants
    tried: Tried
    fits: bool
    scalable: bool


def load_kernelbench(
    found: Sequence[Found], making: Making, tryouts: Tryouts, progress: Progress = lambda *_: None
) -> Suite:
    """One after the other, as the GPU is one. A problem's trouble never stops the others."""
    made: list[Made] = []
    for each in found:
        made.append(_made(each, making, tryouts))
        progress(len(made), len(found))
    return Suite(made=tuple(made), sha256=hashlib.sha256("\n".join(each.sha256 for each in made).encode()).hexdigest())


def _made(problem: Found, making: Making, tryouts: Tryouts) -> Made:
    if isinstance(problem, Unread):
        return Made(name="", where=problem.where, problem=problem.reason)
    digest = hashlib.sha256(problem.text.encode()).hexdigest()
    parts = (problem.name, making.model_dump_json(), tryouts.device, tryouts.torch, digest)
    kept = home() / "suites" / content_hash(VERSION, "kernelbench", *parts)
    made_once(kept, lambda folder: _fill(folder, problem, making, tryouts))
    made = Made.model_validate_json((kept / "made.json").read_bytes())
    folder = None if made.problem else str(kept / problem.name)
    return made.model_copy(update={"where": problem.where, "folder": folder, "sha256": digest})


def _fill(folder: Path, problem: KernelProblem, making: Making, tryouts: Tryouts) -> None:
    try:
        made = _task(folder / problem.name, problem, making, tryouts)
    except Refused as reason:
        made = Made(name=problem.name, where=problem.where, problem=str(reason))
    (folder / "made.json").write_text(made.model_dump_json())


def _task(folder: Path, problem: KernelProblem, making: Making, tryouts: Tryouts) -> Made:
    sized = _brought_to_size(problem.text, making, tryouts)
    _check(sized.tried)
    further = extra_shapes(sized.text) if making.vary_shapes else ()
    shapes = [each for each in further if tryouts.run(with_constants(sized.text, each)).problem is None]
    folder.mkdir()
    (folder / "model.py").write_text(sized.text)
    (folder / FILE_NAME).write_text(_settings(problem, making, sized, shapes))
    readable(folder)
    load_task(folder)
    return Made(
        name=problem.name,
        where=problem.where,
        remarks=tuple(_remarks(problem.text, making, sized)),
        tests=Torch().trials + len(shapes),
        workloads={"forward": sized.tried.seconds},
    )


def _brought_to_size(text: str, making: Making, tryouts: Tryouts) -> _Sized:
    """The first variant that runs, at the first scale at which a call is not too dear."""
    failed, slow = None, None
    for factor in _factors(text, making, tryouts):
        for changed in variants(text, factor) or ({},):
            sized = with_constants(text, changed)
            tried = tryouts.run(sized)
            failed = failed or tried.problem
            if tried.problem is None:
                fits = making.scale is not None or tryouts.device == "cuda" or _is_cheap(tried)
                slow = _Sized(sized, changed, tried, fits, bool(changed) or factor == 1)
                break
        if slow and slow.fits:
            return slow
    if slow:
        return slow
    hint = "; a smaller --scale may help" if "memory" in (failed or "") or "more than" in (failed or "") else ""
    raise Refused(f"does not run: {failed}{hint}")


def _factors(text: str, making: Making, tryouts: Tryouts) -> Iterator[float]:
    if making.scale is not None or tryouts.device == "cuda":
        yield making.scale or 1.0
        return
    first = min(1.0, CPU_ELEMENTS / max(elements(text), 1))
    yield from (first * each for each in SMALLER)


def _is_cheap(tried: Tried) -> bool:
    return tried.seconds <= CPU_SECONDS and tried.inputs + tried.outputs <= 4 * CPU_ELEMENTS


def _check(tried: Tried) -> None:
    if not tried.steady:
        raise Refused("gives something else each time for the same input, so that there is nothing to compare with")
    if tried.answers == "same":
        raise Refused("gives the same for all inputs, so that a program which computes nothing would be right")


def _remarks(original: str, making: Making, sized: _Sized) -> Iterator[str]:
    if sized.changed:
        yield _sizes_in_words(original, sized.changed)
    if not sized.scalable:
        yield "its sizes are no constants at module level that could be changed: it stays as it is"
    if not sized.fits:
        yield f"one call takes {sized.tried.seconds:.2g} s, and it cannot be made much smaller"
    if sized.tried.answers == "alike" and making.precision == "kernelbench":
        yield "within KernelBench's tolerance a constant would be right; --precision strict can tell"


def _sizes_in_words(original: str, changed: Constants) -> str:
    before = constants(original)
    return "sizes: " + ", ".join(f"{name} = {value} (was {before[name]})" for name, value in changed.items())


def _settings(problem: KernelProblem, making: Making, sized: _Sized, shapes: list[Constants]) -> str:
    level = f"level {problem.level}" if problem.level is not None else "a file"
    description = f"KernelBench, {level}: {problem.where.split(': ')[-1].removesuffix('.py')}."
    if sized.changed:
        description += f" Brought to other {_sizes_in_words(problem.text, sized.changed)}."
    lines = [
        f"name = {json.dumps(problem.name)}",
        'kind = "torch"',
        f"description = {json.dumps(description, ensure_ascii=False)}",
        'baseline = "model.py"',
        "",
        "[torch]",
        f'rule = "{making.rule}"',
        f'precision = "{making.precision}"',
        *([f"shapes = [{', '.join(map(inline_table, shapes))}]"] if shapes else []),
        "",
        "[limits]",
        f"memory_mb = {max(LEAST_MEMORY_MB, 4096 + 6 * sized.tried.megabytes)}",
        "",
    ]
    return "\n".join(lines)


def inline_table(values: dict[str, Any]) -> str:
    """A TOML table on one line; names that are not plain ASCII are quoted."""
    named = (f"{name if name.isascii() else json.dumps(name)} = {value!r}" for name, value in values.items())
    return f"{{ {', '.join(named)} }}"
