"""HPC kernels at several shapes, as tasks: `load_hpc("dgemm", m=256, n=256, k=256)`.

Each kernel is a folder of its own (kernels/NAME) and runs as it is. At another shape it becomes a folder below
MAXCODE_HOME, which differs in its name and in what is timed.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from maxcode.core import Frozen, InputError, content_hash
from maxcode.evaluate.once import made_once
from maxcode.kinds.kernel.table import Kernel
from maxcode.system.home import home
from maxcode.task.expression import Number, Sizes
from maxcode.task.load import load_task
from maxcode.task.model import Task
from maxcode.task.ordinary import FILE_NAME

VERSION = "1"
KERNELS = Path(__file__).parent / "kernels"


class Family(Frozen):
    """A kernel's shapes: those to train on, and those kept back to see what was learned."""

    name: str
    training: tuple[Sizes, ...] = ()
    """Shapes to train on; empty for a kernel that is held out as a whole."""
    held_out: tuple[Sizes, ...]


def _cubes(*sizes: int) -> tuple[Sizes, ...]:
    return tuple({"m": size, "n": size, "k": size} for size in sizes)


FAMILIES = (
    Family(
        name="dgemm",
        training=(*_cubes(64, 128, 256), {"m": 128, "n": 256, "k": 64}, {"m": 256, "n": 64, "k": 192}),
        held_out=(*_cubes(192, 512), {"m": 64, "n": 192, "k": 256}),
    ),
    Family(
        name="gemv",
        training=({"m": 512, "n": 512}, {"m": 1024, "n": 1024}),
        held_out=({"m": 2048, "n": 384},),
    ),
    Family(
        name="stencil2d",
        training=({"rows": 256, "cols": 256, "sweeps": 8}, {"rows": 512, "cols": 512, "sweeps": 8}),
        held_out=({"rows": 384, "cols": 640, "sweeps": 6},),
    ),
    Family(
        name="stencil3d",
        training=({"nx": 64, "ny": 64, "nz": 64, "sweeps": 6},),
        held_out=({"nx": 48, "ny": 96, "nz": 80, "sweeps": 4},),
    ),
    Family(
        name="spmv",
        training=({"rows": 20000, "cols": 20000, "entries": 16},),
        held_out=({"rows": 30000, "cols": 12000, "entries": 9},),
    ),
    Family(
        name="fft",
        training=({"n": 1024, "stages": 10, "batch": 16},),
        held_out=({"n": 4096, "stages": 12, "batch": 4},),
    ),
    Family(name="reduction", training=({"n": 262144},), held_out=({"n": 1000000},)),
    Family(
        name="transpose",
        training=({"rows": 512, "cols": 512}, {"rows": 1024, "cols": 1024}),
        held_out=({"rows": 1536, "cols": 640},),
    ),
    Family(name="trsm", held_out=({"n": 256, "m": 128}, {"n": 128, "m": 320})),
    Family(name="nbody", training=({"n": 1024},), held_out=({"n": 1500},)),
    Family(name="attention", held_out=({"n": 256, "d": 64}, {"n": 320, "d": 48})),
)


def family_of(name: str) -> Family:
    for family in FAMILIES:
        if family.name == name:
            return family
    raise InputError(f"hpc: no kernel '{name}'; there are: {', '.join(each.name for each in FAMILIES)}.")


def load_hpc(name: str, *, cpus: int = 1, **shape: Number) -> Task:
    """The kernel at a shape, or at the one in its folder; what is not given is as there."""
    family_of(name)
    source = load_task(KERNELS / name)
    usual = source.table(Kernel).shapes.timed[0]
    unknown = sorted(set(shape) - set(usual))
    if unknown:
        raise InputError(f"hpc {name}: no size '{', '.join(unknown)}'; its sizes are: {', '.join(usual)}.")
    sizes = {**usual, **shape}
    for key, value in sizes.items():
        if not isinstance(value, int) or value < 1:
            raise InputError(f"hpc {name}: {key} is a whole number above 0, not {value}.")
    if "stages" in sizes and sizes["n"] != 2 ** int(sizes["stages"]):
        raise InputError(f"hpc {name}: n must be 2^stages, but n is {sizes['n']} and stages {sizes['stages']}.")
    return load_task(_folder(source, sizes, cpus))


def hpc_tasks(*, training: bool = True, held_out: bool = True, cpus: int = 1) -> list[Task]:
    """All kernels at their shapes for training, their held-out shapes, or both."""
    return [
        load_hpc(family.name, cpus=cpus, **sizes)
        for family in FAMILIES
        for sizes in (*(family.training if training else ()), *(family.held_out if held_out else ()))
    ]


def task_name(name: str, sizes: Sizes, cpus: int) -> str:
    """Name of a task, such as dgemm-256 for a cube, gemv-512x384, dgemm-256-2cpus."""
    values = list(sizes.values())
    alike = len(values) > 1 and len(set(values)) == 1
    text = str(values[0]) if alike else "x".join(map(str, values))
    return f"{name}-{text}" + (f"-{cpus}cpus" if cpus > 1 else "")


def _folder(source: Task, sizes: Sizes, cpus: int) -> Path:
    name = task_name(source.name, sizes, cpus)
    key = content_hash(VERSION, source.hash, str(sorted(sizes.items())), str(cpus))
    kept = home() / "suites" / f"hpc-{key}"
    made_once(kept, lambda folder: _fill(folder / name, source, sizes, cpus))
    return kept / name


def _fill(folder: Path, source: Task, sizes: Sizes, cpus: int) -> None:
    shutil.copytree(source.folder, folder)
    settings = folder / FILE_NAME
    text = _replaced(settings.read_text(), "name", f'"{folder.name}"')
    shape = "{" + ", ".join(f"{key} = {value}" for key, value in sizes.items()) + "}"
    text = _replaced(text, "timed", f"[{shape}]")
    text = _replaced(text, "cpus", str(cpus))
    if cpus > 1:
        text = _replaced(text, "flags", '["-O3", "-march=native", "-fopenmp"]')
    settings.write_text(text)


def _replaced(text: str, key: str, value: str) -> str:
    return re.sub(rf"^{key} = .*$", lambda _: f"{key} = {value}", text, count=1, flags=re.MULTILINE)
