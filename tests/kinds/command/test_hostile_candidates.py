"""Folders and patches that are made to do harm where candidates are read, outside of any sandbox."""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess
import zlib
from pathlib import Path

import pytest

from maxcode.core import InputError
from maxcode.kinds.command.files import repository_files
from maxcode.kinds.command.patch import LARGEST_MB, MEMORY_MB, apply_patch
from maxcode.kinds.command.repository import read_candidate
from maxcode.task import Task
from tests.kinds.command.conftest import FAST


def test_git_runs_nothing_that_a_folder_of_a_candidate_names(task: Task, tmp_path: Path) -> None:
    """A partial clone with a sparse index and without its objects: to list its files, git would fetch them."""
    origin, changed, ran = tmp_path / "origin", tmp_path / "changed", tmp_path / "ran"
    (origin / "d").mkdir(parents=True)
    for name in ("sum.c", "d/x.c"):
        (origin / name).write_text(FAST)
    _git(origin, "init", "-q")
    _git(origin, "add", ".")
    _git(origin, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x")
    _git(tmp_path, "clone", "-q", str(origin), str(changed))
    _git(changed, "sparse-checkout", "set", "--cone", "--sparse-index", "e")
    _git(changed, "config", "remote.origin.promisor", "true")
    _git(changed, "config", "remote.origin.uploadpack", f"touch {ran}; false")
    _git(changed, "config", "core.fsmonitor", f"touch {ran}; false")
    shutil.rmtree(changed / ".git/objects")
    (changed / ".git/objects").mkdir()
    read_candidate(task, changed)
    repository_files(changed)
    assert not ran.exists()
    subprocess.run(["git", "ls-files"], cwd=changed, check=False, capture_output=True)
    assert ran.exists()  # what is tried here would work on plain git


def _git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)


def test_what_the_repository_ignores_is_no_change(task: Task, tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", "."], cwd=task.root, check=True)
    (task.root / ".gitignore").write_text("*.o\n")
    (tmp_path / "changed").mkdir()
    for name in ("sum.o", ":(top)x.o"):
        (tmp_path / "changed" / name).write_bytes(b"\xff")
    (tmp_path / "changed" / "sum.c").write_text(FAST)
    assert read_candidate(task, tmp_path / "changed").files["sum.c"] == FAST


@pytest.mark.timeout(20)
def test_a_pipe_in_a_folder_is_not_read(task: Task, tmp_path: Path) -> None:
    (tmp_path / "changed").mkdir()
    os.mkfifo(tmp_path / "changed" / "sum.c")
    with pytest.raises(InputError, match=r"sum\.c: is neither a file nor a folder"):
        read_candidate(task, tmp_path / "changed")


@pytest.mark.timeout(20)
def test_a_pipe_is_no_file_of_a_repository(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "sum.c").write_text(FAST)
    assert repository_files(tmp_path) == ("sum.c",)


def test_a_large_file_is_no_candidate(task: Task, tmp_path: Path) -> None:
    (tmp_path / "changed").mkdir()
    with (tmp_path / "changed" / "sum.c").open("wb") as file:
        file.truncate((LARGEST_MB << 20) + 1)
    for given in (tmp_path / "changed", tmp_path / "changed" / "sum.c"):
        with pytest.raises(InputError, match=f"more than {LARGEST_MB} MB|larger than {LARGEST_MB} MB"):
            read_candidate(task, given)


@pytest.mark.parametrize("size", [LARGEST_MB + 1, MEMORY_MB + 1])
def test_a_patch_that_unpacks_to_a_large_file_is_refused(tmp_path: Path, size: int) -> None:
    packer, packed = zlib.compressobj(9), b""
    for _ in range(size):
        packed += packer.compress(bytes(1 << 20))
    packed += packer.flush()
    lines = [packed[start : start + 52] for start in range(0, len(packed), 52)]
    with (tmp_path / "x.patch").open("w") as file:
        index = f"index {'0' * 40}..{_blob(size << 20)}"
        file.write(f"diff --git a/z.c b/z.c\nnew file mode 100644\n{index}\nGIT binary patch\nliteral {size << 20}\n")
        for line in lines:
            length = chr(len(line) + (64 if len(line) <= 26 else 70))
            file.write(f"{length}{base64.b85encode(line, pad=True).decode()}\n")
        file.write("\nliteral 0\nHcmV?d00001\n\n")
    with pytest.raises(InputError, match=f"makes files of more than {LARGEST_MB} MB"):
        apply_patch(tmp_path / "x.patch", {})


def _blob(size: int) -> str:
    """What git calls a file of zeros."""
    digest = hashlib.sha1(f"blob {size}\0".encode())
    for _ in range(size >> 20):
        digest.update(bytes(1 << 20))
    return digest.hexdigest()
