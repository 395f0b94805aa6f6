"""Which assignment each name of a function's body reads, before and after statements are moved into each other."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from maxcode.policy.rewrite.torch.operations import ELEMENTWISE, Modules, operation
from maxcode.policy.rewrite.torch.program import Function

ENTRY = -1
"""Number that stands for the definition of a function's arguments."""
SIMPLE = (ast.Assign, ast.Return, ast.Expr)
PURE = ELEMENTWISE | frozenset(
    "matmul mm bmm sum mean amax amin max min var std softmax log_softmax logsumexp transpose t T mT permute view "
    "reshape unsqueeze squeeze flatten expand linear norm size diag contiguous addmm cat stack einsum repeat clone "
    "float".split()
)
RANDOM = (
    "rand",
    "randn",
    "randint",
    "randperm",
    "bernoulli",
    "dropout",
    "normal",
    "multinomial",
    "rand_like",
    "randn_like",
)


def names_read(node: ast.AST) -> Iterator[ast.Name]:
    return (each for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load))


def names_set(node: ast.AST) -> set[str]:
    stored = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)}
    defined = {each.name for each in ast.walk(node) if isinstance(each, ast.FunctionDef | ast.ClassDef)}
    return stored | defined


def assigned(statement: ast.stmt) -> tuple[str, ast.expr] | None:
    """`name = value`."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id, statement.value
    return None


@dataclass(frozen=True, eq=False)
class StatementFlow:
    """The statements at the top of a function, one after another."""

    function: Function
    modules: Modules

    @property
    def statements(self) -> list[ast.stmt]:
        return self.function.body

    @cached_property
    def before(self) -> list[dict[str, int]]:
        """Number of the statement that gave each name its value, before each statement."""
        given = self.function.args
        known = {each.arg: ENTRY for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)}
        found = []
        for at, statement in enumerate(self.statements):
            found.append(dict(known))
            known |= dict.fromkeys(names_set(statement), at)
        return found

    def definition(self, name: str, at: int) -> tuple[int, ast.expr] | None:
        """The plain assignment that a name reads in a statement."""
        where = self.before[at].get(name, ENTRY)
        found = assigned(self.statements[where]) if where >= 0 else None
        return (where, found[1]) if found else None

    def readers(self, where: int) -> list[int]:
        """Statements that read the value assigned by another one; each once for every read."""
        target = assigned(self.statements[where])
        if target is None:
            return []
        return [
            at
            for at in range(where + 1, len(self.statements))
            for name in names_read(self.statements[at])
            if name.id == target[0] and self.before[at].get(name.id) == where
        ]

    @cached_property
    def barriers(self) -> frozenset[int]:
        """Statements that change something in place, or branch: nothing is moved across them."""
        return frozenset(
            at for at, each in enumerate(self.statements) if not isinstance(each, SIMPLE) or self._changes(each)
        )

    def _changes(self, statement: ast.stmt) -> bool:
        if isinstance(statement, ast.Expr):
            return not isinstance(statement.value, ast.Constant)
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        places = [each for target in targets for each in ast.walk(target)]
        return any(isinstance(each, ast.Subscript | ast.Attribute) for each in places) or changes_in_place(statement)

    def opaque(self, node: ast.AST) -> bool:
        """Whether it calls something that may draw random numbers or keep statistics."""
        calls = [each for each in ast.walk(node) if isinstance(each, ast.Call)]
        found = [operation(each, self.modules) for each in calls]
        return any(each is None or each.name not in PURE for each in found)


def changes_in_place(node: ast.AST) -> bool:
    """Whether code changes something in place, as x.add_(y) and relu(x, inplace=True) do, or draws random numbers."""
    for each in ast.walk(node):
        if isinstance(each, ast.AugAssign | ast.Delete | ast.NamedExpr):
            return True
        if isinstance(each, ast.Call):
            name = each.func.attr if isinstance(each.func, ast.Attribute) else getattr(each.func, "id", "")
            if (name.endswith("_") and not name.endswith("__")) or name in RANDOM:
                return True
            if any(
                keyword.arg == "out" or (keyword.arg == "inplace" and not _is_false(keyword.value))
                for keyword in each.keywords
            ):
                return True
    return False


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is False
