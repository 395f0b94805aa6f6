"""A torch problem's file: what it must define, its constants, and the same problem at another size.

Nothing here runs the file or needs torch. Whether a problem works at another size, only a run can tell: `variants`
gives the sizes worth trying, best first, and sizing.py tries them.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod, sqrt
from pathlib import Path
from typing import Any

from maxcode.core import InputError
from maxcode.kinds.torch.problem.module import Module, Number, assignments, is_number, names_in, value_of
from maxcode.kinds.torch.table import Constants
from maxcode.task.load import check_folder
from maxcode.task.model import Task

DEFINITIONS = {
    "Model": "class Model(nn.Module)",
    "get_inputs": "def get_inputs(): a list of what forward takes",
    "get_init_inputs": "def get_init_inputs(): a list of what Model's constructor takes",
}
SMALLEST_INNER = 8
"""Dimensions other than the first are not made smaller than this while something else will do."""
_SHAPE_IN_ARGUMENTS = {"rand", "randn", "zeros", "ones", "empty"}
_SHAPE_IN_TUPLE = {"randint", "full", "normal", "sample", "rsample"}
_LENGTH = {"randperm", "arange"}


def check_problem(text: str, where: str) -> None:
    """Raises InputError where the file cannot be a problem."""
    defined = Module(text, where).defined
    missing = [words for name, words in DEFINITIONS.items() if name not in defined]
    if missing:
        raise InputError(f"{where}: has no {missing[0]}. A problem defines {', '.join(DEFINITIONS)}.")


def check_files(file: Path, task: Task) -> None:
    check_folder(file, task)
    check_problem(task.read(task.main_file), str(task.folder / task.main_file))


def looks_like_problem(text: str) -> bool:
    """True if the file seems to be meant as a problem; `check_problem` says what is missing."""
    try:
        return len(set(DEFINITIONS) & Module(text).defined) >= 2
    except InputError:
        return False


def constants(text: str) -> Constants:
    """The numbers at module level, by name; what is computed from others is not among them."""
    return dict(Module(text).numbers)


def with_constants(text: str, values: Mapping[str, Number], where: str = "the problem") -> str:
    """The file with other values of its constants; what is computed from them follows by itself."""
    module = Module(text, where)
    for name, value in values.items():
        _check_value(module, name, value)
    return module.replaced(values)


def _check_value(module: Module, name: str, value: Number) -> None:
    if name not in module.numbers:
        sources = sorted(module.sources(ast.Name(name)))
        there = ", ".join(f"{each} = {number}" for each, number in module.numbers.items()) or "none"
        why = f"is computed from {', '.join(sources)}; change that" if sources else "is not there"
        raise InputError(f"{module.where}: constant '{name}' {why}. Constants at module level: {there}.")
    if isinstance(module.numbers[name], int) and not isinstance(value, int):
        raise InputError(f"{module.where}: constant '{name}' is a whole number; {value} is not.")


def as_toml(values: Constants) -> str:
    """A table on one line; names that are not plain ASCII are quoted."""
    named = (f"{name if name.isascii() else json.dumps(name)} = {value!r}" for name, value in values.items())
    return f"{{ {', '.join(named)} }}"


def elements(text: str) -> int:
    """Number of elements of all inputs, as far as their shapes can be read."""
    return _Sizes(Module(text)).elements({})


def scaled(text: str, factor: float) -> Constants:
    """Constants to change so that inputs have about `factor` times as many elements: the first of the variants."""
    return next(iter(variants(text, factor)), {})


def variants(text: str, factor: float) -> tuple[Constants, ...]:
    """Changes of constants for about `factor` times the elements, the best first.

    Those that reach it come first, and among them those that leave the model's sizes alone.
    """
    sizes = _Sizes(Module(text))
    wanted = max(sizes.elements({}) * factor, 1.0)
    found = sizes.smaller(wanted) if factor < 1 else [sizes.larger(wanted)] if factor > 1 else []
    ordered = sorted((each for each in found if each), key=lambda each: max(sizes.elements(each), 2 * wanted))
    return tuple(each for i, each in enumerate(ordered) if each not in ordered[:i])


def extra_shapes(text: str) -> tuple[Constants, ...]:
    """Shapes that a correct program must handle too: 1 and 3 along the first dimension, an odd size along another.

    Only constants that nothing but get_inputs uses are changed: the model stays the same.
    """
    sizes = _Sizes(Module(text))
    able = [name for name in sizes.free if sizes.free[name] > 3 and sizes.only_inputs_use(name)]
    outer = [name for name in able if name in sizes.outermost][:1]
    inner = [name for name in able if name not in sizes.outermost][-1:]
    found: list[Constants] = [{name: size} for name in outer for size in (1, 3)]
    return tuple(found + [{name: sizes.free[name] - 1 - sizes.free[name] % 2} for name in inner])


@dataclass(frozen=True)
class _Sizes:
    """The constants that give inputs their shapes."""

    module: Module

    @cached_property
    def shapes(self) -> list[list[ast.expr]]:
        """The dimensions of each tensor that get_inputs makes."""
        function = self.module.function("get_inputs")
        calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)] if function else []
        return [shape for call in calls if (shape := _shape(call))]

    @cached_property
    def _locals(self) -> dict[str, ast.expr]:
        function = self.module.function("get_inputs")
        return dict(pair for statement in (function.body if function else ()) for pair in assignments(statement))

    @cached_property
    def _of_model(self) -> set[str]:
        function = self.module.function("get_init_inputs")
        return self.module.sources(function) if function else set()

    @cached_property
    def all(self) -> dict[str, int]:
        """Constants in the shapes of inputs with their values, in order of appearance."""
        names = dict.fromkeys(name for shape in self.shapes for each in shape for name in self._in(each))
        return {name: int(self.module.numbers[name]) for name in names}

    @cached_property
    def free(self) -> dict[str, int]:
        """Constants of `all` that the model's constructor does not depend on: batch, length, height."""
        return {name: size for name, size in self.all.items() if name not in self._of_model}

    @cached_property
    def outermost(self) -> set[str]:
        return {name for shape in self.shapes for name in self._in(shape[0])}

    def _in(self, dimension: ast.expr) -> list[str]:
        local = [self._locals[name] for name in names_in(dimension) if name in self._locals]
        found = self.module.sources(dimension, *local)
        return sorted(name for name in found if _is_size(self.module.numbers[name]))

    def only_inputs_use(self, name: str) -> bool:
        others = [each for each in self.module.tree.body if getattr(each, "name", "") != "get_inputs"]
        return name not in self.module.sources(*(each for each in others if not list(assignments(each))))

    def elements(self, changed: Mapping[str, Number]) -> int:
        known = self.module.values(changed)
        for name, node in self._locals.items():
            known[name] = value_of(node, known)
        return sum(prod(_length(each, known) for each in shape) for shape in self.shapes)

    def smaller(self, wanted: float) -> list[Constants]:
        floors = {name: 1 if name in self.outermost else min(SMALLEST_INNER, size) for name, size in self.free.items()}
        outer = {name: size for name, size in self.free.items() if name in self.outermost}
        balanced, first = self._halved(self.free, wanted, floors), self._halved(outer, wanted, floors)
        tiny = self._halved(self.free, wanted, dict.fromkeys(self.free, 1))
        return [balanced, first, self._with_model(balanced, wanted), tiny, self._with_model(first, wanted)]

    def _halved(self, names: Mapping[str, int], wanted: float, floors: Mapping[str, int]) -> Constants:
        """Changes that halve the largest constant again and again, until there are few enough elements."""
        now = dict(names)
        while self.elements(now) > sqrt(2) * wanted:
            able = [name for name in now if now[name] // 2 >= floors[name]]
            if not able:
                break
            largest = max(able, key=lambda name: now[name])
            now[largest] //= 2
        return {name: size for name, size in now.items() if size != names[name]}

    def _with_model(self, changed: Constants, wanted: float) -> Constants:
        """The changes, with constants that inputs and model share halved too.

        What divided such a constant still does.
        """
        shared = {name: size for name, size in self.all.items() if name in self._of_model}
        fixed = [n for name in self._of_model - set(shared) if isinstance(n := self.module.numbers[name], int)]
        now: Constants = {**changed}
        while self.elements(now) > sqrt(2) * wanted:
            halves = {name: int(now.get(name, size)) // 2 for name, size in shared.items()}
            fitting = {name: half for name, half in halves.items() if _divides_alike(shared[name], half, fixed)}
            if not fitting:
                break
            now |= fitting
        return now

    def larger(self, wanted: float) -> Constants:
        name = next((name for name in self.free if name in self.outermost), None)
        if name is None:
            return {}
        size = self.free[name]
        while self.elements({name: size}) < wanted / sqrt(2):
            size *= 2
        return {name: size}


def _shape(call: ast.Call) -> list[ast.expr] | None:
    """The dimensions of the tensor that a call makes, if it makes one."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    given = next((keyword.value for keyword in call.keywords if keyword.arg in ("size", "shape", "sample_shape")), None)
    tuples = [each for each in (given, *call.args) if isinstance(each, ast.Tuple | ast.List)]
    if name in _SHAPE_IN_ARGUMENTS | _SHAPE_IN_TUPLE and tuples:
        return list(tuples[0].elts)
    if name in _SHAPE_IN_ARGUMENTS:
        return [given] if given else list(call.args)
    return call.args[:1] if name in _LENGTH | {"sample", "rsample"} else None


def _length(dimension: ast.expr, known: Mapping[str, Any]) -> int:
    """Length of one dimension, or product of several (`*shape`, a name that stands for a tuple); 1 where it is not
    known."""
    value = value_of(dimension.value if isinstance(dimension, ast.Starred) else dimension, known)
    if isinstance(value, tuple):
        return prod(int(each) for each in value if is_number(each))
    return int(value) if is_number(value) else 1


def _is_size(value: Number) -> bool:
    return isinstance(value, int) and value > 1


def _divides_alike(size: int, smaller: int, others: list[int]) -> bool:
    divisors = [each for each in others if each > 1 and size % each == 0]
    return smaller >= 1 and all(smaller % each == 0 for each in divisors)
