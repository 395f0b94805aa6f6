"""`maxcode new`."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from rich.markup import escape

from maxcode.authoring.new import scaffold_for, slug
from maxcode.cli.console import out, print_json, working
from maxcode.core import InputError
from maxcode.task.kind import NewOptions
from maxcode.task.load import load_format


def run(
    folder: Path,
    source: Path,
    inputs: list[Path],
    *,
    name: str | None,
    flags: str | None,
    generator: str | None,
    tests: Path | None,
    format_file: Path | None,
    python: Path | None,
    command: str | None,
    as_json: bool,
) -> None:
    if name is not None and not re.fullmatch(r"[\w.-]+", name):
        raise InputError(f"--name {name}: may have letters, digits, '_', '.' and '-' only; such as {slug(name)}.")
    scaffold = scaffold_for(source)
    wanted = NewOptions(
        inputs=tuple(inputs),
        name=name,
        flags=tuple(shlex.split(flags)) if flags is not None else None,
        generator=generator,
        tests=tests,
        known=load_format(format_file) if format_file else None,
        python=python,
        command=command,
    )
    with working(scaffold.doing):
        made = scaffold.make(folder, source, wanted)
    if as_json:
        print_json(made.summary)
        return
    out.print(f"[bold]{escape(str(folder))}[/]: {escape(made.head)}")
    for line in made.lines:
        out.print(f"  {escape(line)}", soft_wrap=True)
    out.print(f"Next: describe it in {escape(str(folder))}/task.toml, then `maxcode check {escape(str(folder))}`.")
