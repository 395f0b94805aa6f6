"""Which GPU is meant, on machines with several, or with none to be used."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from maxcode.evaluate.gpu import gpus, temperature_and_clocks
from maxcode.kinds.torch.device import device_class
from maxcode.task import load_task

TASK = Path(__file__).parents[1] / "kinds" / "torch" / "tasks" / "scale"


@pytest.fixture(autouse=True)
def two_gpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A tool that lists two, and otherwise repeats what it was asked."""
    tool = tmp_path / "nvidia-smi"
    listed = 'case "$*" in *driver_version*) printf "Large, 1\\nSmall, 1\\n" ;; *) echo "$*" ;; esac'
    tool.write_text(f"#!/bin/sh\n{listed}\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    gpus.cache_clear()
    yield
    gpus.cache_clear()


def test_outcomes_of_one_gpu_are_not_taken_for_those_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    task = load_task(TASK)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    first = device_class(task)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    assert device_class(task) != first
    assert temperature_and_clocks().endswith("-i 1")


@pytest.mark.parametrize("hidden", ["", "-1"])
def test_gpus_that_are_hidden_are_not_there(hidden: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(gpus()) == 2
    gpus.cache_clear()
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", hidden)
    assert gpus() == ()
