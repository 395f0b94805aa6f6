"""docs/architecture.md: the order of packages in it is the one that a test holds."""

from __future__ import annotations

import runpy

from tests.docs.walk import DOCS, ROOT


def test_the_order_is_of_today() -> None:
    script = runpy.run_path(str(ROOT / "runs/docs/layers.py"))
    text = (DOCS / "architecture.md").read_text()
    assert text == script["page"](text), "out of date; run: .venv/bin/python runs/docs/layers.py"
