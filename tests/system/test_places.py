"""Folders that are full or closed: commands say which and what to do, and lose nothing."""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from maxcode.core import InputError
from maxcode.system.children import own_python
from maxcode.system.places import in_words
from maxcode.system.readable import make_readable, opened
from maxcode.task import load_task
from tests.conftest import SMALL_TASK

BASELINE = SMALL_TASK / "baseline.cpp"
COMMANDS = {
    "evaluate": ("evaluate", str(SMALL_TASK), str(BASELINE)),
    "new": ("new", "new-task", "--from", str(BASELINE), "--input", str(SMALL_TASK / "tests/public/input.0.txt")),
    "optimize": ("optimize", str(SMALL_TASK), "--evals", "1"),
}


def maxcode(folder: Path, home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "MAXCODE_HOME": str(home)}
    command = own_python("-m", "maxcode", *words)
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture(params=["full", "read-only"])
def bad_home(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    if os.geteuid() != 0:
        pytest.skip("only root may mount")
    place = tmp_path / "place"
    place.mkdir()
    options = "size=64k" if request.param == "full" else "size=64k,ro"
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", place], check=False, capture_output=True)
    if mounted.returncode:
        pytest.skip("mounting is refused here")
    try:
        if request.param == "full":
            with pytest.raises(OSError, match="No space"):
                (place / "filler").write_bytes(b"x" * 100_000)
        yield place / "home"
    finally:
        subprocess.run(["umount", "-l", place], check=True)


@pytest.mark.parametrize("command", COMMANDS)
def test_home_that_cannot_be_written_is_told_in_words(bad_home: Path, tmp_path: Path, command: str) -> None:
    done = maxcode(tmp_path, bad_home, *COMMANDS[command])
    assert done.returncode in (1, 2)
    assert "Traceback" not in done.stderr
    assert str(bad_home.parent) in done.stderr
    assert "MAXCODE_HOME" in done.stderr
    assert not (tmp_path / "new-task").exists()


def test_doctor_lists_a_home_that_cannot_be_written(bad_home: Path, tmp_path: Path) -> None:
    done = maxcode(tmp_path, bad_home, "doctor")
    assert done.returncode == 0, done.stderr
    assert "MAXCODE_HOME" in done.stdout


def test_error_that_is_not_about_a_place_is_left_alone() -> None:
    assert in_words(OSError(errno.ECONNREFUSED, "Connection refused")) is None


def test_a_file_of_others_is_named_with_what_to_do() -> None:
    told = in_words(PermissionError(errno.EACCES, "Permission denied", "/etc/shadow"))
    assert told == "/etc/shadow: permission denied. Correct its rights, or name another."


def test_a_home_that_is_a_file_is_told_with_its_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAXCODE_HOME", str(tmp_path / "home"))
    told = in_words(FileExistsError(errno.EEXIST, "File exists", str(tmp_path / "home")))
    assert "export MAXCODE_HOME=" in (told or "")


def test_quota_is_told_too() -> None:
    assert "quota" in (in_words(OSError(errno.EDQUOT, "Disk quota exceeded")) or "")


def test_files_of_a_task_that_are_closed_to_us_are_opened_again(small_task_folder: Path) -> None:
    closed = [small_task_folder / "task.toml", small_task_folder / "tests/hidden/input.0.txt"]
    for path in closed:
        path.chmod(0)
    load_task(small_task_folder)
    assert [path.stat().st_mode & 0o400 for path in closed] == [0o400, 0o400]


def test_file_of_somebody_else_is_left_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "input.txt"
    path.write_text("1")
    path.chmod(0)
    monkeypatch.setattr("os.geteuid", lambda: 12345)
    make_readable(path)
    assert path.stat().st_mode & 0o777 == 0


def test_file_that_cannot_be_opened_is_named_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"chmod u\+r"):
        opened(tmp_path).close()
