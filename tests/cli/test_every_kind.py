"""`maxcode optimize` of a task of each kind, from the task to the claim, with one answer from a file."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.adversarial.corpus import HERE as CORPUS
from tests.cli.test_main import maxcode

pytestmark = [pytest.mark.alone, pytest.mark.timing, pytest.mark.timeout(300)]
ENVIRONMENT = Path(pytest.__file__).parents[4]


@dataclass(frozen=True)
class Given:
    task: Path
    answer: Path
    settings: str = ""
    """Added to the task's file."""


PROGRAMS, REPOSITORIES, ROWS = CORPUS / "programs", CORPUS / "repositories", Path(__file__).parent / "torch_rows"
GIVEN = {
    "program": Given(CORPUS / "tasks/total", PROGRAMS / "control_total_sort.cpp"),
    "kernel": Given(CORPUS / "tasks/smooth", PROGRAMS / "control_smooth_unrolled.cpp"),
    "command": Given(REPOSITORIES / "tally", REPOSITORIES / "attacks/honest_dict.py", f'python = "{ENVIRONMENT}"\n'),
    "torch": Given(ROWS / "task", ROWS / "all_at_once.py"),
}


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=() if kind == "program" else pytest.mark.long) for kind in GIVEN]
)
def test_a_faster_answer_is_found_confirmed_and_written(kind: str, tmp_path: Path) -> None:
    given = GIVEN[kind]
    task = tmp_path / "task"
    shutil.copytree(given.task, task)
    with (task / "task.toml").open("a") as file:
        file.write(given.settings)
    answers = tmp_path / "answers"
    answers.mkdir()
    shutil.copy(given.answer, answers)
    words = ["--policy", f"scripted:{answers}", "--evals", "1", "--confirm-seconds", "8", "--no-minimize"]
    done = maxcode("optimize", str(task), *words, "--out", str(tmp_path / "out"), "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["improved"] is True, found
    assert 1.0 < found["ci_low"] <= found["speedup"] <= found["ci_high"]
    before = "".join(file.read_text() for file in task.rglob("*.*") if file.is_file() and file.suffix != ".toml")
    changed = [line for line in given.answer.read_text().splitlines() if line.strip() and line not in before]
    assert changed
    assert [line for line in changed if line not in Path(found["best"]).read_text()] == []
