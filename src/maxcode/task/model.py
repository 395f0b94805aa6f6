"""What a `task.toml` says, typed. Attribute docstrings are the reference for task authors."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from maxcode.core import Candidate, Frozen, InputError, Language, content_hash
from maxcode.kinds.command.files import matches, repository_files, tree_parts
from maxcode.kinds.command.table import Command, main_language
from maxcode.kinds.torch.table import Torch
from maxcode.task.expression import Number, evaluate

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


class Build(Frozen):
    flags: tuple[str, ...] = ("-O3", "-march=native")
    """Compiler flags, the same for baseline and candidates."""
    standard: str | None = None
    """Language standard; c17 or c++17 when absent."""
    link: tuple[str, ...] = ()
    """Linker flags, such as "-lm"."""
    seconds: float = Field(default=60.0, gt=0)
    """Time limit of one compilation."""
    memory_mb: int = Field(default=4096, ge=256)
    """Memory limit of one compilation, in MiB."""


class Tolerance(Frozen):
    """|got - want| <= absolute + relative * max(|want|, rms of the wanted array)."""

    relative: float = Field(default=1e-6, ge=0)
    """Share of the wanted value by which a number may differ."""
    absolute: float = Field(default=0.0, ge=0)
    """What it may differ by on top of that."""


class Generated(Frozen):
    """Inputs made afresh from secret seeds by `generator SEED ARGUMENTS...`; the baseline is the oracle."""

    generator: str
    """A Python, C or C++ program that prints an input."""
    arguments: tuple[str, ...] = ()
    """What it gets after the seed."""
    count: int = Field(default=1, ge=1, le=100)
    """How many inputs, each with a seed of its own."""


class Tests(Frozen):
    public: str | None = None
    """Folder of input.N.txt / output.N.txt that a policy may see."""
    hidden: str | None = None
    """The same, never shown to a policy."""
    compare: Literal["exact", "tokens", "numbers"] = "tokens"
    """exact: byte for byte; tokens: white space does not matter; numbers: tokens, numbers within the tolerance."""
    tolerance: Tolerance = Tolerance()
    """For compare = "numbers"."""
    checker: str | None = None
    """A C++ or Python program that replaces the comparison: `checker INPUT OUTPUT ANSWER`, exit code 0 accepts."""
    generated: tuple[Generated, ...] = ()
    """Tests made afresh, which the baseline answers."""


class Workload(Frozen):
    """What is timed: an input file, or one made by `generator SEED ARGUMENTS...` from a secret seed."""

    name: str
    """Shown in reasons."""
    input: str | None = None
    """A file; or else a generator."""
    variants: str | None = None
    """Folder of input.N.txt, inputs like that file: pairs are timed on these and on it in turn."""
    generator: str | None = None
    """A program that prints the input, given a secret seed; each pair of a confirmation is timed on a new one."""
    arguments: tuple[str, ...] = ()
    """What the generator gets after the seed."""

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (self.input is None) == (self.generator is None):
            raise ValueError("give either 'input' (a file) or 'generator' (a program), not both or none")
        if self.variants is not None and self.input is None:
            raise ValueError("'variants' are inputs like the file 'input'; a generator makes its own")
        return self

    @property
    def fixed(self) -> bool:
        """True where every timed run gets the same bytes, which a program could know by heart."""
        return self.input is not None and self.variants is None


class InputFormat(Frozen):
    """Corrections of what is inferred about the format of inputs, for tests and variants that are derived from them."""

    keep: tuple[Annotated[int, Field(ge=1)], ...] = ()
    """Columns, counted from 1, whose values are never changed."""
    ordered: bool = False
    """Whether the order of lines matters: they are not moved, and only the end is cut."""
    smallest: int = Field(default=0, ge=0)
    """Records that a section must have at least."""


class Fill(Frozen):
    """How the elements of an input buffer are drawn."""

    kind: Literal["uniform", "normal", "integers", "sorted", "permutation", "constant"] = "uniform"
    """How elements are drawn; permutation: 0 to count - 1 in random order."""
    low: Number | str = -1.0
    """Smallest value of uniform, integers and sorted; an expression over the scalar arguments is allowed."""
    high: Number | str = 1.0
    """Largest value of them; integers stay below it."""
    mean: float = 0.0
    """Of normal."""
    deviation: float = 1.0
    """Of normal."""
    value: float = 0.0
    """Of constant."""


class Argument(Frozen):
    """One argument of the kernel: a scalar whose value comes from the shapes, or a buffer."""

    name: str = Field(pattern=r"^[A-Za-z_]\w*$")
    """As in the signature."""
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


Sizes = dict[str, Number]


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
    function: str = Field(pattern=r"^[A-Za-z_]\w*$")
    """Name of the function."""
    arguments: tuple[Argument, ...] = Field(min_length=1)
    """In the order of the signature."""
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


class Limits(Frozen):
    seconds: float = Field(default=10.0, gt=0, le=3600)
    """Per run (program) or per call (kernel)."""
    memory_mb: int = Field(default=1024, ge=16)
    """Memory of the candidate, in MiB; a kernel's buffers come on top."""
    output_mb: int = Field(default=64, ge=1)
    """Standard output, standard error and any single file, in MiB."""
    scratch_mb: int = Field(default=64, ge=1)
    """Size of the private /tmp, in MiB."""
    cpus: int = Field(default=1, ge=1)
    """More than one allows threads and is timed by the wall clock."""


class Rules(Frozen):
    """What a candidate may not contain, on top of what is never allowed (see docs/tasks.md)."""

    calls: tuple[str, ...] = ()
    """Names that may neither occur in the text nor be linked to."""
    includes: tuple[str, ...] = ()
    """Headers whose name contains one of these, or Python modules, may not be included."""
    libraries: tuple[str, ...] = ()
    """Names of libraries or modules that may not be used, in any way we can see."""
    pragmas: tuple[str, ...] = ()
    """Pragmas that contain one of these may not be used."""
    processes: bool = False
    """Whether a candidate may start processes."""


class Objective(Frozen):
    metric: Literal["time", "gflops", "instructions"] = "time"
    """gflops: time, shown as GFLOPS too; instructions: counted under valgrind, programs only."""


class Task(Frozen):
    """A program that works, and a way to check and time another in its place."""

    name: str = Field(pattern=r"^[\w.-]+$")
    """Letters, digits, underscores, dots and hyphens."""
    kind: Literal["program", "kernel", "torch", "command"]
    """What a candidate is: a whole program, a function, a PyTorch model, files of a repository."""
    language: Language
    """What it is written in; torch and command tasks need not say it."""
    description: str = ""
    """What it reads, computes and prints, in words; shown to a policy."""
    baseline: str | tuple[str, ...]
    """The file, or files, of the program that works."""
    editable: tuple[str, ...] = ()
    """Which of them a candidate may change; all when absent."""
    build: Build = Build()
    """How C and C++ are compiled."""
    tests: Tests = Tests()
    """How programs are checked."""
    workloads: tuple[Workload, ...] = ()
    """What of programs is timed; at least one."""
    format: InputFormat = InputFormat()
    """What is known of the format of inputs."""
    kernel: Kernel | None = None
    """For kernels: the function, its arguments and shapes."""
    torch: Torch | None = None
    """For PyTorch models."""
    command: Command | None = None
    """For repositories: which files may change, and how they are built, tested and timed."""
    limits: Limits = Limits()
    """What a candidate may use up."""
    rules: Rules = Rules()
    """What a candidate may not contain."""
    objective: Objective = Objective()
    """What counts as fast."""
    folder: Annotated[Path, Field(exclude=True)]
    changes: Annotated[dict[str, Any], Field(exclude=True, default_factory=dict)]
    """Settings that differ from the folder's task.toml, for the same task at another size."""

    @model_validator(mode="before")
    @classmethod
    def _defaults_of_its_kind(cls, data: Any) -> Any:
        """A repository's files are its editable ones; its language, unless given, is what most of them are in."""
        if isinstance(data, dict) and data.get("kind") == "torch":
            limits = data.get("limits", {})
            if isinstance(limits, dict):  # a process with torch in it needs more than a program
                limits = {"seconds": 60.0, "memory_mb": 8192, **limits}
            return {"torch": {}, "language": "python", **data, "limits": limits}
        if not isinstance(data, dict) or data.get("kind") != "command":
            return data
        for name in ("baseline", "editable", "workloads", "tests", "kernel"):
            if name in data:
                raise ValueError(f"kind = \"command\" has no '{name}'; its files and commands are in [command]")
        table = data.get("command")
        editable = table.get("editable") if isinstance(table, dict) else None
        names = [editable] if isinstance(editable, str) else editable if isinstance(editable, list | tuple) else []
        build = data.get("build", {})
        if isinstance(build, dict):  # which flags its compilers get is the repository's affair
            build = {"flags": (), **build}
        return {"language": main_language(names), **data, "baseline": (), "build": build}

    @model_validator(mode="after")
    def _kind_is_complete(self) -> Self:
        if self.kind == "command":
            return self._command_is_complete()
        if self.command is not None:
            raise ValueError(f'kind = "{self.kind}" has no [command] table; did you mean kind = "command"?')
        if self.kind != "torch" and self.torch is not None:
            raise ValueError(f'kind = "{self.kind}" has no [torch] table; did you mean kind = "torch"?')
        if self.kind == "torch":
            return self._torch_is_complete()
        if self.language is Language.OTHER:
            raise ValueError(f"a {self.kind} is written in c, c++ or python")
        if self.kind == "kernel" and self.kernel is None:
            raise ValueError('kind = "kernel" needs a [kernel] table')
        if self.kind == "kernel" and self.language is Language.PYTHON:
            raise ValueError("kernels are written in c or c++")
        if self.language is Language.PYTHON and len(self.files) > 1:
            raise ValueError("a Python program is one file; put its modules into it")
        if self.kind == "program" and self.kernel is not None:
            raise ValueError('kind = "program" has no [kernel] table; did you mean kind = "kernel"?')
        if self.kind == "program" and not self.workloads:
            raise ValueError("a program needs at least one [[workloads]] entry: what should be timed?")
        if self.kind == "program" and not (self.tests.public or self.tests.hidden or self.tests.generated):
            raise ValueError("[tests] names no tests: give 'public', 'hidden' or [[tests.generated]]")
        if self.objective.metric == "gflops" and (self.kernel is None or self.kernel.flops is None):
            raise ValueError('objective.metric = "gflops" needs kernel.flops, the operations of one call')
        if self.objective.metric == "instructions" and self.kind == "kernel":
            raise ValueError('objective.metric = "instructions" is for programs; kernels are timed')
        unknown = set(self.editable) - set(self.files)
        if unknown:
            raise ValueError(f"editable names {', '.join(sorted(unknown))}, which is not in baseline")
        return self

    def _command_is_complete(self) -> Self:
        if self.command is None:
            raise ValueError('kind = "command" needs a [command] table with editable, test and bench')
        if self.objective.metric != "time":
            raise ValueError("objective.metric: a repository is timed; to count something else, use command.number")
        return self

    def _torch_is_complete(self) -> Self:
        if self.language is not Language.PYTHON:
            raise ValueError('kind = "torch" needs language = "python": the problem is a Python file')
        if len(self.files) != 1:
            raise ValueError("a torch problem is one file, with Model, get_inputs and get_init_inputs")
        if self.kernel is not None or self.workloads:
            raise ValueError('kind = "torch" has no [kernel] and no [[workloads]]; its inputs come from get_inputs')
        if self.objective.metric != "time":
            raise ValueError("objective.metric: a torch model is timed")
        return self

    @property
    def root(self) -> Path:
        """Where the files are."""
        return self.folder / self.command.repository if self.command else self.folder

    @cached_property
    def tree(self) -> tuple[str, ...]:
        """All files of the repository."""
        return repository_files(self.root, self.command.exclude) if self.command else ()

    @cached_property
    def _editable_files(self) -> tuple[str, ...]:
        wanted = self.command.editable if self.command else ()
        named = (name for name in self.tree if any(matches(name, each) for each in wanted))
        return tuple(name for name in named if not (self.root / name).is_symlink())

    @property
    def files(self) -> tuple[str, ...]:
        if self.command is not None:
            return self._editable_files
        return (self.baseline,) if isinstance(self.baseline, str) else self.baseline

    @property
    def on_one_input(self) -> bool:
        """True where some workload is timed on the same bytes in every run."""
        return any(workload.fixed for workload in self.workloads)

    @property
    def main_file(self) -> str:
        """The file that a single given program replaces."""
        return (self.editable or self.files)[0]

    @property
    def standard(self) -> str:
        return self.build.standard or ("c17" if self.language is Language.C else "c++17")

    @cached_property
    def baseline_candidate(self) -> Candidate:
        return Candidate(files={name: self.read(name) for name in self.files}, origin="baseline")

    def candidate(self, source: str, *, origin: str | None = None, parent: str | None = None) -> Candidate:
        """A whole program made of the baseline with its main file replaced."""
        files = {**self.baseline_candidate.files, self.main_file: source}
        return Candidate(files=files, origin=origin, parent=parent)

    def read(self, name: str) -> str:
        path = self.root / name
        try:  # a repository's line endings are part of a patch
            return path.read_bytes().decode() if self.command else path.read_text()
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path}: cannot be read ({error})") from None

    @cached_property
    def hash(self) -> str:
        """Hash of everything that can change a verdict: the settings and every file of the folder that they name."""
        if self.command is not None:
            return content_hash(self.model_dump_json(exclude={"format"}), *tree_parts(self.root, self.tree))
        absent: dict[str, Any] = {"command": True} if self.torch else {"command": True, "torch": True}
        absent["workloads"] = {"__all__": {"variants"}}  # their files are in the material
        absent["format"] = True
        parts: list[bytes | str] = [self.model_dump_json(exclude=absent)]
        for path in sorted(self.material()):
            parts += [str(path.relative_to(self.folder)), path.read_bytes()]
        return content_hash(*parts)

    def material(self) -> set[Path]:
        """The files that the settings name; a repository's are its `tree`."""
        names = [*self.files, self.tests.checker, self.kernel.reference if self.kernel else None]
        names += [g.generator for g in self.tests.generated]
        names += [name for w in self.workloads for name in (w.input, w.generator)]
        found = {self.folder / name for name in names if name}
        for inputs in (self.tests.public, self.tests.hidden, *(w.variants for w in self.workloads)):
            if inputs:
                found |= {p for p in (self.folder / inputs).iterdir() if p.is_file()}
        return found
