"""A kind of task that somebody else's package brings works without a change to MaxCode."""

from __future__ import annotations

import asyncio
import pickle
from pathlib import Path

import pytest

from maxcode.core import InputError, Outcome, Status
from maxcode.evaluate.pool import LocalPool
from maxcode.search.observe.observation import Attempt, Observation
from maxcode.search.observe.render import Prompts, render
from maxcode.task import Task, load_task

SETTINGS = """
name = "largest"
kind = "generated"
language = "python"
description = "Prints the largest of some numbers."
baseline = "largest.py"

[generated]
generator = "numbers.py"
large = 20000
"""
BASELINE = "print(sorted(map(int, input().split()))[-1])\n"
GENERATOR = """import random, sys
random.seed(int(sys.argv[1]))
print(*(random.randrange(10**6) for _ in range(int(sys.argv[2]))))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "task"
    made.mkdir()
    for name, text in (("task.toml", SETTINGS), ("largest.py", BASELINE), ("numbers.py", GENERATOR)):
        (made / name).write_text(text)
    return made


async def judged(task: Task, *programs: str) -> list[Outcome]:
    async with LocalPool(1, use_cache=False) as pool:
        return await pool(task, [task.candidate(text) for text in programs], measure=False)


def test_its_tasks_are_loaded_and_judged(folder: Path) -> None:
    task = load_task(folder)
    good, bad = asyncio.run(judged(task, "print(max(map(int, input().split())))\n", "print(input().split()[0])\n"))
    assert (good.status, bad.status) == (Status.OK, Status.WRONG)


def test_its_tasks_are_described_in_its_words(folder: Path) -> None:
    task = load_task(folder)
    outcome = Outcome(candidate="", task=task.hash, status=Status.OK)
    attempt = Attempt(node=0, depth=0, files=task.baseline_candidate.files, outcome=outcome, reward=1.0, u=1.0)
    text = render(Observation(task=task, current=attempt), Prompts())[1]["content"]
    assert "Its inputs are what `numbers.py` prints." in text


def test_its_settings_belong_to_the_tasks_hash(folder: Path) -> None:
    first = load_task(folder)
    assert load_task(folder, {"generated": {"small": 7}}).hash != first.hash
    assert pickle.loads(pickle.dumps(first)).hash == first.hash


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('kind = "generated"', 'kind = "program"', r"did you mean kind = \"generated\"\?"),
        ('kind = "generated"', 'kind = "unknown"', r"kind: .*'program', .* or 'generated'"),
        ("large = 20000", 'large = "many"', r"generated\.large: .*valid integer"),
    ],
)
def test_mistakes_are_named(folder: Path, old: str, new: str, said: str) -> None:
    (folder / "task.toml").write_text(SETTINGS.replace(old, new))
    with pytest.raises(InputError, match=said):
        load_task(folder)
