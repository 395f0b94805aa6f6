"""docs/rewriter.md: the lists and pages of families are of today, and the example of a transformation works."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from maxcode.core import Language
from maxcode.policy.rewrite import TRANSFORMATIONS
from maxcode.policy.rewrite.source import SourceFile, apply

ROOT = Path(__file__).parents[2]
PAGE, FOLDER = ROOT / "docs/rewriter.md", ROOT / "docs/rewriter"

script = runpy.run_path(str(ROOT / "runs/docs/rewriter.py"))
OUT_OF_DATE = "out of date; run: .venv/bin/python runs/docs/all.py"


def test_there_is_a_page_for_each_family_and_no_other() -> None:
    assert {page.stem for page in FOLDER.glob("*.md")} == set(script["families"]())


@pytest.mark.parametrize("family", script["families"]())
def test_the_page_of_a_family_is_of_today(family: str) -> None:
    assert (FOLDER / f"{family}.md").read_text() == script["page"](family), OUT_OF_DATE


@pytest.mark.parametrize("file", script["LISTS"])
def test_lists_of_families_are_of_today(file: str) -> None:
    assert (ROOT / file).read_text() == script["with_list"](file), OUT_OF_DATE


def test_every_transformation_has_an_entry() -> None:
    text = "".join(page.read_text() for page in FOLDER.glob("*.md"))
    assert [each.name for each in TRANSFORMATIONS if f"## {each.name}\n" not in text] == []


def test_the_overview_is_short() -> None:
    assert len(PAGE.read_text().splitlines()) < 250


def test_the_transformation_of_the_page_works() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    (each,) = names["TRANSFORMATIONS"]
    source = SourceFile(each.example.before, Language.C)
    (rewrite,) = each.find(source, each.example.setting)
    assert apply(source, rewrite.edits).code == each.example.after
    assert list(each.find(SourceFile(each.refusals[0], Language.C), each.example.setting)) == []
    assert each.name not in {other.name for other in TRANSFORMATIONS}
