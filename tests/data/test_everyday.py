"""The everyday programs in other styles: the expert's version prints what the slow one prints."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parent / "everyday"
COMPILERS = {".cpp": ("g++", "-std=gnu++17"), ".c": ("gcc", "-std=gnu17")}
PYTHON = [os.path.realpath(sys.executable), "-I", "-S"]


def command(source: Path, folder: Path) -> list[str]:
    if source.suffix == ".py":
        return [*PYTHON, str(source)]
    compiler, standard = COMPILERS[source.suffix]
    binary = folder / source.stem
    subprocess.run([compiler, standard, "-O1", str(source), "-o", str(binary), "-lm"], check=True, capture_output=True)
    return [str(binary)]


def output(argv: list[str], data: bytes = b"") -> bytes:
    return subprocess.run(argv, input=data, capture_output=True, check=True, timeout=60).stdout


@pytest.mark.long
@pytest.mark.parametrize("program", sorted(path.name for path in PROGRAMS.iterdir()))
def test_the_experts_version_prints_the_same(program: str, tmp_path: Path) -> None:
    folder = PROGRAMS / program
    slow, expert = (command(next(folder.glob(f"{name}.*")), tmp_path) for name in ("slow", "expert"))
    for size in json.loads((folder / "meta.json").read_text())["test_sizes"]:
        for seed in ("1", "2"):
            data = output([*PYTHON, str(folder / "gen.py"), seed, str(size)])
            right = output(slow, data)
            assert right.strip() and output(expert, data) == right
