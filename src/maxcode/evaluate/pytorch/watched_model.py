"""The program that a tool watches: at each size a call of a model, and another that counters are read of."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import torch

from maxcode.evaluate.gpu import Device
from maxcode.evaluate.pytorch import extension
from maxcode.evaluate.pytorch.candidate import execute
from maxcode.evaluate.pytorch.trials import Problem


def main(folder: Path, name: str, builds: Path) -> None:
    device: Device = "cuda" if torch.cuda.is_available() else "cpu"
    extension.install(builds)
    module = execute((folder / "candidate.py").read_text())
    for file in sorted(folder.glob("problem_*.py")):
        _call_twice(getattr(module, name), Problem(file.read_text(), file.name, device), device)


def _call_twice(kind: Any, problem: Problem, device: Device) -> None:
    torch.manual_seed(1)
    model = kind(*problem.init()).to(device)
    with torch.no_grad():
        model(*problem.inputs(0))
        again = problem.inputs(1)
        with counted_range() if device == "cuda" else nullcontext():
            model(*again)


@contextmanager
def counted_range() -> Iterator[None]:
    """What Nsight Compute looks at where it is told to wait for it: each kernel takes it a good part of a second."""
    torch.cuda.synchronize()
    torch.cuda.profiler.start()
    yield
    torch.cuda.synchronize()
    torch.cuda.profiler.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
