"""Library: maps with small whole keys as arrays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.known_values import value_of
from maxcode.policy.rewrite.analysis.loops import as_loop, used, written
from maxcode.policy.rewrite.analysis.variables import Mention, Variable, arguments, masked, resolved, type_of, variables
from maxcode.policy.rewrite.analysis.writing import unit
from maxcode.policy.rewrite.source import Edit, Source, ancestors, field
from maxcode.policy.rewrite.transformation import CPP, Example, Rewrite, Setting, Transformation

_INTEGER = re.compile(r"(?:unsigned |signed )?(?:int|long long|long|short|size_t|u?int\d+_t|unsigned)")
_NUMBER = re.compile(rf"{_INTEGER.pattern}|double|float|bool")
_CHARACTERS = 256
_MOST = 1 << 20
_LARGE = 1 << 14
"""Number of entries above which a table is too large to be emptied for each call."""


@dataclass(frozen=True)
class Key:
    """An index of the array, and the number that it stays below."""

    text: str
    bound: int


def _arrays(source: Source, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for variable in variables(source):
        kind = resolved(source, variable.type)
        given = arguments(kind, "map") or arguments(kind, "unordered_map")
        if not given or len(given) != 2 or not _NUMBER.fullmatch(given[1]) or variable.rest or not variable.alone:
            continue
        if given[0] != "char" and not _INTEGER.fullmatch(given[0]):
            continue
        found = _indexed(source, variable, given[0])
        if found is not None and (found[0] <= _LARGE or variable.is_global):
            made = f"{given[1]} {variable.name}[{found[0]}]{'' if variable.is_global else ' = {}'};"
            edits = (source.replace(variable.declaration, made), *found[1])
            yield Rewrite(source.line(variable.declaration), edits)


def _indexed(source: Source, variable: Variable, key_type: str) -> tuple[int, list[Edit]] | None:
    """Size of the array, and the edits of its uses; None if some use is not a look-up, count or walk."""
    walks: list[Node] = []
    keys: list[Key] = []
    edits: list[Edit] = []
    for mention in variable.mentions or ():
        walk = None if mention.indices else _walk(source, mention)
        found = _element(source, mention, key_type) or _question(source, variable, mention, key_type)
        if walk is not None:
            walks.append(walk)
        elif found is not None:
            keys.append(found[0])
            edits += [found[1]] if found[1] is not None else []
        else:
            return None
    bound = max((key.bound for key in keys), default=0)
    asked = len(keys) + len(walks) > sum(1 for each in variable.mentions or () if each.indices)
    unordered = "unordered" in resolved(source, variable.type)
    if not 0 < bound <= _MOST or (walks and unordered) or (asked and not _only_counted(source, variable)):
        return None
    return bound, edits + [edit for walk in walks for edit in _walked(source, variable, walk, key_type, bound)]


def _walk(source: Source, mention: Mention) -> Node | None:
    """The `for (auto entry : m)` that a mention is the end of, where it leaves the entries as they are."""
    name = source.root.descendant_for_byte_range(mention.at, mention.end - 1)
    loop = name.parent if name is not None else None
    if loop is None or loop.type != "for_range_loop" or loop.child_by_field_name("right") != name:
        return None
    entry, body = loop.child_by_field_name("declarator"), loop.child_by_field_name("body")
    if entry is None or body is None or used(source, entry) & written(source, body) or "auto" not in source.text(loop):
        return None
    return loop if re.fullmatch(r"&{0,2}\s*(\w+|\[[\w\s,]+\])", source.text(entry)) else None


def _walked(source: Source, variable: Variable, loop: Node, key_type: str, bound: int) -> Iterator[Edit]:
    """Edits that walk the array by key, in order, without entries that were never counted."""
    key, name, body = source.fresh("key"), variable.name, field(loop, "body")
    entry = source.text(field(loop, "declarator")).lstrip("& ")
    indent, inner = source.indent(loop), source.indent(loop) + unit(source)
    head = [
        f"for (int {key} = 0; {key} < {bound}; {key}++) {{",
        f"if ({name}[{key}] == 0) continue;",
        f"const auto {entry} = {source.std}make_pair(({key_type}){key}, {name}[{key}]);",
    ]
    text = f"\n{inner}".join(head)
    if body.type == "compound_statement":
        yield Edit(loop.start_byte, body.start_byte + 1, text)
    else:
        yield Edit(loop.start_byte, body.start_byte, f"{text}\n{inner}")
        yield source.after(body, f"\n{indent}}}")


def _element(source: Source, mention: Mention, key_type: str) -> tuple[Key, Edit | None] | None:
    node = source.root.descendant_for_byte_range(mention.at, mention.end - 1)
    if node is None or node.type != "subscript_expression" or len(mention.indices) != 1:
        return None
    index = _argument(node)
    key = _key(source, index, key_type) if index is not None else None
    if index is None or key is None:
        return None
    return key, None if key.text == source.text(index) else source.replace(index, key.text)


def _argument(node: Node) -> Node | None:
    inner = node.child_by_field_name("indices") or node.child_by_field_name("index")
    if inner is not None and inner.type == "subscript_argument_list":
        return inner.named_children[0] if inner.named_child_count == 1 else None
    return inner


def _question(source: Source, variable: Variable, mention: Mention, key_type: str) -> tuple[Key, Edit] | None:
    """`m.count(key)`: an entry that was counted is not zero."""
    if mention.indices:
        return None
    name = source.root.descendant_for_byte_range(mention.at, mention.end - 1)
    call = name.parent.parent if name is not None and name.parent is not None else None
    if call is None or call.type != "call_expression" or not source.text(call).startswith(f"{variable.name}.count("):
        return None
    given = field(call, "arguments").named_children
    key = _key(source, given[0], key_type) if len(given) == 1 else None
    return (key, source.replace(call, f"({variable.name}[{key.text}] != 0)")) if key is not None else None


def _only_counted(source: Source, variable: Variable) -> bool:
    """Whether entries only ever grow from nothing, so that those that are there are not zero."""
    text = masked(source)
    for each in variable.mentions or ():
        before, behind = text[max(0, each.at - 3) : each.at], text[each.end : each.end + 12]
        counts = before.rstrip().endswith("++") or re.match(r"\s*\+\+|\s*\+=\s*1\b", behind)
        if each.indices and not counts:
            return False
    return True


def _key(source: Source, node: Node, key_type: str) -> Key | None:
    while node.type == "parenthesized_expression":
        node = node.named_children[0]
    text = source.text(node)
    if key_type == "char":
        plain = node.type == "char_literal"
        return Key(text if plain else f"(unsigned char){_unary(text)}", _CHARACTERS)
    if node.type == "number_literal":
        number = value_of(source, text)
        return Key(text, number + 1) if number is not None else None
    bound = _bound(source, node)
    return Key(text, bound) if bound is not None else None


def _unary(text: str) -> str:
    return text if re.fullmatch(r"\w+(?:\[[^\[\]]*\])*", text) else f"({text})"


def _bound(source: Source, node: Node) -> int | None:
    """What a key that is not negative stays below: a remainder, a letter's number, or the variable of a loop."""
    if node.type == "identifier":
        return _of_variable(source, node)
    if node.type != "binary_expression":
        return None
    left, sign, right = field(node, "left"), source.text(field(node, "operator")), field(node, "right")
    if sign == "%" and _not_negative(source, left):
        return value_of(source, source.text(right))
    letter = right.type == "char_literal" and sign == "-" and _is_character(source, left)
    return _CHARACTERS if letter else None


def _of_variable(source: Source, node: Node) -> int | None:
    for above in ancestors(node):
        loop = as_loop(source, above) if above.type == "for_statement" else None
        if loop is not None and loop.variable == source.text(node):
            start, end = value_of(source, loop.start), value_of(source, loop.end)
            up = loop.comparison in ("<", "<=") and not loop.step.startswith("-")
            return end + (loop.comparison == "<=") if up and end is not None and start is not None else None
    return None


def _not_negative(source: Source, node: Node) -> bool:
    """Whether the text shows that a number is not below zero."""
    while node.type == "parenthesized_expression":
        node = node.named_children[0]
    if node.type == "identifier":
        kind = type_of(source, node)
        return kind.startswith("unsigned") or kind == "size_t" or _of_rising_loop(source, node)
    if node.type == "number_literal":
        return True
    if node.type == "binary_expression" and source.text(field(node, "operator")) in ("+", "*", "/", "%"):
        return _not_negative(source, field(node, "left")) and _not_negative(source, field(node, "right"))
    return False


def _of_rising_loop(source: Source, node: Node) -> bool:
    for above in ancestors(node):
        loop = as_loop(source, above) if above.type == "for_statement" else None
        if loop is not None and loop.variable == source.text(node):
            return not loop.step.startswith("-") and loop.start.isdigit()
    return False


def _is_character(source: Source, node: Node) -> bool:
    if node.type == "identifier":
        return type_of(source, node) == "char"
    base = node.children[0] if node.type == "subscript_expression" else None
    return base is not None and base.type == "identifier" and type_of(source, base) in ("string", "char[]", "char*")


_LETTERS = """
#include <iostream>
#include <map>
#include <string>

int main() {
    std::string text = "to be or not to be", vowels = "aeiou";
    std::map<char, int> counts;
    for (char c : text) {
        counts[c]++;
    }
    for (char vowel : vowels) {
        if (counts.count(vowel)) {
            std::cout << vowel << '\\n';
        }
    }
}
"""
TRANSFORMATIONS = (
    Transformation(
        name="array-for-map",
        family="library",
        summary="Keeps entries in an array where the keys of a map are characters or other small numbers.",
        find=_arrays,
        example=Example(
            before=_LETTERS,
            after=_LETTERS.replace("std::map<char, int> counts;", "int counts[256] = {};")
            .replace("counts[c]++", "counts[(unsigned char)c]++")
            .replace("counts.count(vowel)", "(counts[(unsigned char)vowel] != 0)"),
        ),
        languages=CPP,
        answers=("tree-map",),
        prior=1.5,
        refusals=(
            # Keys of any size.
            "#include <map>\nint f(const int *keys, int n) {\n    std::map<int, int> counts;\n"
            "    for (int i = 0; i < n; i++) counts[keys[i]]++;\n    return counts[0];\n}\n",
            # Walked from key to key.
            "#include <map>\nint f(const char *keys) {\n    std::map<char, int> counts;\n"
            "    for (; *keys; keys++) counts[*keys]++;\n    return counts.begin()->second;\n}\n",
            # An entry may be there and zero.
            "#include <map>\nint f(const char *keys) {\n    std::map<char, int> first;\n"
            "    for (int i = 0; keys[i]; i++) if (!first.count(keys[i])) first[keys[i]] = i;\n"
            "    return first['x'];\n}\n",
        ),
    ),
)
