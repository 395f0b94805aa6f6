"""The ask/tell loop of docs/strategies.md runs as it stands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_ask_tell_loop_of_the_docs_runs() -> None:
    (code,) = re.findall(
        r"```python\n(.*?)\n```\n\nA coding agent", (ROOT / "docs/strategies.md").read_text(), re.DOTALL
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False, timeout=150
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 2
    assert all(re.fullmatch(r"ok \d+\.\d+", line) for line in lines), done.stdout
