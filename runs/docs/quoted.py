"""Puts code into pages: what stands after `<!-- code: FILE NAME... -->` is that function or constant as FILE has it."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "docs/theory.md", ROOT / "docs/strategies.md")
QUOTE = re.compile(r"(<!-- code: (\S+) ([\w ]+) -->\n).*?(<!-- end of code -->\n)", re.DOTALL)


def page(text: str) -> str:
    """The page with the code of today."""
    return QUOTE.sub(lambda found: f"{found[1]}\n{_quoted(found[2], found[3].split())}\n{found[4]}", text)


def _quoted(file: str, names: list[str]) -> str:
    code = (ROOT / file).read_text()
    tree = ast.parse(code)
    defined = {name: node for node in ast.walk(tree) for name in _names(node)}
    parts = [dedent(ast.get_source_segment(code, defined[name], padded=True) or "") for name in names]
    return "```python\n" + "\n\n\n".join(parts) + f"\n```\n\n[{file}](../{file})\n"


def _names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.FunctionDef):
        return [node.name]
    return [each.id for each in node.targets if isinstance(each, ast.Name)] if isinstance(node, ast.Assign) else []


if __name__ == "__main__":
    for each in PAGES:
        each.write_text(page(each.read_text()))
