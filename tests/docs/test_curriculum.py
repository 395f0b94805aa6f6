"""docs/curriculum.md: the stages are those of the code, and the snippet runs."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

pytest.importorskip("ribs", reason="the archive needs maxcode[rl]")

from maxcode.bench.suites.hpc.shapes import load_hpc
from maxcode.train.curriculum import STAGES
from maxcode.train.masks import Mask, task_under
from maxcode.train.techniques import Technique

PAGE = Path(__file__).parents[2] / "docs/curriculum.md"


def _row(name: str) -> list[str]:
    line = re.findall(rf"^\| `{name}` \|(.*)\|$", PAGE.read_text(), re.MULTILINE)[0]
    return [cell.strip() for cell in line.split("|")]


@pytest.mark.parametrize("mask", STAGES, ids=lambda mask: mask.name)
def test_the_stages_of_the_page_are_those_of_the_code(mask: Mask) -> None:
    permits, flags, cpus = _row(mask.name)
    named = {each.value.replace("_", " ") for each in mask.permitted}
    everything = {each.value.replace("_", " ") for each in Technique}
    listed = everything if permits == "all techniques" else {each.lower() for each in permits.split(", ")}
    assert listed - {"nothing"} == named
    task = load_hpc("dgemm")
    task = task.model_copy(update={"limits": task.limits.model_copy(update={"cpus": 2})})
    under = task_under(task, mask)
    added = [flag for flag in under.build.flags if flag not in task.build.flags]
    assert added == ([] if flags == "none" else flags.strip("`").split())
    assert under.limits.cpus == (1 if cpus == "1" else 2)


def test_the_snippet_of_the_page_runs() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(code, {})
    assert "reorder" in said.getvalue()
    assert "uses threads" in said.getvalue()
