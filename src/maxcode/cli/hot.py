"""`maxcode hot`."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from rich import box
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from maxcode.cli.console import err, out, print_json
from maxcode.core import Fact
from maxcode.evaluate.pool import LocalPool
from maxcode.hot import Commands, Hot, find_hot


def run(target: Path, *, build: str | None, test: str | None, bench: str | None, as_json: bool) -> None:
    with err.status(f"profiling {escape(str(target))} ..."):
        found = asyncio.run(_find(target, Commands(build=build, test=test, bench=bench)))
    if as_json:
        functions = [fact.model_dump(exclude_none=True) for fact in found.functions]
        print_json({"functions": functions, "files": list(found.files), "task": found.snippet})
        return
    _show(found)


async def _find(target: Path, given: Commands) -> Hot:
    async with LocalPool(1, use_cache=False) as pool:
        return await find_hot(target, given, pool)


def _show(found: Hot) -> None:
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("share", justify="right", no_wrap=True)
    table.add_column("function")
    table.add_column("where", no_wrap=True)
    for fact in found.functions:
        table.add_row(f"{fact.value or 0:.0%}", escape(function_in_words(fact)), escape(_place(fact)))
    out.print(table)
    err.print(f"By {found.functions[0].source}. A task.toml for it, to put into the repository:\n", highlight=False)
    out.print(Text(found.snippet), end="", soft_wrap=True)


def _place(fact: Fact) -> str:
    return f"{fact.file}:{fact.line}" if fact.file and fact.line else fact.file or "-"


def function_in_words(fact: Fact) -> str:
    """The name, with strings spelt as people do."""
    name = fact.text.split(" of the time in ", 1)[-1]
    return re.sub(
        r"std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> ?>", "std::string", name
    )
