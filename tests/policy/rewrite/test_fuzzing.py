"""Random programs keep their output whatever rewrite is made of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def fuzzed(language: str, programs: int, seed: int) -> str:
    script = [sys.executable, str(ROOT / "runs/rewriter/fuzz.py"), "--language", language]
    command = [*script, "--programs", str(programs), "--seed", str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    return done.stdout


def test_one_program() -> None:
    assert "1 programs" in fuzzed("c", 1, 7)


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("language", ["c", "c++"])
def test_some_programs(language: str) -> None:
    assert ", 0 wrong" in fuzzed(language, 12, 10_000)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("language", ["c", "c++"])
def test_a_few_hundred_programs(language: str) -> None:
    assert ", 0 wrong" in fuzzed(language, 200, 10_000)
