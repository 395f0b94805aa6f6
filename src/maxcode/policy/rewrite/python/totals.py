"""Python: counts and positions made once in the place of walks through a list."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from maxcode.policy.rewrite.python.imports import with_imports
from maxcode.policy.rewrite.python.tree.effects import Code, code_of
from maxcode.policy.rewrite.python.tree.shapes import method
from maxcode.policy.rewrite.source import SourceFile
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation


def _outermost(code: Code, node: ast.AST, items: ast.expr) -> ast.stmt | None:
    """The outermost loop around a place that leaves a list as it is."""
    outer, contents = None, set(code.contents(code.kinds.of(items)))
    for loop in code.program.loops_around(node):
        effects = code.effects(loop)
        if not code.steady(items, loop) or {each.root() for each in effects.changes} & contents:
            break
        outer = loop
    return outer if outer is not None and code.program.alone(outer) else None


def _counts(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """`items.count(x)` and `items.index(x)` in loops that leave the list alone."""
    del setting
    code = code_of(source)
    for call in ast.walk(code.program.tree) if code is not None else ():
        assert code is not None
        found = method(call, "count", "index")
        if (
            found is None
            or len(found[1]) != 1
            or not isinstance(call, ast.Call)
            or not isinstance(call.func, ast.Attribute)
        ):
            continue
        items, name = found[0], call.func.attr
        caught = any(isinstance(each, ast.Try) for each in ast.walk(code.program.tree))
        if (
            not code.kinds.only(items, "list")
            or not code.kinds.hashable(code.kinds.of(items).held())
            or (name == "index" and caught)
        ):
            continue
        outer = _outermost(code, call, items)
        if outer is None:
            outer = _comprehended(code, call, items)
        if outer is None or not code.kinds.hashable(found[1][0]):
            continue
        table, text = source.fresh("counts" if name == "count" else "places"), ast.unparse(items)
        made = (
            f"Counter({text})"
            if name == "count"
            else f"{{each: place for place, each in reversed(list(enumerate({text})))}}"
        )
        new = code.program.replace(call, f"{table}[{code.program.text(found[1][0])}]")
        edits = with_imports(
            source,
            (code.program.ahead(outer, f"{table} = {made}"), new),
            *(["from collections import Counter"] if name == "count" else []),
        )
        if edits is not None:
            yield Rewrite(call.lineno, edits, weight=2.0)


def _comprehended(code: Code, call: ast.Call, items: ast.expr) -> ast.stmt | None:
    """The statement around a comprehension that asks again and again."""
    around, statement = list(code.program.around(call)), code.program.statement(call)
    inner = [
        each
        for each in around[: around.index(statement)]
        if isinstance(each, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp))
    ]
    simple = isinstance(statement, (ast.Assign, ast.Expr, ast.Return, ast.AugAssign)) and code.program.alone(statement)
    changes = {each.root() for each in code.effects(*inner).changes} & set(code.contents(code.kinds.of(items)))
    return statement if inner and simple and not changes and code.steady(items, *inner) else None


TRANSFORMATIONS = (
    Transformation(
        name="table-for-count",
        family="python",
        summary="Counts or places all elements of a list once where a loop asks for one after another.",
        find=_counts,
        example=RewriteExample(
            before="""
words = "to be or not to be".split()
for word in sorted(set(words)):
    print(word, words.count(word), words.index(word))
""",
            after="""
from collections import Counter

words = "to be or not to be".split()
counts = Counter(words)
for word in sorted(set(words)):
    print(word, counts[word], words.index(word))
""",
        ),
        languages=PYTHON,
        answers=("counting", "membership-in-list"),
        prior=2.5,
        refusals=(
            "words = ['a']\nfor i in range(3):\n    words.append('a')\n    print(words.count('a'))\n",
            "text = 'abc'\nfor i in range(3):\n    print(text.count('a'))\n",
            """
words = ['a']
for word in ['a', 'b']:
    try:
        print(words.index(word))
    except ValueError:
        print(0)
""",
        ),
    ),
)
