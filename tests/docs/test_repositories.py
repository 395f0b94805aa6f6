"""The commands of docs/repositories.md run as they stand, and show what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.walk import DOCS, ROOT, walk


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_commands_of_the_walk_run(tmp_path: Path) -> None:
    shown = walk(DOCS / "repositories.md", ROOT, {"/tmp/search": str(tmp_path / "search")})
    assert re.search(r"^editable = .*src/index\.cpp", shown, re.MULTILINE), shown
    assert "search is sound" in shown
    assert re.search(r"cpp-faster\.patch +ok +4/4", shown), shown
    assert re.search(r"cpp-hasty\.patch +wrong", shown), shown
    assert (tmp_path / "search" / "maxcode-results" / "best.patch").is_file()
    assert (tmp_path / "search" / "maxcode-results" / "summary.md").is_file()
