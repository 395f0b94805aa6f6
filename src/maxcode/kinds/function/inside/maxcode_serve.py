"""Process that makes calls of one function when told to. It knows neither clocks nor expected results.

Commands of two 32-bit words come by descriptor 3: what to do, and with how many calls. A reply by descriptor 4 says
that it is done. Calls come and results go through the memory file of descriptor 5. Its first words are the length of
the calls, the place of the results, and the length of the results.
"""

import gc
import importlib
import io
import json
import mmap
import os
import struct
import sys
import warnings
from time import monotonic_ns
from typing import Any

COMMANDS, REPLIES, SHARED = 3, 4, 5
HEAD = 4096
LOAD, CALL, ANSWER = 1, 2, 3


class Server:
    def __init__(self, wanted: dict[str, Any]) -> None:
        self._shared = mmap.mmap(SHARED, 0)
        self._values: Any = importlib.import_module("maxcode_values")
        module = importlib.import_module(wanted["module"])
        self._scope, self._names = vars(module), wanted["globals"]
        self._defined = {name: value for name, value in self._scope.items() if callable(value)}
        self._function = self._values.plain_function(*self._values.holder_of(module, wanted["name"]))
        self._calls: list[Any] = []
        self._results: list[Any] = []
        self._next = 0
        self._printed, self._warned = io.StringIO(), list[Any]()

    def serve(self) -> None:
        work = {LOAD: self._load, CALL: self._call, ANSWER: self._answer}
        os.write(REPLIES, struct.pack("q", 0))
        while len(command := os.read(COMMANDS, 8)) == 8:
            what, count = struct.unpack("ii", command)
            began = monotonic_ns()
            if what in work:
                work[what](count)
            os.write(REPLIES, struct.pack("q", monotonic_ns() - began))

    def _load(self, count: int) -> None:
        at, self._calls = HEAD, []
        for _ in range(count):
            (length,) = struct.unpack_from("Q", self._shared, at)
            self._calls.append(self._values.unpickled(self._shared[at + 8 : at + 8 + length]))
            at += 8 + length
        self._results, self._next = [None] * count, 0
        gc.collect()
        gc.freeze()

    def _call(self, count: int) -> None:
        """Makes the next calls."""
        function, drained, results = self._function, self._values.drained, self._results
        first, self._next = self._next, self._next + count
        usual, sys.stdout = sys.stdout, self._printed
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            for number in range(first, first + count):
                args, kwargs = self._calls[number]
                try:
                    results[number] = [True, drained(function(*args, **kwargs))]
                except BaseException as error:
                    results[number] = [False, error]
        sys.stdout = usual
        self._warned += warned

    def _answer(self, count: int) -> None:
        parts = [self._text(each) for each in list(map(_beside, self._results, self._calls))[:count]]
        state = {name: self._text(self._scope.get(name)).decode("utf-8", "replace") for name in self._names}
        said = sorted({f"{each.category.__name__}: {each.message}" for each in self._warned})
        replaced = sorted(name for name, value in self._defined.items() if self._scope.get(name) is not value)
        beside = {"printed": self._printed.getvalue(), "warned": said, "globals": state, "replaced": replaced}
        parts.append(json.dumps(beside, sort_keys=True).encode())
        whole = b"".join(struct.pack("Q", len(part)) + part for part in parts)
        (place,) = struct.unpack_from("Q", self._shared, 8)
        struct.pack_into("Q", self._shared, 16, len(whole))
        if place + len(whole) <= len(self._shared):
            self._shared[place : place + len(whole)] = whole
        self._printed.seek(0)
        self._printed.truncate()

    def _text(self, value: Any) -> bytes:
        try:
            text: bytes = self._values.encoded(value)
        except BaseException as error:
            return f"<no text: {type(error).__name__}>".encode()
        return text


def _beside(result: Any, call: Any) -> tuple[Any, Any]:
    return result, call


def main() -> None:
    wanted = json.loads(sys.argv[1])
    sys.argv = [""]
    sys.path[:0] = wanted["path"]
    os.chdir(wanted["folder"])
    Server(wanted).serve()


if __name__ == "__main__":
    main()
