"""Compiler: pragmas at the top of the file, which say what the compiler may assume and use.

They stand before the first #include: inline functions of the headers, such as std::fabs, are otherwise compiled with
other options than the loops that call them, and are then not inlined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation

_SPECIAL_VALUES = re.compile(r"\b(?:isnan|isinf|isfinite|nan|NAN|INFINITY|HUGE_VAL\w*|infinity|quiet_NaN|fpclassify)\b")
_NO_SPECIAL_VALUES = "fast-math"
_ORDER_ONLY = "associative-math,no-signed-zeros,no-trapping-math,no-math-errno"
_AVX2 = "avx2,fma,bmi,bmi2,lzcnt,popcnt"
_AVX512 = f"avx512f,avx512bw,avx512dq,avx512vl,{_AVX2}"
_KERNEL_NAMES = {"lzcnt": "abm", "bmi": "bmi1"}
"""Processor features by the compiler's name, with the name in /proc/cpuinfo where that differs."""


def _on_top(source: SourceFile, pragma: str) -> tuple[Edit, ...]:
    at = source.after_comments()
    following = source.data[at : at + 8]
    gap = "" if following.startswith(b"#pragma") else "\n"
    return (Edit(at, at, f"#pragma GCC {pragma}\n{gap}"),)


def _pragmas(source: SourceFile, kind: str) -> str:
    """What the program's own pragmas of a kind say, one after the other."""
    return " ".join(re.findall(rf"^[ \t]*#[ \t]*pragma[ \t]+GCC[ \t]+{kind}[ \t]*(.*)$", source.code, re.MULTILINE))


def _math(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    asked = _pragmas(source, "optimize") + " ".join(setting.flags)
    if not setting.relaxed_floats or not re.search(r"\b(?:float|double)\b", source.code) or "math" in asked:
        return
    if "Ofast" in asked:
        return
    ways = [(_ORDER_ONLY, 1.0)]
    if not _SPECIAL_VALUES.search(source.code):
        ways = [(_NO_SPECIAL_VALUES, 3.0), (f"{_NO_SPECIAL_VALUES},unroll-loops", 1.0), *ways]
    for options, weight in ways:
        yield Rewrite(1, _on_top(source, f'optimize("{options}")'), options, weight)


def _optimize(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    asked = _pragmas(source, "optimize") + " ".join(setting.flags)
    if "unroll-loops" in asked or not re.search(r"\b(?:for|while)\b", source.code):
        return
    options = "unroll-loops" if re.search(r"-?O(?:3|fast)", asked) else "O3,unroll-loops"
    yield Rewrite(1, _on_top(source, f'optimize("{options}")'), options)


@cache
def _features() -> frozenset[str]:
    """What this machine's processor can do, as the kernel names it."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return frozenset()
    found = re.search(r"^flags\s*:\s*(.*)$", text, re.MULTILINE)
    return frozenset(found[1].split()) if found else frozenset()


def _can(features: str) -> bool:
    return all(_KERNEL_NAMES.get(each, each) in _features() for each in features.split(","))


def _target(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    if any(flag.startswith(("-march=", "-mavx")) for flag in setting.flags) or "avx" in _pragmas(source, "target"):
        return
    if not re.search(r"\b(?:for|while)\b", source.code):
        return
    for name, features, weight in (("avx2", _AVX2, 2.0), ("avx512", _AVX512, 1.0)):
        if _can(features):
            yield Rewrite(1, _on_top(source, f'target("{features}")'), name, weight)


def _width(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    asked = _pragmas(source, "target")
    wide = "-march=native" in setting.flags or "avx512" in asked
    if not wide or "prefer-vector-width" in asked or not _can("avx512f") or not re.search(r"\bfor\b", source.code):
        return
    for bits in (256, 512):
        yield Rewrite(1, _on_top(source, f'target("prefer-vector-width={bits}")'), f"bits={bits}")


_SUM = """
#include <cstdio>

int main() {
    double sum = 0.0;
    for (int i = 1; i <= 1000; i++) {
        sum += i * 0.5;
    }
    std::printf("%g\\n", sum);
}
"""
_INTEGERS = """
#include <cstdio>

int main() {
    std::printf("%d\\n", 1);
}
"""
_CONFIGURED = """
#pragma GCC optimize("fast-math,unroll-loops")
#pragma GCC target("avx2,prefer-vector-width=256")
#include <cstdio>
""" + _SUM.replace("#include <cstdio>\n", "")


def _with(pragma: str) -> str:
    return "\n" + f"#pragma GCC {pragma}\n" + _SUM


TRANSFORMATIONS = (
    Transformation(
        name="fast-math",
        family="compiler",
        summary="Lets the compiler reorder floating-point sums, so that it can use vectors for them.",
        find=_math,
        example=RewriteExample(_SUM, _with('optimize("fast-math")'), setting=Setting(relaxed_floats=True)),
        answers=("reduction",),
        prior=2.5,
        refusals=(_INTEGERS, _CONFIGURED),
    ),
    Transformation(
        name="optimize-pragma",
        family="compiler",
        summary="Asks the compiler to unroll loops, and for -O3 where the task's flags ask for less.",
        find=_optimize,
        example=RewriteExample(_SUM, _with('optimize("O3,unroll-loops")')),
        prior=0.5,
        refusals=(_INTEGERS, _CONFIGURED),
    ),
    Transformation(
        name="target-pragma",
        family="compiler",
        summary="Allows the vector instructions of this machine's processor where the task's flags do not.",
        find=_target,
        example=RewriteExample(_SUM, _with(f'target("{_AVX2}")')),
        answers=("reduction", "control-flow"),
        prior=1.0,
        refusals=(_INTEGERS, _CONFIGURED),
    ),
    Transformation(
        name="vector-width",
        family="compiler",
        summary="Prefers narrower or wider vectors: wide ones are not always faster.",
        find=_width,
        example=RewriteExample(
            _SUM, _with('target("prefer-vector-width=256")'), setting=Setting(flags=("-O3", "-march=native"))
        ),
        prior=0.3,
        refusals=(_INTEGERS, _CONFIGURED),
    ),
)
