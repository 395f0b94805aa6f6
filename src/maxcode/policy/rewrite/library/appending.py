"""Library: text of C that is appended where the last piece ended, instead of behind a search for the end."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.loops import LOOPS
from maxcode.policy.rewrite.analysis.support import arguments, calls, prelude, statement_of
from maxcode.policy.rewrite.analysis.symbols import (
    Symbol,
    changed_by_calls,
    changes_it,
    resolve,
    type_text,
    uses,
    whole_place,
)
from maxcode.policy.rewrite.source import SourceFile, ancestors, field, inside
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation

_HELPER = """
// Copies a text to where another one ends; the new end.
static char *put_text(char *end, const char *text) {
    const size_t size = strlen(text);
    return (char *)memcpy(end, text, size + 1) + size;
}
"""
_READERS = frozenset("printf fprintf puts fputs strlen strcmp strncmp strchr strstr".split())


def _appends(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    taken = set[tuple[str, int]]()
    for call in calls(source, "strcat"):
        given = arguments(call)
        symbol = _base(source, given[0]) if len(given) == 2 else None
        loop = _outermost(source, given[0], symbol) if symbol is not None else None
        if symbol is None or loop is None or (source.text(given[0]), loop.id) in taken:
            continue
        buffer = source.text(given[0])
        taken.add((buffer, loop.id))
        end = source.fresh(f"{symbol.name}_end")
        edits = [source.before(loop, f"char *{end} = {buffer} + strlen({buffer});\n{source.indent(loop)}")]
        for each in calls(source, "strcat", "strlen"):
            if not inside(each, loop) or source.text(arguments(each)[0]) != buffer:
                continue
            text = f"(size_t)({end} - {buffer})"
            if statement_of(each) is not None:
                text = f"{end} = put_text({end}, {source.text(arguments(each)[1])})"
            edits.append(source.replace(each, text))
        added = [] if "put_text" in source.names else [prelude(source, _HELPER, ("string.h",))]
        yield Rewrite(source.line(loop), (*added, *edits))


def _base(source: SourceFile, place: Node) -> Symbol | None:
    """The variable that a buffer is, or is a member of, where its place cannot move."""
    while place.type == "field_expression":
        place = field(place, "argument")
    return resolve(source, place) if place.type == "identifier" else None


def _outermost(source: SourceFile, buffer: Node, symbol: Symbol) -> Node | None:
    """The outermost loop around an append in which the text grows in no other way."""
    found, text = None, source.text(buffer)
    if symbol.is_member or _has_other_names(source, symbol):
        return None
    for above in ancestors(buffer):
        if above.type in ("function_definition", "lambda_expression"):
            break
        if above.type not in LOOPS:
            continue
        if not all(_grows_or_reads(source, use, text) for use in uses(source, symbol) if inside(use, above)):
            break
        if inside(symbol.identifier, above) or changed_by_calls(source, buffer, above.start_byte, above.end_byte):
            break
        in_block = above.parent is not None and above.parent.type == "compound_statement"
        if in_block and _is_text(source, symbol, text, above):
            found = above
    return found


def _has_other_names(source: SourceFile, symbol: Symbol) -> bool:
    """Whether a pointer to the buffer is kept somewhere."""
    for use in uses(source, symbol):
        place = whole_place(use)
        outer = place.parent
        if outer is not None and outer.type == "binary_expression":
            outer = outer.parent
        if (
            outer is not None
            and outer.type in ("init_declarator", "assignment_expression")
            and _points(source, place, outer)
        ):
            return True
    return False


def _points(source: SourceFile, place: Node, outer: Node) -> bool:
    """Whether a declaration or assignment keeps a pointer that it gets from a place."""
    value = outer.child_by_field_name("value") or outer.child_by_field_name("right")
    target = outer.child_by_field_name("declarator") or outer.child_by_field_name("left")
    if value is None or target is None or not inside(place, value) or place.type == "subscript_expression":
        return False
    name = next(source.find("identifier", within=target), None)
    symbol = resolve(source, name) if name is not None else None
    return symbol is None or "*" in type_text(source, symbol)


def _grows_or_reads(source: SourceFile, use: Node, buffer: str) -> bool:
    """Whether a use appends to the buffer, reads it, or is of something beside it."""
    place = whole_place(use)
    call = place.parent.parent if place.parent is not None and place.parent.type == "argument_list" else None
    if call is not None and call.type == "call_expression":
        name, at = source.text(field(call, "function")).removeprefix("std::"), arguments(call)
        if name == "strcat":
            first = at[0] == place and source.text(place) == buffer and statement_of(call) is not None
            return first or (at[0] != place and not source.text(place).startswith(buffer))
        if name in _READERS:
            return True
    beside = not _within(source.text(place), buffer)
    return beside or not changes_it(source, use)


def _within(place: str, buffer: str) -> bool:
    """Whether a place has the buffer, is it, or is a part of it."""
    return buffer.startswith(place) or place.startswith(buffer)


def _is_text(source: SourceFile, symbol: Symbol, buffer: str, loop: Node) -> bool:
    """Whether the buffer has a text when the loop begins: something wrote it in the function before."""
    given_whole = symbol.declaration.type == "parameter_declaration" and symbol.name == buffer
    if symbol.is_global or given_whole:
        return True
    before = [use for use in uses(source, symbol) if use.start_byte < loop.start_byte]
    holder = symbol.identifier.parent
    while holder is not None and holder.type not in ("init_declarator", "declaration", "parameter_declaration"):
        holder = holder.parent
    given = holder is not None and holder.type == "init_declarator"
    return given or any(source.text(whole_place(use)).startswith(buffer) and changes_it(source, use) for use in before)


_LISTED = """
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[2000], piece[16];
    line[0] = 0;
    for (int i = 0; i < 100; i++) {
        sprintf(piece, "%d", i * i);
        if (strlen(line) > 0) {
            strcat(line, ",");
        }
        strcat(line, piece);
    }
    puts(line);
}
"""

TRANSFORMATIONS = (
    Transformation(
        name="append-at-end",
        family="library",
        summary="Remembers where a text ends, where strcat() searched for its end in every turn of a loop.",
        find=_appends,
        example=RewriteExample(
            before=_LISTED,
            after=_LISTED.replace("    for (int", "    char *line_end = line + strlen(line);\n    for (int")
            .replace("strlen(line) >", "(size_t)(line_end - line) >")
            .replace('strcat(line, ",")', 'line_end = put_text(line_end, ",")')
            .replace("strcat(line, piece)", "line_end = put_text(line_end, piece)")
            .replace("<string.h>\n", f"<string.h>\n{_HELPER}"),
        ),
        answers=("call-in-loop",),
        prior=2.0,
        refusals=(
            "#include <string.h>\n"
            'void f(char *s, int n) { for (int i = 0; i < n; i++) { strcat(s, "a"); s[i / 2] = 0; } }\n',
            "#include <string.h>\nvoid cut(char *s);\n"
            'void f(char *s, int n) { for (int i = 0; i < n; i++) { strcat(s, "a"); cut(s); } }\n',
            '#include <string.h>\nvoid f(char **s, int n) { for (int i = 0; i < n; i++) strcat(s[i], "a"); }\n',
            "#include <string.h>\nvoid f(char *s, int n) {\n    char *p = s + 1;\n"
            '    for (int i = 0; i < n; i++) { strcat(s, "a"); *p = 0; }\n}\n',
        ),
    ),
)
