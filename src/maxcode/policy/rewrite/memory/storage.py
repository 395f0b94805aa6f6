"""Memory: smaller elements, and small buffers on the stack."""

from __future__ import annotations

import re
from collections.abc import Iterator

from maxcode.policy.rewrite.analysis.variables import Variable, arguments, masked, resolved, split, variables
from maxcode.policy.rewrite.memory.grids import squeezed
from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation

_BITS = re.compile(r"\bvector\s*<\s*bool\s*>")
_NUMBERS = re.compile(r"(?:unsigned |signed )?(?:int|long long|long|short|char|double|float|bool|size_t|u?int\d+_t)")
SMALL = 4096


def _bytes_for_bits(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """Replaces all `vector<bool>` by vectors of char at once, so that the types of parameters still agree."""
    del setting
    text = masked(source)
    places = list(_BITS.finditer(text))
    names = re.findall(r"\bvector\s*<\s*bool\s*>[>\s&]*(\w+)", text) + re.findall(r"\w+", _aliased(source))
    if not places or re.search(r"\.\s*flip\s*\(|vector\s*<\s*bool\s*>\s*::", text) or _shown(text, names):
        return
    edits = tuple(Edit(m.start(), m.end(), re.sub("bool", "char", m[0])) for m in places)
    yield Rewrite(text[: places[0].start()].count("\n") + 1, edits)


def _aliased(source: SourceFile) -> str:
    """Names of variables whose type is the program's own name for a vector of bits."""
    found = [v.name for v in variables(source) if "bool" not in v.type and "vector<bool>" in resolved(source, v.type)]
    return " ".join(found)


def _shown(text: str, names: list[str]) -> bool:
    """Whether some element may be printed: a character would come out instead of a number."""
    return any(
        re.search(rf"<<\s*\(?\s*{name}\s*[\[.]|\({name}\s*\[[^;]*\?[^;]*:", text) for name in set(names)
    ) or bool(re.search(r"for\s*\(\s*(?:const\s+)?auto\b", text) and names)


def _bytes_for_flags(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for variable in variables(source):
        if variable.alone and _is_flags(source, variable):
            kind = re.sub(r"\b(?:int|long long|ll|LL)\b", "char", variable.type)
            if kind != variable.type:
                start = variable.declaration.start_byte
                edit = Edit(start, start + len(variable.type.encode()), kind)
                yield Rewrite(source.line(variable.declaration), (edit,))


def _is_flags(source: SourceFile, variable: Variable) -> bool:
    """Whether a variable is an array of integers that only holds 0 and 1 and is only read in conditions."""
    kind = resolved(source, variable.type)
    array = kind in ("int", "long long") and re.fullmatch(r"(?:\[[^\[\]]+\]){1,2}(?:\s*=\s*\{0?\})?", variable.rest)
    vector = re.fullmatch(r"vector<(?:int|long long)>", kind) and re.fullmatch(
        r"\(([^,]+)(?:,\s*(?:0|1|false|true))?\)", variable.rest
    )
    dimensions = variable.rest.count("[") if array else 1
    mentions, text = variable.mentions, masked(source)
    if not (array or vector) or not mentions or any(len(each.indices) != dimensions for each in mentions):
        return False
    written = 0
    for each in mentions:
        before, behind = text[max(0, each.at - 40) : each.at], text[each.end : each.end + 40]
        value = re.match(r"\s*=(?!=)\s*(\w+)\s*[;,)]", behind)
        if value and value[1] in ("0", "1", "true", "false"):
            written += 1
        elif not _in_condition(before, behind):
            return False
    return written > 0


def _in_condition(before: str, behind: str) -> bool:
    """Whether a use is a condition, as in `if (x[i])`, `!x[i]`, `x[i] == 0` or `&& x[i]`."""
    starts = re.search(r"(?:!\s*|&&\s*|\|\|\s*|\b(?:if|while)\s*\(\s*)$", before)
    ends = re.match(r"\s*(?:\)|&&|\|\||(?:==|!=)\s*(?:0|1|true|false)\b)", behind)
    return bool(starts and ends)


def _on_the_stack(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for variable in variables(source):
        element = arguments(resolved(source, variable.type), "vector")
        given = re.fullmatch(r"\((.*)\)", variable.rest, re.DOTALL)
        sizes = split(given[1]) if given else []
        if variable.is_global or not variable.alone or not element or not 1 <= len(sizes) <= 2:
            continue
        if not re.fullmatch(r"\d+", sizes[0]) or not 0 < int(sizes[0]) <= SMALL or not _NUMBERS.fullmatch(element[0]):
            continue
        if re.search("const|static", variable.type) or not _used_like_an_array(variable):
            continue
        value = squeezed(sizes[1]) if len(sizes) == 2 else "0"
        indent = source.indent(variable.declaration)
        fill = "" if value in ("0", "false", "0.0") else f"\n{indent}{variable.name}.fill({sizes[1]});"
        made = f"{source.std}array<{element[0]}, {sizes[0]}> {variable.name}{'' if fill else '{}'};{fill}"
        edits = (*source.including("array"), source.replace(variable.declaration, made))
        yield Rewrite(source.line(variable.declaration), edits)


def _used_like_an_array(variable: Variable) -> bool:
    text = masked(variable.source)
    for each in variable.mentions or []:
        behind = text[each.end : each.end + 12]
        if not each.indices and not re.match(r"\s*\.\s*(?:begin|end|size|back|front|rbegin|rend)\s*\(", behind):
            return False
    return bool(variable.mentions)


TRANSFORMATIONS = (
    Transformation(
        name="bytes-for-bits",
        family="memory",
        summary="Keeps truth values as bytes where a vector<bool> packs and unpacks bits at each use.",
        find=_bytes_for_bits,
        example=RewriteExample(
            before="""
#include <iostream>
#include <vector>
int main() {
    std::vector<bool> composite(100, false);
    int primes = 0;
    for (int i = 2; i < 100; i++) {
        if (!composite[i]) {
            primes++;
            for (int j = 2 * i; j < 100; j += i) {
                composite[j] = true;
            }
        }
    }
    std::cout << primes;
}
""",
            after="""
#include <iostream>
#include <vector>
int main() {
    std::vector<char> composite(100, false);
    int primes = 0;
    for (int i = 2; i < 100; i++) {
        if (!composite[i]) {
            primes++;
            for (int j = 2 * i; j < 100; j += i) {
                composite[j] = true;
            }
        }
    }
    std::cout << primes;
}
""",
        ),
        languages=CPP,
        answers=("call-in-loop", "control-flow"),
        refusals=(
            "#include <iostream>\n#include <vector>\nint main() {\n    std::vector<bool> seen(3);\n"
            "    std::cout << seen[0];\n}\n",
        ),
    ),
    Transformation(
        name="bytes-for-flags",
        family="memory",
        summary="Keeps flags as bytes where whole numbers held nothing but 0 and 1.",
        find=_bytes_for_flags,
        example=RewriteExample(
            before="""
#include <iostream>
int seen[1000];
int main() {
    int repeated = 0;
    for (int i = 0; i < 2000; i++) {
        if (seen[i * 7 % 1000]) {
            repeated++;
        }
        seen[i * 7 % 1000] = 1;
    }
    std::cout << repeated;
}
""",
            after="""
#include <iostream>
char seen[1000];
int main() {
    int repeated = 0;
    for (int i = 0; i < 2000; i++) {
        if (seen[i * 7 % 1000]) {
            repeated++;
        }
        seen[i * 7 % 1000] = 1;
    }
    std::cout << repeated;
}
""",
        ),
        languages=CPP,
        answers=("cache-misses",),
        prior=0.5,
        refusals=(
            "int seen[10];\nint main() {\n    seen[2] = 1;\n    seen[2] += seen[3];\n    return seen[2];\n}\n",
            "#include <cstring>\nint seen[10];\nint main() {\n    memset(seen, 0, 40);\n    seen[2] = 1;\n"
            "    if (seen[1]) return 1;\n}\n",
        ),
    ),
    Transformation(
        name="small-buffer-on-stack",
        family="memory",
        summary="Keeps a small vector of constant size as an array on the stack.",
        find=_on_the_stack,
        example=RewriteExample(
            before="""
#include <iostream>
#include <string>
#include <vector>
using namespace std;
int different(const string &word) {
    vector<int> counts(26, 0);
    int found = 0;
    for (char c : word) {
        found += counts[c - 'a']++ == 0;
    }
    return found;
}
int main() {
    cout << different("banana");
}
""",
            after="""
#include <array>
#include <iostream>
#include <string>
#include <vector>
using namespace std;
int different(const string &word) {
    array<int, 26> counts{};
    int found = 0;
    for (char c : word) {
        found += counts[c - 'a']++ == 0;
    }
    return found;
}
int main() {
    cout << different("banana");
}
""",
        ),
        languages=CPP,
        answers=("allocation",),
        refusals=(
            "#include <vector>\nstd::vector<int> f() {\n    std::vector<int> v(3);\n    v[0] = 1;\n    return v;\n}\n",
            "#include <vector>\nint f() {\n    std::vector<int> v(3);\n    v.push_back(1);\n    return v[3];\n}\n",
        ),
    ),
)
