"""Commands that take records of options: each field of a record is an option of the command.

`taking_records` gives typer a function with a parameter for each field. The command itself gets the records, filled:

    def ablate(data: DataFile, tables: TableOptions) -> None: ...

A parameter's default, a record, gives the fields other defaults. `Annotated[Record, Instead(evals=...)]` describes some
of its fields otherwise, or leaves them out.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import MISSING, dataclass
from itertools import chain
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer

from maxcode.system.options import CommandOption, OptionField, filled_record, is_record, option_fields


class Instead:
    """Other descriptions of some fields, for one command; None for a field that it does not take."""

    def __init__(self, **fields: CommandOption | None) -> None:
        self.fields = fields


@dataclass(frozen=True)
class _Taken:
    """A parameter of a command that is a record."""

    record: type[Any]
    fields: list[OptionField]
    left_out: dict[str, Any]
    """Values of the fields that the command does not take."""

    def filled(self, given: dict[str, Any]) -> Any:
        return filled_record(self.record, {**given, **self.left_out})


def taking_records(command: Callable[..., None]) -> Callable[..., None]:
    """The command as typer takes it: with the fields of records in place of the records."""
    hints = get_type_hints(command, include_extras=True)
    own = [
        each.replace(annotation=hints.get(each.name, each.annotation), kind=each.KEYWORD_ONLY)
        for each in inspect.signature(command).parameters.values()
    ]
    taken = {each.name: found for each in own if (found := _taken(each))}
    plain = [each.name for each in own if each.name not in taken]

    def call(**given: Any) -> None:
        filled = {name: each.filled(given) for name, each in taken.items()}
        command(**{name: given[name] for name in plain}, **filled)

    call.__doc__, call.__annotations__ = command.__doc__, {}
    parameters = (map(_parameter, taken[each.name].fields) if each.name in taken else [each] for each in own)
    return with_signature(call, chain.from_iterable(parameters), command.__name__)


def with_signature(
    function: Callable[..., None], parameters: Iterable[inspect.Parameter], name: str
) -> Callable[..., None]:
    """The function, which takes any keywords, under another name and with parameters of its own."""
    function.__name__ = name
    vars(function)["__signature__"] = inspect.Signature(list(parameters))
    return function


def _taken(parameter: inspect.Parameter) -> _Taken | None:
    hint, default = parameter.annotation, parameter.default
    record, *others = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    if not is_record(record):
        return None
    instead = next((each.fields for each in others if isinstance(each, Instead)), {})
    kept, left_out = [], {}
    for field in option_fields(record, None if default is parameter.empty else default):
        option = instead.get(field.name, field.option)
        if option is None:
            left_out[field.name] = field.default
        else:
            kept.append(field.described(option))
    return _Taken(record, kept, left_out)


def _parameter(field: OptionField) -> inspect.Parameter:
    default = inspect.Parameter.empty if field.default is MISSING else field.default
    kind: Any = field.kind
    annotation = Annotated[kind, _described(field.option)]
    return inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _described(option: CommandOption) -> Any:
    described: dict[str, Any] = {
        "help": option.help,
        "metavar": option.metavar,
        "min": option.least,
        "max": option.most,
        "show_default": True if option.default is None else option.default,
        "rich_help_panel": option.panel,
        "autocompletion": option.complete,
        "exists": option.exists,
        "file_okay": option.folder is not True,
        "dir_okay": option.folder is not False,
    }
    return typer.Argument(**described) if option.argument else typer.Option(*option.names, **described)
