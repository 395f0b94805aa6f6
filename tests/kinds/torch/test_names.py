"""Functions of `torch.cuda` that only run on a GPU are called by names that torch has."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import maxcode

torch = pytest.importorskip("torch")
FILES = sorted((Path(maxcode.__file__).parent / "kinds" / "torch").rglob("*.py"))


def used(file: Path) -> set[str]:
    """Names of `torch.cuda` in a file."""
    nodes = [node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Attribute)]
    return {node.attr for node in nodes if ast.unparse(node.value) == "torch.cuda"}


def test_names_of_torch_cuda_exist() -> None:
    found = {(file.name, name) for file in FILES for name in used(file)}
    assert len(found) > 10
    assert [each for each in sorted(found) if not hasattr(torch.cuda, each[1])] == []
