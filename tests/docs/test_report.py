"""The commands of docs/report.md run as they stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.walk import DOCS, walk
from tests.report.recording import record


@pytest.mark.long
@pytest.mark.timeout(600)
def test_commands_of_the_page_run(open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAXCODE_HOME", str(open_folder / "home"))
    runs = [record(strategy=strategy) for strategy in ("flat", "beam+maxcode")]
    shown = walk(DOCS / "report.md", open_folder, dict(zip(("RUN1", "RUN2"), runs, strict=True)))
    assert "x faster** than the baseline" in shown
    assert {"report.html", "compare.html"} <= {path.name for path in open_folder.iterdir()}
