"""Masks: which techniques a problem permits, what they mean for the build, and whether a program keeps to one."""

from __future__ import annotations

from pydantic import Field, field_serializer

from maxcode.core import Frozen
from maxcode.task.model import Task
from maxcode.train.techniques import Technique, libraries_of, techniques_of

WITHOUT_VECTORS = ("-fno-tree-vectorize", "-fno-tree-slp-vectorize")
"""Flags of GCC and Clang without auto-vectorisation. Pragmas and attributes that turn it on again count as SIMD."""
THREADS = "-fopenmp"
_VECTORISING = ("-ftree-vectorize", "-ftree-loop-vectorize", "-ftree-slp-vectorize", "-fopenmp-simd")

IN_WORDS = {
    Technique.OPENMP: "threads (OpenMP, std::thread, pthreads)",
    Technique.SIMD: "SIMD (intrinsics, vector types, omp simd, target attributes, assembler)",
    Technique.CACHE_BLOCKING: "cache blocking (loop tiling)",
    Technique.PACKING: "packing (copying tiles to contiguous buffers)",
    Technique.REGISTER_BLOCKING: "register blocking (several accumulators, unroll-and-jam)",
    Technique.UNROLLING: "unrolling (by hand or by pragma)",
    Technique.PRAGMAS: "compiler hints (ivdep, optimize and target pragmas, assumptions)",
}


class Mask(Frozen):
    """The techniques that a program may use; loop order and plain scalar code are always permitted."""

    name: str = Field(pattern=r"^[\w.+-]+$")
    permitted: frozenset[Technique]

    @field_serializer("permitted")
    def _sorted(self, permitted: frozenset[Technique]) -> list[str]:
        return [each.value for each in Technique if each in permitted]

    @property
    def forbidden(self) -> tuple[Technique, ...]:
        return tuple(each for each in Technique if each not in self.permitted)


EVERYTHING = Mask(name="everything", permitted=frozenset(Technique))


def violations(source: str, mask: Mask, entry: str | None = None) -> tuple[str, ...]:
    """How a program breaks the mask, one line each; empty where it keeps to it. No mask permits a library.

    `entry` is the function that the task calls (`task.kernel.function`): others count only where it reaches them."""
    used = techniques_of(source, entry)
    techniques = [f"uses {IN_WORDS[each]}, which is not permitted here" for each in mask.forbidden if each in used]
    libraries = [f"uses {name}: no library may do the work" for name in libraries_of(source, entry)]
    return (*techniques, *libraries)


def task_under(task: Task, mask: Mask) -> Task:
    """The same task with the build that the mask implies: no SIMD means no auto-vectorisation, no threads means that
    OpenMP is not linked and one CPU is given; with threads, as many CPUs as the task gives."""
    flags = tuple(flag for flag in task.build.flags if flag not in (THREADS, *WITHOUT_VECTORS))
    if Technique.SIMD not in mask.permitted:
        flags = (*(flag for flag in flags if flag not in _VECTORISING), *WITHOUT_VECTORS)
    if Technique.OPENMP in mask.permitted:
        flags = (*flags, THREADS)
    cpus = task.limits.cpus if Technique.OPENMP in mask.permitted else 1
    build = task.build.model_copy(update={"flags": flags})
    limits = task.limits.model_copy(update={"cpus": cpus})
    changes = {**task.changes, "build": build.model_dump(mode="json"), "limits": limits.model_dump(mode="json")}
    fields = {name: getattr(task, name) for name in Task.model_fields}  # not what has been computed from them
    return Task.model_validate({**fields, "build": build, "limits": limits, "changes": changes})


def rules_in_words(mask: Mask) -> str:
    """Text of a prompt about the mask."""
    if not mask.forbidden:
        return "Any optimisation technique is permitted. Libraries that do the work (BLAS and the like) are not."
    permitted = "; ".join(IN_WORDS[each] for each in Technique if each in mask.permitted)
    lines = [
        f"Permitted besides reordering loops: {permitted or 'nothing'}.",
        f"Not permitted: {'; '.join(IN_WORDS[each] for each in mask.forbidden)}. A program that uses one is rejected.",
        "Libraries that do the work (BLAS and the like) are not permitted.",
    ]
    if Technique.SIMD not in mask.permitted:
        lines.append("The compiler does not vectorise here.")
    return "\n".join(lines)
