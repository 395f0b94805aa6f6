"""Says of changed versions of a function whether they do something else on recorded calls; outside of MaxCode's judge.

    differ.py SETTINGS     JSON on standard input: inside, path, module, name, calls (base 64), versions (texts)

Prints a JSON list: for each version the number of the first call that differs, or null. Calls on which the original
differs from itself in the same process do not count.
"""

import __future__ as future

import base64
import importlib
import json
import os
import resource
import signal
import sys
import types

SECONDS, MEMORY = 5, 3 << 30


class TooLong(BaseException):
    pass


def late(*_):
    raise TooLong


def texts(function, calls, values):
    for data in calls:
        args, kwargs = values.unpickled(data)
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        try:
            found = [True, values.drained(function(*args, **kwargs))]
        except BaseException as error:
            found = [False, error]
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        try:
            yield values.encoded((found, (args, kwargs)))
        except values.Unencodable:
            yield None


def version(text, module, name, original):
    scope = dict(vars(module))
    exec(compile(text, module.__file__, "exec", future.annotations.compiler_flag, dont_inherit=True), scope)
    made = scope[name.rpartition(".")[2]]
    return made if isinstance(made, types.FunctionType) or callable(made) else original


def main():
    given = json.load(sys.stdin)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGALRM, late)
    out = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.path[:0] = [*given["path"], given["inside"]]
    values = importlib.import_module("maxcode_values")
    module = importlib.import_module(given["module"])
    original = values.plain_function(*values.holder_of(module, given["name"]))
    calls = [base64.b64decode(each) for each in given["calls"]]
    expected, again = (list(texts(original, calls, values)) for _ in range(2))
    stable = [one == two for one, two in zip(expected, again, strict=False)]
    answers = []
    for text in given["versions"]:
        try:
            function = version(text, module, given["name"], original)
        except Exception:
            answers.append(None)
            continue
        got = texts(function, calls, values)
        unlike = (n for n, (one, two) in enumerate(zip(expected, got, strict=False)) if one != two and stable[n])
        answers.append(next(unlike, None))
    json.dump(answers, out)
    out.flush()
    os._exit(0)


main()
