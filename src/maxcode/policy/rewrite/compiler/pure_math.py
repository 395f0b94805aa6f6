"""Compiler: functions of the mathematical library without errno."""

from __future__ import annotations

import re
from collections.abc import Iterator

from maxcode.core import Language
from maxcode.policy.rewrite.analysis.support import calls, functions, prelude
from maxcode.policy.rewrite.source import SourceFile
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation

_ARGUMENTS = {"pow": 2, "atan2": 2, "hypot": 2, "fmod": 2} | dict.fromkeys(
    "sqrt exp exp2 log log2 log10 sin cos tan asin acos atan sinh cosh tanh cbrt".split(), 1
)


def _find(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    # gcc takes sqrt for a function that writes memory as long as it may set errno, whatever `optimize` pragmas say.
    called = calls(source, *_ARGUMENTS, *(f"{name}f" for name in _ARGUMENTS))
    names = {source.text(call.children[0]).removeprefix("std::") for call in called}
    if source.language is Language.CPP and re.search(r"\bfloat\b", source.code):
        names |= {f"{name}f" for name in names if name in _ARGUMENTS}
    if not names or "errno" in source.names or "__attribute__((const))" in source.code:
        return
    if names & set(functions(source)) or re.search(rf"#\s*define\s+(?:{'|'.join(names)})\b", source.code):
        return
    lines = [_declaration(source, name) for name in sorted(names)]
    header = "math.h" if source.language is Language.C else "cmath"
    yield Rewrite(source.line(called[0]), (prelude(source, "\n".join(lines), [header]),))


def _declaration(source: SourceFile, name: str) -> str:
    single = name not in _ARGUMENTS
    kind = "float" if single else "double"
    given = ", ".join([kind] * _ARGUMENTS[name.removesuffix("f") if single else name])
    if source.language is Language.C:
        return f"extern {kind} {name}({given}) __attribute__((const));"
    return f'extern "C" {kind} {name}({given}) noexcept __attribute__((const));'


_LENGTHS = """
#include <cmath>
#include <cstdio>

int main() {
    double x[5] = {1, 4, 9, 16, 25}, y[5];
    for (int i = 0; i < 5; i++) {
        y[i] = std::sqrt(x[i]);
    }
    std::printf("%g\\n", y[4]);
}
"""
_ERRORS = """
#include <cerrno>
#include <cmath>

bool has_root(double x) {
    errno = 0;
    return std::sqrt(x) >= 0 && errno == 0;
}
"""
TRANSFORMATIONS = (
    Transformation(
        name="math-without-errno",
        family="compiler",
        summary="Declares sqrt and its like as functions of their arguments alone, so that loops with them vectorise.",
        find=_find,
        example=RewriteExample(
            _LENGTHS,
            _LENGTHS.replace(
                "#include <cstdio>\n",
                '#include <cstdio>\n\nextern "C" double sqrt(double) noexcept __attribute__((const));\n',
            ),
        ),
        answers=("call-in-loop", "control-flow", "pow"),
        prior=1.5,
        refusals=(_ERRORS,),
    ),
)
