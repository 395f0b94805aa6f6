"""Python: functions that make code faster by being there, by being gone, or by remembering."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.python_code import (
    ASKING,
    BUILT_IN,
    COMPREHENSIONS,
    LOOPS,
    READING,
    alone,
    body_of,
    bound,
    call_of,
    changed,
    looks_like_list,
    mentions,
    plain_arguments,
    pure,
    statements,
    used,
    variables,
    with_imports,
)
from maxcode.policy.rewrite.source import Edit, Source, ancestors, enclosing, field, inside
from maxcode.policy.rewrite.transformation import PYTHON, Example, Rewrite, Setting, Transformation

REFLECTION = {"eval", "exec", "globals", "locals", "vars", "numba", "multiprocessing", "pickle", "__main__"}


DEFINITIONS = ("function_definition", "class_definition", "decorated_definition")


def _main(source: Source, setting: Setting) -> Iterator[Rewrite]:
    """Everything behind the imports moves into a function: its variables are then found by number, not by name."""
    del setting
    if source.broken or REFLECTION & source.names or "main" in source.names:
        return
    moved = _behind_imports(source)
    loops = [each for node in moved if node.type in LOOPS for each in (node, *source.find(*LOOPS, within=node))]
    unmovable = any("import" in each.type and "*" in source.text(each) for each in moved)
    if not loops or unmovable or not _movable_names(source, moved):
        return
    start = source.data.rfind(b"\n", 0, moved[0].start_byte) + 1
    if source.data[start : moved[0].start_byte].strip():
        return
    edits = [Edit(start, start, _gap(source, start) + "def main():\n"), *_indented(source, start)]
    edits += [source.replace(each.children[0], "nonlocal") for each in source.find("global_statement")]
    end = len(source.data)
    newline = "" if source.code.endswith("\n") else "\n"
    edits.append(Edit(end, end, f"{newline}\n\nmain()\n"))
    yield Rewrite(source.line(moved[0]), tuple(edits), weight=1.0 + 0.2 * len(loops))


def _gap(source: Source, at: int) -> str:
    """The line breaks that are missing for two blank lines, or none at the top of the file."""
    above = source.data[:at]
    there = len(above) - len(above.rstrip()) - 1
    return "\n" * max(0, 2 - there) if above.strip() else ""


def _behind_imports(source: Source) -> list[Node]:
    top = statements(source.root)
    first = next((i for i, node in enumerate(top) if not _is_heading(node)), len(top))
    return top[first:]


def _is_heading(node: Node) -> bool:
    is_docstring = node.type == "expression_statement" and node.named_children[0].type == "string"
    return is_docstring or "import" in node.type


def _movable_names(source: Source, moved: list[Node]) -> bool:
    """Whether no built-in name is read before it is set anew, and no function makes a global of its own."""
    names = {name for node in moved for name in bound(source, node)}
    for name in names & BUILT_IN:
        first = mentions(source, name, source.root)[0]
        statement = next((node for node in moved if inside(first, node)), None)
        right = first.parent.child_by_field_name("right") if first.parent is not None else None
        if statement is None or right is None or inside(first, right) or mentions(source, name, right):
            return False
    inner = {name for node in moved if node.type not in DEFINITIONS for name in bound(source, node)}
    return all(source.text(e) in inner for each in source.find("global_statement") for e in each.named_children)


def _indented(source: Source, start: int) -> list[Edit]:
    """Four more spaces, or a tab, at the beginning of each line that is not inside a string."""
    unit = "\t" if re.search(rb"^\t", source.data, re.MULTILINE) else "    "
    strings = [(each.start_byte, each.end_byte) for each in source.find("string")]
    edits, at = [], start
    while at < len(source.data):
        end = source.data.find(b"\n", at) + 1 or len(source.data)
        if source.data[at:end].strip() and not any(a < at < b for a, b in strings):
            edits.append(Edit(at, at, unit))
        at = end
    return edits


def _inline(source: Source, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for function in source.find("function_definition"):
        value, parameters = _one_expression(source, function), field(function, "parameters")
        names = [source.text(each) for each in statements(parameters)]
        if value is None or any(each.type != "identifier" for each in statements(parameters)):
            continue
        name = source.text(field(function, "name"))
        free = used(source, value) - set(names)
        for call in source.find("call"):
            arguments = call_of(source, call, name)
            if arguments is None or len(arguments) != len(names) or inside(call, function):
                continue
            local = {n for e in ancestors(call) if e.type == "function_definition" for n in _local_names(source, e)}
            if not _repeated(call) or not plain_arguments(arguments) or free & local:
                continue
            new = _substituted(source, value, dict(zip(names, arguments, strict=True)))
            if new is not None:
                yield Rewrite(source.line(call), (source.replace(call, new),))


def _local_names(source: Source, function: Node) -> set[str]:
    return bound(source, function) | used(source, field(function, "parameters"))


def _repeated(node: Node) -> bool:
    return enclosing(node, *LOOPS, *COMPREHENSIONS) is not None


def _one_expression(source: Source, function: Node) -> Node | None:
    """What a function returns that does nothing else and does not call itself."""
    inner = body_of(function)
    if inner and inner[0].type == "expression_statement" and inner[0].named_children[0].type == "string":
        inner = inner[1:]
    decorated = function.parent is not None and function.parent.type == "decorated_definition"
    if len(inner) != 1 or inner[0].type != "return_statement" or not inner[0].named_children or decorated:
        return None
    value, name = inner[0].named_children[0], source.text(field(function, "name"))
    binds = next(source.find("lambda", "named_expression", "yield", "await", *COMPREHENSIONS, within=value), None)
    in_class = enclosing(function, "class_definition", "function_definition") is not None
    single = sum(1 for f in source.find("function_definition") if source.text(field(f, "name")) == name) == 1
    return value if single and binds is None and not in_class and name not in used(source, value) else None


def _substituted(source: Source, value: Node, arguments: dict[str, Node]) -> str | None:
    """An expression with arguments in the place of parameters; None where one would be computed twice or never."""
    edits = []
    for name, argument in arguments.items():
        places = mentions(source, name, value)
        simple = argument.type in ("identifier", "integer", "string", "float")
        if not simple and (len(places) != 1 or not (pure(source, argument) or len(arguments) == 1)):
            return None
        text = source.text(argument)
        edits += [(each.start_byte, each.end_byte, text if simple else f"({text})") for each in places]
    parts, at = [], value.start_byte
    for start, end, text in sorted(edits):
        parts += [source.data[at:start].decode(), text]
        at = end
    text = "".join(parts) + source.data[at : value.end_byte].decode()
    if "\n" in text:
        return None
    return text if value.type in ("call", "identifier", "subscript", "attribute") else f"({text})"


def _cache(source: Source, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for function in source.find("function_definition"):
        name, body = source.text(field(function, "name")), field(function, "body")
        again = [call for call in source.find("call", within=body) if source.text(field(call, "function")) == name]
        parameters = statements(field(function, "parameters"))
        if (
            not again
            or not parameters
            or any(each.type not in ("identifier", "typed_parameter") for each in parameters)
        ):
            continue
        decorated = function.parent is not None and function.parent.type == "decorated_definition"
        in_class = enclosing(function, "class_definition") is not None
        if decorated or in_class or not alone(source, function) or not _is_function_of_its_arguments(source, function):
            continue
        line = f"@lru_cache(maxsize=None)\n{source.indent(function)}"
        edits = with_imports(source, (source.before(function, line),), "from functools import lru_cache")
        if edits is not None:
            yield Rewrite(source.line(function), edits, weight=2.0 if len(again) > 1 else 0.3)


def _is_function_of_its_arguments(source: Source, function: Node) -> bool:
    body, name = field(function, "body"), source.text(field(function, "name"))
    parameters = {
        source.text(next(source.find("identifier", within=e))) for e in statements(field(function, "parameters"))
    }
    if next(source.find("global_statement", "nonlocal_statement", "yield", "function_definition", within=body), None):
        return False
    returns = list(source.find("return_statement", within=body))
    if not returns or not all(each.named_children for each in returns):
        return False
    local = bound(source, body)
    if changed(source, body) - local - parameters - {name} or not all(
        _answers(source, c, name, local) for c in source.find("call", within=body)
    ):
        return False
    if any(e.type in ("list", "dictionary", "set", *COMPREHENSIONS) for each in returns for e in each.named_children):
        return False
    return _hashable(source, function, parameters) and not _free_and_changing(source, function, local | parameters)


def _answers(source: Source, call: Node, name: str, local: set[str]) -> bool:
    """Whether a call inside a function only asks, or works on what the function made itself."""
    function = field(call, "function")
    text = source.text(function)
    if function.type == "attribute":
        owner, _, method = text.rpartition(".")
        return method in ASKING or owner == "math" or owner in local
    return text == name or (text in READING and text != "print") or text in ("Fraction", "Decimal", "gcd")


def _hashable(source: Source, function: Node, parameters: set[str]) -> bool:
    """Whether nothing shows that a list is given as an argument, to be read or changed in place."""
    body, name = field(function, "body"), source.text(field(function, "name"))
    for each in source.find("subscript", "call", within=body):
        measured = call_of(source, each, "len")
        inner = measured[0] if measured else each.child_by_field_name("value")
        if inner is not None and source.text(inner) in parameters:
            return False
    for call in source.find("call"):
        for argument in call_of(source, call, name) or []:
            text = source.text(argument)
            if looks_like_list(text) or argument.type in ("list_splat", "dictionary", "list_comprehension"):
                return False
            if argument.type == "identifier" and _is_list(source, text):
                return False
    return True


def _is_list(source: Source, name: str) -> bool:
    return bool(
        re.search(rf"^\s*{re.escape(name)}\s*=\s*(?:\[|list\(|sorted\(|\{{|set\(|dict\()", source.code, re.MULTILINE)
    )


def _free_and_changing(source: Source, function: Node, local: set[str]) -> bool:
    """Whether what a function reads from outside has other values later."""
    free = {source.text(each) for each in variables(source, field(function, "body"))} - local - BUILT_IN
    name = source.text(field(function, "name"))
    calling = [loop for loop in source.find(*LOOPS) if not inside(loop, function) and mentions(source, name, loop)]
    return any(free & (changed(source, loop) - {name}) for loop in calling)


TRANSFORMATIONS = (
    Transformation(
        name="main-function",
        family="python",
        summary="Moves the program into a function, whose variables are found by number instead of by name.",
        find=_main,
        example=Example(
            before="""import sys
n = 10
total = 0
for i in range(n):
    total += i * i % 7
sys.stdout.write(f"{total}\\n")
""",
            after="""import sys


def main():
    n = 10
    total = 0
    for i in range(n):
        total += i * i % 7
    sys.stdout.write(f"{total}\\n")


main()
""",
        ),
        languages=PYTHON,
        answers=("global-loop",),
        prior=2.0,
        refusals=(
            "print(sum(range(10)))\n",
            "for i in range(3):\n    max = max(i, 2)\n",
            "def main():\n    for i in range(3):\n        print(i)\n\n\nmain()\n",
        ),
    ),
    Transformation(
        name="inline-function",
        family="python",
        summary="Puts a one-line function's expression in the place of a call in a loop.",
        find=_inline,
        example=Example(
            before="""
def area(width, height):
    return width * height


total = 0
for i in range(10):
    total += area(i, i + 1)
print(total)
""",
            after="""
def area(width, height):
    return width * height


total = 0
for i in range(10):
    total += (i * (i + 1))
print(total)
""",
        ),
        languages=PYTHON,
        answers=("call-in-loop",),
        refusals=(
            "def f(x):\n    return x * x\n\n\nprint(f(2))\n",
            "def f(x):\n    return x * x\n\n\nfor i in range(3):\n    print(f(i + 1))\n",
            "def f(x):\n    return f(x - 1) if x else 0\n\n\nfor i in range(3):\n    print(f(i))\n",
        ),
    ),
    Transformation(
        name="cache-recursion",
        family="python",
        summary="Remembers the results of a recursive function that depends on its arguments alone.",
        find=_cache,
        example=Example(
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
            "seen = []\n\n\ndef f(n):\n    seen.append(n)\n    return f(n - 1) if n else 0\n\n\nf(3)\n",
        ),
    ),
)
