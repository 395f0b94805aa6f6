"""`maxcode mcp`."""

from __future__ import annotations

from pathlib import Path

from maxcode.cli.optimize import opened
from maxcode.cli.stopping import run_until_interrupted
from maxcode.core import InputError
from maxcode.search.strategies import strategy as known_strategy
from maxcode.task.kind import NewOptions


def run(target: Path | None, bare: NewOptions, *, strategy: str, evals: int) -> None:
    try:
        from maxcode.optimize.mcp import serve
    except ModuleNotFoundError as error:
        raise InputError(f"maxcode mcp needs the package '{error.name}': pip install 'maxcode[mcp]'.") from None
    known_strategy(strategy)
    run_until_interrupted(serve(opened(target, bare) if target else None, strategy, evals))
