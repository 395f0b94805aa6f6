"""docs/prompts.md: the prompts on it are those that the code makes."""

from __future__ import annotations

import runpy

from tests.docs.walk import DOCS, ROOT

PAGE = DOCS / "prompts.md"


def test_the_prompts_are_those_of_today() -> None:
    script = runpy.run_path(str(ROOT / "runs/docs/prompts.py"))
    text = PAGE.read_text()
    assert text == script["page"](text), "out of date; run: .venv/bin/python runs/docs/all.py"
