"""From patterns to rewrites: what takes the place of an expression and of the statements that led to it."""

from __future__ import annotations

import ast
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.torch.flow import ENTRY, StatementFlow, names_read, names_set
from maxcode.policy.rewrite.torch.matching import Bound, Match, Matcher
from maxcode.policy.rewrite.torch.operations import constant, modules_of
from maxcode.policy.rewrite.torch.program import TorchSource, program
from maxcode.policy.rewrite.torch.shapes import KnownShapes, shapes_of
from maxcode.policy.rewrite.torch.tensors import Tensor
from maxcode.policy.rewrite.transformation import Find, Rewrite, Setting

ATOMS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant, ast.Tuple, ast.List)
SCOPES = (ast.Lambda, ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)


@dataclass(frozen=True, eq=False)
class Found:
    """A place where a pattern fits."""

    program: TorchSource
    matcher: Matcher
    shapes: KnownShapes
    match: Match
    root: Bound

    def node(self, name: str) -> ast.expr:
        return self.match.names[f"_{name}"].node

    def tensor(self, name: str) -> Tensor | None:
        return self.shapes.tensor(self.node(name))

    def number(self, name: str) -> float | None:
        """Number of a literal, or of an attribute that __init__ sets to a number; None for anything else."""
        found = constant(self.node(name))
        known = self.shapes.value(self.node(name)) if found is None else found
        return known if isinstance(known, int | float) and not isinstance(known, bool) else None

    def is_last(self, dim: str, of: str) -> bool:
        """Whether a number means the last dimension of a tensor."""
        number, tensor = self.number(dim), self.tensor(of)
        return number == -1 or (number is not None and tensor is not None and number == len(tensor.shape) - 1)

    def is_result(self) -> bool:
        """Whether the expression is what the function returns, under a name or directly."""
        statement = self.matcher.flow.statements[self.root.at]
        if isinstance(statement, ast.Return):
            return statement.value is self.root.node
        readers = self.matcher.flow.readers(self.root.at)
        last = self.matcher.flow.statements[readers[0]] if len(readers) == 1 else None
        return isinstance(last, ast.Return) and isinstance(last.value, ast.Name)


Where = Callable[[Found], bool]


@dataclass(frozen=True)
class TorchRule:
    patterns: tuple[str, ...]
    becomes: str | Callable[[Found], str | None]
    """Template of the result: {x} is what _x stands for, {x_} the same in parentheses where needed, {F} functional."""
    where: Where = lambda _: True


def finding(*rules: TorchRule, weight: float = 1.0) -> Find:
    """Every place where one of the rules fits, those that take most statements together first."""

    def find(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
        whole = program(source, setting)
        if whole is None:
            return
        found = []
        for matcher, shapes, root in places(whole, setting):
            edits = next(filter(None, (_applied(whole, matcher, shapes, root, rule) for rule in rules)), None)
            if edits is not None:
                found.append((root.node.lineno, edits))
        for line, edits in sorted(found, key=lambda each: -len(each[1])):
            yield whole.rewrite(line, edits, weight=weight * len(edits))

    return find


def places(whole: TorchSource, setting: Setting) -> Iterator[tuple[Matcher, KnownShapes, Bound]]:
    """Expressions of all functions, outer ones first."""
    shapes = shapes_of(whole, setting)
    for owner, function in whole.functions:
        matcher = Matcher(StatementFlow(function, modules_of(owner)), shapes.rank)
        for at, statement in enumerate(function.body):
            if isinstance(statement, ast.Assign | ast.Return | ast.AugAssign) and statement.value is not None:
                yield from ((matcher, shapes, Bound(each, at)) for each in _expressions(statement.value))


def _expressions(node: ast.expr) -> Iterator[ast.expr]:
    """Expressions inside a node, without names and numbers: a name's value is visited where it is assigned."""
    waiting: list[ast.AST] = [node]
    while waiting:
        each = waiting.pop(0)
        if isinstance(each, SCOPES):
            continue
        if isinstance(each, ast.expr) and not isinstance(each, ast.Name | ast.Constant):
            yield each
        waiting.extend(ast.iter_child_nodes(each))


def _applied(
    whole: TorchSource, matcher: Matcher, shapes: KnownShapes, root: Bound, rule: TorchRule
) -> tuple[Edit, ...] | None:
    for pattern in rule.patterns:
        for match in matcher.matches(pattern, root.node, root.at):
            found = Found(whole, matcher, shapes, match, root)
            template = rule.becomes if isinstance(rule.becomes, str) else None
            if rule.where(found) and template is None:
                template = rule.becomes(found) if callable(rule.becomes) else None
            edits = moved(found, template) if template is not None and rule.where(found) else None
            if edits is not None:
                return edits
    return None


def moved(found: Found, template: str) -> tuple[Edit, ...] | None:
    """The edits that put a text in the place of an expression, where every name in it still means the same."""
    fields = [name for _, name, _, _ in string.Formatter().parse(template) if name and name != "F"]
    leaves = {name: found.match.names[f"_{name.rstrip('_')}"] for name in fields}
    twice = {name for name in fields if fields.count(name) > 1}
    if any(not isinstance(leaves[name].node, ast.Name | ast.Constant | ast.Attribute) for name in twice):
        return None
    if not still_true(found.matcher.flow, found.root, found.match.used, list(leaves.values())):
        return None
    whole, statements = found.program, found.matcher.flow.statements
    gone = [statements[at] for at in sorted(found.match.used)]
    if not all(whole.alone(each) for each in gone):
        return None
    texts = {name: written(whole, bound.node, name.endswith("_")) for name, bound in leaves.items()}
    text = template.format(F=whole.functional, **texts)
    return (*(whole.remove(each) for each in gone), whole.replace(found.root.node, text))


def written(whole: TorchSource, node: ast.expr, tight: bool) -> str:
    text = whole.text(node)
    return f"({text})" if tight and (not isinstance(node, ATOMS) or "\n" in text) else text


def still_true(flow: StatementFlow, root: Bound, used: frozenset[int], leaves: list[Bound]) -> bool:
    """Whether all names read what they did, with some assignments gone and their leaves moved to the root."""
    if used and any(at in flow.barriers for at in range(min(used), root.at)):
        return False
    if root.at in used or any(at > root.at for at in used):
        return False
    for leaf in leaves:
        between = [flow.statements[at] for at in range(leaf.at + 1, root.at) if at not in used]
        if leaf.at < root.at and flow.opaque(leaf.node) and any(map(flow.opaque, between)):
            return False
    return _same_reads(flow, root, used, leaves)


def _same_reads(flow: StatementFlow, root: Bound, used: frozenset[int], leaves: list[Bound]) -> bool:
    known = {name: ENTRY for name, where in flow.before[0].items() if where == ENTRY} if flow.before else {}
    for at, statement in enumerate(flow.statements):
        if at in used:
            continue
        reads = [(name.id, at) for name in names_read(statement)]
        if at == root.at:
            inner = {id(name) for name in names_read(root.node)}
            reads = [(name.id, at) for name in names_read(statement) if id(name) not in inner]
            reads += [(name.id, leaf.at) for leaf in leaves for name in names_read(leaf.node)]
        if any(known.get(name) != flow.before[where].get(name) for name, where in reads):
            return False
        known |= dict.fromkeys(names_set(statement), at)
    return True
