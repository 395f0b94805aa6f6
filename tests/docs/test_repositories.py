"""The commands of docs/repositories.md run as they stand, and show what the page says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.timeout(1800)
def test_commands_of_the_walk_run(tmp_path: Path) -> None:
    text = (ROOT / "docs/repositories.md").read_text()
    script = "\n".join(re.findall(r"^```sh\n(.*?)^```$", text, re.DOTALL | re.MULTILINE))
    script = script.replace("/tmp/search", str(tmp_path / "search"))
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-e", "-c", script], cwd=ROOT, capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^editable = .*src/index\.cpp", done.stdout, re.MULTILINE), done.stdout
    assert "search is sound" in done.stdout
    assert re.search(r"cpp-faster\.patch +ok +4/4", done.stdout), done.stdout
    assert re.search(r"cpp-hasty\.patch +wrong", done.stdout), done.stdout
    assert (tmp_path / "search" / "maxcode-results" / "best.patch").is_file()
    assert (tmp_path / "search" / "maxcode-results" / "summary.md").is_file()
