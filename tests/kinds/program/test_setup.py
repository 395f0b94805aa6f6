"""Bare programs as they come: with arguments, with files that they open, too quick or too slow on what is given."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from maxcode.core import Candidate, Status
from maxcode.evaluate.pool import LocalPool
from maxcode.kinds.program.scaffold import Scaffolded, scaffold
from maxcode.task import Task, load_task
from maxcode.task.kind import NewOptions

pytestmark = pytest.mark.long
COUNT = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    if (argc != 4) return 2;
    FILE *in = fopen(argv[2], "r"), *extra = fopen(argv[3], "r");
    int least = atoi(argv[1]), found = 0, more = 0;
    char word[100];
    if (!in || !extra || fscanf(extra, "%d", &more) != 1) return 3;
    while (fscanf(in, "%99s", word) == 1) {
        char *kept = strdup(word);
        found += (int)strlen(kept) >= least;
        free(kept);
    }
    printf("%d words\\n", found + more);
    return 0;
}
"""
SUM = """\
#include <iostream>
#include <vector>
int main() {
    std::vector<int> all;
    for (int n; std::cin >> n;) all.push_back(n);
    long pairs = 0;
    for (size_t i = 0; i < all.size(); i += 9)
        for (int b : all) pairs += all[i] < b;
    std::cout << pairs << "\\n";
}
"""
PAIRS = """\
import sys
numbers = [int(line) for line in sys.stdin]
print(sum(a < b for a in numbers for b in numbers))
"""


def judged(task: Task, candidate: Candidate) -> Status:
    async def ask() -> Status:
        async with LocalPool(1) as pool:
            (outcome,) = await pool(task, [candidate], measure=False)
            return outcome.status

    return asyncio.run(ask())


@pytest.fixture
def counted(tmp_path: Path) -> Scaffolded:
    (tmp_path / "count.c").write_text(COUNT)
    (tmp_path / "my words.txt").write_text("".join(f"w{i % 4711} " + "\n" * (i % 9 == 0) for i in range(400_000)))
    (tmp_path / "more.txt").write_text("7\n")
    arguments = ("4", str(tmp_path / "my words.txt"), str(tmp_path / "more.txt"))
    return scaffold(tmp_path / "task", tmp_path / "count.c", NewOptions(arguments=arguments))


def test_arguments_and_the_files_among_them_are_kept(counted: Scaffolded) -> None:
    task = load_task(counted.folder)
    assert task.run.arguments == ("4", "my words.txt", "more.txt")
    assert (task.run.input, task.run.files) == ("my words.txt", ("more.txt",))
    assert counted.public + counted.hidden > 5
    assert judged(task, task.baseline_candidate) is Status.OK
    assert judged(task, task.candidate(COUNT.replace(">= least", "> least"))) is Status.WRONG


def test_an_input_that_is_too_short_is_made_larger_and_stays_a_test(tmp_path: Path) -> None:
    (tmp_path / "sum.cpp").write_text(SUM)
    given = "".join(f"{i * 37 % 1009}\n" for i in range(5000))
    (tmp_path / "in.txt").write_text(given)
    made = scaffold(tmp_path / "task", tmp_path / "sum.cpp", NewOptions(inputs=(tmp_path / "in.txt",)))
    assert "larger input like it" in made.remarks[0]
    assert all(seconds >= 0.03 for seconds in made.seconds.values())
    tests = [path.read_text() for path in (tmp_path / "task" / "tests").glob("*/input.*.txt")]
    assert given in tests


@pytest.mark.timing
def test_an_input_that_takes_too_long_is_cut(tmp_path: Path) -> None:
    (tmp_path / "pairs.py").write_text(PAIRS)
    (tmp_path / "in.txt").write_text("".join(f"{i * 37 % 10007}\n" for i in range(40_000)))
    made = scaffold(tmp_path / "task", tmp_path / "pairs.py", NewOptions(inputs=(tmp_path / "in.txt",)))
    assert "timed on its beginning" in made.remarks[0]
    assert all(0.01 <= seconds <= 3 for seconds in made.seconds.values())
