"""docs/rewriter.md: the reference is of today, and the example of a transformation works."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

from maxcode.core import Language
from maxcode.policy.rewrite import TRANSFORMATIONS
from maxcode.policy.rewrite.source import Source, apply

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/rewriter.md"


def test_the_reference_is_up_to_date() -> None:
    script = runpy.run_path(str(ROOT / "runs/docs/rewriter.py"))
    text = PAGE.read_text()
    assert text == script["page"](text), "out of date; run: .venv/bin/python runs/docs/rewriter.py"


def test_every_transformation_has_an_entry() -> None:
    text = PAGE.read_text()
    assert [each.name for each in TRANSFORMATIONS if f"#### {each.name}\n" not in text] == []


def test_the_transformation_of_the_page_works() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    (each,) = names["TRANSFORMATIONS"]
    source = Source(each.example.before, Language.C)
    (rewrite,) = each.find(source, each.example.setting)
    assert apply(source, rewrite.edits).code == each.example.after
    assert list(each.find(Source(each.refusals[0], Language.C), each.example.setting)) == []
    assert each.name not in {other.name for other in TRANSFORMATIONS}


def test_links_lead_somewhere() -> None:
    for link in re.findall(r"\]\((\.\./[^)#]+|[\w./]+\.md)\)", PAGE.read_text()):
        assert (PAGE.parent / link).exists(), link
