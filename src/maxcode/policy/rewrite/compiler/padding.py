"""Threads: counters of different threads on different cache lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from maxcode.core import Language
from maxcode.policy.rewrite.analysis.variables import Mention, Variable, arguments, resolved, split, variables
from maxcode.policy.rewrite.source import Edit, Source
from maxcode.policy.rewrite.transformation import Example, Rewrite, Setting, Transformation

_BYTES = {"int": 4, "unsigned": 4, "unsigned int": 4, "float": 4, "long": 8, "long long": 8, "double": 8, "size_t": 8,
          "unsigned long long": 8, "unsigned long": 8, "int64_t": 8, "uint64_t": 8}  # fmt: skip
_LINE = 64
_THREAD = re.compile(r"\bomp_get_thread_num\s*\(\s*\)|\b(?:tid|thread|worker|thread_?(?:id|num|index))\b")


def _padded(source: Source, setting: Setting) -> Iterator[Rewrite]:
    threads = re.search(r"omp_get_thread_num|\bthread\b|pthread_create|\basync\b", source.code)
    if setting.cpus < 2 or threads is None:
        return
    for variable in variables(source):
        mentions = variable.mentions if variable.alone else None
        if not mentions or any(len(each.indices) != 1 for each in mentions):
            continue
        if not any(_by_thread(source, variable, each) for each in mentions):
            continue
        made = _declared(source, variable)
        if made is not None:
            text, headers = made
            edits = [Edit(each.end, each.end, "[0]") for each in mentions]
            yield Rewrite(
                source.line(variable.declaration),
                (*headers, source.replace(variable.declaration, text), *edits),
            )


def _by_thread(source: Source, variable: Variable, mention: Mention) -> bool:
    index = variable.text(mention.indices[0]).strip()
    taken = re.search(rf"\b{re.escape(index)}\s*=\s*omp_get_thread_num\s*\(", source.code)
    return _THREAD.fullmatch(index) is not None or taken is not None


def _declared(source: Source, variable: Variable) -> tuple[str, list[Edit]] | None:
    """The declaration with a cache line for each entry, the first place of which is used."""
    kind = resolved(source, variable.type.removeprefix("static "))
    static = "static " if variable.type.startswith("static ") else ""
    array = re.fullmatch(r"(\[[^\[\]]+\])(\s*=\s*\{\s*0?\s*\})?", variable.rest)
    if kind in _BYTES and array:
        return f"{static}{kind} {variable.name}{array[1]}[{_LINE // _BYTES[kind]}]{array[2] or ''};", []
    element = arguments(kind, "vector")
    given = re.fullmatch(r"\((.*)\)", variable.rest, re.DOTALL)
    sizes = split(given[1]) if given else []
    if source.language is Language.C or not element or element[0] not in _BYTES or not 1 <= len(sizes) <= 2:
        return None
    if len(sizes) == 2 and sizes[1] not in ("0", "0.0", "0L", "0LL"):
        return None
    inner = f"{source.std}array<{element[0]}, {_LINE // _BYTES[element[0]]}>"
    text = f"{static}{source.std}vector<{inner}> {variable.name}({sizes[0]});"
    return text, source.including("array")


_COUNTERS = """
#include <omp.h>
#include <cstdio>

int main() {
    long counts[64] = {0};
    #pragma omp parallel for
    for (int i = 0; i < 100000; i++) {
        if (i % 3 == 0) counts[omp_get_thread_num()]++;
    }
    long sum = 0;
    for (int thread = 0; thread < 64; thread++) {
        sum += counts[thread];
    }
    std::printf("%ld\\n", sum);
}
"""
TRANSFORMATIONS = (
    Transformation(
        name="padded-counters",
        family="threads",
        summary="Gives the counter of each thread a cache line of its own, so that threads do not wait for each other.",
        find=_padded,
        example=Example(
            _COUNTERS,
            _COUNTERS.replace("counts[64]", "counts[64][8]")
            .replace("counts[omp_get_thread_num()]", "counts[omp_get_thread_num()][0]")
            .replace("counts[thread]", "counts[thread][0]"),
            setting=Setting(cpus=2, flags=("-fopenmp",)),
        ),
        refusals=(
            "#include <omp.h>\nlong sum(const long *counts);\nlong f() {\n    long counts[64] = {0};\n"
            "    counts[omp_get_thread_num()]++;\n    return sum(counts);\n}\n",
        ),
    ),
)
