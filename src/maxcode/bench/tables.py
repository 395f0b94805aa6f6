"""Tables as data, and the forms they are written in: terminal, Markdown, CSV, LaTeX, HTML."""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Callable

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable

from maxcode.core import Frozen


class Table(Frozen):
    """Text cells under columns; the first column names the row, the others are figures unless they are words."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    words: tuple[str, ...] = ()
    """Columns of words rather than figures; they are aligned on the left."""

    def is_words(self, column: str) -> bool:
        return column == self.columns[0] or column in self.words


def rich(table: Table) -> RichTable:
    made = RichTable(title=escape(table.title), caption=escape(table.note) or None, box=box.SIMPLE_HEAD, pad_edge=False)
    made.title_justify = made.caption_justify = "left"
    for column in table.columns:
        made.add_column(escape(column), justify="left" if table.is_words(column) else "right")
    for row in table.rows:
        made.add_row(*map(escape, row))
    return made


def plain(table: Table) -> str:
    """The table as plain text, up to 200 characters wide, without colours."""
    text = io.StringIO()
    Console(file=text, width=200, no_color=True).print(rich(table))
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines()) + "\n"


def markdown(table: Table) -> str:
    align = "|" + "|".join("---" if table.is_words(column) else "---:" for column in table.columns) + "|"
    lines = [_pipes(table.columns), align, *map(_pipes, table.rows)]
    note = f"\n{table.note}\n" if table.note else ""
    return f"**{table.title}**\n\n" + "\n".join(lines) + "\n" + note


def _pipes(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def comma_separated(table: Table) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([table.columns, *table.rows])
    return text.getvalue()


def latex(table: Table) -> str:
    lines = [
        r"\begin{table}",
        rf"\caption{{{_tex(table.title)}}}",
        rf"\begin{{tabular}}{{{''.join('l' if table.is_words(column) else 'r' for column in table.columns)}}}",
    ]
    lines += [r"\toprule", " & ".join(map(_tex, table.columns)) + r" \\", r"\midrule"]
    lines += [" & ".join(map(_tex, row)) + r" \\" for row in table.rows]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}"]) + "\n"


def _tex(text: str) -> str:
    return re.sub(r"([&%$#_{}])", r"\\\1", text.replace("\\", r"\textbackslash "))


def page(table: Table) -> str:
    head = "".join(f"<th>{html.escape(column)}</th>" for column in table.columns)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>\n" for row in table.rows)
    note = f"<p>{html.escape(table.note)}</p>\n" if table.note else ""
    return (
        f"<table>\n<caption>{html.escape(table.title)}</caption>\n<thead><tr>{head}</tr></thead>\n"
        f"<tbody>\n{body}</tbody>\n</table>\n{note}"
    )


FORMS: dict[str, Callable[[Table], str]] = {
    "text": plain,
    "markdown": markdown,
    "csv": comma_separated,
    "latex": latex,
    "html": page,
}
