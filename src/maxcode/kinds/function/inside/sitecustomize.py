"""Records the calls of one function in every Python process that finds this in its path.

$MAXCODE_RECORD is a JSON file: the module, the function's name, the folder for records, and bounds. Each process writes
one JSON file at its end.
"""

import atexit
import base64
import functools
import importlib
import json
import os
import sys
import time
import types
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

values: Any = importlib.import_module("maxcode_values")
MOST_OF_A_KIND = 12
"""Number of calls of one shape that are kept; further ones are only counted."""


class Recorder:
    def __init__(self, wanted: dict[str, Any]) -> None:
        self._wanted = wanted
        self._calls: dict[bytes, list[Any]] = {}
        self._shapes: dict[str, int] = {}
        self._refused: dict[str, int] = {}
        self._tests: dict[str, int] = {}
        self._inside = self._lazy = False
        self._bytes = 0
        self._count, self._seconds, self._own = 0, 0.0, 0.0
        self._began = time.perf_counter()
        atexit.register(self.write)

    def wrapped(self, function: Any) -> Any:
        def recorded(*args: Any, **kwargs: Any) -> Any:
            if self._inside:  # a call that the function makes of itself
                return function(*args, **kwargs)
            return self._recorded(function, args, kwargs)

        scope = getattr(function, "__globals__", globals())  # doctest takes no functions of other modules
        made = types.FunctionType(recorded.__code__, scope, closure=recorded.__closure__)
        return functools.update_wrapper(made, function)

    def _recorded(self, function: Any, args: Any, kwargs: Any) -> Any:
        began = time.perf_counter()
        test = os.environ.get("PYTEST_CURRENT_TEST", "").partition("::")[0]
        self._tests[test] = self._tests.get(test, 0) + 1
        self._inside = True
        try:
            copy = self._copy(args, kwargs)
        finally:
            self._inside = False
        started = time.perf_counter()
        self._own += started - began
        self._inside = True
        outcome: Any = None
        try:
            result = function(*args, **kwargs)
            outcome = [True, result]
            return result
        except BaseException as error:
            outcome = [False, error]
            raise
        finally:
            self._inside = False
            self._count += 1
            ended = time.perf_counter()
            self._seconds += ended - started
            if copy is not None:
                self._keep(copy, outcome, (args, kwargs), ended - started)
            self._own += time.perf_counter() - ended

    def _copy(self, args: Any, kwargs: Any) -> Any:
        shape = ",".join([_shape(each) for each in args] + [f"{k}={_shape(v)}" for k, v in kwargs.items()])
        seen = self._shapes[shape] = self._shapes.get(shape, 0) + 1
        if seen > MOST_OF_A_KIND and (seen & (seen - 1) or self._own > self._wanted["seconds"]):
            return None
        try:
            copy = values.pickled((args, kwargs))
            if len(copy) > self._wanted["call_bytes"] or self._bytes > self._wanted["bytes"]:
                raise ValueError("they are too large")
            return copy, shape
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"[:160]
            self._refused[reason] = self._refused.get(reason, 0) + 1
            return None

    def _keep(self, copy: Any, outcome: list[Any], after: Any, seconds: float) -> None:
        data, shape = copy
        known = self._calls.get(data)
        if known is not None:
            known[0] += 1
            return
        try:
            lazy = outcome[0] and type(outcome[1]) in values.LAZY
            self._lazy = self._lazy or lazy
            text = None if lazy else values.encoded((outcome, after)).decode("utf-8", "surrogatepass")
        except Exception:
            text = None
        self._calls[data] = [1, shape, text, seconds]
        self._bytes += len(data)

    def write(self) -> None:
        if not self._count:
            return
        report = {
            "calls": [[base64.b64encode(data).decode(), *known] for data, known in self._calls.items()],
            "shapes": self._shapes,
            "refused": self._refused,
            "tests": self._tests,
            "lazy": self._lazy,
            "count": self._count,
            "seconds": self._seconds,
            "whole": time.perf_counter() - self._began - self._own,
            "path": [each for each in sys.path if each],
        }
        target = Path(self._wanted["folder"]) / f"{os.getpid()}-{time.monotonic_ns()}.json"
        target.write_text(json.dumps(report))


def _shape(value: Any) -> str:
    kind = type(value).__name__
    try:
        return f"{kind}{len(value).bit_length()}"
    except Exception:
        return f"{kind}{value.bit_length()}" if type(value) is int else kind


def listen(wanted: dict[str, Any], recorder: Recorder) -> None:
    """Lets modules be loaded as usual, and puts the recording function in place before anybody else sees it.

    pytest, editable installations and others have import machinery of their own; all of it ends at the loader of
    source files.
    """
    usual = SourceFileLoader.exec_module

    def exec_module(self: Any, module: Any) -> None:
        usual(self, module)
        if module.__name__ == wanted["module"] or os.path.realpath(self.path) == wanted["file"]:
            replace(module, wanted["name"], recorder)

    loader: Any = SourceFileLoader
    loader.exec_module = exec_module


def replace(module: Any, name: str, recorder: Recorder) -> None:
    holder, last = values.holder_of(module, name)
    found = vars(holder)[last]
    recorded: Any = recorder.wrapped(values.plain_function(holder, last))
    if isinstance(found, (staticmethod, classmethod)):
        recorded = type(found)(recorded)
    elif isinstance(found, property):
        recorded = property(recorded, found.fset, found.fdel, found.__doc__)
    else:
        for name in ("cache_clear", "cache_info", "cache_parameters"):
            if hasattr(found, name):
                setattr(recorded, name, getattr(found, name))
    setattr(holder, last, recorded)


if "MAXCODE_RECORD" in os.environ:
    _wanted = json.loads(Path(os.environ["MAXCODE_RECORD"]).read_text())
    listen(_wanted, Recorder(_wanted))
