"""Library: sums over many ranges of one array, from running sums that are made once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.effects import INTEGRAL, PURE, effects, names_in, order_is_free, pure_functions
from maxcode.policy.rewrite.analysis.loops import LOOPS, Loop, accesses, as_loop, declared, loops, written
from maxcode.policy.rewrite.analysis.variables import arguments, resolved, summand, type_of, variables
from maxcode.policy.rewrite.analysis.writing import Lines, block, in_place_of, unit
from maxcode.policy.rewrite.compiler.loop_pragmas import hinted
from maxcode.policy.rewrite.source import Source, ancestors
from maxcode.policy.rewrite.transformation import CPP, Example, Rewrite, Setting, Transformation


@dataclass(frozen=True)
class RangeSum:
    """`for (k = l; k < r; k++) sum += TERM;` where the term is worked out from one element of an array."""

    loop: Loop
    array: str
    shift: str
    """What the index adds to the loop's variable, such as "- 1"."""
    sum: str
    term: str
    """Term of the sum, as an expression of the element."""
    element: str
    """The text that stands for the element in the term."""


def _range_sum(loop: Loop) -> RangeSum | None:
    if len(loop.statements) != 1 or not loop.rises_by_one or loop.type is None:
        return None
    source, found = loop.source, _summand(loop.source, loop.statements[0])
    read = accesses(source, loop.body)
    elements = {source.text(each.node) for each in read}
    if found is None or len(elements) != 1 or len(read[0].indices) != 1 or not re.fullmatch(r"\w+", read[0].array):
        return None
    index = re.fullmatch(rf"{loop.variable}(\s*[+-]\s*\d+)?", read[0].indices[0])
    total, term = found
    element = elements.pop()
    rest = names_in(term.replace(element, ""))
    if index is None or total == read[0].array or rest & {loop.variable, total, read[0].array}:
        return None
    return RangeSum(loop, read[0].array, (index[1] or "").strip(), total, term, element)


def _summand(source: Source, node: Node) -> tuple[str, str] | None:
    """The variable that a statement adds to, and what it adds: `s += x;`, `s++;` or one of them behind an `if`."""
    if node.type == "compound_statement" and node.named_child_count == 1:
        return _summand(source, node.named_children[0])
    if node.type == "if_statement":
        condition, branch = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
        if condition is None or branch is None or node.child_by_field_name("alternative") is not None:
            return None
        inner = _summand(source, branch)
        test = source.text(condition)
        return None if inner is None else (inner[0], f"{test}" if inner[1] == "1" else f"({test} ? {inner[1]} : 0)")
    text = source.text(node).strip()
    added = re.fullmatch(r"(\w+)\s*\+=\s*(.*);", text, re.DOTALL)
    if added is None:
        added = re.fullmatch(r"(\w+)\s*=\s*\1\s*\+\s*(.*);", text, re.DOTALL)
        if added is not None and re.search(r"[^\w\s\[\].*()+-]", added[2]):
            return None
    counted = re.fullmatch(r"(\w+)\+\+;|\+\+(\w+);", text)
    if counted:
        return counted[1] or counted[2], "1"
    return (added[1], added[2].strip()) if added and node.type == "expression_statement" else None


def _plain(source: Source, found: RangeSum) -> bool:
    """Whether the term may be worked out for every element, also those that no range has."""
    body = found.loop.body
    calls = {
        source.text(each.children[0]).removeprefix("std::") for each in source.find("call_expression", within=body)
    }
    odd = re.search(r"[/%](?!\s*\d)|->|\.\s*[A-Za-z_]|(?<![=!<>])=(?!=)|\+\+|--", found.term)
    return odd is None and calls <= PURE | pure_functions(source) and not effects(source, body).opaque


def _length(source: Source, found: RangeSum) -> str | None:
    """How many elements the array has, where its declaration says so and it holds whole numbers."""
    node = next(each for each in source.find("identifier", within=found.loop.body) if source.text(each) == found.array)
    kind = type_of(source, node)
    inner = arguments(kind, "vector")
    if kind == "string" or (inner and INTEGRAL.fullmatch(inner[0])):
        return f"{found.array}.size()"
    owners = [each for each in variables(source) if each.name == found.array]
    sizes = re.fullmatch(r"\[([^\[\]]+)\](?:\s*=.*)?", owners[0].rest, re.DOTALL) if len(owners) == 1 else None
    if sizes is None or not INTEGRAL.fullmatch(resolved(source, owners[0].type)):
        return None
    changed = any(owners[0].changed_after(name) for name in names_in(sizes[1]) if not owners[0].is_global)
    return None if changed else sizes[1].strip()


def _queries(source: Source, found: RangeSum, length: str) -> Node | None:
    """The outermost loop around the sum in which the array, and all else that its terms read, stays as it is."""
    depends = (names_in(f"{found.term} {length}") | {found.array}) - {found.loop.variable, "size"}
    chosen = None
    for node in ancestors(found.loop.node):
        if node.type == "function_definition":
            break
        if node.type in LOOPS:
            if not _leaves_alone(source, node, found.array, depends):
                break
            chosen = node
    in_block = chosen is not None and chosen.parent is not None and chosen.parent.type == "compound_statement"
    return chosen if in_block else None


def _leaves_alone(source: Source, loop: Node, array: str, depends: set[str]) -> bool:
    if depends & (written(source, loop) | declared(source, loop)):
        return False
    for each in source.identifiers.get(array, []):
        if loop.start_byte <= each.start_byte < loop.end_byte and not _is_read(source, each):
            return False
    own = {source.text(each) for each in source.find("call_expression", within=loop)}
    called = {re.split(r"\W", text)[0] for text in own}
    return not any(
        depends & (written(source, node) | _handed_on(source, node, depends))
        for node in source.find("function_definition")
        if called & names_in(source.text(node).split("(")[0])
    )


def _is_read(source: Source, name: Node) -> bool:
    outer = name.parent
    if outer is None:
        return False
    if outer.type == "field_expression":
        return source.text(outer).endswith((".size", ".length", ".empty"))
    return outer.type == "subscript_expression" and outer.children[0] == name


def _handed_on(source: Source, function: Node, names: set[str]) -> set[str]:
    """Names that a function gives to another one whole, or reads into."""
    found = set[str]()
    for each in source.find("argument_list", within=function):
        found |= {source.text(child) for child in each.named_children if child.type == "identifier"}
    return found & names


def _prefix_sums(source: Source, setting: Setting) -> Iterator[Rewrite]:
    for loop in loops(source):
        found = _range_sum(loop)
        if found is None or not _plain(source, found):
            continue
        if not order_is_free(source, found.sum, loop.node, setting.relaxed_floats):
            continue
        length = _length(source, found)
        queries = _queries(source, found, length) if length is not None else None
        bounds = f"{loop.start} {loop.end}"
        if length is None or queries is None or found.sum in names_in(bounds) or _changing(bounds):
            continue
        outer = as_loop(source, queries)
        if (outer is not None and hinted(outer)) or _always_the_same(source, bounds, queries):
            continue
        name = source.fresh("prefix" if "prefix" not in source.names else f"{found.array}_prefix")
        made = _made(source, found, name, length)
        indent = source.indent(queries)
        text = "".join(f"{line}\n{indent}" if line else "\n" for line in made)
        edits = (*source.including("vector"), source.before(queries, text), in_place_of(loop, _answer(found, name)))
        yield Rewrite(loop.line, edits, weight=1.0 + loop.depth)


def _changing(bounds: str) -> bool:
    return bool(re.search(r"\+\+|--|(?<![<>=!])=(?!=)", bounds))


def _always_the_same(source: Source, bounds: str, queries: Node) -> bool:
    """Whether every query is about one range: its sum is a single number, for which no table is needed."""
    return not names_in(bounds) & (written(source, queries) | declared(source, queries))


def _made(source: Source, found: RangeSum, name: str, length: str) -> Lines:
    """The lines that make the running sums; entry i is the sum of the first i terms."""
    i = "i" if "i" not in names_in(f"{found.term} {length} {found.array}") else source.fresh("at")
    kind = "size_t" if length.endswith(".size()") else "int"
    term = re.sub(rf"\b{re.escape(found.element)}", f"{found.array}[{i}]", found.term)
    return [
        f"{source.std}vector<long long> {name}({length} + 1);",
        f"for ({kind} {i} = 0; {i} < {length}; {i}++) {{",
        f"{unit(source)}{name}[{i} + 1] = {name}[{i}] + {summand(term)};",
        "}",
    ]


def _answer(found: RangeSum, name: str) -> Lines:
    loop = found.loop
    low, high = _moved(loop.start, found.shift), _moved(_behind(loop), found.shift)
    test = f"{_side(loop.start)} {loop.comparison} {_side(loop.end)}"
    return block(loop.source, f"if ({test})", [f"{found.sum} += {name}[{high}] - {name}[{low}];"])


def _side(text: str) -> str:
    return text if re.fullmatch(r"[\w.\[\]() +*/%-]+", text) else f"({text})"


def _behind(loop: Loop) -> str:
    """The first value after the last turn of the loop."""
    if loop.comparison == "<":
        return loop.end
    less = re.fullmatch(r"([\w.\[\]() +*-]+?)\s*-\s*1", loop.end)
    return less[1] if less else f"{_side(loop.end)} + 1"


def _moved(text: str, shift: str) -> str:
    if not shift:
        return text
    sign, by = shift[0], shift[1:].strip()
    if sign == "-" and text.endswith(f"+ {by}") and re.fullmatch(r"\w+ \+ \d+", text):
        return text.removesuffix(f"+ {by}").strip()
    return str(int(text) + int(sign + by)) if text.isdigit() else f"{_side(text)} {sign} {by}"


_QUERIES = """
#include <cstdio>
#include <vector>

int main() {
    std::vector<int> values(1000);
    for (int i = 0; i < 1000; i++) {
        values[i] = i * 37 % 101;
    }
    for (int query = 0; query < 20; query++) {
        int first = query * 3, last = 999 - query * query;
        long long sum = 0;
        for (int k = first; k <= last; k++) {
            sum += values[k];
        }
        printf("%lld\\n", sum);
    }
}
"""

TRANSFORMATIONS = (
    Transformation(
        name="prefix-sums-for-ranges",
        family="library",
        summary="Takes the sum of a range as the difference of two running sums, which are made once.",
        find=_prefix_sums,
        example=Example(
            before=_QUERIES,
            after=_QUERIES.replace(
                "    for (int query",
                """    std::vector<long long> prefix(values.size() + 1);
    for (size_t i = 0; i < values.size(); i++) {
        prefix[i + 1] = prefix[i] + values[i];
    }
    for (int query""",
            ).replace(
                """        for (int k = first; k <= last; k++) {
            sum += values[k];
        }
""",
                """        if (first <= last) {
            sum += prefix[last + 1] - prefix[first];
        }
""",
            ),
        ),
        languages=CPP,
        answers=("reduction",),
        prior=2.0,
        refusals=(
            # The array changes between the sums.
            _QUERIES.replace("        printf", "        values[query] = 0;\n        printf"),
            # One sum of all.
            _QUERIES.replace("k = first; k <= last", "k = 0; k < 1000"),
            # The order of floating-point additions would change.
            _QUERIES.replace("<int>", "<double>").replace("long long sum", "double sum").replace("%lld", "%g"),
        ),
    ),
)
