"""Program that a tool watches: two calls of a model at each size. Counters are read during the second."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import torch

from maxcode import extension
from maxcode.kinds.torch.harness.trials import LoadedProblem
from maxcode.kinds.torch.processes.candidate import execute
from maxcode.kinds.torch.processes.compile_ahead import call_twice


def main(folder: Path, name: str, builds: Path) -> None:
    device = "cuda" if torch.cuda.is_available() else "cpu"
    extension.install(builds)
    module = execute((folder / "candidate.py").read_text())
    for file in sorted(folder.glob("problem_*.py")):
        problem = LoadedProblem(file.read_text(), file.name, device)
        call_twice(getattr(module, name), problem, device, counted_range if device == "cuda" else nullcontext)


@contextmanager
def counted_range() -> Iterator[None]:
    """Marks what Nsight Compute measures where it is told to wait for a mark: each kernel takes it a good part of a
    second."""
    torch.cuda.synchronize()
    torch.cuda.profiler.start()
    yield
    torch.cuda.synchronize()
    torch.cuda.profiler.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
