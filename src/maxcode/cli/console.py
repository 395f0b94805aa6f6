"""What all commands share: consoles, exit codes, JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from rich.console import Console

from maxcode.core import EvaluatorError, ExitCode, InputError, JournalError, PolicyError

INTERRUPTED = 130
"""Exit code of what Ctrl-C ended, as shells have it."""

out = Console()
err = Console(stderr=True)


def print_json(value: Any) -> None:
    """One JSON document on one line of standard output."""
    sys.stdout.write(json.dumps(value, allow_nan=False) + "\n")
    sys.stdout.flush()


@contextmanager
def reporting_errors() -> Iterator[None]:
    """Turns our errors into messages and exit codes: 2 for bad input, 1 for a job that failed."""
    try:
        yield
    except InputError as error:
        err.print(f"[bold red]error:[/] {_plain(error)}", highlight=False, soft_wrap=True)
        raise typer.Exit(ExitCode.BAD_INPUT) from None
    except (EvaluatorError, JournalError, PolicyError) as error:
        err.print(f"[bold red]failed:[/] {_plain(error)}", highlight=False, soft_wrap=True)
        raise typer.Exit(ExitCode.FAILED) from None
    except KeyboardInterrupt:
        err.print("stopped.")
        raise typer.Exit(INTERRUPTED) from None


def _plain(error: Exception) -> str:
    return str(error).replace("[", "\\[")
