"""Python: heaps in the place of lists of which the least element is taken again and again."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from maxcode.policy.rewrite.python.imports import with_imports
from maxcode.policy.rewrite.python.tree.effects import Code, code_of
from maxcode.policy.rewrite.python.tree.program import Variable, filled
from maxcode.policy.rewrite.python.tree.shapes import called, is_number, leaves, method, same
from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation


@dataclass(frozen=True)
class Taking:
    """Statements that take the least element out of a list."""

    items: ast.Name
    first: ast.stmt
    last: ast.stmt
    target: str
    key: ast.Lambda | None


def _heap(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """A list of which a loop takes the least element each time, and to which it may add others."""
    del setting
    code = code_of(source)
    for loop in ast.walk(code.program.tree) if code is not None else ():
        assert code is not None
        if not isinstance(loop, ast.While) or loop.orelse or not code.program.alone(loop):
            continue
        for taking in _takings(code, loop):
            edits = _as_heap(code, loop, taking)
            if edits is not None:
                changed = with_imports(source, tuple(edits), "import heapq")
                if changed is not None:
                    yield Rewrite(taking.first.lineno, changed, weight=3.0)


def _takings(code: Code, loop: ast.While) -> Iterator[Taking]:
    for block in (getattr(node, "body", None) for node in ast.walk(loop)):
        for first, second in pairwise(block) if isinstance(block, list) else ():
            found = _sorted_and_popped(first, second) or _least_and_removed(first, second)
            if found is not None and code.program.loops_around(first)[:1] == [loop]:
                yield found


def _sorted_and_popped(first: ast.stmt, second: ast.stmt) -> Taking | None:
    """`items.sort(key=...)` or `items = sorted(items, key=...)`, and `x = items.pop(0)`."""
    call = first.value if isinstance(first, (ast.Expr, ast.Assign)) else None
    taken = method(second.value, "pop") if isinstance(second, ast.Assign) and len(second.targets) == 1 else None
    if not isinstance(call, ast.Call) or taken is None or not isinstance(taken[0], ast.Name):
        return None
    items = taken[0]
    in_place = isinstance(first, ast.Expr) and ast.unparse(call.func) == f"{items.id}.sort" and not call.args
    anew = (
        isinstance(first, ast.Assign)
        and ast.unparse(call.func) == "sorted"
        and [ast.unparse(e) for e in call.args] == [items.id]
    )
    anew = anew and isinstance(first, ast.Assign) and [ast.unparse(e) for e in first.targets] == [items.id]
    if (
        not (in_place or anew)
        or len(taken[1]) != 1
        or not is_number(taken[1][0], 0)
        or not isinstance(second, ast.Assign)
    ):
        return None
    return _keyed(items, first, second, second.targets[0], call)


def _least_and_removed(first: ast.stmt, second: ast.stmt) -> Taking | None:
    """`x = min(items, key=...)` and `items.remove(x)`."""
    call = first.value if isinstance(first, ast.Assign) and len(first.targets) == 1 else None
    removed = method(second.value, "remove") if isinstance(second, ast.Expr) else None
    if (
        not isinstance(call, ast.Call)
        or ast.unparse(call.func) != "min"
        or removed is None
        or not isinstance(removed[0], ast.Name)
    ):
        return None
    if (
        not isinstance(first, ast.Assign)
        or len(call.args) != 1
        or not same(call.args[0], removed[0])
        or not same(removed[1][0], first.targets[0])
    ):
        return None
    return _keyed(removed[0], first, second, first.targets[0], call)


def _keyed(items: ast.Name, first: ast.stmt, last: ast.stmt, target: ast.expr, call: ast.Call) -> Taking | None:
    keys = {each.arg: each.value for each in call.keywords}
    key = keys.pop("key", None)
    if keys or not (key is None or (isinstance(key, ast.Lambda) and len(key.args.args) == 1)):
        return None
    return Taking(items, first, last, ast.unparse(target), key if isinstance(key, ast.Lambda) else None)


def _as_heap(code: Code, loop: ast.While, taking: Taking) -> list[Edit] | None:
    """Edits that make the list a heap of (key, order of coming, element), or of plain elements."""
    program, items, name = code.program, taking.items, taking.items.id
    held = code.kinds.of(items).held()
    if not code.kinds.only(items, "list") or not (program.alone(taking.first) and program.alone(taking.last)):
        return None
    if taking.key is None and not code.kinds.plain(held):
        return None
    if taking.key is not None and not _key_stays(code, taking.key, loop):
        return None
    if not _used_as_heap(code, loop, taking):
        return None
    edits, order = [], program.source.fresh("order")
    for call in ast.walk(loop):
        found = method(call, "append")
        if found is not None and isinstance(call, ast.Call) and isinstance(found[0], ast.Name) and found[0].id == name:
            edits.append(_pushed(code, taking, call, found[1][0], order))
    if taking.key is None:
        edits.append(program.ahead(loop, f"heapq.heapify({name})"))
        edits.append(program.put(taking.first, f"{taking.target} = heapq.heappop({name})"))
    else:
        element = taking.key.args.args[0].arg
        key = program.text(taking.key.body)
        pairs = f"[({key}, {order}, {element}) for {order}, {element} in enumerate({name})]"
        edits.append(program.ahead(loop, f"{name} = {pairs}\n{order} = len({name})\nheapq.heapify({name})"))
        edits.append(program.put(taking.first, f"{taking.target} = heapq.heappop({name})[2]"))
    edits.append(program.remove(taking.last))
    return edits


def _pushed(code: Code, taking: Taking, call: ast.Call, value: ast.expr, order: str) -> Edit:
    """The edit of an append; what is needed twice gets a name first."""
    above = code.program.above[call]
    if taking.key is None or isinstance(value, (ast.Name, ast.Constant)) or not isinstance(above, ast.stmt):
        return code.program.replace(call, _push(code, taking, value, order))
    name = code.program.source.fresh("entry")
    parameter = taking.key.args.args[0]
    key = _with(code, taking.key, code.program.variable[parameter], name)
    lines = f"{name} = {code.program.text(value)}\n{order} += 1\n"
    return code.program.put(above, f"{lines}heapq.heappush({taking.items.id}, ({key}, {order}, {name}))")


def _with(code: Code, key: ast.Lambda, parameter: Variable, text: str) -> str:
    """The key of an element with another name."""
    places = [e for e in ast.walk(key.body) if isinstance(e, ast.Name) and code.program.variable[e] == parameter]
    return filled(code.program, key.body, dict.fromkeys(places, text))


def _push(code: Code, taking: Taking, value: ast.expr, order: str) -> str:
    name, text = taking.items.id, code.program.text(value)
    if taking.key is None:
        return f"heapq.heappush({name}, {text})"
    parameter = code.program.variable[taking.key.args.args[0]]
    places = [
        each
        for each in ast.walk(taking.key.body)
        if isinstance(each, ast.Name) and code.program.variable[each] == parameter
    ]
    key = filled(
        code.program,
        taking.key.body,
        {each: f"({text})" if not isinstance(value, ast.Name) else text for each in places},
    )
    return f"heapq.heappush({name}, ({key}, ({order} := {order} + 1), {text}))"


def _key_stays(code: Code, key: ast.Lambda, loop: ast.While) -> bool:
    """Whether a key is plain and keeps its value while the loop runs."""
    asked = code.effects(key.body)
    asked.reads -= {code.program.variable[key.args.args[0]]}
    parts = key.body.elts if isinstance(key.body, ast.Tuple) else [key.body]
    simple = all(
        code.kinds.only(each, "int") or code.kinds.only(each, "str") or code.kinds.only(each, "float") for each in parts
    )
    return simple and asked.pure and not asked.depends_on(code.effects(loop))


def _used_as_heap(code: Code, loop: ast.While, taking: Taking) -> bool:
    """Whether the loop does nothing else with the list, and nobody sees its order later."""
    program, items = code.program, taking.items
    variable: Variable = program.variable[items]
    contents = code.contents(code.kinds.of(items))
    for each in program.names(variable, loop):
        above = program.above[each]
        statement = program.statement(each)
        call = program.above.get(above) if isinstance(above, ast.Attribute) else None
        appended = method(call, "append") is not None and (taking.key is None or _may_repeat(code, call))
        asked = isinstance(above, (ast.While, ast.If, ast.BoolOp)) or called(above, "len") is not None or (
            isinstance(above, ast.UnaryOp) and isinstance(above.op, ast.Not)
        )  # fmt: skip
        if statement not in (taking.first, taking.last) and not appended and not asked:
            return False
    changers = code.changers(contents[0])
    within = [each for each in changers or () if program.inside(each, loop)]
    known = [each for each in within if isinstance(each, ast.Call) and program.names(variable, each.func)]
    if changers is None or known != within:
        return False  # another name, or a method under a name of its own, changes the list too
    emptied = ast.unparse(loop.test) in (items.id, f"len({items.id}) > 0", f"len({items.id})") and not leaves(loop.body)
    scope = program.function(loop)
    later = [
        each for each in program.mentions[variable]
        if not program.inside(each, loop) and isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)
        and (each.lineno > loop.lineno or program.loops_around(loop))
    ]  # fmt: skip
    changed = code.effects(*loop.body).unknown
    others = [
        each for each in code.reaches(contents[0])
        if program.variable.get(each) != variable and program.function(each) is scope
    ]  # fmt: skip
    local = isinstance(variable[0], (ast.Module, ast.FunctionDef)) and variable[0] in (scope, program.tree)
    is_argument = any(isinstance(each, ast.arg) for each in program.mentions[variable])
    return (
        local
        and not is_argument
        and not changed
        and not others
        and (not later or (emptied and not program.loops_around(loop)))
    )


def _may_repeat(code: Code, call: ast.AST | None) -> bool:
    """Whether what is appended may be named again for its key."""
    found = method(call, "append")
    alone = (
        call is not None
        and isinstance(code.program.above[call], ast.Expr)
        and code.program.alone(code.program.statement(call))
    )
    return found is not None and (alone or isinstance(found[1][0], (ast.Name, ast.Constant)))


TRANSFORMATIONS = (
    Transformation(
        name="heap-for-least",
        family="python",
        summary="Keeps a heap where a loop looks for the least element of a list and takes it out.",
        find=_heap,
        example=RewriteExample(
            before="""
jobs = [(3, "c"), (1, "a"), (2, "b")]
while jobs:
    jobs.sort()
    size, name = jobs.pop(0)
    print(size, name)
    if size < 3:
        jobs.append((size + 2, name))
""",
            after="""
import heapq

jobs = [(3, "c"), (1, "a"), (2, "b")]
heapq.heapify(jobs)
while jobs:
    (size, name) = heapq.heappop(jobs)
    print(size, name)
    if size < 3:
        heapq.heappush(jobs, (size + 2, name))
""",
        ),
        languages=PYTHON,
        answers=("sorting", "list-front"),
        prior=3.0,
        refusals=(
            """
jobs = [3, 1]
add = jobs.append
while jobs:
    jobs.sort()
    job = jobs.pop(0)
    if job > 2:
        add(1)
""",
            "jobs = [3, 1, 2]\nwhile jobs:\n    jobs.sort()\n    print(jobs.pop(0), jobs)\n",
            "jobs = [3, 1, 2]\nfor i in range(3):\n    jobs.sort()\n    print(jobs.pop(0))\nprint(jobs)\n",
            """
class J:
    def __init__(self, n):
        self.n = n


jobs = [J(3), J(1)]
while jobs:
    jobs.sort(key=lambda j: j.n)
    first = jobs.pop(0)
    for job in jobs:
        job.n -= 1
    print(first.n)
""",
        ),
    ),
)
