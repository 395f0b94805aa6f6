"""Nsight Compute's table read, and the lack of permission told. The tool here is a stand-in that prints."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from maxcode.kinds.torch.profile.counters import COUNTERS, TIME, counted, function_name, read_counters
from maxcode.kinds.torch.profile.nvidia_tool import Unavailable, Watched

MEMORY, OCCUPANCY = (counter for counter in COUNTERS if counter.startswith(("dram", "sm__warps")))
TABLE = f"""\
==PROF== Connected to process 12 (/usr/bin/python3)
"ID","Process ID","Kernel Name","{TIME}","{MEMORY}","{OCCUPANCY}"
"","","","ns","%","%"
"0","12","scale(const float *, int)","1,000","80.0","50.0"
"1","12","fill","500","n/a","10.0"
"2","12","scale(const float *, int)","3,000","40.0","90.0"
"""


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    return Watched("", "ModelNew", ("",), tmp_path)


def printing(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "said").write_text(text)
    (folder / "ncu").write_text(f"#!/bin/sh\ncat {folder}/said\n")
    (folder / "ncu").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def test_launches_of_a_kernel_are_weighted_by_their_time() -> None:
    scale, fill = read_counters(TABLE)
    assert (scale.name, scale.seconds) == ("scale(const float *, int)", 4e-6)
    assert list(scale.counters.values()) == [50.0, 80.0]
    assert list(fill.counters.values()) == [10.0]


def test_counters_become_facts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, watched: Watched) -> None:
    printing(tmp_path, TABLE, monkeypatch)
    found = counted(watched, 10)
    assert not isinstance(found, Unavailable)
    assert found[0].text == "scale(const float *, int): memory at 50% of its peak, occupancy 80%"


def test_no_share_is_above_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, watched: Watched) -> None:
    printing(tmp_path, TABLE.replace('"10.0"', '"118.0"'), monkeypatch)
    found = counted(watched, 10)
    assert not isinstance(found, Unavailable)
    assert found[1].text == "fill: occupancy 100%"


def test_without_permission_the_way_to_get_it_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, watched: Watched
) -> None:
    printing(tmp_path, "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission", monkeypatch)
    found = counted(watched, 10)
    assert isinstance(found, Unavailable)
    assert "NVreg_RestrictProfilingToAdminUsers=0" in found.reason


def test_what_is_no_table_gives_no_kernels() -> None:
    assert read_counters('"ID"\n"Kernel Name"\nnonsense,"\n') == []


@pytest.mark.parametrize(
    ("kernel", "name"),
    [
        (
            "void at::native::vectorized_elementwise_kernel<4, at::native::AUnaryFunctor<float> >(int)",
            "vectorized_elementwise_kernel",
        ),
        ("triton_poi_fused_add_0", "triton_poi_fused_add_0"),
        ("(anonymous namespace)::softmax_rows(float const*, float*, int)", "softmax_rows"),
        (
            "sm90_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize128x128x32_cublas",
            "sm90_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize128x128x32_cublas",
        ),
        ("Memcpy DtoD (Device -> Device)", None),
    ],
)
def test_a_kernel_of_a_trace_is_named_as_the_tool_takes_it(kernel: str, name: str | None) -> None:
    assert function_name(kernel) == name
