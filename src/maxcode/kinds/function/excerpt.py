"""A function cut out of its module, with the imports it uses, and put back to the byte.

What a candidate is made of is this excerpt: imports, helpers, and the function itself, at no indentation.
"""

from __future__ import annotations

import ast
import io
import tokenize
from dataclasses import dataclass

from maxcode.core import InputError
from maxcode.task.diff import lines, with_endings_of

Definition = ast.FunctionDef | ast.AsyncFunctionDef


class Misfit(Exception):
    """An excerpt that cannot be put back, with the reason."""


@dataclass(frozen=True)
class Place:
    """Place of a function in its module; lines are counted from 0, the last one excluded."""

    first: int
    last: int
    top: int
    """First line of the statement of the module that holds it."""
    indentation: str


def excerpt_of(module: str, name: str) -> str:
    """The function with the imports it uses. InputError where there is no such function."""
    text = module.replace("\r\n", "\n")
    tree = ast.parse(text)
    node, _ = found_in(tree, name)
    place = _place(text, tree, name)
    body = _shifted(lines(text)[place.first : place.last], -len(place.indentation))
    wanted = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    imports = [ast.get_source_segment(text, each) or "" for each in _imports(tree) if wanted & set(_bound(each))]
    head = "\n".join(imports)
    return f"{head}\n\n\n{body}" if head else body


def found_in(tree: ast.Module, name: str) -> tuple[Definition, list[ast.ClassDef]]:
    """Definition of the function, and the classes around it."""
    *outer, last = name.split(".")
    body: list[ast.stmt] = tree.body
    classes: list[ast.ClassDef] = []
    for part in outer:
        named = [each for each in body if isinstance(each, ast.ClassDef) and each.name == part]
        if not named:
            raise InputError(
                f"{name}: there is no class {part} in the file. Functions inside of functions are not taken."
            )
        classes.append(named[-1])
        body = named[-1].body
    definitions = [each for each in body if isinstance(each, Definition) and each.name == last and not _beside(each)]
    if not definitions:
        raise InputError(f"{name}: there is no such function in the file{_nearby(body, last)}")
    if len(definitions) > 1:
        raise InputError(f"{name}: is defined {len(definitions)} times in the file.")
    return definitions[0], classes


def _beside(node: Definition) -> bool:
    """True for what bears the function's name beside it: overloads for type checkers, setters of a property."""
    last = {getattr(each, "attr", getattr(each, "id", "")) for each in node.decorator_list}
    return bool(last & {"overload", "setter", "deleter"})


def spliced(module: str, name: str, before: str, after: str) -> str:
    """The module with a changed excerpt put back. Everything else stays to the byte. Misfit where that cannot be."""
    if after == before:
        return module
    text = module.replace("\r\n", "\n")
    tree = ast.parse(text)
    try:
        new = ast.parse(after)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Misfit(f"is no Python: {error}") from None
    place, last = _place(text, tree, name), name.rpartition(".")[2]
    node = _the_function(new, last)
    old_imports = {ast.dump(each) for each in _imports(ast.parse(before))}
    beside = [each for each in new.body if each is not node and ast.dump(each) not in old_imports]
    _check(tree, name, node, beside)
    source = lines(text)
    imports = "".join(_segment(after, each) for each in beside if isinstance(each, ast.Import | ast.ImportFrom))
    helpers = "".join(
        _segment(after, each) + "\n\n" for each in beside if not isinstance(each, ast.Import | ast.ImportFrom)
    )
    body = _shifted(_lines_of(after, node), len(place.indentation), place.indentation)
    at = _after_imports(tree)
    at = at if at is not None and at <= place.top else place.top
    whole = [*source[:at], imports, *source[at : place.top], helpers, *source[place.top : place.first], body]
    return with_endings_of(module, "".join([*whole, *source[place.last :]]))


def _check(tree: ast.Module, name: str, node: Definition, beside: list[ast.stmt]) -> None:
    old, _ = found_in(tree, name)
    for what, part in (
        ("signature", lambda each: (ast.dump(each.args), _dumped(each.returns), type(each))),
        ("docstring", lambda each: ast.get_docstring(each, clean=False)),
        ("decorators", lambda each: [ast.dump(one) for one in each.decorator_list]),
    ):
        if part(old) != part(node):
            raise Misfit(f"changes the {what} of {node.name}, which must stay")
    known = {bound for each in tree.body for bound in _bound(each)}
    for each in beside:
        if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant):
            continue
        if isinstance(each, ast.ImportFrom) and each.module == "__future__":
            raise Misfit("imports from __future__, which would change the rest of the module")
        new = _bound(each)
        if not new or "*" in new:
            raise Misfit(f"has a statement in line {each.lineno} that is no import, function, class or assignment")
        taken = sorted(set(new) & known)
        if taken and ast.dump(each) not in {ast.dump(one) for one in tree.body}:
            raise Misfit(f"defines {taken[0]}, a name that the module has already")


def _the_function(tree: ast.Module, name: str) -> Definition:
    found = [each for each in tree.body if isinstance(each, Definition) and each.name == name]
    if len(found) != 1:
        raise Misfit(f"defines {name} {len(found)} times instead of once")
    return found[0]


def _place(text: str, tree: ast.Module, name: str) -> Place:
    node, classes = found_in(tree, name)
    first = _first_line(node)
    top = _first_line(classes[0]) if classes else first
    line = lines(text)[first - 1]
    if line[: node.col_offset].strip() or line[: len(line) - len(line.lstrip())] != " " * node.col_offset:
        raise InputError(f"{name}: is not at the beginning of a line, or is indented by tabs.")
    return Place(first - 1, node.end_lineno or first, top - 1, " " * node.col_offset)


def _first_line(node: Definition | ast.ClassDef) -> int:
    return min([node.lineno, *(each.lineno for each in node.decorator_list)])


def _lines_of(text: str, node: Definition) -> list[str]:
    return lines(text)[_first_line(node) - 1 : node.end_lineno]


def _segment(text: str, node: ast.stmt) -> str:
    first = _first_line(node) if isinstance(node, Definition | ast.ClassDef) else node.lineno
    segment = "".join(lines(text)[first - 1 : node.end_lineno])
    return segment if segment.endswith("\n") else f"{segment}\n"


def _shifted(source: list[str], by: int, indentation: str = "") -> str:
    """Lines with another indentation, but for those that begin within a string."""
    if by == 0:
        return "".join(source)
    inner = _within_strings("".join(source), -by if by < 0 else 0)
    shifted = []
    for number, line in enumerate(source):
        if number in inner or not line.strip():
            shifted.append(line)
        else:
            shifted.append(line[-by:] if by < 0 else indentation + line)
    return "".join(shifted)


def _within_strings(text: str, indented: int) -> set[int]:
    """Numbers of lines that begin within a string."""
    shift = 1 if indented else 0
    wrapped = f"if True:\n{text}" if indented else text
    found: set[int] = set()
    started: list[int] = []
    for token in tokenize.generate_tokens(io.StringIO(wrapped).readline):
        kind = tokenize.tok_name[token.type]
        if kind == "STRING":
            found |= set(range(token.start[0], token.end[0]))
        elif kind.endswith("STRING_START"):
            started.append(token.start[0])
        elif kind.endswith("STRING_END"):
            found |= set(range(started.pop(), token.end[0]))
    return {number - shift for number in found}


def _imports(tree: ast.Module) -> list[ast.Import | ast.ImportFrom]:
    return [each for each in tree.body if isinstance(each, ast.Import | ast.ImportFrom) and not _is_future(each)]


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _after_imports(tree: ast.Module) -> int | None:
    """Line after the imports at the top of a module; None where there are none."""
    last = None
    for number, each in enumerate(tree.body):
        if isinstance(each, ast.Import | ast.ImportFrom):
            last = each.end_lineno
        elif not (number == 0 and isinstance(each, ast.Expr)):
            break
    return last


def _bound(node: ast.stmt) -> list[str]:
    """Names that a statement of a module binds."""
    if isinstance(node, ast.Import):
        return [each.asname or each.name.split(".")[0] for each in node.names]
    if isinstance(node, ast.ImportFrom):
        return [each.asname or each.name for each in node.names]
    if isinstance(node, Definition | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return [each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)]
    return []


def _dumped(node: ast.expr | None) -> str:
    return ast.dump(node) if node is not None else ""


def _nearby(body: list[ast.stmt], name: str) -> str:
    import difflib

    names = [each.name for each in body if isinstance(each, Definition)]
    near = difflib.get_close_matches(name, names, 1)
    return f"; did you mean {near[0]}?" if near else "."
