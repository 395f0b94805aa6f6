"""Values of calls: copies by pickle, and one text for all equal values.

Runs in the package's own interpreter, which may be an older one. The text of a value is the same in every process. It
names exact types, keeps floats to the bit, the order of dicts, and which mutable objects are one and the same.
"""

import copyreg
import functools
import hashlib
import importlib
import io
import marshal
import pickle
import sys
import types
from collections.abc import Callable
from typing import Any

LONGEST_BYTES = 200
MOST_ITEMS = 100_000
"""Number of items up to which a lazy result is read."""
PLAIN = frozenset([int, float, complex, str, bool, type(None), type(Ellipsis), type(NotImplemented), range, slice])
LAZY: tuple[type, ...] = (
    types.GeneratorType,
    map,
    filter,
    zip,
    reversed,
    enumerate,
    type(reversed([])),
    type(iter([])),
    type(iter(())),
    *(each for each in vars(importlib.import_module("itertools")).values() if isinstance(each, type)),
)
_get = object.__getattribute__


class Unencodable(Exception):
    """A value of which no text can say what it is."""


class Drained:
    """Items of a lazy result, read when it was returned."""

    def __init__(self, kind: type, items: list[Any]) -> None:
        self.kind, self.items = kind, items


def drained(result: Any) -> Any:
    """The result, or the items of a lazy one."""
    if type(result) not in LAZY:
        return result
    items = []
    for item in result:
        items.append(item)
        if len(items) >= MOST_ITEMS:
            break
    return Drained(type(result), items)


def encoded(value: Any) -> bytes:
    """Text of a value. Unencodable where there is none."""
    try:
        return _Encoding().text(value).encode("utf-8", "surrogatepass")
    except RecursionError:
        raise Unencodable("nested too deeply") from None


class _Encoding:
    def __init__(self) -> None:
        self._known: dict[int, int] = {}
        self._kept: list[Any] = []

    def text(self, value: Any) -> str:
        kind = type(value)
        if kind in PLAIN:
            return "nan" if kind is float and value != value else repr(value)
        if kind is bytes:
            return _bytes_text(value)
        if kind is tuple:
            return self._items("(", value, ")")
        number = self._known.get(id(value))
        if number is not None:
            return f"<same as {number}>"
        self._known[id(value)] = len(self._known)
        self._kept.append(value)  # an id is only good while its object lives
        return self._mutable(value, kind)

    def _mutable(self, value: Any, kind: type) -> str:
        if kind is list:
            return self._items("[", value, "]")
        if kind is dict:
            return self._pairs(value.items())
        if kind in (set, frozenset):
            return f"{kind.__name__}{{{', '.join(sorted(self._apart(each) for each in value))}}}"
        if kind is bytearray:
            return f"bytearray({_bytes_text(bytes(value))})"
        if kind is Drained:
            return f"{name_of(value.kind)}{self._items('<', value.items, '>')}"
        if isinstance(value, (type, types.ModuleType, types.BuiltinFunctionType)):
            return f"<{name_of(value)}>"
        if kind is types.FunctionType:
            return f"<function {_function_text(value)}>"
        if kind is types.MethodType:
            return f"<method {value.__name__} of {self.text(value.__self__)}>"
        return self._object(value, kind)

    def _object(self, value: Any, kind: type) -> str:
        """Text of any other object by what pickle would write of it, or by its attributes."""
        if isinstance(value, BaseException):
            return f"{name_of(kind)}{self.text(value.args)}"
        if kind is object and (places := _places(value)):
            return f"<object {min(name for _, name in places)}>"
        reduced = _reduced(value, kind)
        if isinstance(reduced, str):
            return f"<{name_of(kind)} {reduced}>"
        made, given, state, items, pairs = (*reduced, None, None, None)[:5]
        parts = [self.text(given), self._state(state)]
        parts += [self._items("[", items, "]")] if items is not None else []
        parts += [self._pairs(pairs)] if pairs is not None else []
        return f"{name_of(kind)}:{name_of(made)}({', '.join(parts)})"

    def _state(self, state: Any) -> str:
        """Text of an object's attributes, in whatever order they were set."""
        if type(state) is tuple and len(state) == 2 and type(state[1]) is dict:
            return f"({self._state(state[0])}, {self._state(state[1])})"
        if type(state) is not dict or not all(type(name) is str for name in state):
            return self.text(state)
        return self._pairs(sorted(state.items(), key=lambda pair: pair[0]))

    def _items(self, opening: str, items: Any, closing: str) -> str:
        return opening + ", ".join([self.text(each) for each in items]) + closing

    def _pairs(self, items: Any) -> str:
        return "{" + ", ".join([f"{self.text(key)}: {self.text(value)}" for key, value in items]) + "}"

    def _apart(self, value: Any) -> str:
        """Text of an element of a set, whose order means nothing."""
        return _Encoding().text(value)


def _reduced(value: Any, kind: type) -> Any:
    if kind in copyreg.dispatch_table:
        return copyreg.dispatch_table[kind](value)
    try:
        return value.__reduce_ex__(4)
    except Exception as error:
        raise Unencodable(f"a {name_of(kind)} ({error})") from None


def name_of(what: Any) -> str:
    """Name of a class, function or module; marked where the name leads to something else."""
    if isinstance(what, types.ModuleType):
        return what.__name__
    module, name = getattr(what, "__module__", None) or "builtins", getattr(what, "__qualname__", repr(type(what)))
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return f"{module}.{name}" if found is what or not isinstance(what, type) else f"another {module}.{name}"


def _bytes_text(value: bytes) -> str:
    if len(value) <= LONGEST_BYTES:
        return repr(value)
    return f"<{len(value)} bytes {hashlib.sha256(value).hexdigest()}>"


def _function_text(value: types.FunctionType) -> str:
    return f"{value.__module__}.{value.__qualname__}"


# ---- copies ---------------------------------------------------------------------------------------------------------


class _Pickler(pickle.Pickler):
    """Pickles functions without a name that leads to them, such as lambdas, by their code, and markers by name."""

    def reducer_override(self, value: Any) -> Any:
        if type(value) is object and (places := _places(value)):
            return _found_marker, (places,)
        if type(value) is not types.FunctionType or _is_found(value):
            return NotImplemented
        if value.__module__ == "__main__":
            raise pickle.PicklingError("a function of the command's main program")
        cells = tuple(cell.cell_contents for cell in value.__closure__ or ())
        return _made_function, (
            marshal.dumps(value.__code__),
            value.__module__,
            value.__qualname__,
            value.__defaults__,
            value.__kwdefaults__,
            cells,
        )


def _is_found(value: Any) -> bool:
    found: Any = sys.modules.get(value.__module__)
    for part in value.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is value


def _places(value: object) -> tuple[tuple[str, str], ...]:
    """Modules and variables that hold a marker: an object that stands for something, as in `MISSING = object()`."""
    return _markers(len(sys.modules)).get(id(value), ())


@functools.lru_cache(maxsize=1)
def _markers(_: int) -> dict[int, tuple[tuple[str, str], ...]]:
    found: dict[int, list[tuple[str, str]]] = {}
    for module in list(sys.modules):
        scope = getattr(sys.modules[module], "__dict__", {})
        for name, value in list(scope.items()):
            if type(value) is object:
                found.setdefault(id(value), []).append((module, name))
    return {number: tuple(sorted(places)) for number, places in found.items()}


def _found_marker(places: tuple[tuple[str, str], ...]) -> object:
    found = [getattr(sys.modules.get(module), name, None) for module, name in places]
    return next((each for each in found if type(each) is object), object())


def _made_function(code: bytes, module: str, name: str, defaults: Any, keywords: Any, cells: tuple[Any, ...]) -> Any:
    closure = tuple(types.CellType(each) for each in cells)
    scope = vars(importlib.import_module(module))
    made = types.FunctionType(marshal.loads(code), scope, name.rpartition(".")[2], defaults, closure)
    made.__qualname__, made.__kwdefaults__, made.__module__ = name, keywords, module
    return made


def pickled(value: Any) -> bytes:
    buffer = io.BytesIO()
    _Pickler(buffer, protocol=4).dump(value)
    return buffer.getvalue()


def unpickled(data: bytes) -> Any:
    return pickle.loads(data)


# ---- the function ---------------------------------------------------------------------------------------------------


def holder_of(module: Any, name: str) -> tuple[Any, str]:
    """Module or class that has the function, and the function's name there."""
    *outer, last = name.split(".")
    for part in outer:
        module = getattr(module, part)
    return module, last


def plain_function(holder: Any, name: str) -> Callable[..., Any]:
    """The function behind a name of a module or class, which methods of all sorts wrap."""
    found: Any = vars(holder)[name]
    if isinstance(found, (staticmethod, classmethod)):
        found = found.__func__
    elif isinstance(found, property):
        found = found.fget
    function: Callable[..., Any] = found
    return function
