"""Writes the order of packages into docs/architecture.md, between its markers, from the list that tests/test_layers.py
holds the code to."""

from __future__ import annotations

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/architecture.md"
BEGIN, END = "<!-- layers -->\n", "<!-- end of layers -->\n"


def page(text: str) -> str:
    """The page with the order of today."""
    layers: dict[str, str] = runpy.run_path(str(ROOT / "tests/test_layers.py"))["LAYERS"]
    rows = "".join(f"{number}. `{name}`: {about}\n" for number, (name, about) in enumerate(layers.items(), 1))
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    return f"{text[:begin]}\n{rows}\n{text[end:]}"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))
