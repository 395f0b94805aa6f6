"""Library: checks at run time that a program which works does not need."""

from __future__ import annotations

import re
from collections.abc import Iterator

from maxcode.policy.rewrite.analysis.support import arguments
from maxcode.policy.rewrite.source import Edit, SourceFile, field
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation


def _unchecked(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """All of `a.at(i)`, unless the program counts on the exception or has maps, where at() means something else."""
    del setting
    if re.search(r"\b(?:try|catch|map|unordered_map|out_of_range)\b", source.code):
        return
    edits: list[Edit] = []
    first = 0
    for call in source.find("call_expression"):
        access = field(call, "function")
        listed = arguments(call)
        if access.type != "field_expression" or source.text(field(access, "field")) != "at" or len(listed) != 1:
            continue
        dot = field(access, "argument").end_byte
        if source.data[dot : dot + 1] != b".":
            continue
        edits += [Edit(dot, listed[0].start_byte, "["), Edit(listed[0].end_byte, call.end_byte, "]")]
        first = first or source.line(call)
    if edits:
        yield Rewrite(first, tuple(edits))


_BEFORE = """#define _GLIBCXX_DEBUG
#include <cstdio>
#include <vector>

int main() {
    std::vector<std::vector<int>> rows(3, std::vector<int>(3, 1));
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += rows.at(i).at(2 - i);
    }
    printf("%d\\n", sum);
}
"""

TRANSFORMATIONS = (
    Transformation(
        name="index-for-at",
        family="library",
        summary="Indexes without the check that at() makes.",
        find=_unchecked,
        example=RewriteExample(before=_BEFORE, after=_BEFORE.replace("rows.at(i).at(2 - i)", "rows[i][2 - i]")),
        languages=CPP,
        answers=("control-flow",),
        prior=1.5,
        refusals=(
            "#include <map>\nint main() { std::map<int, int> m{{1, 2}}; return m.at(1); }\n",
            "#include <vector>\nint main() { std::vector<int> v; try { v.at(1); } catch (...) { return 1; } }\n",
        ),
    ),
)
