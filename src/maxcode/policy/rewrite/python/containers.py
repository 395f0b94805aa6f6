"""Python: the container or the call that does the job in fewer steps."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.python.code import alone, assignment, call_of, looks_like_list, mentions, scope_of
from maxcode.policy.rewrite.python.effects import changed, made_as, pure, values_of
from maxcode.policy.rewrite.python.imports import with_imports
from maxcode.policy.rewrite.python.names import loops_around
from maxcode.policy.rewrite.source import Edit, SourceFile, enclosing, field
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation


def _set(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    seen = set()
    for node in source.find("comparison_operator"):
        operator = source.text(node.children[1]) if len(node.children) == 3 else ""
        items = node.children[-1]
        around = loops_around(source, node)
        name = source.text(items)
        if operator not in ("in", "not in") or items.type != "identifier" or not around or name in seen:
            continue
        if not made_as(source, name, node, lambda t: looks_like_list(t) and not t.startswith("[[")):
            continue
        seen.add(name)
        steady = [each for each in around if name not in changed(source, each)]
        companion = source.fresh(f"{name}_set")
        tests = [each.children[-1] for each in source.find("comparison_operator", within=(steady or around)[-1])
                 if len(each.children) == 3 and source.text(each.children[1]) in ("in", "not in")
                 and source.text(each.children[-1]) == name and scope_of(each) == scope_of(node)]  # fmt: skip
        replaced = tuple(source.replace(each, companion) for each in tests)
        if steady and not re.search(rf"\b{name}\.append\(\[", source.code):
            binding = source.before(steady[-1], f"{companion} = set({name})\n{source.indent(steady[-1])}")
            yield Rewrite(source.line(node), (binding, *replaced), weight=2.0)
        elif not steady:
            kept = _kept_beside(source, name, companion, around[-1])
            if kept is not None:
                yield Rewrite(source.line(node), (*kept, *replaced), weight=2.0)


def _kept_beside(source: SourceFile, name: str, companion: str, loop: Node) -> list[Edit] | None:
    """A set that gets every element that the list gets; None where the list changes in other ways than growing."""
    values = values_of(source, name, loop)
    made = enclosing(values[0], "expression_statement") if values and len(values) == 1 else None
    if made is None or not values or not alone(source, made) or assignment(source, made) is None:
        return None
    start = "set()" if source.text(values[0]) in ("[]", "list()") else f"set({name})"
    edits = [source.after(made, f"\n{source.indent(made)}{companion} = {start}")]
    for each in mentions(source, name, scope_of(made)):
        above = each.parent
        call = above.parent if above is not None and above.type == "attribute" else None
        arguments = call_of(source, call, f"{name}.append")
        statement = call.parent if call is not None else None
        if arguments and len(arguments) == 1 and statement is not None and alone(source, statement):
            if not pure(source, arguments[0]) or arguments[0].type in ("list", "list_comprehension", "dictionary"):
                return None
            edits.append(
                source.after(statement, f"\n{source.indent(statement)}{companion}.add({source.text(arguments[0])})")
            )
        elif not _only_looks(source, each):
            return None
    return edits


def _only_looks(source: SourceFile, node: Node) -> bool:
    above = node.parent
    if above is None or above.type in ("assignment", "comparison_operator", "for_statement", "for_in_clause"):
        return True
    if above.type == "subscript":
        return not (above.parent is not None and above.parent.child_by_field_name("left") == above)
    if above.type == "argument_list":
        return call_of(source, above.parent, "len", "print", "sum", "max", "min", "sorted", "range", "set") is not None
    return above.type in ("return_statement", "list_splat", "not_operator", "interpolation")


DEQUE_METHODS = ("append", "extend", "clear", "remove", "count")


def _deque(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    seen = set()
    for call in source.find("call"):
        function = source.text(field(call, "function"))
        name = function.removesuffix(".pop").removesuffix(".insert")
        arguments = call_of(source, call, f"{name}.pop", f"{name}.insert")
        if not arguments or source.text(arguments[0]) != "0" or not name.isidentifier() or name in seen:
            continue
        seen.add(name)
        values = values_of(source, name, call)
        if not values or not all(looks_like_list(source.text(each)) for each in values):
            continue
        if any(scope_of(each).type == "class_definition" for each in values):  # others reach it as an attribute
            continue
        edits = [source.replace(each, _as_deque(source.text(each))) for each in values]
        changes = _ends(source, name)
        added = with_imports(source, (*edits, *changes), "from collections import deque") if changes else None
        if added is not None:
            yield Rewrite(source.line(call), added, weight=2.0 if loops_around(source, call) else 0.3)


def _as_deque(text: str) -> str:
    return "deque()" if text in ("[]", "list()") else f"deque({text})"


def _ends(source: SourceFile, name: str) -> list[Edit]:
    """The edits of what works on a list's front; none where the list is used in ways that a deque has not."""
    edits = []
    for each in mentions(source, name, source.root):
        above = each.parent
        call = above.parent if above is not None and above.type == "attribute" else None
        method = source.text(field(above, "attribute")) if above is not None and above.type == "attribute" else ""
        arguments = [source.text(a) for a in call_of(source, call, f"{name}.{method}") or []]
        if call is not None and (method, arguments) == ("pop", ["0"]):
            edits.append(source.replace(call, f"{name}.popleft()"))
        elif call is not None and method == "insert" and len(arguments) == 2 and arguments[0] == "0":
            edits.append(source.replace(call, f"{name}.appendleft({arguments[1]})"))
        elif not (method in DEQUE_METHODS or call_of(source, call, f"{name}.pop") == [] or _fits_deque(source, each)):
            return []
    return edits


def _fits_deque(source: SourceFile, node: Node) -> bool:
    above = node.parent
    if above is None:
        return False
    if above.type == "subscript":
        inner = above.children_by_field_name("subscript")
        return field(above, "value") == node and len(inner) == 1 and source.text(inner[0]) in ("0", "-1")
    if above.type == "comparison_operator":
        return above.children[-1] == node and source.text(above.children[1]) in ("in", "not in")
    if above.type == "argument_list":
        return call_of(source, above.parent, "len", "sum", "max", "min", "sorted", "list", "bool") is not None
    conditions = ("while_statement", "if_statement", "not_operator", "boolean_operator", "elif_clause")
    if above.type in ("for_statement", "for_in_clause"):
        return above.child_by_field_name("right") == node
    return above.type in (*conditions, "assignment") and not (
        above.type == "assignment" and above.child_by_field_name("right") == node
    )


TRANSFORMATIONS = (
    Transformation(
        name="set-for-membership",
        family="python",
        summary="Looks elements up in a set beside the list.",
        find=_set,
        example=RewriteExample(
            before="""
allowed = [n * n for n in range(100)]
hits = 0
for n in range(1000):
    if n in allowed:
        hits += 1
print(hits)
""",
            after="""
allowed = [n * n for n in range(100)]
hits = 0
allowed_set = set(allowed)
for n in range(1000):
    if n in allowed_set:
        hits += 1
print(hits)
""",
        ),
        languages=PYTHON,
        answers=("membership-in-list",),
        prior=3.0,
        refusals=(
            "a = {1, 2}\nfor i in range(3):\n    print(i in a)\n",
            "a = [[1], [2]]\nfor i in range(3):\n    print([i] in a)\n",
            "a = [1, 2]\nfor i in range(3):\n    if i in a:\n        a.remove(i)\n",
        ),
    ),
    Transformation(
        name="deque-for-list",
        family="python",
        summary="Takes elements from the front of a deque instead of a list, which moves all the others.",
        find=_deque,
        example=RewriteExample(
            before="""
queue = [1]
seen = []
while queue:
    node = queue.pop(0)
    seen.append(node)
    if node < 50:
        queue.append(node * 2)
        queue.append(node * 3)
print(seen)
""",
            after="""
from collections import deque

queue = deque([1])
seen = []
while queue:
    node = queue.popleft()
    seen.append(node)
    if node < 50:
        queue.append(node * 2)
        queue.append(node * 3)
print(seen)
""",
        ),
        languages=PYTHON,
        answers=("list-front",),
        prior=3.0,
        refusals=(
            "a = [1, 2, 3]\na.pop(0)\nprint(a)\n",
            "a = [1, 2, 3]\nwhile a:\n    a.pop(0)\n    b = a[1:]\n",
            "a = [1, 2]\nwhile a:\n    a.pop()\n",
        ),
    ),
)
