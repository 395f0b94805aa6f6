"""A repository that builds in a moment: two editable files, tests that count themselves, a bench, a Makefile."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from maxcode.core import Candidate, Mode, Outcome
from maxcode.evaluate.pool import LocalPool
from maxcode.task import Task, load_task

FILES = {
    "lib.h": "long total(const long *v, int n);\nlong scale(long x);\nint supported(int n);\n",
    "sum.c": """#include "lib.h"
int supported(int n) { return n >= 0; }
long total(const long *v, int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) {
        long last = 0;
        for (int j = 0; j <= i; j++) last = scale(v[j]);
        sum += last;
    }
    return sum;
}
""",
    "scale.c": '#include "lib.h"\nlong scale(long x) { return 3 * x; }\n',
    "check.c": """#include <stdio.h>
#include "lib.h"
int main(void) {
    long v[4] = {1, 2, 3, -10}, wanted[5] = {0, 3, 9, 18, -12};
    int passed = 0;
    for (int n = 0; n <= 4; n++) {
        if (!supported(n)) continue;
        if (total(v, n) != wanted[n]) { printf("total of %d: wrong\\n", n); return 1; }
        passed++;
    }
    printf("%d checks passed\\n", passed);
}
""",
    "bench.c": """#include <stdio.h>
#include "lib.h"
static long v[6000];
int main(void) {
    for (int i = 0; i < 6000; i++) v[i] = i % 101;
    printf("total %ld\\n", total(v, 6000));
    BENCH_NUMBER
}
""",
    "Makefile": """CFLAGS = -O2
all: check bench
check: check.c sum.c scale.c lib.h
	cc $(CFLAGS) -o $@ check.c sum.c scale.c
bench: bench.c sum.c scale.c lib.h
	cc $(CFLAGS) -o $@ bench.c sum.c scale.c
""",
    ".gitignore": "check\nbench\n",
}
TASK = """name = "total"
kind = "command"

[command]
editable = ["s*.c"]
build = "make"
test = ["./check"]
passed = '^(\\d+) checks passed'
bench = ["./bench"]
"""
FAST = FILES["sum.c"].replace("int j = 0;", "int j = i - i / 8;")


def make_repository(folder: Path, *, toml: str = TASK, bench_number: str = "") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o755)
    for name, text in FILES.items():
        (folder / name).write_text(text.replace("BENCH_NUMBER", bench_number))
    (folder / "task.toml").write_text(toml)
    return folder


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "total")


@pytest.fixture
def task(repository: Path) -> Task:
    return load_task(repository)


def candidate(task: Task, **files: str) -> Candidate:
    """The baseline with some files changed; `sum_c` is sum.c."""
    changed = {name.replace("_", "."): text for name, text in files.items()}
    return Candidate(files={**task.baseline_candidate.files, **changed})


def judge(task: Task, each: Candidate, *, mode: Mode = Mode.SEARCH, measure: bool = False) -> Outcome:
    async def run() -> Outcome:
        async with LocalPool(1, use_cache=False) as pool:
            (outcome,) = await pool(task, [each], mode=mode, measure=measure)
            return outcome

    return asyncio.run(run())
