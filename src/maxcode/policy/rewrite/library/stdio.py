"""Library and I/O: scanf and printf with simple formats, in C and C++."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.support import arguments, calls, live, macros, prelude
from maxcode.policy.rewrite.library.input import STDIO
from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation

_INPUT = {name for name in STDIO[:10] if name != "scanf"}
_OUTPUT = {name for name in STDIO[10:] if name not in ("printf", "puts", "putchar", "fprintf")}

_BLOCK_IN = """
static char input_block[1 << 16];
static size_t input_at, input_end;

static inline int peek_input(void) {
    if (input_at == input_end) {
        input_end = fread(input_block, 1, sizeof input_block, stdin);
        input_at = 0;
    }
    return input_at < input_end ? (unsigned char)input_block[input_at] : EOF;
}

static inline int skip_space(void) {
    while (peek_input() != EOF && peek_input() <= ' ') input_at++;
    return peek_input();
}
"""
_READ_LONG = """
static inline int read_long(long long *value) {
    int negative = skip_space() == '-';
    if (negative || peek_input() == '+') input_at++;
    if (peek_input() < '0' || peek_input() > '9') return 0;
    unsigned long long digits = 0;
    while (peek_input() >= '0' && peek_input() <= '9') digits = digits * 10 + (input_block[input_at++] - '0');
    *value = negative ? 0 - digits : digits;
    return 1;
}
"""
_READ_INT = """
static inline int read_int(int *value) {
    long long wide;
    if (!read_long(&wide)) return 0;
    *value = (int)wide;
    return 1;
}
"""
_READ_REAL = """
static inline int read_real(double *value) {
    char text[64];
    int length = 0;
    skip_space();
    while (length < 63 && peek_input() > ' ') text[length++] = input_block[input_at++];
    text[length] = 0;
    *value = strtod(text, NULL);
    return length > 0;
}
"""
_READ_WORD = """
static inline int read_word(char *value) {
    if (skip_space() == EOF) return 0;
    while (peek_input() > ' ') *value++ = input_block[input_at++];
    *value = 0;
    return 1;
}
"""
_READ_CHAR = """
static inline int read_char(char *value) {
    if (peek_input() == EOF) return 0;
    *value = input_block[input_at++];
    return 1;
}
"""
_READERS = {
    "d": ("read_int", _READ_LONG + _READ_INT),
    "lld": ("read_long", _READ_LONG),
    "lf": ("read_real", _READ_REAL),
    "s": ("read_word", _READ_WORD),
    "c": ("read_char", _READ_CHAR),
}

_BLOCK_OUT = """
static char output_block[1 << 16];
static size_t output_used;

// Also runs when the program ends.
__attribute__((destructor)) static void flush_output(void) {
    fwrite(output_block, 1, output_used, stdout);
    output_used = 0;
}

static inline void write_char(char value) {
    if (output_used == sizeof output_block) flush_output();
    output_block[output_used++] = value;
}

static inline void write_text(const char *value) {
    while (*value) write_char(*value++);
}
"""
_WRITE_LONG = """
static inline void write_long(long long value) {
    char text[24];
    int length = 0;
    unsigned long long digits = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
    do text[length++] = (char)('0' + digits % 10);
    while (digits /= 10);
    if (value < 0) write_char('-');
    while (length > 0) write_char(text[--length]);
}
"""
_WRITE_REAL = """
static inline void write_real(const char *format, double value) {
    char text[512];
    snprintf(text, sizeof text, format, value);
    write_text(text);
}
"""


def _literal(source: SourceFile, node: Node) -> str | None:
    """What stands between the quotes of a plain string."""
    text = source.text(node)
    return text[1:-1] if node.type == "string_literal" and text.startswith('"') else None


def _clashes(source: SourceFile, code: str) -> bool:
    """Whether the program has a name of its own that the added functions would use."""
    return bool(source.names & set(re.findall(r"\b(?:read|write|input|output|peek|skip|flush)_\w+", code)))


def _scanf(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    found = calls(source, "scanf")
    others = live(source, calls(source, *_INPUT))
    if not found or others or re.search(r"\bcin\b|\bfreopen\b", source.code) or _in_macros(source, "scanf"):
        return
    edits: list[Edit] = []
    used: set[str] = set()
    for call in found:
        reads = _reads(source, call, used)
        edit = _as_condition(source, call, reads) if reads else None
        if edit is None:
            return
        edits.append(edit)
    code = _BLOCK_IN + _needed(_READERS, used)
    if not _clashes(source, code):
        yield Rewrite(source.line(found[0]), (prelude(source, code, ("stdio.h", "stdlib.h")), *edits))


def _in_macros(source: SourceFile, name: str) -> bool:
    return any(re.search(rf"\b{name}\b", source.text(value)) for value in macros(source))


def _needed(table: dict[str, tuple[str, str]], used: set[str]) -> str:
    """The definitions for some conversions, each once, in the order in which they build on each other."""
    parts = (_READ_LONG, _READ_INT, _READ_REAL, _READ_WORD, _READ_CHAR)
    return "".join(part for part in parts if any(part in table[conversion][1] for conversion in used))


def _reads(source: SourceFile, call: Node, used: set[str]) -> list[str] | None:
    """The calls that do what one scanf does, in its order."""
    listed = arguments(call)
    text = _literal(source, listed[0]) if listed else None
    if text is None:
        return None
    conversions = re.findall(r"(\s|\\n)*%(lld|lf|[dsc])", text)
    if re.sub(r"%(?:lld|lf|[dsc])|\s|\\n|\\t", "", text) or len(conversions) != len(listed) - 1:
        return None
    found = []
    for (space, conversion), argument in zip(conversions, listed[1:], strict=True):
        if conversion == "s" and re.match(r"&[^\[]*$", source.text(argument)):
            return None  # the address of an array, which only scanf takes for that of its first element
        used.add(conversion)
        skip = "skip_space(), " if conversion == "c" and space else ""
        read = f"{_READERS[conversion][0]}({source.text(argument)})"
        found.append(f"({skip}{read})" if skip else read)
    return found


def _as_condition(source: SourceFile, call: Node, reads: list[str]) -> Edit | None:
    """The reads in place of a call: as a statement, or where the program asks whether all was read."""
    parent = call.parent
    if parent is None:
        return None
    if parent.type in ("expression_statement", "comma_expression"):
        return source.replace(call, ", ".join(reads))
    together = " && ".join(reads)
    text = re.sub(r"\s", "", source.text(parent)[: call.start_byte - parent.start_byte])
    if parent.type == "unary_expression" and text == "~":
        return source.replace(parent, f"({together})")
    if parent.type != "binary_expression" or parent.child_by_field_name("left") != call:
        return None
    test = re.sub(r"\s", "", source.data[call.end_byte : parent.end_byte].decode(errors="replace"))
    count = len(reads)
    if test in ("!=EOF", "!=-1", f"=={count}", ">0", f">={count}") or (test == ">=1" and count == 1):
        return source.replace(parent, f"({together})" if count > 1 else together)
    if test in (f"!={count}", f"<{count}", "==EOF", "==-1"):
        return source.replace(parent, f"!({together})" if count > 1 else f"!{together}")
    return None


def _printf(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    found = calls(source, "printf", "puts", "putchar")
    others = live(source, calls(source, *_OUTPUT))
    if not found or others or re.search(r"\bcout\b|\bfreopen\b|\bfflush\b|\bsetv?buf\b", source.code):
        return
    if any(_in_macros(source, name) for name in ("printf", "puts", "putchar")):
        return
    edits: list[Edit] = []
    for call in found:
        writes = _writes(source, call) if _value_unused(call) else None
        if writes is None:
            return
        edits.append(source.replace(call, writes))
    text = "".join(edit.text for edit in edits)
    code = _BLOCK_OUT + _WRITE_LONG * ("write_long(" in text) + _WRITE_REAL * ("write_real(" in text)
    if not _clashes(source, code):
        yield Rewrite(source.line(found[0]), (prelude(source, code, ("stdio.h",)), *edits))


def _value_unused(call: Node) -> bool:
    node = call
    while node.parent is not None and node.parent.type in ("conditional_expression", "parenthesized_expression"):
        if node.parent.child_by_field_name("condition") == node:
            return False
        node = node.parent
    if node.parent is None:
        return False
    return node.parent.type == "expression_statement" or (
        node.parent.type == "comma_expression" and node.parent.child_by_field_name("left") == node
    )


def _writes(source: SourceFile, call: Node) -> str | None:
    """The calls that write what one printf, puts or putchar does."""
    listed = [source.text(node) for node in arguments(call)]
    name = source.text(call.children[0]).removeprefix("std::")
    inner = call.parent is not None and call.parent.type != "expression_statement"
    if name == "putchar" and len(listed) == 1:
        return f"write_char({listed[0]})"
    if name == "puts" and len(listed) == 1:
        return _joined([f"write_text({listed[0]})", r"write_char('\n')"], inner)
    text = _literal(source, arguments(call)[0]) if name == "printf" and listed else None
    pieces = None if text is None else _pieces(text, listed[1:])
    return _joined(pieces, inner) if pieces else None


def _joined(pieces: list[str], inner: bool) -> str:
    return f"({', '.join(pieces)})" if inner and len(pieces) > 1 else ", ".join(pieces)


def _pieces(text: str, values: list[str]) -> list[str] | None:
    parts = re.split(r"(%(?:%|lld|ld|li|d|i|u|s|c|l?f|\.\d+l?f))", text)
    if any("%" in part for part in parts[::2]):
        return None
    found = []
    waiting = iter(values)
    for plain, conversion in zip(parts[::2], (*parts[1::2], ""), strict=True):
        if plain:
            single = re.fullmatch(r"\\?[^\\]", plain) and plain not in ("'", '\\"')
            found.append(f"write_char('{plain}')" if single else f'write_text("{plain}")')
        if conversion == "%%":
            found.append("write_char('%')")
        elif conversion:
            value = next(waiting, None)
            if value is None:
                return None
            found.append(_conversion(conversion, value))
    return found if next(waiting, None) is None and found else None


def _conversion(conversion: str, value: str) -> str:
    if conversion.endswith("f"):
        return f'write_real("{conversion}", {value})'
    if conversion == "%u":
        return f"write_long((unsigned)({value}))"
    return {"%s": "write_text", "%c": "write_char"}.get(conversion, "write_long") + f"({value})"


_BEFORE = r"""
#include <stdio.h>

int main(void) {
    int n;
    if (scanf("%d", &n) != 1) {
        n = 7;
    }
    printf("%d squared is %lld\n", n, (long long)n * n);
    printf("\n");
    return 0;
}
"""

TRANSFORMATIONS = (
    Transformation(
        name="block-reader-for-scanf",
        family="library",
        summary="Reads standard input in large blocks and parses it by hand instead of through scanf.",
        find=_scanf,
        example=RewriteExample(
            before=_BEFORE,
            after=_BEFORE.replace('scanf("%d", &n) != 1', "!read_int(&n)").replace(
                "stdio.h>\n", "stdio.h>\n#include <stdlib.h>\n" + _BLOCK_IN + _READ_LONG + _READ_INT
            ),
        ),
        answers=("slow-input",),
        prior=1.5,
        refusals=(
            '#include <stdio.h>\nint main(void) { int n; scanf("%3d", &n); }\n',
            '#include <stdio.h>\nint main(void) { int n; scanf("%d", &n); return getchar(); }\n',
            '#include <stdio.h>\nint main(void) { int n; return scanf("%d", &n); }\n',
        ),
    ),
    Transformation(
        name="block-writer-for-printf",
        family="library",
        summary="Collects the output in a large block and formats it by hand instead of through printf.",
        find=_printf,
        example=RewriteExample(
            before=_BEFORE,
            after=_BEFORE.replace(
                r"""printf("%d squared is %lld\n", n, (long long)n * n)""",
                r"""write_long(n), write_text(" squared is "), write_long((long long)n * n), write_char('\n')""",
            )
            .replace(r'printf("\n")', r"write_char('\n')")
            .replace("stdio.h>\n", "stdio.h>\n" + _BLOCK_OUT + _WRITE_LONG),
        ),
        answers=("slow-output",),
        prior=1.5,
        refusals=(
            '#include <stdio.h>\nint main(void) { printf("%5d", 1); }\n',
            '#include <stdio.h>\nint main(void) { printf("%d", 1); fflush(stdout); }\n',
            '#include <stdio.h>\nint main(void) { return printf("%d", 1); }\n',
        ),
    ),
)
