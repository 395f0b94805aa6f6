"""docs/architecture.md: its order of packages is the one that a test holds, and what it names is where it says."""

from __future__ import annotations

import ast
import re
import runpy
from pathlib import Path

import maxcode
from tests.docs.walk import DOCS, ROOT, defined

SOURCE = Path(maxcode.__file__).parent
TEXT = (DOCS / "architecture.md").read_text()
NAMED = sorted(set(re.findall(r"\[`([\w.]+)`\]\(\.\./(src/maxcode/[\w./]+\.py)\)", TEXT)))
"""Names that link to a file, and the file."""
TABLE = TEXT.partition("## The folders")[2].partition("<!-- layers -->")[0]


def test_the_order_is_of_today() -> None:
    script = runpy.run_path(str(ROOT / "runs/docs/layers.py"))
    assert script["page"](TEXT) == TEXT, "out of date; run: .venv/bin/python runs/docs/layers.py"


def test_it_links_to_the_whole_walk() -> None:
    assert len(NAMED) > 50


def test_every_place_in_it_exists() -> None:
    """Folders below `cache/` are in MAXCODE_HOME."""
    places = set(re.findall(r"`([a-z_]+/[a-z_/]*(?:\w+\.\w+)?)`", TEXT))
    assert len(places) > 20
    ours = sorted(each for each in places if not each.startswith("cache/"))
    assert [each for each in ours if not (SOURCE / each).exists() and not (ROOT / each).exists()] == []


def test_private_functions_are_where_it_says() -> None:
    found = re.findall(r"`([_A-Z]\w+)` in\s+`([\w/]+\.py)`", TEXT)
    assert ("_grow", "search/loop.py") in found
    texts = {
        file: "\n".join(path.read_text() for path in SOURCE.rglob("*.py") if path.match(file)) for _, file in found
    }
    assert [(name, file) for name, file in found if not defined(ast.parse(texts[file]), name)] == []


def test_its_table_has_every_package() -> None:
    packages = {f"{each.parent.name}/" for each in SOURCE.glob("*/__init__.py")}
    assert [each for each in sorted(packages) if f"`{each}`" not in TABLE] == []
