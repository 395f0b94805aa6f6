"""Writes docs/reference from the code: commands and options, fields of task.toml, settings of models, strategies."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, Union

import typer
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from maxcode.cli.help import HelpSection, first_sentence, sections_of, usage
from maxcode.cli.main import app
from maxcode.config import ClusterSettings, Config, ModelSettings
from maxcode.critic.choose import CRITICS
from maxcode.evaluate.engine import ENGINES
from maxcode.kinds.command.table import Command
from maxcode.kinds.kernel.table import Argument, Fill, Kernel, Shapes
from maxcode.kinds.torch.table import Torch
from maxcode.plugins import Choice, forms
from maxcode.policy.table import POLICIES
from maxcode.search.strategies import STRATEGIES
from maxcode.search.strategy import ADDITIONS, Addition, Strategy
from maxcode.system.options import attribute_docstrings
from maxcode.task.kind import Kind, kind_named, kind_names
from maxcode.task.model import Build, Generated, Limits, Objective, Rules, Task, Tests, Tolerance, Workload

T = TypeVar("T")
FOLDER = Path(__file__).parents[2] / "docs/reference"
NOTE = "<!-- written by runs/docs/reference.py; change the code and run it again -->\n\n"
TABLES: dict[str, type[BaseModel]] = {
    "Top level": Task,
    "[build]": Build,
    "[tests]": Tests,
    "[[tests.generated]]": Generated,
    "[tests.tolerance], [kernel.tolerance]": Tolerance,
    "[[workloads]]": Workload,
    "[kernel]": Kernel,
    "[[kernel.arguments]]": Argument,
    "fill of an argument": Fill,
    "[kernel.shapes]": Shapes,
    "[torch]": Torch,
    "[command]": Command,
    "[limits]": Limits,
    "[rules]": Rules,
    "[objective]": Objective,
}
OTHERS = """
## From other packages

Installed packages add to each of these by entry points of the groups `maxcode.strategies`, `maxcode.critics`,
`maxcode.policies` and `maxcode.engines`; to the kinds of tasks by `maxcode.kinds`, to value models by `maxcode.values`.
[tests/plugins](../../tests/plugins) is a package that does so.
"""
NOT_IN_FILES = ("folder", "changes")


def commands() -> str:
    """All commands in the order of `maxcode --help`, each with its arguments and options."""
    root = typer.main.get_command(app)
    parts = [NOTE, "# Commands\n\n", "This page is made from the code. `maxcode COMMAND --help` prints the same.\n"]
    for path, command in _walked(root, "maxcode"):
        parts.append(f"\n## `{path}`\n\n" if path != "maxcode" else "\n")
        parts.append(f"    {usage(command, path)}\n\n{_paragraphs(command.help or '')}\n")
        parts.extend(map(_section, sections_of(command)))
    return "".join(parts)


def _section(section: HelpSection) -> str:
    """Without the column of defaults where nothing has one."""
    rows = [(f"`{_cell(each.names)}`", _cell(each.text), _cell(each.default or "")) for each in section.entries]
    columns = ("", section.title.lower(), "default")
    width = 3 if any(default for *_, default in rows) else 2
    return "\n" + _table(columns[:width], [row[:width] for row in rows])


def _walked(command: Any, path: str) -> Iterator[tuple[str, Any]]:
    yield path, command
    for name, child in getattr(command, "commands", {}).items():
        if not child.hidden:
            yield from _walked(child, f"{path} {name}")


def _paragraphs(text: str) -> str:
    return "\n\n".join(" ".join(each.split()) for each in text.split("\n\n"))


def task() -> str:
    parts = [NOTE, "# task.toml, by field\n\n"]
    parts.append("This page is made from the code. [Tasks](../tasks.md) explains the fields with examples.\n")
    for title, model in TABLES.items():
        parts.append(f"\n## {title}\n\n{_fields(model, skip=NOT_IN_FILES)}")
    return "".join(parts)


def config() -> str:
    head = (
        "# Configuration\n\n"
        "This page is made from the code. The configuration is a TOML file: `--config FILE`, or else `maxcode.toml`\n"
        "in the current folder, or else `config.toml` in `MAXCODE_HOME`. Secrets come from the environment only.\n"
        "[My own model endpoint](../howto/endpoint.md) shows how to use it.\n"
    )
    tables: dict[str, type[BaseModel]] = {
        "Top level": Config,
        '[models."NAME"]': ModelSettings,
        "[cluster]": ClusterSettings,
    }
    return f"{NOTE}{head}" + "".join(f"\n## {title}\n\n{_fields(model)}" for title, model in tables.items())


def strategies() -> str:
    head = (
        "# Strategies, by setting\n\n"
        "This page is made from the code. [Strategies](../strategies.md) explains what else can be set.\n"
    )
    columns = ("strategy", "selects", "rule and sizes", "ranks states by", "profile", "paper")
    added = [(f"`+{name}`", *_addition(each)) for name, each in ADDITIONS.items()]
    return (
        f"{NOTE}{head}\n{_table(columns, [_strategy(each) for each in STRATEGIES.values()])}"
        "\n## Additions\n\nAny number of additions can follow the name of a strategy: `beam+maxcode+value`.\n\n"
        f"{_table(('addition', 'does', 'fits', 'paper'), added)}"
        "\n## Critics\n\nA critic diagnoses programs if the strategy asks for critiques: `--critic rules`.\n\n"
        f"{_table(('critic', 'does'), _choices(CRITICS))}"
        "\n## Policies\n\nA policy proposes programs: `--policy openai:MODEL`. Policies can be mixed and recorded.\n\n"
        f"{_table(('policy', 'does'), _choices(POLICIES))}"
        "\n## Engines\n\nAn engine judges programs: `--engine ray`.\n\n"
        f"{_table(('engine', 'is'), [(f'`{name}`', each.about) for name, each in ENGINES.items()])}"
        f"{OTHERS}"
    )


def _strategy(each: Strategy) -> tuple[str, ...]:
    ranks = each.value if each.by_value else "-"
    return (f"`{each.name}`", each.about, _rule(each), ranks, "yes" if each.profile else "no", each.paper)


def _addition(each: Addition) -> tuple[str, ...]:
    return (each.about, each.where or "all", each.paper)


def _choices(choices: Mapping[str, Choice[T]]) -> list[tuple[str, ...]]:
    return [(f"`{form}`", choice.about) for form, choice in zip(forms(choices), choices.values(), strict=True)]


def _rule(each: Strategy) -> str:
    """The rule with its sizes."""
    assert isinstance(each.select, partial), f"{each.name}: select must be a partial of its rule"
    sizes = (f"{name}={getattr(value, '__name__', value)}" for name, value in each.select.keywords.items())
    return f"`{each.select.func.__name__}({', '.join(sizes)})`"


def _fields(model: type[BaseModel], skip: tuple[str, ...] = ()) -> str:
    said = attribute_docstrings(model)
    rows = []
    for name, field in model.model_fields.items():
        if name in skip:
            continue
        if field.annotation is Kind:
            rows.append((f"`{name}`", ", ".join(f'`"{each}"`' for each in kind_names()), "required", said[name]))
            continue
        if name == "settings":
            rows += [
                (f"`{each.name}`", "table", "none", inspect.getdoc(each.table) or "") for each in kinds_with_tables()
            ]
            continue
        if name not in said:
            raise LookupError(f"{model.__module__}.{model.__name__}.{name} has no docstring")
        rows.append((f"`{name}`", _cell(_kind(field)), _cell(_default(field)), _cell(said[name])))
    return _table(("field", "type", "default", "meaning"), rows)


def kinds_with_tables() -> list[Kind]:
    return [kind for name in kind_names() if (kind := kind_named(name)).table is not None]


def _kind(field: FieldInfo) -> str:
    bounds = [
        f"{word} {getattr(each, name):g}"
        for each in field.metadata
        for name, word in BOUNDS.items()
        if hasattr(each, name)
    ]
    return ", ".join([_words(field.annotation), *bounds])


BOUNDS = {"ge": "at least", "gt": "above", "le": "at most", "lt": "below"}
PLAIN = {
    str: "text",
    bool: "true or false",
    int: "whole number",
    float: "number",
    Path: "path",
    type(None): "none",
    object: "any",
}


def _words(kind: Any) -> str:
    origin, inside = typing.get_origin(kind), typing.get_args(kind)
    if kind in PLAIN:
        return PLAIN[kind]
    if origin is Annotated:
        return _words(inside[0])
    if origin in (Union, types.UnionType):
        return " or ".join(dict.fromkeys(_words(each) for each in inside if each is not type(None)))
    if origin is Literal:
        return ", ".join(f'`"{each}"`' for each in inside)
    if origin is tuple:
        return f"list of {_words(inside[0])}".replace("list of table", "list of tables")
    if origin is dict:
        return "table"
    if inspect.isclass(kind) and issubclass(kind, Enum):
        return ", ".join(f'`"{each.value}"`' for each in kind)
    return "table" if inspect.isclass(kind) and issubclass(kind, BaseModel) else str(kind)


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    value = field.get_default(call_default_factory=True)
    if value is None or value == () or value == {} or isinstance(value, BaseModel):
        return "none"
    if isinstance(value, bool):
        return "`true`" if value else "`false`"
    if isinstance(value, tuple):
        return "`[" + ", ".join(f'"{each}"' for each in value) + "]`"
    return f'`"{value}"`' if isinstance(value, str) else f"`{value:g}`"


def _cell(text: str) -> str:
    return first_sentence(text).replace("|", r"\|")


def _table(columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [columns, ("---",) * len(columns), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


PAGES: dict[str, Callable[[], str]] = {
    "commands.md": commands,
    "task.md": task,
    "config.md": config,
    "strategies.md": strategies,
}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, page in PAGES.items():
        (FOLDER / name).write_text(page())
