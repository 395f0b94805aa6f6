"""Where a function's package is, which interpreter runs it, and how it is tested; each assumption in a line."""

from __future__ import annotations

import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from maxcode.core import InputError
from maxcode.kinds.command.copies import REPOSITORY
from maxcode.kinds.command.table import SHELL

MARKS = ("pyproject.toml", "setup.cfg", "setup.py", ".git")
ENVIRONMENTS = (".venv", "venv", "env")
PYTEST = ("python", "-m", "pytest", "-q", "-p", "no:cacheprovider")
SETTINGS = frozenset(["python", "test", "inputs", "path"])


@dataclass(frozen=True)
class Package:
    """A package and one function of it."""

    root: Path
    file: str
    module: str
    function: str
    path: tuple[str, ...]
    python: Path | None
    """Virtual environment; None for MaxCode's own."""
    test: tuple[str, ...]
    inputs: str | None
    """Command whose calls are recorded; None for the tests."""
    assumed: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    """Options of the test command that leave out tests which fail in the sandbox."""

    @property
    def command(self) -> str:
        """The command whose calls are recorded, as one would type it."""
        return self.inputs or " ".join(self.test)

    @property
    def interpreter(self) -> Path:
        return (self.python or Path(sys.prefix)) / "bin" / "python"

    @property
    def is_pytest(self) -> bool:
        """True if pytest is assumed, and not a command that the user named."""
        return self.test[: len(PYTEST)] == PYTEST

    def test_in(self, folder: str) -> tuple[str, ...]:
        """The test command with imports from a copy in a folder."""
        return ("env", f"PYTHONPATH={':'.join(_below(folder, each) for each in self.path)}", *self.test, *self.left_out)

    @property
    def test_in_sandbox(self) -> tuple[str, ...]:
        return self.test_in(REPOSITORY)


def find_package(target: Path, python: Path | None, inputs: str | None) -> Package:
    """The package of `src/foo.py::bar`, `src/foo.py::Class.method` or `pkg.mod:bar`. InputError where it is not
    found."""
    file, function = _file_and_name(str(target))
    root = _root(file)
    settings = _settings(root)
    base, named = _source_folder(file, root)
    assumed = [f"root: {root}"]
    path = tuple(settings.get("path", ())) or tuple(dict.fromkeys([str(base.relative_to(root)), "."]))
    home = _environment(root, python, settings)
    assumed.append(f"interpreter: {home or sys.prefix}" + ("" if home else " (MaxCode's own; --python names another)"))
    test = _test_command(settings)
    assumed.append(f"tests: {' '.join(test)}" + ("" if "test" in settings else " (pytest is assumed)"))
    assumed.append(f"module: {named}, imported from {', '.join(path)}")
    inputs = inputs or settings.get("inputs")
    relative = str(file.relative_to(root))
    return Package(root, relative, named, function, path, home, test, inputs, tuple(assumed))


def _file_and_name(target: str) -> tuple[Path, str]:
    place, _, function = target.rpartition(":")
    place = place.rstrip(":")
    if place.endswith(".py") or "/" in place:
        file = Path(place).absolute()
        if not file.is_file():
            raise InputError(f"{target}: there is no file {place}.")
        return file, function
    parts = place.split(".")
    for base in (Path(), Path("src"), Path("lib")):
        for file in (base.joinpath(*parts).with_suffix(".py"), base.joinpath(*parts) / "__init__.py"):
            if file.is_file():
                return file.absolute(), function
    raise InputError(f"{target}: no module {place} here or in src/. Start in the repository, or name the file.")


def _root(file: Path) -> Path:
    for folder in file.parents:
        if any((folder / mark).exists() for mark in MARKS):
            return folder
    return _source_folder(file, Path("/"))[0]


def _source_folder(file: Path, root: Path) -> tuple[Path, str]:
    """Folder that the module is imported from, and the module's name."""
    folder, parts = file.parent, [] if file.name == "__init__.py" else [file.stem]
    while (folder / "__init__.py").is_file() and folder != root:
        parts.insert(0, folder.name)
        folder = folder.parent
    return folder, ".".join(parts)


def _settings(root: Path) -> dict[str, Any]:
    """The table [tool.maxcode] of pyproject.toml."""
    file = root / "pyproject.toml"
    try:
        found = tomllib.loads(file.read_text()).get("tool", {}).get("maxcode", {}) if file.is_file() else {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{file}: cannot be read ({error})") from None
    unknown = sorted(set(found) - SETTINGS)
    if unknown:
        raise InputError(
            f"{file}: tool.maxcode.{unknown[0]}: no such setting; there are {', '.join(sorted(SETTINGS))}."
        )
    settings: dict[str, Any] = found
    return settings


def _environment(root: Path, python: Path | None, settings: dict[str, Any]) -> Path | None:
    named = python or (root / settings["python"] if "python" in settings else None)
    if named is not None:
        home = named.parent.parent if named.is_file() else named
        if not (home / "bin" / "python").exists():
            raise InputError(f"--python {named}: is no virtual environment: it has no bin/python.")
        return home.absolute()
    return next((root / each for each in ENVIRONMENTS if (root / each / "bin" / "python").exists()), None)


def _test_command(settings: dict[str, Any]) -> tuple[str, ...]:
    named = settings.get("test")
    if isinstance(named, str):
        return (*SHELL, named)
    return tuple(named) if named else PYTEST


def _below(folder: str, part: str) -> str:
    return folder if part == "." else f"{folder}/{part}"
