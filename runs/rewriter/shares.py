"""What becomes of every transformation on every task of a folder: each rewrite alone, built and tested, not timed.

python runs/rewriter/shares.py examples [--most 6]
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter, defaultdict
from pathlib import Path

from maxcode.bench.tables import Table, plain
from maxcode.core import Candidate, Status
from maxcode.evaluate.pool import LocalPool
from maxcode.policy.rewrite.actions import BY_NAME, language_of, rewrites, setting_of
from maxcode.policy.rewrite.source import SourceFile, apply
from maxcode.task import Task, load_task


def candidates(task: Task, most: int) -> list[Candidate]:
    """The most likely rewrites of each transformation, at most `most` of each."""
    found = []
    for file in task.editable or task.files:
        source = SourceFile(task.read(file), language_of(file, task))
        for name in BY_NAME:
            ranked = sorted(rewrites(source, setting_of(task), name), key=lambda rewrite: -rewrite.weight)
            for rewrite in ranked[:most]:
                files = {**task.baseline_candidate.files, file: apply(source, rewrite.edits).code}
                found.append(Candidate(files=files, origin=f"{name}({rewrite.options})@{rewrite.line}"))
    return found


async def judged(tasks: list[Task], most: int) -> dict[str, Counter[str]]:
    shares: dict[str, Counter[str]] = defaultdict(Counter)
    async with LocalPool() as pool:
        for task in tasks:
            programs = candidates(task, most)
            for program, outcome in zip(programs, await pool(task, programs, measure=False), strict=True):
                name = (program.origin or "").partition("(")[0]
                built = outcome.status not in (Status.REJECTED, Status.BUILD_ERROR)
                shares[name].update(all=1, built=int(built), right=int(outcome.status is Status.OK))
                if outcome.status is not Status.OK:
                    reason = (outcome.reason or "").splitlines()[0][:110]
                    print(f"{task.name}: {program.origin}: {outcome.status.value}: {reason}", flush=True)
    return shares


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--most", type=int, default=6)
    given = parser.parse_args()
    tasks = [load_task(path) for path in sorted(given.folder.glob("*/task.toml"))]
    shares = asyncio.run(judged(tasks, given.most))
    total = sum(shares.values(), Counter())
    rows = [(name, *(str(counts[key]) for key in ("all", "built", "right"))) for name, counts in sorted(shares.items())]
    rows.append(("all", *(f"{total[key]}" for key in ("all", "built", "right"))))
    print(plain(Table(title="Rewrites by transformation", columns=("name", "all", "built", "right"), rows=tuple(rows))))
    print(f"built {total['built'] / total['all']:.1%}, right {total['right'] / total['all']:.1%}")


if __name__ == "__main__":
    main()
