"""Python programs: what names a piece of code binds, changes and reads, and where statements stand."""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise

from tree_sitter import Node

from maxcode.policy.rewrite.source import Edit, Source, ancestors, enclosing, inside

LOOPS = ("for_statement", "while_statement")
FUNCTIONS = ("function_definition", "lambda")
COMPREHENSIONS = ("list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression")
JUMPS = ("break_statement", "continue_statement", "return_statement", "yield", "await")
BUILT_IN = frozenset(dir(builtins))
READING = frozenset(
    "len int str float abs min max sum ord chr sorted range enumerate zip map filter list tuple set dict frozenset any "
    "all bool divmod pow round reversed isinstance repr bin hex oct type hash complex bytes print iter".split()
)
"""Built-in functions that leave their arguments as they are."""
ASKING = frozenset(
    "get keys values items count index find rfind startswith endswith split rsplit splitlines strip lstrip rstrip "
    "lower upper join replace isdigit isalpha isalnum isspace isupper islower format copy bit_length title swapcase "
    "zfill encode decode translate capitalize ljust rjust center partition union intersection issubset".split()
)
"""Methods that leave their object as it is."""


def scope_of(node: Node) -> Node:
    """The function or module in which a name at this place lives."""
    around = [each for each in ancestors(node) if each.type in (*FUNCTIONS, "class_definition", "module")]
    return around[0] if around else node


def mentions(source: Source, name: str, within: Node) -> list[Node]:
    """Where a variable is named: not as an attribute of something else, nor as the name of an argument."""
    return [each for each in source.identifiers.get(name, []) if inside(each, within) and _is_variable(each)]


def variables(source: Source, within: Node) -> Iterator[Node]:
    return (each for each in source.find("identifier", within=within) if _is_variable(each))


def _is_variable(node: Node) -> bool:
    above = node.parent
    return above is None or not (
        (above.type == "attribute" and above.child_by_field_name("attribute") == node)
        or (above.type == "keyword_argument" and above.child_by_field_name("name") == node)
    )


def used(source: Source, node: Node) -> set[str]:
    return {source.text(each) for each in variables(source, node)}


def bound(source: Source, node: Node) -> set[str]:
    """Names that a piece of code gives a value to, nested functions included."""
    return {source.text(each) for target in _targets(source, node) for each in _names_of(target)}


def _targets(source: Source, node: Node) -> Iterator[Node]:
    fields = {
        "assignment": "left", "augmented_assignment": "left", "for_statement": "left", "for_in_clause": "left",
        "named_expression": "name", "function_definition": "name", "class_definition": "name", "as_pattern": "alias",
    }  # fmt: skip
    for each in source.find(*fields, within=node):
        target = each.child_by_field_name(fields[each.type])
        if target is not None:
            yield target
    for each in source.find("delete_statement", "global_statement", "nonlocal_statement", within=node):
        yield from each.named_children
    for each in source.find("import_statement", "import_from_statement", within=node):
        for name in each.children_by_field_name("name"):
            alias = name.child_by_field_name("alias")
            yield alias if alias is not None else name.named_children[0]


def _names_of(target: Node) -> Iterator[Node]:
    """The variables in a target; `a[i]` and `a.b` bind none."""
    if target.type == "identifier":
        yield target
    elif target.type in (
        "pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "as_pattern_target", "expression_list",
        "dotted_name",
    ):  # fmt: skip
        for each in target.named_children:
            yield from _names_of(each)


def changed(source: Source, node: Node) -> set[str]:
    """Names whose value a piece of code may change: bound, assigned into, or given to something that may."""
    return _changed(source, node, set())


def _changed(source: Source, node: Node, seen: set[str]) -> set[str]:
    found = bound(source, node)
    for target in _targets(source, node):
        parts = [target, *source.find("subscript", "attribute", within=target)]
        found |= {base(source, each) for each in parts if each.type in ("subscript", "attribute")}
    for call in source.find("call", within=node):
        function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
        if function is None or arguments is None:
            continue
        name = source.text(function)
        if function.type == "attribute":
            method = name.rsplit(".", 1)[-1]
            found |= set() if method in ASKING else {base(source, function)}
            reads = method in ("append", "add", "extend", "write", "join", "discard", "update", *ASKING)
        else:
            reads = name in READING
            found |= _changed_by_call(source, name, seen) | _bound_methods(source.code).get(name, set())
        if not reads:
            found |= {base(source, each) for each in arguments.named_children if each.type in _PLACES}
    return found


_PLACES = ("identifier", "subscript", "attribute")


@lru_cache(maxsize=64)
def _bound_methods(code: str) -> dict[str, set[str]]:
    """Names that stand for a method of something, as in `append = found.append`, and what it belongs to."""
    found: dict[str, set[str]] = {}
    for name, owner in re.findall(r"^[ \t]*(\w+) = (\w+)(?:\.\w+)+[ \t]*$", code, re.MULTILINE):
        found.setdefault(name, set()).add(owner)
    return found


def _changed_by_call(source: Source, name: str, seen: set[str]) -> set[str]:
    """What a function of this file changes outside of itself."""
    if name in seen or name in BUILT_IN:
        return set()
    found: set[str] = set()
    for function in source.find("function_definition"):
        named, body = function.child_by_field_name("name"), function.child_by_field_name("body")
        if named is not None and body is not None and source.text(named) == name:
            outer = {source.text(e) for g in source.find("global_statement", "nonlocal_statement", within=body)
                     for e in g.named_children}  # fmt: skip
            found |= _changed(source, body, seen | {name}) - (bound(source, body) - outer)
    return found


def base(source: Source, node: Node) -> str:
    """The variable that `a[i].b.c()` starts from."""
    while node.type in ("subscript", "attribute", "call", "parenthesized_expression") and node.named_children:
        node = node.named_children[0]
    return source.text(node)


def pure(source: Source, node: Node) -> bool:
    """Whether an expression only looks: calling it once, twice or never makes no difference to others."""
    if next(source.find("named_expression", "yield", "await", "lambda", within=node), None) is not None:
        return False
    return all(_asks(source, call) for call in source.find("call", within=node))


def _asks(source: Source, call: Node) -> bool:
    function = call.child_by_field_name("function")
    if function is None:
        return False
    if function.type == "attribute":
        return source.text(function).rsplit(".", 1)[-1] in ASKING or source.text(function).startswith("math.")
    return source.text(function) in READING - {"print", "iter"}


def invariant(source: Source, node: Node, loop: Node) -> bool:
    """Whether an expression has one value throughout a loop."""
    return pure(source, node) and not used(source, node) & changed(source, loop)


def changed_between(source: Source, first: Node, second: Node) -> set[str]:
    """What the statements from behind one up to another may change."""
    found: set[str] = set()
    node = first.next_named_sibling
    while node is not None and node != second:
        found |= changed(source, node)
        node = node.next_named_sibling
    return found


def body_of(node: Node) -> list[Node]:
    """The statements of the block that belongs to a loop, function or branch, comments left out."""
    block = node.child_by_field_name("body") or node.child_by_field_name("consequence")
    return statements(block) if block is not None else []


def statements(block: Node) -> list[Node]:
    return [each for each in block.named_children if each.type != "comment"]


def statement_of(node: Node) -> Node | None:
    """The statement that a node is or belongs to."""
    while node.parent is not None and node.parent.type not in ("module", "block"):
        node = node.parent
    return node if node.parent is not None else None


def neighbours(source: Source) -> Iterator[tuple[Node, Node]]:
    """Statements that follow each other, each on lines of its own."""
    for block in source.find("module", "block"):
        for first, second in pairwise(statements(block)):
            if alone(source, first) and alone(source, second):
                yield first, second


def following(node: Node) -> Node | None:
    """The statement after a statement."""
    after = node.next_named_sibling
    while after is not None and after.type == "comment":
        after = after.next_named_sibling
    return after


def preceding(node: Node) -> Node | None:
    before = node.prev_named_sibling
    while before is not None and before.type == "comment":
        before = before.prev_named_sibling
    return before


def alone(source: Source, node: Node) -> bool:
    """Whether a statement has its lines for itself, a comment behind it aside."""
    begin = source.data.rfind(b"\n", 0, node.start_byte) + 1
    end = source.data.find(b"\n", node.end_byte)
    rest = source.data[node.end_byte : end if end >= 0 else None].strip()
    return not source.data[begin : node.start_byte].strip() and (not rest or rest.startswith(b"#"))


def assignment(source: Source, node: Node | None) -> tuple[str, Node] | None:
    """`name = value` as name and value."""
    if node is None or node.type != "expression_statement" or len(node.named_children) != 1:
        return None
    inner = node.named_children[0]
    left, right = inner.child_by_field_name("left"), inner.child_by_field_name("right")
    if inner.type != "assignment" or left is None or right is None or left.type != "identifier":
        return None
    return (source.text(left), right) if right.type != "assignment" else None


def addition(source: Source, node: Node) -> tuple[str, Node] | None:
    """`x += value` and `x = x + value` as the text of x and the value."""
    inner = node.named_children[0] if node.type == "expression_statement" and node.named_children else node
    left, right = inner.child_by_field_name("left"), inner.child_by_field_name("right")
    if left is None or right is None or inner.type not in ("assignment", "augmented_assignment"):
        return None
    if inner.type == "augmented_assignment":
        operator = inner.child_by_field_name("operator")
        return (source.text(left), right) if operator is not None and source.text(operator) == "+=" else None
    if right.type != "binary_operator" or source.text(right.children[1]) != "+":
        return None
    first, value = right.children[0], right.children[-1]
    return (source.text(left), value) if source.text(first) == source.text(left) else None


def call_of(source: Source, node: Node | None, *names: str) -> list[Node] | None:
    """The arguments where an expression, or a statement that is one, calls one of these by name."""
    if node is not None and node.type == "expression_statement" and len(node.named_children) == 1:
        node = node.named_children[0]
    if node is None or node.type != "call":
        return None
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None or arguments.type != "argument_list":
        return None
    return statements(arguments) if source.text(function) in names else None


def plain_arguments(arguments: list[Node] | None) -> bool:
    """Neither `key=value` nor `*rest`."""
    return arguments is not None and not any(
        each.type in ("keyword_argument", "list_splat", "dictionary_splat") for each in arguments
    )


def dead_after(source: Source, name: str, node: Node) -> bool:
    """Whether nobody reads what a variable holds when a statement ends."""
    scope = scope_of(node)
    within = [
        each for each in source.find(*FUNCTIONS, "class_definition", *COMPREHENSIONS, within=scope) if each != scope
    ]
    named = []
    for mention in mentions(source, name, scope):
        around = [each for each in within if inside(mention, each)]
        if any(name in _own_names(source, each, name) for each in around):
            continue
        outer = mention.parent is not None and mention.parent.type in _OUTER
        if outer or any(each.type not in COMPREHENSIONS for each in around):
            return False
        named.append(mention)
    loop = enclosing(node, *LOOPS)
    regions = [[m for m in named if m.start_byte >= node.end_byte]]
    if loop is not None and inside(loop, scope):
        regions.append([m for m in named if inside(m, loop) and m.start_byte < node.end_byte])
    return all(not region or _rebinds(source, region[0], node) for region in regions)


_OUTER = ("global_statement", "nonlocal_statement")


def _own_names(source: Source, node: Node, name: str) -> set[str]:
    """What a function, lambda or comprehension has variables of its own for."""
    if node.type in COMPREHENSIONS:
        clauses = [each for each in node.named_children if each.type == "for_in_clause"]
        return {found for each in clauses for found in used(source, each.children[1])}
    parameters, body = node.child_by_field_name("parameters"), node.child_by_field_name("body")
    own = used(source, parameters) if parameters is not None else set()
    outer = any(mentions(source, name, each) for each in source.find(*_OUTER, within=node))
    return own | (bound(source, body) if body is not None and node.type != "lambda" and not outer else set())


def _rebinds(source: Source, mention: Node, node: Node) -> bool:
    """Whether the first thing done with a name is to give it a value that does not depend on it."""
    if inside(mention, node):
        return mention.parent is not None and mention.parent.child_by_field_name("left") == mention
    statement = mention.parent
    if statement is None or statement.type not in ("assignment", "for_statement", "for_in_clause"):
        return False
    right = statement.child_by_field_name("right")
    left_is_it = statement.child_by_field_name("left") == mention
    return left_is_it and right is not None and not mentions(source, source.text(mention), right)


def importing(source: Source, *lines: str) -> list[Edit] | None:
    """The edits that add imports such as `import re`; none where they are there, None where the name is taken."""
    missing = []
    for line in lines:
        module, name = re.fullmatch(r"(?:from (\w+) )?import (\w+)", line).groups()  # type: ignore[union-attr]
        found = [each for each in source.root.named_children if each.type.startswith("import")]
        if any(_brings(source, each, module, name) for each in found):
            continue
        if name in bound(source, source.root) or any(
            source.text(each) == name for p in source.find("parameters", "lambda_parameters")
            for each in p.named_children
        ):  # fmt: skip
            return None
        missing.append(line)
    at = after_imports(source)
    return [heading(source, at, *missing)] if missing else []


def heading(source: Source, at: int, *lines: str) -> Edit:
    """New lines in front of the code, set apart from it as imports are."""
    follows = source.data[at:]
    gap = 0 if follows.startswith((b"\n", b"\r", b"import", b"from")) else 2 if follows.startswith(_DEFINES) else 1
    return Edit(at, at, "".join(f"{line}\n" for line in lines) + "\n" * gap)


_DEFINES = (b"def ", b"class ", b"@", b"async def ")


def _brings(source: Source, node: Node, module: str | None, name: str) -> bool:
    text = re.sub(r"\s+", " ", source.text(node))
    if module is None:
        return bool(re.fullmatch(rf"import (?:.*, ?)?{name}(?: ?,.*)?", text))
    if not text.startswith(f"from {module} import"):
        return False
    return bool(re.search(rf"import .*\b{name}\b(?! as)", text)) or text.endswith("import *")


def after_imports(source: Source) -> int:
    """Behind the imports at the top of the file, or behind what explains it where there are none."""
    last: Node | None = None
    for each in source.root.named_children:
        is_docstring = each.type == "expression_statement" and each.named_children[0].type == "string"
        if each.type.startswith(("import", "future_import")) or (is_docstring and last is None):
            last = each
        elif each.type != "comment":
            break
    if last is None:
        first = next((each for each in source.root.named_children if each.type != "comment"), None)
        return source.data.rfind(b"\n", 0, first.start_byte) + 1 if first else 0
    end = source.data.find(b"\n", last.end_byte)
    return end + 1 if end >= 0 else len(source.data)


def with_imports(source: Source, edits: tuple[Edit, ...], *lines: str) -> tuple[Edit, ...] | None:
    """Edits together with the imports they need."""
    added = importing(source, *lines)
    return None if added is None else (*added, *edits)


def values_of(source: Source, name: str, node: Node) -> list[Node] | None:
    """Everything that a variable is set to where a place sees it; None where it is also set in other ways."""
    scope = scope_of(node)
    while scope.type != "module" and name not in bound(source, scope):
        scope = scope_of(scope)
    found, total = [], 0
    for each in mentions(source, name, scope):
        above = each.parent
        if above is not None and above.type == "assignment" and above.child_by_field_name("left") == each:
            right = above.child_by_field_name("right")
            if right is not None:
                found.append(right)
    for target in _targets(source, scope):
        total += sum(1 for each in _names_of(target) if source.text(each) == name)
    return found if found and len(found) == total else None


def made_as(source: Source, name: str, node: Node, is_such: Callable[[str], bool]) -> bool:
    """Whether every value that a variable is set to looks a certain way."""
    values = values_of(source, name, node)
    return bool(values) and all(is_such(source.text(each)) for each in values or [])


def looks_like_list(text: str) -> bool:
    return bool(re.match(r"\[|list\(|sorted\(", text)) or bool(re.search(r"\.r?split\([^()]*\)$", text))


def looks_like_text(text: str) -> bool:
    return bool(
        re.fullmatch(r"(?:sys\.stdin\.readline|input)\(\)(?:\.\w+\([^()]*\))*|str\(.*\)|[\"'].*[\"']", text)
    ) and (".split(" not in text)


def singular(source: Source, name: str) -> str:
    """A name for one of what a list holds."""
    one = name[:-1] if re.fullmatch(r"[a-z_]{3,}s", name) and not name.endswith("ss") else "item"
    return source.fresh(one if one not in BUILT_IN else "item")
