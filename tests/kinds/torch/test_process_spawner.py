"""Processes forked from the one that has torch loaded, and what they leave behind."""

from __future__ import annotations

import os
import select
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from maxcode.core import EvaluatorError
from maxcode.evaluate.sandbox.sandbox import Sandbox
from maxcode.kinds.torch.processes.confine import Confinement
from maxcode.kinds.torch.processes.process_spawner import ProcessSpawner, compilers_can_be_loaded
from maxcode.kinds.torch.processes.session import BUILDS_BEFORE_HEADERS, HarnessSession

pytest.importorskip("torch", reason="torch is not installed")
pytestmark = [pytest.mark.alone, pytest.mark.long, pytest.mark.timeout(120)]
needs_compiler = pytest.mark.skipif(shutil.which("c++") is None, reason="needs c++")
PRIVATE = ["unshare", "--pid", "--fork", *([] if os.geteuid() == 0 else ["--user"]), "true"]
needs_namespaces = pytest.mark.skipif(
    shutil.which("unshare") is None or subprocess.run(PRIVATE, capture_output=True).returncode != 0,
    reason="this machine gives no process a namespace of its own",
)


@pytest.fixture
def spawner() -> Iterator[ProcessSpawner]:
    made = ProcessSpawner(tuple(os.sched_getaffinity(0)))
    yield made
    made.close()


def working_in(folder: Path) -> list[str]:
    """The processes whose working folder lies below this one."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                at = (process / "cwd").readlink()
            except OSError:
                continue
            found += [process.name] * at.is_relative_to(folder)
    return found


def soon(holds: Callable[[], Any], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.05)
    return bool(holds())


@pytest.fixture
def killed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of processes that were to be killed, and were not."""
    found: list[int] = []
    monkeypatch.setattr(os, "kill", lambda pid, _: found.append(pid))
    return found


def test_the_number_of_a_process_that_has_ended_is_not_killed(spawner: ProcessSpawner, killed: list[int]) -> None:
    ours, theirs = socket.socketpair()
    with theirs:
        child = spawner.spawn("harness", [theirs.fileno()], {})
    ours.close()
    assert select.select([child._status], [], [], 10)[0]
    child.kill()
    assert not killed


def test_files_of_the_users_folder_are_no_modules_of_ours(
    spawner: ProcessSpawner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("numpy", "cuda", "maxcode"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('a module of the user')")
    monkeypatch.chdir(tmp_path)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        assert spawner.spawn("harness", [theirs.fileno()], {})


def test_a_process_that_cannot_be_made_is_an_error_and_ends_nothing_else(
    spawner: ProcessSpawner, killed: list[int]
) -> None:
    nowhere = Confinement(uid=None, scratch_mb=1, memory_mb=None, join=("/nowhere/cgroup.procs",))
    with pytest.raises(EvaluatorError, match="could not be made: FileNotFoundError"):
        spawner.spawn("harness", [], {}, confinement=nowhere)
    assert not killed


@needs_compiler
@needs_namespaces
def test_compilers_of_headers_end_with_the_worker(spawner: ProcessSpawner, tmp_path: Path) -> None:
    spawner.spawn("headers", [], {"folder": str(tmp_path)})
    assert soon(lambda: working_in(tmp_path), 30)
    spawner.close()
    assert soon(lambda: not working_in(tmp_path), 5)


@needs_compiler
@pytest.mark.skipif(not Path("/proc/self/autogroup").exists(), reason="processors are not shared out by session")
def test_compilers_of_headers_stay_behind_other_sessions(spawner: ProcessSpawner, tmp_path: Path) -> None:
    spawner.spawn("headers", [], {"folder": str(tmp_path)}, nice=19)
    assert soon(lambda: working_in(tmp_path), 30)
    shares = Path("/proc", working_in(tmp_path)[0], "autogroup").read_text()
    assert shares.split()[1:] == ["nice", "19"]


class _Asked:
    """A spawner that only notes what it is asked for."""

    def __init__(self) -> None:
        self.roles: list[str] = []

    def spawn(self, role: str, *_: object, **__: object) -> object:
        self.roles.append(role)
        return object()


def test_headers_are_prepared_once_whatever_was_built_for_before() -> None:
    with Sandbox() as sandbox:
        session: Any = HarnessSession((sandbox, sandbox), (0,), 0)
        session._spawner = asked = _Asked()
        session._prepare_headers("cpu")
        assert not asked.roles
        session._prepare_headers("cuda")
        assert asked.roles == ["headers"]
        for device in ("cuda", *["cpu"] * BUILDS_BEFORE_HEADERS["cpu"]):
            session._prepare_headers(device)
        assert asked.roles == ["headers"]


def test_on_a_machine_with_a_gpu_compilers_are_tried_before_they_are_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maxcode.kinds.torch.processes.process_spawner.gpus", lambda: ("one that is tried",))
    assert compilers_can_be_loaded()


def test_where_the_trial_fails_compilers_are_not_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maxcode.kinds.torch.processes.process_spawner.gpus", lambda: ("one where it fails",))
    monkeypatch.setattr("maxcode.kinds.torch.processes.process_spawner.child_environment", dict)
    assert not compilers_can_be_loaded()
