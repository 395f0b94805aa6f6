"""Library: numbers and fields out of a text without copies of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.source import Edit, Source, field
from maxcode.policy.rewrite.support import arguments, calls, functions, prelude
from maxcode.policy.rewrite.transformation import CPP, Example, Rewrite, Setting, Transformation
from maxcode.policy.rewrite.variables import Variable, masked, resolved, type_of, variables

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


def _numbers(source: Source, setting: Setting) -> Iterator[Rewrite]:
    """What cannot be read gives 0 where it threw; programs that rely on that catch it."""
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


def _view(source: Source, node: Node) -> str:
    """A part of a string as a view of it."""
    text = source.text(node)
    match = re.fullmatch(r"(\w+)\.substr\((.*)\)", text, re.DOTALL)
    return f"std::string_view({match[1]}).substr({match[2]})" if match else text


def _views(source: Source, setting: Setting) -> Iterator[Rewrite]:
    """A function that cuts up a string it was given returns views, where every caller only looks at them."""
    del setting
    for name, function in functions(source).items():
        kind = function.child_by_field_name("type")
        if kind is None or resolved(source, source.text(kind)) != "vector<string>":
            continue
        edits = _view_edits(source, name, function)
        if edits:
            yield Rewrite(source.line(function), (*source.including("string_view"), *edits))


def _view_edits(source: Source, name: str, function: Node) -> list[Edit] | None:
    body, kind = field(function, "body"), field(function, "type")
    own = [v for v in variables(source) if v.scope == body and resolved(source, v.type) == "vector<string>"]
    given = re.search(r"\(\s*const\s+(?:std::)?string\s*&\s*(\w+)", source.text(field(function, "declarator")))
    if len(own) != 1 or own[0].rest or not own[0].alone or given is None:
        return None
    pushed = _pushed(source, own[0], given[1], body)
    held = _held(source, name)
    if pushed is None or held is None:
        return None
    vector = f"{source.std}vector<{source.std}string_view>"
    edits = [source.replace(kind, vector), source.replace(field(own[0].declaration, "type"), vector), *pushed]
    for variable, uses in held:
        edits += [source.replace(field(variable.declaration, "type"), vector), *uses]
    return edits


def _pushed(source: Source, fields: Variable, text: str, body: Node) -> list[Edit] | None:
    """What goes into the vector, as views of the parameter: one `part.assign(text, from, count)` or `substr`."""
    found = masked(source)[body.start_byte : body.end_byte]
    assigned = re.findall(rf"\b(\w+)\.assign\({text}, ([\w+\- ]+), ([\w+\- ]+)\);", found)
    adding = (f"{fields.name}.push_back", f"{fields.name}.emplace_back")
    pushes = [c for c in source.find("call_expression", within=body) if source.text(field(c, "function")) in adding]
    if len(assigned) != 1 or len(pushes) != 1 or len(fields.mentions or []) > 3:
        return None
    part, start, count = assigned[0]
    declared = next(
        (v for v in variables(source) if v.name == part and v.scope == body and v.alone and not v.rest), None
    )
    plain = re.fullmatch(rf"\(\s*(?:std::move\(\s*{part}\s*\)|{part})\s*\)", source.text(field(pushes[0], "arguments")))
    if declared is None or not plain or len(re.findall(rf"\b{part}\b", found)) != 3:
        return None
    at = body.start_byte + found.index(f"{part}.assign(")
    whole = f"{part}.assign({text}, {start}, {count})"
    return [
        source.replace(field(declared.declaration, "type"), f"{source.std}string_view"),
        Edit(at, at + len(whole), f"{part} = {source.std}string_view({text}).substr({start}, {count})"),
    ]


def _held(source: Source, name: str) -> list[tuple[Variable, list[Edit]]] | None:
    """The variables that keep the function's result, with what their uses become; None where one is not plain."""
    found = []
    for call in calls(source, name):
        given = arguments(call)
        variable = next((v for v in variables(source) if v.rest == f"= {source.text(call)}"), None)
        if variable is None or not given or type_of(source, given[0]) != "string" or variable.is_global:
            return None
        uses = _uses(source, variable)
        if uses is None or variable.changed_after(source.text(given[0])):
            return None
        found.append((variable, uses))
    return found or None


def _uses(source: Source, variable: Variable) -> list[Edit] | None:
    text, edits = masked(source), []
    for each in variable.mentions or []:
        before, behind = text[: each.at], text[each.end : each.end + 20]
        if not each.indices and re.match(r"\s*\.\s*(?:size|empty)\b", behind):
            continue
        if len(each.indices) != 1:
            return None
        copied = re.search(r"\b(?:const\s+)?(?:std::)?string\s+(?:&\s*)?(\w+)\s*(=\s*)$", before)
        if copied and re.match(r"\s*;", behind):
            whole = source.data[each.at : each.end].decode()
            begin = each.at - len(copied[0])
            edits.append(Edit(begin, each.end, f"{source.std}string {copied[1]}({whole})"))
        elif not re.search(r"\w<[\w ]+>\(\s*$|<<\s*$|==\s*$", before) and not re.match(
            r"\s*(?:==|\.\s*(?:size|empty)\b)", behind
        ):
            return None
    return edits


TRANSFORMATIONS = (
    Transformation(
        name="numbers-with-from-chars",
        family="library",
        summary="Reads numbers out of strings with from_chars, without a copy of the part.",
        find=_numbers,
        example=Example(
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
    Transformation(
        name="views-of-fields",
        family="library",
        summary="Cuts a line into views of it where its fields were copied into strings of their own.",
        find=_views,
        example=Example(
            before="""
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
using namespace std;
vector<string> split(const string &line) {
    vector<string> fields;
    size_t start = 0;
    string field;
    while (start < line.size()) {
        size_t end = min(line.find(',', start), line.size());
        field.assign(line, start, end - start);
        start = end + 1;
        fields.push_back(field);
    }
    return fields;
}
int main() {
    string line = "a,b,c";
    vector<string> fields = split(line);
    string second = fields[1];
    cout << second << fields.size() << fields[2];
}
""",
            after="""
#include <string_view>
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
using namespace std;
vector<string_view> split(const string &line) {
    vector<string_view> fields;
    size_t start = 0;
    string_view field;
    while (start < line.size()) {
        size_t end = min(line.find(',', start), line.size());
        field = string_view(line).substr(start, end - start);
        start = end + 1;
        fields.push_back(field);
    }
    return fields;
}
int main() {
    string line = "a,b,c";
    vector<string_view> fields = split(line);
    string second(fields[1]);
    cout << second << fields.size() << fields[2];
}
""",
        ),
        languages=CPP,
        answers=("allocation",),
        refusals=(
            "#include <string>\n#include <vector>\nusing namespace std;\nvector<string> split(const string &line) {\n"
            "    vector<string> fields;\n    string field;\n    field.assign(line, 0, 2);\n"
            "    fields.push_back(field);\n    return fields;\n}\n"
            'int main() {\n    vector<string> fields = split("abc");\n    return fields.size();\n}\n',
        ),
    ),
)
