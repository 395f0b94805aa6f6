"""The program that a tool watches: two calls of a model on the problem's inputs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import torch

from maxcode.evaluate.pytorch import extension
from maxcode.evaluate.pytorch.candidate import execute
from maxcode.evaluate.pytorch.trials import Problem

CALLS = 2


def main(folder: Path, name: str, builds: Path) -> None:
    device = "cuda" if torch.cuda.is_available() else "cpu"
    problem = Problem((folder / "problem.py").read_text(), "problem.py", device)
    extension.install(builds)
    module = execute((folder / "candidate.py").read_text())
    torch.manual_seed(1)
    model: Any = getattr(module, name)(*problem.init()).to(device)
    with torch.no_grad():
        for seed in range(CALLS):
            model(*problem.inputs(seed))
    if device == "cuda":
        torch.cuda.synchronize()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
