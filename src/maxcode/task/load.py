"""Reading a task folder, with errors that name the file, the field and the fix."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from maxcode.core import InputError
from maxcode.system.readable import make_readable, opened
from maxcode.task.model import InputFormat, Task
from maxcode.task.ordinary import FILE_NAME


def load_task(path: str | Path, changes: dict[str, Any] | None = None) -> Task:
    """The task in the folder `path` (or in the folder of the given task.toml), with some settings changed."""
    given = Path(path)
    folder = (given.parent if given.name == FILE_NAME else given).absolute()
    file = folder / FILE_NAME
    if folder.is_file():
        raise InputError(f"{given}: is a file; a task is a folder. `maxcode new DIR --from {given}` makes one of it.")
    if not folder.is_dir():
        raise InputError(f"{given}: no such folder. A task is a folder with a {FILE_NAME}; `maxcode new` makes one.")
    if not file.is_file():
        raise InputError(f"{file}: not found. A task is a folder with a {FILE_NAME}; `maxcode new` makes one.")
    make_readable(file)
    task = _parse(file, folder, changes or {})
    task.kind.check_files(file, task)
    return task


def load_format(file: Path) -> InputFormat:
    """The [format] table of a TOML file, such as a task's."""
    data = _toml(file)
    if "format" not in data:
        raise InputError(f"{file}: has no [format] table. See docs/tasks.md for what it may hold.")
    try:
        return InputFormat.model_validate(data["format"])
    except ValidationError as error:
        raise InputError(_explain(file, error)) from None


def _toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text())
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{file}: not valid TOML: {error}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: cannot be read ({error})") from None


def _parse(file: Path, folder: Path, changes: dict[str, Any]) -> Task:
    data = _toml(file)
    for name in {"folder", "changes", "settings"} & set(data):
        raise InputError(f"{file}: {name}: not a setting of a {FILE_NAME}. Remove it.")
    try:
        return Task.model_validate({**_merged(data, changes), "folder": folder, "changes": changes})
    except ValidationError as error:
        raise InputError(_explain(file, error, data.get("kind"))) from None


def _merged(data: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """The data with changes: tables are merged, everything else is replaced."""
    both = {
        k: _merged(v, changes[k]) for k, v in data.items() if isinstance(v, dict) and isinstance(changes.get(k), dict)
    }
    return data | changes | both


def _explain(file: Path, error: ValidationError, table: object = "") -> str:
    lines = []
    for problem in error.errors():
        first, *rest = problem["loc"] or ("(whole file)",)
        field = ".".join(map(str, (table if first == "settings" else first, *rest)))
        lines.append(f"{file}: {field}: {_message(problem['type'], problem['msg'], problem.get('input'))}")
    return "\n".join(lines)


def _message(kind: str, message: str, value: object) -> str:
    if kind == "extra_forbidden":
        return "no such field. Remove it, or check its spelling against docs/tasks.md."
    if kind == "missing":
        return "is required. Add it."
    text = message.removeprefix("Value error, ")
    return text if isinstance(value, dict | list) or value is None else f"{text} (it is {value!r})"


def check_folder(file: Path, task: Task) -> None:
    """Raises InputError where a file or folder that the settings name is missing or not as it should be."""
    for field, name in _named_files(task):
        _check_inside(file, field, name, task)
        path = task.folder / name
        make_readable(path)
        if not path.is_file():
            raise InputError(f"{file}: {field}: '{name}' is not there. Create {path} or correct the name.")
    for field, tests in (("tests.public", task.tests.public), ("tests.hidden", task.tests.hidden)):
        if tests is not None:
            _check_inside(file, field, tests, task)
            make_readable(task.folder / tests)
            _check_answers(file, field, _inputs(file, field, task.folder / tests))
    for i, workload in enumerate(task.workloads):
        if workload.variants is not None:
            _check_inside(file, f"workloads.{i}.variants", workload.variants, task)
            make_readable(task.folder / workload.variants)
            _inputs(file, f"workloads.{i}.variants", task.folder / workload.variants)
    for path in sorted(task.material()):
        opened(path).close()


def _check_inside(file: Path, field: str, name: str, task: Task) -> None:
    if not (task.folder / name).resolve().is_relative_to(task.folder.resolve()):
        raise InputError(f"{file}: {field}: '{name}' is outside the task's folder. Copy it into the folder.")


def _named_files(task: Task) -> list[tuple[str, str]]:
    named: list[tuple[str, str | None]] = [("baseline", name) for name in task.files]
    named += [(f"run.files.{i}", name) for i, name in enumerate(task.run.files)]
    named.append(("tests.checker", task.tests.checker))
    named += [(f"tests.generated.{i}.generator", g.generator) for i, g in enumerate(task.tests.generated)]
    for i, workload in enumerate(task.workloads):
        named += [(f"workloads.{i}.input", workload.input), (f"workloads.{i}.generator", workload.generator)]
    named += task.kind.named(task)
    return [(field, name) for field, name in named if name is not None]


def _inputs(file: Path, field: str, folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise InputError(f"{file}: {field}: folder {folder} is not there. Create it or correct the name.")
    inputs = sorted(folder.glob("input.*.txt"))
    if not inputs:
        raise InputError(f"{file}: {field}: {folder} has no input.N.txt. Add input.0.txt, or remove the field.")
    return inputs


def _check_answers(file: Path, field: str, inputs: list[Path]) -> None:
    for path in inputs:
        answer = path.with_name(path.name.replace("input.", "output.", 1))
        if not answer.is_file():
            raise InputError(f"{file}: {field}: {path.name} has no {answer.name} beside it. Add the expected output.")
