"""A package of somebody else's, installed beside ours, adds a kind of task with no change here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.test_plugins import run, target

__all__ = ["target"]

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
FILES = {
    "task.toml": SETTINGS,
    "largest.py": "print(sorted(map(int, input().split()))[-1])\n",
    "numbers.py": "import random, sys\nrandom.seed(int(sys.argv[1]))\n"
    "print(*(random.randrange(10**6) for _ in range(int(sys.argv[2]))))\n",
    "good.py": "print(max(map(int, input().split())))\n",
    "bad.py": "print(input().split()[0])\n",
}
LOAD = "import sys; from maxcode.task import load_task; task = load_task(sys.argv[1]);"
DESCRIBE = """
from maxcode.core import Outcome, Status
from maxcode.search.observe.observation import Attempt, Observation
from maxcode.search.observe.render import Prompts, render
outcome = Outcome(candidate="", task=task.hash, status=Status.OK)
attempt = Attempt(node=0, depth=0, files=task.baseline_candidate.files, outcome=outcome, reward=1.0, u=1.0)
print(render(Observation(task=task, current=attempt), Prompts())[1]["content"])
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "task"
    made.mkdir()
    for name, text in FILES.items():
        (made / name).write_text(text)
    return made


@pytest.mark.long
def test_its_tasks_are_judged(target: Path, folder: Path) -> None:
    programs = [str(folder / name) for name in ("good.py", "bad.py")]
    done = run(target, "-m", "maxcode", "evaluate", str(folder), *programs, "--json")
    assert done.returncode == 0, done.stderr
    assert [json.loads(line)["status"] for line in done.stdout.splitlines()] == ["ok", "wrong"]


def test_its_tasks_are_described_in_its_words(target: Path, folder: Path) -> None:
    done = run(target, "-c", LOAD + DESCRIBE, str(folder))
    assert "Its inputs are what `numbers.py` prints." in done.stdout, done.stderr


def test_its_settings_belong_to_the_hash_and_its_tasks_can_be_sent(target: Path, folder: Path) -> None:
    program = (
        f"{LOAD} import pickle; other = load_task(sys.argv[1], {{'generated': {{'small': 7}}}});"
        "print(pickle.loads(pickle.dumps(task)).hash == task.hash, other.hash == task.hash)"
    )
    assert run(target, "-c", program, str(folder)).stdout.split() == ["True", "False"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('kind = "generated"', 'kind = "program"', 'did you mean kind = "generated"?'),
        ('kind = "generated"', 'kind = "unknown"', "'function' or 'generated' (it is 'unknown')"),
        ("large = 20000", 'large = "many"', "generated.large: Input should be a valid integer"),
    ],
)
def test_mistakes_are_named(target: Path, folder: Path, old: str, new: str, said: str) -> None:
    (folder / "task.toml").write_text(SETTINGS.replace(old, new))
    done = run(target, "-m", "maxcode", "check", str(folder))
    assert done.returncode == 2
    assert said in " ".join(done.stderr.split())


def test_a_package_that_cannot_be_loaded_is_named_when_it_is_used_and_only_then(target: Path, folder: Path) -> None:
    (target / "somebodys_kind" / "__init__.py").write_text("import no_such_module\n")
    done = run(target, "-m", "maxcode", "check", str(folder))
    assert done.returncode == 2
    assert "maxcode.kinds 'generated' of package maxcode-somebodys" in " ".join(done.stderr.split())
    ours = Path(__file__).parents[1] / "examples" / "sort"
    assert run(target, "-c", LOAD + DESCRIBE, str(ours)).returncode == 0
