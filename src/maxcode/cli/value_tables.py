"""Tables of value models, for people and for machines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from maxcode.cli.bench import Form
from maxcode.cli.console import out, print_json

if TYPE_CHECKING:
    from maxcode.bench.tables import Table


def print_tables(tables: list[Table], form: Form, as_json: bool) -> None:
    from maxcode.bench.tables import FORMS, rich

    for table in tables:
        if as_json:
            print_json(table.model_dump())
        elif form is Form.TEXT and out.is_terminal:
            out.print(rich(table))
        else:
            print(FORMS[form.value](table))
