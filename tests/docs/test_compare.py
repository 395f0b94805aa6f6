"""docs/compare.md: its commands run, and its table of readers is that of the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from maxcode.compare.readers import READERS
from tests.docs.walk import DOCS, walk


@pytest.mark.long
def test_commands_run(open_folder: Path) -> None:
    shown = walk(DOCS / "compare.md", open_folder)
    assert "sleep 0.03 is slower than sleep 0.02" in shown
    assert "| B | " in shown and "HEAD" in shown


def test_readers_are_those_of_the_page() -> None:
    page = (DOCS / "compare.md").read_text()
    table = page.partition("<!-- readers -->")[2].partition("<!-- end of readers -->")[0]
    rows = [f"| `{name}` | {reader.about} |" for name, reader in READERS.items()]
    assert table.strip().splitlines()[2:] == rows
