"""Python: sorting by hand left to sort()."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from maxcode.policy.rewrite.python.tree.effects import Code, code_of
from maxcode.policy.rewrite.python.tree.shapes import called, is_number, method, same
from maxcode.policy.rewrite.source import SourceFile
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation


def _sort(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """Bubble, selection and insertion sorts of a whole list."""
    del setting
    code = code_of(source)
    for loop in ast.walk(code.program.tree) if code is not None else ():
        assert code is not None
        if (
            not isinstance(loop, ast.For)
            or loop.orelse
            or not isinstance(loop.target, ast.Name)
            or not code.program.alone(loop)
        ):
            continue
        found = _bubble(code, loop) or _exchange(code, loop)
        if found is None or not _gone(code, loop):
            continue
        items, key, reverse = found
        options = [*([f"key={key}"] if key else []), *(["reverse=True"] if reverse else [])]
        yield Rewrite(loop.lineno, (code.program.put(loop, f"{items}.sort({', '.join(options)})"),), weight=3.0)


def _gone(code: Code, loop: ast.For) -> bool:
    """Whether the variables that a sort sets are not read elsewhere."""
    inner = list(ast.walk(loop))
    stored = {code.program.variable[e] for e in inner if isinstance(e, ast.Name) and not isinstance(e.ctx, ast.Load)}
    return all(
        each in inner or not (isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)) or _loop_binds(code, each)
        for variable in stored
        for each in code.program.mentions[variable]
    )


def _loop_binds(code: Code, name: ast.AST) -> bool:
    """Whether a name is read in a loop that sets it."""
    variable = code.program.variable[name]
    return any(
        isinstance(each, ast.For)
        and code.program.names(variable, each.target)
        and not code.program.inside(name, each.iter)
        for each in code.program.around(name)
    )


def _length(code: Code, node: ast.expr, items: ast.expr) -> bool:
    """Whether an expression is the length of a list: len(items), or a variable that is only set to it."""
    if called(node, "len") is not None and isinstance(node, ast.Call):
        return same(node.args[0], items)
    values = code.program.values(node) if isinstance(node, ast.Name) else None
    if not values or len(values) != 1 or not isinstance(items, ast.Name) or not _length(code, values[0], items):
        return False
    return (
        code.changers(code.contents(code.kinds.of(items))[0]) is not None
        and all(
            isinstance(each, ast.Subscript) or method(each, "sort", "reverse")
            for each in code.changers(code.contents(code.kinds.of(items))[0]) or ()
            if each.lineno >= values[0].lineno  # type: ignore[attr-defined]
        )
        and len(code.program.stores(code.program.variable[items])) == 1
    )


def _bubble(code: Code, loop: ast.For) -> tuple[str, str, bool] | None:
    """Neighbours are exchanged until the list is in order."""
    body = [each for each in loop.body if not _is_flag(code, each, loop)]
    inner = body[0] if len(body) == 1 else None
    if not isinstance(inner, ast.For) or inner.orelse or len(inner.body) != 1 or not isinstance(inner.target, ast.Name):
        return None
    branch = inner.body[0]
    if not isinstance(branch, ast.If) or branch.orelse:
        return None
    step = ast.Name(inner.target.id)
    found = _swap(code, branch, step, ast.BinOp(step, ast.Add(), ast.Constant(1)))
    outer, bounds = called(loop.iter, "range"), called(inner.iter, "range")
    if found is None or outer is None or bounds is None:
        return None
    items = found[0]
    outer = outer[1:] if len(outer) == 2 and is_number(outer[0], 0) else outer
    bounds = bounds[1:] if len(bounds) == 2 and is_number(bounds[0], 0) else bounds
    if len(outer) != 1 or len(bounds) != 1:
        return None
    rounds = outer[0].left if _less(outer[0], ast.Constant(1)) and isinstance(outer[0], ast.BinOp) else outer[0]
    width = bounds[0]
    n, i = ast.unparse(rounds), ast.unparse(loop.target)
    texts = [f"{n} - 1", f"{n} - 1 - {i}", f"{n} - {i} - 1"]
    if not _length(code, rounds, items) or ast.unparse(width) not in texts:
        return None
    return ast.unparse(items), found[1], found[2]


def _less(node: ast.expr, by: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and same(node.right, by)


def _is_flag(code: Code, node: ast.stmt, loop: ast.For) -> bool:
    """Whether a statement only serves to stop early: a flag that is reset, or a break where nothing was exchanged."""
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.targets[0], ast.Name):
        return len(node.targets) == 1
    if not isinstance(node, ast.If) or node.orelse or len(node.body) != 1 or not isinstance(node.body[0], ast.Break):
        return False
    test = node.test.operand if isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not) else None
    return isinstance(test, ast.Name) and node is loop.body[-1] and _flag_is_right(code, test, loop)


def _flag_is_right(code: Code, flag: ast.Name, loop: ast.For) -> bool:
    """Whether a flag is False at the start of each turn and True after each exchange."""
    variable = code.program.variable[flag]
    stores = [each for each in code.program.stores(variable) if code.program.inside(each, loop)]
    values = [code.program.above[each] for each in stores]
    states = [
        each.value.value if isinstance(each, ast.Assign) and isinstance(each.value, ast.Constant) else None
        for each in values
    ]
    return sorted(map(str, states)) == ["False", "True"] and values[states.index(False)] is loop.body[0]


def _swap(code: Code, branch: ast.If, first: ast.expr, second: ast.expr) -> tuple[ast.Name, str, bool] | None:
    """The list whose two elements are exchanged if they are in the wrong order, the key, and whether it is reversed."""
    test = branch.test
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], (ast.Gt, ast.Lt)):
        return None
    items = _exchanged(branch.body, first, second)
    if items is None or not code.kinds.only(items, "list") or not code.pure(test):
        return None
    left, right, greater = test.left, test.comparators[0], isinstance(test.ops[0], ast.Gt)
    here, there = (ast.unparse(ast.Subscript(items, each, ast.Load())) for each in (first, second))
    if there in ast.unparse(left):
        left, right, greater = right, left, not greater
    a, b = ast.unparse(left), ast.unparse(right)
    if here not in a or a.replace(here, there) != b or there in a:
        return None
    number = code.kinds.only(left, "int", "float", "str", "bool") or code.kinds.plain(left)
    if not number:
        return None
    element = "item" if "item" not in code.program.source.names else code.program.source.fresh("item")
    return items, "" if a == here else f"lambda {element}: {a.replace(here, element)}", not greater


def _exchanged(body: list[ast.stmt], first: ast.expr, second: ast.expr) -> ast.Name | None:
    """The list of which two elements are exchanged by these statements, setting a flag aside."""
    body = [each for each in body if not (isinstance(each, ast.Assign) and isinstance(each.value, ast.Constant))]
    names = [
        each
        for node in body
        for each in ast.walk(node)
        if isinstance(each, ast.Subscript) and isinstance(each.value, ast.Name)
    ]
    if not names or not isinstance(names[0].value, ast.Name):
        return None
    items = names[0].value
    a, b = (f"{items.id}[{ast.unparse(each)}]" for each in (first, second))
    texts = [ast.unparse(each) for each in body]
    if len(texts) == 1 and texts[0] in (
        f"{a}, {b} = ({b}, {a})",
        f"{b}, {a} = ({a}, {b})",
        f"{a}, {b} = {b}, {a}",
        f"{b}, {a} = {a}, {b}",
    ):
        return items
    if len(texts) == 3 and isinstance(body[0], ast.Assign) and isinstance(body[0].targets[0], ast.Name):
        kept = body[0].targets[0].id
        if texts in (
            [f"{kept} = {a}", f"{a} = {b}", f"{b} = {kept}"],
            [f"{kept} = {b}", f"{b} = {a}", f"{a} = {kept}"],
        ):
            return items
    return None


def _exchange(code: Code, loop: ast.For) -> tuple[str, str, bool] | None:
    """Each place gets the least of the rest: of equal plain values it does not matter which."""
    bounds = called(loop.iter, "range")
    if not bounds or len(bounds) != 1 or not isinstance(loop.target, ast.Name):
        return None
    here = ast.Name(loop.target.id)
    inner = next((each for each in loop.body if isinstance(each, ast.For)), None)
    rest = called(inner.iter, "range") if inner is not None else None
    if (
        inner is None
        or not rest
        or len(rest) != 2
        or not isinstance(inner.target, ast.Name)
        or len(inner.body) != 1
        or inner.orelse
    ):
        return None
    branch, there = inner.body[0], ast.Name(inner.target.id)
    if (
        not isinstance(branch, ast.If)
        or branch.orelse
        or not same(rest[0], ast.BinOp(here, ast.Add(), ast.Constant(1)))
    ):
        return None
    if loop.body == [inner]:
        found = _swap(code, branch, here, there)
        items = found[0] if found is not None else None
        reverse = found[2] if found is not None else False
        keyed = found is not None and bool(found[1])
    else:
        items, reverse = _selected(loop, inner, branch, here, there)
        keyed = False
    if (
        items is None
        or keyed
        or not code.kinds.plain(code.kinds.of(items).held())
        or len(code.kinds.of(items).held().kinds) != 1
    ):
        return None
    size = bounds[0].left if _less(bounds[0], ast.Constant(1)) and isinstance(bounds[0], ast.BinOp) else bounds[0]
    whole = _length(code, size, items) and _length(code, rest[1], items)
    return (ast.unparse(items), "", reverse) if whole else None


def _selected(
    loop: ast.For, inner: ast.For, branch: ast.If, here: ast.Name, there: ast.Name
) -> tuple[ast.Name | None, bool]:
    """The list of a selection sort, and whether the greatest comes first."""
    start, place = loop.body[0], loop.body.index(inner)
    if (
        not isinstance(start, ast.Assign)
        or not isinstance(start.targets[0], ast.Name)
        or not same(start.value, here)
        or place != 1
    ):
        return None, False
    least = ast.Name(start.targets[0].id)
    if [ast.unparse(each) for each in branch.body] != [f"{least.id} = {there.id}"] or not isinstance(
        branch.test, ast.Compare
    ):
        return None, False
    rest = loop.body[2:]
    if len(rest) == 1 and isinstance(rest[0], ast.If) and not rest[0].orelse and isinstance(rest[0].test, ast.Compare):
        if ast.unparse(rest[0].test) not in (f"{least.id} != {here.id}", f"{here.id} != {least.id}"):
            return None, False
        rest = rest[0].body
    items = _exchanged(rest, here, least)
    if items is None or len(branch.test.ops) != 1:
        return None, False
    sides = (ast.unparse(branch.test.left), ast.unparse(branch.test.comparators[0]))
    new, old = f"{items.id}[{there.id}]", f"{items.id}[{least.id}]"
    smaller = isinstance(branch.test.ops[0], (ast.Lt, ast.LtE)) == (sides == (new, old))
    known = isinstance(branch.test.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) and sides in ((new, old), (old, new))
    return (items if known else None), not smaller


TRANSFORMATIONS = (
    Transformation(
        name="sort-by-hand",
        family="python",
        summary="Sorts with sort() where nested loops exchange elements.",
        find=_sort,
        example=RewriteExample(
            before="""
def ordered(values):
    n = len(values)
    for i in range(n):
        for j in range(n - 1 - i):
            if values[j] > values[j + 1]:
                values[j], values[j + 1] = values[j + 1], values[j]
    return values


print(ordered([3, 1, 2]))
""",
            after="""
def ordered(values):
    n = len(values)
    values.sort()
    return values


print(ordered([3, 1, 2]))
""",
        ),
        languages=PYTHON,
        answers=("sorting",),
        prior=3.0,
        refusals=(
            """
a = [3, 1, 2]
for i in range(len(a)):
    for j in range(len(a) - 2):
        if a[j] > a[j + 1]:
            a[j], a[j + 1] = a[j + 1], a[j]
print(a)
""",
            """
a = [3, 1, 2]
swaps = 0
for i in range(len(a)):
    for j in range(len(a) - 1 - i):
        if a[j] > a[j + 1]:
            a[j], a[j + 1] = a[j + 1], a[j]
            swaps += 1
print(a, swaps)
""",
            """
a = [(1, 2), (1, 1)]
for i in range(len(a)):
    for j in range(i + 1, len(a)):
        if a[j][0] < a[i][0]:
            a[i], a[j] = a[j], a[i]
print(a)
""",
        ),
    ),
)
