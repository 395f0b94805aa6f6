"""Memory: an array for each member of a structure, and whole numbers no wider than what is counted in them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from maxcode.policy.rewrite.analysis.variables import Mention, Variable, masked, resolved, variables
from maxcode.policy.rewrite.memory.grids import squeezed
from maxcode.policy.rewrite.source import SourceFile
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation

_LITERAL = r"\d{1,6}"


def _narrow(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
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


def _count_of_long(source: SourceFile, variable: Variable) -> int:
    return len(re.findall(r"\blong long\b|\bll\b|\bLL\b", source.text(variable.declaration)))


def _rises_slowly(source: SourceFile, variable: Variable, mentions: list[Mention]) -> bool:
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
        name="narrow-counters",
        family="memory",
        summary="Counts in 32 bits where small steps from small values were kept in 64.",
        find=_narrow,
        example=RewriteExample(
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
