"""Memory: containers that keep their memory from one round of a loop to the next."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.loops import LOOPS
from maxcode.policy.rewrite.analysis.variables import Variable, arguments, masked, resolved, split, variables
from maxcode.policy.rewrite.source import SourceFile, enclosing
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation


def _hoist(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """Moves a container out of the loop and empties it in each round, so that it keeps its memory."""
    del setting
    if "#pragma omp" in source.code:
        return
    for variable in variables(source):
        loop = variable.scope.parent
        if loop is None or loop.type not in LOOPS or not variable.alone or "static" in variable.type:
            continue
        again = _emptied(source, variable)
        block = loop.parent is not None and loop.parent.type == "compound_statement"
        if again is None or not block or not _free_outside(source, variable, loop):
            continue
        indent = source.indent(loop)
        edits = (
            source.before(loop, f"{variable.type} {variable.name};\n{indent}"),
            source.replace(variable.declaration, again),
        )
        yield Rewrite(source.line(variable.declaration), edits)


def _emptied(source: SourceFile, variable: Variable) -> str | None:
    """The statement that makes a used container what the declaration made of a new one."""
    kind, name, rest = resolved(source, variable.type), variable.name, variable.rest
    element = arguments(kind, "vector")
    if kind in ("stringstream", "istringstream"):
        given = re.fullmatch(r"\(\s*([\w.\[\]]+)\s*\)", rest)
        return f"{name}.clear();\n{source.indent(variable.declaration)}{name}.str({given[1]});" if given else None
    if kind != "string" and (element is None or re.match(r"vector|string|map|set|bool", element[0])):
        return None
    if re.sub(r'[=\s(){}]|""', "", rest) == "":
        return f"{name}.clear();"
    given = re.fullmatch(r"\((.*)\)", rest, re.DOTALL)
    if given and element and re.search(rf"\b{name}\b", given[1]) is None and "begin" not in given[1]:
        sizes = split(given[1])
        return f"{name}.assign({given[1]});" if len(sizes) == 2 else f"{name}.assign({given[1]}, {element[0]}());"
    if kind == "string" and re.fullmatch(r"=[^(){}]*", rest):
        return f"{name} {rest};"
    return None


def _free_outside(source: SourceFile, variable: Variable, loop: Node) -> bool:
    """Whether the name is not used elsewhere in the function, and the container is not moved from or returned."""
    function = enclosing(loop, "function_definition")
    while function is not None and (above := enclosing(function, "function_definition")) is not None:
        function = above
    if function is None or variable.mentions is None:
        return False
    text, word = masked(source), re.compile(rf"(?<![\w.]){variable.name}\b")
    outside_loop = text[function.start_byte : loop.start_byte] + text[loop.end_byte : function.end_byte]
    own = text[loop.start_byte : variable.declaration.start_byte]
    within = text[variable.declaration.end_byte : loop.end_byte]
    leaves = re.search(rf"move\s*\(\s*{variable.name}\b|return\s+{variable.name}\b|&\s*{variable.name}\b", within)
    return not word.search(outside_loop) and not word.search(own) and not leaves


TRANSFORMATIONS = (
    Transformation(
        name="hoist-container",
        family="memory",
        summary="Declares a container before the loop and empties it where each round made a new one.",
        find=_hoist,
        example=RewriteExample(
            before="""
#include <iostream>
#include <vector>
int main() {
    for (int i = 1; i < 4; i++) {
        std::vector<int> seen(i, 0);
        seen[i - 1] = 1;
        std::cout << seen[0] << seen.size();
    }
}
""",
            after="""
#include <iostream>
#include <vector>
int main() {
    std::vector<int> seen;
    for (int i = 1; i < 4; i++) {
        seen.assign(i, 0);
        seen[i - 1] = 1;
        std::cout << seen[0] << seen.size();
    }
}
""",
        ),
        languages=CPP,
        answers=("allocation",),
        refusals=(
            "#include <string>\n#include <vector>\nvoid f(std::vector<std::string> &all) {\n"
            "    for (int i = 0; i < 3; i++) {\n        std::string s(i, 'a');\n"
            "        all.push_back(std::move(s));\n    }\n}\n",
        ),
    ),
)
