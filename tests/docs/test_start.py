"""docs/start.md: its commands run; `make demo` does what it says there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.walk import DOCS, ROOT, walk


@pytest.mark.long
def test_commands_run(open_folder: Path) -> None:
    assert "C++ compiler" in walk(DOCS / "start.md", open_folder)


def test_the_demo_is_the_one_described() -> None:
    script = (ROOT / "runs/demo.sh").read_text()
    assert "optimize examples/matmul --evals 32" in script
    assert "report last -o out/demo/report.html" in script
