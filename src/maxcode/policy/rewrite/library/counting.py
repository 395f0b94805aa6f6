"""Library: sorting by counting how often each value occurs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import Template

from maxcode.policy.rewrite.analysis.support import prelude
from maxcode.policy.rewrite.analysis.variables import type_of
from maxcode.policy.rewrite.library.sorting import Sort, sorts
from maxcode.policy.rewrite.source import SourceFile
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation

_HEADERS = ("algorithm", "cstddef", "iterator", "vector")
_WHOLE = re.compile(r"(?:(?:unsigned|signed|long|int|short|char|size_t|u?int(?:8|16|32|64)_t)\s*)+")

_COUNTING = Template("""
// Sorts whole numbers that lie close together by counting them; others by comparing.
template <class Iterator>
void $name(Iterator begin, Iterator end) {
    using Value = typename std::iterator_traits<Iterator>::value_type;
    const size_t count = end - begin;
    if (count < 64) {
        std::sort(begin, end);
        return;
    }
    const auto ends = std::minmax_element(begin, end);
    const Value least = *ends.first;
    const unsigned long long range = (unsigned long long)*ends.second - (unsigned long long)least;
    if (range > 4 * count) {
        std::sort(begin, end);
        return;
    }
    std::vector<size_t> counts(range + 1);
    for (Iterator each = begin; each != end; ++each) {
        counts[(unsigned long long)*each - (unsigned long long)least]++;
    }
    for (size_t i = 0; i <= range; i++) {
        begin = std::fill_n(begin, counts[i], Value((unsigned long long)least + i));
    }
}
""")


def _counted(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    name = "counting_sort" if "counting_sort(Iterator" in source.code else source.fresh("counting_sort")
    for each in sorts(source):
        if each.comparator is None and _WHOLE.fullmatch(_element(source, each)):
            definition = [] if name in source.names else [prelude(source, _COUNTING.substitute(name=name), _HEADERS)]
            weight = 3.0 if _element(source, each) == "char" else 1.0
            edits = (*definition, source.replace(each.call.children[0], name))
            yield Rewrite(source.line(each.call), edits, weight=weight)


def _element(source: SourceFile, each: Sort) -> str:
    if each.element is not None:
        return each.element
    found = next((n for n in source.find("identifier", within=each.call) if source.text(n) == each.name), None)
    return "char" if found is not None and type_of(source, found) == "string" else ""


_AGES = """
#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
    std::vector<int> ages(3000);
    for (int i = 0; i < 3000; i++) {
        ages[i] = i * 7919 % 101 - 5;
    }
    std::sort(ages.begin(), ages.end());
    for (int i = 0; i < 3000; i += 100) {
        printf("%d\\n", ages[i]);
    }
}
"""
TRANSFORMATIONS = (
    Transformation(
        name="counting-sort",
        family="library",
        summary="Sorts characters and whole numbers that lie close together by counting how often each occurs.",
        find=_counted,
        example=RewriteExample(
            before=_AGES,
            after=_AGES.replace("std::sort", "counting_sort").replace(
                "<vector>\n",
                "<vector>\n#include <cstddef>\n#include <iterator>\n" + _COUNTING.substitute(name="counting_sort"),
            ),
        ),
        languages=CPP,
        prior=0.7,
        refusals=(
            "#include <algorithm>\n#include <vector>\n"
            "int main() { std::vector<double> v(9); std::sort(v.begin(), v.end()); }\n",
            "#include <algorithm>\n#include <functional>\n"
            "int main() { int v[9] = {3, 1}; std::sort(v, v + 9, std::greater<int>()); }\n",
        ),
    ),
)
