"""`maxcode new`."""

from __future__ import annotations

import re
from pathlib import Path

from rich.markup import escape

from maxcode.authoring.new import scaffold_for, slug
from maxcode.cli.console import out, print_json, working
from maxcode.core import InputError
from maxcode.task.kind import NewOptions
from maxcode.task.load import load_format
from maxcode.task.model import InputFormat


def known_format(file: Path | None) -> InputFormat | None:
    """The [format] table of a file; None where none was given."""
    return load_format(file) if file else None


def run(
    folder: Path,
    source: Path,
    wanted: NewOptions,
    *,
    as_json: bool,
) -> None:
    name = wanted.name
    if name is not None and not re.fullmatch(r"[\w.-]+", name):
        raise InputError(f"--name {name}: may have letters, digits, '_', '.' and '-' only; such as {slug(name)}.")
    scaffold = scaffold_for(source)
    with working(scaffold.doing):
        made = scaffold.make(folder, source, wanted)
    if as_json:
        print_json(made.summary)
        return
    out.print(f"[bold]{escape(str(folder))}[/]: {escape(made.head)}")
    for line in made.lines:
        out.print(f"  {escape(line)}", soft_wrap=True)
    out.print(f"Next: describe it in {escape(str(folder))}/task.toml, then `maxcode check {escape(str(folder))}`.")
