"""docs/strategies.md: the code in it is the source's, and its ask/tell loop runs as it stands."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys

import pytest

from tests.docs.walk import DOCS, ROOT, blocks

PAGE = DOCS / "strategies.md"


def test_the_code_is_the_source_s() -> None:
    script = runpy.run_path(str(ROOT / "runs/docs/quoted.py"))
    text = PAGE.read_text()
    assert text == script["page"](text), "out of date; run: .venv/bin/python runs/docs/all.py"


@pytest.mark.long
def test_ask_tell_loop_of_the_docs_runs() -> None:
    code = [block.text for block in blocks(PAGE) if block.language == "python"][-1]
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False, timeout=150
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 2
    assert all(re.fullmatch(r"ok \d+\.\d+", line) for line in lines), done.stdout
