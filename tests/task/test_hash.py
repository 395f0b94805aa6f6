"""A task's hash stands for everything that can change a verdict, and nothing else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from maxcode.task import load_task
from tests.task.test_load import EXAMPLES


def touch_up(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b" ")


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda p: p.name)
def test_hash_of_an_example_is_the_same_wherever_it_lies(folder: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(folder, tmp_path / "elsewhere")
    assert load_task(copy).hash == load_task(folder).hash


def test_examples_have_different_hashes() -> None:
    hashes = {load_task(folder).hash for folder in EXAMPLES}
    assert len(hashes) == len(EXAMPLES) > 0


@pytest.mark.parametrize(
    "name",
    [
        "baseline.cpp",
        "generate.py",
        "tests/public/input.0.txt",
        "tests/public/output.1.txt",
        "tests/hidden/input.2.txt",
        "tests/hidden/output.0.txt",
    ],
)
def test_hash_changes_with_every_file_the_task_names(small_task_folder: Path, name: str) -> None:
    before = load_task(small_task_folder).hash
    touch_up(small_task_folder / name)
    assert load_task(small_task_folder).hash != before


def test_hash_changes_with_a_new_test(small_task_folder: Path) -> None:
    before = load_task(small_task_folder).hash
    for kind in ("input", "output"):
        folder = small_task_folder / "tests/hidden"
        shutil.copy(folder / f"{kind}.0.txt", folder / f"{kind}.99.txt")
    assert load_task(small_task_folder).hash != before


@pytest.mark.parametrize(
    ("old", "new"), [('"-O2"', '"-O3"'), ('compare = "tokens"', 'compare = "exact"'), ("seconds = 1", "seconds = 2")]
)
def test_hash_changes_with_a_setting(small_task_folder: Path, old: str, new: str) -> None:
    before = load_task(small_task_folder).hash
    file = small_task_folder / "task.toml"
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))
    assert load_task(small_task_folder).hash != before


def test_hash_does_not_change_with_other_files(small_task_folder: Path) -> None:
    before = load_task(small_task_folder).hash
    (small_task_folder / "notes.txt").write_text("not part of the task")
    assert load_task(small_task_folder).hash == before


def test_hash_does_not_change_with_comments_in_the_settings(small_task_folder: Path) -> None:
    before = load_task(small_task_folder).hash
    file = small_task_folder / "task.toml"
    file.write_text("# a comment\n" + file.read_text())
    assert load_task(small_task_folder).hash == before
