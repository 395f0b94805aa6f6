"""Random Python programs print the same after every rewrite."""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

FUZZ = Path(__file__).parents[3] / "runs/rewriter/fuzz_python.py"


def _loaded() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fuzz_python", FUZZ)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


fuzz = _loaded()


def _check(seeds: range) -> Counter[str]:
    counts = Counter[str]()
    for seed in seeds:
        for name, before, after in fuzz.wrong(seed, counts):
            pytest.fail(f"program {seed}, {name}\n{before}\n--- became\n{after}")
    return counts


def test_rewrites_of_random_programs_print_the_same() -> None:
    counts = _check(range(12))
    assert counts["programs"] >= 6


@pytest.mark.long
@pytest.mark.timeout(900)
def test_rewrites_of_many_random_programs_print_the_same() -> None:
    counts = _check(range(1050, 1110))
    assert counts["programs"] >= 36


def test_the_same_seed_gives_the_same_program() -> None:
    assert fuzz.program(7) == fuzz.program(7) != fuzz.program(8)


def test_a_wrong_rewrite_is_seen() -> None:
    assert fuzz.printed("print(1)") == "1\n"
    assert fuzz.printed("print(1 / 0)") is None
