"""Torch: products of float32 matrices on units for half precision, no less exact."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from maxcode.policy.rewrite.source import SourceFile
from maxcode.policy.rewrite.torch.examples import ON_CUDA, computed, model
from maxcode.policy.rewrite.torch.matching import Matcher
from maxcode.policy.rewrite.torch.operations import linear_call, operation
from maxcode.policy.rewrite.torch.program import program
from maxcode.policy.rewrite.torch.rules import places, written
from maxcode.policy.rewrite.torch.shapes import KnownShapes
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, Setting, Transformation

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
ROWS = "torch.mm(rows.flatten(0, -2), columns{}, out_dtype=torch.float32).unflatten(0, a.shape[:-1])"


@dataclass(frozen=True)
class _Form:
    """Text of a helper for products of one form."""

    product: str
    axis: int = -2
    """Axis along which the parts of b stand."""
    transposed: str = ""


@dataclass(frozen=True)
class _Product:
    """A product and what is added to it. The second factor and what is added are texts."""

    form: _Form
    a: ast.expr
    b: str
    bias: str | None = None


MATRICES = _Form("torch.mm(rows, columns, out_dtype=torch.float32)")
BATCHES = _Form("torch.bmm(rows, columns, out_dtype=torch.float32)")
LINEAR = _Form(ROWS.format(".t()"), -1, " (the second one transposed)")
FORMS = {
    ("matmul", 2, 2): MATRICES,
    ("mm", 2, 2): MATRICES,
    ("matmul", 3, 3): BATCHES,
    ("bmm", 3, 3): BATCHES,
    ("matmul", 3, 2): _Form(ROWS.format("")),
    ("matmul", 4, 2): _Form(ROWS.format("")),
}


def _split(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    whole = program(source, setting)
    if whole is None or setting.torch is None or setting.torch.device != "cuda":
        return
    for matcher, shapes, root in places(whole, setting):
        found = _product(matcher, shapes, root.node)
        if found is None or not _is_large(shapes, root.node, found.a):
            continue
        for option, terms in TERMS.items():
            name = source.fresh("split_product")
            text = _helper(name, found.form, terms)
            known = _known(source.code, text, name)
            call = f"{known or name}({written(whole, found.a, False)}, {found.b})"
            edit = whole.replace(root.node, f"({call} + {found.bias})" if found.bias else call)
            yield whole.rewrite(root.node.lineno, (edit,) if known else (edit, whole.in_front(text)), option)


def _helper(name: str, form: _Form, terms: Sequence[tuple[int, int]]) -> str:
    counts = range(max(map(max, terms)) + 1)
    return HELPER.format(
        name=name,
        transposed=form.transposed,
        parts="\n".join(f"    {each}{i} = {_rest(each, i)}.bfloat16()" for i in counts for each in "ab"),
        rows=", ".join(f"a{i}" for i, _ in terms),
        columns=", ".join(f"b{j}" for _, j in terms),
        axis=form.axis,
        product=form.product,
    )


def _rest(factor: str, parts: int) -> str:
    """What the first parts of a factor leave of it."""
    words = [factor, *(f"{factor}{i}" for i in range(parts))]
    return f"({' - '.join(words)})" if parts else factor


def _product(matcher: Matcher, shapes: KnownShapes, node: ast.expr) -> _Product | None:
    linear = linear_call(node, matcher.flow.modules)
    if linear is not None:
        return _Product(LINEAR, linear.given, linear.weight, linear.bias)
    found = operation(node, matcher.flow.modules)
    if found is None or found.name not in ("matmul", "mm", "bmm") or found.args[0] is None or found.args[1] is None:
        return None
    a, b = found.args[0], found.args[1]
    form = FORMS.get((found.name, shapes.rank(a) or 0, shapes.rank(b) or 0))
    if form is None or (form is BATCHES and _batch(shapes, a) != _batch(shapes, b)):
        return None
    return _Product(form, a, ast.unparse(b))


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

TRANSFORMATIONS = (
    Transformation(
        name="split-precision",
        family="torch",
        summary="Multiplies float32 matrices as bfloat16 parts that add up to them, on a GPU's matrix units.",
        find=_split,
        example=computed(BEFORE, _split, ON_CUDA),
        languages=PYTHON,
        answers=("compute-bound",),
        prior=3.0,
        refusals=(model("return x @ y", args="x, y", inputs="torch.randn(4, 8), torch.randn(8, 4)"),),
    ),
)
