"""Loops: ended as soon as the answer is known."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.conditions import condition_of
from maxcode.policy.rewrite.analysis.effects import effects, type_of
from maxcode.policy.rewrite.analysis.loops import Loop, loops, statements, used, written
from maxcode.policy.rewrite.analysis.writing import placed, unit
from maxcode.policy.rewrite.source import Source
from maxcode.policy.rewrite.transformation import Example, Rewrite, Setting, Transformation

_CONSTANT = r"(?:true|false|-?\d+|'.'|\"[^\"]*\")"


def _breaks(source: Source, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for loop in loops(source):
        flagging = _flagging(loop) if loop.type is not None else None
        branch = flagging.child_by_field_name("consequence") if flagging is not None else None
        if flagging is None or branch is None:
            continue
        lines = [*(source.text(node) for node in statements(branch)), "break;"]
        text = placed(["{", *(unit(source) + line for line in lines), "}"], source.indent(flagging))
        yield Rewrite(loop.line, (source.replace(branch, text),))


def _flagging(loop: Loop) -> Node | None:
    """The `if` that is all a body does, apart from declarations, and that only ever sets variables to constants."""
    *first, last = loop.statements or [loop.body]
    branch, condition = last.child_by_field_name("consequence"), condition_of(last)
    if branch is None or condition is None or last.child_by_field_name("alternative") is not None or loop.jumps:
        return None
    if any(node.type != "declaration" or acts(loop.source, node) for node in first) or acts(loop.source, condition):
        return None
    flags = [re.fullmatch(rf"(\w+)\s*=\s*{_CONSTANT};", loop.source.text(node)) for node in statements(branch)]
    names = {flag[1] for flag in flags if flag}
    decides = names & (used(loop.source, condition) | {loop.variable})
    return last if flags and all(flags) and not decides else None


def acts(source: Source, node: Node) -> bool:
    """Whether something happens besides a value being computed."""
    found = effects(source, node)
    return found.opaque or found.streams or bool(found.scalars) or any(touch.writes for touch in found.touches)


def _square_roots(source: Source, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for loop in loops(source):
        number = _tried(loop)
        condition = loop.node.child_by_field_name("condition")
        if number is None or condition is None or re.fullmatch(r"[\w ]*", loop.type or "int") is None:
            continue
        yield Rewrite(loop.line, (source.replace(condition, f"{loop.variable} <= {number} / {loop.variable}"),))


def _tried(loop: Loop) -> str | None:
    """The number whose divisors a loop looks for, where one below the square root answers as well as any."""
    source = loop.source
    last = loop.statements[0] if len(loop.statements) == 1 else None
    condition = condition_of(last) if last is not None and last.type == "if_statement" else None
    if last is None or condition is None or last.child_by_field_name("alternative") is not None:
        return None
    divides = re.fullmatch(
        rf"(\w+) ?% ?{loop.variable} ?== ?0|! ?\((\w+) ?% ?{loop.variable}\)", source.text(condition)
    )
    number = (divides[1] or divides[2]) if divides else None
    until = {f"<{number}", f"<={number}/2", f"<{number}/2", f"<={number}-1"}
    if loop.start not in ("2", "3") or re.sub(r"\s+", "", loop.comparison + loop.end) not in until:
        return None
    if number is None or number in written(source, loop.body) or type_of(source, number, loop.node) is None:
        return None
    return number if loop.type is not None and _answers(source, last) else None


def _answers(source: Source, node: Node) -> bool:
    """Whether a branch sets constants and leaves, so that the divisor itself does not matter."""
    branch = node.child_by_field_name("consequence")
    texts = [source.text(each) for each in statements(branch)] if branch is not None else []
    plain = all(re.fullmatch(rf"(?:return\s*{_CONSTANT}|\w+\s*=\s*{_CONSTANT}|break|return);", text) for text in texts)
    return bool(texts) and plain


TRANSFORMATIONS = (
    Transformation(
        name="early-exit",
        family="loops",
        summary="Leaves a search as soon as it has found something.",
        find=_breaks,
        example=Example(
            before="""
#include <cstdio>
int main() {
    int values[] = {4, 8, 15, 16, 23, 42};
    bool found = false;
    for (int i = 0; i < 6; i++) {
        if (values[i] % 3 == 0) {
            found = true;
        }
    }
    std::printf("%d\\n", found);
}
""",
            after="""
#include <cstdio>
int main() {
    int values[] = {4, 8, 15, 16, 23, 42};
    bool found = false;
    for (int i = 0; i < 6; i++) {
        if (values[i] % 3 == 0) {
            found = true;
            break;
        }
    }
    std::printf("%d\\n", found);
}
""",
        ),
        answers=("control-flow",),
        prior=2.0,
        refusals=(
            """
int last(const int *values, int n) {
    int found = -1;
    for (int i = 0; i < n; i++) {
        if (values[i] > 0) found = i;
    }
    return found;
}
""",
        ),
    ),
    Transformation(
        name="divisors-to-square-root",
        family="loops",
        summary="Looks for a divisor up to the square root: one above it has a partner below.",
        find=_square_roots,
        example=Example(
            before="""
#include <cstdio>
bool prime(int n) {
    if (n < 2) return false;
    for (int i = 2; i < n; i++) {
        if (n % i == 0) return false;
    }
    return true;
}
int main() {
    for (int i = 0; i < 100; i++) {
        if (prime(i)) std::printf("%d ", i);
    }
}
""",
            after="""
#include <cstdio>
bool prime(int n) {
    if (n < 2) return false;
    for (int i = 2; i <= n / i; i++) {
        if (n % i == 0) return false;
    }
    return true;
}
int main() {
    for (int i = 0; i < 100; i++) {
        if (prime(i)) std::printf("%d ", i);
    }
}
""",
        ),
        prior=2.0,
        refusals=(
            """
int sum(int n) {
    int total = 0;
    for (int i = 2; i < n; i++) {
        if (n % i == 0) total += i;
    }
    return total;
}
""",
        ),
    ),
)
