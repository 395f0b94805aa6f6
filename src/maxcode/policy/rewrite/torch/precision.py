"""Torch: products of float32 matrices on units for half precision, no less exact."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from maxcode.core import Language
from maxcode.policy.rewrite.source import SourceFile, apply
from maxcode.policy.rewrite.torch.examples import ON_CUDA, model
from maxcode.policy.rewrite.torch.matching import Matcher
from maxcode.policy.rewrite.torch.operations import linear_call, operation
from maxcode.policy.rewrite.torch.program import program
from maxcode.policy.rewrite.torch.rules import places, written
from maxcode.policy.rewrite.torch.shapes import KnownShapes
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation

LEAST = 256
"""Least rows, columns and terms of a product: smaller ones wait for memory, and splitting is more of that."""
HELPER = '''\
def {name}(a, b):
    """The product of float32 matrices{transposed}, as bfloat16 parts that add up to them; sums are float32."""
{parts}
    rows = torch.cat(({rows}), -1)
    columns = torch.cat(({columns}), {axis})
    return {product}
'''
TERMS = {"parts=2": ((0, 0), (0, 1), (1, 0)), "parts=3": ((0, 0), (0, 1), (1, 0), (1, 1), (0, 2), (2, 0))}
"""Products of parts that are summed up. Two parts leave out less than one part in 2^17 of a term; three are as exact as
float32."""
MATRICES = ("", "-2", "torch.mm(rows, columns, out_dtype=torch.float32)")
BATCHES = ("", "-2", "torch.bmm(rows, columns, out_dtype=torch.float32)")
ROWS = "torch.mm(rows.flatten(0, -2), columns{}, out_dtype=torch.float32).unflatten(0, a.shape[:-1])"
FORMS = {
    ("matmul", 2, 2): MATRICES,
    ("mm", 2, 2): MATRICES,
    ("matmul", 3, 3): BATCHES,
    ("bmm", 3, 3): BATCHES,
    ("matmul", 3, 2): ("", "-2", ROWS.format("")),
    ("matmul", 4, 2): ("", "-2", ROWS.format("")),
}
LINEAR = (" (the second one transposed)", "-1", ROWS.format(".t()"))
"""What a helper says, the axis along which it puts the parts of b, and its product."""


def _split(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    whole = program(source, setting)
    if whole is None or setting.torch is None or setting.torch.device != "cuda":
        return
    for matcher, shapes, root in places(whole, setting):
        found = _form(matcher, shapes, root.node)
        if found is None or not _is_large(shapes, root.node, found[1]):
            continue
        (transposed, axis, product), a, b, bias = found
        for option, terms in TERMS.items():
            name = source.fresh("split_product")
            text = _helper(name, transposed, axis, product, terms)
            known = _known(source.code, text, name)
            call = f"{known or name}({written(whole, a, False)}, {b})" + (f" + {bias}" if bias else "")
            edits = (
                whole.replace(root.node, f"({call})" if bias else call),
                *([] if known else [whole.in_front(text)]),
            )
            yield whole.rewrite(root.node.lineno, edits, option)


def _helper(name: str, transposed: str, axis: str, product: str, terms: Sequence[tuple[int, int]]) -> str:
    parts = [
        f"    {each}{i} = ({' - '.join([each, *(f'{each}{j}' for j in range(i))])}).bfloat16()"
        for i in range(max(map(max, terms)) + 1)
        for each in "ab"
    ]
    rows, columns = [", ".join(f"{each}{pair['ab'.index(each)]}" for pair in terms) for each in "ab"]
    given = {"name": name, "transposed": transposed, "axis": axis, "product": product}
    return (
        HELPER.format(parts="\n".join(parts), rows=rows, columns=columns, **given)
        .replace("(a).", "a.")
        .replace("(b).", "b.")
    )


def _form(
    matcher: Matcher, shapes: KnownShapes, node: ast.expr
) -> tuple[tuple[str, str, str], ast.expr, str, str | None] | None:
    """The helper's form, the factors, and what is added."""
    linear = linear_call(node, matcher.flow.modules)
    if linear is not None:
        return LINEAR, linear.given, linear.weight, linear.bias
    found = operation(node, matcher.flow.modules)
    if found is None or found.name not in ("matmul", "mm", "bmm") or found.args[0] is None or found.args[1] is None:
        return None
    ranks = [shapes.rank(each) or 0 for each in found.args[:2] if each is not None]
    form = FORMS.get((found.name, ranks[0], ranks[1]))
    same = ranks[0] != 3 or ranks[1] != 3 or _batch(shapes, found.args[0]) == _batch(shapes, found.args[1])
    return (form, found.args[0], ast.unparse(found.args[1]), None) if form and same else None


def _batch(shapes: KnownShapes, node: ast.expr) -> int | None:
    tensor = shapes.tensor(node)
    return tensor.shape[0] if tensor else None


def _is_large(shapes: KnownShapes, product: ast.expr, given: ast.expr) -> bool:
    """Whether a product of floats has enough rows, columns and terms for its arithmetic to be what takes the time."""
    result, factor = shapes.tensor(product), shapes.tensor(given)
    if result is None or factor is None or result.kind != "float" or factor.kind != "float" or len(result.shape) < 2:
        return False
    return min(*result.shape[-2:], factor.shape[-1]) >= LEAST


def _known(code: str, text: str, name: str) -> str | None:
    """Name of the same helper where the program has it already."""
    body = text.removeprefix(f"def {name}")
    head = code.partition(body)[0].rpartition("def ")[2] if body in code else ""
    return head if head.isidentifier() else None


BEFORE = model("return torch.relu(x @ y)", args="x, y", inputs="torch.rand(256, 256), torch.rand(256, 256)")


def _after() -> str:
    source = SourceFile(BEFORE, Language.PYTHON)
    return apply(source, next(_split(source, ON_CUDA)).edits).code


TRANSFORMATIONS = (
    Transformation(
        name="split-precision",
        family="torch",
        summary="Multiplies float32 matrices as bfloat16 parts that add up to them, on a GPU's matrix units.",
        find=_split,
        example=RewriteExample(before=BEFORE, after=_after(), setting=ON_CUDA),
        languages=PYTHON,
        answers=("compute-bound",),
        prior=3.0,
        refusals=(model("return x @ y", args="x, y", inputs="torch.randn(4, 8), torch.randn(8, 4)"),),
    ),
)
