"""Library: sorting, where the key or the use of the result allows something cheaper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from string import Template

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.support import arguments, calls, functions, prelude, resolved
from maxcode.policy.rewrite.source import SourceFile
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation

_HEADERS = ("algorithm", "cstddef", "iterator", "type_traits", "vector")
_INTEGER = re.compile(r"(?:(?:unsigned|signed|long|int|size_t|u?int(?:32|64)_t)\s*)+")

_RADIX = Template("""
// Sorts integers digit by digit, least significant first; short ranges by comparing.
template <class Iterator>
void $name(Iterator begin, Iterator end) {
    using Value = typename std::iterator_traits<Iterator>::value_type;
    using Bits = typename std::make_unsigned<Value>::type;
    const size_t count = end - begin;
    if (count < 512) {
        std::sort(begin, end);
        return;
    }
    const int digit = 11, last = (8 * sizeof(Value) - 1) / digit;
    const Bits sign = std::is_signed<Value>::value ? Bits(1) << (8 * sizeof(Value) - 1) : Bits(0);
    std::vector<Bits> from(count), to(count);
    std::vector<size_t> starts(size_t(last + 1) << digit);
    for (size_t i = 0; i < count; i++) {
        from[i] = Bits(begin[i]) ^ sign;
        for (int pass = 0; pass <= last; pass++)
            starts[(size_t(pass) << digit) + (from[i] >> (pass * digit) & ((1 << digit) - 1))]++;
    }
    for (int pass = 0; pass <= last; pass++) {
        size_t *next = &starts[size_t(pass) << digit], sum = 0;
        if (next[from[0] >> (pass * digit) & ((1 << digit) - 1)] == count) continue;
        for (size_t i = 0; i < (size_t(1) << digit); i++) {
            size_t here = next[i];
            next[i] = sum;
            sum += here;
        }
        for (size_t i = 0; i < count; i++) to[next[from[i] >> (pass * digit) & ((1 << digit) - 1)]++] = from[i];
        from.swap(to);
    }
    for (size_t i = 0; i < count; i++) begin[i] = Value(from[i] ^ sign);
}
""")


@dataclass(frozen=True)
class Sort:
    call: Node
    name: str
    """The container or array."""
    element: str | None
    """The type of its elements, where the program declares it plainly."""
    comparator: Node | None


def sorts(source: SourceFile) -> Iterator[Sort]:
    """Calls of sort() on all of a container or array."""
    for call in calls(source, "sort", "stable_sort"):
        listed = arguments(call)
        if len(listed) not in (2, 3):
            continue
        begin, end = (re.sub(r"\s+", "", source.text(node)) for node in listed[:2])
        vector = re.fullmatch(r"(\w+)\.begin\(\)", begin) or re.fullmatch(r"(?:std::)?begin\((\w+)\)", begin)
        name = vector[1] if vector else begin if re.fullmatch(r"\w+", begin) else None
        ends = (f"{name}.end()", f"end({name})", f"std::end({name})")
        if name is not None and (end in ends or end.startswith(f"{name}+")):
            yield Sort(call, name, _element(source, name), listed[2] if len(listed) == 3 else None)


def _element(source: SourceFile, name: str) -> str | None:
    """The type of the elements of a vector or array, where all declarations of that name agree."""
    found = set()
    for each in source.find("declaration", "parameter_declaration"):
        for declarator in each.children_by_field_name("declarator"):
            if re.match(rf"&?\s*{name}\b", source.text(declarator)):
                kind = each.child_by_field_name("type")
                text = source.text(kind) if kind is not None else ""
                vector = re.fullmatch(r"(?:std::)?vector\s*<\s*([\w: ]+?)\s*>", text)
                array = re.fullmatch(rf"{name}\s*\[[^\]]+\]", source.text(declarator))
                found.add(resolved(source, vector[1] if vector else text if array else "?"))
    return found.pop() if len(found) == 1 and "?" not in found else None


def _radix(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    name = "radix_sort" if "radix_sort(Iterator" in source.code else source.fresh("radix_sort")
    for each in sorts(source):
        if each.comparator is not None or each.element is None or not _INTEGER.fullmatch(each.element):
            continue
        definition = [] if name in source.names else [prelude(source, _RADIX.substitute(name=name), _HEADERS)]
        yield Rewrite(source.line(each.call), (*definition, source.replace(each.call.children[0], name)))


def _inlined_comparator(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """Wraps a comparison function in a lambda, which is compiled in; a function given by its address is called."""
    del setting
    defined = functions(source)
    for each in sorts(source):
        name = source.text(each.comparator) if each.comparator is not None else ""
        if each.comparator is None or name not in defined:
            continue
        if re.search(r"(?<!const )\b\w+\s*&", re.sub(r"const\s+\w+", "const T", _parameters(source, defined[name]))):
            continue
        compare = f"[](const auto &a, const auto &b) {{ return {name}(a, b); }}"
        yield Rewrite(source.line(each.call), (source.replace(each.comparator, compare),))


def _parameters(source: SourceFile, definition: Node) -> str:
    return source.text(definition).split("{")[0]


_INTEGERS = """
#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
    std::vector<int> values;
    for (int i = 0; i < 5000; i++) {
        values.push_back(i * 7919LL % 10007 - 5000);
    }
    std::sort(values.begin(), values.end());
    for (int i = 0; i < 5000; i += 100) {
        printf("%d\\n", values[i]);
    }
}
"""
_COMPARED = """
#include <algorithm>
#include <cstdio>
#include <vector>

struct Item {
    int weight, value;
};

bool lighter(const Item &a, const Item &b) { return a.weight < b.weight; }

int main() {
    std::vector<Item> items = {{3, 1}, {1, 2}, {2, 3}};
    std::sort(items.begin(), items.end(), lighter);
    for (const Item &item : items) printf("%d\\n", item.value);
}
"""

TRANSFORMATIONS = (
    Transformation(
        name="radix-sort",
        family="library",
        summary="Sorts integers by their digits instead of by comparing them.",
        find=_radix,
        example=RewriteExample(
            before=_INTEGERS,
            after=_INTEGERS.replace("std::sort", "radix_sort").replace(
                "<vector>\n",
                "<vector>\n#include <cstddef>\n#include <iterator>\n#include <type_traits>\n"
                + _RADIX.substitute(name="radix_sort"),
            ),
        ),
        languages=CPP,
        prior=0.7,
        refusals=(
            "#include <algorithm>\n#include <vector>\n"
            "int main() { std::vector<double> v(9); std::sort(v.begin(), v.end()); }\n",
            _COMPARED,
        ),
    ),
    Transformation(
        name="inlined-comparator",
        family="library",
        summary="Compares through a lambda, which sort() can inline, instead of through a pointer to a function.",
        find=_inlined_comparator,
        example=RewriteExample(
            before=_COMPARED,
            after=_COMPARED.replace(
                "end(), lighter)", "end(), [](const auto &a, const auto &b) { return lighter(a, b); })"
            ),
        ),
        languages=CPP,
        answers=("call-in-loop",),
        prior=1.5,
        refusals=(_INTEGERS,),
    ),
)
