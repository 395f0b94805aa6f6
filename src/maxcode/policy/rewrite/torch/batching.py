"""Torch: loops over the items of a batch, done for all items at once."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.torch.examples import example, model
from maxcode.policy.rewrite.torch.flow import assigned
from maxcode.policy.rewrite.torch.operations import ELEMENTWISE, constant, modules_of, operation
from maxcode.policy.rewrite.torch.program import TorchSource, program
from maxcode.policy.rewrite.torch.shapes import shapes_of
from maxcode.policy.rewrite.torch.tensors import Tensor
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, Setting, Transformation

BATCHED = ELEMENTWISE - {"where", "masked_fill"}


@dataclass(frozen=True, eq=False)
class Turn:
    """What a loop does for one item."""

    whole: TorchSource
    index: str
    count: ast.expr
    value: ast.expr
    names: dict[str, object]
    """What is known of names before the loop."""


def _at_once(turn: Turn) -> str | None:
    """Expression for all items at once; None where the loop computes something else."""
    if _rank(turn, turn.value) is None:
        return None
    edits, indexed = [], set()
    for node in ast.walk(turn.value):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name) and node.slice.id == turn.index:
            edits.append(node)
            indexed.add(turn.whole.text(node.value))
    if not edits or not _counts(turn, indexed):
        return None
    text, start = turn.whole.text(turn.value), turn.whole.start(turn.value)
    for node in sorted(edits, key=lambda each: -turn.whole.start(each)):
        begin, end = turn.whole.start(node) - start, turn.whole.end(node) - start
        text = text.encode()[:begin].decode() + turn.whole.text(node.value) + text.encode()[end:].decode()
    return text


def _counts(turn: Turn, indexed: set[str]) -> bool:
    """Whether the loop goes over all items of what it indexes."""
    sizes = {value.shape[0] for name in indexed if isinstance(value := turn.names.get(name), Tensor) and value.shape}
    written = ast.unparse(turn.count)
    named = {form for name in indexed for form in (f"{name}.shape[0]", f"{name}.size(0)", f"len({name})")}
    known = constant(turn.count) if not isinstance(turn.count, ast.Name) else turn.names.get(turn.count.id)
    return len(sizes) == 1 and (written in named or known in sizes)


def _rank(turn: Turn, node: ast.expr) -> int | None:
    """The dimensions of the value for one item, where it can be had for all at once; 0 for numbers."""
    if constant(node) is not None:
        return 0
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name) and node.slice.id == turn.index:
        known = turn.names.get(node.value.id) if isinstance(node.value, ast.Name) else None
        return len(known.shape) - 1 if isinstance(known, Tensor) and len(known.shape) > 1 else None
    found = operation(node, modules_of(turn.whole.model))
    if found is None or any(isinstance(each, ast.Name) and each.id == turn.index for each in found.args):
        return None
    ranks = [_rank(turn, each) for each in found.args if each is not None]
    if None in ranks:
        return None
    if found.name == "matmul":
        return 2 if ranks == [2, 2] else None
    tensors = {rank for rank in ranks if rank}
    return tensors.pop() if found.name in BATCHED and len(tensors) == 1 else None


def _range(node: ast.expr) -> ast.expr | None:
    is_range = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"
    return node.args[0] if is_range and isinstance(node, ast.Call) and len(node.args) == 1 else None


def _batches(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    whole = program(source, setting)
    forward = whole.method("forward") if whole is not None else None
    if whole is None or forward is None:
        return
    before = shapes_of(whole, setting).before
    for statement in forward.body:
        yield from _comprehensions(whole, statement, before.get(statement, {}))
    for start, loop in zip(forward.body, forward.body[1:], strict=False):
        if isinstance(loop, ast.For):
            edits = _appended(whole, forward.body, start, loop, before.get(loop, {}))
            edits = edits or _filled(whole, start, loop, before.get(loop, {}))
            if edits is not None:
                yield whole.rewrite(loop.lineno, edits)


def _comprehensions(whole: TorchSource, statement: ast.stmt, names: dict[str, object]) -> Iterator[Rewrite]:
    """`torch.stack([f(x[i]) for i in range(n)])`."""
    for node in ast.walk(statement):
        found = operation(node, {}) if isinstance(node, ast.Call) else None
        if found is None or found.name != "stack" or constant(found.args[1]) not in (None, 0):
            continue
        items = found.args[0]
        if not isinstance(items, ast.ListComp) or len(items.generators) != 1 or items.generators[0].ifs:
            continue
        target, count = items.generators[0].target, _range(items.generators[0].iter)
        if isinstance(target, ast.Name) and count is not None and isinstance(node, ast.expr):
            text = _at_once(Turn(whole, target.id, count, items.elt, names))
            if text is not None:
                yield whole.rewrite(node.lineno, (whole.replace(node, f"({text})"),))


def _appended(
    whole: TorchSource, body: list[ast.stmt], start: ast.stmt, loop: ast.For, names: dict[str, object]
) -> tuple[Edit, ...] | None:
    """An empty list, a loop that appends to it, and one stack of it."""
    made, count = assigned(start), _range(loop.iter)
    inner = loop.body[0] if len(loop.body) == 1 and not loop.orelse else None
    call = inner.value if isinstance(inner, ast.Expr) and isinstance(inner.value, ast.Call) else None
    if made is None or count is None or call is None or not isinstance(loop.target, ast.Name) or len(call.args) != 1:
        return None
    empty = isinstance(made[1], ast.List) and not made[1].elts
    if not empty or ast.unparse(call.func) != f"{made[0]}.append" or not all(map(whole.alone, (start, loop))):
        return None
    text = _at_once(Turn(whole, loop.target.id, count, call.args[0], names))
    stacks = [node for statement in body for node in ast.walk(statement) if isinstance(node, ast.Call)
              and ast.unparse(node) in (f"torch.stack({made[0]})", f"torch.stack({made[0]}, dim=0)",
                                        f"torch.stack({made[0]}, 0)")]  # fmt: skip
    mentions = sum(isinstance(each, ast.Name) and each.id == made[0] for each in ast.walk(ast.Module(body, [])))
    if text is None or len(stacks) != 1 or mentions != 3 or loop.target.id in _read_later(body, loop):
        return None
    between = body[body.index(loop) + 1 :]
    later = next(each for each in between if any(node is stacks[0] for node in ast.walk(each)))
    if between[0] is not later:
        return None
    return whole.remove(start), whole.remove(loop), whole.replace(stacks[0], f"({text})")


def _filled(whole: TorchSource, start: ast.stmt, loop: ast.For, names: dict[str, object]) -> tuple[Edit, ...] | None:
    """A tensor of zeros, and a loop that sets each of its items."""
    made, count = assigned(start), _range(loop.iter)
    inner = loop.body[0] if len(loop.body) == 1 and not loop.orelse else None
    if made is None or count is None or not isinstance(inner, ast.Assign) or not isinstance(loop.target, ast.Name):
        return None
    place = ast.unparse(inner.targets[0]) if len(inner.targets) == 1 else ""
    found, shape = operation(made[1], {}), names.get(made[0])
    maker = ast.unparse(made[1].func) if isinstance(made[1], ast.Call) else ""
    if place != f"{made[0]}[{loop.target.id}]" or maker not in ("torch.zeros", "torch.empty") or found is not None:
        return None
    turn = Turn(whole, loop.target.id, count, inner.value, names)
    text, rank = _at_once(turn), _rank(turn, inner.value)
    fits = isinstance(shape, Tensor) and rank is not None and len(shape.shape) == rank + 1
    if text is None or not fits or not all(map(whole.alone, (start, loop))):
        return None
    return whole.remove(start), whole.replace(loop, f"{made[0]} = {text}")


def _read_later(body: list[ast.stmt], loop: ast.For) -> set[str]:
    rest = body[body.index(loop) + 1 :]
    return {each.id for statement in rest for each in ast.walk(statement) if isinstance(each, ast.Name)}


TWO = "torch.randn(3, 4, 8), torch.randn(3, 8, 5)"
TRANSFORMATIONS = (
    Transformation(
        name="batch-for-loop",
        family="torch",
        summary="Multiplies, or computes elementwise, for all items of a batch at once instead of one after the other.",
        find=_batches,
        example=example(
            "results = []\nfor i in range(x.shape[0]):\n    results.append(torch.relu(x[i] @ y[i]))\n"
            "return torch.stack(results)",
            "return (torch.relu(x @ y))",
            args="x, y",
            inputs=TWO,
        ),
        languages=PYTHON,
        answers=("many-kernels", "eager-overhead"),
        prior=4.0,
        refusals=(
            model("return torch.stack([x[i] @ y[i] for i in range(2)])", args="x, y", inputs=TWO),
            model("return torch.stack([x[i] @ x[i] for i in range(4)])"),
            model("return torch.stack([x[i] + x[i - 1] for i in range(4)])"),
        ),
    ),
)
