"""Algorithms: keys of a comparison worked out once for each element, where every comparison worked them out anew."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from string import Template

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.dependencies import dependencies
from maxcode.policy.rewrite.analysis.loops import statements
from maxcode.policy.rewrite.analysis.support import arguments, function_name, functions, prelude, statement_of
from maxcode.policy.rewrite.analysis.symbols import Symbol, changes_it, parameters_of, resolve, type_text, uses
from maxcode.policy.rewrite.analysis.writing import edited
from maxcode.policy.rewrite.source import SourceFile, enclosing, field, inside
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation

_HELPER = Template("""
// Sorts by a comparison that is given the keys of both elements, which are worked out once for each.
template <class Iterator, class Key, class Less>
void $name(Iterator begin, Iterator end, Key key_of, Less less) {
    using Value = typename std::iterator_traits<Iterator>::value_type;
    struct Keyed {
        typename std::decay<decltype(key_of(*begin))>::type key;
        Value value;
    };
    if (end - begin < 2) return;
    std::vector<Keyed> keyed;
    keyed.reserve(end - begin);
    for (Iterator at = begin; at != end; ++at) {
        auto key = key_of(*at);
        keyed.push_back(Keyed{std::move(key), std::move(*at)});
    }
    std::$sort(keyed.begin(), keyed.end(), [&](const Keyed &a, const Keyed &b) {
        return less(a.value, b.value, a.key, b.key);
    });
    for (Keyed &each : keyed) *begin++ = std::move(each.value);
}
""")
_HEADERS = ("algorithm", "iterator", "tuple", "type_traits", "utility", "vector")
_CHEAP = frozenset(
    "size length empty abs min max front back get tie make_tuple make_pair begin end data c_str compare strcmp".split()
)
_POINTING = frozenset(
    "max_element min_element find find_if lower_bound upper_bound strchr strrchr strstr minmax_element".split()
)
"""Functions whose results point into what they are given."""
_MAP = re.compile(r"(?:const )?(?:unordered_)?map<")


@dataclass(frozen=True)
class _Comparison:
    """A function of two elements, and what it is made of."""

    parameters: tuple[Node, Node]
    symbols: tuple[Symbol, Symbol]
    body: Node


def _by_keys(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for call in source.find("call_expression"):
        sort, given = source.text(field(call, "function")).removeprefix("std::"), arguments(call)
        if sort not in ("sort", "stable_sort") or len(given) != 3 or statement_of(call) is None:
            continue
        compared = _comparison(source, given[2])
        row = next(source.find("identifier", within=given[0]), None)
        if compared is None or row is None or not _movable(source, compared, call):
            continue
        keys = _keys(source, compared, resolve(source, row))
        if keys:
            name = "sort_by_keys" if sort == "sort" else "stable_sort_by_keys"
            helper = _HELPER.substitute(name=name, sort=sort)
            added = [] if name in source.names else [prelude(source, helper, _HEADERS)]
            parts = (f"{source.text(given[0])}, {source.text(given[1])}", *_written(source, compared, keys))
            text = f",\n{source.indent(call)}    ".join(parts)
            yield Rewrite(source.line(call), (*added, source.replace(call, f"{name}({text})")))


def _comparison(source: SourceFile, given: Node) -> _Comparison | None:
    """The comparison that sort() is given: a lambda, one kept in a variable, or a function of the program."""
    made: Node | None = given if given.type == "lambda_expression" else None
    if given.type == "identifier":
        symbol = resolve(source, given)
        made = functions(source).get(source.text(given)) if symbol is None else _kept(symbol)
    if made is None or made.child_by_field_name("declarator") is None or made.has_error:
        return None
    listed, body = parameters_of(source, made), field(made, "body")
    symbols = [_parameter(source, each, body) for each in listed]
    known = [each for each in symbols if each is not None]
    loose = any("&" in source.text(each) and "const" not in source.text(each) for each in listed)
    if len(known) != 2 or len(listed) != 2 or loose:
        return None
    return _Comparison((listed[0], listed[1]), (known[0], known[1]), body)


def _kept(symbol: Symbol) -> Node | None:
    """The lambda that a variable is initialised with."""
    holder = symbol.identifier.parent
    value = holder.child_by_field_name("value") if holder is not None and holder.type == "init_declarator" else None
    return value if value is not None and value.type == "lambda_expression" else None


def _parameter(source: SourceFile, parameter: Node, body: Node) -> Symbol | None:
    name = next(source.find("identifier", within=parameter.child_by_field_name("declarator")), None)
    named = name is not None and parameter.child_by_field_name("declarator") is not None
    use = next((each for each in source.find("identifier", within=body) if named and name is not None
                and source.text(each) == source.text(name)), None)  # fmt: skip
    return resolve(source, use) if use is not None else None


def _movable(source: SourceFile, compared: _Comparison, call: Node) -> bool:
    """Whether a body means the same at the call: what it mentions is visible there, and nothing hides it."""
    if inside(compared.body, call):
        return True
    made, caller = compared.body.parent, enclosing(call, "function_definition")
    if made is None or caller is None or next(source.find("this", within=compared.body), None) is not None:
        return False
    if made.type == "function_definition" and made.parent != source.root:
        return False
    at = {source.text(node): node for node in source.find("identifier", within=caller)}
    for node in source.find("identifier", within=compared.body):
        symbol = resolve(source, node)
        if (symbol is None or not inside(symbol.identifier, made)) and source.text(node) in at:
            other = resolve(source, at[source.text(node)])
            if other != symbol:
                return False
    return True


def _keys(source: SourceFile, compared: _Comparison, row: Symbol | None) -> list[tuple[str, list[tuple[Node, int]]]]:
    """Costly parts of a comparison that depend on one element and are always worked out; every place of each."""
    if row is None or dependencies(source, compared.body, compared.symbols) is None:
        return []
    keys = dict[str, list[tuple[Node, int]]]()
    always = {text for part in _always(compared.body) for _, _, text in _costly(source, part, compared, row)}
    for node, which, text in _costly(source, compared.body, compared, row):
        if text in always:
            keys.setdefault(text, []).append((node, which))
    return list(keys.items())


def _always(body: Node) -> Iterator[Node]:
    """The parts of a body that every comparison evaluates: declarations at its head, the first condition or result."""
    for statement in statements(body):
        if statement.type == "declaration":
            yield from _evaluated(statement)
            continue
        head = statement.child_by_field_name("condition") if statement.type == "if_statement" else None
        if statement.type == "return_statement":
            head = statement
        if head is not None:
            yield from _evaluated(head)
        return


def _evaluated(node: Node) -> Iterator[Node]:
    """The largest parts of an expression that do not hang on a condition inside it."""
    if node.type == "conditional_expression":
        yield from _evaluated(field(node, "condition"))
    elif node.type == "binary_expression" and node.children[1].type in ("&&", "||"):
        yield from _evaluated(field(node, "left"))
    elif any(each.type in ("conditional_expression", "&&", "||") for each in _all(node)):
        for child in node.named_children:
            yield from _evaluated(child)
    else:
        yield node


def _all(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from _all(child)


def _costly(source: SourceFile, within: Node, compared: _Comparison, row: Symbol) -> Iterator[tuple[Node, int, str]]:
    """Calls and look-ups that depend on one of the elements, which one, and their text for any element."""
    taken: list[Node] = []
    for node in source.find("call_expression", "subscript_expression", within=within):
        if any(inside(node, each) for each in taken) or not _costs(source, node):
            continue
        named = [(each, resolve(source, each)) for each in source.find("identifier", within=node)]
        elements = {compared.symbols.index(symbol) for _, symbol in named if symbol in compared.symbols}
        known = dependencies(source, node)
        if len(elements) != 1 or known is None or row in known or not _from_outside(source, known, compared):
            continue
        taken.append(node)
        which = elements.pop()
        own = [each for each, symbol in named if symbol == compared.symbols[which]]
        yield node, which, edited(source, node, [source.replace(each, "element") for each in own])


def _from_outside(source: SourceFile, known: frozenset[Symbol], compared: _Comparison) -> bool:
    """Whether what a key depends on, beside its element, is not declared in the comparison, nor changed by it."""
    others = known - set(compared.symbols)
    own = any(inside(each.identifier, compared.body) for each in others)
    return not own and not any(
        inside(use, compared.body) and changes_it(source, use) for each in others for use in uses(source, each)
    )


def _costs(source: SourceFile, node: Node) -> bool:
    if node.type == "subscript_expression":
        owner = resolve(source, node.children[0]) if node.children[0].type == "identifier" else None
        return owner is not None and _MAP.match(type_text(source, owner)) is not None
    function = field(node, "function")
    name = source.text(function.child_by_field_name("field") or function).removeprefix("std::")
    inner = source.find("call_expression", within=field(node, "arguments"))
    return (name not in _CHEAP or any(_costs(source, each) for each in inner)) and _gives_value(source, name)


def _gives_value(source: SourceFile, name: str) -> bool:
    """Whether a function's results stay what they are when the element that they were made of is moved."""
    heads = [each for each in source.find("function_definition") if function_name(source, each) == name]
    kinds = [source.text(each)[: field(each, "declarator").start_byte - each.start_byte] for each in heads]
    pointer = any(field(each, "declarator").type == "pointer_declarator" for each in heads)
    return name not in _POINTING and not pointer and not any(re.search(r"view|iterator|span|auto|\*", k) for k in kinds)


def _written(
    source: SourceFile, compared: _Comparison, keys: list[tuple[str, list[tuple[Node, int]]]]
) -> tuple[str, str]:
    """The two lambdas: one for the keys of an element, one for the comparison with keys in place of calls."""
    names = [source.fresh("first_key"), source.fresh("second_key")]
    edits = [
        source.replace(node, f"std::get<{at}>({names[which]})")
        for at, (_, places) in enumerate(keys) for node, which in places
    ]  # fmt: skip
    first, second = (source.text(each) for each in compared.parameters)
    kept = ", ".join(text for text, _ in keys)
    return (
        f"[&](const auto &element) {{ return std::make_tuple({kept}); }}",
        f"[&]({first}, {second}, const auto &{names[0]}, const auto &{names[1]}) -> bool "
        + edited(source, compared.body, edits),
    )


_WORDS = """
#include <algorithm>
#include <cctype>
#include <iostream>
#include <string>
#include <vector>

std::string lower(std::string s) {
    for (char &c : s) c = std::tolower(c);
    return s;
}
int main() {
    std::vector<std::string> words = {"pear", "Apple", "fig", "apple"};
    std::sort(words.begin(), words.end(), [](const std::string &a, const std::string &b) {
        if (lower(a) != lower(b)) return lower(a) < lower(b);
        return a < b;
    });
    for (const auto &word : words) std::cout << word << "\\n";
}
"""
_SORTED = """sort_by_keys(words.begin(), words.end(),
        [&](const auto &element) { return std::make_tuple(lower(element)); },
        [&](const std::string &a, const std::string &b, const auto &first_key, const auto &second_key) -> bool {
        if (std::get<0>(first_key) != std::get<0>(second_key)) return std::get<0>(first_key) < std::get<0>(second_key);
        return a < b;
    });"""
_CALL = _WORDS[_WORDS.index("std::sort") : _WORDS.index("    for (const auto")].rstrip()

TRANSFORMATIONS = (
    Transformation(
        name="keyed-sort",
        family="algorithms",
        summary="Works out what a comparison computes of an element once for each element, before it sorts.",
        find=_by_keys,
        example=RewriteExample(
            before=_WORDS,
            after=_WORDS.replace(_CALL, _SORTED).replace(
                "#include <vector>\n",
                "#include <vector>\n#include <iterator>\n#include <tuple>\n#include <type_traits>\n#include <utility>\n"
                + _HELPER.substitute(name="sort_by_keys", sort="sort"),
            ),
        ),
        languages=CPP,
        answers=("call-in-loop", "by-value"),
        prior=2.0,
        refusals=(
            "#include <algorithm>\n#include <vector>\nint main() {\n    std::vector<std::vector<int>> v(3);\n"
            "    std::sort(v.begin(), v.end(), [](const auto &a, const auto &b) { return a.size() < b.size(); });\n}\n",
            "#include <algorithm>\n#include <vector>\nint calls;\nint cost(int x) { return ++calls + x; }\n"
            "int main() {\n    std::vector<int> v(3);\n"
            "    std::sort(v.begin(), v.end(), [](int a, int b) { return cost(a) < cost(b); });\n}\n",
            "#include <algorithm>\n#include <string>\n#include <vector>\n"
            "const char *tail(const std::string &s) { return s.c_str() + s.size() / 2; }\n"
            "int main() {\n    std::vector<std::string> v(3);\n"
            "    std::sort(v.begin(), v.end(), [](const std::string &a, const std::string &b) {\n"
            "        return *tail(a) < *tail(b);\n    });\n}\n",
            "#include <algorithm>\n#include <vector>\nint most(const std::vector<int> &v) { return v[0]; }\n"
            "int main() {\n    std::vector<std::vector<int>> v(3);\n"
            "    std::sort(v.begin(), v.end(), [](const std::vector<int> &a, const std::vector<int> &b) {\n"
            "        return !a.empty() && !b.empty() && most(a) < most(b);\n    });\n}\n",
        ),
    ),
)
