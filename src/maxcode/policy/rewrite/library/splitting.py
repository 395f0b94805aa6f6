"""Library: lines cut into fields without streams and without copies."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.support import arguments, calls, functions
from maxcode.policy.rewrite.analysis.variables import Variable, masked, resolved, type_of, variables
from maxcode.policy.rewrite.source import Edit, Source, field
from maxcode.policy.rewrite.transformation import CPP, Example, Rewrite, Setting, Transformation


def _split_edits(source: Source, loop: Node, stream: Variable, text: str, part: str, separator: str) -> list[Edit]:
    start, end = source.fresh("start"), source.fresh("end")
    indent, body = source.indent(loop), field(loop, "body")
    inner = indent + ("\t" if "\t" in indent else "    ")
    lines = [
        f"size_t {end} = {source.std}min({text}.find({separator}, {start}), {text}.size());",
        f"{part}.assign({text}, {start}, {end} - {start});",
        f"{start} = {end} + 1;",
    ]
    front = "".join(f"\n{inner}{line}" for line in lines)
    if body.type == "compound_statement":
        inside = [Edit(body.start_byte + 1, body.start_byte + 1, front)]
    else:
        inside = [source.replace(body, f"{{{front}\n{inner}{source.text(body)}\n{indent}}}")]
    return [
        *source.including("algorithm"),
        source.replace(stream.declaration, f"size_t {start} = 0;"),
        source.replace(field(loop, "condition"), f"({start} < {text}.size())"),
        *inside,
    ]


def _both_strings(source: Source, stream: Variable, part: str) -> bool:
    """Whether the text that a stream was made of is a string, and so is what is read from it."""
    text = next((n for n in source.find("identifier", "type_identifier", within=stream.declaration)
                 if n.start_byte > stream.at), None)  # fmt: skip
    parts = [v for v in variables(source) if v.name == part and v.scope == stream.scope]
    plain = bool(parts) and resolved(source, parts[0].type) == "string"
    return plain and text is not None and type_of(source, text) == "string"


def _split(source: Source, setting: Setting) -> Iterator[Rewrite]:
    del setting
    blank = masked(source)
    for stream in variables(source):
        given = re.fullmatch(r"[({]\s*(\w+)\s*[)}]", stream.rest)
        if resolved(source, stream.type) not in ("stringstream", "istringstream") or not given or not stream.alone:
            continue
        mentions, text = stream.mentions or [], given[1]
        for loop in source.find("while_statement", within=stream.scope):
            condition = source.text(field(loop, "condition"))
            match = re.fullmatch(
                rf"\(\s*(?:std::)?getline\s*\(\s*{stream.name}\s*,\s*(\w+)\s*,\s*('.+'|\w+)\s*\)\s*\)", condition
            )
            direct = loop.parent is not None and loop.parent.id == stream.scope.id
            alone = len(mentions) == 1 and loop.start_byte < mentions[0].at < field(loop, "body").start_byte
            if not match or not direct or not alone or not _both_strings(source, stream, match[1]):
                continue
            rest = blank[loop.end_byte : stream.scope.end_byte]
            inside = blank[stream.declaration.end_byte : loop.end_byte]
            if re.search(rf"\b{match[1]}\b", rest) or re.search(
                rf"\b{text}\s*(?:=(?!=)|\+=|\.\w+back|\.erase)", inside
            ):
                continue
            yield Rewrite(
                source.line(stream.declaration), tuple(_split_edits(source, loop, stream, text, match[1], match[2]))
            )


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
        name="split-without-stream",
        family="library",
        summary="Cuts a string at a separator with find where a string stream was made for each line.",
        find=_split,
        example=Example(
            before="""
#include <iostream>
#include <sstream>
#include <string>
#include <vector>
using namespace std;
vector<string> split(const string &line) {
    vector<string> fields;
    stringstream stream(line);
    string field;
    while (getline(stream, field, ',')) {
        fields.push_back(field);
    }
    return fields;
}
int main() {
    for (const string &field : split(",a,,b,")) {
        cout << "<" << field << ">";
    }
}
""",
            after="""
#include <algorithm>
#include <iostream>
#include <sstream>
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
    for (const string &field : split(",a,,b,")) {
        cout << "<" << field << ">";
    }
}
""",
        ),
        languages=CPP,
        answers=("allocation", "slow-input"),
        prior=2.0,
        refusals=(
            "#include <sstream>\n#include <string>\nint f(const std::string &line) {\n"
            "    std::stringstream stream(line);\n    std::string first, field;\n    stream >> first;\n"
            "    int n = 0;\n    while (getline(stream, field, ',')) { n++; }\n    return n;\n}\n",
        ),
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
