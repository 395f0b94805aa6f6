"""Python: sets and counts in the place of lists and queues that are searched."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from maxcode.policy.rewrite.python.imports import with_imports
from maxcode.policy.rewrite.python.tree.effects import Code, code_of
from maxcode.policy.rewrite.python.tree.shapes import method, repeats, same
from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation


def _set(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    code = code_of(source)
    if code is None:
        return
    done: list[str] = []
    for node in ast.walk(code.program.tree):
        if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not isinstance(node.ops[0], (ast.In, ast.NotIn)):
            continue
        items, element = node.comparators[0], node.left
        if not _is_named(items) or not _searched(code, items, element) or not repeats(code, node):
            continue
        edits = _beside_a_loop(code, node, items) or _beside_all_changes(code, items)
        text = repr(edits)
        imports = ["from collections import Counter"] if "Counter(" in text else []
        complete = with_imports(source, tuple(edits), *imports) if edits and text not in done else None
        done.append(text)
        if complete is not None:
            yield Rewrite(node.lineno, complete, weight=2.0)


def _is_named(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) or (isinstance(node, ast.Attribute) and _is_named(node.value))


def _searched(code: Code, items: ast.expr, element: ast.expr) -> bool:
    """Whether this looks for a plain value in a list or queue of such."""
    kinds = code.kinds
    if not kinds.only(items, "list", "deque") or not kinds.hashable(element) or not code.pure(element):
        return False
    held = kinds.of(items).held()
    return kinds.hashable(held) or not held.kinds


def _beside_a_loop(code: Code, node: ast.Compare, items: ast.expr) -> list[Edit]:
    """A set made in front of the outermost loop that leaves the list as it is."""
    outer = None
    for loop in code.program.loops_around(node):
        if not code.steady(items, loop) or code.effects(loop).changes & set(code.contents(code.kinds.of(items))):
            break
        outer = loop
    if outer is None or not code.program.alone(outer):
        return []
    name = code.program.source.fresh(_name(items))
    tests = [
        each.comparators[0] for each in ast.walk(outer)
        if isinstance(each, ast.Compare) and len(each.ops) == 1 and isinstance(each.ops[0], (ast.In, ast.NotIn))
        and same(each.comparators[0], items) and code.program.function(each) is code.program.function(node)
        and code.kinds.hashable(each.left)
    ]  # fmt: skip
    return [
        code.program.ahead(outer, f"{name} = set({ast.unparse(items)})"),
        *(code.program.replace(e, name) for e in tests),
    ]


def _name(items: ast.expr) -> str:
    return f"{items.attr if isinstance(items, ast.Attribute) else ast.unparse(items)}_set"


def _beside_all_changes(code: Code, items: ast.expr) -> list[Edit]:
    """A set that gets all that the list gets, where the list only grows; a count of each value where it shrinks too."""
    program, contents = code.program, code.contents(code.kinds.of(items))
    changers = code.changers(contents[0])
    name = program.source.fresh(_name(items))
    if changers is None or "__slots__" in program.source.names:
        return []
    counted = not all(method(each, "append") for each in changers)
    edits = []
    for each in changers:
        change = _change(code, each, items, name, counted)
        if change is None:
            return []
        edits += change
    starts = 0
    for each in code.reaches(contents[0]):
        above = program.above[each]
        if not _is_same_list(code, each, items):
            if isinstance(items, ast.Name) and not _is_parameter(code, items):
                continue  # all that changes it is known to use this name
            if not isinstance(items, ast.Attribute) or not _only_read(each, above, items.attr):
                return []
        elif isinstance(each.ctx, ast.Store):
            if not isinstance(above, ast.Assign) or len(above.targets) != 1 or not program.alone(above):
                return []
            if not _is_new(above.value):
                return []
            starts += 1
            first = f"{'Counter' if counted else 'set'}({ast.unparse(each)})"
            if isinstance(above.value, ast.List) and not above.value.elts:
                first = "Counter()" if counted else "set()"
            edits.append(program.behind(above, f"{_beside(each, name)} = {first}"))
        elif (
            isinstance(above, ast.Compare)
            and above.comparators == [each]
            and isinstance(above.ops[0], (ast.In, ast.NotIn))
        ):
            if code.kinds.hashable(above.left):
                edits.append(program.replace(each, _beside(each, name)))
        elif isinstance(above, (ast.Assign, ast.Return, ast.Tuple, ast.List, ast.Dict)) and _is_parameter(code, items):
            return []
    return edits if starts else []


def _change(code: Code, node: ast.AST, items: ast.expr, name: str, counted: bool) -> list[Edit] | None:
    """The edits that do to the set or count what a statement does to the list; None where that cannot be told."""
    program, contents = code.program, code.contents(code.kinds.of(items))
    statement = program.above[node]
    found = method(node, "append", "appendleft", "insert", "remove", "pop", "popleft")
    plain = isinstance(statement, ast.Expr) or (isinstance(statement, ast.Assign) and len(statement.targets) == 1)
    if found is None or not plain or not isinstance(statement, (ast.Expr, ast.Assign)) or not program.alone(statement):
        return None
    owner, given = found
    called = any(isinstance(e, ast.Call) for each in given for e in ast.walk(each))
    if not _is_same_list(code, owner, items) or called or not code.pure(*given):
        return None
    if any(code.effects(each).looks & set(contents) for each in given):
        return None
    beside = _beside(owner, name)
    if method(node, "append", "appendleft", "insert"):
        value = program.text(given[-1])
        return [program.behind(statement, f"{beside}[{value}] += 1" if counted else f"{beside}.add({value})")]
    edits = []
    if method(node, "remove"):
        value = program.text(given[0])
    elif isinstance(statement, ast.Assign):
        target = statement.targets[0]
        if not isinstance(target, ast.Name) and not _whole_tuple(target):
            return None
        value = ast.unparse(target)
    else:
        value = program.source.fresh("leaving")
        edits.append(Edit(program.start(statement), program.start(statement), f"{value} = "))
    gone = f"{beside}[{value}] -= 1\nif not {beside}[{value}]:\n    del {beside}[{value}]"
    return [*edits, program.behind(statement, gone)]


def _whole_tuple(target: ast.expr) -> bool:
    return isinstance(target, ast.Tuple) and all(isinstance(each, ast.Name) for each in target.elts)


def _only_read(node: ast.expr, above: ast.AST, name: str) -> bool:
    """Whether an attribute of this name of another object is only read here, element by element or as a whole."""
    reads = isinstance(above, (ast.Subscript, ast.Call, ast.For, ast.comprehension, ast.Starred, ast.Compare))
    return isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.ctx, ast.Load) and reads


def _is_new(value: ast.expr) -> bool:
    made = isinstance(value, ast.Call) and ast.unparse(value.func) in ("deque", "collections.deque")
    return isinstance(value, ast.List) or (isinstance(value, ast.Call) and made and not value.keywords)


def _is_same_list(code: Code, node: ast.expr, items: ast.expr) -> bool:
    """Whether a place names the list by the same variable, or by the same attribute of an object with a name."""
    if isinstance(node, ast.Name) and isinstance(items, ast.Name):
        return code.program.variable[node] == code.program.variable[items]
    both = isinstance(node, ast.Attribute) and isinstance(items, ast.Attribute)
    return (
        both
        and isinstance(node, ast.Attribute)
        and isinstance(items, ast.Attribute)
        and (node.attr == items.attr and isinstance(node.value, ast.Name))
    )


def _is_parameter(code: Code, items: ast.expr) -> bool:
    """Whether a list may come from elsewhere: by a parameter, or by an attribute."""
    if not isinstance(items, ast.Name):
        return True
    scope, name = code.program.variable[items]
    return isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)) and name in {
        each.arg for each in ast.walk(scope.args) if isinstance(each, ast.arg)
    }


def _beside(node: ast.expr, name: str) -> str:
    return f"{ast.unparse(node.value)}.{name}" if isinstance(node, ast.Attribute) else name


TRANSFORMATIONS = (
    Transformation(
        name="set-for-membership",
        family="python",
        summary="Looks elements up in a set beside the list.",
        find=_set,
        example=RewriteExample(
            before="""
class Register:
    def __init__(self):
        self.names = []

    def add(self, name):
        if name not in self.names:
            self.names.append(name)


register = Register()
for word in "to be or not to be".split():
    register.add(word)
print(register.names)
""",
            after="""
class Register:
    def __init__(self):
        self.names = []
        self.names_set = set()

    def add(self, name):
        if name not in self.names_set:
            self.names.append(name)
            self.names_set.add(name)


register = Register()
for word in "to be or not to be".split():
    register.add(word)
print(register.names)
""",
        ),
        languages=PYTHON,
        answers=("membership-in-list",),
        prior=3.0,
        refusals=(
            "a = {1, 2}\nfor i in range(3):\n    print(i in a)\n",
            "a = [[1], [2]]\nfor i in range(3):\n    print([i] in a)\n",
            "a = [1, 2]\nfor i in range(3):\n    if i in a:\n        a[0] = i\n",
            "a = [1, 2]\nfor i in range(3):\n    if i in a:\n        print(a.pop())\n",
            "a = []\nb = a\nfor i in range(3):\n    if i in a:\n        print(i)\n    b.append(i + 1)\n",
            """
def f(a, i):
    if i not in a:
        a.append(i)
    return a


b = []
for i in range(3):
    b = f(b, i % 2)
""",
            """
def f():
    a = []
    for i in range(9):
        if i % 3 not in a:
            a.append(i % 3)
    return a


b = f()
b.append(4)
print(b)
""",
        ),
    ),
)
