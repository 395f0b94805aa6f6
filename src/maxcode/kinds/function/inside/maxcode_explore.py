"""Process that looks at calls of the original: what they return and reach, and which others are like them.

    maxcode_explore.py replay SETTINGS CALLS     one JSON line for each call
    maxcode_explore.py vary SETTINGS CALLS       one JSON line for each new call

CALLS is a file of calls as they were recorded, each behind its length.
"""

import base64
import importlib
import itertools
import json
import os
import random
import struct
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

values: Any = importlib.import_module("maxcode_values")
varying: Any = importlib.import_module("maxcode_vary")
TOUCHING = ("open", "os.", "socket.", "subprocess.", "shutil.", "tempfile.", "urllib.", "sqlite3.")
TRIES, FRUITLESS = 8, 1000
"""Tries for each call that is wanted, and tries in a row that bring none before there are taken to be no more."""

MOST_STEPS = 100_000
"""Steps of a call that are traced: tracing is slow."""


class OriginalFunction:
    """The function as it is."""

    def __init__(self, wanted: dict[str, Any]) -> None:
        began = time.perf_counter()
        module = importlib.import_module(wanted["module"])
        self.import_seconds = time.perf_counter() - began
        self.scope = vars(module)
        self.call: Callable[..., Any] = values.plain_function(*values.holder_of(module, wanted["name"]))
        self.touched: set[str] = set()
        self._listening = False
        inner: Any = self.call
        while hasattr(inner, "__wrapped__"):
            inner = inner.__wrapped__
        self.code: Any = getattr(inner, "__code__", None)
        sys.addaudithook(self._hear)

    def outcome(self, call: Any) -> tuple[bool, Any, float]:
        args, kwargs = call
        self._listening = True
        began = time.perf_counter()
        try:
            return True, values.drained(self.call(*args, **kwargs)), time.perf_counter() - began
        except BaseException as error:
            return False, error, time.perf_counter() - began
        finally:
            self._listening = False

    def text(self, data: bytes) -> tuple[str, bool, str, float]:
        """What a call on a fresh copy returns, as text: whether it returns, the exception's name, and the seconds."""
        call = values.unpickled(data)
        fine, result, seconds = self.outcome(call)
        try:
            text = values.encoded(([fine, result], call)).decode("utf-8", "surrogatepass")
        except values.Unencodable as error:
            text = f"<no text: {error}>"
        return text, fine, "" if fine else values.name_of(type(result)), seconds

    def lines(self, data: bytes) -> set[int]:
        """Lines of the function that a call reaches in its first steps."""
        found: set[int] = set()
        codes = set(_codes(self.code)) if self.code else set()
        steps = itertools.count()

        def trace(frame: FrameType, _: str, __: Any) -> Any:
            if next(steps) > MOST_STEPS:
                sys.settrace(None)
            if frame.f_code not in codes:
                return None
            found.add(frame.f_lineno)
            return trace

        call = values.unpickled(data)
        before = sys.gettrace()
        sys.settrace(trace)
        try:
            self.outcome(call)
        finally:
            sys.settrace(before)
        return found

    def all_lines(self) -> list[int]:
        first = self.code.co_firstlineno if self.code else 0
        found = {line for code in _codes(self.code) for *_, line in code.co_lines() if line} if self.code else set()
        return sorted(found - {first})

    def _hear(self, event: str, arguments: Any) -> None:
        if self._listening and event.startswith(TOUCHING) and not _is_import(event, arguments):
            self.touched.add(f"{event} {arguments[0] if arguments else ''}"[:120])


def _is_import(event: str, arguments: Any) -> bool:
    path = str(arguments[0]) if arguments else ""
    return event in ("os.listdir", "os.scandir") or path.endswith((".py", ".pyc", ".so"))


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)


def replay(original: OriginalFunction, calls: list[bytes], say: Callable[[Any], None], wanted: dict[str, Any]) -> None:
    """Says what each call does, until time is up."""
    end = time.process_time() + wanted["seconds"]
    for data in calls:
        try:
            say(looked_at(original, data) if wanted["closely"] else {"text": original.text(data)[0]})
        except Exception as error:
            say({"problem": f"{type(error).__name__}: {error}"[:200]})
        if time.process_time() > end:
            break
    touched = sorted(original.touched)[:5]
    say({"all": original.all_lines(), "touched": touched, "import_seconds": original.import_seconds})


def looked_at(original: OriginalFunction, data: bytes) -> dict[str, Any]:
    text, fine, error, _ = original.text(data)
    seconds = min(original.outcome(values.unpickled(data))[2] for _ in range(2))
    lines = sorted(original.lines(data))
    return {"text": text, "fine": fine, "error": error, "seconds": seconds, "lines": lines, "seen": seen(data)}


def seen(data: bytes) -> str:
    """A call as one would write it, shortened."""
    args, kwargs = values.unpickled(data)
    words = [_short(each) for each in args] + [f"{name}={_short(each)}" for name, each in kwargs.items()]
    return ", ".join(words)


def _short(value: Any) -> str:
    try:
        text = repr(value)
    except Exception:
        text = f"<{type(value).__name__}>"
    return text if len(text) <= 100 else f"{text[:60]} ... {text[-30:]}"


def vary(original: OriginalFunction, calls: list[bytes], say: Callable[[Any], None], wanted: dict[str, Any]) -> None:
    """Says new calls that the original answers in a way that was seen, until there are enough or time is up."""
    rng = random.Random(wanted["seed"])
    ideas = varying.Ideas([values.unpickled(each) for each in calls], rng)
    known, said, end = set(calls), 0, time.monotonic() + wanted["seconds"]
    size = fruitless = 0
    slowest = wanted["slowest"]
    for _ in range(wanted["count"] * TRIES):
        if said >= wanted["count"] or time.monotonic() > end or size > wanted["bytes"] or fruitless > FRUITLESS:
            return
        fruitless += 1
        (number,) = rng.choices(range(len(calls)), wanted["weights"])
        data = _made(ideas, values.unpickled(calls[number]))
        if data is None or data in known or len(data) > wanted["call_bytes"]:
            continue
        known.add(data)
        text, fine, error, seconds = original.text(data)
        if not fine and error not in wanted["errors"]:
            continue
        if seconds > slowest or text != original.text(data)[0] or "<no text" in text:
            continue
        said, size, fruitless = said + 1, size + len(data), 0
        say({"call": base64.b64encode(data).decode(), "of": number})


def _made(ideas: Any, call: Any) -> Any:
    try:
        return values.pickled(ideas.varied(call))
    except Exception:
        return None


def read_calls(path: str) -> list[bytes]:
    data, at, found = Path(path).read_bytes(), 0, []
    while at < len(data):
        (length,) = struct.unpack_from("Q", data, at)
        found.append(data[at + 8 : at + 8 + length])
        at += 8 + length
    return found


def main() -> None:
    what, settings, calls = sys.argv[1:]
    sys.argv = [""]
    wanted = json.loads(settings)
    out = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)

    def say(what: Any) -> None:
        out.write(json.dumps(what) + "\n")

    given = read_calls(calls)
    sys.path[:0] = wanted["path"]
    os.chdir(wanted["folder"])
    original = OriginalFunction(wanted)
    if what == "replay":
        replay(original, given, say, wanted)
    else:
        vary(original, given, say, wanted)
    out.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
