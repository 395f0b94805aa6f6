"""A torch problem or candidate as Python's own syntax tree: its model, its functions, and edits of its text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.transformation import Rewrite, Setting

ORIGINAL, CANDIDATE = "Model", "ModelNew"
INPUTS = ("get_inputs", "get_init_inputs")
Function = ast.FunctionDef


@dataclass(frozen=True, eq=False)
class TorchSource:
    source: SourceFile
    tree: ast.Module
    model: ast.ClassDef

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer(rb"\n", self.source.data))]

    def start(self, node: ast.expr | ast.stmt) -> int:
        return self._line_starts[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._line_starts[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: ast.expr | ast.stmt) -> str:
        return self.source.data[self.start(node) : self.end(node)].decode()

    def replace(self, node: ast.expr | ast.stmt, text: str) -> Edit:
        return Edit(self.start(node), self.end(node), text)

    def line_start(self, node: ast.stmt) -> int:
        """Position at which the line of a statement, or of its first decorator, begins."""
        decorators: list[ast.expr] = getattr(node, "decorator_list", [])
        return self._line_starts[min([node.lineno, *(each.lineno for each in decorators)]) - 1]

    def next_line(self, node: ast.stmt) -> int:
        assert node.end_lineno is not None
        lines = self._line_starts
        return lines[node.end_lineno] if node.end_lineno < len(lines) else len(self.source.data)

    def alone(self, node: ast.stmt) -> bool:
        """Whether a statement has its lines for itself."""
        data = self.source.data
        behind = data[self.end(node) : self.next_line(node)].strip()
        before = data[self._line_starts[node.lineno - 1] : self.start(node)].strip()
        return not before and (not behind or behind[:1] == b"#")

    def in_front(self, text: str) -> Edit:
        """The edit that puts a text in front of the model."""
        at = self.line_start(self.model)
        return Edit(at, at, f"{text}\n\n")

    def remove(self, node: ast.stmt) -> Edit:
        return Edit(self.line_start(node), self.next_line(node), "")

    def method(self, name: str) -> Function | None:
        return next((each for each in self.model.body if isinstance(each, Function) and each.name == name), None)

    @cached_property
    def functional(self) -> str:
        """How this program writes torch.nn.functional."""
        names = {alias.asname: alias.name for node in ast.walk(self.tree) if isinstance(node, ast.Import)
                 for alias in node.names}  # fmt: skip
        found = next((name for name, of in names.items() if of == "torch.nn.functional" and name), None)
        from_torch = any(
            isinstance(node, ast.ImportFrom) and node.module == "torch.nn" and alias.name == "functional"
            for node in ast.walk(self.tree)
            for alias in getattr(node, "names", ())
        )
        return found or ("functional" if from_torch and "functional" in self.source.names else "torch.nn.functional")

    @cached_property
    def functions(self) -> list[tuple[ast.ClassDef | None, Function]]:
        """Functions that compute something, with the class they belong to."""
        found: list[tuple[ast.ClassDef | None, Function]] = []
        for node in self.tree.body:
            if isinstance(node, Function) and node.name not in INPUTS:
                found.append((None, node))
            if isinstance(node, ast.ClassDef):
                found += [(node, each) for each in node.body if isinstance(each, Function) and each.name != "__init__"]
        return found

    @cached_property
    def computing(self) -> str:
        """The text without the functions that make inputs."""
        parts = [each for each in self.tree.body if not (isinstance(each, Function) and each.name in INPUTS)]
        return "\n".join(self.text(each) for each in parts)

    def rewrite(self, line: int, edits: Iterable[Edit], options: str = "", weight: float = 1.0) -> Rewrite:
        """A rewrite whose result is a candidate, also where the program is still the problem."""
        return Rewrite(line, (*prepared(self), *edits), options, weight)


def program(source: SourceFile, setting: Setting) -> TorchSource | None:
    """The program as a torch model; None for other kinds of tasks, or a text without a model."""
    return _program(source) if setting.torch is not None else None


@lru_cache(maxsize=256)
def _program(source: SourceFile) -> TorchSource | None:
    if re.search(r"[\r\f\v\0]", source.code):  # lines would be counted in two ways
        return None
    try:
        tree = ast.parse(source.code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    model = classes.get(CANDIDATE) or classes.get(ORIGINAL)
    found = TorchSource(source, tree, model) if model is not None else None
    return found if found and found.method("forward") and _imports_torch(tree) else None


def _imports_torch(tree: ast.Module) -> bool:
    imports = [node for node in tree.body if isinstance(node, ast.Import)]
    return any(alias.name == "torch" and not alias.asname for node in imports for alias in node.names)


def prepared(program: TorchSource) -> tuple[Edit, ...]:
    """The edits that make a candidate of a problem: ModelNew for Model, and no functions that make inputs."""
    if program.model.name == CANDIDATE:
        return ()
    head = program.source.data.index(ORIGINAL.encode(), program.start(program.model))
    edits = [Edit(head, head + len(ORIGINAL), CANDIDATE), *_super_calls(program)]
    within = [(edit.start, edit.end) for edit in edits]
    dropped = list(_unused_inputs(program))
    edits += [_with_blank_lines(program, each) for each in dropped]
    within += [(program.line_start(each), program.next_line(each)) for each in dropped]
    for node in ast.walk(program.tree):
        if isinstance(node, ast.Name) and node.id == ORIGINAL:
            at = program.start(node)
            if not any(start <= at < end for start, end in within):
                edits.append(program.replace(node, CANDIDATE))
    return tuple(edits)


def _with_blank_lines(program: TorchSource, function: Function) -> Edit:
    """Takes a function out together with the blank lines in front of it."""
    removed = program.remove(function)
    kept = program.source.data[: removed.start].rstrip(b"\n")
    return Edit(min(removed.start, len(kept) + 1), removed.end, "")


def _super_calls(program: TorchSource) -> Iterator[Edit]:
    """`super(Model, self)` as `super()`."""
    for node in ast.walk(program.model):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super" and node.args:
            yield program.replace(node, "super()")


def _unused_inputs(program: TorchSource) -> Iterator[Function]:
    read = {node.id for node in ast.walk(program.tree) if isinstance(node, ast.Name)}
    for node in program.tree.body:
        if isinstance(node, Function) and node.name in INPUTS and node.name not in read and program.alone(node):
            yield node


def returned(function: Function) -> list[ast.expr | None]:
    """The values of its return statements, those of functions inside it left out."""
    found: list[ast.expr | None] = []
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Return):
            found.append(node.value)
        if not isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef | ast.AsyncFunctionDef):
            waiting.extend(ast.iter_child_nodes(node))
    return found


def parameters(function: Function) -> list[str] | None:
    """Names of the arguments behind self; None where there are other kinds than plain ones."""
    given = function.args
    if given.vararg or given.kwarg or given.kwonlyargs or given.posonlyargs or given.defaults:
        return None
    return [each.arg for each in given.args[1:]]


def indent_of(program: TorchSource, node: ast.stmt) -> str:
    """The white space in front of a statement that has its lines for itself."""
    return program.source.data[: program.start(node)].decode().rpartition("\n")[2] if program.alone(node) else ""


def has_kernel(code: str) -> bool:
    """Whether a program brings a kernel of its own."""
    return any(sign in code for sign in ("load_inline(", "@triton.jit", "RawKernel(", "_compile_kernel("))
