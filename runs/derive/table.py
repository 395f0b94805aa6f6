"""A line for each program: tests derived and dropped, seconds, the expert's verdict, wrong versions refused."""

from __future__ import annotations

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from maxcode.core import Outcome, Status
from maxcode.evaluate.pool import LocalPool
from maxcode.kinds.program.scaffold import Scaffolded, scaffold
from maxcode.task import Task, load_task
from maxcode.task.kind import NewOptions


def main() -> None:
    folder = Path(sys.argv[1])
    wrong = Path(sys.argv[2]) if len(sys.argv) > 2 else folder
    names = sys.argv[3:] or sorted(path.parent.name for path in folder.glob("*/meta.json"))
    rows = [_row(folder / name, wrong / name) for name in names]
    took, experts = [row[0] for row in rows], sum(row[1] for row in rows)
    refused, planted = sum(row[2] for row in rows), sum(row[3] for row in rows)
    share = f"{refused / planted:.0%}" if planted else "none planted"
    print(f"median {statistics.median(took):.1f} s; expert accepted {experts} of {len(rows)}")
    print(f"wrong versions refused: {refused} of {planted} ({share})")


def _row(program: Path, wrong: Path) -> tuple[float, bool, int, int]:
    (slow,), (expert,) = program.glob("slow.*"), program.glob("expert.*")
    versions = sorted(wrong.glob("wrong_*.*"))
    size = json.loads((program / "meta.json").read_text())["size"]
    with tempfile.TemporaryDirectory(prefix="derive-") as scratch:
        given = Path(scratch) / "input.txt"
        command = [sys.executable, str(program / "gen.py"), "1", str(size)]
        given.write_bytes(subprocess.run(command, capture_output=True, check=True).stdout)
        start = time.monotonic()
        made = scaffold(Path(scratch) / "task", slow, NewOptions(inputs=(given,)))
        seconds = time.monotonic() - start
        outcomes = asyncio.run(_judged(load_task(made.folder), [path.read_text() for path in (expert, *versions)]))
    good, *bad = outcomes
    passed = [path.stem for path, outcome in zip(versions, bad, strict=True) if outcome.status is Status.OK]
    _print(program.name, made, seconds, good, len(versions), passed)
    return seconds, good.status is Status.OK, len(bad) - len(passed), len(bad)


def _print(name: str, made: Scaffolded, seconds: float, expert: Outcome, planted: int, passed: list[str]) -> None:
    tests = f"{made.public + made.hidden:3} tests {made.refused:3} dropped {sum(made.variants.values())} variants"
    words = f"expert {expert.status.value} {(expert.reason or '')[:80]}".strip()
    missed = f" (missed: {', '.join(passed)})" if passed else ""
    print(f"{name:20} {tests} {seconds:5.1f} s  {words}  wrong {planted - len(passed)}/{planted}{missed}", flush=True)


async def _judged(task: Task, sources: list[str]) -> list[Outcome]:
    async with LocalPool(1, use_cache=False) as pool:
        return await pool(task, [task.candidate(text) for text in sources], measure=False)


if __name__ == "__main__":
    main()
