"""What a transformation is: a name, where it applies, and what it makes of the text there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pkgutil import iter_modules
from typing import Literal

from maxcode.core import Language
from maxcode.kinds.torch.rewriting import TorchSetting
from maxcode.policy.rewrite.source import Edit, SourceFile

Family = Literal["loops", "compiler", "threads", "memory", "library", "algorithms", "python", "torch"]
FOR_PROGRAMS = ("loops", "compiler", "threads", "memory", "library", "algorithms", "python")
C_AND_CPP = (Language.C, Language.CPP)
CPP = (Language.CPP,)
PYTHON = (Language.PYTHON,)


@dataclass(frozen=True)
class Setting:
    """What a task says that a transformation may need to know."""

    cpus: int = 1
    relaxed_floats: bool = False
    """Whether the order of floating-point operations may change: the task compares within a tolerance."""
    entry: str | None = None
    """The function that a kernel task calls; its signature stays."""
    flags: tuple[str, ...] = ()
    """Compiler and linker flags, which decide whether OpenMP pragmas do anything."""
    sizes: tuple[tuple[tuple[str, float], ...], ...] = ()
    """The kernel's scalar arguments at each of the timed shapes, as (name, value)."""
    torch: TorchSetting | None = None
    """Setting of torch tasks; None for other programs."""

    @property
    def families(self) -> tuple[str, ...]:
        """Families of transformations that apply to such programs."""
        return FOR_PROGRAMS if self.torch is None else self.torch.families


@dataclass(frozen=True)
class Rewrite:
    """One application: the edits, the line where it acts, and the parameters it was made with."""

    line: int
    edits: tuple[Edit, ...]
    options: str = ""
    """Parameters, such as "size=64"; empty where there are none."""
    weight: float = 1.0
    """How likely this place and these parameters are the good ones, beside the transformation's other rewrites."""


Find = Callable[[SourceFile, Setting], Iterator[Rewrite]]


@dataclass(frozen=True)
class RewriteExample:
    """A program, and what a transformation's first rewrite (or the first with `options`) makes of it."""

    before: str
    after: str
    options: str | None = None
    setting: Setting = Setting()


@dataclass(frozen=True)
class Transformation:
    """One transformation of the rewriter. Its example documents it, and tests check that it holds."""

    name: str
    family: Family
    summary: str
    find: Find
    example: RewriteExample
    variants: tuple[RewriteExample, ...] = ()
    """Other forms of the same."""
    languages: tuple[Language, ...] = C_AND_CPP
    answers: tuple[str, ...] = ()
    """Tags of diagnoses that call for it."""
    prior: float = 1.0
    """How often it is worth trying when no diagnosis speaks for or against it."""
    prior_on_cpu: float | None = None
    """Prior for torch models on a CPU; None where it is the same."""
    refusals: tuple[str, ...] = field(default=())
    """Programs that it must leave alone."""
    makes_kernel: bool = False
    """Whether the result has a kernel of its own, as some torch tasks require."""


def transformations_in(package: str, folders: Iterable[str]) -> tuple[Transformation, ...]:
    """What the modules of a package list as `TRANSFORMATIONS`. A file that is put there is found."""
    modules = [import_module(f"{package}.{found.name}") for found in iter_modules(folders)]
    return tuple(each for module in modules for each in getattr(module, "TRANSFORMATIONS", ()))
