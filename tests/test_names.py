"""No two public classes of the package share a name: a name says which one is meant."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import maxcode

SOURCE = Path(maxcode.__file__).parent


def public_classes(file: Path) -> list[str]:
    found = [node.name for node in ast.parse(file.read_text()).body if isinstance(node, ast.ClassDef)]
    return [name for name in found if not name.startswith("_")]


def test_no_two_public_classes_share_a_name() -> None:
    places = defaultdict(list)
    for file in sorted(SOURCE.rglob("*.py")):
        for name in public_classes(file):
            places[name].append(str(file.relative_to(SOURCE)))
    assert len(places) > 300
    assert {name: files for name, files in places.items() if len(files) > 1} == {}
