"""Memory: operands laid out in the order in which the inner loop reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from maxcode.core import Language
from maxcode.policy.rewrite.analysis.loops import Access, Loop, accesses, as_loop, loops, written
from maxcode.policy.rewrite.analysis.variables import arguments, factor, resolved
from maxcode.policy.rewrite.source import Edit, SourceFile, ancestors, inside
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation

_NUMBER = re.compile(r"(?:unsigned |signed )?(?:int|long long|long|short|char|double|float|size_t|u?int\d+_t)")


@dataclass(frozen=True)
class Strided:
    """An operand that a nest reads down its columns, and the loops that walk its rows and columns."""

    nest: list[Loop]
    """Loops of the nest, outermost first."""
    array: str
    element: str
    down: Loop
    across: Loop
    reads: list[Access]

    @property
    def read(self) -> Access:
        return self.reads[0]


def _nest(source: SourceFile, loop: Loop) -> list[Loop]:
    """A loop with the counting loops around it, outermost first, as long as nothing else stands in between."""
    around = [loop]
    for node in ancestors(loop.node):
        if node.type == "for_statement":
            above = as_loop(source, node)
            if above is None:
                break
            around.insert(0, above)
        elif node.type not in ("compound_statement", "if_statement"):
            break
    return around


def _strided(source: SourceFile) -> Iterator[Strided]:
    for inner in loops(source):
        nest = _nest(source, inner) if inner.innermost else []
        if len(nest) < 3 or any(not each.rises_by_one or each.type is None for each in nest):
            continue
        changed = {access.array for access in accesses(source, nest[0].node) if access.writes}
        changed |= written(source, nest[0].node)
        read = [access for access in accesses(source, inner.body) if not access.writes and access.array not in changed]
        for array in dict.fromkeys(access.array for access in read):
            found = _columns_of(source, nest, [access for access in read if access.array == array])
            if found is not None:
                yield found


def _columns_of(source: SourceFile, nest: list[Loop], reads: list[Access]) -> Strided | None:
    """Reads of one element, `b[k * n + j]` or `b[k][j]`, with k the innermost loop's and j another's."""
    if len({access.indices for access in reads}) != 1:
        return None
    everywhere = [a for a in accesses(source, nest[0].node) if a.array == reads[0].array]
    down, element = nest[-1], _element(source, reads[0].array, len(reads[0].indices))
    across = _column(reads[0], down, nest[:-1])
    if across is None or element is None or len(everywhere) != len(reads):
        return None
    variables = {each.variable for each in nest}
    for loop in (down, across):
        bounds = set(re.findall(r"[A-Za-z_]\w*", f"{loop.start} {loop.end}"))
        if loop.start != "0" or bounds & variables or "(" in loop.end:
            return None
    return Strided(nest, reads[0].array, element, down, across, reads)


def _column(access: Access, down: Loop, outer: list[Loop]) -> Loop | None:
    """The loop whose variable goes along the row, where the innermost goes from row to row."""
    if len(access.indices) == 2:
        row, column = (index.strip() for index in access.indices)
        return next((loop for loop in outer if row == down.variable and column == loop.variable), None)
    plain = re.sub(
        r"\((?:size_t|std::size_t|long|long long|ptrdiff_t)\)\s*|static_cast<[\w: ]+>", "", access.indices[0]
    )
    match = re.fullmatch(r"\(?(\w+)\)?\s*\*\s*\(?(\w+)\)?\s*\+\s*\(?(\w+)\)?", plain)
    if not match or down.variable not in match.groups()[:2] or match[1] == match[2]:
        return None
    return next((loop for loop in outer if loop.variable == match[3]), None)


def _element(source: SourceFile, array: str, dimensions: int) -> str | None:
    """The type of an array's elements, where it is a plain number."""
    kinds = set()
    for node in source.find("declaration", "parameter_declaration"):
        kind = node.child_by_field_name("type")
        for declarator in node.children_by_field_name("declarator"):
            names = [source.text(each) for each in source.find("identifier", within=declarator)]
            if kind is None or names[:1] != [array]:
                continue
            plain = resolved(source, source.text(kind))
            for _ in range(dimensions):
                inner = arguments(plain, "vector")
                plain = inner[0] if inner else plain
            kinds.add(plain)
    return kinds.pop() if len(kinds) == 1 and all(_NUMBER.fullmatch(kind) for kind in kinds) else None


def _count(loop: Loop) -> str:
    return factor(loop.end) if loop.comparison == "<" else f"({loop.end} + 1)"


def _transpose(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for found in _strided(source):
        outer = found.nest[0].node
        block = outer.parent is not None and outer.parent.type == "compound_statement"
        if (
            block
            and not any(loop.jumps for loop in found.nest[:1])
            and "#pragma" not in _above(source, outer.start_byte)
        ):
            yield Rewrite(found.nest[-1].line, tuple(_transposed(source, found)))


def _above(source: SourceFile, at: int) -> str:
    """The line before the one at an offset."""
    return (source.data[:at].decode(errors="replace").split("\n") or [""])[-2:][0]


def _transposed(source: SourceFile, found: Strided) -> Iterator[Edit]:
    name = source.fresh(f"{found.array}_transposed")
    outer, down, across = found.nest[0], found.down, found.across
    indent = outer.indent
    step = "\t" if "\t" in indent else "    "
    size = f"{_count(down)} * {_count(across)}"
    wide = "(size_t)" if source.language is Language.C else ""
    place = f"{name}[{wide}{across.variable} * {_count(down)} + {down.variable}]"
    if source.language is Language.C:
        made = f"{found.element} *{name} = malloc((size_t){size} * sizeof({found.element}));"
        yield source.after(outer.node, f"\n{indent}free({name});")
        yield from source.including("stdlib.h")
    else:
        made = f"{source.std}vector<{found.element}> {name}({size});"
        yield from source.including("vector")
    lines = [
        made,
        f"{across.header} {{",
        f"{step}{down.header} {{",
        f"{step * 2}{place} = {source.text(found.read.node)};",
        f"{step}}}",
        "}",
    ]
    yield source.before(outer.node, "".join(f"{line}\n{indent}" for line in lines))
    for access in found.reads:
        if inside(access.node, outer.node):
            yield source.replace(access.node, place)


TRANSFORMATIONS = (
    Transformation(
        name="transposed-copy",
        family="memory",
        summary="Reads rows of a transposed copy where the innermost loop went down the columns of an operand.",
        find=_transpose,
        example=RewriteExample(
            before="""
#include <iostream>
void multiply(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) {
                sum += a[i * n + k] * b[k * n + j];
            }
            c[i * n + j] = sum;
        }
    }
}
int main() {
    double a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8}, c[4];
    multiply(2, a, b, c);
    std::cout << c[0] << " " << c[1] << " " << c[2] << " " << c[3];
}
""",
            after="""
#include <vector>
#include <iostream>
void multiply(int n, const double *a, const double *b, double *c) {
    std::vector<double> b_transposed(n * n);
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < n; k++) {
            b_transposed[j * n + k] = b[k * n + j];
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) {
                sum += a[i * n + k] * b_transposed[j * n + k];
            }
            c[i * n + j] = sum;
        }
    }
}
int main() {
    double a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8}, c[4];
    multiply(2, a, b, c);
    std::cout << c[0] << " " << c[1] << " " << c[2] << " " << c[3];
}
""",
        ),
        answers=("strided-access", "cache-misses"),
        refusals=(
            "void f(int n, double *b) {\n    for (int i = 0; i < n; i++) {\n        for (int j = 0; j < n; j++) {\n"
            "            for (int k = 1; k < n; k++) {\n                b[k * n + j] += b[(k - 1) * n + j];\n"
            "            }\n        }\n    }\n}\n",
            "double f(int n, const double *b) {\n    double s = 0;\n    for (int j = 0; j < n; j++) {\n"
            "        for (int k = 0; k < n; k++) {\n            s += b[k * n + j];\n        }\n    }\n"
            "    return s;\n}\n",
        ),
    ),
)
