"""Tables of runs/rl_small.sh.

tables.py runs DIR    the trainings in a folder as LABEL=RUN, for `maxcode rl plot`
tables.py table DIR   fresh answers before and after training: per task, then over all; spread over the seeds
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import Any

METHODS = ("before", "plain", "sqd")


def runs(folder: Path) -> str:
    found = []
    for file in sorted(folder.glob("*/run.json")):
        label = file.parent.name.rpartition("-")[0]
        found.append(f"{label}={json.loads(file.read_text())['run']}")
    return " ".join(found)


def trials(folder: Path) -> dict[str, dict[str, list[dict[str, Any]]]]:
    """By method and task, one for each seed."""
    found: dict[str, dict[str, list[dict[str, Any]]]] = {name: defaultdict(list) for name in METHODS}
    for file in sorted(folder.glob("eval-*.jsonl")):
        method = file.stem.split("-")[1]
        for line in file.read_text().splitlines():
            row = json.loads(line)
            found[method][row["task"]].append(row)
    return found


def spread(values: list[float], form: str) -> str:
    if not values:
        return "-"
    mean = format(fmean(values), form)
    return mean if len(values) == 1 else f"{mean} ({format(min(values), form)} to {format(max(values), form)})"


def cells(rows: list[dict[str, Any]]) -> list[str]:
    shares = [row["share_of_library"] for row in rows if row["share_of_library"] is not None]
    return [
        spread([row["success"] for row in rows], ".0%"),
        spread([row["reward"] for row in rows], ".1f"),
        spread([row["gflops"] for row in rows if row["gflops"] is not None], ".3g"),
        spread([row["gflops_best"] for row in rows if row["gflops_best"] is not None], ".3g"),
        spread([row["speedup"] for row in rows if row["speedup"] is not None], ".2f"),
        spread(shares, ".0%"),
    ]


def table(folder: Path) -> str:
    found = trials(folder)
    tasks = list(dict.fromkeys(task for by_task in found.values() for task in by_task))
    lines = [
        "| task | method | correct | reward | GFLOPS | best GFLOPS | mean speedup | best of the library |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for task in tasks:
        for method in METHODS:
            if rows := found[method][task]:
                lines.append("| " + " | ".join([task, method, *cells(rows)]) + " |")
    for method in METHODS:
        rows = [row for by_task in found[method].values() for row in by_task]
        if rows:
            seeds = max(len(by_seed) for by_seed in found[method].values())
            means = [fmean(by_seed[i]["reward"] for by_seed in found[method].values()) for i in range(seeds)]
            speeds = [fmean(by_seed[i]["speedup"] for by_seed in found[method].values()) for i in range(seeds)]
            right = [fmean(by_seed[i]["success"] for by_seed in found[method].values()) for i in range(seeds)]
            words = [spread(right, ".0%"), spread(means, ".1f"), "-", "-", spread(speeds, ".2f"), "-"]
            lines.append("| " + " | ".join(["all", method, *words]) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    what, where = sys.argv[1], Path(sys.argv[2])
    print({"runs": runs, "table": table}[what](where))
