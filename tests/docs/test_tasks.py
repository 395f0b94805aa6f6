"""docs/tasks.md: its tasks are tasks, its generator and its checker do what the page says."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

from maxcode.kinds.command.table import Command
from maxcode.kinds.kernel.table import Kernel
from maxcode.task import load_task
from tests.docs.walk import DOCS, blocks, files

PAGE = DOCS / "tasks.md"


def two_sum(folder: Path) -> Path:
    for name, text in files(PAGE).items():
        (folder / name).write_text(text)
    tests = folder / "tests/public"
    tests.mkdir(parents=True)
    (tests / "input.0.txt").write_text("4 9\n1 20 8 50\n")
    (tests / "output.0.txt").write_text("0 2\n")
    return folder


def python(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True, check=False)


def test_the_program_of_the_page_is_a_task(tmp_path: Path) -> None:
    task = load_task(two_sum(tmp_path))
    assert task.name == "twosum"
    assert sum(each.count for each in task.tests.generated) + len(task.workloads) + 1 == 9


def test_its_checker_accepts_what_its_baseline_answers_to_its_generator(tmp_path: Path) -> None:
    folder = two_sum(tmp_path)
    subprocess.run(["c++", "-std=c++17", "-O1", "-o", "baseline", "baseline.cpp"], cwd=folder, check=True)
    (folder / "input").write_text(python(folder, "generate.py", "7", "50").stdout)
    with (folder / "input").open() as given:
        answer = subprocess.run(["./baseline"], cwd=folder, stdin=given, capture_output=True, check=True)
    (folder / "answer").write_bytes(answer.stdout)
    (folder / "wrong").write_text("0 0\n")
    assert python(folder, "check.py", "input", "answer", "answer").returncode == 0
    refused = python(folder, "check.py", "input", "wrong", "answer")
    assert refused.returncode == 1
    assert "not two different positions" in refused.stderr


def test_the_kernel_of_the_page_is_a_task(tmp_path: Path) -> None:
    (settings,) = [block.text for block in blocks(PAGE) if block.text.startswith('name = "prefix"')]
    (code,) = [block.text for block in blocks(PAGE) if block.language == "c"]
    (tmp_path / "task.toml").write_text(settings)
    (tmp_path / "baseline.c").write_text(code)
    task = load_task(tmp_path)
    assert task.table(Kernel).signature in code


def test_the_repository_of_the_page_is_one() -> None:
    (settings,) = [block.text for block in blocks(PAGE) if 'kind = "command"' in block.text]
    assert Command.model_validate(tomllib.loads(settings)["command"]).editable[0] == "src/*.cpp"
