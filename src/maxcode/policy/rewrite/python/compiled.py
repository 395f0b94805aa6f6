"""Python: regular expressions compiled once."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.python.code import FUNCTIONS, LOOPS, plain_arguments, statements
from maxcode.policy.rewrite.python.imports import after_imports, heading
from maxcode.policy.rewrite.source import Edit, SourceFile, enclosing, field
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation

_ARGUMENTS = {"match": 2, "search": 2, "fullmatch": 2, "findall": 2, "finditer": 2, "split": 2, "sub": 3}


def _compiled(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    names: dict[str, str] = {}
    edits: list[Edit] = []
    calls = [call for call in source.find("call") if _is_repeated(source, call)]
    for call in calls:
        first = statements(field(call, "arguments"))[0]
        literal = source.text(first)
        number = len(names) + 1
        name = names.setdefault(literal, source.fresh("pattern" if number == 1 else f"pattern_{number}"))
        rest = Edit(field(call, "arguments").start_byte + 1, statements(field(call, "arguments"))[1].start_byte, "")
        edits += [source.replace(field(field(call, "function"), "object"), name), rest]
    if calls:
        at = after_imports(source)
        lines = [f"{name} = re.compile({literal})" for literal, name in names.items()]
        yield Rewrite(source.line(calls[0]), (heading(source, at, "", *lines), *edits))


def _is_repeated(source: SourceFile, call: Node) -> bool:
    """Whether a call of `re` with a constant pattern and no flags stands in a function or loop."""
    match = re.fullmatch(r"re\.(\w+)", source.text(field(call, "function")))
    if match is None or match[1] not in _ARGUMENTS or field(call, "arguments").type != "argument_list":
        return False
    given = statements(field(call, "arguments"))
    constant = bool(given) and given[0].type == "string" and not re.match(r"\w*[fF]", source.text(given[0]))
    known = re.search(r"^import (?:.*, ?)?re\b", source.code, re.MULTILINE) is not None
    return (
        constant and known and len(given) == _ARGUMENTS[match[1]] and plain_arguments(given)
        and "\n" not in source.text(given[0]) and enclosing(call, *FUNCTIONS, *LOOPS) is not None
    )  # fmt: skip


TRANSFORMATIONS = (
    Transformation(
        name="compiled-pattern",
        family="python",
        summary="Compiles constant regular expressions once, where each call looks them up.",
        find=_compiled,
        example=RewriteExample(
            before="""
import re

for line in ["a=1", "b", "c=3"]:
    if re.match(r"\\w=\\d", line):
        print(re.sub("=", ":", line))
""",
            after="""
import re

pattern = re.compile(r"\\w=\\d")
pattern_2 = re.compile("=")

for line in ["a=1", "b", "c=3"]:
    if pattern.match(line):
        print(pattern_2.sub(":", line))
""",
        ),
        languages=PYTHON,
        refusals=(
            'import re\n\nprint(re.match("a", "b"))\n',
            'import re\n\nfor x in "ab":\n    print(re.match(x, "a"))\n',
            'import re\n\nfor x in "ab":\n    print(re.match("A", x, re.I))\n',
        ),
    ),
)
