"""A benchmark on a real machine: it runs, is killed, goes on where it was, and prints the same table again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from maxcode.bench.cell import Cell
from maxcode.bench.runner import Standing
from maxcode.cli.searches import standing_in_words
from maxcode.store.journal import Store
from tests.cli.test_main import maxcode
from tests.conftest import SMALL_TASK

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]
FASTER = r"""
#include <cstdio>
#include <unordered_set>
int main() {
    int n;
    if (std::scanf("%d", &n) != 1) return 0;
    std::unordered_set<long long> seen;
    long long sum = 0, largest = 0;
    for (int i = 0; i < n; i++) {
        long long x;
        if (std::scanf("%lld", &x) != 1) return 0;
        sum += x;
        if (i == 0 || x > largest) largest = x;
        seen.insert(x);
    }
    std::printf("%lld %lld %zu\n", sum, largest, seen.size());
}
"""


def arguments(folder: Path) -> list[str]:
    answers = folder / "answers.jsonl"
    answers.write_text("".join(json.dumps(f"```cpp\n{code}```") + "\n" for code in (FASTER, "int main() {")))
    methods = ["--method", "flat", "--method", "cuda-llm", "--policy", f"scripted:{answers}"]
    return [
        "bench",
        "tasks",
        str(SMALL_TASK.parent),
        "--tasks",
        "total",
        *methods,
        "--evals",
        "3",
        "--seeds",
        "8",
        "--abreast",
        "1",
    ]


def started(words: list[str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "maxcode", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)


def events(kind: str) -> list[str]:
    """Which cells of the benchmark have come to something."""
    with Store() as store:
        benches = [info for info in store.runs() if info.task == "bench:tasks"]
        return [e.key for info in benches[-1:] for e in store.read(info.id) if e.kind == kind]


def test_killed_in_the_middle_and_resumed_it_gives_one_table(open_folder: Path) -> None:
    process = started(arguments(open_folder))
    deadline = time.monotonic() + 240
    while not events("cell.answered") and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    done = set(events("cell.answered"))
    assert 1 <= len(done) < 16

    with Store() as store:
        bench = next(info.id for info in reversed(store.runs()) if info.task == "bench:tasks")
    resumed = maxcode("bench", "resume", bench, "--format", "csv")
    assert resumed.returncode == 0, resumed.stderr
    asked = events("cell.asked")
    assert all(asked.count(key) == 1 for key in done)
    assert len(events("cell.answered")) == 16
    shown = maxcode("bench", "show", bench, "--format", "csv")
    assert shown.stdout == resumed.stdout
    assert "flat" in shown.stdout
    assert "cuda-llm" in shown.stdout


def test_what_is_wrong_with_a_plan_is_said_at_once(open_folder: Path) -> None:
    for words, message in (
        (["--tasks", "nowhere"], "'nowhere' is not there; there are: "),
        (["--method", "flat", "--method", "flat"], "given twice"),
        (["--method", "flat,colour=red"], "use policy=..., critic=..., screen=..., hedge=..., value=... or evals=..."),
        (["--method", "unheard-of"], "'unheard-of' is not known"),
    ):
        done = maxcode("bench", "tasks", str(SMALL_TASK.parent), *words)
        assert done.returncode == 2
        assert message in " ".join(done.stderr.split())
    empty = maxcode("bench", "tasks", str(open_folder))
    assert empty.returncode == 2
    assert "has no task folders" in " ".join(empty.stderr.split())


def test_a_log_tells_how_many_programs_were_judged_before_a_search_is_done() -> None:
    standing = Standing(5, programs={"a": 4, "b": 3})
    assert standing_in_words(standing) == "0 of 5 searches, 7 programs judged"
    standing.done.append(Cell(task="sums", method="flat", seed=0, run="", speedup=1.25))
    assert standing_in_words(standing) == "1 of 5 searches, 7 programs judged; last: sums, flat, 1.25x"
