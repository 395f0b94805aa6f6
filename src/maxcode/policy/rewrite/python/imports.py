"""Python: the lines at the top of a file that rewritten code needs."""

from __future__ import annotations

import re

from tree_sitter import Node

from maxcode.policy.rewrite.python.effects import bound
from maxcode.policy.rewrite.source import Edit, SourceFile


def importing(source: SourceFile, *lines: str) -> list[Edit] | None:
    """The edits that add imports such as `import re`; none where they are there, None where the name is taken."""
    missing = []
    for line in lines:
        module, name = re.fullmatch(r"(?:from (\w+) )?import (\w+)", line).groups()  # type: ignore[union-attr]
        found = [each for each in source.root.named_children if each.type.startswith("import")]
        if any(_brings(source, each, module, name) for each in found):
            continue
        if name in bound(source, source.root) or any(
            source.text(each) == name for p in source.find("parameters", "lambda_parameters")
            for each in p.named_children
        ):  # fmt: skip
            return None
        missing.append(line)
    at = after_imports(source)
    return [heading(source, at, *missing)] if missing else []


def heading(source: SourceFile, at: int, *lines: str) -> Edit:
    """Edit that inserts lines before the code, with blank lines after them as after imports."""
    follows = source.data[at:]
    gap = 0 if follows.startswith((b"\n", b"\r", b"import", b"from")) else 2 if follows.startswith(_DEFINES) else 1
    return Edit(at, at, "".join(f"{line}\n" for line in lines) + "\n" * gap)


def defining(source: SourceFile, code: str) -> Edit:
    """Edit that defines functions behind the imports."""
    at = after_imports(source)
    gap = ["", ""] if source.data[:at].strip() else []
    return heading(source, at, *gap, *code.strip("\n").split("\n"))


_DEFINES = (b"def ", b"class ", b"@", b"async def ")


def _brings(source: SourceFile, node: Node, module: str | None, name: str) -> bool:
    text = re.sub(r"\s+", " ", source.text(node))
    if module is None:
        return bool(re.fullmatch(rf"import (?:.*, ?)?{name}(?: ?,.*)?", text))
    if not text.startswith(f"from {module} import"):
        return False
    return bool(re.search(rf"import .*\b{name}\b(?! as)", text)) or text.endswith("import *")


def after_imports(source: SourceFile) -> int:
    """Offset behind the imports at the top of the file; without imports, behind its docstring or leading comments."""
    last: Node | None = None
    for each in source.root.named_children:
        is_docstring = each.type == "expression_statement" and each.named_children[0].type == "string"
        if each.type.startswith(("import", "future_import")) or (is_docstring and last is None):
            last = each
        elif each.type != "comment":
            break
    if last is None:
        first = next((each for each in source.root.named_children if each.type != "comment"), None)
        return source.data.rfind(b"\n", 0, first.start_byte) + 1 if first else 0
    end = source.data.find(b"\n", last.end_byte)
    return end + 1 if end >= 0 else len(source.data)


def with_imports(source: SourceFile, edits: tuple[Edit, ...], *lines: str) -> tuple[Edit, ...] | None:
    """Edits together with the imports they need."""
    added = importing(source, *lines)
    return None if added is None else (*added, *edits)
