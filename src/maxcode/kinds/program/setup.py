"""How a bare program is built and run: compiler settings, arguments, and the files that it opens by name."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from maxcode.authoring.new import reads_standard_input
from maxcode.core import InputError, Language
from maxcode.kinds.program.kind import KIND
from maxcode.task.kind import NewOptions
from maxcode.task.model import Build, Limits, ProgramRun, Task, Tests, Workload

PATIENCE = 6.0
"""Seconds after which a program is said to take too long on a given input."""
STANDARDS = {Language.C: "gnu17", Language.CPP: "gnu++17"}
"""Standards of bare programs: as compilers have them when nobody says anything, with what the system adds."""
STYLES = (".clang-format", "ruff.toml", ".ruff.toml", "pyproject.toml")
"""Files with settings of formatters."""
OUTPUT_MB = 256
"""Megabytes that a program may print on a given input."""


@dataclass(frozen=True)
class Setup:
    """A bare program with its settings, in a folder of its own."""

    source: Path
    """File that the user named."""
    language: Language
    build: Build
    run: ProgramRun
    allowed: tuple[str, ...]
    """Risks that candidates may take: fast-math, threads."""
    folder: Path
    """Folder with a copy of the program and of the files that it opens."""

    @property
    def task(self) -> Task:
        """Task whose tests and workloads do not matter, to build and run the program by."""
        return Task(
            name="new",
            kind=KIND,
            language=self.language,
            baseline=self.source.name,
            folder=self.folder,
            changes={},
            workloads=(Workload(name="w", input="-"),),
            tests=Tests(public="-"),
            build=self.build,
            run=self.run,
            limits=Limits(seconds=PATIENCE, memory_mb=4096, output_mb=OUTPUT_MB),
        )


def set_up(source: Path, language: Language, wanted: NewOptions, folder: Path) -> tuple[Setup, list[Path]]:
    """The program in that folder, and the inputs to time it on.

    A file named among the arguments is the input, if no other is given; else it is the same file in every run.
    """
    names = {word: _name_inside(word) for word in wanted.arguments if Path(word).is_file()}
    inputs = list(wanted.inputs) or [Path(word) for word in list(names)[:1]]
    text = source.read_text(errors="replace")
    opened = _opened_input(text, language, names, inputs)
    others = {name: Path(word) for word, name in names.items() if name != opened}
    run = ProgramRun(
        arguments=tuple(names.get(word, word) for word in wanted.arguments), input=opened, files=tuple(others)
    )
    folder.mkdir()
    for name, path in {**others, source.name: source}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, folder / name)
    for name, path in _style_of(source).items():
        shutil.copyfile(path, folder / name)
    flags = Build().flags if wanted.flags is None else wanted.flags
    if "threads" in wanted.allowed and language is not Language.PYTHON:
        flags = (*flags, "-fopenmp")
    link = (*link_flags(language), *wanted.link)
    build = Build(flags=flags, link=link, standard=wanted.standard or STANDARDS.get(language))
    if language is Language.PYTHON and (wanted.flags or wanted.link or wanted.standard):
        raise InputError(f"--flags, --link, --std: {source} is not compiled. Leave them out.")
    return Setup(source, language, build, run, wanted.allowed, folder), inputs


def _style_of(source: Path) -> dict[str, Path]:
    """Settings of formatters that hold for a file: the nearest ones above it."""
    found: dict[str, Path] = {}
    for folder in source.absolute().parents:
        for name in STYLES:
            if name not in found and (folder / name).is_file():
                found[name] = folder / name
    return found


def _opened_input(text: str, language: Language, names: dict[str, str], inputs: list[Path]) -> str | None:
    """Name by which the program opens its input; None where it reads standard input."""
    for path in inputs:
        if str(path) in names:
            return names[str(path)]
    named = [path.name for path in inputs if f'"{path.name}"' in text or f"'{path.name}'" in text]
    return named[0] if named and not reads_standard_input(text, language) else None


def _name_inside(word: str) -> str:
    """Name of a file in the folder in which a program is run."""
    path = PurePosixPath(word)
    return path.name if path.is_absolute() or ".." in path.parts else str(path)


def link_flags(language: Language) -> tuple[str, ...]:
    """Libraries that programs of a language are linked with unless told otherwise."""
    return ("-lm",) if language is Language.C else ()
