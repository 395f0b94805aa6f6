"""Python: what code binds, changes and reads, calls of the program's own functions included."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import lru_cache

from maxcode.policy.rewrite.python.tree.calls import LIBRARY
from maxcode.policy.rewrite.python.tree.infer import kinds_of
from maxcode.policy.rewrite.python.tree.kinds import HOLDERS, ValueCell, ValueKinds
from maxcode.policy.rewrite.python.tree.library import EXACT
from maxcode.policy.rewrite.python.tree.program import COMPREHENSIONS, Program, Variable, loads
from maxcode.policy.rewrite.source import SourceFile

PURE = frozenset(
    "len int str float abs min max sum ord chr sorted range enumerate zip list tuple set dict frozenset any all "
    "bool divmod pow round reversed isinstance repr bin hex oct bytes deque Counter defaultdict sqrt floor ceil "
    "gcd isqrt hash comb perm factorial log log2 log10 sin cos tan exp hypot bisect_left bisect_right bisect map "
    "filter format nlargest nsmallest deepcopy accumulate chain product combinations permutations strptime "
    "fromisoformat fabs atan2 dist id bytearray memoryview slice match search fullmatch findall finditer sub "
    "compile lcm Fraction Decimal timedelta datetime date radians degrees itemgetter islice reader DictReader".split()
)
"""Functions of Python and its library that leave their arguments as they are."""
CHANGING = frozenset(
    "append extend insert pop remove clear sort reverse appendleft popleft extendleft rotate add discard update "
    "setdefault popitem move_to_end subtract difference_update intersection_update symmetric_difference_update".split()
)
"""Methods of containers that change them."""
ASKING = (
    frozenset(
        "get keys values items count index find rfind startswith endswith split rsplit splitlines strip lstrip rstrip "
        "lower upper join replace isdigit isalpha isalnum isspace isupper islower format copy bit_length title "
        "swapcase zfill encode decode translate capitalize ljust rjust center partition rpartition union intersection "
        "difference issubset issuperset isdisjoint most_common elements isdecimal isnumeric casefold removeprefix "
        "removesuffix rindex hex total_seconds weekday isoformat strftime toordinal date time group groups expandtabs "
        "symmetric_difference start end span match search fullmatch findall finditer sub".split()
    )
    | EXACT
)
_CONTEXT = frozenset({"prec", "rounding"})
"""Attributes of the context in which decimal numbers are computed."""


@dataclass
class CodeEffects:
    """Effects of a piece of code on what is outside of it, and what it reads."""

    binds: set[Variable] = field(default_factory=set)
    stores: set[str] = field(default_factory=set)
    """Attributes that are set."""
    changes: set[ValueCell] = field(default_factory=set)
    """Contents of containers that are changed."""
    speaks: bool = False
    """Whether it reads input or writes output."""
    unknown: bool = False
    """Whether it calls what nobody knows, which may do anything."""
    reads: set[Variable] = field(default_factory=set)
    asks: set[str] = field(default_factory=set)
    """Attributes that are read."""
    looks: set[ValueCell] = field(default_factory=set)
    """Contents of containers that are read."""

    @property
    def pure(self) -> bool:
        return not (self.binds or self.stores or self.changes or self.speaks or self.unknown)

    def depends_on(self, other: CodeEffects) -> bool:
        """Whether what this reads may be changed by other code."""
        looks, changes = {each.root() for each in self.looks}, {each.root() for each in other.changes}
        wild = other.unknown and (any(each.wild for each in looks) or bool(self.asks) or self.unknown)
        return wild or bool(self.reads & other.binds or self.asks & other.stores or looks & changes)

    def add(self, other: CodeEffects, local: ast.AST | None = None) -> None:
        """Takes effects over, but for the variables that belong to a function."""
        self.binds |= {each for each in other.binds if each[0] is not local}
        self.reads |= {each for each in other.reads if each[0] is not local}
        self.stores |= other.stores
        self.asks |= other.asks
        self.changes |= other.changes
        self.looks |= other.looks
        self.speaks |= other.speaks
        self.unknown |= other.unknown


class Code:
    """Questions that transformations ask of a program: its tree, the kinds of its values, the effects of its parts."""

    def __init__(self, program: Program, kinds: ValueKinds) -> None:
        self.program = program
        self.kinds = kinds
        self._summaries: dict[ast.AST, CodeEffects] = {}
        self._known: dict[ast.AST, CodeEffects] = {}
        self._places: dict[tuple[int, int], ast.expr] = {}
        self._owners: dict[ValueCell, set[ast.AST | None]] = {}
        self._inside: ast.FunctionDef | None = None
        """The function whose effects on others are asked for."""

    def effects(self, *nodes: ast.AST) -> CodeEffects:
        found = CodeEffects()
        for node in nodes:
            if node not in self._known:
                self._known[node] = self._collected(node)
            found.add(self._known[node])
        return found

    def at(self, start: int, end: int) -> ast.expr | None:
        """The expression between two offsets."""
        if not self._places:
            for each in ast.walk(self.program.tree):
                if isinstance(each, ast.expr):
                    self._places.setdefault((self.program.start(each), self.program.end(each)), each)
        return self._places.get((start, end))

    def pure(self, *nodes: ast.AST) -> bool:
        return all(self.effects(node).pure for node in nodes)

    def steady(self, node: ast.AST, *within: ast.AST) -> bool:
        """Whether an expression has no effects and keeps its value while other code runs."""
        asked = self.effects(node)
        if any(isinstance(owner, (ast.Lambda, *COMPREHENSIONS)) for owner, _ in asked.reads):
            return False
        return asked.pure and not asked.depends_on(self.effects(*within))

    def _collected(self, node: ast.AST) -> CodeEffects:
        found, waiting = CodeEffects(), [node]
        while waiting:
            each = waiting.pop()
            if isinstance(each, (ast.FunctionDef, ast.ClassDef)):
                found.binds.add(self.program.variable[each])
                waiting += each.decorator_list
                continue
            if isinstance(each, ast.Lambda):
                found.reads |= {self.program.variable[e] for e in ast.walk(each.body) if isinstance(e, ast.Name)}
                waiting.append(each.body)
                continue
            self._own(each, found)
            waiting.extend(ast.iter_child_nodes(each))
        own = {id(each) for each in ast.walk(node)}
        found.binds = {each for each in found.binds if id(each[0]) not in own or isinstance(each[0], ast.Module)}
        found.reads = {each for each in found.reads if id(each[0]) not in own or isinstance(each[0], ast.Module)}
        return found

    def _own(self, node: ast.AST, found: CodeEffects) -> None:
        """Adds what a node does by itself, its children aside."""
        if isinstance(node, ast.Name):
            (found.reads if loads(node) else found.binds).add(self.program.variable[node])
        elif isinstance(node, (ast.alias, ast.ExceptHandler)) and node in self.program.variable:
            found.binds.add(self.program.variable[node])
        elif isinstance(node, ast.Attribute):
            (found.asks if isinstance(node.ctx, ast.Load) else found.stores).add(node.attr)
        elif isinstance(node, ast.Subscript):
            owner = self.kinds.of(node.value)
            new = not isinstance(node.ctx, ast.Load) and self._made_here(node.value)
            (found.looks if isinstance(node.ctx, ast.Load) or new else found.changes).update(self.contents(owner))
            if not isinstance(node.ctx, ast.Load) and not owner.kinds:
                found.unknown = True
        elif isinstance(node, (ast.For, ast.comprehension)):
            found.looks.update(self.contents(self.kinds.of(node.iter)))
            found.speaks |= "file" in self.kinds.of(node.iter).kinds
            if self.kinds.of(node.iter).kinds & {"?"}:
                found.unknown = True
        elif isinstance(node, ast.Compare):
            for each in (node.left, *node.comparators):
                found.looks.update(self.contents(self.kinds.of(each)))
        elif isinstance(node, (ast.BinOp, ast.AugAssign, ast.Starred)):
            self._operands(node, found)
        elif isinstance(node, ast.Call):
            self._call(node, found)
        elif isinstance(node, (ast.Yield, ast.YieldFrom, ast.Import, ast.ImportFrom, ast.With)):
            found.unknown = True

    def _operands(self, node: ast.BinOp | ast.AugAssign | ast.Starred, found: CodeEffects) -> None:
        sides = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.value]
        for each in sides:
            found.looks.update(self.contents(self.kinds.of(each)))
            found.asks |= _CONTEXT if "exact" in self.kinds.of(each).kinds else frozenset()
        if isinstance(node, ast.AugAssign):
            found.reads |= {self.program.variable[node.target]} if isinstance(node.target, ast.Name) else set()
            target = self.kinds.of(node.target)
            holds = (target.kinds & (HOLDERS | {"?"}) or not target.kinds) and not self._made_here(node.target)
            found.changes.update(self.contents(target) if holds else ())
            if isinstance(node.target, ast.Attribute):
                found.asks.add(node.target.attr)

    def contents(self, cell: ValueCell) -> list[ValueCell]:
        """The contents of a container, which say which one it is."""
        cell = cell.root()
        if not cell.kinds & HOLDERS and not cell.wild:
            return []
        return [
            each.root() for each in (cell.held(), cell.values() if "dict" in cell.kinds or cell.wild else None) if each
        ]

    def _call(self, node: ast.Call, found: CodeEffects) -> None:
        function = node.func
        given = [each.value if isinstance(each, ast.Starred) else each for each in node.args]
        given += [each.value for each in node.keywords]
        own = self.kinds.callee(node)
        if own is not None:
            for callee in own:
                found.add(self.summary(callee), callee)
            return
        for each in given:
            found.looks.update(self.contents(self.kinds.of(each)))
            given_function = self.kinds.defined.get(self.program.variable[each]) if isinstance(each, ast.Name) else None
            if given_function is not None:
                found.add(self.summary(given_function), given_function)
        name = (
            function.attr
            if isinstance(function, ast.Attribute)
            else function.id
            if isinstance(function, ast.Name)
            else ""
        )
        keyed = all(isinstance(each, ast.Lambda) or not self._callable(each) for each in given)
        if isinstance(function, ast.Attribute) and self._container(function.value):
            self._method(name, function.value, found)
            found.unknown |= not keyed
        elif isinstance(function, ast.Name) and self.kinds.of(function).kinds == {"bound"}:
            for owner, method in self.kinds.of(function).bound:
                self._changes(method, owner, found)
        elif name == "getattr" and len(given) == 2 and self.kinds.texts(given[1]) is not None:
            found.asks |= self.kinds.texts(given[1]) or set()
        elif name in ("print", "input") and isinstance(function, ast.Name):
            found.speaks = True
        elif self._instance(node, found):
            pass
        elif name in ("heappush", "heappop", "heapify", "heapreplace", "heappushpop", "shuffle", "insort") and given:
            found.changes.update(self.contents(self.kinds.of(given[0])))
        elif name == "next":
            found.speaks = True
        elif not ((name in PURE or name.endswith("Error")) and keyed and self._from_library(function)):
            found.unknown = found.speaks = True

    def _instance(self, node: ast.Call, found: CodeEffects) -> bool:
        """Whether a call makes an object of a class of the program."""
        if isinstance(node.func, ast.Attribute) and node.func.attr == "__new__":
            return self.kinds.of(node.func.value).kinds == {"class"}
        made = self.kinds.classes.get(node.func.id) if isinstance(node.func, ast.Name) else None
        if made is None:
            return False
        start = next((e for e in made.body if isinstance(e, ast.FunctionDef) and e.name == "__init__"), None)
        if start is not None:
            own = CodeEffects()
            own.add(self.summary(start), start)
            own.stores -= self._of_the_new(start)
            found.add(own)
        elif any(ast.unparse(each) != "object" for each in made.bases):
            found.unknown = True
        return True

    def _of_the_new(self, start: ast.FunctionDef) -> set[str]:
        """Attributes that a constructor sets of the new object alone."""
        first = start.args.args[0].arg if start.args.args else ""
        own = {
            each for each in ast.walk(start) if isinstance(each, ast.Attribute) and not isinstance(each.ctx, ast.Load)
        }
        calls = any(self.kinds.callee(each) for each in ast.walk(start) if isinstance(each, ast.Call))
        others = {each.attr for each in own if not (isinstance(each.value, ast.Name) and each.value.id == first)}
        return set() if calls else {each.attr for each in own} - others

    def _callable(self, node: ast.expr) -> bool:
        """Whether an argument is a function, which the call may call."""
        kinds = self.kinds.of(node).kinds
        return bool(kinds & {"function", "method", "class", "?"}) and not kinds & HOLDERS and kinds != {"?"}

    def _container(self, node: ast.expr) -> bool:
        kinds = self.kinds.of(node).kinds
        library = bool(kinds) and kinds <= LIBRARY
        return library or bool(kinds & (HOLDERS | {"str", "bytes", "bytearray"}))

    def _from_library(self, function: ast.expr) -> bool:
        if isinstance(function, ast.Name):
            variable = self.program.variable[function]
            return variable not in self.kinds.bound or self.kinds.of(function).kinds == {"module"}
        return isinstance(function, ast.Attribute) and "module" in self.kinds.of(function.value).kinds

    def _method(self, name: str, owner: ast.expr, found: CodeEffects) -> None:
        cell = self.kinds.of(owner)
        found.asks |= _CONTEXT if "exact" in cell.kinds else frozenset()
        if "file" in cell.kinds:
            found.speaks = True
        elif not (name in CHANGING and self._made_here(owner)):
            self._changes(name, cell, found)

    def _changes(self, name: str, cell: ValueCell, found: CodeEffects) -> None:
        found.looks.update(self.contents(cell))
        if name in CHANGING:
            found.changes.update(self.contents(cell))
        elif name not in ASKING:
            found.unknown = True

    def summary(self, function: ast.FunctionDef) -> CodeEffects:
        """Effects of calling a function. What it does to itself by recursion is left out, as it comes to the same."""
        if function not in self._summaries:
            self._summaries[function] = CodeEffects()
            total, outside = CodeEffects(), self._inside
            self._inside = function
            for each in function.body:
                total.add(self._collected(each), function)
            self._inside = outside
            total.changes = {each for each in total.changes if not self._private(each, function)}
            self._summaries[function] = total
        return self._summaries[function]

    def _made_here(self, owner: ast.expr) -> bool:
        """Whether a variable only stands for containers that each call of the function makes for itself."""
        program = self.program
        if self._inside is None or not isinstance(owner, ast.Name) or program.variable[owner][0] is not self._inside:
            return False
        above = [program.above[each] for each in program.stores(program.variable[owner])]
        set_to = [each.value for each in above if isinstance(each, (ast.Assign, ast.AnnAssign)) and each.value]
        grown = sum(isinstance(each, ast.AugAssign) for each in above)
        return len(set_to) + grown == len(above) and all(map(is_new, set_to))

    def changers(self, contents: ValueCell) -> list[ast.AST] | None:
        """The calls and assignments that change a container; None where others may, out of sight."""
        root, found = contents.root(), list[ast.AST]()
        if root.wild:
            return None
        for node in ast.walk(self.program.tree):
            if isinstance(node, (ast.Call, ast.Subscript, ast.AugAssign)):
                own = CodeEffects()
                if not (isinstance(node, ast.Call) and self.kinds.callee(node)):
                    self._own(node, own)
                if root in {each.root() for each in own.changes}:
                    found.append(node)
        return found

    def reaches(self, contents: ValueCell) -> list[ast.Name | ast.Attribute | ast.Subscript]:
        """Names, attributes and elements that stand for a container."""
        root = contents.root()
        return [
            each for each in ast.walk(self.program.tree)
            if isinstance(each, (ast.Name, ast.Attribute, ast.Subscript)) and root in self.contents(self.kinds.of(each))
        ]  # fmt: skip

    def _private(self, contents: ValueCell, function: ast.FunctionDef) -> bool:
        """Whether a container is only known to the variables of one function, which makes it in each call."""
        if not self._owners:
            for variable, cell in self.kinds.variables.items():
                is_argument = any(isinstance(each, ast.arg) for each in self.program.mentions.get(variable, ()))
                self._claim(cell, None if is_argument else variable[0])
            for cell in (*self.kinds.attributes.values(), *self.kinds.returns.values()):
                self._claim(cell, None)
        owners = self._owners.get(contents.root(), set())
        return owners == {function} or not owners

    def _claim(self, cell: ValueCell, owner: ast.AST | None) -> None:
        """Notes the owner of a container and of all that it holds."""
        waiting, seen = [cell.root()], set[ValueCell]()
        while waiting:
            each = waiting.pop().root()
            if each in seen:
                continue
            seen.add(each)
            self._owners.setdefault(each, set()).add(owner)
            waiting += each.inner()


_MAKERS = frozenset("list dict set sorted deque bytearray Counter defaultdict".split())


def is_new(value: ast.expr) -> bool:
    """Whether an expression makes a container."""
    if isinstance(value, ast.BinOp):
        return isinstance(value.op, (ast.Add, ast.Mult)) and (is_new(value.left) or is_new(value.right))
    made = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in _MAKERS
    return made or isinstance(value, (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp))


@lru_cache(maxsize=128)
def code_of(source: SourceFile) -> Code | None:
    """The program, its kinds and effects; None where its tree is not to be had."""
    kinds = kinds_of(source)
    return Code(kinds.program, kinds) if kinds is not None else None
