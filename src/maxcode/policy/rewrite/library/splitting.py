"""Library: the words and fields of a line without a string stream."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import Template

from maxcode.policy.rewrite.analysis.support import prelude
from maxcode.policy.rewrite.analysis.variables import Variable, masked, resolved, variables
from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation

_READER = Template("""
// Reads words, numbers and fields from a text as a string stream does, without its locale and buffers.
class $name {
    std::string text;
    size_t at = 0;
    bool good = true, ended = false;

    bool skip() {
        while (at < text.size() && (text[at] == ' ' || (text[at] >= '\\t' && text[at] <= '\\r'))) at++;
        if (!good || ended || at == text.size()) good = false;
        return good;
    }

public:
    explicit $name(const std::string &from) : text(from) {}
    explicit operator bool() const { return good; }
    bool operator!() const { return !good; }

    $name &operator>>(std::string &word) {
        if (!skip()) return *this;
        size_t begin = at;
        while (at < text.size() && text[at] != ' ' && (text[at] < '\\t' || text[at] > '\\r')) at++;
        word.assign(text, begin, at - begin);
        ended = at == text.size();
        return *this;
    }

    $name &operator>>(char &letter) {
        if (skip()) letter = text[at++];
        return *this;
    }

    template <class Number> $name &operator>>(Number &number) {
        if (!skip()) return *this;
        size_t plus = text[at] == '+' ? 1 : 0;
        auto [end, error] = std::from_chars(text.data() + at + plus, text.data() + text.size(), number);
        good = error == std::errc();
        at = (size_t)(end - text.data());
        ended = at == text.size();
        if (!good) number = 0;
        return *this;
    }

    friend $name &getline($name &from, std::string &field, char separator = '\\n') {
        if (!from.good || from.ended) {
            from.good = false;
            return from;
        }
        size_t end = std::min(from.text.find(separator, from.at), from.text.size());
        from.good = from.at < from.text.size();
        field.assign(from.text, std::min(from.at, end), end - std::min(from.at, end));
        from.ended = end == from.text.size();
        from.at = end + 1;
        return from;
    }
};
""")
_HEADERS = ("algorithm", "charconv", "string", "system_error")


def _reads(stream: Variable) -> list[Edit] | None:
    """Edits of the calls that read a stream; None where something else is done with it."""
    text, edits = masked(stream.source), list[Edit]()
    if stream.mentions is None:
        return None
    for use in stream.mentions:
        before, after = text[max(0, use.at - 200) : use.at], text[use.end : use.end + 3].lstrip()
        line = re.search(r"(std::\s*)?\bgetline\s*\(\s*$", before)
        if line is not None and after.startswith(","):
            if line[1]:
                begin = use.at - len(before) + line.start(1)
                edits.append(Edit(begin, begin + len(line[1]), ""))
        elif not after.startswith(">>") or re.search(r"(?:<<|>>|,|=|\breturn)\s*$", before):
            return None
    return edits if stream.mentions else None


def _words(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    present = "class WordReader" in source.code
    name = "WordReader" if present else source.fresh("WordReader")
    found, edits = list[Variable](), list[Edit]()
    for stream in variables(source):
        if resolved(source, stream.type) not in ("stringstream", "istringstream") or not stream.alone:
            continue
        given = re.fullmatch(r"[({]\s*(.+?)\s*[)}]", stream.rest, re.DOTALL)
        reads = _reads(stream) if given and "," not in given[1] else None
        if reads is not None:
            at = stream.declaration.start_byte
            found.append(stream)
            edits += [Edit(at, at + len(stream.type.encode()), name), *reads]
    if found:
        added = [] if present else [prelude(source, _READER.substitute(name=name), _HEADERS)]
        yield Rewrite(source.line(found[0].declaration), (*added, *edits))


_BEFORE = """
#include <iostream>
#include <sstream>
#include <string>
using namespace std;
int main() {
    for (string line : {"apple 3 0.5", " pear x", "", "fig -4 2e1 ,a,,b"}) {
        istringstream words(line);
        string name, field;
        int count = 7;
        double price = 0;
        if (!(words >> name >> count >> price)) {
            cout << "bad " << name << count << endl;
            continue;
        }
        while (std::getline(words, field, ',')) {
            cout << "<" << field << ">";
        }
        cout << name << count * price << endl;
    }
}
"""

TRANSFORMATIONS = (
    Transformation(
        name="words-without-stream",
        family="library",
        summary="Reads words, numbers and fields of a line without making a string stream of it.",
        find=_words,
        example=RewriteExample(
            before=_BEFORE,
            after=_BEFORE.replace(
                "#include <iostream>\n#include <sstream>\n#include <string>\n",
                "#include <iostream>\n#include <sstream>\n#include <string>\n"
                "#include <algorithm>\n#include <charconv>\n#include <system_error>\n"
                + _READER.substitute(name="WordReader")
                + "\n",
            )
            .replace("istringstream words", "WordReader words")
            .replace("std::getline(words", "getline(words"),
        ),
        languages=CPP,
        answers=("streams", "allocation"),
        prior=2.5,
        refusals=(
            "#include <sstream>\n#include <string>\nstd::string f(int x) {\n    std::stringstream s;\n    s << x;\n"
            "    return s.str();\n}\n",
            '#include <sstream>\nvoid g(std::istream &);\nint main() { std::istringstream in("1"); g(in); }\n',
        ),
    ),
)
