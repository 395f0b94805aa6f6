"""What a kind of task is: one record of small functions, which the rest of the code asks instead of the kind's name.

A kind is a folder of `maxcode.kinds`, or of somebody else's package that names it among its entry points:

    [project.entry-points."maxcode.kinds"]
    NAME = "package.module:KIND"

Modules behind a kind are imported when they are needed: `maxcode.plugins.late("package.module:function")`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Container, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic_core.core_schema import (
    CoreSchema,
    no_info_plain_validator_function,
    plain_serializer_function_ser_schema,
    str_schema,
)

from maxcode.core import Candidate, Diagnosis, Fact, Frozen, Outcome
from maxcode.task import ordinary
from maxcode.task.ordinary import Carried, TaskVariant

if TYPE_CHECKING:
    from maxcode.authoring.finding import Finding
    from maxcode.evaluate.judge import Equipment, Judge
    from maxcode.evaluate.pool import LocalPool
    from maxcode.task.expression import Sizes
    from maxcode.task.model import InputFormat, Task, Tolerance

NodeKind = Literal["cpu", "gpu"]


@dataclass(frozen=True)
class EntryPoint:
    """The one function that every candidate of a task defines, and what it is called with."""

    function: str
    signature: str
    sizes: tuple[Sizes, ...]
    """Values of its scalar arguments in the calls that are timed."""
    tolerance: Tolerance
    operations: float | None
    """Floating-point operations of the timed calls; None where the task does not state them."""
    moved: float
    """Bytes of their arguments, moved once each: in, out, or both."""


@dataclass(frozen=True)
class NewOptions:
    """Options of `maxcode new`, besides a folder and a source."""

    inputs: tuple[Path, ...] = ()
    name: str | None = None
    flags: tuple[str, ...] | None = None
    """Compiler flags in the place of the usual ones."""
    link: tuple[str, ...] = ()
    """Linker flags besides the usual ones."""
    standard: str | None = None
    arguments: tuple[str, ...] = ()
    """Words of the program's command line; names of files among them are files that it opens."""
    allowed: tuple[str, ...] = ()
    """Risks that programs may take: fast-math, threads."""
    generator: str | None = None
    tests: Path | None = None
    known: InputFormat | None = None
    python: Path | None = None
    """Virtual environment of a package."""
    command: str | None = None
    """Command whose calls of a function are recorded, instead of the tests."""


@dataclass(frozen=True)
class NewTask:
    """Report of `maxcode new` on a new task."""

    summary: dict[str, Any]
    """Summary for other programs, to be written as JSON."""
    head: str
    lines: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    """Remarks for users who only wanted a search."""


@dataclass(frozen=True)
class Scaffold:
    """Way in which `maxcode new` and `maxcode optimize FILE` make a task of a file."""

    recognises: Callable[[Path], bool]
    doing: str
    """Text to show meanwhile."""
    make: Callable[[Path, Path, NewOptions], NewTask]
    """Makes the task, given its new folder, the source, and the options."""
    depends: Callable[[Path, NewOptions], Iterable[bytes | str]] = ordinary.depends
    """Everything that the task depends on: where it is the same, a task made before is used again."""
    from_file: bool = True
    """True if the source is a file by itself."""


@dataclass(frozen=True, eq=False)
class Kind:
    """Everything that is special about a kind of task. What a kind leaves out is as for a program in the task's
    folder."""

    name: str
    """Name of the kind: `kind` in task.toml, its table there, and the prompt that describes a task."""
    judge: Callable[[Equipment], Judge]
    """Judges candidates with what a worker has."""
    check: Callable[[Task, LocalPool], Awaitable[list[Finding]]]
    """`maxcode check`: is the task itself sound?"""
    prompts: Path
    """Folder of prompt texts."""

    # Reading a task
    table: type[Frozen] | None = None
    """Model of its table in task.toml; None where it has none."""
    absent: tuple[str, ...] = ()
    """Tables that the hash of a task has as null, since they are older than this kind: hashes stay as they were."""
    defaults: Callable[[dict[str, Any]], dict[str, Any]] = lambda data: data
    """Completes what task.toml says, before it is validated; ValueError for what makes no sense."""
    complete: Callable[[Task], None] = lambda _: None
    """Raises ValueError where something is missing, or where settings contradict each other."""
    check_files: Callable[[Path, Task], None] = ordinary.check_files
    """Raises InputError, which names task.toml and the field, for files that are not as they should be."""
    root: Callable[[Task], Path] = lambda task: task.folder
    """Folder of the files of a candidate."""
    tree: Callable[[Task], tuple[str, ...]] = lambda _: ()
    """Files beside which a candidate is built."""
    files: Callable[[Task], tuple[str, ...]] = ordinary.baseline_files
    """Files that a candidate consists of."""
    exact_text: bool = False
    """True if line endings are part of a candidate."""
    named: Callable[[Task], list[tuple[str, str | None]]] = lambda _: []
    """Fields of its table that name files of the task's folder, with the names."""
    content: Callable[[Task], Iterable[bytes | str]] = ordinary.content
    """Content of the files that belongs to the task's hash."""

    # Judging
    driver: Callable[..., str | None] = lambda _, **__: None
    """Source of a main program that is linked to candidates: `driver(task, on_heap=...)`."""
    environment: Callable[[Task], str] = lambda _: ""
    """What an outcome depends on besides task, compilers and processor; part of its key."""
    device: Callable[[Task], str] = lambda _: ""
    """The device that a task is timed on, where that is not the processor; part of the key of its noise."""
    unsanitized: str = "there is nothing to do that with here"
    """Reason why sanitizers did not check a candidate."""
    nodes: Callable[[Task], tuple[NodeKind, ...]] = lambda _: ("cpu",)
    """Kinds of nodes of a cluster that can judge a task, the best first."""
    carried: Callable[[Task], Carried] = ordinary.carried
    """Files that a node needs; InputError where they cannot be sent."""
    same_on_nodes: bool = True
    """True if outcomes depend on nothing that a node has of its own, so that they can be kept."""

    # Tasks, candidates and results of people
    scaffold: Scaffold | None = None
    """How `maxcode new` makes a task of this kind; None where it does not."""
    read: Callable[[Task, Path], Candidate] = ordinary.read_candidate
    """Candidate from a file, or from whatever else people have."""
    diff: Callable[[Task, Candidate], str] = ordinary.diff
    """Text of what a candidate changes."""
    results: Callable[[Task, Candidate, str], Mapping[str, str]] = ordinary.results
    """Files to write for a candidate, by name, given the summary."""
    claim: Callable[[Task, Candidate, Outcome], str | None] = lambda *_: None
    """Whole summary of a confirmed improvement; None for the usual one."""
    against: Callable[[Task, Candidate], TaskVariant | None] = ordinary.against
    """The task with a winner as its baseline; None where a winner may not take that place."""
    sizes: Callable[[Task], list[TaskVariant]] = lambda _: []
    """The task at sizes that no search saw."""

    # Policies and critics
    words: Callable[[Task], dict[str, str]] = lambda _: {}
    """Values for the prompt that describes a task."""
    floor: Callable[[Task, Outcome], str] = lambda *_: ""
    """Words on how fast a program could be at best, from what is known of the original; empty where nothing is."""
    faster: str = "correct"
    """Name of the prompt that asks for something faster than a correct program."""
    entry: Callable[[Task], EntryPoint | None] = lambda _: None
    """The function that candidates define; None where they are whole programs."""
    rewriting: Callable[[Task], Any] = lambda _: None
    """Settings for the rewriter's families of this kind; None where the families for programs apply."""
    signs: Callable[[tuple[Fact, ...]], frozenset[str]] = lambda _: frozenset()
    """Tags of diagnoses that the facts of a profile call for."""
    diagnose: Callable[[Task, str, Outcome], Iterable[Diagnosis] | None] = lambda *_: None
    """Diagnoses of a program's text or outcome; None where the rules of its language apply."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> CoreSchema:
        """Schema by which a field of this type is read and written as the kind's name."""
        del source, handler
        written = plain_serializer_function_ser_schema(lambda kind: kind.name, return_schema=str_schema())
        return no_info_plain_validator_function(kind_named, serialization=written)

    def __reduce__(self) -> tuple[Any, ...]:
        return kind_named, (self.name,)


def kind_named(name: Any) -> Kind:
    """Kind with that name. ValueError where there is none, InputError where its package cannot be loaded."""
    from maxcode.kinds.known import KINDS  # the one look-up that goes against the order of layers

    if isinstance(name, Kind):
        return name
    if not isinstance(name, str) or name not in KINDS:
        *rest, last = map(repr, KINDS)
        raise ValueError(f"Input should be {', '.join(rest)} or {last}")
    return KINDS[name]


def kind_names() -> tuple[str, ...]:
    """Names of all kinds, ours first."""
    from maxcode.kinds.known import KINDS

    return tuple(KINDS)


def with_settings(kind: Kind, data: dict[str, Any], common: Container[str]) -> dict[str, Any]:
    """Content of task.toml, with the kind's own table as `settings`. ValueError for the table of another kind.

    `common`: fields that all tasks have.
    """
    others = [name for name in data if name not in common and name != kind.name]
    for other in set(others).intersection(kind_names() if others else ()):
        raise ValueError(f'kind = "{kind.name}" has no [{other}] table; did you mean kind = "{other}"?')
    if kind.table is None or kind.name not in data:
        return data
    return {**{name: value for name, value in data.items() if name != kind.name}, "settings": data[kind.name]}


def tables(kind: Kind, settings: dict[str, Any] | None) -> dict[str, Any]:
    """Tables of kinds as a task's hash has them."""
    return {**dict.fromkeys(kind.absent), **({kind.name: settings} if settings is not None else {})}
