"""Python: shapes of code that several transformations look for."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from maxcode.policy.rewrite.python.tree.effects import Code
from maxcode.policy.rewrite.python.tree.program import COMPREHENSIONS, Program, Variable, loads


def conjuncts(test: ast.expr) -> list[ast.expr]:
    """The parts of a condition that all must hold."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return [part for each in test.values for part in conjuncts(each)]
    return [test]


def is_number(node: ast.AST | None, value: int | None = None) -> bool:
    is_int = isinstance(node, ast.Constant) and type(node.value) is int
    return is_int and (value is None or (isinstance(node, ast.Constant) and node.value == value))


def same(first: ast.AST, second: ast.AST) -> bool:
    """Whether two pieces of code are the same but for their places and contexts."""
    return ast.unparse(first) == ast.unparse(second)


def called(node: ast.AST | None, *names: str) -> list[ast.expr] | None:
    """Arguments of a call of one of these functions by name, given in order without keywords."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id not in names:
        return None
    return None if node.keywords or any(isinstance(each, ast.Starred) for each in node.args) else node.args


def method(node: ast.AST | None, *names: str) -> tuple[ast.expr, list[ast.expr]] | None:
    """The receiver and arguments of a call of one of these methods, given in order without keywords."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in names:
        return None
    plain = not node.keywords and not any(isinstance(each, ast.Starred) for each in node.args)
    return (node.func.value, node.args) if plain else None


_READERS = frozenset("len sum max min sorted list tuple set any all bool str Counter deque".split())
"""Functions that are done with a list when they return."""


def _lets_go(code: Code, place: ast.AST, lent: frozenset[ast.AST] = frozenset()) -> bool:
    """Whether nothing but the variable has a list after a place that names it; `lent` are functions asked already."""
    program, above = code.program, code.program.above[place]
    around, variable = program.above.get(above), program.variable[place]
    local = all(program.function(each) is variable[0] for each in program.stores(variable))
    match above:
        case ast.Subscript():
            return above.value is place
        case ast.Attribute():
            return isinstance(around, ast.Call) and around.func is above
        case ast.Call():
            return _reads(code, above, place) or _lends(code, above, place, lent)
        case ast.For():
            effects = code.effects(above)
            return variable not in effects.binds and (local or not effects.unknown)
        case ast.comprehension():
            at_once = not isinstance(around, ast.GeneratorExp) or _reads(code, program.above[around], around)
            return at_once and around is not None and code.pure(around)
        case ast.Compare():
            return not any(isinstance(each, (ast.Is, ast.IsNot)) for each in above.ops)
        case ast.BoolOp():
            return isinstance(around, (ast.If, ast.While)) and around.test is above
        case ast.IfExp():
            return above.test is place
        case ast.Return():
            return local and not isinstance(variable[0], ast.Module)
        case _:
            simple = (ast.BinOp, ast.AugAssign, ast.If, ast.While, ast.UnaryOp, ast.FormattedValue, ast.Starred)
            return isinstance(above, simple)


def _lends(code: Code, call: ast.Call, place: ast.AST, lent: frozenset[ast.AST]) -> bool:
    """Whether a call is of functions of the program that keep the list they are given nowhere."""
    functions = code.kinds.callee(call) or []
    if place not in call.args or any(isinstance(each, ast.Starred) for each in call.args):
        return False
    return bool(functions) and all(
        each not in lent and _borrows(code, each, call.args.index(place), lent | {each}) for each in functions
    )


def _borrows(code: Code, function: ast.FunctionDef, position: int, lent: frozenset[ast.AST]) -> bool:
    program, names = code.program, [*function.args.posonlyargs, *function.args.args]
    decorators = [ast.unparse(each) for each in function.decorator_list]
    position += isinstance(program.above[function], ast.ClassDef) and not decorators
    if (
        position >= len(names)
        or decorators not in ([], ["staticmethod"])
        or any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in ast.walk(function))
    ):
        return False
    places = [each for each in program.mentions[program.variable[names[position]]] if loads(each)]
    return all(
        program.function(each) is function
        and not isinstance(program.above[each], ast.Return)
        and _lets_go(code, each, lent)
        for each in places
    )


def _reads(code: Code, call: ast.AST, given: ast.AST) -> bool:
    """Whether a call only reads the list or iterator that it is given."""
    if not isinstance(call, ast.Call) or given not in call.args:
        return False
    if isinstance(call.func, ast.Attribute):
        return call.func.attr in ("join", "extend") and code.kinds.callee(call) is None
    if not isinstance(call.func, ast.Name) or code.kinds.defined.get(code.program.variable[call.func]) is not None:
        return False
    return call.func.id == "print" or (call.func.id in _READERS and call.args == [given])


def bound_names(program: Program, target: ast.expr) -> list[Variable] | None:
    """Variables of a target of plain names; None for other targets."""
    parts = list(ast.walk(target))
    if not all(isinstance(each, (ast.Name, ast.Tuple, ast.List, ast.Store)) for each in parts):
        return None
    return [program.variable[each] for each in parts if isinstance(each, ast.Name)]


def only_within(program: Program, variables: Sequence[Variable], loop: ast.For) -> bool:
    """Whether the variables of a loop are read nowhere but in loops that bind them, and set nowhere else in it."""
    for variable in variables:
        for each in program.mentions[variable]:
            if not isinstance(each, ast.Name) or not any(
                isinstance(around, ast.For) and variable in (bound_names(program, around.target) or ())
                and not program.inside(each, around.iter) and (not loads(each) or each not in ast.walk(around.target))
                and all(each not in ast.walk(late) for late in around.orelse)
                for around in program.around(each)
            ):  # fmt: skip
                return False
    return not any(
        isinstance(each, ast.Name) and not loads(each) and program.variable[each] in variables
        for inner in (*loop.body, *loop.orelse)
        for each in ast.walk(inner)
    )


def leaves(nodes: Sequence[ast.AST]) -> bool:
    """Whether code may leave the loop that it is in, or skip the rest of a turn."""
    waiting: list[tuple[ast.AST, bool]] = [(each, False) for each in nodes]
    while waiting:
        node, in_loop = waiting.pop()
        if isinstance(node, (ast.Return, ast.Yield, ast.YieldFrom, ast.Raise)):
            return True
        if isinstance(node, (ast.Break, ast.Continue)) and not in_loop:
            return True
        if not isinstance(node, (ast.FunctionDef, ast.Lambda)):
            inner = in_loop or isinstance(node, (ast.For, ast.While))
            waiting += [(each, inner) for each in ast.iter_child_nodes(node)]
    return False


def blocks(program: Program) -> Iterator[list[ast.stmt]]:
    """Lists of statements that follow each other."""
    for node in ast.walk(program.tree):
        for name in ("body", "orelse", "finalbody"):
            found = getattr(node, name, None)
            if isinstance(found, list) and found:
                yield found


def repeats(code: Code, node: ast.AST) -> bool:
    """Whether a node runs more than once by a loop or comprehension of its function, or may by calls of it."""
    around = [each for each in code.program.around(node) if isinstance(each, (*COMPREHENSIONS, ast.For, ast.While))]
    return bool(around) or not isinstance(code.program.function(node), ast.Module)


def cheap(node: ast.expr, most: int) -> bool:
    """Whether an expression may be evaluated twice: a few steps, no calls."""
    steps = [
        each for each in ast.walk(node) if isinstance(each, (ast.BinOp, ast.Subscript, ast.Attribute, ast.UnaryOp))
    ]
    allowed = (ast.BinOp, ast.Subscript, ast.Attribute, ast.UnaryOp, ast.Name, ast.Constant, ast.operator, ast.unaryop,
               ast.expr_context, ast.Tuple)  # fmt: skip
    return len(steps) <= most and all(isinstance(each, allowed) for each in ast.walk(node))
