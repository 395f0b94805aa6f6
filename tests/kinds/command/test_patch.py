"""Patches go in and out to the byte."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from maxcode.core import InputError
from maxcode.kinds.command.patch import apply_patch
from maxcode.kinds.command.repository import read_candidate
from maxcode.task import Task
from maxcode.task.diff import make_patch
from tests.kinds.command.conftest import FAST

BEFORE = {
    "src/a.c": "one\ntwo\nthree\n",
    "crlf.c": "one\r\ntwo\r\n",
    "end.c": "no newline",
    "page.c": "a\n\x0cb\nc\n",
    "same.c": "same\n",
}
AFTER = {
    "src/a.c": "one\n2\nthree\n",
    "crlf.c": "one\r\n2\r\n",
    "end.c": "no newline, still",
    "page.c": "a\n\x0cB\nc\nd",
    "same.c": "same\n",
}


def test_git_takes_our_patches(tmp_path: Path) -> None:
    for name, text in BEFORE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(text.encode())
    subprocess.run(["git", "init", "-q", "."], cwd=tmp_path, check=True)
    (tmp_path / "best.patch").write_bytes(make_patch(BEFORE, AFTER).encode())
    subprocess.run(["git", "apply", "--check", "best.patch"], cwd=tmp_path, check=True)
    subprocess.run(["git", "apply", "best.patch"], cwd=tmp_path, check=True)
    assert {name: (tmp_path / name).read_bytes().decode() for name in AFTER} == AFTER


def test_we_take_patches(tmp_path: Path) -> None:
    (tmp_path / "x.patch").write_bytes(make_patch(BEFORE, AFTER).encode())
    assert apply_patch(tmp_path / "x.patch", BEFORE) == AFTER


def test_a_patch_that_does_not_apply_says_so(tmp_path: Path) -> None:
    (tmp_path / "x.patch").write_bytes(make_patch(BEFORE, AFTER).encode())
    with pytest.raises(InputError, match="does not apply"):
        apply_patch(tmp_path / "x.patch", {**BEFORE, "src/a.c": "else\n"})


def test_a_candidate_is_a_patch_a_folder_or_a_file(task: Task, tmp_path: Path) -> None:
    files = task.baseline_candidate.files
    (tmp_path / "x.patch").write_text(make_patch(files, {**files, "sum.c": FAST}))
    (tmp_path / "changed").mkdir()
    for path in (tmp_path / "changed" / "sum.c", tmp_path / "sum.c"):
        path.write_text(FAST)
    found = [read_candidate(task, tmp_path / name) for name in ("x.patch", "changed", "sum.c")]
    assert {each.id for each in found} == {found[0].id}
    assert found[0].files == {**files, "sum.c": FAST}


def test_a_folder_may_be_a_whole_checkout(task: Task) -> None:
    assert read_candidate(task, task.root).id == task.baseline_candidate.id


def test_a_file_of_another_name_is_bad_input(task: Task, tmp_path: Path) -> None:
    (tmp_path / "other.c").write_text(FAST)
    with pytest.raises(InputError, match="no editable file has this name"):
        read_candidate(task, tmp_path / "other.c")


@pytest.mark.parametrize("linked", ["sum.c", "folder"])
def test_a_symbolic_link_in_a_folder_is_not_followed(task: Task, tmp_path: Path, linked: str) -> None:
    secret, changed = tmp_path / "secret", tmp_path / "changed"
    secret.mkdir()
    changed.mkdir()
    (secret / "sum.c").write_text("a key\n")
    (changed / "other.c").write_text("int other;\n")
    (changed / linked).symlink_to(secret / "sum.c" if linked == "sum.c" else secret)
    with pytest.raises(InputError, match=f"changed/{linked}: is a symbolic link"):
        read_candidate(task, changed)


def test_a_folder_that_git_knows_is_not_followed_through_a_link(task: Task, tmp_path: Path) -> None:
    """The file is tracked below a folder that has become a link since."""
    changed, secret = tmp_path / "changed", tmp_path / "secret"
    (changed / "d").mkdir(parents=True)
    (changed / "d" / "x.c").write_text("int x;\n")
    for words in (["init", "-q"], ["add", "d/x.c"]):
        subprocess.run(["git", *words], cwd=changed, check=True)
    (changed / "d").rename(secret)
    (changed / "d").symlink_to(secret)
    with pytest.raises(InputError, match="changed/d: is a symbolic link"):
        read_candidate(task, changed)


def test_a_patch_that_makes_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.patch").write_text(
        "diff --git a/l.c b/l.c\nnew file mode 120000\n--- /dev/null\n+++ b/l.c\n@@ -0,0 +1 @@\n+/etc/passwd\n"
        "\\ No newline at end of file\n"
    )
    with pytest.raises(InputError, match=r"makes l\.c a symbolic link"):
        apply_patch(tmp_path / "x.patch", BEFORE)
