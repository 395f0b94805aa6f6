"""KernelBench problems as task folders: brought to a size, tried out, written once and kept by content."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from maxcode.bench.suites.kernelbench.problems import Found, KernelProblem, read_kernelbench
from maxcode.bench.suites.kernelbench.suite import KernelbenchOptions
from maxcode.bench.suites.making.problem import LoadedSuite, MadeTask, Unread
from maxcode.bench.suites.making.trial import readable
from maxcode.bench.suites.suite import LoadReporter, Progress
from maxcode.core import Frozen, content_hash
from maxcode.evaluate.once import made_once
from maxcode.kinds.torch.problem.problem import as_toml
from maxcode.kinds.torch.problem.sizing import DoesNotRun, Sized, brought_to_size, further_shapes
from maxcode.kinds.torch.problem.tryout import Tryouts
from maxcode.kinds.torch.table import Constants, Torch
from maxcode.system.home import home
from maxcode.task.load import load_task
from maxcode.task.ordinary import FILE_NAME

VERSION = "2"
"""Changes whenever the same problem would become another task."""
LEAST_MEMORY_MB = 8192


class Making(Frozen):
    """Settings by which tasks are made of problems."""

    scale: float | None = None
    """Factor for the number of elements of inputs. None: unchanged on CUDA, about a million elements on a CPU."""
    rule: Literal["anything-faster", "custom-kernel-required"] = "anything-faster"
    precision: Literal["strict", "kernelbench"] = "strict"
    vary_shapes: bool = False


def load_kernelbench(options: KernelbenchOptions, reporter: LoadReporter) -> LoadedSuite:
    """Tasks of the chosen problems, tried out on the GPU, or where there is none on the CPU."""
    found = read_kernelbench(options.path, options.level, options.problems)
    making = Making(
        scale=options.scale, rule=options.rule, precision=options.precision, vary_shapes=options.vary_shapes
    )
    with Tryouts() as tryouts:
        if options.scale is None and tryouts.device == "cpu":
            reporter.say("No GPU: inputs are brought to about a million elements; --scale 1 leaves them as they are.")
        return make_kernelbench(found, making, tryouts, reporter.progress)


def make_kernelbench(
    found: Sequence[Found], making: Making, tryouts: Tryouts, progress: Progress = lambda *_: None
) -> LoadedSuite:
    """Makes tasks one after the other, since they share one GPU. A problem that fails does not stop the others."""
    made: list[MadeTask] = []
    for each in found:
        made.append(_made(each, making, tryouts))
        progress(len(made), len(found))
    return LoadedSuite(made=tuple(made))


def _made(problem: Found, making: Making, tryouts: Tryouts) -> MadeTask:
    if isinstance(problem, Unread):
        return MadeTask(name="", where=problem.where, problem=problem.reason)
    digest = hashlib.sha256(problem.text.encode()).hexdigest()
    parts = (problem.name, making.model_dump_json(), tryouts.device, tryouts.torch, digest)
    kept = home() / "suites" / content_hash(VERSION, "kernelbench", *parts)
    try:
        made_once(kept, lambda folder: _fill(folder, problem, making, tryouts))
    except DoesNotRun as reason:  # not kept: next time there may be more memory, or time
        return MadeTask(name=problem.name, where=problem.where, problem=str(reason), sha256=digest)
    made = MadeTask.model_validate_json((kept / "made.json").read_bytes())
    return made.model_copy(update={"where": problem.where, "folder": str(kept / problem.name), "sha256": digest})


def _fill(folder: Path, problem: KernelProblem, making: Making, tryouts: Tryouts) -> None:
    made = _task(folder / problem.name, problem, making, tryouts)
    (folder / "made.json").write_text(made.model_dump_json())


def _task(folder: Path, problem: KernelProblem, making: Making, tryouts: Tryouts) -> MadeTask:
    sized = brought_to_size(problem.text, tryouts, making.scale)
    shapes = further_shapes(sized.text, tryouts) if making.vary_shapes else []
    folder.mkdir()
    (folder / "model.py").write_text(sized.text)
    (folder / FILE_NAME).write_text(_settings(problem, making, sized, shapes))
    readable(folder)
    load_task(folder)
    return MadeTask(
        name=problem.name,
        where=problem.where,
        remarks=tuple(_remarks(problem.text, making, sized)),
        tests=Torch().trials + len(shapes),
        workloads={"forward": sized.tried.seconds},
    )


def _remarks(original: str, making: Making, sized: Sized) -> Iterator[str]:
    yield from sized.remarks(original, making.scale)
    if sized.tried.answers == "alike" and making.precision == "kernelbench":
        yield "within KernelBench's tolerance a constant would be right; --precision strict can tell"


def _settings(problem: KernelProblem, making: Making, sized: Sized, shapes: list[Constants]) -> str:
    level = f"level {problem.level}" if problem.level is not None else "a file"
    description = f"KernelBench, {level}: {problem.where.split(': ')[-1].removesuffix('.py')}."
    if sized.changed:
        description += f" Brought to other sizes: {sized.in_words(problem.text)}."
    lines = [
        f"name = {json.dumps(problem.name)}",
        'kind = "torch"',
        f"description = {json.dumps(description, ensure_ascii=False)}",
        'baseline = "model.py"',
        "",
        "[torch]",
        f'rule = "{making.rule}"',
        f'precision = "{making.precision}"',
        *([f"shapes = [{', '.join(map(as_toml, shapes))}]"] if shapes else []),
        "",
        "[limits]",
        f"memory_mb = {max(LEAST_MEMORY_MB, 4096 + 6 * sized.tried.megabytes)}",
        "",
    ]
    return "\n".join(lines)
