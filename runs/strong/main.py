"""Commands of runs/strong.sh."""

from __future__ import annotations

import asyncio
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path

from cells import run_cells
from outcomes import print_tables
from program_tasks import make_task

from maxcode.config import load_config


def draw(programs: str, count: str, seed: str) -> None:
    names = sorted(path.parent.name for path in Path(programs).glob("*/meta.json"))
    print(*random.Random(int(seed)).sample(names, int(count)))


def tasks(programs: str, folder: str, *names: str) -> None:
    for name in names:
        print(make_task(Path(programs) / name, Path(folder) / name))


def search(model: str, out: str, *folders: str) -> None:
    config = load_config(Path(os.environ["CONFIG"]) if "CONFIG" in os.environ else None)
    found = run_cells(model, config, Path(out), [Path(each) for each in folders], int(os.environ.get("CELLS", "10")))
    asyncio.run(found)
    print_tables(Path(out))


def table(out: str) -> None:
    print_tables(Path(out))


COMMANDS: dict[str, Callable[..., None]] = {"draw": draw, "tasks": tasks, "search": search, "table": table}

if __name__ == "__main__":
    COMMANDS[sys.argv[1]](*sys.argv[2:])
