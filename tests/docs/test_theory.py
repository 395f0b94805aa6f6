"""docs/theory.md: the code in it is that of today, and its numbers are right."""

from __future__ import annotations

import runpy

from tests.docs.walk import DOCS, ROOT, blocks

PAGE = DOCS / "theory.md"


def test_the_code_is_of_today() -> None:
    script = runpy.run_path(str(ROOT / "runs/docs/quoted.py"))
    text = PAGE.read_text()
    assert text == script["page"](text), "out of date; run: .venv/bin/python runs/docs/all.py"


def test_every_function_of_the_theory_is_on_the_page() -> None:
    functions = [
        line[4 : line.index("(")]
        for line in (ROOT / "src/maxcode/search/mdp.py").read_text().splitlines()
        if line.startswith("def ")
    ]
    text = PAGE.read_text()
    assert [name for name in functions if f"def {name}(" not in text] == []


def test_the_example_holds() -> None:
    exec([block.text for block in blocks(PAGE) if block.language == "python"][-1], {})
