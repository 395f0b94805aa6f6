"""Library: pure recursive functions that remember what they have computed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.loops import written
from maxcode.policy.rewrite.analysis.support import calls, functions, live, resolved
from maxcode.policy.rewrite.source import Edit, Source, enclosing, field
from maxcode.policy.rewrite.transformation import CPP, Example, Rewrite, Setting, Transformation

_NUMBER = re.compile(r"(?:(?:unsigned|signed|long|int|size_t|double|bool)\s*)+")
_INTEGER = re.compile(r"(?:(?:unsigned|signed|long|int|size_t)\s*)+")


def _memoised(source: Source, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for name, definition in functions(source).items():
        parameters = _parameters(source, definition)
        if parameters is None or not _calls_itself_often(source, name, definition):
            continue
        if not _is_pure(source, name, definition, parameters):
            continue
        edits = _edits(source, name, definition, parameters)
        if edits:
            yield Rewrite(source.line(definition), tuple(edits))


def _parameters(source: Source, definition: Node) -> list[str] | None:
    """The names of one or two integer parameters of a function that returns a number."""
    returned = resolved(source, source.text(field(definition, "type")))
    if not _NUMBER.fullmatch(returned) or definition.parent != source.root:
        return None
    listed = next(source.find("parameter_list", within=definition), None)
    nodes = [] if listed is None else [node for node in listed.named_children if node.type == "parameter_declaration"]
    found = []
    for node in nodes:
        parameter = re.fullmatch(r"(.+?)\s+(\w+)", source.text(node))
        if parameter is None or not _INTEGER.fullmatch(resolved(source, parameter[1])):
            return None
        found.append(parameter[2])
    return found if 1 <= len(found) <= 2 else None


def _calls_itself_often(source: Source, name: str, definition: Node) -> bool:
    """Whether a function calls itself at least twice, so that without a table its work can grow exponentially."""
    own = [call for call in calls(source, name) if enclosing(call, "function_definition") == definition]
    return len(own) >= 2


def _is_pure(source: Source, name: str, definition: Node, parameters: list[str]) -> bool:
    """Whether the value depends on the parameters alone: nothing outside is written, read in a stream, or called."""
    body = field(definition, "body")
    called = {source.text(call.children[0]) for call in source.find("call_expression", within=body)}
    if called - {name, "min", "max", "abs", "std::min", "std::max", "std::abs"}:
        return False
    if re.search(r"\b(?:cin|cout|static|rand)\b", source.text(body)):
        return False
    local = {source.text(node) for each in source.find("declaration", within=body)
             for declarator in each.children_by_field_name("declarator")
             for node in source.find("identifier", within=declarator)}  # fmt: skip
    if written(source, body) & set(parameters) or written(source, body) - local:
        return False
    outside = {source.text(node) for node in source.find("identifier", within=body)} - local - set(parameters) - called
    return all(_is_constant(source, each) for each in outside)


def _is_constant(source: Source, name: str) -> bool:
    return bool(re.search(rf"\bconst(?:expr)?\b[\w ]*\b{name}\b|#\s*define\s+{name}\b", source.code))


def _edits(source: Source, name: str, definition: Node, parameters: list[str]) -> list[Edit]:
    """A table beside the function; the function under another name computes what the table lacks."""
    returned = source.text(field(definition, "type"))
    inner = source.fresh(f"{name}_computed")
    own = next((node for node in source.find("identifier", within=field(definition, "declarator"))), None)
    if own is None or not live(source, [definition]):
        return []
    head = source.data[definition.start_byte : field(definition, "body").start_byte].decode().strip()
    known, found, key = source.fresh("known"), source.fresh("found"), source.fresh("key")
    packed = (
        parameters[0]
        if len(parameters) == 1
        else f"((unsigned long long){parameters[0]} << 32) ^ (unsigned){parameters[1]}"
    )
    wrapper = f"""

{head} {{
    static {source.std}unordered_map<unsigned long long, {returned}> {known};
    unsigned long long {key} = {packed};
    auto {found} = {known}.find({key});
    if ({found} != {known}.end()) return {found}->second;
    {returned} value = {inner}({", ".join(parameters)});
    {known}[{key}] = value;
    return value;
}}"""
    return [
        *source.including("unordered_map"),
        source.before(definition, f"{head};\n\n"),
        source.replace(own, inner),
        source.after(definition, wrapper),
    ]


_BEFORE = """
#include <cstdio>

long long ways(int n) {
    if (n < 2) return 1;
    return ways(n - 1) + ways(n - 2);
}

int main() {
    printf("%lld\\n", ways(25));
}
"""

TRANSFORMATIONS = (
    Transformation(
        name="memoised-function",
        family="library",
        summary="Remembers the values of a pure recursive function that would compute them again and again.",
        find=_memoised,
        example=Example(
            before=_BEFORE,
            after=_BEFORE.replace(
                "long long ways(int n) {", "long long ways(int n);\n\nlong long ways_computed(int n) {"
            )
            .replace("#include <cstdio>", "#include <unordered_map>\n#include <cstdio>")
            .replace(
                "- 2);\n}",
                """- 2);
}

long long ways(int n) {
    static std::unordered_map<unsigned long long, long long> known;
    unsigned long long key = n;
    auto found = known.find(key);
    if (found != known.end()) return found->second;
    long long value = ways_computed(n);
    known[key] = value;
    return value;
}""",
            ),
        ),
        languages=CPP,
        prior=1.0,
        refusals=(
            "int c;\nint f(int n) { c++; return n < 2 ? n : f(n - 1) + f(n - 2); }\nint main() { return f(5); }\n",
            "int f(int n) { return n < 2 ? n : n * f(n - 1); }\nint main() { return f(5); }\n",
        ),
    ),
)
