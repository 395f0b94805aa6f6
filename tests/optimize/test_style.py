"""Changed lines are formatted as the project's own settings say; others never."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from maxcode.optimize.style import styled
from maxcode.task import load_task

BEFORE = "x = {  'a':1 }\n\n\nprint( x )\n"
AFTER = "x = {  'a':1 }\n\n\nif True:\n  print( 'y' )\nprint( x )\n"
SETTINGS = """\
name = "style"
kind = "program"
language = "python"
baseline = "p.py"
[tests]
hidden = "tests"
[[workloads]]
name = "w"
input = "tests/input.0.txt"
"""


@pytest.mark.skipif(shutil.which("ruff") is None, reason="ruff is not on the PATH")
def test_ruff_formats_changed_lines_only(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    for name, text in (("p.py", BEFORE), ("task.toml", SETTINGS), ("ruff.toml", "line-length = 80\n")):
        (tmp_path / name).write_text(text)
    for name in ("input", "output"):
        (tmp_path / "tests" / f"{name}.0.txt").write_text("1\n")
    task = load_task(tmp_path)
    made = styled(task, task.candidate(AFTER)).files["p.py"]
    assert made.startswith("x = {  'a':1 }\n")
    assert '    print("y")\n' in made
