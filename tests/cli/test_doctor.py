"""What `maxcode doctor` says about PyTorch models on machines with more and less."""

from __future__ import annotations

import json

import pytest

from maxcode.cli import doctor, doctor_torch
from maxcode.cli.doctor_item import Item
from maxcode.cli.doctor_torch import torch_items


def items(
    monkeypatch: pytest.MonkeyPatch, torch: str | None, gpus: tuple[str, ...], tools: tuple[str, ...] = ()
) -> dict[str, Item]:
    monkeypatch.setattr(doctor_torch, "torch_version", lambda: torch)
    monkeypatch.setattr(doctor_torch, "gpus", lambda: gpus)
    monkeypatch.setattr("shutil.which", lambda name: f"/bin/{name}" if name in tools else None)
    return {item.name: item for item in torch_items()}


def test_without_torch_only_torch_and_a_gpu_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    found = items(monkeypatch, None, ())
    assert set(found) == {"torch", "GPU"}
    assert "no tasks of kind torch" in found["torch"].detail
    assert "pip install" in (found["torch"].fix or "")


def test_on_a_cpu_nothing_of_cuda_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    found = items(monkeypatch, "2.13.0+cpu", (), ("ninja",))
    assert set(found) == {"torch", "GPU", "ninja"}
    assert "for CPUs" in found["torch"].detail
    assert "constants_cpu" in found["GPU"].detail


def test_on_a_gpu_every_tool_is_told_with_what_is_lost_without(monkeypatch: pytest.MonkeyPatch) -> None:
    found = items(monkeypatch, "2.11.0+cu130", ("NVIDIA H200, 580",), ("nvcc",))
    assert "for CUDA 13.0" in found["torch"].detail
    assert found["GPU"].detail == "NVIDIA H200, 580"
    assert found["nvcc"].ok
    assert {"ninja", "triton", "cupy", "compute-sanitizer", "ncu"} <= set(found)
    assert all(":" in item.detail and item.fix for item in found.values() if not item.ok)


def test_a_torch_that_cannot_use_the_gpu_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    found = items(monkeypatch, "2.13.0+cpu", ("NVIDIA H200, 580",))
    assert not found["torch and the GPU"].ok


def test_what_is_amiss_has_a_state_a_price_and_a_fix() -> None:
    missing = Item(name="valgrind", ok=False, detail="not found: no instruction counts", fix="apt-get install valgrind")
    limited = Item(
        name="memory limit", ok=False, detail="per process: several together may use more", fix="run as root"
    )
    fine = Item(name="home", ok=True, detail="/data: 3 GiB free")
    assert [each.state for each in (missing, limited, fine)] == ["missing", "limited", "ok"]
    assert [each.costs for each in (missing, limited, fine)] == [
        "no instruction counts",
        "several together may use more",
        None,
    ]
    assert [each.found for each in (missing, limited, fine)] == ["not found", "per process", "/data: 3 GiB free"]


def test_every_item_of_a_bare_machine_says_what_it_costs_and_what_mends_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    monkeypatch.setattr(doctor, "find_spec", lambda _: None)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    doctor.run(as_json=True)
    items = [each for each in json.loads(capsys.readouterr().out)["items"] if not each["ok"]]
    assert {"valgrind", "bwrap", "endpoint", "maxcode[mcp]"} <= {each["name"] for each in items}
    assert [each["name"] for each in items if not each["costs"] or not each["fix"]] == []
