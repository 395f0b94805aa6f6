"""`maxcode mcp`."""

from __future__ import annotations

import asyncio
from pathlib import Path

from maxcode.core import InputError
from maxcode.search.strategies import strategy as known_strategy
from maxcode.task import load_task


def run(folder: Path, *, strategy: str, evals: int) -> None:
    try:
        from maxcode.optimize.mcp import serve
    except ModuleNotFoundError as error:
        raise InputError(f"maxcode mcp needs the package '{error.name}': pip install 'maxcode[mcp]'.") from None
    known_strategy(strategy)
    asyncio.run(serve(load_task(folder), strategy, evals))
