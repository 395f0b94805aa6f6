"""What a program could leave behind for its next run, and do to files of ours, at every level of isolation."""

from __future__ import annotations

import ctypes
import mmap
import os
import shutil
from pathlib import Path

import pytest

from maxcode.core import InputError
from maxcode.evaluate.sandbox.memory import copies, memory_folders
from maxcode.evaluate.sandbox.protections import Isolation, protections
from maxcode.evaluate.sandbox.running import Ended
from maxcode.evaluate.sandbox.sandbox import Sandbox
from maxcode.evaluate.sandbox.sealed import LARGE, sealed_input
from maxcode.evaluate.sandbox.view import BOX, Caps, View
from maxcode.evaluate.toolchain import runtime_view
from tests.evaluate.boxes import HAS_ROOT_OF_ITS_OWN, Box

pytestmark = [pytest.mark.alone, pytest.mark.long]
TMPFS = "1021994"
LIBRARY = "/lib/x86_64-linux-gnu/libc.so.6"


@pytest.fixture
def given(open_folder: Path) -> Path:
    path = open_folder / "input.txt"
    path.write_text("12 34\n" + "\0" * 5000)
    path.chmod(0o644)
    return path


def said(ended: Ended) -> str:
    assert ended.clean, ended
    return ended.stdout.decode().strip()


def without_filter(box: Box) -> Box:
    """So that what is shown does not rest on the filter of system calls."""
    box.sandbox.protections = box.sandbox.protections.model_copy(update={"seccomp": False})
    return box


@pytest.mark.parametrize(
    ("what", "answer"),
    [
        ("read now", "EOPNOTSUPP"),
        ("mincore", "ENOSYS"),
        ("cachestat", "ENOSYS"),
        ("queue", "ENOSYS"),
        ("place", "ENOSYS"),
        ("ask place", "ENOSYS"),
        ("move", "ENOSYS"),
        ("collapse", "EINVAL"),
        ("mode", "EPERM"),
        ("owner", "EPERM"),
        ("times", "EPERM"),
        ("device times", "EPERM"),
        ("attribute", "EPERM"),
        ("hint", "EPERM"),
        ("lease", "EPERM"),
        ("flags", "EPERM"),
        ("watch", "EPERM"),
    ],
)
def test_call_that_asks_or_notes_is_refused(note_box: Box, given: Path, what: str, answer: str) -> None:
    assert said(note_box.run(what, stdin=given)) == answer


@pytest.mark.parametrize("what", ["advise", "read ahead", "sync", "page out", "free"])
def test_advice_of_honest_programs_is_taken(note_box: Box, given: Path, what: str) -> None:
    assert said(note_box.run(what, stdin=given)) == "done"


@pytest.mark.parametrize("what", ["shared memory", "messages", "semaphores", "queue of messages"])
def test_named_objects_are_a_programs_own_or_none(note_box: Box, what: str) -> None:
    alone = note_box.level in HAS_ROOT_OF_ITS_OWN
    assert said(note_box.run(what)) == ("done" if alone else "ENOSYS")


@pytest.mark.parametrize("what", ["truncate", "chmod"])
def test_files_by_name_are_out_of_reach(note_box: Box, given: Path, what: str) -> None:
    assert said(note_box.run(what, str(given))) == "EPERM"
    assert given.stat().st_size > 0
    assert given.stat().st_mode & 0o777 == 0o644


def test_new_files_with_numbers_of_the_machine_are_few(note_box: Box) -> None:
    assert said(note_box.run("many files", "1000")) == "64"


def test_input_can_be_mapped_and_sought(note_box: Box, given: Path) -> None:
    assert said(note_box.run("map", stdin=given)) == "12 34"
    assert said(note_box.run("map shared", stdin=given)) == "12 34"
    assert said(note_box.run("seek", stdin=given)) == f"{given.stat().st_size} 0"


def test_input_file_is_not_changed_through_the_descriptor(note_box: Box, given: Path) -> None:
    before, content = given.stat(), given.read_bytes()
    assert said(without_filter(note_box).run("spoil", stdin=given)) == "tried\ntried\ntried"
    after = given.stat()
    assert (after.st_mode, after.st_mtime_ns, after.st_ctime_ns) == (
        before.st_mode,
        before.st_mtime_ns,
        before.st_ctime_ns,
    )
    assert given.read_bytes() == content
    assert os.listxattr(given) == []


def test_device_for_no_input_is_not_the_machines(note_box: Box) -> None:
    before = Path("/dev/null").stat()
    without_filter(note_box).run("spoil")
    after = Path("/dev/null").stat()
    assert (after.st_mode, after.st_mtime_ns) == (before.st_mode, before.st_mtime_ns)


@pytest.mark.parametrize("size", [100, 2 * LARGE], ids=["small", "large"])
def test_nothing_noted_with_the_input_is_there_in_the_next_run(note_box: Box, given: Path, size: int) -> None:
    given.write_bytes(b"x" * size)
    box = without_filter(note_box)
    new = said(box.run("look", stdin=given)).split()
    box.run("spoil", stdin=given)
    again = said(box.run("look", stdin=given)).split()
    assert again[0] == new[0]
    assert again[1] != "1"
    assert again[2] == "-1"


def test_memory_shared_with_a_process_has_a_description_of_its_own(note_box: Box, notes: Path) -> None:
    shared = os.memfd_create("shared")
    view, caps = View(read={f"{BOX}/probe": notes}), Caps(5.0, 64)
    try:
        for _ in range(2):
            with note_box.sandbox.start([f"{BOX}/probe", "position"], view, caps, shared=shared) as running:
                running.go()
                ended = running.serving()
            assert ended is not None
            assert said(ended) == "1"
    finally:
        os.close(shared)


@pytest.mark.parametrize("device", ["null", "zero", "urandom"])
def test_devices_can_be_used(note_box: Box, device: str) -> None:
    words = ["done", "done"] if device == "null" else ["done"]
    assert said(note_box.run("device", f"/dev/{device}")).split() == words


@pytest.mark.skipif(not protections().memory_files, reason="no memory for files on this machine")
class TestFilesInMemory:
    def in_root(self, isolation: Isolation, program: Path, *words: str) -> str:
        using = protections().model_copy(update={"isolation": isolation})
        root = runtime_view().root
        with Sandbox(using=using) as sandbox:
            view = View(root=root, read={f"{BOX}/probe": program})
            return said(sandbox.run([f"{BOX}/probe", *words], view, Caps(5.0, 64)))

    @pytest.mark.parametrize("path", ["/", LIBRARY, f"{BOX}/probe", f"{BOX}/.runner"])
    def test_all_that_a_program_sees_is_memory(self, notes: Path, path: str) -> None:
        if not protections().bubblewrap:
            pytest.skip("no root of its own")
        assert self.in_root(protections().isolation, notes, "kind", path) == TMPFS

    def test_memory_pressure_pushes_nothing_out(self, notes: Path) -> None:
        if not (protections().bubblewrap and protections().memory_group):
            pytest.skip("no root of its own, or no memory group to fill")
        held = copies()
        root = runtime_view().root
        assert held is not None
        assert root is not None
        assert self.in_root(protections().isolation, notes, "press", LIBRARY, "60") == "full"
        assert _resident_share(held.tree(root) / LIBRARY.lstrip("/")) == 1.0

    def test_copy_of_a_changed_program_is_a_new_one(self, open_folder: Path) -> None:
        held = copies()
        assert held is not None
        program = open_folder / "program"
        for text in ("one", "three"):
            program.write_text(text)
            assert held.file(program).read_text() == text

    def test_only_the_programs_used_last_are_kept(self, open_folder: Path) -> None:
        held = copies()
        assert held is not None
        made = []
        for i in range(20):
            (open_folder / f"program{i}").write_text(str(i))
            made.append(held.file(open_folder / f"program{i}"))
        assert made[-1].exists()
        assert sum(path.exists() for path in made) <= 8

    def test_folder_in_memory_is_named_for_its_process(self) -> None:
        assert copies() is not None
        assert any(folder.name.split("-")[2] == str(os.getpid()) for folder in memory_folders())


def _resident_share(path: Path) -> float:
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, mmap.MAP_PRIVATE) as pages:
        start = ctypes.addressof(ctypes.c_char.from_buffer(pages))
        count = -(-len(pages) // 4096)
        there = (ctypes.c_ubyte * count)()
        assert ctypes.CDLL(None).mincore(ctypes.c_void_p(start), ctypes.c_size_t(len(pages)), there) == 0
        return sum(each & 1 for each in there) / count


def test_input_that_is_closed_to_us_is_opened_again(given: Path) -> None:
    given.chmod(0)
    os.close(sealed_input(given))
    assert given.stat().st_mode & 0o400


def test_input_that_is_gone_is_told_in_words(open_folder: Path) -> None:
    with pytest.raises(InputError, match=r"lost\.txt: is not there any more"):
        sealed_input(open_folder / "lost.txt")


def test_input_cannot_be_written_or_resized(given: Path) -> None:
    descriptor = sealed_input(given)
    again = os.open(f"/proc/self/fd/{descriptor}", os.O_RDWR)
    try:
        for change in (lambda: os.write(again, b"9"), lambda: os.ftruncate(again, 0)):
            with pytest.raises(PermissionError):
                change()
    finally:
        os.close(again)
        os.close(descriptor)


def test_two_inputs_of_one_name_are_told_apart(open_folder: Path) -> None:
    path = open_folder / "input.txt"
    for byte in (b"a", b"b"):
        path.unlink(missing_ok=True)
        path.write_bytes(byte * LARGE)
        descriptor = sealed_input(path)
        assert os.read(descriptor, 4) == byte * 4
        os.close(descriptor)
    shutil.rmtree(open_folder)
    open_folder.mkdir()
