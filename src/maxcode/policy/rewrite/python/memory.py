"""Python: remembering what a function has answered."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from maxcode.policy.rewrite.python.imports import defining, with_imports
from maxcode.policy.rewrite.python.tree.effects import Code, CodeEffects, code_of
from maxcode.policy.rewrite.python.tree.kinds import HOLDERS
from maxcode.policy.rewrite.python.tree.program import COMPREHENSIONS
from maxcode.policy.rewrite.python.tree.shapes import repeats
from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation

_BY_IDENTITY = """
def by_identity(function):
    answers = {}

    def answer(given):
        known = answers.get(id(given))
        if known is None:
            known = answers[id(given)] = given, function(given)
        return known[1]

    return answer
"""


def _cache(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    code = code_of(source)
    for function in code.program.functions() if code is not None else ():
        assert code is not None
        calls = _calls(code, function)
        again = [call for call in calls if code.program.inside(call, function)]
        if (
            not _works(function)
            or not any(repeats(code, call) for call in calls)
            or not _answers_alike(code, function, calls)
        ):
            continue
        line = source.code.split("\n")[function.lineno - 1]
        indent = line[: len(line) - len(line.lstrip())]
        at = code.program.starts[function.lineno - 1] + len(indent)
        if all(_hashable(code, each) for each in function.args.args):
            edit = Edit(at, at, f"@lru_cache(maxsize=None)\n{indent}")
            edits = with_imports(source, (edit,), "from functools import lru_cache")
            if edits is not None:
                often = len(calls) > 1 or any(_often(code, call) for call in calls)
                yield Rewrite(function.lineno, edits, weight=2.0 if len(again) > 1 else 1.0 if often else 0.4)
        elif not again and _by_identity(code, function) and "by_identity" not in source.names:
            edits = (defining(source, _BY_IDENTITY), Edit(at, at, "@by_identity\n"))
            yield Rewrite(function.lineno, edits, "identity", weight=1.5)


def _by_identity(code: Code, function: ast.FunctionDef) -> bool:
    arguments = function.args.args
    alone = len(arguments) == 1 and isinstance(code.program.above[function], ast.Module)
    return alone and bool(code.kinds.of(arguments[0]).kinds - {"exact", "time", "float"})


def _often(code: Code, call: ast.Call) -> bool:
    """Whether the function around a call is called at several places."""
    caller = code.program.function(call)
    return isinstance(caller, ast.FunctionDef) and len(_calls(code, caller)) > 1


def _calls(code: Code, function: ast.FunctionDef) -> list[ast.Call]:
    return [each for each in ast.walk(code.program.tree)
            if isinstance(each, ast.Call) and function in (code.kinds.callee(each) or [])]  # fmt: skip


def _works(function: ast.FunctionDef) -> bool:
    """Whether a call costs more than looking its answer up."""
    kinds = (ast.For, ast.While, ast.Call, *COMPREHENSIONS)
    return any(isinstance(each, kinds) for statement in function.body for each in ast.walk(statement))


def _answers_alike(code: Code, function: ast.FunctionDef, calls: list[ast.Call]) -> bool:
    """Whether equal arguments get equal answers, which nobody changes, and nothing else is done."""
    arguments = function.args
    plain = arguments.args and not (
        arguments.vararg or arguments.kwarg or arguments.kwonlyargs or function.decorator_list
    )
    effects = code.summary(function)
    named = code.program.mentions[code.program.variable[function]]
    only_called = all(isinstance(code.program.above.get(each), ast.Call) or each is function for each in named)
    nested = not _lasts(code, code.program.above[function])
    if not plain or not effects.pure or nested or not only_called or any(call.keywords for call in calls):
        return False
    result = code.kinds.result(function)
    everything = code.effects(code.program.tree)
    for each in code.program.functions():
        if each is not function:
            everything.add(code.summary(each))
    if "".join(result.kinds) == "none" or result.wild or not result.kinds or "iter" in result.kinds:
        return False
    changed = {each.root() for each in everything.changes}
    held = {each.root() for each in code.contents(result)}
    if result.kinds & HOLDERS and (held & changed or everything.unknown):
        return False
    if any(each.startswith("object") for each in result.kinds) and everything.stores:
        return False
    return not effects.depends_on(_meanwhile(code, function))


def _lasts(code: Code, home: ast.AST) -> bool:
    """Whether a function defined here is made once: in a module, a class, or a function that is called once."""
    if isinstance(home, ast.FunctionDef):
        calls, named = _calls(code, home), code.program.mentions[code.program.variable[home]]
        once = len(calls) == 1 and len(named) == 2 and not code.program.loops_around(calls[0])
        return once and isinstance(code.program.function(calls[0]), ast.Module)
    return isinstance(home, (ast.Module, ast.ClassDef))


def _meanwhile(code: Code, function: ast.FunctionDef) -> CodeEffects:
    """Effects of all that runs between the first call of a function and the last."""
    found = CodeEffects()
    home = code.program.above[function]
    if isinstance(home, ast.FunctionDef):
        found.add(code.effects(*home.body))
    for block in _once(code):
        reaching = [place for place, each in enumerate(block) if _reaches(code, each, function)]
        for each in block[reaching[0] : reaching[-1] + 1] if reaching else ():
            found.add(code.effects(each))
    return found


def _once(code: Code) -> list[list[ast.stmt]]:
    """The block of statements in which the program's work is done: each statement runs once, in this order."""
    block = code.program.tree.body
    while True:
        work = [
            each for each in block if not isinstance(each, (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom))
        ]
        last = work[-1] if work else None
        if isinstance(last, ast.If) and not last.orelse and "__name__" in ast.unparse(last.test):
            last = last.body[-1]
        call = last.value if isinstance(last, ast.Expr) else None
        callee = code.kinds.callee(call) if isinstance(call, ast.Call) else None
        simple = all(isinstance(each, (ast.Assign, ast.AnnAssign, ast.Expr, ast.If)) for each in work)
        if not callee or len(_calls(code, callee[0])) != 1 or not simple or (
            any(code.kinds.callee(e) for w in work[:-1] for e in ast.walk(w) if isinstance(e, ast.Call))
        ):  # fmt: skip
            return [block]
        block = callee[0].body


def _reaches(code: Code, node: ast.AST, function: ast.FunctionDef) -> bool:
    waiting: list[ast.AST] = [node]
    seen: set[ast.AST] = set()
    while waiting:
        each = waiting.pop()
        if isinstance(each, (ast.FunctionDef, ast.ClassDef)) and each is node:
            return False
        for call in ast.walk(each):
            names = code.kinds.callee(call) or [] if isinstance(call, ast.Call) else []
            made = (
                code.kinds.classes.get(call.func.id)
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
                else None
            )
            names = [
                *names,
                *(e for e in (made.body if made else ()) if isinstance(e, ast.FunctionDef) and e.name == "__init__"),
            ]
            if function in names:
                return True
            waiting += [body for found in names if found not in seen for body in found.body]
            seen.update(names)
    return False


def _hashable(code: Code, argument: ast.arg) -> bool:
    """Whether an argument is found again by its value: plain values and objects that are compared by identity."""
    kinds = code.kinds.of(argument).kinds
    objects = {each for each in kinds if each.startswith("object ")}
    for each in objects:
        made = code.kinds.classes[each.removeprefix("object ")]
        if made.decorator_list or any(
            isinstance(e, ast.FunctionDef) and e.name in ("__eq__", "__hash__") for e in made.body
        ):
            return False
    return (code.kinds.plain(argument) and not {"int", "bool"} <= kinds) or (bool(objects) and kinds == objects)


TRANSFORMATIONS = (
    Transformation(
        name="cache-function",
        family="python",
        summary="Remembers the results of a function that depends on its arguments alone and is asked often.",
        find=_cache,
        example=RewriteExample(
            before="""
def ways(n):
    if n < 2:
        return 1
    return ways(n - 1) + ways(n - 2)


print(ways(20))
""",
            after="""
from functools import lru_cache


@lru_cache(maxsize=None)
def ways(n):
    if n < 2:
        return 1
    return ways(n - 1) + ways(n - 2)


print(ways(20))
""",
        ),
        languages=PYTHON,
        answers=("recursion",),
        prior=2.0,
        refusals=(
            "def show(n):\n    print(n)\n    return show(n - 1) if n else 0\n\n\nshow(3)\n",
            "def f(a):\n    return a[0] + f(a[1:]) if a else 0\n\n\nprint(f([1, 2]))\n",
            "def f(n):\n    out = [n] * len(str(n))\n    return out\n\n\nfor i in range(3):\n    f(i).append(1)\n",
            """
def main():
    k = 3

    def f(n):
        return sum(range(n)) + k

    for i in range(3):
        print(f(2), f(i))
        k = i


main()
""",
            "seen = []\n\n\ndef f(n):\n    seen.append(n)\n    return f(n - 1) if n else 0\n\n\nf(3)\n",
            """
base = 1


def f(n):
    return sum(range(n)) + base


for i in range(3):
    print(f(2))
    base += 1
""",
            """
def f(xs):
    return sum(x for x in xs)


rows = [[1]]
for row in rows * 2:
    print(f(row))
    row.append(2)
""",
        ),
    ),
)
