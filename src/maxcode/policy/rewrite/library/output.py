"""Library and I/O: how a program writes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import Template

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.support import calls, live, macros, prelude
from maxcode.policy.rewrite.analysis.symbols import library_names
from maxcode.policy.rewrite.library.input import STDIO, decoupling, replaced_in_macros
from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation


def _ends_of_line(source: SourceFile) -> list[Node]:
    return [
        node
        for node in source.find("identifier", "qualified_identifier")
        if source.text(node) in ("endl", "std::endl")
        and node.parent is not None
        and node.parent.type == "binary_expression"
    ]


def _endl(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    found = _ends_of_line(source)
    if found:
        yield Rewrite(source.line(found[0]), tuple(source.replace(node, r"'\n'") for node in found))


_HEADERS = ("cstdio", "cstring", "string", "type_traits")
_FORMATS = {"setprecision", "setw", "setfill", "fixed", "scientific", "hex", "oct", "boolalpha", "showpos", "put_time"}
_UNWRITABLE = {"ostream", "ostream_iterator", "flush", "unitbuf", "rdbuf", "bitset", "complex", "string_view", "fflush"}

_WRITER = Template("""
// Collects standard output in a large block; the rest is written when the program ends.
struct $type {
    char block[1 << 16];
    size_t used = 0;

    ~$type() { write_out(); }

    void write_out() {
        fwrite(block, 1, used, stdout);
        used = 0;
    }

    $type &add(const char *text, size_t length) {
        if (length > sizeof block - used) write_out();
        if (length > sizeof block) {
            fwrite(text, 1, length, stdout);
            return *this;
        }
        memcpy(block + used, text, length);
        used += length;
        return *this;
    }

    template <class T>
    typename std::enable_if<std::is_integral<T>::value || std::is_enum<T>::value, $type &>::type operator<<(T value) {
        char text[24];
        char *begin = text + sizeof text;
        unsigned long long digits = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
        do *--begin = (char)('0' + digits % 10);
        while (digits /= 10);
        if (value < 0) *--begin = '-';
        return add(begin, text + sizeof text - begin);
    }

    template <class T>
    typename std::enable_if<std::is_floating_point<T>::value, $type &>::type operator<<(T value) {
        char text[64];
        return add(text, snprintf(text, sizeof text, "%Lg", (long double)value));
    }

    $type &operator<<(char value) { return add(&value, 1); }
    $type &operator<<(bool value) { return add(value ? "1" : "0", 1); }
    $type &operator<<(const char *value) { return add(value, strlen(value)); }
    $type &operator<<(const std::string &value) { return add(value.data(), value.size()); }
};

static $type $name;
""")


def _block_writer(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    name = source.fresh("output")
    if library_names(source, _FORMATS | _UNWRITABLE) or re.search(r"(?<!\()unsigned char|u?int8_t", source.code):
        return
    if live(source, calls(source, *STDIO[10:])) or any(
        re.search(r"printf|puts|putchar", source.text(m)) for m in macros(source)
    ):
        return
    edits = _writes_to(source, name)
    if edits:
        code = _WRITER.substitute(type=source.fresh("Output"), name=name)
        line = next((source.line(node) for node in _streams(source)), 1)
        yield Rewrite(line, (prelude(source, code, _HEADERS), *edits))


def _streams(source: SourceFile) -> Iterator[Node]:
    for node in source.find("identifier", "qualified_identifier"):
        outer = node.parent
        if source.text(node) in ("cout", "std::cout") and (outer is None or outer.type != "qualified_identifier"):
            yield node


def _writes_to(source: SourceFile, name: str) -> list[Edit] | None:
    """The edits that make another object of cout; None where the program uses cout in other ways."""
    edits: list[Edit] = []
    for node in _streams(source):
        tie = decoupling(source, node)
        if tie is not None:
            edits.append(source.remove_line(tie))
        elif _is_written(source, node):
            edits.append(source.replace(node, name))
        else:
            return None
    if "endl" not in {source.text(each.children[1]) for each in source.find("preproc_def")}:
        edits += [source.replace(node, r"'\n'") for node in _ends_of_line(source)]
    in_macros = _in_macros(source, name)
    return None if in_macros is None or not edits + in_macros else [*edits, *in_macros]


def _in_macros(source: SourceFile, name: str) -> list[Edit] | None:
    found = replaced_in_macros(source, "cout", name, r"\s*<<")
    if found is None:
        return None
    plain = [Edit(each.start, each.end, re.sub(r"\b(?:std::)?endl\b", r"'\\n'", each.text)) for each in found]
    changed = {each.start for each in plain}
    others = [value for value in macros(source) if value.start_byte not in changed]
    return None if any(re.search(r"\bendl\b", source.text(value)) for value in others) else plain


def _is_written(source: SourceFile, node: Node) -> bool:
    parent = node.parent
    if parent is None or parent.type != "binary_expression" or parent.child_by_field_name("left") != node:
        return False
    operator = parent.child_by_field_name("operator")
    return operator is not None and source.text(operator) == "<<"


_BEFORE = """
#include <iostream>
#include <string>

using namespace std;

int main() {
    string name = "total";
    for (int i = -3; i < 3; i++) {
        cout << name << ' ' << i * 1000000007LL << ": " << i / 4.0 << endl;
    }
    return 0;
}
"""

TRANSFORMATIONS = (
    Transformation(
        name="newline-for-endl",
        family="library",
        summary="Writes '\\n' where endl would also flush.",
        find=_endl,
        example=RewriteExample(
            before="""
#include <iostream>
int main() {
    std::cout << 1 << std::endl;
    std::cout << 2 << std::endl;
}
""",
            after=r"""
#include <iostream>
int main() {
    std::cout << 1 << '\n';
    std::cout << 2 << '\n';
}
""",
        ),
        languages=CPP,
        answers=("endl", "slow-output"),
        refusals=('#include <iostream>\nint main() { std::cout << "endl\\n"; }\n',),
    ),
    Transformation(
        name="block-writer",
        family="library",
        summary="Collects the output in a large block and formats numbers by hand instead of through cout.",
        find=_block_writer,
        example=RewriteExample(
            before=_BEFORE,
            after=_BEFORE.replace("cout", "output")
            .replace("endl", r"'\n'")
            .replace(
                "#include <string>\n",
                "#include <string>\n#include <cstdio>\n#include <cstring>\n#include <type_traits>\n"
                + _WRITER.substitute(type="Output", name="output"),
            ),
        ),
        languages=CPP,
        answers=("slow-output", "endl"),
        prior=2.0,
        refusals=(
            "#include <iomanip>\n#include <iostream>\nint main() { std::cout << std::setw(4) << 1; }\n",
            '#include <cstdio>\n#include <iostream>\nint main() { std::cout << 1; printf("2"); }\n',
            "#include <iostream>\nint main() { std::cout << 1; std::cout.flush(); }\n",
        ),
    ),
)
