"""Tasks by name, for `--tasks`.

`hpc:dgemm` is a kernel at its shapes for training, `hpc:dgemm:held-out` at those kept back, `hpc:dgemm:m=96,n=96,k=96`
at one of your own; `hpc:training` and `hpc:held-out` are all kernels; anything else is the folder of a kernel task.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from maxcode.core import InputError
from maxcode.task import Task, load_task
from maxcode.task.expression import Sizes

TRAINING, HELD_OUT = "training", "held-out"
Named = dict[str, Task]
"""Tasks by name; each name means one task."""


def named_tasks(specs: Iterable[str], *, cpus: int = 1) -> Named:
    """The kernel tasks of some names. InputError where one is not known, or has no kernel to write."""
    found: Named = {}
    for spec in specs:
        for name in _singles(spec):
            found[name] = named_task(name, cpus=cpus)
    if not found:
        raise InputError("--tasks: name at least one, such as hpc:dgemm.")
    return found


def named_task(name: str, *, cpus: int = 1) -> Task:
    """The task of a name that means exactly one."""
    if name.startswith("hpc:"):
        from maxcode.bench.suites.hpc.shapes import load_hpc

        _, kernel, sizes = name.split(":", 2)
        return load_hpc(kernel, cpus=cpus, **_sizes(name, sizes))
    task = load_task(Path(name))
    if task.kind.entry(task) is None:
        raise InputError(f"--tasks {name}: is of kind '{task.kind.name}'; rewards are for tasks of kind 'kernel'.")
    return task


def _singles(spec: str) -> list[str]:
    if not spec.startswith("hpc:"):
        return [spec]
    from maxcode.bench.suites.hpc.shapes import FAMILIES, family_of

    _, kernel, *rest = spec.split(":", 2)
    which = rest[0] if rest else TRAINING
    if kernel in (TRAINING, HELD_OUT):
        return [name for family in FAMILIES for name in _singles(f"hpc:{family.name}:{kernel}")]
    family = family_of(kernel)
    if which not in (TRAINING, HELD_OUT):
        return [spec]
    shapes = family.training if which == TRAINING else family.held_out
    if not shapes and rest == []:
        raise InputError(f"--tasks {spec}: this kernel is kept back for evaluation; say hpc:{kernel}:held-out.")
    return [f"hpc:{kernel}:{_written(sizes)}" for sizes in shapes]


def _written(sizes: Sizes) -> str:
    return ",".join(f"{name}={value}" for name, value in sizes.items())


def _sizes(spec: str, text: str) -> dict[str, int]:
    found = {}
    for part in filter(None, text.split(",")):
        name, equals, value = part.partition("=")
        if not equals or not value.isdigit():
            raise InputError(f"--tasks {spec}: '{part}' is not a size; write hpc:dgemm, or hpc:gemv:m=512,n=256.")
        found[name.strip()] = int(value)
    return found
