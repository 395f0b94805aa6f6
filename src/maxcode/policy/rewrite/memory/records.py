"""Memory: an array for each member of a structure, and whole numbers no wider than what is counted in them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from maxcode.policy.rewrite.analysis.loops import LOOPS
from maxcode.policy.rewrite.analysis.variables import Mention, Variable, arguments, masked, resolved, split, variables
from maxcode.policy.rewrite.memory.grids import overlap, squeezed
from maxcode.policy.rewrite.source import Edit, Source, field
from maxcode.policy.rewrite.transformation import C_AND_CPP, CPP, Example, Rewrite, Setting, Transformation


def _members(source: Source) -> dict[str, dict[str, str]]:
    """The plain structures: their members with their types, where there is nothing else in them."""
    found = {}
    for node in source.find("struct_specifier"):
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None or body is None:
            continue
        members: dict[str, str] = {}
        for each in body.named_children:
            declarators = each.children_by_field_name("declarator") if each.type == "field_declaration" else []
            if any(declarator.type != "field_identifier" for declarator in declarators) or not declarators:
                break
            if each.child_by_field_name("default_value") is not None:
                break
            members |= {source.text(declarator): source.text(field(each, "type")) for declarator in declarators}
        else:
            found[source.text(name)] = members
    return found


def _by_member(source: Source, setting: Setting) -> Iterator[Rewrite]:
    del setting
    structures = _members(source)
    for variable in variables(source):
        kind = resolved(source, variable.type)
        element = (arguments(kind, "vector") or [kind])[0].removeprefix("struct ")
        members, uses = structures.get(element), variable.mentions
        if not members or len(members) < 2 or not uses or not variable.alone or not _sized(variable, kind):
            continue
        named = [_member(source, each) for each in uses]
        if any(name not in members for name in named) or not _hot(source, variable, len(members)):
            continue
        edits = tuple(_spread(source, variable, kind, members, uses))
        if not overlap(edits):
            yield Rewrite(source.line(variable.declaration), edits)


def _sized(variable: Variable, kind: str) -> bool:
    if kind.startswith("vector<"):
        given = re.fullmatch(r"\((.*)\)", variable.rest, re.DOTALL)
        return given is not None and len(split(given[1])) == 1
    return re.fullmatch(r"\[[^\[\]]+\]", variable.rest) is not None and not variable.rest.startswith("[]")


def _member(source: Source, mention: Mention) -> str:
    """The member in `x[i].member`; "" for every other use."""
    behind = re.match(r"\s*\.\s*(\w+)\b(?!\s*\()", masked(source)[mention.end :])
    return behind[1] if behind and len(mention.indices) == 1 else ""


def _hot(source: Source, variable: Variable, members: int) -> bool:
    """Whether some loop touches only a part of each structure."""
    for node in source.find(*LOOPS):
        within = [each for each in variable.mentions or [] if node.start_byte < each.at < node.end_byte]
        if within and len({_member(source, each) for each in within}) < members:
            return True
    return False


def _spread(
    source: Source, variable: Variable, kind: str, members: dict[str, str], uses: list[Mention]
) -> Iterator[Edit]:
    names = {member: source.fresh(f"{variable.name}_{member}") for member in members}
    indent = source.indent(variable.declaration)
    lines = []
    for member, name in names.items():
        vector = kind.startswith("vector<")
        made = f"{source.std}vector<{members[member]}>" if vector else members[member]
        lines.append(f"{made} {name}{variable.rest};")
    yield source.replace(variable.declaration, f"\n{indent}".join(lines))
    text = masked(source)
    for each in uses:
        member = _member(source, each)
        end = each.end + text[each.end :].index(member) + len(member)
        index = source.data[each.indices[0].start : each.indices[0].end].decode()
        yield Edit(each.at, end, f"{names[member]}[{index}]")


_LITERAL = r"\d{1,6}"


def _narrow(source: Source, setting: Setting) -> Iterator[Rewrite]:
    """Narrows counters to 32 bits that rise by small steps from small values: they cannot overflow in practice."""
    del setting
    for variable in variables(source):
        kind = resolved(source, variable.type)
        plain = re.fullmatch(r"(?:vector<)*long long>*", kind)
        fill = re.search(rf"[,(]\s*({_LITERAL})\s*\)+$|^\[[^=]*\]$|^\(\w[^,]*\)$", variable.rest)
        if not plain or not fill or not variable.alone or not variable.mentions:
            continue
        if _rises_slowly(source, variable, variable.mentions):
            text = re.sub(r"\blong long\b|\bll\b|\bLL\b", "int", source.text(variable.declaration))
            if (
                "int" in text
                and "ll" not in re.findall(r"\w+", text)
                and text.count("int") == _count_of_long(source, variable)
            ):
                yield Rewrite(source.line(variable.declaration), (source.replace(variable.declaration, text),))


def _count_of_long(source: Source, variable: Variable) -> int:
    return len(re.findall(r"\blong long\b|\bll\b|\bLL\b", source.text(variable.declaration)))


def _rises_slowly(source: Source, variable: Variable, mentions: list[Mention]) -> bool:
    """Whether every value assigned is a small literal, an element plus a small literal, or a max or min of these."""
    dimensions, text, inside = len(mentions[0].indices), masked(source), -1
    target = rf"{variable.name}(?:\[[^\[\]]*\]){{{dimensions}}}"
    step = rf"(?:{target}(?:\+{_LITERAL})?|{_LITERAL})"
    value = rf"(?:{step}|(?:std::)?(?:max|min)\({step},{step}\))"
    written = 0
    for each in mentions:
        if len(each.indices) != dimensions or not dimensions:
            return False
        if each.at < inside:
            continue
        behind = text[each.end : each.end + 300]
        assigned = re.match(r"\s*(?:=(?!=)\s*([^;]*);|\+\+\s*;)", behind)
        if assigned:
            if assigned[1] is not None and not re.fullmatch(value, squeezed(assigned[1])):
                return False
            inside, written = each.end + assigned.end(), written + 1
        elif not _only_shown(text[max(0, each.at - 30) : each.at], behind):
            return False
    return written > 0


def _only_shown(before: str, behind: str) -> bool:
    """Whether a use only prints the number or compares it with a literal, where its type does not matter."""
    shown = re.search(r"<<\s*$", before) and re.match(r"\s*(?:<<|;)", behind)
    compared = re.search(r"(?:\(|&&|\|\|)\s*$", before) and re.match(
        rf"\s*(?:==|!=|<|>|<=|>=)\s*{_LITERAL}\s*(?:\)|&&|\|\|)", behind
    )
    return bool(shown or compared)


TRANSFORMATIONS = (
    Transformation(
        name="structure-of-arrays",
        family="memory",
        summary="Keeps an array for each member where loops touch only some members of an array of structures.",
        find=_by_member,
        example=Example(
            before="""
#include <stdio.h>
struct Point {
    double x, y;
    int colour;
};
struct Point points[1000];
int main(void) {
    for (int i = 0; i < 1000; i++) {
        points[i].x = i;
        points[i].y = 2 * i;
        points[i].colour = i % 3;
    }
    double sum = 0.0;
    for (int i = 0; i < 1000; i++) {
        sum += points[i].x * points[i].y;
    }
    printf("%f %d\\n", sum, points[7].colour);
}
""",
            after="""
#include <stdio.h>
struct Point {
    double x, y;
    int colour;
};
double points_x[1000];
double points_y[1000];
int points_colour[1000];
int main(void) {
    for (int i = 0; i < 1000; i++) {
        points_x[i] = i;
        points_y[i] = 2 * i;
        points_colour[i] = i % 3;
    }
    double sum = 0.0;
    for (int i = 0; i < 1000; i++) {
        sum += points_x[i] * points_y[i];
    }
    printf("%f %d\\n", sum, points_colour[7]);
}
""",
        ),
        languages=C_AND_CPP,
        answers=("strided-access", "cache-misses"),
        prior=0.7,
        refusals=(
            "struct P { int a, b, c; };\nstruct P p[9];\nint main(void) {\n    int s = 0;\n"
            "    for (int i = 1; i < 9; i++) { s += p[i].a; p[i] = p[i - 1]; }\n    return s;\n}\n",
        ),
    ),
    Transformation(
        name="narrow-counters",
        family="memory",
        summary="Counts in 32 bits where small steps from small values were kept in 64.",
        find=_narrow,
        example=Example(
            before="""
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
using namespace std;
int main() {
    string a = "kitten", b = "sitting";
    vector<vector<long long>> common(7, vector<long long>(8, 0));
    for (int i = 1; i < 7; i++) {
        for (int j = 1; j < 8; j++) {
            if (a[i - 1] == b[j - 1]) {
                common[i][j] = common[i - 1][j - 1] + 1;
            } else {
                common[i][j] = max(common[i - 1][j], common[i][j - 1]);
            }
        }
    }
    cout << common[6][7];
}
""",
            after="""
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
using namespace std;
int main() {
    string a = "kitten", b = "sitting";
    vector<vector<int>> common(7, vector<int>(8, 0));
    for (int i = 1; i < 7; i++) {
        for (int j = 1; j < 8; j++) {
            if (a[i - 1] == b[j - 1]) {
                common[i][j] = common[i - 1][j - 1] + 1;
            } else {
                common[i][j] = max(common[i - 1][j], common[i][j - 1]);
            }
        }
    }
    cout << common[6][7];
}
""",
        ),
        languages=CPP,
        answers=("cache-misses",),
        prior=0.7,
        refusals=(
            "#include <iostream>\n#include <vector>\nint main() {\n    std::vector<long long> f(90, 1);\n"
            "    for (int i = 2; i < 90; i++) { f[i] = f[i - 1] + f[i - 2]; }\n    std::cout << f[89];\n}\n",
        ),
    ),
)
