"""Compiler: what functions promise about their arguments, and whether calls of them are inlined."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.loops import LOOPS, used
from maxcode.policy.rewrite.analysis.support import arguments, calls, function_name, functions
from maxcode.policy.rewrite.analysis.writing import unit
from maxcode.policy.rewrite.source import Edit, SourceFile, enclosing, field
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation

_INLINE = "static inline __attribute__((always_inline)) "
_MOST_LINES = 15
_CONTAINERS = re.compile(r"\b(?:string|vector|map|set|pair|queue|deque|stack)\b")
_SMALL = 64


def _parameters(source: SourceFile, function: Node) -> list[Node]:
    declarator = next(source.find("function_declarator", within=function), None)
    found = declarator.child_by_field_name("parameters") if declarator is not None else None
    return [each for each in found.named_children if each.type == "parameter_declaration"] if found is not None else []


def _parameter_name(source: SourceFile, parameter: Node) -> str | None:
    declarator = parameter.child_by_field_name("declarator")
    name = next(source.find("identifier", within=declarator), None) if declarator is not None else None
    return source.text(name) if name is not None else None


def _restrict(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    found = {name: edits for name, node in functions(source).items() if (edits := _qualified(source, name, node))}
    if len(found) > 1:
        yield Rewrite(1, tuple(edit for edits in found.values() for edit in edits), "all", 2.0)
    for name, edits in found.items():
        yield Rewrite(source.line(functions(source)[name]), tuple(edits), name)


def _qualified(source: SourceFile, name: str, function: Node) -> list[Edit]:
    """Edits that add `restrict` to the pointer parameters of a function with a loop, where they seem to differ."""
    parameters = _parameters(source, function)
    positions = [i for i, each in enumerate(parameters) if _plain_pointer(source, each)]
    pointers = [parameters[i] for i in positions]
    writes = any("const" not in source.text(each) for each in pointers)
    loops = next(source.find(*LOOPS, within=function), None) is not None
    if name == "main" or len(pointers) < 2 or not writes or not loops:
        return []
    if _called_with_one_array(source, name, positions):
        return []
    word = "restrict" if source.language == "c" else "__restrict"
    stars = [field(each, "declarator").children[0] for each in pointers]
    # A prototype elsewhere may stay as it is: the qualifier is no part of the function's type.
    return [source.after(star, f"{word} ") for star in stars]


def _plain_pointer(source: SourceFile, parameter: Node) -> bool:
    declarator = parameter.child_by_field_name("declarator")
    if declarator is None or declarator.type != "pointer_declarator" or "FILE" in source.text(parameter):
        return False
    return [child.type for child in declarator.children] == ["*", "identifier"]


def _called_with_one_array(source: SourceFile, name: str, positions: list[int]) -> bool:
    """Whether two of the pointers in a call come from the same variable."""
    for call in calls(source, name):
        given = [each for i, each in enumerate(arguments(call)) if i in positions]
        firsts = [next(source.find("identifier", within=each), each) for each in given]
        if len({source.text(each) for each in firsts}) < len(firsts):
            return True
    return False


def _inline(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    for name, node in functions(source).items():
        text = source.text(node)
        if name in ("main", setting.entry) or "\n".join(text.splitlines()[_MOST_LINES:]) or _recursive(source, name):
            continue
        if "inline" in text.split("(")[0] or not _called_in_a_loop(source, name) or node.parent != source.root:
            continue
        if _announced(source, name) or _CONTAINERS.search(text):
            continue
        shown = re.match(r"static\s+", text)
        at = node.start_byte
        yield Rewrite(source.line(node), (Edit(at, at + (len(shown[0]) if shown else 0), _INLINE),), name)


def _announced(source: SourceFile, name: str) -> bool:
    """Whether a prototype says that the function is not static."""
    return any(
        source.text(field(each, "declarator")) == name
        for declaration in source.find("declaration")
        for each in source.find("function_declarator", within=declaration)
    )


def _recursive(source: SourceFile, name: str) -> bool:
    """Whether a function can come back to itself through functions of this file."""
    known = functions(source)
    seen: set[str] = set()
    waiting = [name]
    while waiting:
        for other in used(source, known[waiting.pop()]) & set(known):
            if other == name and len(re.findall(rf"\b{name}\b", source.text(known[name]))) > 1:
                return True
            if other not in seen and other != name:
                seen.add(other)
                waiting.append(other)
    return any(name in used(source, known[other]) for other in seen)


def _called_in_a_loop(source: SourceFile, name: str) -> bool:
    return any(enclosing(call, *LOOPS) is not None for call in calls(source, name))


def _specialise(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    function = functions(source).get(setting.entry or "")
    if function is None or setting.entry is None or "always_inline" in source.code or _recursive(source, setting.entry):
        return
    names = [_parameter_name(source, each) for each in _parameters(source, function)]
    shapes = [[(name, int(value)) for name, value in shape if name in names and value == int(value)]
              for shape in setting.sizes]  # fmt: skip
    shape = shapes[0] if shapes else []
    small = [(name, value) for name, value in shape if value <= _SMALL]
    for fixed in dict.fromkeys(tuple(each) for each in (small, shape) if each):
        options = ",".join(f"{name}={value}" for name, value in fixed)
        yield Rewrite(source.line(function), _split(source, function, dict(fixed)), options, 2.0 if small else 0.5)


def _split(source: SourceFile, function: Node, fixed: dict[str, int]) -> tuple[Edit, ...]:
    """The function under another name, inlined twice into one that keeps the old name: with constants and without."""
    declarator = next(source.find("function_declarator", within=function))
    old = function_name(source, function) or ""
    general = source.fresh(f"{old}_of_any_size")
    head = source.data[function.start_byte : field(function, "body").start_byte].decode().rstrip()
    given = [_parameter_name(source, each) or "" for each in _parameters(source, function)]
    test = " && ".join(f"{name} == {value}" for name, value in fixed.items())
    known = ", ".join(str(fixed.get(name, name)) for name in given)
    step = unit(source)
    leave = "" if head.startswith("void") else "return "
    wrapper = "\n".join((
        f"{head} {{",
        f"{step}if ({test}) {{",
        f"{step}{step}{leave}{general}({known});",
        f"{step}}} else {{",
        f"{step}{step}{leave}{general}({', '.join(given)});",
        f"{step}}}",
        "}",
    ))  # fmt: skip
    prefix = re.match(r'(?:extern\s+"C"\s+)?(?:static\s+)?', source.text(function))
    begin, end = function.start_byte, function.start_byte + (prefix.end() if prefix else 0)
    return (
        Edit(begin, end, _INLINE),
        source.replace(field(declarator, "declarator"), general),
        source.after(function, f"\n\n{wrapper}"),
    )


_ADD = """
void add(int n, const double *from, double *to) {
    for (int i = 0; i < n; i++) {
        to[i] += from[i];
    }
}
"""
_SHIFT = """
void move_up(int n, const double *from, double *to) {
    for (int i = 0; i < n; i++) {
        to[i] = from[i];
    }
}

void shift(int n, double *values) {
    move_up(n - 1, values + 1, values);
}
"""
_SQUARES = """
#include <cstdio>

int square(int x) {
    return x * x;
}

int main() {
    int sum = 0;
    for (int i = 0; i < 10; i++) {
        sum += square(i);
    }
    std::printf("%d\\n", sum);
}
"""
_FACTORIAL = """
#include <cstdio>

int factorial(int n) {
    return n < 2 ? 1 : n * factorial(n - 1);
}

int main() {
    for (int i = 0; i < 5; i++) {
        std::printf("%d\\n", factorial(i));
    }
}
"""
_BLUR = """
void blur(int n, int size, const double *from, double *to) {
    for (int i = 0; i < n; i++) {
        to[i] = 0.0;
        for (int k = 0; k < size; k++) {
            to[i] += from[i + k] / size;
        }
    }
}
"""
TRANSFORMATIONS = (
    Transformation(
        name="restrict",
        family="compiler",
        summary="Promises that the arrays a function gets do not overlap, so that loops over them can be vectorised.",
        find=_restrict,
        example=RewriteExample(_ADD, _ADD.replace("*from", "*__restrict from").replace("*to", "*__restrict to")),
        answers=("aliasing",),
        prior=1.5,
        refusals=(_SHIFT,),
    ),
    Transformation(
        name="always-inline",
        family="compiler",
        summary="Has calls of a short function in a loop inlined.",
        find=_inline,
        example=RewriteExample(_SQUARES, _SQUARES.replace("int square", f"{_INLINE}int square")),
        answers=("call-in-loop",),
        prior=0.3,
        refusals=(_FACTORIAL,),
    ),
    Transformation(
        name="known-size",
        family="compiler",
        summary="Compiles a kernel a second time for sizes it is called with, as constants.",
        find=_specialise,
        example=RewriteExample(
            _BLUR,
            _BLUR.replace("void blur", f"{_INLINE}void blur_of_any_size")
            + """
void blur(int n, int size, const double *from, double *to) {
    if (size == 9) {
        blur_of_any_size(n, 9, from, to);
    } else {
        blur_of_any_size(n, size, from, to);
    }
}
""",
            setting=Setting(entry="blur", sizes=((("n", 100000), ("size", 9)),)),
        ),
        prior=1.0,
        refusals=(_ADD,),
    ),
)
