"""Algorithms: tables of places for arrays of C that loops search for an equal key, which changes of keys reset."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from maxcode.core import Language
from maxcode.policy.rewrite.algorithms.row_search import leaves, test_of
from maxcode.policy.rewrite.analysis.conditions import joined_by
from maxcode.policy.rewrite.analysis.loops import Loop, as_loop
from maxcode.policy.rewrite.analysis.support import arguments, functions, prelude
from maxcode.policy.rewrite.analysis.symbols import callee, parameters_of, resolve, type_text, whole_place
from maxcode.policy.rewrite.source import Edit, SourceFile, enclosing, field
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation

_NUMBER = re.compile(r"(?:(?:unsigned|long|int|size_t|u?int(?:32|64)_t)\s*)+")
_READERS = frozenset(
    "strcmp strncmp strcasecmp strlen printf fprintf puts fputs strdup atoi atol strstr strchr strrchr putchar "
    "memcmp strtol isalpha isdigit toupper tolower sizeof abs fwrite".split()
)
_COPIERS = frozenset("strcpy strncpy strcat strncat sprintf snprintf memcpy memmove".split())
_HELPER = """
/* The places in an array by the hash of their key, until a key changes. */
struct kept_places {
    const char *base;
    size_t step;
    int size, room, *first, *last, *next;
};
static unsigned kept_text(const char *text) {
    unsigned hash = 2166136261u;
    while (text && *text) hash = (hash ^ (unsigned char)*text++) * 16777619u;
    return hash ^ hash >> 15;
}
static unsigned kept_number(unsigned number) {
    number *= 0x9e3779b9u;
    return number ^ number >> 15;
}
static int kept_find(struct kept_places *table, const void *base, size_t step, const void *key, int kind, int size,
                     unsigned hash) {
    if (size <= 0) return -1;
    if (table->base != (const char *)base) table->base = (const char *)base, table->step = step, table->size = 0;
    if (size > table->room) {
        for (table->room = 64; table->room < 2 * size; table->room *= 2);
        table->first = (int *)realloc(table->first, table->room * sizeof(int));
        table->last = (int *)realloc(table->last, table->room * sizeof(int));
        table->next = (int *)realloc(table->next, table->room * sizeof(int));
        table->size = 0;
    }
    if (table->size == 0) memset(table->first, -1, table->room * sizeof(int));
    for (; table->size < size; table->size++) {
        const char *at = (const char *)key + table->size * step;
        unsigned number = 0, row;
        if (kind == 2) memcpy(&number, at, sizeof number);
        row = (kind == 2 ? kept_number(number) : kept_text(kind ? *(char *const *)at : at)) & (table->room - 1);
        *(table->first[row] < 0 ? &table->first[row] : &table->next[table->last[row]]) = table->size;
        table->last[row] = table->size, table->next[table->size] = -1;
    }
    return table->first[hash & (table->room - 1)];
}
static void kept_note(struct kept_places *table, const void *at) {
    const char *place = (const char *)at;
    if (place >= table->base && place < table->base + table->size * table->step) table->size = 0;
}
"""
_HEADERS = ("stdlib.h", "string.h")
_TEXTS = {"char[][]": 0, "char*[]": 0, "char[]*": 1, "char**": 1}
"""Kinds of keys in arrays of texts by their type: `char *row[9]` reads as char[]*, and `char (*row)[9]` as char*[]."""


@dataclass(frozen=True)
class _Search:
    """A loop that leaves at the first entry of an array, or its member, that is equal to a key."""

    loop: Loop
    row: str
    member: str
    """Empty where entries are texts themselves."""
    kind: int
    """0 for texts in the entry, 1 for pointers to texts, 2 for numbers."""
    wanted: str
    record: frozenset[str]
    """Names of the type of an entry."""


def _kept(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    if source.language is not Language.C or "pthread_create" in source.names or "#pragma omp" in source.code:
        return
    found: dict[tuple[str, str], list[_Search]] = {}
    for node in source.find("for_statement"):
        search = _search(source, node)
        if search is not None:
            found.setdefault((search.row, search.member), []).append(search)
    for searches in found.values():
        name = source.fresh(f"{searches[0].member or searches[0].row}_places")
        notes = _notes(source, searches[0], name)
        if notes is not None:
            edits = [edit for each in searches for edit in _looked_up(source, each, name)]
            line = f"static struct kept_places {name};"
            table = prelude(source, f"{_HELPER.strip()}\n{line}", _HEADERS)
            if "kept_places" in source.names:
                at = source.data.index(b"static struct kept_places ")
                table = Edit(at, at, line + "\n")
            yield Rewrite(source.line(searches[0].loop.node), (*notes, *edits, table), weight=1.5)


def _search(source: SourceFile, node: Node) -> _Search | None:
    loop = as_loop(source, node)
    test = test_of(loop.body) if loop is not None else None
    if loop is None or test is None or node.has_error or not leaves(loop.body) or not loop.rises_by_one:
        return None
    if loop.start != "0" or loop.comparison != "<" or not re.fullmatch(r"[\w.]+(?:->[\w.]+)*", loop.end):
        return None
    for key, wanted, text in _sides(source, joined_by(source, test, "&&")[0]):
        match = re.fullmatch(rf"([\w.]+(?:->[\w.]+)*)\[{loop.variable}\](?:\.(\w+))?", source.text(key))
        odd = next(source.find("call_expression", "assignment_expression", "update_expression", within=wanted), None)
        if match is None or odd is not None or re.search(rf"\b{loop.variable}\b", source.text(wanted)):
            continue
        if match[2] is None:
            kind = _TEXTS.get(_type_of(source, field(key, "argument"))) if text else None
            if kind is not None:
                return _Search(loop, match[1], "", kind, source.text(wanted), frozenset())
            continue
        record, kind = _record(source, match[2], text)
        base = next(each for each in source.find("identifier", "field_identifier", within=key))
        if kind is not None and _is_row(source, match[1], base, record):
            return _Search(loop, match[1], match[2], kind, source.text(wanted), record)
    return None


def _sides(source: SourceFile, part: Node) -> Iterator[tuple[Node, Node, bool]]:
    """Keys and what they are compared with: numbers, or texts by strcmp."""
    if part.type == "binary_expression" and source.text(field(part, "operator")) == "==":
        left, right = field(part, "left"), field(part, "right")
        if "strcmp" not in source.text(part):
            yield from ((left, right, False), (right, left, False))
            return
        call = left if source.text(right) == "0" else right if source.text(left) == "0" else part
    else:
        call = (
            field(part, "argument") if source.text(part).startswith("!") and part.type == "unary_expression" else part
        )
    if call.type == "call_expression" and callee(source, call) == "strcmp" and len(arguments(call)) == 2:
        first, second = arguments(call)
        yield from ((first, second, True), (second, first, True))


def _record(source: SourceFile, member: str, text: bool) -> tuple[frozenset[str], int | None]:
    """The names of the one structure with a member, and the kind of key that the member is."""
    fields = [
        (each, declarator) for each in source.find("field_declaration")
        for declarator in each.children_by_field_name("declarator")
        if re.fullmatch(rf"\*?\s*{member}\s*(?:\[[^\]]*\])?", source.text(declarator))
    ]  # fmt: skip
    if len(fields) != 1:
        return frozenset(), None
    declaration, declarator = fields[0]
    outer = enclosing(declaration, "struct_specifier")
    kind, marks = source.text(field(declaration, "type")), source.text(declarator)
    names = {source.text(each) for each in outer.children_by_field_name("name")} if outer is not None else set()
    if outer is not None and outer.parent is not None and outer.parent.type == "type_definition":
        names |= {source.text(each) for each in outer.parent.children_by_field_name("declarator")}
    plain = kind == "char" and ("*" in marks) != ("[" in marks)
    if text:
        return frozenset(names), (1 if "*" in marks else 0) if plain else None
    return frozenset(names), 2 if _NUMBER.fullmatch(kind) and marks == member else None


def _is_row(source: SourceFile, row: str, base: Node, record: frozenset[str]) -> bool:
    """Whether an expression is an array of such structures, or a pointer to one."""
    symbol = resolve(source, base) if row == source.text(base) else None
    kind = type_text(source, symbol) if symbol is not None else ""
    if symbol is None:
        last = re.split(r"\.|->", row)[-1]
        array = re.compile(rf"\*\s*{last}|{last}\s*\[[^\]]*\]")
        found = [
            each for each in source.find("field_declaration")
            for declarator in each.children_by_field_name("declarator") if array.fullmatch(source.text(declarator))
        ]  # fmt: skip
        kind = source.text(field(found[0], "type")) + "*" if len(found) == 1 else ""
    return bool(set(re.findall(r"\w+", kind)) & record) and len(re.findall(r"\*|\[\]", kind)) == 1


def _type_of(source: SourceFile, node: Node) -> str:
    symbol = resolve(source, node) if node.type == "identifier" else None
    return type_text(source, symbol).removeprefix("const ") if symbol is not None else ""


def _notes(source: SourceFile, search: _Search, name: str) -> list[Edit] | None:
    """Edits that tell the table of every change of a key; None where keys may change out of sight."""
    places: list[tuple[Node, str]] = []
    for each in source.find("field_expression", "subscript_expression", "pointer_expression"):
        if not _is_key(source, search, each):
            continue
        place = whole_place(each)
        change = _change(source, each, place, search.kind)
        if change is None:
            return None
        places += [(change, f"&{source.text(each)}")] if change != place else []
    for each in source.find("assignment_expression") if search.member else ():
        left = field(each, "left")
        inner = left.named_children[0] if left.type in ("subscript_expression", "pointer_expression") else None
        if inner is not None and _may_be_record(source, inner, search.record):
            places.append((each, f"&{source.text(left)}"))
    for call in source.find("call_expression"):
        if callee(source, call) in _READERS or callee(source, call) in functions(source):
            continue
        for each in arguments(call):
            entry = each.named_children[0] if source.text(each).startswith("&") else each
            noted = entry != each and entry.type != "field_expression"
            if search.member and noted and _may_be_record(source, entry, search.record):
                places.append((call, source.text(each)))
            elif _reaches(source, search, entry):
                places.append((call, ""))
                break
    quiet = [(change, re.sub(r"\b(\w+)(?:\+\+|--)", r"\1", place)) for change, place in places]
    if any(re.search(r"\+\+|--|\w\(|[^=!<>]=[^=]", place) for _, place in quiet):
        return None
    return [edit for change, place in quiet for edit in _noted(change, name, place)]


def _is_key(source: SourceFile, search: _Search, node: Node) -> bool:
    """Whether an expression names the key of an entry."""
    if search.member:
        return node.type == "field_expression" and source.text(field(node, "field")) == search.member
    element = node.type == "subscript_expression" or source.text(node).startswith("*")
    return element and _TEXTS.get(_type_of(source, node.named_children[0])) == search.kind


def _reaches(source: SourceFile, search: _Search, given: Node) -> bool:
    """Whether a function of the library may change entries through what it is given."""
    if search.member:
        return _may_be_record(source, given, search.record, pointer=True)
    names = source.find("identifier", within=given) if given.type != "subscript_expression" else ()
    return any(_TEXTS.get(_type_of(source, each)) == search.kind for each in names)


def _noted(change: Node, name: str, place: str) -> list[Edit]:
    told = f"kept_note(&{name}, {place})" if place else f"{name}.size = 0"
    return [
        Edit(change.start_byte, change.start_byte, f"({told}, "),
        Edit(change.end_byte, change.end_byte, ")"),
    ]


def _change(source: SourceFile, key: Node, place: Node, kind: int) -> Node | None:
    """The expression that may change a key; the place itself where it is read; None where the key escapes."""
    parent = place.parent
    if parent is None:
        return None
    if parent.type == "update_expression" or (
        parent.type == "assignment_expression" and field(parent, "left") == place
    ):
        return parent
    if parent.type == "argument_list" and parent.parent is not None:
        call, name = parent.parent, callee(source, parent.parent)
        at = arguments(call).index(place)
        definition = functions(source).get(name)
        if name in _READERS or (name in _COPIERS and at > 0):
            return place
        if definition is None:
            return call
        kinds = [source.text(each) for each in parameters_of(source, definition)]
        pointer = place.type == "pointer_expression" or kind < 2
        return place if at < len(kinds) and (not pointer or "const" in kinds[at]) else None
    if parent.type in ("init_declarator", "return_statement", "assignment_expression", "conditional_expression"):
        holder = source.text(parent.parent) if parent.parent is not None else ""
        plain = kind == 2 or (place != key and place.type == "subscript_expression")
        address = source.text(place).startswith("&")
        return place if not address and (plain or holder.startswith("const") or kind == 1) else None
    return None if source.text(place).startswith("&") else place


def _may_be_record(source: SourceFile, place: Node, record: frozenset[str], pointer: bool = False) -> bool:
    """Whether an expression may have to do with such structures; with `pointer`, whether its value may point to one."""
    if place.type == "field_expression" or (pointer and place.type == "subscript_expression"):
        last = list(source.find("field_identifier", "identifier", within=place))[-1]
        kinds = [
            source.text(each) for each in source.find("field_declaration")
            if re.search(rf"\b{source.text(last)}\b", source.text(each))
        ]  # fmt: skip
    else:
        names = source.find("identifier", within=place)
        kinds = [type_text(source, symbol) for each in names if (symbol := resolve(source, each)) is not None]
        kinds = [each for each in kinds if not pointer or re.search(r"\*|\[\]", each)]
    return any(set(re.findall(r"\w+", each)) & record for each in kinds)


def _looked_up(source: SourceFile, each: _Search, name: str) -> list[Edit]:
    """The loop over the places whose key has the hash of the one that is looked for."""
    loop, row = each.loop, each.row
    hashed = f"kept_number((unsigned)({each.wanted}))" if each.kind == 2 else f"kept_text({each.wanted})"
    key = f"&{row}->{each.member}" if each.member else row
    start = f"kept_find(&{name}, {row}, sizeof *{row}, {key}, {each.kind}, {loop.end}, {hashed})"
    own = f"{loop.type} " if loop.type is not None else ""
    variable = loop.variable
    test = f"{variable} >= 0 && {variable} < {loop.end}"
    head = f"for ({own}{variable} = {start}; {test}; {variable} = {name}.next[{variable}]) "
    if own:
        return [Edit(loop.node.start_byte, loop.body.start_byte, head)]
    after = f" if ({variable} < 0 || {variable} >= {loop.end}) {variable} = {loop.end} > 0 ? {loop.end} : 0; }}"
    return [Edit(loop.node.start_byte, loop.body.start_byte, "{ " + head), source.after(loop.body, after)]


_COUNTS = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { char name[32]; int count; };
struct item items[1000];
int known;
int place_of(const char *name) {
    for (int i = 0; i < known; i++) {
        if (strcmp(items[i].name, name) == 0) return i;
    }
    return -1;
}
int by_count(const void *a, const void *b) { return ((struct item *)b)->count - ((struct item *)a)->count; }
int main(void) {
    char word[32];
    while (known < 1000 && scanf("%31s", word) == 1) {
        int place = place_of(word);
        if (place < 0) {
            place = known++;
            strcpy(items[place].name, word);
        }
        items[place].count++;
    }
    qsort(items, known, sizeof items[0], by_count);
    for (int i = 0; i < known; i++) printf("%s %d\\n", items[i].name, items[i].count);
}
"""
_FIND = (
    "for (int i = kept_find(&name_places, items, sizeof *items, &items->name, 0, known, kept_text(name)); "
    "i >= 0 && i < known; i = name_places.next[i]) {"
)

TRANSFORMATIONS = (
    Transformation(
        name="kept-records",
        family="algorithms",
        summary="Keeps a table of places beside an array of structures that loops search for an equal key.",
        find=_kept,
        example=RewriteExample(
            before=_COUNTS,
            after=_COUNTS.replace("for (int i = 0; i < known; i++) {", _FIND)
            .replace(
                "strcpy(items[place].name, word)",
                "(kept_note(&name_places, &items[place].name), strcpy(items[place].name, word))",
            )
            .replace(
                "qsort(items, known, sizeof items[0], by_count)",
                "(name_places.size = 0, qsort(items, known, sizeof items[0], by_count))",
            )
            .replace("<string.h>\n", f"<string.h>\n\n{_HELPER.strip()}\nstatic struct kept_places name_places;\n\n"),
        ),
        languages=(Language.C,),
        prior=2.5,
        refusals=(
            _COUNTS.replace("return i;", "items[i].count++;"),
            _COUNTS.replace("items[place].count++;", "char *p = items[place].name;\n        p[0] = 'x';"),
            _COUNTS.replace(
                "i = 0; i < known; i++) {\n        if (strcmp", "i = 0; i < known; i += 2) {\n        if (strcmp"
            ),
            _COUNTS.replace("name) == 0) return i", "name) < 0) return i"),
            _COUNTS.replace("strcpy(items[place].name", "strcpy(items[next()].name").replace(
                "int by_", "int next(void) { return known; }\nint by_"
            ),
        ),
    ),
)
