"""The commands of docs/report.md run as they stand."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.report.recording import record

ROOT = Path(__file__).parents[2]


@pytest.mark.timeout(600)
def test_commands_of_the_page_run(open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAXCODE_HOME", str(open_folder / "home"))
    runs = [record(strategy=strategy) for strategy in ("flat", "beam+maxcode")]
    text = (ROOT / "docs/report.md").read_text()
    script = "\n".join(re.findall(r"^```sh\n(.*?)^```$", text, re.DOTALL | re.MULTILINE))
    for name, run in zip(("RUN1", "RUN2"), runs, strict=True):
        script = script.replace(name, run)
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-e", "-c", script], cwd=open_folder, capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "x faster** than the baseline" in done.stdout
    assert {"report.html", "compare.html"} <= {path.name for path in open_folder.iterdir()}
