"""Library: a flat hash table, and one look-up where a program makes several."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from string import Template

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.loops import used, written
from maxcode.policy.rewrite.analysis.support import arguments, prelude, resolved
from maxcode.policy.rewrite.library.containers import Container, containers, walked_in_order, worth_it
from maxcode.policy.rewrite.source import Edit, Source, enclosing, field, inside
from maxcode.policy.rewrite.transformation import CPP, Example, Rewrite, Setting, Transformation

_HEADERS = ("cstddef", "cstdint", "functional", "string", "utility", "vector")
_OPERATIONS = {"count", "find", "erase", "size", "empty", "clear", "end"}
_INTEGER = re.compile(r"(?:(?:unsigned|signed|long|int|short|size_t|u?int(?:32|64)_t)\s*)+")

_TABLE = Template("""
// A hash table in two flat arrays: the entries without gaps, and slots that point to them, probed one after another.
template <class Key, class Value>
struct $name {
    struct Slot {
        uint32_t entry;  // counted from 1; 0 is free
        uint32_t hash;
    };

    std::vector<std::pair<Key, Value>> entries;
    std::vector<Slot> slots = std::vector<Slot>(16);

    size_t size() const { return entries.size(); }
    bool empty() const { return entries.empty(); }
    auto begin() { return entries.begin(); }
    auto end() { return entries.end(); }

    void clear() {
        entries.clear();
        slots.assign(16, Slot());
    }

    static uint32_t hash_of(const Key &key) {
        return (uint32_t)((std::hash<Key>()(key) * 0x9e3779b97f4a7c15ull) >> 32);
    }

    // The slot of a key, or the free one where it would go.
    size_t slot_of(const Key &key, uint32_t hash) const {
        size_t mask = slots.size() - 1, at = hash & mask;
        while (slots[at].entry && (slots[at].hash != hash || entries[slots[at].entry - 1].first != key))
            at = (at + 1) & mask;
        return at;
    }

    auto find(const Key &key) {
        uint32_t entry = slots[slot_of(key, hash_of(key))].entry;
        return entry ? entries.begin() + (entry - 1) : entries.end();
    }

    size_t count(const Key &key) const { return slots[slot_of(key, hash_of(key))].entry != 0; }

    Value &operator[](const Key &key) {
        uint32_t hash = hash_of(key);
        size_t at = slot_of(key, hash);
        if (!slots[at].entry) {
            if (2 * (entries.size() + 1) > slots.size()) {
                grow();
                at = slot_of(key, hash);
            }
            entries.emplace_back(key, Value());
            slots[at] = {(uint32_t)entries.size(), hash};
        }
        return entries[slots[at].entry - 1].second;
    }

    void grow() {
        std::vector<Slot> old(4 * slots.size());
        old.swap(slots);
        size_t mask = slots.size() - 1;
        for (const Slot &slot : old) {
            if (!slot.entry) continue;
            size_t at = slot.hash & mask;
            while (slots[at].entry) at = (at + 1) & mask;
            slots[at] = slot;
        }
    }

    size_t erase(const Key &key) {
        size_t at = slot_of(key, hash_of(key));
        if (!slots[at].entry) return 0;
        remove(at);
        return 1;
    }

    void erase(typename std::vector<std::pair<Key, Value>>::iterator where) {
        remove(slot_of(where->first, hash_of(where->first)));
    }

    // The last entry takes the place of the removed one; slots move up so that no search ends early.
    void remove(size_t at) {
        size_t mask = slots.size() - 1;
        uint32_t entry = slots[at].entry;
        const Key &last = entries.back().first;
        slots[slot_of(last, hash_of(last))].entry = entry;
        for (size_t next = (at + 1) & mask; slots[next].entry; next = (next + 1) & mask) {
            if (((next - slots[next].hash) & mask) < ((next - at) & mask)) continue;
            slots[at] = slots[next];
            at = next;
        }
        slots[at] = Slot();
        if (entry < entries.size()) std::swap(entries[entry - 1], entries.back());
        entries.pop_back();
    }
};
""")


def _flat_table(source: Source, setting: Setting) -> Iterator[Rewrite]:
    del setting
    present = bool(re.search(r"\bstruct FlatMap \{", source.code))
    name = "FlatMap" if present else source.fresh("FlatMap")
    for each in containers(source, "map", "unordered_map"):
        walks = walked_in_order(source, each) if each.kind == "map" else []
        if walks is None or not worth_it(each) or not _flat_uses(source, each):
            continue
        edits = [_renamed(node, name) for node in each.types]
        table = [] if present else [prelude(source, _TABLE.substitute(name=name), _HEADERS)]
        yield Rewrite(source.line(each.types[0]), (*table, *edits, *walks))


def _renamed(node: Node, name: str) -> Edit:
    """Another name for a template, also where the old one has `std::` in front."""
    outer = node.parent
    first = outer if outer is not None and outer.type == "qualified_identifier" else node
    return Edit(first.start_byte, node.children[0].end_byte, name)


def _flat_uses(source: Source, each: Container) -> bool:
    """Whether the flat table has the operations, and no reference to an entry outlives the next insertion."""
    if not each.value or not set(_methods(source, each)) <= _OPERATIONS or "char" in resolved(source, each.key):
        return False
    if any("const" in source.text(node.parent).split("<")[0] for node in each.types if node.parent is not None):
        return False
    keys: dict[int, Counter[str]] = {}
    for use in each.uses:
        access = use.parent
        if access is None or access.type != "subscript_expression":
            continue
        if _keeps_reference(source, access, each):
            return False
        statement = enclosing(access, "expression_statement", "declaration", "return_statement", "condition_clause")
        if statement is not None:
            keys.setdefault(statement.id, Counter())[source.text(access)] += 1
    return all(len(texts) == 1 for texts in keys.values())


def _methods(source: Source, each: Container) -> list[str]:
    outer = (use.parent for use in each.uses if use.parent is not None and use.parent.type == "field_expression")
    return [source.text(field(node, "field")) for node in outer]


def _keeps_reference(source: Source, access: Node, each: Container) -> bool:
    """Whether an entry is bound to a name while the container is used further on."""
    declarator = access.parent
    if declarator is None or declarator.type != "init_declarator" or "&" not in source.text(declarator).split("=")[0]:
        return False
    block = enclosing(declarator, "compound_statement")
    later = [use for use in each.uses if block is not None and inside(use, block) and use.start_byte > access.end_byte]
    definition = enclosing(declarator, "function_definition")
    return bool(later) or definition is None or "main" not in source.text(definition.children[1])


def _one_lookup(source: Source, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for each in containers(source, "map", "unordered_map"):
        yield from _found_once(source, each)
        yield from _added_once(source, each)


def _found_once(source: Source, each: Container) -> Iterator[Rewrite]:
    """`if (m.count(k)) ... m[k] ...` as one search."""
    for node in source.find("if_statement"):
        test = re.fullmatch(
            r"\(\s*(\w+)\.(?:count\(([^()]*(?:\([^()]*\))?[^()]*)\)(?:\s*(?:>\s*0|!=\s*0|==\s*1|>=\s*1))?)\s*\)",
            source.text(field(node, "condition")),
        )
        body = field(node, "consequence")
        if test is None or test[1] not in each.variables:
            continue
        edits = _through(source, body, test[1], test[2], source.fresh("found"))
        if edits:
            name = source.fresh("found")
            search = f"(auto {name} = {test[1]}.find({test[2]}); {name} != {test[1]}.end())"
            yield Rewrite(source.line(node), (source.replace(field(node, "condition"), search), *edits))


def _through(source: Source, body: Node, container: str, key: str, found: str) -> list[Edit]:
    """The uses of one key in a block, through what was found; nothing where the block may change the key."""
    if written(source, body) & set(re.findall(r"\w+", key)) or "(" in key:
        return []
    edits = []
    mentions = [node for node in source.find("identifier", within=body) if source.text(node) == container]
    for node in mentions:
        outer = node.parent
        text = re.sub(r"\s+", "", source.text(outer)) if outer is not None else ""
        call = outer.parent if outer is not None else None
        if outer is not None and text == f"{container}[{key}]".replace(" ", ""):
            edits.append(source.replace(outer, f"{found}->second"))
        elif call is not None and text == f"{container}.erase" and [source.text(a) for a in arguments(call)] == [key]:
            edits.append(source.replace(arguments(call)[0], found))
            if node != mentions[-1]:
                return []
        elif text != f"{container}.size":
            return []
    return edits


def _added_once(source: Source, each: Container) -> Iterator[Rewrite]:
    """`m[k] = m[k] + x` with one look-up, and no test before it whether k is there."""
    for node in source.find("assignment_expression"):
        left, right = field(node, "left"), field(node, "right")
        if left.type != "subscript_expression" or source.text(left.children[0]) not in each.variables:
            continue
        sum_of = right.type == "binary_expression" and source.text(field(right, "operator")) in ("+", "-", "*")
        if not sum_of or source.text(field(right, "left")) != source.text(left):
            continue
        if set(used(source, field(right, "right"))) & each.variables or "(" in source.text(left):
            continue
        operator = source.text(field(right, "operator"))
        sum_edit = source.replace(node, f"{source.text(left)} {operator}= {source.text(field(right, 'right'))}")
        yield Rewrite(source.line(node), (sum_edit, *_needless_test(source, each, node, source.text(left))))


def _needless_test(source: Source, each: Container, node: Node, access: str) -> list[Edit]:
    """Takes out `if (m.count(k) == 0) m[k] = 0;` in front of a statement that makes that entry anyway."""
    statement = node.parent
    before = statement.prev_named_sibling if statement is not None else None
    if before is None or before.type != "if_statement" or before.child_by_field_name("alternative") is not None:
        return []
    container, key = access.split("[", 1)
    text = re.sub(r"\s+", "", source.text(before)).replace("{", "").replace("}", "")
    plain = re.sub(r"\s+", "", f"{container}.count({key[:-1]})")
    entry = re.sub(r"\s+", "", access)
    tests = (f"if({plain}==0){entry}=0;", f"if(!{plain}){entry}=0;")
    number = bool(_INTEGER.fullmatch(resolved(source, each.value or "")))
    return [source.remove_line(before)] if number and text in tests else []


_COUNTED = """
#include <cstdio>
#include <map>
#include <string>

int main() {
    std::map<std::string, long long> totals;
    for (int i = 0; i < 100; i++) {
        std::string name = std::to_string(i * i % 31);
        if (totals.count(name) > 0) {
            printf("%lld\\n", totals[name]);
            totals.erase(name);
        } else {
            totals[name] = i;
        }
    }
    printf("%d\\n", (int)totals.size());
}
"""

TRANSFORMATIONS = (
    Transformation(
        name="one-look-up",
        family="library",
        summary="Looks a key up once where a program asks for it, then reads and changes it through the container.",
        find=_one_lookup,
        example=Example(
            before=_COUNTED,
            after=_COUNTED.replace(
                "if (totals.count(name) > 0)", "if (auto found = totals.find(name); found != totals.end())"
            )
            .replace('n", totals[name]', 'n", found->second')
            .replace("erase(name)", "erase(found)"),
        ),
        languages=CPP,
        answers=("tree-map",),
        prior=1.0,
        refusals=(
            "#include <map>\nint main() { std::map<int, int> m; int k = 1; if (m.count(k)) { k++; m[k] = 2; } }\n",
        ),
    ),
    Transformation(
        name="flat-hash-table",
        family="library",
        summary="Keeps entries in a flat array with an index of hashes instead of a node for each key.",
        find=_flat_table,
        example=Example(
            before=_COUNTED,
            after=_COUNTED.replace("std::map", "FlatMap").replace(
                "#include <string>\n",
                "#include <string>\n#include <cstddef>\n#include <cstdint>\n#include <functional>\n#include <utility>\n"
                "#include <vector>\n" + _TABLE.substitute(name="FlatMap"),
            ),
        ),
        languages=CPP,
        answers=("tree-map", "allocation"),
        prior=1.0,
        refusals=(
            "#include <map>\nint main() { std::map<int, int> m; m[1] = m[2]; return m.size(); }\n",
            "#include <map>\nint main() { std::map<int, int> m; m[1] = 2; return m.begin()->second; }\n",
        ),
    ),
)
