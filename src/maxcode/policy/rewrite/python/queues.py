"""Python: deques in the place of lists that are emptied from the front."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from maxcode.policy.rewrite.python.imports import with_imports
from maxcode.policy.rewrite.python.tree.effects import Code, code_of
from maxcode.policy.rewrite.python.tree.shapes import called, is_number, method, repeats
from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation

_ALIKE = ("append", "extend", "clear", "remove", "count")
_READERS = ("len", "sum", "max", "min", "sorted", "list", "bool", "set", "tuple", "any", "all", "enumerate")


def _deque(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    code = code_of(source)
    done: list[ast.AST] = []
    for call in ast.walk(code.program.tree) if code is not None else ():
        assert code is not None
        found = method(call, "pop", "insert")
        if found is None or not found[1] or not is_number(found[1][0], 0) or not repeats(code, call) or call in done:
            continue
        if not code.kinds.only(found[0], "list"):
            continue
        places = code.reaches(code.contents(code.kinds.of(found[0]))[0])
        done += [outer for each in places for outer in code.program.around(each) if isinstance(outer, ast.Call)]
        edits = [_edit(code, each) for each in places]
        if None in edits or not any(isinstance(each.ctx, ast.Store) for each in places):
            continue
        if any(isinstance(each, ast.arg) and _is_among(code, each, places) for each in ast.walk(code.program.tree)):
            continue
        added = with_imports(
            source, tuple(each for each in edits if isinstance(each, Edit)), "from collections import deque"
        )
        if added is not None:
            yield Rewrite(code.program.statement(call).lineno, added, weight=2.0)


_THREADS = {"threading", "Thread", "asyncio", "multiprocessing", "concurrent"}
_OF_QUEUES = {
    "put": "{}.append({})", "put_nowait": "{}.append({})", "get": "{}.popleft()", "get_nowait": "{}.popleft()",
    "empty": "(not {})", "qsize": "len({})",
}  # fmt: skip


def _plain_queue(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """Queues made for threads, under a name that nothing but their methods is asked of."""
    del setting
    code = code_of(source)
    for store in ast.walk(code.program.tree) if code is not None else ():
        assert code is not None
        if not isinstance(store, ast.Name) or isinstance(store.ctx, ast.Load) or _THREADS & source.names:
            continue
        values, program = code.program.values(store) or [], code.program
        own = {"Queue", "SimpleQueue"} & set(code.kinds.classes)
        made = not own and all(ast.unparse(each) in ("Queue()", "queue.Queue()", "SimpleQueue()") for each in values)
        if not values or not made or program.stores(program.variable[store])[0] is not store:
            continue
        edits = [program.replace(each, "deque()") for each in values]
        loads = [each for each in program.mentions[program.variable[store]] if each not in
                 program.stores(program.variable[store])]  # fmt: skip
        for each in loads:
            call = program.above.get(program.above[each])
            found = method(call, *_OF_QUEUES)
            if found is None or found[0] is not each or not isinstance(call, ast.Call) or len(found[1]) > 1:
                break
            assert isinstance(call.func, ast.Attribute) and isinstance(each, ast.expr)
            given = [program.text(argument) for argument in found[1]]
            if len(given) != _OF_QUEUES[call.func.attr].count("{}") - 1:
                break
            edits.append(program.replace(call, _OF_QUEUES[call.func.attr].format(program.text(each), *given)))
        else:
            added = with_imports(source, tuple(edits), "from collections import deque")
            if added is not None:
                yield Rewrite(store.lineno, added, weight=2.0)


def _is_among(code: Code, argument: ast.arg, places: Sequence[ast.expr]) -> bool:
    """Whether a parameter may be the list, which callers then know as a list."""
    contents = set(code.contents(code.kinds.of(places[0])))
    return bool(contents & set(code.contents(code.kinds.of(argument))))


def _edit(code: Code, place: ast.expr) -> Edit | bool | None:
    """The edit at a place that names the list; True where nothing changes, None where a deque would not do."""
    program = code.program
    above = program.above[place]
    if isinstance(place, ast.Subscript):
        return None
    if isinstance(place.ctx, ast.Store) if isinstance(place, (ast.Name, ast.Attribute)) else False:
        if not isinstance(above, ast.Assign) or len(above.targets) != 1:
            return None
        made = above.value
        if isinstance(made, ast.List):
            inner = program.text(made)
            return program.replace(made, f"deque({inner if made.elts else ''})")
        whole = isinstance(made, ast.ListComp) or called(made, "list") is not None or called(made, "sorted") is not None
        return program.replace(made, f"deque({program.text(made)})") if whole else None
    call = program.above.get(above) if isinstance(above, ast.Attribute) else None
    for name, new in (("pop", "popleft()"), ("insert", "appendleft({})")):
        found = method(call, name)
        if found is not None and isinstance(call, ast.expr) and found[1] and is_number(found[1][0], 0):
            rest = program.text(found[1][1]) if len(found[1]) == 2 else ""
            return program.replace(call, f"{program.text(place)}.{new.format(rest)}")
    if method(call, *_ALIKE) is not None or ((found := method(call, "pop")) is not None and not found[1]):
        return True
    return True if _fits(program.above[place], place) else None


def _fits(above: ast.AST, place: ast.expr) -> bool:
    if isinstance(above, ast.Subscript):
        at = above.slice.operand if isinstance(above.slice, ast.UnaryOp) else above.slice
        return above.value is place and (is_number(at, 0) or (is_number(at, 1) and at is not above.slice))
    if isinstance(above, ast.Compare):
        return all(isinstance(each, (ast.In, ast.NotIn)) for each in above.ops) and above.left is not place
    if isinstance(above, ast.Call):
        return called(above, *_READERS) == [place]
    if isinstance(above, (ast.For, ast.comprehension)):
        return above.iter is place
    return isinstance(above, (ast.While, ast.If, ast.IfExp, ast.BoolOp)) or (
        isinstance(above, ast.UnaryOp) and isinstance(above.op, ast.Not)
    )


TRANSFORMATIONS = (
    Transformation(
        name="deque-for-list",
        family="python",
        summary="Takes elements from the front of a deque instead of a list, which moves all the others.",
        find=_deque,
        example=RewriteExample(
            before="""
class Queue:
    def __init__(self):
        self.items = []

    def put(self, item):
        self.items.append(item)

    def take(self):
        return self.items.pop(0)


queue = Queue()
for i in range(5):
    queue.put(i)
print(queue.take(), queue.take())
""",
            after="""
from collections import deque


class Queue:
    def __init__(self):
        self.items = deque()

    def put(self, item):
        self.items.append(item)

    def take(self):
        return self.items.popleft()


queue = Queue()
for i in range(5):
    queue.put(i)
print(queue.take(), queue.take())
""",
        ),
        languages=PYTHON,
        answers=("list-front",),
        prior=3.0,
        refusals=(
            "a = [1, 2, 3]\na.pop(0)\nprint(a)\n",
            "a = [1, 2, 3]\nwhile a:\n    a.pop(0)\n    b = a[1:]\n",
            "a = [1, 2]\nwhile a:\n    a.pop()\n",
            "def f(items):\n    while items:\n        print(items.pop(0))\n\n\nf([1, 2])\n",
        ),
    ),
    Transformation(
        name="deque-for-queue",
        family="python",
        summary="Keeps what waits in a deque instead of a queue that is locked against other threads.",
        find=_plain_queue,
        example=RewriteExample(
            before="""
from queue import Queue

waiting = Queue()
waiting.put(3)
while not waiting.empty():
    number = waiting.get()
    print(number, waiting.qsize())
    if number > 1:
        waiting.put(number - 1)
""",
            after="""
from queue import Queue
from collections import deque

waiting = deque()
waiting.append(3)
while not (not waiting):
    number = waiting.popleft()
    print(number, len(waiting))
    if number > 1:
        waiting.append(number - 1)
""",
        ),
        languages=PYTHON,
        answers=("list-front",),
        prior=2.5,
        refusals=(
            "from queue import Queue\n\nq = Queue()\nq.put(1)\nprint(q.get(timeout=1))\n",
            "from queue import Queue\n\nq = Queue()\nq.put(1)\nprint([q])\n",
            "class Queue:\n    def put(self, n):\n        print(n)\n\n\nq = Queue()\nq.put(1)\n",
        ),
    ),
)
