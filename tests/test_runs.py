"""Scripts of benchmarks name only what the package has: nothing else would notice before the next long run."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

RUNS = Path(__file__).parents[1] / "runs"
SCRIPTS = sorted(str(each.relative_to(RUNS)) for each in RUNS.rglob("*.py"))


@pytest.mark.parametrize("script", SCRIPTS)
def test_what_a_script_imports_of_the_package_is_there(script: str) -> None:
    tree = ast.parse((RUNS / script).read_text())
    wanted = [each for each in ast.walk(tree) if isinstance(each, ast.ImportFrom) and each.module is not None]
    for each in wanted:
        if (each.module or "").split(".")[0] != "maxcode":
            continue
        module = importlib.import_module(each.module or "")
        for name in each.names:
            if not hasattr(module, name.name):
                importlib.import_module(f"{each.module}.{name.name}")
