"""The sandbox, with real programs: what they see, what they may use, and what is left of them."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import tempfile
import time
from pathlib import Path

import pytest

from maxcode.core import EvaluatorError
from maxcode.evaluate.sandbox.protections import Isolation, protections
from maxcode.evaluate.sandbox.sandbox import Sandbox
from maxcode.evaluate.sandbox.view import BOX, Caps, View
from tests.evaluate.boxes import CAPS, GUARDS_FILES, HAS_ROOT_OF_ITS_OWN, Box, processes_of

pytestmark = pytest.mark.alone


def test_input_is_given_and_output_comes_back(box: Box, open_folder: Path) -> None:
    given = os.urandom(100_000)
    (open_folder / "input").write_bytes(given)
    ended = box.run("copy", stdin=open_folder / "input")
    assert ended.clean
    assert ended.stdout == given


def test_no_input_is_an_empty_input(box: Box) -> None:
    assert box.run("copy").stdout == b""


@pytest.mark.parametrize("code", [0, 1, 42, 255])
def test_exit_code_is_reported(box: Box, code: int) -> None:
    ended = box.run("exit", str(code))
    assert (ended.exit_code, ended.signal, ended.timed_out) == (code, 0, False)
    assert ended.clean == (code == 0)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGABRT])
def test_signal_is_reported(box: Box, number: signal.Signals) -> None:
    ended = box.run("signal", str(int(number)))
    assert ended.signal == number
    assert not ended.clean


def test_crash_is_reported(box: Box) -> None:
    assert box.run("crash").signal == signal.SIGSEGV


def test_environment_is_clean(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "hunter2")
    names = {line.split("=", 1)[0] for line in box.say("environment")}
    assert names - {"PWD"} == {"PATH", "HOME", "TMPDIR", "LANG", "OMP_NUM_THREADS"}


def test_environment_given_is_there(box: Box) -> None:
    assert b"COLOUR=red\n" in box.run("environment", environment={"COLOUR": "red"}).stdout


def test_no_descriptors_are_open_beyond_the_standard_three(box: Box) -> None:
    held = os.open("/dev/null", os.O_RDONLY)
    os.set_inheritable(held, True)
    try:
        assert box.say("descriptors") == ["0", "1", "2"]
    finally:
        os.close(held)


def test_files_outside_are_not_seen(box: Box, open_folder: Path) -> None:
    if box.level not in GUARDS_FILES:
        pytest.skip("resource limits alone do not guard files")
    secret = open_folder / "secret"
    secret.write_text("secret")
    secret.chmod(0o644)
    for path in (secret, Path("/etc/passwd"), Path(__file__), Path("/proc/1/status")):
        assert box.say("read", str(path)) == ["not there"], path


def test_files_of_the_system_are_seen(box: Box) -> None:
    assert box.say("read", "/usr/bin/env") == ["opened"]


def test_nothing_outside_can_be_written(box: Box, open_folder: Path) -> None:
    for path in (open_folder / "file", Path("/usr/lib/file"), Path(f"{BOX}/probe")):
        assert box.say("write", str(path))[0].startswith("cannot open")
    assert list(open_folder.iterdir()) == []


def test_folder_given_for_writing_can_be_written(box: Box, open_folder: Path) -> None:
    box.sandbox.give(open_folder)
    inside = f"{BOX}/out"
    ended = box.run("write", f"{inside}/file", write={inside: open_folder}, caps=Caps(5.0, 64, output_mb=4))
    assert ended.stdout == b"written\n"
    assert (open_folder / "file").stat().st_size == 1 << 20


def test_scratch_is_there_and_new_for_each_run(box: Box) -> None:
    for _ in range(2):
        assert box.run("scratch", caps=Caps(5.0, 64, output_mb=4)).stdout == b"new\nwritten\n"


def test_scratch_is_capped(box: Box) -> None:
    if box.level not in HAS_ROOT_OF_ITS_OWN:
        pytest.skip("without mount namespaces only the size of each file is capped")
    ended = box.run("write", "/tmp/file", "9", caps=Caps(5.0, 64, output_mb=64, scratch_mb=4))
    assert ended.stdout == b"stopped after 4 MB\n"


def test_file_size_is_capped(box: Box, open_folder: Path) -> None:
    box.sandbox.give(open_folder)
    ended = box.run("write", f"{BOX}/out/file", "9", write={f"{BOX}/out": open_folder})
    assert ended.output_exceeded
    assert (open_folder / "file").stat().st_size <= 1 << 20


def test_output_is_capped(box: Box) -> None:
    ended = box.run("flood")
    assert ended.output_exceeded
    assert not ended.clean
    assert len(ended.stdout) == 1 << 20


def test_memory_within_the_cap_is_given(box: Box) -> None:
    assert box.say("memory", "40") == ["got it"]


def test_memory_is_capped(box: Box) -> None:
    if not protections().memory_group:
        pytest.skip("no memory group on this machine")
    ended = box.run("memory", "400")
    assert ended.out_of_memory
    assert b"got it" not in ended.stdout


def test_address_space_is_capped_even_without_a_memory_group(box: Box) -> None:
    ended = box.run("memory", "4000")
    assert ended.out_of_memory or ended.stdout == b"refused\n"


def test_out_of_memory_is_not_blamed_on_the_next_run(box: Box) -> None:
    box.run("memory", "400")
    assert box.run("exit", "0").clean


@pytest.mark.timing
@pytest.mark.parametrize("what", ["spin", "sleep"])
def test_time_limit_ends_the_program(box: Box, probe: Path, what: str) -> None:
    started = time.monotonic()
    ended = box.run(what, caps=Caps(0.3, 64))
    assert ended.timed_out
    assert 0.25 <= ended.wall < 2
    assert time.monotonic() - started < 5
    assert processes_of(probe) == []


@pytest.mark.timing
def test_clock_tells_computing_from_waiting(box: Box) -> None:
    spinning, sleeping = (box.run(what, caps=Caps(0.3, 64)) for what in ("spin", "sleep"))
    assert spinning.cpu > 0.1
    assert sleeping.cpu < 0.05


@pytest.mark.timing
@pytest.mark.parametrize("caps", [Caps(2.0, 64, processes=True), Caps(2.0, 64, commands=True)])
def test_time_of_a_process_that_nobody_waits_for_is_counted(box: Box, caps: Caps) -> None:
    if not box.sandbox.counts_processes:
        pytest.skip("no control group counts processor time here: the wall clock is used")
    ended = box.run("ignored child", caps=caps)
    assert ended.clean
    assert 0.19 < ended.cpu < 0.4


@pytest.mark.timing
@pytest.mark.parametrize("what", ["children", "children and sleep"])
def test_no_process_is_left_of_a_tree(box: Box, probe: Path, what: str) -> None:
    started = time.monotonic()
    ended = box.run(what, caps=Caps(0.5, 64, processes=True))
    assert ended.timed_out == (what == "children and sleep")
    assert processes_of(probe) == []
    assert time.monotonic() - started < 5


def test_process_is_refused_by_name_where_none_are_allowed(box: Box, probe: Path) -> None:
    ended = box.run("fork")
    assert ended.forbidden in ("fork", "vfork", "clone")
    assert not ended.clean
    assert processes_of(probe) == []


def test_socket_is_refused_by_name(box: Box) -> None:
    ended = box.run("connect", "80")
    assert ended.forbidden == "socket"
    assert b"connected" not in ended.stdout


def test_network_is_out_of_reach_even_without_the_filter(box: Box) -> None:
    if box.level not in HAS_ROOT_OF_ITS_OWN:
        pytest.skip("only namespaces cut the network off by themselves")
    with socket.create_server(("127.0.0.1", 0)) as server:
        box.sandbox.protections = box.sandbox.protections.model_copy(update={"seccomp": False})
        assert box.say("connect", str(server.getsockname()[1])) == ["no connection"]


def test_signal_to_another_process_is_refused(box: Box) -> None:
    ended = box.run("processes", str(os.getpid()))
    assert ended.stdout != b"1\n"
    assert ended.forbidden == "kill"


def test_program_that_does_not_exist_is_our_error(box: Box) -> None:
    with pytest.raises(EvaluatorError, match="could not be started"):
        box.sandbox.run([f"{BOX}/missing"], View(), CAPS)


def test_program_that_is_given_up_is_ended(box: Box, probe: Path) -> None:
    view = View(read={f"{BOX}/probe": probe})
    with box.sandbox.start([f"{BOX}/probe", "sleep"], view, CAPS) as running:
        running.ready()
        running.go()
    deadline = time.monotonic() + 2
    while processes_of(probe) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert processes_of(probe) == []


def test_nothing_of_ours_is_left_in_the_temporary_folder(box: Box) -> None:
    before = set(Path(tempfile.gettempdir()).glob("maxcode-scratch-*"))
    box.run("scratch")
    assert set(Path(tempfile.gettempdir()).glob("maxcode-scratch-*")) <= before


def test_control_group_goes_with_the_sandbox(probe: Path) -> None:
    sandbox = Sandbox(slot=7)
    Box(sandbox, probe).run("exit", "0")
    groups = list(Path("/sys/fs/cgroup").rglob(f"maxcode-{os.getpid()}-7*"))
    assert bool(groups) == (protections().memory_group or protections().task_group)
    sandbox.close()
    assert not any(group.exists() for group in groups)


def test_the_strongest_level_is_chosen() -> None:
    if os.geteuid() == 0 and shutil.which("bwrap"):
        assert protections().isolation is Isolation.OWN_USER
    words = str(protections())
    assert protections().isolation.value in words
    assert "seccomp" in words


def test_program_reads_what_the_kernel_says_of_itself_where_it_may(box: Box) -> None:
    """Sanitizers and valgrind read where their memory is; without it every sanitized program would fail."""
    words = ["/bin/cat", "/proc/self/maps"]
    assert box.sandbox.run(words, View(proc=True), CAPS).clean
    if box.level in GUARDS_FILES:
        assert not box.sandbox.run(words, View(), CAPS).clean
