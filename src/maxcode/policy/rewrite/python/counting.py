"""Python: counting with tables, and sorting."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.python.code import alone, body_of, call_of, mentions, scope_of
from maxcode.policy.rewrite.python.effects import changed, pure, values_of
from maxcode.policy.rewrite.python.imports import with_imports
from maxcode.policy.rewrite.python.sweep import is_plain_for
from maxcode.policy.rewrite.source import SourceFile, field
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation

EMPTY_TABLE = re.compile(r"\{\}|dict\(\)|Counter\(\)|(?:collections\.)?defaultdict\(int\)")


def _keys(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    found = []
    for node in source.find("call"):
        above, function = node.parent, field(node, "function")
        if call_of(source, node, source.text(function)) != [] or function.type != "attribute" or above is None:
            continue
        tested = above.type == "comparison_operator" and re.match(r"(?:not )?in$", source.text(above.children[-2]))
        walked = above.type in ("for_statement", "for_in_clause") and above.child_by_field_name("right") == node
        if source.text(field(function, "attribute")) == "keys" and (tested or walked) and above.children[0] != node:
            owner = field(function, "object")
            loop = above if above.type == "for_statement" else None
            if loop is None or source.text(owner) not in changed(source, loop):
                found.append((node, owner))
    if found:
        edits = tuple(source.replace(node, source.text(owner)) for node, owner in found)
        yield Rewrite(source.line(found[0][0]), edits)


def _get(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """`if k in d: d[k] += 1` `else: d[k] = 1`, either way round."""
    del setting
    for branch in source.find("if_statement"):
        otherwise = branch.child_by_field_name("alternative")
        test = re.fullmatch(r"(.+?) (not )?in (\w+)(?:\.keys\(\))?", source.text(field(branch, "condition")))
        if test is None or otherwise is None or otherwise.type != "else_clause" or not alone(source, branch):
            continue
        there, new = body_of(branch), body_of(otherwise)
        if test[2]:
            there, new = new, there
        key, table = test[1], test[3]
        if len(there) != 1 or len(new) != 1 or not pure(source, field(branch, "condition")):
            continue
        step = _counts_up(source, there[0], table, key)
        first = re.fullmatch(rf"{re.escape(f'{table}[{key}]')} = (.+)", source.text(new[0]))
        if step is None or first is None or first[1] != step:
            continue
        line = f"{table}[{key}] = {table}.get({key}, 0) + {step}"
        yield Rewrite(source.line(branch), (source.replace(branch, line),))


def _counts_up(source: SourceFile, node: Node, table: str, key: str) -> str | None:
    """What is added to `table[key]`."""
    place = re.escape(f"{table}[{key}]")
    found = re.fullmatch(rf"{place} (?:\+= |= {place} \+ )(\w+)", source.text(node))
    return found[1] if found else None


def _counter(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """A loop that does nothing but count what it walks over."""
    del setting
    for loop in source.find("for_statement"):
        inner = body_of(loop)
        if not is_plain_for(source, loop) or len(inner) != 1 or not alone(source, loop):
            continue
        key = source.text(field(loop, "left"))
        counted = re.fullmatch(
            rf"(\w+)\[{re.escape(key)}\] (?:\+= 1|= (?:\1\.get\({re.escape(key)}, 0\)|\1\[{re.escape(key)}\]) \+ 1)",
            source.text(inner[0]),
        )
        if counted is None or field(loop, "left").type != "identifier" or key == counted[1]:
            continue
        table = counted[1]
        values = values_of(source, table, loop)
        if not values or len(values) != 1 or not EMPTY_TABLE.fullmatch(source.text(values[0])):
            continue
        if _shown(source, table, loop) or mentions(source, table, field(loop, "right")):
            continue
        update = source.replace(loop, f"{table}.update({source.text(field(loop, 'right'))})")
        made = [] if source.text(values[0]) == "Counter()" else [source.replace(values[0], "Counter()")]
        edits = with_imports(source, (*made, update), "from collections import Counter")
        if edits is not None:
            yield Rewrite(source.line(loop), edits)


def _shown(source: SourceFile, table: str, node: Node) -> bool:
    """Whether a table is printed or compared as a whole, where a Counter is seen to be one."""
    for each in mentions(source, table, scope_of(node)):
        above = each.parent
        if above is None or (above.type in ("interpolation", "comparison_operator") and above.children[-1] != each):
            return True
        if above.type == "argument_list" and call_of(source, above.parent, "print", "str", "repr", "type") is not None:
            return True
    return False


def _itemgetter(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    found = []
    for node in source.find("keyword_argument"):
        key = re.fullmatch(r"key\s*=\s*lambda (\w+)\s*:\s*\(?\1\[(\w+)\](?:, \1\[(\w+)\])?\)?", source.text(node))
        if key and key[1] not in (key[2], key[3]):
            found.append((node, f"key=itemgetter({key[2]}{f', {key[3]}' if key[3] else ''})"))
    edits = with_imports(
        source, tuple(source.replace(node, new) for node, new in found), "from operator import itemgetter"
    )
    if found and edits is not None:
        yield Rewrite(source.line(found[0][0]), edits)


TRANSFORMATIONS = (
    Transformation(
        name="table-for-keys",
        family="python",
        summary="Asks a dict itself instead of its keys().",
        find=_keys,
        example=RewriteExample(
            before="""
ages = {"ann": 3}
for name in ages.keys():
    if name in ages.keys():
        print(name)
""",
            after="""
ages = {"ann": 3}
for name in ages:
    if name in ages:
        print(name)
""",
        ),
        languages=PYTHON,
        answers=("counting", "attribute-lookup"),
        refusals=("a = {1: 2}\nprint(list(a.keys()))\n", "a = {1: 2}\nfor v in a.values():\n    print(v)\n"),
    ),
    Transformation(
        name="get-for-counting",
        family="python",
        summary="Counts with get() instead of asking first whether the key is there.",
        find=_get,
        example=RewriteExample(
            before="""
counts = {}
for letter in "banana":
    if letter in counts:
        counts[letter] = counts[letter] + 1
    else:
        counts[letter] = 1
print(counts)
""",
            after="""
counts = {}
for letter in "banana":
    counts[letter] = counts.get(letter, 0) + 1
print(counts)
""",
        ),
        languages=PYTHON,
        answers=("counting",),
        refusals=(
            "d = {}\nfor c in 'ab':\n    if c in d:\n        d[c] += 1\n    else:\n        d[c] = 5\n",
            "d = {}\nfor c in 'ab':\n    if c in d:\n        d[c] += 1\n",
        ),
    ),
    Transformation(
        name="counter-for-loop",
        family="python",
        summary="Counts what a loop walks over with a Counter.",
        find=_counter,
        example=RewriteExample(
            before="""
counts = {}
for letter in "banana":
    counts[letter] = counts.get(letter, 0) + 1
print(counts["a"])
""",
            after="""
from collections import Counter

counts = Counter()
counts.update("banana")
print(counts["a"])
""",
        ),
        languages=PYTHON,
        answers=("counting",),
        prior=2.0,
        refusals=(
            "d = {}\nfor c in 'ab':\n    d[c] = d.get(c, 0) + 2\n",
            "d = {}\nfor c in 'ab':\n    d[c] = d.get(c, 0) + 1\nprint(d)\n",
            "d = {}\nfor c in 'ab':\n    d[c] = d.get(c, 0) + 1\n    print(c)\n",
        ),
    ),
    Transformation(
        name="itemgetter-for-lambda",
        family="python",
        summary="Sorts by an element with itemgetter(), which the interpreter does not have to run.",
        find=_itemgetter,
        example=RewriteExample(
            before="pairs = [(2, 'b'), (1, 'c')]\nprint(sorted(pairs, key=lambda pair: pair[1]))\n",
            after="""from operator import itemgetter

pairs = [(2, 'b'), (1, 'c')]
print(sorted(pairs, key=itemgetter(1)))
""",
        ),
        languages=PYTHON,
        answers=("sorting", "lambda-call"),
        prior=0.8,
        refusals=("print(sorted([3, 1], key=lambda x: -x))\n", "print(sorted('ab', key=lambda x: x.upper()))\n"),
    ),
)
