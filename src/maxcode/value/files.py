"""Rows in a file: one JSON object per line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from maxcode.core import InputError
from maxcode.value.data import StateRow


def read_rows(path: Path) -> list[StateRow]:
    """Reads rows. InputError names the line and the field that is wrong, or says that there are no rows."""
    rows = []
    with path.open() as file:
        for number, line in enumerate(file, 1):
            try:
                rows.append(StateRow.model_validate_json(line))
            except ValidationError as error:
                problem = error.errors()[0]
                field = ".".join(map(str, problem["loc"])) or "the line"
                raise InputError(
                    f"{path}:{number}: {field}: {problem['msg']}; make the file with `maxcode value data`."
                ) from None
    if not rows:
        raise InputError(f"{path}: has no rows; make the file with `maxcode value data`.")
    return rows


def write_rows(rows: Iterable[StateRow], path: Path) -> None:
    with path.open("w") as file:
        file.writelines(row.model_dump_json() + "\n" for row in rows)
