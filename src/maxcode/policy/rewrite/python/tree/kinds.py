"""Python: which kinds of values the variables and expressions of a program can have.

ValueKinds flow along assignments, calls and returns until nothing changes. Containers that may be one object have one
content, so that what is put into one of two names is seen under the other: the content is also the container's
identity where effects are asked for. The kind "?" stands for anything.
"""

from __future__ import annotations

import ast

from maxcode.policy.rewrite.python.tree.program import Program, Variable

SCALARS = frozenset({"int", "str", "bool", "bytes", "none"})
NUMBERS = frozenset({"int", "float", "bool"})
HOLDERS = frozenset({"list", "tuple", "set", "dict", "deque", "range", "file", "iter"})


class ValueCell:
    """What is known of a value: its kinds, and the cells of what it holds."""

    __slots__ = ("_above", "_held", "_parts", "_values", "bound", "kinds")

    def __init__(self, *kinds: str) -> None:
        self.kinds: set[str] = set(kinds)
        self.bound: list[tuple[ValueCell, str]] = []
        self._above: ValueCell | None = None
        self._held: ValueCell | None = None
        self._values: ValueCell | None = None
        self._parts: list[ValueCell] | None = None

    def root(self) -> ValueCell:
        cell = self
        while cell._above is not None:
            cell = cell._above
        return cell

    @property
    def wild(self) -> bool:
        return "?" in self.root().kinds

    def held(self) -> ValueCell:
        """Elements of a list, set or iterator; keys of a dict. All parts of a tuple, which are one from then on."""
        cell = self.root()
        if cell._held is None:
            cell._held = ValueCell(*(["?"] if cell.wild else []))
        if cell._parts is not None:
            for part in cell._parts:
                flow(part, cell._held)
        return cell._held.root()

    def values(self) -> ValueCell:
        """Values of a dict."""
        cell = self.root()
        if cell._values is None:
            cell._values = ValueCell(*(["?"] if cell.wild else []))
        return cell._values.root()

    def inner(self) -> list[ValueCell]:
        """Cells of everything that a value holds."""
        cell = self.root()
        return [each.root() for each in (cell._held, cell._values, *(cell._parts or [])) if each is not None]

    def parts(self, count: int) -> list[ValueCell] | None:
        """The cells of a tuple's places, where all tuples here have as many."""
        cell = self.root()
        return cell._parts if cell._parts is not None and len(cell._parts) == count else None


def merge(first: ValueCell, second: ValueCell) -> None:
    """Makes two cells one."""
    waiting = [(first, second)]
    while waiting:
        a, b = (each.root() for each in waiting.pop())
        if a is b:
            continue
        b._above = a
        a.kinds |= b.kinds
        a.bound += [each for each in b.bound if each not in a.bound]
        for name in ("_held", "_values"):
            ours, theirs = getattr(a, name), getattr(b, name)
            if ours is not None and theirs is not None:
                waiting.append((ours, theirs))
            elif theirs is not None:
                setattr(a, name, theirs)
        if b._parts is not None and (a._parts is None or len(a._parts) == len(b._parts)):
            waiting += zip(a._parts or [], b._parts, strict=False)
            a._parts = a._parts or b._parts
        elif b._parts is not None:
            waiting += [(a.held(), each) for each in b._parts]


def flow(source: ValueCell, target: ValueCell) -> None:
    """Lets what a value can be reach a variable; what they hold becomes one."""
    source, target = source.root(), target.root()
    if source is target:
        return
    target.kinds |= source.kinds
    for each in source.bound:
        if each not in target.bound:
            target.bound.append(each)
    if source.kinds & HOLDERS or target.kinds & HOLDERS or source.wild:
        for name in ("_held", "_values"):
            ours, theirs = getattr(source, name), getattr(target, name)
            if ours is None and theirs is None:
                ours = ValueCell()
                setattr(source, name, ours)
            if ours is None:
                setattr(source, name, theirs)
            elif theirs is None:
                setattr(target, name, ours)
            else:
                merge(ours, theirs)
    if source._parts is not None:
        if target._parts is None:
            target._parts = source._parts
        elif target._parts is not source._parts and len(target._parts) == len(source._parts):
            for a, b in zip(source._parts, target._parts, strict=True):
                merge(a, b)
        elif target._parts is not source._parts:
            source.held(), target.held()


def taint(cell: ValueCell) -> None:
    """Marks a value, and all that it holds, as out of sight."""
    waiting = [cell.root()]
    while waiting:
        each = waiting.pop().root()
        if each.wild:
            continue
        each.kinds.add("?")
        waiting += each.inner()


class ValueKinds:
    """Kinds of a program's expressions and variables."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.variables: dict[Variable, ValueCell] = {}
        self.attributes: dict[str, ValueCell] = {}
        self.returns: dict[ast.AST, ValueCell] = {}
        self.cells: dict[ast.AST, ValueCell] = {}
        self.classes = {each.name: each for each in ast.walk(program.tree) if isinstance(each, ast.ClassDef)}
        self.methods: dict[str, list[ast.FunctionDef]] = {}
        for known in self.classes.values():
            for each in known.body:
                if isinstance(each, ast.FunctionDef):
                    self.methods.setdefault(each.name, []).append(each)
        self.defined = {program.variable[each]: each for each in program.functions() if each in program.variable
                        and len(program.stores(program.variable[each])) == 1}  # fmt: skip
        self.bound = {variable for variable in program.mentions if program.stores(variable)}
        self.closed = any(isinstance(each, (ast.Expr, ast.For, ast.While, ast.If, ast.With)) and any(
            isinstance(inner, ast.Call) for inner in ast.walk(each)) for each in program.tree.body)  # fmt: skip

    def size(self) -> int:
        """A figure that grows whenever something is learned."""
        cells = [*self.cells.values(), *self.variables.values(), *self.attributes.values(), *self.returns.values()]
        return sum(len(cell.root().kinds) + len(cell.root().bound) for cell in cells) + len(cells)

    def of(self, node: ast.AST) -> ValueCell:
        """The cell of an expression, or of the variable that a name, parameter or definition stands for."""
        if node in self.cells:
            return self.cells[node].root()
        if node in self.program.variable:
            return self.variables.setdefault(self.program.variable[node], ValueCell()).root()
        return self.cells.setdefault(node, ValueCell()).root()

    def attribute(self, name: str) -> ValueCell:
        return self.attributes.setdefault(name, ValueCell()).root()

    def result(self, function: ast.AST) -> ValueCell:
        return self.returns.setdefault(function, ValueCell()).root()

    def only(self, node: ast.AST | ValueCell, *kinds: str) -> bool:
        """Whether a value is surely of one of these kinds."""
        cell = node.root() if isinstance(node, ValueCell) else self.of(node)
        return bool(cell.kinds) and cell.kinds <= set(kinds)

    def plain(self, node: ast.AST | ValueCell, *more: str) -> bool:
        """Whether a value is a number, text or tuple of such, which nothing can change, and which equals its like."""
        cell = node.root() if isinstance(node, ValueCell) else self.of(node)
        if self.only(cell, "tuple"):
            rest = [cell._held.root()] if cell._held is not None else []
            inner = [*(cell._parts or []), *(each for each in rest if each.kinds or not cell._parts)]
            return bool(inner) and all(self.plain(each, *more) for each in inner)
        return bool(cell.kinds) and cell.kinds <= SCALARS | set(more)

    def hashable(self, node: ast.AST | ValueCell) -> bool:
        """Whether dicts and sets find a value where lists do: plain values and floats, nan by identity in both."""
        return self.plain(node, "float")

    def callee(self, call: ast.Call) -> list[ast.FunctionDef] | None:
        """The functions of the program that a call may reach; None where it may reach others."""
        function = call.func
        if isinstance(function, ast.Call) and ast.unparse(function.func) == "getattr" and len(function.args) == 2:
            names = self.texts(function.args[1]) or {""}
            known = self._objects(function.args[0]) and names <= self.methods.keys()
            return [each for name in sorted(names) for each in self.methods[name]] if known else None
        if isinstance(function, ast.Name) and function in self.program.variable:
            found = self.defined.get(self.program.variable[function])
            return [found] if found is not None else None
        if isinstance(function, ast.Attribute) and function.attr in self.methods:
            return self.methods[function.attr] if self._objects(function.value) else None
        return None

    def _objects(self, node: ast.expr) -> bool:
        return all(each.startswith("object ") or each in ("none", "class") for each in self.of(node).kinds)

    def texts(self, node: ast.AST) -> set[str] | None:
        """The texts that a constant, a parameter or a variable of a loop can be, where all are seen."""
        if isinstance(node, ast.Constant):
            return {node.value} if isinstance(node.value, str) else None
        program = self.program
        stores = program.stores(program.variable[node]) if isinstance(node, ast.Name) else []
        if len(stores) != 1:
            return None
        above = program.above[stores[0]]
        if isinstance(above, (ast.For, ast.comprehension)) and above.target is stores[0]:
            given: list[ast.expr | None] = [above.iter]
            if isinstance(above.iter, (ast.Tuple, ast.List)):
                given = [*above.iter.elts]
        elif isinstance(above, ast.arguments) and stores[0] in above.args:
            given = self._given(program.above[above], above.args.index(stores[0]))
        else:
            return None
        found = {each.value if isinstance(each, ast.Constant) else None for each in given}
        return {str(each) for each in found} if found and all(isinstance(each, str) for each in found) else None

    def _given(self, function: ast.AST, place: int) -> list[ast.expr | None]:
        """What the calls of a function of the program give it at a place; None for what is not seen."""
        variable = self.program.variable.get(function)
        if variable is None or self.defined.get(variable) is not function or not self.closed:
            return [None]
        above = [self.program.above[each] for each in self.program.mentions[variable] if each is not function]
        if isinstance(self.program.above[function], ast.ClassDef):
            return [None]
        return [
            each.args[place] if isinstance(each, ast.Call) and len(each.args) > place and not any(
                isinstance(given, ast.Starred) for given in each.args) else None
            for each in above
        ]  # fmt: skip
