"""Python: loops that answer each character of a text by itself, run once for each different character."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from maxcode.policy.rewrite.python.tree.effects import Code, code_of
from maxcode.policy.rewrite.python.tree.program import Variable, loads
from maxcode.policy.rewrite.python.tree.shapes import leaves, method, only_within, same
from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation


def _translate(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """`for c in text:` around code that does nothing but add pieces of text that depend on `c` alone."""
    del setting
    code = code_of(source)
    for loop in ast.walk(code.program.tree) if code is not None else ():
        assert code is not None
        if not isinstance(loop, ast.For) or loop.orelse or not isinstance(loop.target, ast.Name):
            continue
        if not code.kinds.only(loop.iter, "str") or not code.program.alone(loop) or leaves(loop.body):
            continue
        if not all(map(code.program.alone, loop.body)) or not code.pure(loop.iter):
            continue
        added = [each for statement in loop.body for each in ast.walk(statement) if _addition(each) is not None]
        if added and _adds_to_one(code, loop, added) and _turns_apart(code, loop, _variable(code, added[0])):
            yield Rewrite(loop.lineno, tuple(_by_table(code, loop, loop.target.id, added)), weight=2.0)


def _addition(node: ast.AST) -> tuple[ast.Name, ast.expr] | None:
    """The name and the piece in `name += piece`, `name = name + piece` or `name.append(piece)`."""
    match node:
        case ast.AugAssign(target=ast.Name() as name, op=ast.Add(), value=piece):
            return name, piece
        case ast.Assign(targets=[ast.Name() as name], value=ast.BinOp(left=left, op=ast.Add(), right=piece)):
            return (name, piece) if same(left, name) else None
        case ast.Expr(value=value) if (found := method(value, "append")) is not None:
            return (found[0], found[1][0]) if isinstance(found[0], ast.Name) else None
    return None


def _whole(text: str) -> str:
    return f"({text})" if "\n" in text else text


def _variable(code: Code, added: ast.AST) -> Variable:
    found = _addition(added)
    assert found is not None
    return code.program.variable[found[0]]


def _adds_to_one(code: Code, loop: ast.For, added: list[ast.AST]) -> bool:
    """Whether a loop does nothing with a text, or a list of pieces that are joined, but add text to it."""
    program, variable = code.program, _variable(code, added[0])
    named = sum(2 if isinstance(each, ast.Assign) else 1 for each in added)
    pieces = [found[1] for each in added if (found := _addition(each))]
    if any(_variable(code, each) != variable for each in added) or len(program.names(variable, loop)) != named:
        return False
    if not all(code.kinds.only(each, "str") for each in pieces):
        return False
    name = next(each for each in program.mentions[variable])
    if code.kinds.only(name, "str"):
        return not any(isinstance(each, ast.Expr) for each in added)
    listed = all(isinstance(each, ast.Expr) for each in added) and code.kinds.only(name, "list")
    return listed and all(_only_joined(code, each) for each in program.mentions[variable])


def _only_joined(code: Code, place: ast.AST) -> bool:
    """Whether a place sets a list anew, adds to it, or joins its elements without anything between them."""
    above = code.program.above[place]
    if not loads(place):
        return isinstance(above, ast.Assign) and isinstance(above.value, ast.List)
    if isinstance(above, ast.Attribute):
        return above.attr == "append" and _addition(code.program.statement(place)) is not None
    joined = method(above, "join")
    return joined is not None and isinstance(joined[0], ast.Constant) and joined[0].value == ""


def _turns_apart(code: Code, loop: ast.For, built: Variable) -> bool:
    """Whether the turns of a loop know nothing of each other, but for what they add to one variable."""
    program, effects = code.program, code.effects(*loop.body)
    target = program.variable[loop.target]
    name = program.mentions[built][0]
    changes = {each.root() for each in effects.changes} - {each.root() for each in code.contents(code.kinds.of(name))}
    if changes or effects.stores or effects.speaks or effects.unknown or not only_within(program, [target], loop):
        return False
    return all(_set_first(code, variable, loop) for variable in effects.binds - {built, target})


def _set_first(code: Code, variable: Variable, loop: ast.For) -> bool:
    """Whether a variable is only named in a loop, and there given a value before each place that reads it."""
    program = code.program
    if not all(program.inside(each, loop) for each in program.mentions[variable]):
        return False
    for each in program.mentions[variable]:
        statements = [node for node in program.around(each) if isinstance(node, ast.stmt) and node is not loop]
        earlier = [before for node in statements if program.inside(node, loop) for before in program.previous(node)]
        simple = [node for node in earlier if isinstance(node, ast.Assign)]
        if loads(each) and not any(variable == program.variable.get(t) for node in simple for t in node.targets):
            return False
        if isinstance(program.above[each], ast.AugAssign) and not loads(each):
            return False
    return True


def _by_table(code: Code, loop: ast.For, character: str, added: list[ast.AST]) -> Iterator[Edit]:
    program, source = code.program, code.program.source
    table, piece = source.fresh("table"), source.fresh("piece")
    text = program.text(loop.iter)
    if not isinstance(loop.iter, ast.Name):
        yield program.ahead(loop, f"{source.fresh('text')} = {text}")
        text = source.fresh("text")
    yield program.ahead(loop, f"{table} = {{}}")
    yield program.replace(loop.iter, f"set({text})")
    yield program.ahead(loop.body[0], f'{piece} = ""')
    for each in added:
        found = _addition(each)
        assert found is not None and isinstance(each, ast.stmt)
        yield program.put(each, f"{piece} += {_whole(program.text(found[1]))}")
    yield program.behind(loop.body[-1], f"{table}[ord({character})] = {piece}")
    name = _variable(code, added[0])[1]
    whole = f"{text}.translate({table})"
    yield program.behind(loop, f"{name}.append({whole})" if isinstance(added[0], ast.Expr) else f"{name} += {whole}")


TRANSFORMATIONS = (
    Transformation(
        name="translate-for-characters",
        family="python",
        summary="Translates a text by a table of its different characters instead of character by character.",
        find=_translate,
        example=RewriteExample(
            before="""
def shifted(text, key):
    found = ""
    for letter in text:
        if letter.isalpha():
            place = ord(letter) + key
            found += chr(place)
        else:
            found += letter
    return found


print(shifted("to be, or not to be", 1))
""",
            after="""
def shifted(text, key):
    found = ""
    table = {}
    for letter in set(text):
        piece = ""
        if letter.isalpha():
            place = ord(letter) + key
            piece += chr(place)
        else:
            piece += letter
        table[ord(letter)] = piece
    found += text.translate(table)
    return found


print(shifted("to be, or not to be", 1))
""",
        ),
        languages=PYTHON,
        answers=("string-building", "character-loop"),
        prior=2.5,
        refusals=(
            "s = ''\nfor c in 'abc':\n    s += c\n    if s == 'ab':\n        s += '-'\nprint(s)\n",
            "s = ''\nn = 0\nfor c in 'abc':\n    n += 1\n    s += c * n\nprint(s)\n",
            "s = ''\nlast = ''\nfor c in 'aab':\n    if c != last:\n        s += c\n    last = c\nprint(s)\n",
            "s = []\nfor c in 'abc':\n    s.append(c)\nprint(s)\n",
            "s = []\nfor c in 'abc':\n    s.append(c)\nprint('-'.join(s))\n",
            "s = ''\nfor c in 'abc':\n    if c == 'b':\n        break\n    s += c\nprint(s)\n",
            "s = ''\nfor c in ['ab', 'c']:\n    s += c\nprint(s)\n",
            "s = ''\nfor c in 'abc':\n    if c > 'a':\n        k = c\n    else:\n        k = s\n    s += c\nprint(s)\n",
        ),
    ),
)
