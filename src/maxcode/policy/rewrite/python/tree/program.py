"""Python: a program as its syntax tree: the bytes of each node, what is around it, and which variable a name is."""

from __future__ import annotations

import ast
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from io import BytesIO

from maxcode.core import Language
from maxcode.policy.rewrite.source import Edit, SourceFile

Placed = ast.expr | ast.stmt
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
Loop = ast.For | ast.While
Variable = tuple[ast.AST, str]
"""A name, with the module, function, class or comprehension that it belongs to."""

DEEPEST = 60
"""Nesting beyond which a program is left alone."""
SCOPES = (ast.Module, ast.FunctionDef, ast.Lambda, ast.ClassDef, ast.ListComp, ast.SetComp, ast.DictComp,
          ast.GeneratorExp)  # fmt: skip
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_UNUSUAL = (ast.Match, ast.AsyncFor, ast.AsyncWith, ast.AsyncFunctionDef, ast.Await, ast.TryStar)
_REFLECTION = frozenset(
    "eval exec globals locals vars setattr delattr __dict__ gc ctypes inspect __getattr__ localcontext "
    "setcontext".split()
)


@dataclass(frozen=True, eq=False)
class Program:
    source: SourceFile
    tree: ast.Module
    starts: tuple[int, ...]
    above: dict[ast.AST, ast.AST] = field(default_factory=dict)
    variable: dict[ast.AST, Variable] = field(default_factory=dict)
    """Variable of each name, definition, parameter and imported name."""
    mentions: dict[Variable, list[ast.AST]] = field(default_factory=dict)

    def start(self, node: Placed) -> int:
        return self.starts[node.lineno - 1] + node.col_offset

    def end(self, node: Placed) -> int:
        return self.starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)

    def text(self, node: Placed) -> str:
        return self.source.data[self.start(node) : self.end(node)].decode()

    def replace(self, node: Placed, new: str) -> Edit:
        return Edit(self.start(node), self.end(node), new)

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around a node, innermost first."""
        while node in self.above:
            node = self.above[node]
            yield node

    def inside(self, node: ast.AST, outer: ast.AST) -> bool:
        return node is outer or any(each is outer for each in self.around(node))

    def statement(self, node: ast.AST) -> ast.stmt:
        return next(each for each in (node, *self.around(node)) if isinstance(each, ast.stmt))

    def function(self, node: ast.AST) -> ast.AST:
        """The function, lambda, class or module whose code a node is part of."""
        kinds = (ast.FunctionDef, ast.Lambda, ast.ClassDef, ast.Module)
        return next((each for each in self.around(node) if isinstance(each, kinds)), self.tree)

    def block(self, statement: ast.stmt) -> list[ast.stmt]:
        """The statements among which one stands."""
        above = self.above[statement]
        for name in ("body", "orelse", "finalbody"):
            found = getattr(above, name, None)
            if isinstance(found, list) and statement in found:
                return found
        return [statement]

    def previous(self, statement: ast.stmt) -> list[ast.stmt]:
        """The statements before one in its block, the nearest first."""
        block = self.block(statement)
        return block[: block.index(statement)][::-1]

    def indent(self, statement: ast.stmt) -> str:
        line = self.source.data[self.starts[statement.lineno - 1] : self.start(statement)].decode()
        return line if not line.strip() else ""

    def alone(self, statement: ast.stmt) -> bool:
        """Whether a statement has its lines for itself, a comment behind it aside."""
        data, start, end = self.source.data, self.start(statement), self.end(statement)
        rest = data[end : data.find(b"\n", end) if b"\n" in data[end:] else None].strip()
        ahead = data[self.starts[statement.lineno - 1] : start].strip()
        decorated = bool(getattr(statement, "decorator_list", None))
        return not ahead and (not rest or rest.startswith(b"#")) and not decorated

    def put(self, statement: ast.stmt, lines: str) -> Edit:
        """Lines in the place of a statement; comments in it go to their front."""
        first, last = statement.lineno, statement.end_lineno or statement.lineno
        kept = [text for line, text in self.comments.items() if first <= line < last]
        return self.replace(statement, self.indented("\n".join([*kept, lines]), statement))

    def remove(self, statement: ast.stmt) -> Edit:
        """Takes a statement out with its lines."""
        last = statement.end_lineno or statement.lineno
        end = self.starts[last] if last < len(self.starts) else len(self.source.data)
        return Edit(self.starts[statement.lineno - 1], end, "")

    def ahead(self, statement: ast.stmt, lines: str) -> Edit:
        """Lines in front of a statement."""
        at, indent = self.start(statement), self.indent(statement)
        return Edit(at, at, self.indented(lines, statement) + "\n" + indent)

    def behind(self, statement: ast.stmt, lines: str) -> Edit:
        at, indent = self.end(statement), self.indent(statement)
        return Edit(at, at, "\n" + indent + self.indented(lines, statement))

    def unwrapped(self, branch: ast.If) -> Edit:
        """The body of a branch in the place of the branch."""
        begin, end = self.start(branch.body[0]), self.end(branch)
        deeper = len(self.indent(branch.body[0])) - len(self.indent(branch))
        first, *rest = self.source.data[begin:end].decode().split("\n")
        lines = [line[deeper:] if not line[:deeper].strip() else line for line in rest]
        return Edit(self.start(branch), end, "\n".join([first, *lines]))

    def indented(self, lines: str, statement: ast.stmt) -> str:
        first, *rest = lines.split("\n")
        indent = self.indent(statement)
        return "\n".join([first, *(indent + line if line else "" for line in rest)])

    def walk(self, node: ast.AST | Sequence[ast.AST]) -> Iterator[ast.AST]:
        for each in [node] if isinstance(node, ast.AST) else node:
            yield from ast.walk(each)

    def names(self, variable: Variable, within: ast.AST | Sequence[ast.AST]) -> list[ast.AST]:
        """Where a variable is named in some code."""
        return [each for each in self.walk(within) if self.variable.get(each) == variable]

    def stores(self, variable: Variable) -> list[ast.AST]:
        """Where a variable is given a value or deleted."""
        return [each for each in self.mentions[variable] if not (isinstance(each, ast.Name) and _is_load(each))]

    def values(self, name: ast.AST) -> list[ast.expr] | None:
        """Everything that a variable is set to by plain assignments; None where it gets values in other ways too."""
        found: list[ast.expr] = []
        for each in self.stores(self.variable[name]) if name in self.variable else ():
            above = self.above[each]
            whole = isinstance(above, ast.AnnAssign) or (isinstance(above, ast.Assign) and each in above.targets)
            value = above.value if isinstance(above, (ast.Assign, ast.AnnAssign)) and whole else None
            if value is None:
                return None
            found.append(value)
        return found or None

    @cached_property
    def comments(self) -> dict[int, str]:
        """Comments by line, those with a line of their own and those behind code."""
        tokens = tokenize.tokenize(BytesIO(self.source.data).readline)
        return {each.start[0]: each.string for each in tokens if each.type == tokenize.COMMENT}

    def functions(self) -> Iterator[ast.FunctionDef]:
        return (each for each in ast.walk(self.tree) if isinstance(each, ast.FunctionDef))

    def loops_around(self, node: ast.AST) -> list[Loop]:
        """Loops of the same function that run a node again and again, innermost first."""
        found: list[Loop] = []
        inner = node
        for each in self.around(node):
            if isinstance(each, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
                break
            if (isinstance(each, ast.For) and inner is not each.iter and inner not in each.orelse) or (
                isinstance(each, ast.While) and inner not in each.orelse
            ):
                found.append(each)
            inner = each
        return found


def _is_load(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def loads(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and _is_load(node)


@lru_cache(maxsize=256)
def program(source: SourceFile) -> Program | None:
    """The program's tree; None for what cannot be read, is nested very deeply, or looks into itself."""
    if source.language is not Language.PYTHON or "\r" in source.code or source.code.startswith("\ufeff"):
        return None
    if _REFLECTION & source.names or "\f" in source.code or "\0" in source.code:
        return None
    try:
        tree = ast.parse(source.code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    starts = [0]
    for line in source.data.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    _write_out_private_names(tree)
    found = Program(source, tree, tuple(starts))
    return found if _link(found) else None


def _write_out_private_names(tree: ast.Module) -> None:
    """Gives private attributes and methods the names that Python knows them by, which hold everywhere."""
    for owner in reversed([each for each in ast.walk(tree) if isinstance(each, ast.ClassDef)]):
        for each in ast.walk(owner):
            if isinstance(each, ast.Attribute) and _is_private(each.attr):
                each.attr = f"_{owner.name.lstrip('_')}{each.attr}"
            elif isinstance(each, ast.FunctionDef) and _is_private(each.name):
                each.name = f"_{owner.name.lstrip('_')}{each.name}"


def _is_private(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__")


def _link(found: Program) -> bool:
    """Fills in the nodes above and the variables; False if the program is too deep or unusual."""
    waiting: list[tuple[ast.AST, int]] = [(found.tree, 0)]
    while waiting:
        node, depth = waiting.pop()
        in_comprehension = isinstance(node, ast.NamedExpr) and any(
            isinstance(each, (*COMPREHENSIONS, ast.Lambda)) for each in found.around(node)
        )
        if depth > DEEPEST or isinstance(node, _UNUSUAL) or in_comprehension:
            return False
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop)):
                found.above[child] = node
                waiting.append((child, depth + 1))
    homes = dict(_homes(found))
    bound: dict[ast.AST, set[str]] = {}
    outer: dict[ast.AST, dict[str, bool]] = {}
    for node, scope in homes.items():
        for name in _binds(node):
            bound.setdefault(scope, set()).add(name)
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            outer.setdefault(scope, {}).update(dict.fromkeys(node.names, isinstance(node, ast.Global)))
    for node, scope in homes.items():
        names = [node.id] if isinstance(node, ast.Name) else _binds(node)
        for name in names[:1]:
            variable = (_owner(found, name, scope, bound, outer), name)
            found.variable[node] = variable
            found.mentions.setdefault(variable, []).append(node)
    for each in found.mentions.values():
        each.sort(key=lambda node: (getattr(node, "lineno", 0), getattr(node, "col_offset", 0)))
    return True


def _binds(node: ast.AST) -> list[str]:
    """The name that a node gives a value to."""
    if isinstance(node, ast.Name):
        return [] if _is_load(node) else [node.id]
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, ast.arg):
        return [node.arg]
    if isinstance(node, ast.alias):
        return [(node.asname or node.name).partition(".")[0]]
    if isinstance(node, ast.ExceptHandler) and node.name:
        return [node.name]
    return []


def _homes(found: Program) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Every node with the scope in which its names are looked up or bound."""
    waiting: list[tuple[ast.AST, ast.AST]] = [(found.tree, found.tree)]
    while waiting:
        node, scope = waiting.pop()
        yield node, scope
        outside = _outside(found, node)
        for child in ast.iter_child_nodes(node):
            if isinstance(node, SCOPES):
                home = scope if child in outside else node
            else:
                home = _scope_of(found, scope) if child in outside else scope
            waiting.append((child, home))


def _outside(found: Program, node: ast.AST) -> list[ast.AST]:
    """Children that are evaluated in the scope around the one of their node."""
    if isinstance(node, ast.FunctionDef):
        return [*node.decorator_list, *([node.returns] if node.returns else [])]
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases, *node.keywords]
    if isinstance(node, ast.arguments):
        return [each for each in (*node.defaults, *node.kw_defaults) if each is not None]
    if isinstance(node, ast.comprehension):
        comprehension = found.above[node]
        first = isinstance(comprehension, COMPREHENSIONS) and comprehension.generators[0] is node
        return [node.iter] if first else []
    return []


def _scope_of(found: Program, node: ast.AST) -> ast.AST:
    return next(each for each in found.around(node) if isinstance(each, SCOPES))


def _owner(
    found: Program, name: str, scope: ast.AST, bound: dict[ast.AST, set[str]], outer: dict[ast.AST, dict[str, bool]]
) -> ast.AST:
    first = True
    while not isinstance(scope, ast.Module):
        declared = outer.get(scope, {}).get(name)
        if declared is True:
            return found.tree
        if declared is None and name in bound.get(scope, ()) and (first or not isinstance(scope, ast.ClassDef)):
            return scope
        first = False
        scope = _scope_of(found, scope)
    return scope


def atomic(node: ast.expr) -> bool:
    """Whether an expression keeps its meaning in the place of any other without parentheses."""
    return isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.List, ast.Dict, ast.ListComp)) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def tight(found: Program, node: ast.expr) -> str:
    """The text of an expression, in parentheses where it needs them."""
    text = found.text(node)
    simple = atomic(node) or (isinstance(node, ast.Constant) and not text.startswith("-"))
    return text if simple and "\n" not in text else f"({text})"


def filled(found: Program, node: Placed, given: Mapping[ast.expr, str]) -> str:
    """The text of a node with other texts in the place of expressions in it."""
    parts, at = [], found.start(node)
    for each in sorted(given, key=found.start):
        if found.start(each) >= at and found.end(each) <= found.end(node):
            parts += [found.source.data[at : found.start(each)].decode(), given[each]]
            at = found.end(each)
    return "".join((*parts, found.source.data[at : found.end(node)].decode()))
