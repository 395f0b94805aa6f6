"""`maxcode hot`."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from rich.markup import escape
from rich.text import Text

from maxcode.cli.console import err, out, print_json, print_table, working
from maxcode.core import Fact, InputError
from maxcode.evaluate.pool import LocalPool
from maxcode.kinds.command.hot import GuessedCommands, Hot, find_hot


def run(
    target: Path, *, build: str | None, test: str | None, bench: str | None, output: Path | None, as_json: bool
) -> None:
    with working(f"profiling {target} ..."):
        found = asyncio.run(_find(target, GuessedCommands(build=build, test=test, bench=bench)))
    if output is not None:
        if output.exists():
            raise InputError(f"-o {output}: is there already. Name another file, or remove it first.")
        output.write_text(found.snippet)
    if as_json:
        functions = [fact.model_dump(exclude_none=True) for fact in found.functions]
        print_json({"functions": functions, "files": list(found.files), "task": found.snippet})
        return
    _show(found, output)


async def _find(target: Path, given: GuessedCommands) -> Hot:
    async with LocalPool(1, use_cache=False) as pool:
        return await find_hot(target, given, pool)


def _show(found: Hot, output: Path | None) -> None:
    rows = [(f"{f.value or 0:.0%}", escape(function_in_words(f)), escape(_place(f))) for f in found.functions]
    print_table(("share", "function", "where"), rows, left=("function", "where"))
    if output is not None:
        words = f"Written to {output}. It belongs into the repository, as task.toml; then `maxcode check` looks at it."
        err.print(f"By {found.functions[0].source}. {words}", markup=False, soft_wrap=True)
        return
    err.print(f"By {found.functions[0].source}. A task.toml for it, to put into the repository:\n")
    out.print(Text(found.snippet), end="", soft_wrap=True)


def _place(fact: Fact) -> str:
    return f"{fact.file}:{fact.line}" if fact.file and fact.line else fact.file or "-"


def function_in_words(fact: Fact) -> str:
    """The name, with strings spelt as people do."""
    name = fact.text.split(" of the time in ", 1)[-1]
    return re.sub(
        r"std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> ?>", "std::string", name
    )
