"""What a `task.toml` says, typed. Attribute docstrings are the reference for task authors."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import Field, SerializeAsAny, ValidationInfo, field_validator, model_validator
from pydantic_core import to_json

from maxcode.core import Candidate, Frozen, InputError, Language, content_hash
from maxcode.task.kind import Kind, kind_named, kind_names, tables, with_settings

Table = TypeVar("Table", bound=Frozen)


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
    """Further difference that is allowed."""


class Generated(Frozen):
    """Inputs made afresh from secret seeds by `generator SEED ARGUMENTS...`; the baseline is the oracle."""

    generator: str
    """A Python, C or C++ program that prints an input."""
    arguments: tuple[str, ...] = ()
    """Arguments after the seed."""
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
    """Tolerance of compare = "numbers"."""
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
    """Arguments of the generator after the seed."""

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


class ProgramRun(Frozen):
    """How a program is run: its arguments, and the files that it opens by name."""

    arguments: tuple[str, ...] = ()
    """Words of its command line. One that is `input` or one of `files` becomes the path of that file."""
    input: str | None = None
    """Name under which the program opens its input; read from standard input when absent."""
    files: tuple[str, ...] = ()
    """Further files of the task's folder that it opens by these names, the same in every run."""

    @field_validator("input", "files")
    @classmethod
    def _below_the_folder(cls, value: str | tuple[str, ...] | None) -> str | tuple[str, ...] | None:
        for name in (value,) if isinstance(value, str) else value or ():
            if not name or PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
                raise ValueError(
                    "give a name without a leading / and without ..; programs run in a folder of their own"
                )
        return value


class InputFormat(Frozen):
    """Corrections of what is inferred about the format of inputs, for tests and variants that are derived from them."""

    keep: tuple[Annotated[int, Field(ge=1)], ...] = ()
    """Columns, counted from 1, whose values are never changed."""
    ordered: bool = False
    """Whether the order of lines matters: they are not moved, and only the end is cut."""
    smallest: int = Field(default=0, ge=0)
    """Records that a section must have at least."""


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
    kind: Kind
    """What a candidate is: a whole program, a function, a PyTorch model, files of a repository."""
    language: Language
    """Programming language; torch and command tasks need not say it."""
    description: str = ""
    """Description of what the program reads, computes and prints; shown to a policy."""
    baseline: str | tuple[str, ...]
    """The file, or files, of the program that works."""
    editable: tuple[str, ...] = ()
    """Files that a candidate may change; all when absent."""
    build: Build = Build()
    """How C and C++ are compiled."""
    tests: Tests = Tests()
    """How programs are checked."""
    run: ProgramRun = ProgramRun()
    """How programs are run."""
    workloads: tuple[Workload, ...] = ()
    """Workloads that programs are timed on; at least one."""
    format: InputFormat = InputFormat()
    """Facts about the format of inputs."""
    settings: SerializeAsAny[Frozen] | None = None
    """The table that is named after the kind."""
    limits: Limits = Limits()
    """Limits of a candidate's run."""
    rules: Rules = Rules()
    """Text and symbols that a candidate may not contain."""
    objective: Objective = Objective()
    """Measure of speed."""
    folder: Annotated[Path, Field(exclude=True)]
    changes: Annotated[dict[str, Any], Field(exclude=True, default_factory=dict)]
    """Settings that differ from the folder's task.toml, for the same task at another size."""

    @model_validator(mode="before")
    @classmethod
    def _as_its_kind_has_it(cls, data: Any) -> Any:
        """Adds the defaults of the task's kind, whose table becomes `settings`."""
        try:
            kind = kind_named(data["kind"])
        except (ValueError, LookupError, TypeError):  # said together with other mistakes
            return data
        return with_settings(kind, kind.defaults(data), common=cls.model_fields)

    @field_validator("settings", mode="before")
    @classmethod
    def _table_of_its_kind(cls, value: Any, info: ValidationInfo) -> Any:
        table = info.data["kind"].table if "kind" in info.data else None
        return table.model_validate(value) if table is not None and value is not None else value

    @model_validator(mode="after")
    def _kind_is_complete(self) -> Self:
        self.kind.complete(self)
        unknown = set(self.editable).difference(self.files if self.editable else ())
        if unknown:
            raise ValueError(f"editable names {', '.join(sorted(unknown))}, which is not in baseline")
        return self

    def table(self, wanted: type[Table]) -> Table:
        """The settings of its kind, for code that is for this kind only; InputError for tasks of another."""
        if isinstance(self.settings, wanted):
            return self.settings
        wants = next(name for name in kind_names() if kind_named(name).table is wanted)
        raise InputError(f"{self.folder}: is of kind '{self.kind.name}', and this is for tasks of kind '{wants}'.")

    @property
    def root(self) -> Path:
        """Folder of the task's files."""
        return self.kind.root(self)

    @cached_property
    def tree(self) -> tuple[str, ...]:
        """All files beside which a candidate is built; none where it is built alone."""
        return self.kind.tree(self)

    @cached_property
    def files(self) -> tuple[str, ...]:
        """Those that a candidate consists of."""
        return self.kind.files(self)

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
        try:
            return path.read_bytes().decode() if self.kind.exact_text else path.read_text()
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path}: cannot be read ({error})") from None

    @cached_property
    def hash(self) -> str:
        """Hash of everything that can change a verdict: the settings and every file of the folder that they name."""
        return content_hash(self._as_json(), *self.kind.content(self))

    def _as_json(self) -> str:
        """The settings, less those whose files are hashed anyway or that change no verdict."""
        left_out: dict[str, Any] = {"workloads": {"__all__": {"variants"}}, "format": True}
        if self.run == ProgramRun():  # hashes of tasks without it stay as they were
            left_out["run"] = True
        fields = self.model_dump(mode="json", exclude=left_out)
        parts = [tables(self.kind, value) if name == "settings" else {name: value} for name, value in fields.items()]
        return to_json({name: part[name] for part in parts for name in part}, inf_nan_mode="null").decode()

    def material(self) -> set[Path]:
        """The files of its folder that the settings name."""
        names = [*self.files, *self.run.files, self.tests.checker, *(name for _, name in self.kind.named(self))]
        names += [g.generator for g in self.tests.generated]
        names += [name for w in self.workloads for name in (w.input, w.generator)]
        found = {self.folder / name for name in names if name}
        for inputs in (self.tests.public, self.tests.hidden, *(w.variants for w in self.workloads)):
            if inputs:
                found |= {p for p in (self.folder / inputs).iterdir() if p.is_file()}
        return found
