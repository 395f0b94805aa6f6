"""The `[kernel]` table: a function of C or C++, what it is called with, and how its results are compared."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from maxcode.core import Frozen, Language
from maxcode.task.expression import Number, Sizes, evaluate
from maxcode.task.kind import EntryPoint
from maxcode.task.model import Task, Tolerance

ELEMENT_TYPES = {
    "char": "i1",
    "signed char": "i1",
    "unsigned char": "u1",
    "short": "i2",
    "unsigned short": "u2",
    "int": "i4",
    "unsigned": "u4",
    "unsigned int": "u4",
    "long": "i8",
    "unsigned long": "u8",
    "long long": "i8",
    "unsigned long long": "u8",
    "int8_t": "i1",
    "uint8_t": "u1",
    "int16_t": "i2",
    "uint16_t": "u2",
    "int32_t": "i4",
    "uint32_t": "u4",
    "int64_t": "i8",
    "uint64_t": "u8",
    "size_t": "u8",
    "float": "f4",
    "double": "f8",
}
"""C element types and the numpy codes of the same layout on the platforms we run on (LP64)."""


class Fill(Frozen):
    """How the elements of an input buffer are drawn."""

    kind: Literal["uniform", "normal", "integers", "sorted", "permutation", "constant"] = "uniform"
    """How elements are drawn; permutation: 0 to count - 1 in random order."""
    low: Number | str = -1.0
    """Smallest value of uniform, integers and sorted; an expression over the scalar arguments is allowed."""
    high: Number | str = 1.0
    """Largest value of them; integers stay below it."""
    mean: float = 0.0
    """Mean of normal values."""
    deviation: float = 1.0
    """Standard deviation of normal values."""
    value: float = 0.0
    """Every value of constant."""


class Argument(Frozen):
    """One argument of the kernel: a scalar whose value comes from the shapes, or a buffer."""

    name: str = Field(pattern=r"^[A-Za-z_]\w*$")
    """Name in the signature."""
    type: str
    """C type of the scalar, or of the buffer's elements."""
    role: Literal["size", "in", "out", "inout"] | None = None
    """Buffers: in (const), out (poisoned before each call) or inout. Scalars need no role."""
    shape: str | None = None
    """Number of elements of a buffer, an expression over the scalar arguments."""
    fill: Fill = Fill()
    """How an in or inout buffer is filled."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.type not in ELEMENT_TYPES:
            raise ValueError(f"type '{self.type}' is not known; use one of: {', '.join(ELEMENT_TYPES)}")
        if self.is_buffer and self.role not in ("in", "out", "inout"):
            raise ValueError(f'buffer \'{self.name}\' needs role = "in", "out" or "inout"')
        low = self.fill.low
        ranged = self.is_buffer and self.role != "out" and self.fill.kind in ("uniform", "integers", "sorted")
        if ranged and self.dtype[0] == "u" and not isinstance(low, str) and low < 0:
            raise ValueError(f"'{self.name}' is unsigned, but its fill starts at {low}; give fill.low = 0 or more")
        if not self.is_buffer and self.role not in (None, "size"):
            raise ValueError(f"'{self.name}' has role '{self.role}' but no shape; add shape = \"n\" or drop the role")
        return self

    @property
    def is_buffer(self) -> bool:
        return self.shape is not None

    @property
    def dtype(self) -> str:
        return ELEMENT_TYPES[self.type]

    @property
    def declaration(self) -> str:
        if not self.is_buffer:
            return f"{self.type} {self.name}"
        return f"{'const ' if self.role == 'in' else ''}{self.type} *{self.name}"


class Shapes(Frozen):
    public: tuple[Sizes, ...] = ()
    """Verified; a policy may see them."""
    hidden: tuple[Sizes, ...] = ()
    """Verified, not shown."""
    timed: tuple[Sizes, ...] = Field(min_length=1)
    """Timed, and every timed output verified."""

    @property
    def all(self) -> tuple[Sizes, ...]:
        return self.public + self.hidden + self.timed


class Kernel(Frozen):
    """Table of kernels: the function, its arguments and shapes."""

    function: str = Field(pattern=r"^[A-Za-z_]\w*$")
    """Name of the function."""
    arguments: tuple[Argument, ...] = Field(min_length=1)
    """Arguments in the order of the signature."""
    shapes: Shapes
    """Values of the scalar arguments to verify and to time with."""
    tolerance: Tolerance = Tolerance()
    """How far results may differ from the reference's; integers must be equal."""
    flops: str | None = None
    """Floating-point operations of one call, an expression over the scalar arguments."""
    reference: str | None = None
    """A file with the same function, slower or more exact, to compare with; the baseline when absent."""

    @model_validator(mode="after")
    def _sizes_known(self) -> Self:
        scalars = {a.name for a in self.arguments if not a.is_buffer}
        if not any(a.role in ("out", "inout") for a in self.arguments):
            raise ValueError('no argument has role "out" or "inout": there is nothing to compare')
        for sizes in self.shapes.all:
            if set(sizes) != scalars:
                raise ValueError(f"shape {sizes} must give a value for each of: {', '.join(sorted(scalars))}")
            for argument in self.arguments:
                if argument.shape is not None and evaluate(argument.shape, sizes) < 1:
                    raise ValueError(f"'{argument.name}' has no elements at shape {sizes}")
            if self.flops is not None:
                evaluate(self.flops, sizes)
        return self

    @property
    def signature(self) -> str:
        return f"void {self.function}({', '.join(a.declaration for a in self.arguments)})"


def check_settings(task: Task) -> None:
    if task.language is Language.OTHER:
        raise ValueError("a kernel is written in c, c++ or python")
    if task.settings is None:
        raise ValueError('kind = "kernel" needs a [kernel] table')
    if task.language is Language.PYTHON:
        raise ValueError("kernels are written in c or c++")
    if task.objective.metric == "gflops" and task.table(Kernel).flops is None:
        raise ValueError('objective.metric = "gflops" needs kernel.flops, the operations of one call')
    if task.objective.metric == "instructions":
        raise ValueError('objective.metric = "instructions" is for programs; kernels are timed')


def entry(task: Task) -> EntryPoint:
    """The function, and what its timed calls do."""
    kernel = task.table(Kernel)
    timed = kernel.shapes.timed
    operations = None if kernel.flops is None else sum(float(evaluate(kernel.flops, sizes)) for sizes in timed)
    moved = sum(bytes_moved(kernel, sizes) for sizes in timed)
    return EntryPoint(kernel.function, kernel.signature, timed, kernel.tolerance, operations, moved)


def bytes_moved(kernel: Kernel, sizes: Sizes) -> float:
    """Least bytes that one call moves: each argument once in or out, and twice if it is both."""
    return sum(
        float(evaluate(each.shape, sizes)) * int(each.dtype[1:]) * (2 if each.role == "inout" else 1)
        for each in kernel.arguments
        if each.shape is not None
    )
