"""Library and I/O: how a C++ program reads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import Template

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.support import calls, functions, live, macros, prelude, statement_of
from maxcode.policy.rewrite.analysis.symbols import library_names
from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation

STDIO = (
    "scanf", "getchar", "gets", "fgets", "getc", "fread", "fscanf", "read", "getchar_unlocked", "fread_unlocked",
    "printf", "puts", "putchar", "fputs", "putc", "fwrite", "fprintf", "putchar_unlocked", "fwrite_unlocked", "write",
)  # fmt: skip
_C_INPUT = STDIO[:10]
_HEADERS = ("cstdio", "cstdlib", "cstring", "string", "type_traits")
_UNREADABLE = {"istream", "iostream_iterator", "istream_iterator", "ws", "complex", "bitset", "int8_t", "uint8_t",
               "streambuf", "rdbuf", "noskipws", "hex", "oct", "valarray"}  # fmt: skip

_READER = Template("""
// Reads standard input in large blocks and parses it by hand.
struct $type {
    char block[1 << 16];
    size_t at = 0, end = 0;
    bool good = true;

    explicit operator bool() const { return good; }

    int peek() {
        if (at == end) {
            end = fread(block, 1, sizeof block, stdin);
            at = 0;
        }
        return at < end ? (unsigned char)block[at] : EOF;
    }

    bool skip_space() {
        while (peek() <= ' ' && at < end) at++;
        return good = good && at < end;
    }

    template <class T>
    typename std::enable_if<std::is_integral<T>::value, $type &>::type operator>>(T &value) {
        if (!skip_space()) return *this;
        bool negative = block[at] == '-';
        if (negative || block[at] == '+') at++;
        good = peek() >= '0' && peek() <= '9';
        unsigned long long digits = 0;
        for (int c; (c = peek()) >= '0' && c <= '9'; at++) digits = digits * 10 + (c - '0');
        value = (T)(negative ? 0 - digits : digits);
        return *this;
    }

    template <class T>
    typename std::enable_if<std::is_floating_point<T>::value, $type &>::type operator>>(T &value) {
        if (!skip_space()) return *this;
        char text[64];
        size_t length = 0;
        while (length < 63 && peek() > ' ' && strchr("+-.0123456789eE", peek())) text[length++] = block[at++];
        text[length] = 0;
        value = (T)strtold(text, nullptr);
        good = length > 0;
        return *this;
    }

    $type &operator>>(char &value) {
        if (skip_space()) value = block[at++];
        return *this;
    }

    $type &operator>>(char *value) {
        skip_space();
        while (peek() > ' ') *value++ = block[at++];
        *value = 0;
        return *this;
    }

    $type &operator>>(std::string &value) {
        if (skip_space()) value.clear();
        while (good && peek() > ' ') {
            size_t begin = at;
            while (at < end && (unsigned char)block[at] > ' ') at++;
            value.append(block + begin, at - begin);
        }
        return *this;
    }
};

$type &getline($type &$name, std::string &value) {
    value.clear();
    $name.good = $name.good && $name.peek() != EOF;
    while ($name.good && $name.peek() != EOF) {
        const char *begin = $name.block + $name.at;
        const char *stop = (const char *)memchr(begin, '\\n', $name.end - $name.at);
        value.append(begin, stop ? stop : $name.block + $name.end);
        $name.at = stop ? stop - $name.block + 1 : $name.end;
        if (stop) break;
    }
    return $name;
}

static $type $name;
""")


def _sync_off(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    main = functions(source).get("main")
    body = main.child_by_field_name("body") if main is not None else None
    if body is None or body.type != "compound_statement" or live(source, calls(source, *STDIO)):
        return
    missing = _missing(source)
    if missing:
        first = next((node for node in body.named_children), None)
        indent = source.indent(first) if first is not None and first.start_point[0] > body.start_point[0] else "    "
        at = body.start_byte + 1
        yield Rewrite(source.line(body), (Edit(at, at, "".join(f"\n{indent}{each}" for each in missing)),))


def _missing(source: SourceFile) -> list[str]:
    """Statements that the program lacks to decouple streams from stdio and from each other."""
    text = re.sub(r"\s+", "", source.code)
    reads, writes = bool(re.search(r"\bcin\b", source.code)), bool(re.search(r"\bcout\b", source.code))
    found = []
    if (reads or writes) and "sync_with_stdio(" not in text:
        found.append(f"{source.std}ios::sync_with_stdio(false);")
    if reads and writes and "cin.tie(" not in text:
        found.append(f"{source.std}cin.tie(nullptr);")
    return found


def _block_reader(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    name = source.fresh("input")
    edits = _reads_from(source, name)
    if edits is None or library_names(source, _UNREADABLE) or re.search(r"(?<!\()unsigned char", source.code):
        return
    if live(source, calls(source, *_C_INPUT)):
        return
    code = _READER.substitute(type=source.fresh("Input"), name=name)
    yield Rewrite(edits[1], (prelude(source, code, _HEADERS), *edits[0]))


def _reads_from(source: SourceFile, name: str) -> tuple[list[Edit], int] | None:
    """The edits that make another object of cin, and the first line; None where cin is used in other ways."""
    edits: list[Edit] = []
    first: int | None = None
    for node in source.find("identifier", "qualified_identifier"):
        if source.text(node) not in ("cin", "std::cin") or (node.parent and node.parent.type == "qualified_identifier"):
            continue
        tie = decoupling(source, node)
        if tie is not None:
            edits.append(source.remove_line(tie))
        elif _is_read(source, node):
            edits.append(source.replace(node, name))
            first = first or source.line(node)
        elif not _is_getline(source, node):
            return None
        else:
            assert node.parent is not None and node.parent.parent is not None
            edits += [source.replace(node, name), source.replace(node.parent.parent.children[0], "getline")]
            first = first or source.line(node)
    in_macros = replaced_in_macros(source, "cin", name, r"\s*>>")
    if in_macros is None or (first is None and not in_macros):
        return None
    return [*edits, *in_macros], first or 1


def replaced_in_macros(source: SourceFile, stream: str, name: str, follows: str) -> list[Edit] | None:
    """Edits that replace a stream inside macros, which have no syntax tree; None if one uses it in another way."""
    edits = []
    for value in macros(source):
        text = source.text(value)
        if re.search(rf"\b{stream}\b(?!{follows})", text):
            return None
        changed = re.sub(rf"\b(?:std::)?{stream}\b", name, text)
        if changed != text:
            edits.append(source.replace(value, changed))
    return edits


def decoupling(source: SourceFile, node: Node) -> Node | None:
    """The whole statement `cin.tie(...);`, which the reader does not need."""
    call = node.parent.parent if node.parent is not None and node.parent.type == "field_expression" else None
    if call is None or call.type != "call_expression" or not re.match(r"\S*\.tie\b", source.text(call)):
        return None
    statement = statement_of(call)
    block = statement.parent if statement is not None else None
    return statement if block is not None and block.type == "compound_statement" else None


def _is_read(source: SourceFile, node: Node) -> bool:
    parent = node.parent
    if parent is None or parent.type != "binary_expression" or parent.child_by_field_name("left") != node:
        return False
    operator = parent.child_by_field_name("operator")
    return operator is not None and source.text(operator) == ">>"


def _is_getline(source: SourceFile, node: Node) -> bool:
    listed = node.parent
    call = listed.parent if listed is not None and listed.type == "argument_list" else None
    if listed is None or call is None or len(listed.named_children) != 2 or listed.named_children[0] != node:
        return False
    return source.text(call.children[0]) in ("getline", "std::getline")


_BEFORE = """
#include <iostream>

int main() {
    int n = 0, value;
    std::cin >> n;
    long long sum = 0;
    while (std::cin >> value) {
        sum += value;
    }
    std::cout << n << " " << sum << "\\n";
}
"""

TRANSFORMATIONS = (
    Transformation(
        name="streams-without-stdio",
        family="library",
        summary="Lets cin and cout keep buffers of their own: no synchronisation with stdio, no flush before reading.",
        find=_sync_off,
        example=RewriteExample(
            before=_BEFORE,
            after=_BEFORE.replace(
                "int main() {", "int main() {\n    std::ios::sync_with_stdio(false);\n    std::cin.tie(nullptr);"
            ),
        ),
        languages=CPP,
        answers=("slow-input", "slow-output"),
        prior=2.0,
        refusals=(
            '#include <cstdio>\n#include <iostream>\nint main() { int n; std::cin >> n; printf("%d", n); }\n',
            "#include <iostream>\nusing namespace std;\n"
            "int main() { ios::sync_with_stdio(0); cin.tie(0); int n; cin >> n; cout << n; }\n",
        ),
    ),
    Transformation(
        name="block-reader",
        family="library",
        summary="Reads standard input in large blocks and parses numbers and words by hand instead of through cin.",
        find=_block_reader,
        example=RewriteExample(
            before=_BEFORE,
            after=_BEFORE.replace("std::cin", "input").replace(
                "#include <iostream>\n",
                "#include <iostream>\n"
                + "".join(f"#include <{header}>\n" for header in _HEADERS)
                + _READER.substitute(type="Input", name="input"),
            ),
        ),
        languages=CPP,
        answers=("slow-input",),
        prior=2.0,
        refusals=(
            "#include <iostream>\nint main() { int n; std::cin >> n; std::cin.ignore(); std::cout << n; }\n",
            "#include <iostream>\nint main() { std::cout << 1; }\n",
            "#include <iostream>\nstruct P { int x; };\n"
            "std::istream &operator>>(std::istream &in, P &p) { return in >> p.x; }\n"
            "int main() { P p; std::cin >> p; std::cout << p.x; }\n",
        ),
    ),
)
