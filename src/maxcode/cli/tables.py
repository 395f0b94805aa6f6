"""Tables, for people and for machines."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from maxcode.cli.console import out, print_json
from maxcode.system.options import CommandOption

if TYPE_CHECKING:
    from maxcode.bench.tables import Table


@dataclass(frozen=True)
class TableOptions:
    """How to print tables."""

    form: Annotated[Literal["text", "markdown", "csv", "latex", "html"], CommandOption(names=("--format",))] = "text"
    """How to print the tables."""
    json: Annotated[bool, CommandOption(names=("--json",))] = False
    """Print JSON for machines: one object per cell, then a summary."""


def print_tables(tables: Iterable[Table], options: TableOptions) -> None:
    from maxcode.bench.tables import FORMS, rich

    for table in tables:
        if options.json:
            print_json(table.model_dump())
        elif options.form == "text" and sys.stdout.isatty():
            out.print(rich(table))
        else:
            print(FORMS[options.form](table))
