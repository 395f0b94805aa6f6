"""Memory: containers that grow once and move what they take in."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.loops import LOOPS, Loop, as_loop, statements
from maxcode.policy.rewrite.analysis.read_only import is_large, large_types
from maxcode.policy.rewrite.analysis.variables import Variable, masked, resolved, variables
from maxcode.policy.rewrite.source import SourceFile, ancestors, field, inside
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation

_PUSH = re.compile(r"(\w+)\.(?:push_back|emplace_back|pb)\s*\(")
GUESS = 16


def _count(loop: Loop) -> str | None:
    """About how often a loop runs, as an expression."""
    if loop.comparison not in ("<", "<=") or not re.fullmatch(r"[01]", loop.start):
        return None
    if not re.fullmatch(r"[\w\s.+*/-]+|[\w.]+\.(?:size|length)\(\)", loop.end) or not re.fullmatch(r"\d+", loop.step):
        return None
    if loop.step != "1":
        return f"{loop.end} / {loop.step}" if re.fullmatch(r"[\w.]+(?:\(\))?", loop.end) else None
    extra = (loop.comparison == "<=") - int(loop.start)
    return f"{loop.end} + 1" if extra > 0 else loop.end


def _filled(source: SourceFile, loop: Node) -> list[str]:
    """The containers that a loop's body pushes to each time round."""
    found = []
    for statement in statements(field(loop, "body")):
        match = _PUSH.match(source.text(statement)) if statement.type == "expression_statement" else None
        if match:
            found.append(match[1])
    return [name for name in dict.fromkeys(found) if found.count(name) == 1]


def _reserve(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    growing = [v for v in variables(source) if v.rest == "" and re.match(r"vector<", resolved(source, v.type))]
    for node in source.find(*LOOPS):
        if node.child_by_field_name("body") is None or node.parent is None or node.has_error:
            continue
        names = _filled(source, node)
        ready = [v.name for v in growing if v.name in names and v.scope == node.parent and _untouched(v, node)]
        loop = as_loop(source, node)
        count = _count(loop) if loop else None
        size, options, weight = (count, "", 1.0) if count else (str(GUESS), f"guess={GUESS}", 0.5)
        if ready:
            text = "".join(f"{name}.reserve({size});\n{source.indent(node)}" for name in ready)
            yield Rewrite(source.line(node), (source.before(node, text),), options, weight)


def _untouched(variable: Variable, loop: Node) -> bool:
    """Whether a variable is not used between its declaration and the loop."""
    mentions = variable.mentions
    return mentions is not None and bool(mentions) and mentions[0].at >= loop.start_byte


def _move(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """Moves a local where its last use is a copy into something that lives longer."""
    del setting
    structures, edits = large_types(source), []
    for variable in variables(source):
        if variable.is_global or not is_large(source, variable.type, structures) or "const" in variable.type:
            continue
        use = _last_copy(variable)
        if use is not None and "static" not in source.text(variable.declaration):
            edits.append(source.replace(use, f"std::move({variable.name})"))
    if edits:
        line = source.data[: edits[0].start].count(b"\n") + 1
        yield Rewrite(line, (*source.including("utility"), *edits))


def _last_copy(variable: Variable) -> Node | None:
    source, mentions = variable.source, variable.mentions
    if not mentions or mentions[-1].indices:
        return None
    last = mentions[-1]
    node = source.root.descendant_for_byte_range(last.at, last.end)
    if node is None or not _copies(source, node) or re.search(rf"&\s*\w+\s*=\s*{variable.name}\b", source.code):
        return None
    around = [each for each in ancestors(node) if inside(each, variable.scope) and each != variable.scope]
    if any(each.type in ("lambda_expression", "case_statement") for each in around):
        return None
    loops = [each for each in around if each.type in LOOPS]
    return node if not loops or (len(loops) == 1 and _set_again(variable, loops[0])) else None


def _copies(source: SourceFile, node: Node) -> bool:
    parent = node.parent
    if parent is None or node.type != "identifier":
        return False
    if parent.type == "argument_list":
        call = parent.parent
        name = source.text(call.children[0]) if call is not None else ""
        return bool(re.search(r"\.(?:push_back|emplace_back|pb|push)$", name)) and len(parent.named_children) == 1
    return (
        parent.type == "assignment_expression"
        and field(parent, "right") == node
        and source.text(field(parent, "operator")) == "="
        and parent.parent is not None
        and parent.parent.type == "expression_statement"
    )


def _set_again(variable: Variable, loop: Node) -> bool:
    """Whether each round of a loop begins by giving the variable a new value."""
    mentions = [each for each in variable.mentions or [] if inside_span(each.at, loop)]
    text = masked(variable.source)
    first = mentions[0]
    before, behind = text[loop.start_byte : first.at], text[first.end : first.end + 12]
    whole_statement = re.match(r"\s*(?:=(?!=)|\.\s*(?:assign|clear)\b)", behind)
    body = field(loop, "body")
    direct = statements(body)[:1] and first.at < statements(body)[0].end_byte
    read = re.search(r"getline\s*\(\s*\w+\s*,\s*$|(?:cin|\w+)\s*>>\s*$", before)
    return bool(read and direct) or bool(whole_statement and _top_level(first.at, body))


def _top_level(at: int, body: Node) -> bool:
    return any(each.start_byte == at and each.type == "expression_statement" for each in statements(body))


def inside_span(at: int, node: Node) -> bool:
    return node.start_byte <= at < node.end_byte


TRANSFORMATIONS = (
    Transformation(
        name="reserve",
        family="memory",
        summary="Reserves room before a loop that pushes into a vector each time round.",
        find=_reserve,
        example=RewriteExample(
            before="""
#include <iostream>
#include <vector>
int main() {
    int n = 5;
    std::vector<int> squares;
    for (int i = 0; i < n; i++) {
        squares.push_back(i * i);
    }
    std::cout << squares.back();
}
""",
            after="""
#include <iostream>
#include <vector>
int main() {
    int n = 5;
    std::vector<int> squares;
    squares.reserve(n);
    for (int i = 0; i < n; i++) {
        squares.push_back(i * i);
    }
    std::cout << squares.back();
}
""",
        ),
        languages=CPP,
        answers=("allocation",),
        refusals=(
            "#include <vector>\nint f(int n) {\n    std::vector<int> v;\n    v.reserve(n);\n"
            "    for (int i = 0; i < n; i++) { v.push_back(i); }\n    return v[0];\n}\n",
        ),
    ),
    Transformation(
        name="move-last-use",
        family="memory",
        summary="Moves a local into a container where it is not used again.",
        find=_move,
        example=RewriteExample(
            before="""
#include <iostream>
#include <string>
#include <vector>
int main() {
    std::vector<std::string> lines;
    for (int i = 0; i < 3; i++) {
        std::string line(20 + i, 'a');
        lines.push_back(line);
    }
    std::cout << lines[2];
}
""",
            after="""
#include <utility>
#include <iostream>
#include <string>
#include <vector>
int main() {
    std::vector<std::string> lines;
    for (int i = 0; i < 3; i++) {
        std::string line(20 + i, 'a');
        lines.push_back(std::move(line));
    }
    std::cout << lines[2];
}
""",
        ),
        languages=CPP,
        answers=("allocation", "by-value"),
        refusals=(
            "#include <string>\n#include <vector>\nvoid f(std::vector<std::string> &all) {\n    std::string s;\n"
            "    for (int i = 0; i < 3; i++) {\n        s += 'a';\n        all.push_back(s);\n    }\n}\n",
        ),
    ),
)
