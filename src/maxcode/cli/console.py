"""What all commands share: consoles, tables, progress, errors, exit codes, JSON."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import Any

import typer
from rich import box
from rich.console import Console, ConsoleOptions, RenderableType
from rich.markup import escape
from rich.measure import Measurement
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from maxcode.core import EvaluatorError, ExitCode, InputError, JournalError, PolicyError
from maxcode.system.places import in_words
from maxcode.system.visible import visible

INTERRUPTED = 130
"""Exit code of what Ctrl-C ended, as shells have it."""
PIPED_WIDTH = 4000
"""Columns of output that goes to a pipe: enough that nothing is broken into lines or cut."""
LOG_EVERY = 10.0
"""Seconds between two lines on what is being done, where lines are not redrawn."""


class PlainConsole(Console):
    """A console on which no text moves the cursor, hides or reorders anything; only its own drawing does."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=visible(segment.text))


def console(*, stderr: bool) -> Console:
    """Colours and lines that are redrawn only at a terminal, and never with NO_COLOR; whole lines in a pipe."""
    stream = sys.stderr if stderr else sys.stdout
    plain = bool(os.environ.get("NO_COLOR"))
    piped = not stream.isatty() and "COLUMNS" not in os.environ
    return PlainConsole(
        stderr=stderr,
        highlight=False,
        force_terminal=False if plain else None,
        width=PIPED_WIDTH if piped else None,
    )


out = console(stderr=False)
err = console(stderr=True)


def print_json(value: Any) -> None:
    """One JSON document on one line of standard output."""
    sys.stdout.write(json.dumps(value, allow_nan=False) + "\n")
    sys.stdout.flush()


def print_source(text: str) -> None:
    """A program or a patch: to the byte in a pipe or a file, where it is going to be used; harmless at a terminal."""
    if sys.stdout.isatty():
        out.print(Text(visible(text)), end="", soft_wrap=True)
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode(errors="surrogateescape"))
    sys.stdout.flush()


def redraws() -> bool:
    """Whether standard error is a terminal on which a line can be redrawn."""
    return err.is_terminal and not err.is_dumb_terminal


@contextmanager
def working(words: str) -> Iterator[Callable[[str], None]]:
    """Says what is being done for as long as it takes, and takes news of it.

    One line that is redrawn; where lines are not redrawn, as in a log, the latest words every ten seconds.
    """
    if not redraws():
        if sys.stderr.isatty():
            err.print(words, markup=False)
        latest = words

        def take(news: str) -> None:
            nonlocal latest
            latest = news

        with told_regularly(lambda: latest, LOG_EVERY):
            yield take
        return
    with err.status(escape(words)) as status:
        yield lambda news: status.update(escape(news))


@contextmanager
def told_regularly(words: Callable[[], str], seconds: float) -> Iterator[None]:
    """Prints how far the work is every so many seconds, for logs, in which lines are not redrawn."""
    ended = Event()

    def tell() -> None:
        while not ended.wait(seconds):
            with suppress(RuntimeError):  # what it looks at has just changed; there will be another time
                err.print(words(), markup=False, soft_wrap=True)

    thread = Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, left: Collection[str]) -> None:
    """Rows of cells in rich markup under columns, figures to the right. Row by row where the terminal is too narrow."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for column in columns:
        table.add_column(column, justify="left" if column in left else "right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    if Measurement.get(out, out.options.update(max_width=PIPED_WIDTH), table).maximum <= out.width:
        out.print(table)
    else:
        _print_row_by_row(columns, rows)


def _print_row_by_row(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    widest = max(map(len, columns))
    for row in rows:
        out.print()
        for column, cell in zip(columns, row, strict=True):
            out.print(f"[dim]{column:<{widest}}[/]  {cell}", soft_wrap=True)
    out.print()


def print_error(kind: str, message: str) -> None:
    """The one form of all errors."""
    err.print(Text.assemble((f"{kind}:", "bold red"), f" {message}"), soft_wrap=True)


@contextmanager
def reporting_errors() -> Iterator[None]:
    """Turns our errors into messages and exit codes: 2 for bad input, 1 for a job that failed."""
    try:
        yield
    except InputError as error:
        print_error("error", str(error))
        raise typer.Exit(ExitCode.BAD_INPUT) from None
    except (EvaluatorError, JournalError, PolicyError) as error:
        print_error("failed", str(error))
        raise typer.Exit(ExitCode.FAILED) from None
    except OSError as error:
        message = in_words(error)
        if message is None:
            raise
        print_error("failed", message)
        raise typer.Exit(ExitCode.FAILED) from None
    except KeyboardInterrupt:
        err.print("stopped.")
        raise typer.Exit(INTERRUPTED) from None
