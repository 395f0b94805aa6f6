"""Options of a command as a record: a frozen dataclass whose fields are the options, and their docstrings the help.

    @dataclass(frozen=True)
    class PieOptions:
        path: Path
        \"\"\"The file of rows (JSON lines), or its folder.\"\"\"
        tests: Annotated[int, CommandOption(least=2)] = 30
        \"\"\"Tests per task; more are thinned out by size.\"\"\"

A field without a default must be given. The command line is made of such records by `maxcode.cli.options`.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Annotated, Any, get_args, get_origin, get_type_hints


@dataclass(frozen=True)
class CommandOption:
    """What a field is on the command line, beyond its name, type and default."""

    names: tuple[str, ...] = ()
    """Names such as `-o` and `--out`; made from the field's name when absent."""
    argument: bool = False
    """True for an argument: a word that stands for itself, without a name before it."""
    metavar: str | None = None
    """The word for the value in help texts."""
    least: float | None = None
    most: float | None = None
    default: str | None = None
    """The default in words, where the value itself does not say it."""
    panel: str | None = None
    """Title of the group in which help shows it."""
    complete: Callable[..., Any] | None = None
    """Words that a shell offers for the value."""
    exists: bool = False
    """True for a path at which there must be something."""
    folder: bool | None = None
    """True for a path of a folder, False for one of a file; None where both may be."""
    help: str = ""
    """Help text; the docstring of the field when empty."""


@dataclass(frozen=True)
class OptionField:
    """A field of a record, with all that a command line has to know about it."""

    name: str
    kind: Any
    """Type of the value."""
    default: Any
    """Default value; `dataclasses.MISSING` for one that must be given."""
    option: CommandOption

    def described(self, option: CommandOption) -> OptionField:
        """The field as another option, with its own help text where that has none."""
        return replace(self, option=option if option.help else replace(option, help=self.option.help))


def option_fields(record: type[Any], defaults: Any = None) -> list[OptionField]:
    """The fields of a record, those of records inside it among them; `defaults` is a record with other defaults."""
    said, hints = attribute_docstrings(record), get_type_hints(record, include_extras=True)
    found: list[OptionField] = []
    for each in fields(record):
        default = _default(each) if defaults is None else getattr(defaults, each.name)
        kind, option = _parts(hints[each.name])
        if is_record(kind):
            found += option_fields(kind, None if default is MISSING else default)
        else:
            field = OptionField(each.name, kind, default, CommandOption(help=said.get(each.name, "")))
            found.append(field.described(option))
    return found


def _default(field: Field[Any]) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()


def _parts(hint: Any) -> tuple[Any, CommandOption]:
    if get_origin(hint) is not Annotated:
        return hint, CommandOption()
    kind, *others = get_args(hint)
    return kind, next((each for each in others if isinstance(each, CommandOption)), CommandOption())


def filled_record(record: type[Any], given: dict[str, Any]) -> Any:
    """The record with the given values, by the names of its fields and of those of records inside it."""
    hints = get_type_hints(record)
    return record(**{each.name: _filled(hints[each.name], each.name, given) for each in fields(record)})


def _filled(kind: Any, name: str, given: dict[str, Any]) -> Any:
    return filled_record(kind, given) if is_record(kind) else given[name]


def is_record(kind: Any) -> bool:
    """True for a type whose fields are options."""
    return isinstance(kind, type) and is_dataclass(kind)


def attribute_docstrings(record: type[Any]) -> dict[str, str]:
    """The string below each field of a class, on one line."""
    pairs = pairwise(_definitions(record.__module__)[record.__qualname__].body)
    return {
        field.target.id: " ".join(str(text.value.value).split())
        for field, text in pairs
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
    }


@cache
def _definitions(module: str) -> dict[str, ast.ClassDef]:
    """The classes of a module by name, as they are written."""
    text = inspect.getsource(sys.modules[module])
    return {each.name: each for each in ast.parse(text).body if isinstance(each, ast.ClassDef)}
