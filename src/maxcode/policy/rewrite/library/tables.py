"""Library: a flat hash table, and one look-up where a program makes several."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from string import Template

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.support import prelude, resolved
from maxcode.policy.rewrite.library.containers import Container, containers, walked_in_order, worth_it
from maxcode.policy.rewrite.source import Edit, SourceFile, enclosing, field, inside
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation

_HEADERS = ("cstddef", "cstdint", "functional", "string", "utility", "vector")
_OPERATIONS = {"count", "find", "erase", "size", "empty", "clear", "end"}

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


def _flat_table(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
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


def _flat_uses(source: SourceFile, each: Container) -> bool:
    """Whether the flat table has the operations, and no reference to an entry outlives the next insertion."""
    if not each.value or not set(_methods(source, each)) <= _OPERATIONS or "char" in resolved(source, each.key):
        return False
    if not each.hashed or any(enclosing(node, "alias_declaration", "type_definition") for node in each.types):
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


def _methods(source: SourceFile, each: Container) -> list[str]:
    outer = (use.parent for use in each.uses if use.parent is not None and use.parent.type == "field_expression")
    return [source.text(field(node, "field")) for node in outer]


def _keeps_reference(source: SourceFile, access: Node, each: Container) -> bool:
    """Whether an entry is bound to a name while the container is used further on."""
    declarator = access.parent
    if declarator is None or declarator.type != "init_declarator" or "&" not in source.text(declarator).split("=")[0]:
        return False
    block = enclosing(declarator, "compound_statement")
    later = [use for use in each.uses if block is not None and inside(use, block) and use.start_byte > access.end_byte]
    definition = enclosing(declarator, "function_definition")
    return bool(later) or definition is None or "main" not in source.text(definition.children[1])


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
        name="flat-hash-table",
        family="library",
        summary="Keeps entries in a flat array with an index of hashes instead of a node for each key.",
        find=_flat_table,
        example=RewriteExample(
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
