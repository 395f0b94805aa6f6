"""compute-sanitizer on finalists: its output read, its absence told. The tool here is a stand-in that prints."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from maxcode.evaluate.native.compiled import arena_allocator
from maxcode.evaluate.sandbox.protections import Isolation, protections
from maxcode.kinds.torch.processes.confine import Confinement
from maxcode.kinds.torch.processes.process_spawner import needed_folders
from maxcode.kinds.torch.profile import sanitizer
from maxcode.kinds.torch.profile.nvidia_tool import Unavailable, Watched
from maxcode.kinds.torch.profile.sanitizer import read_report, sanitize

MEMCHECK = """\
========= COMPUTE-SANITIZER
========= Invalid __global__ write of size 4 bytes
=========     at scale(const float *, float *, int)+0x90 in kernel.cu:7
=========     by thread (224,0,0) in block (3,0,0)
=========     Address 0x7f5b3e600000 is out of bounds
=========     and is 1 bytes after the nearest allocation at 0x7f5b3e5ff000 of size 4,096 bytes
=========     Saved host backtrace up to driver entry point at kernel launch time
=========         Host Frame: [0x2fd0e0] in libcuda.so.1
=========
========= Invalid __global__ write of size 4 bytes
=========     at scale(const float *, float *, int)+0x90 in kernel.cu:7
========= ERROR SUMMARY: 2 errors
"""
RACECHECK = """\
========= COMPUTE-SANITIZER
========= Error: Race reported between Write access at rows(const float *, float *)+0x2a0 in kernel.cu:12
=========     and Read access at rows(const float *, float *)+0x4c0 in kernel.cu:14 [896 hazards]
=========
========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)
"""
PROBLEM = """\
import torch
import torch.nn as nn

class Model(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(n))

    def forward(self, x):
        return x * self.weight

def get_inputs():
    return [torch.randn(3, 4)]

def get_init_inputs():
    return [4]
"""
CANDIDATE = PROBLEM.replace("Model(", "ModelNew(")
SHARED = CANDIDATE + '\nSOURCE = "__global__ void rows(float* x) { __shared__ float s[32]; }"\n'


def tool(folder: Path, body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in on the path, and a GPU."""
    file = folder / "compute-sanitizer"
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(0o755)
    folder.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(sanitizer, "gpus", lambda: ("NVIDIA H200, 580",))


def printing(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "said").write_text(text)
    tool(folder, f"cat {folder}/said", monkeypatch)


RUNNING = """\
while [ "$1" != "-P" ]; do python="$1"; shift; done
"$python" "$@" || { echo "========= Error: process didn't terminate successfully"; exit 1; }
echo "========= ERROR SUMMARY: 0 errors"
"""


def test_an_access_out_of_bounds_is_told_in_words() -> None:
    found = read_report(MEMCHECK)
    assert isinstance(found, str)
    assert found.startswith("Invalid __global__ write of size 4 bytes; at scale(const float *, float *, int)+0x90")
    assert "1 bytes after the nearest allocation" in found
    assert "Host Frame" not in found


def test_a_race_is_told_in_words() -> None:
    assert "Race reported between Write access at rows" in str(read_report(RACECHECK))


def test_warnings_of_racecheck_are_no_errors() -> None:
    assert read_report("========= RACECHECK SUMMARY: 1 hazard displayed (0 errors, 1 warning)\n") is None


def test_a_clean_run_gives_none() -> None:
    assert read_report("========= COMPUTE-SANITIZER\nhello\n========= ERROR SUMMARY: 0 errors\n") is None


def test_what_a_candidate_prints_before_is_not_the_summary() -> None:
    assert isinstance(read_report("========= ERROR SUMMARY: 0 errors\n" + MEMCHECK), str)


@pytest.mark.parametrize("said", ["", "========= COMPUTE-SANITIZER\n========= Error: no device found\n"])
def test_without_a_summary_nothing_is_known(said: str) -> None:
    assert isinstance(read_report(said), Unavailable)


def test_a_missing_tool_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sanitizer, "cuda_tool", lambda _: None)
    found = sanitize(Watched(CANDIDATE, "ModelNew", (PROBLEM,), tmp_path), 5)
    assert found == Unavailable("compute-sanitizer is not installed; it comes with the CUDA toolkit")


def test_a_missing_gpu_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tool(tmp_path, "exit 0", monkeypatch)
    monkeypatch.setattr(sanitizer, "gpus", lambda: ())
    assert isinstance(sanitize(Watched(CANDIDATE, "ModelNew", (PROBLEM,), tmp_path), 5), Unavailable)


def test_what_the_tool_says_is_what_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    printing(tmp_path, MEMCHECK, monkeypatch)
    assert "Invalid __global__ write" in str(sanitize(Watched(CANDIDATE, "ModelNew", (PROBLEM,), tmp_path), 10))


def test_races_are_looked_for_in_kernels_with_shared_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "race").write_text(RACECHECK)
    body = (
        f'case "$*" in *racecheck*kns=rows*) cat {tmp_path}/race;; *) echo "========= ERROR SUMMARY: 0 errors";; esac'
    )
    tool(tmp_path, body, monkeypatch)
    assert "Race reported" in str(sanitize(Watched(SHARED, "ModelNew", (PROBLEM,), tmp_path), 10))
    assert sanitize(Watched(CANDIDATE, "ModelNew", (PROBLEM,), tmp_path), 10) is None


def test_a_run_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tool(tmp_path, "sleep 60", monkeypatch)
    assert sanitize(Watched(CANDIDATE, "ModelNew", (PROBLEM,), tmp_path), 1.0) == Unavailable(
        "compute-sanitizer took longer than 1 s"
    )


ALL_SIZES = 'for folder; do ls "$folder"/problem_1.py 2>/dev/null && more=yes; done\n'
LARGER = PROBLEM.replace("(3, 4)", "(300, 4)")


def test_all_sizes_are_looked_at(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Kernels are often written for some of them only."""
    (tmp_path / "said").write_text(MEMCHECK)
    tool(tmp_path, f'{ALL_SIZES}[ "$more" ] && cat {tmp_path}/said', monkeypatch)
    found = sanitize(Watched(CANDIDATE, "ModelNew", (LARGER, PROBLEM), tmp_path), 10)
    assert "Invalid __global__ write" in str(found)


def test_where_all_sizes_take_too_long_the_smallest_is_looked_at(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tool(tmp_path, f'{ALL_SIZES}[ "$more" ] && sleep 60; echo "========= ERROR SUMMARY: 0 errors"', monkeypatch)
    assert sanitize(Watched(CANDIDATE, "ModelNew", (LARGER, PROBLEM), tmp_path), 2.0) is None


@pytest.mark.long
@pytest.mark.timeout(120)
@pytest.mark.parametrize("confined", [False, True])
def test_the_watched_program_runs_the_model(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory, confined: bool
) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    if confined and protections().isolation is not Isolation.OWN_USER:
        pytest.skip("needs root: a user of its own")
    place = tmp_path_factory.mktemp("tool")
    tool(place, RUNNING, monkeypatch)
    builds = tmp_path_factory.mktemp("builds")
    within = Confinement(
        uid=720_999, scratch_mb=256, memory_mb=None, builds=str(builds), hidden=(), library="",
        needed=(*needed_folders(), str(arena_allocator().parent), str(place)),
    )  # fmt: skip
    given = within if confined else None
    assert sanitize(Watched(CANDIDATE, "ModelNew", (PROBLEM,), builds, given), 60) is None
    broken = sanitize(
        Watched(CANDIDATE.replace("x * self", "x @ self.missing"), "ModelNew", (PROBLEM,), builds, given), 60
    )
    assert isinstance(broken, Unavailable)
