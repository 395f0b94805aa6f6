"""Library: numbers out of a text without copies of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.support import arguments, calls, prelude
from maxcode.policy.rewrite.source import SourceFile, field
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation

_KINDS = {"stoi": "int", "stol": "long", "stoll": "long long", "stoull": "unsigned long long", "stod": "double"}
_HELPER = """
template <typename T>
static T {name}(std::string_view text) {{
    size_t start = text.find_first_not_of(" \\t\\r\\n");
    text.remove_prefix(start == std::string_view::npos ? text.size() : start);
    text.remove_prefix(!text.empty() && text[0] == '+');
    T value{{}};
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}}
"""


def _numbers(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """Parses numbers without copies. Text that is no number gives 0 instead of an exception."""
    del setting
    name = source.fresh("number_in")
    if re.search(r"\bcatch\s*\(|#\s*define\s+int\b", source.code):
        return
    edits = []
    for call in calls(source, *_KINDS):
        given = arguments(call)
        if len(given) != 1 or call.has_error:
            continue
        kind = _KINDS[source.text(field(call, "function")).removeprefix("std::")]
        edits.append(source.replace(call, f"{name}<{kind}>({_view(source, given[0])})"))
    if edits:
        line = source.data[: edits[0].start].count(b"\n") + 1
        yield Rewrite(line, (prelude(source, _HELPER.format(name=name), ("charconv", "string", "string_view")), *edits))


def _view(source: SourceFile, node: Node) -> str:
    """A part of a string as a view of it."""
    text = source.text(node)
    match = re.fullmatch(r"(\w+)\.substr\((.*)\)", text, re.DOTALL)
    return f"std::string_view({match[1]}).substr({match[2]})" if match else text


TRANSFORMATIONS = (
    Transformation(
        name="numbers-with-from-chars",
        family="library",
        summary="Reads numbers out of strings with from_chars, without a copy of the part.",
        find=_numbers,
        example=RewriteExample(
            before="""
#include <iostream>
#include <string>
using namespace std;
int main() {
    string line = "17, 2.5";
    cout << stoi(line.substr(0, 2)) + stod(line.substr(3));
}
""",
            after="""
#include <iostream>
#include <string>
#include <charconv>
#include <string_view>

template <typename T>
static T number_in(std::string_view text) {
    size_t start = text.find_first_not_of(" \\t\\r\\n");
    text.remove_prefix(start == std::string_view::npos ? text.size() : start);
    text.remove_prefix(!text.empty() && text[0] == '+');
    T value{};
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

using namespace std;
int main() {
    string line = "17, 2.5";
    cout << number_in<int>(std::string_view(line).substr(0, 2)) + number_in<double>(std::string_view(line).substr(3));
}
""",
        ),
        languages=CPP,
        answers=("slow-input", "allocation"),
        refusals=("#include <string>\nint f(std::string s) { return std::stoi(s, nullptr, 2); }\n",),
    ),
)
