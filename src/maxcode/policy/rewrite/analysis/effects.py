"""What a piece of code touches, and whether the turns of a loop may run in another order.

Pointers and references with different names are taken to be different memory: the evaluator finds the rare program
where they are not. Whatever cannot be read off the syntax (unknown calls, writes through pointers) is opaque.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.loops import Access, Loop, accesses, base_name, declared, linear, used, written
from maxcode.policy.rewrite.source import SourceFile, enclosing
from maxcode.policy.rewrite.source import field as _field

PURE = frozenset(
    "sqrt sqrtf fabs fabsf abs labs llabs min max pow exp log log2 log10 sin cos tan asin acos atan atan2 floor ceil "
    "round fmin fmax fmod hypot cbrt swap isdigit isalpha isalnum isspace isupper islower toupper tolower "
    "int long double float char size_t bool __gcd gcd popcount __builtin_popcount __builtin_popcountll".split()
) - {"swap"}
PURE_METHODS = frozenset("size length empty at".split())
STREAMS = frozenset(
    "cin cout cerr scanf printf getchar putchar puts gets fgets getline read write fread fwrite".split()
)
UPDATES = {"+=": "+", "-=": "+", "++": "+", "--": "+", "*=": "*", "^=": "^", "|=": "|", "&=": "&"}
OPAQUE = ("lambda_expression", "goto_statement", "labeled_statement", "preproc_if", "preproc_ifdef", "preproc_call",
          "preproc_def", "co_await_expression", "delete_expression", "new_expression", "try_statement",
          "reference_declarator", "gnu_asm_expression", "return_statement")  # fmt: skip
INTEGRAL = re.compile(
    r"(?:const\s+|static\s+|unsigned\s+|signed\s+|std::)*"
    r"(?:int|long|short|char|bool|size_t|unsigned|ll|LL|lint|i64|u64|ull|u?int\d+_t|ptrdiff_t)(?:\s+\w+)*"
)


@dataclass(frozen=True)
class Touch:
    """One array element read, written, or updated in a way that does not mind the order."""

    access: Access
    kind: str
    """"read", "write", or the operator of an update, such as "+"."""

    @property
    def writes(self) -> bool:
        return self.kind != "read"


@dataclass(frozen=True)
class Effects:
    touches: tuple[Touch, ...]
    scalars: dict[str, set[str]] = field(default_factory=dict)
    """Assigned names that are not array elements, each with "write" or the operators of its updates."""
    opaque: bool = False
    streams: bool = False
    """Whether it reads or writes files or the console."""


@lru_cache(maxsize=512)
def effects(source: SourceFile, node: Node) -> Effects:
    found = accesses(source, node)
    scalars: dict[str, set[str]] = {}
    for each in source.find("assignment_expression", "update_expression", within=node):
        target = each.child_by_field_name("left") or each.child_by_field_name("argument")
        if target is not None and "subscript_expression" not in _chain(target):
            scalars.setdefault(base_name(source, target), set()).add(_kind(source, target))
    in_arrays = {touch.array for touch in found}
    for name in written(source, node) - set(scalars) - {base_name(source, touch.node) for touch in found} - in_arrays:
        scalars.setdefault(name, set()).add("write")
    calls = [source.text(call.children[0]) for call in source.find("call_expression", within=node)]
    return Effects(
        tuple(Touch(each, _kind(source, each.node)) for each in found),
        scalars,
        opaque=node.has_error or _strange(source, node) or not all(_harmless(source, call) for call in calls),
        streams=bool(STREAMS & (used(source, node) | {call.rsplit("::")[-1] for call in calls})),
    )


def _chain(node: Node) -> list[str]:
    """The types of an expression such as `a[i].b` from the outside in."""
    types = [node.type]
    while node.named_children and node.type in ("subscript_expression", "field_expression", "parenthesized_expression"):
        node = node.named_children[0]
        types.append(node.type)
    return types


def _kind(source: SourceFile, node: Node) -> str:
    """How an expression is used: read, written, or updated."""
    parent = node.parent
    while parent is not None and parent.type in ("field_expression", "parenthesized_expression"):
        node, parent = parent, parent.parent
    if parent is None:
        return "read"
    if parent.type == "update_expression":
        unused = parent.parent is not None and parent.parent.type in ("expression_statement", "for_statement")
        return "+" if unused else "write"
    if parent.type == "assignment_expression" and parent.child_by_field_name("left") == node:
        operator = parent.child_by_field_name("operator")
        return UPDATES.get(source.text(operator), "write") if operator is not None else "write"
    if parent.type == "pointer_expression" and source.text(parent).startswith("&"):
        return "write"
    operator = parent.child_by_field_name("operator") if parent.type == "binary_expression" else None
    reads_into = operator is not None and source.text(operator) == ">>" and parent.child_by_field_name("right") == node
    return "write" if reads_into and "cin" in source.text(parent) else "read"


def _strange(source: SourceFile, node: Node) -> bool:
    if next(source.find(*OPAQUE, within=node), None) is not None:
        return True
    for each in source.find("assignment_expression", "update_expression", within=node):
        target = each.child_by_field_name("left") or each.child_by_field_name("argument")
        if target is None or "pointer_expression" in _chain(target) or "call_expression" in _chain(target):
            return True
    return any("static" in source.text(each).split() for each in source.find("declaration", within=node)) or any(
        "pointer_declarator" in [child.type for child in each.children]
        for each in source.find("init_declarator", "declaration", within=node)
    )


def _harmless(source: SourceFile, call: str) -> bool:
    name = call.removeprefix("std::")
    if "_cast<" in name or name in PURE or name in STREAMS:
        return True
    method = re.fullmatch(r"[\w.\[\]>-]+(?:\.|->)(\w+)", name)
    return bool(method and method[1] in PURE_METHODS) or name in pure_functions(source)


@lru_cache(maxsize=64)
def pure_functions(source: SourceFile) -> frozenset[str]:
    """Functions of the program that compute a value from values and change nothing."""
    pure: set[str] = set()
    for node in source.find("function_definition"):
        declarator = next(source.find("function_declarator", within=node), None)
        body = node.child_by_field_name("body")
        if declarator is None or body is None or _field(declarator, "declarator").type != "identifier":
            continue
        name, *parameters = [source.text(each) for each in source.find("identifier", within=declarator)]
        handed = source.text(declarator)
        private = declared(source, body) | set(parameters)
        calls = {
            source.text(call.children[0]).removeprefix("std::") for call in source.find("call_expression", within=body)
        }
        if (
            not re.search(r"[&*\[]", handed)
            and not _strange_but_for_returns(source, body)
            and written(source, body) <= private
            and not STREAMS & used(source, body)
            and calls <= PURE | pure
        ):
            pure.add(name)
    return frozenset(pure)


def _strange_but_for_returns(source: SourceFile, body: Node) -> bool:
    odd = [each for each in OPAQUE if each != "return_statement"]
    return next(source.find(*odd, "storage_class_specifier", within=body), None) is not None


def type_of(source: SourceFile, name: str, at: Node) -> str | None:
    """The type in the nearest declaration of a name before a place, without `*`, `&` and array sizes."""
    function = enclosing(at, "function_definition")
    nearest = None
    for each in source.find("declaration", "parameter_declaration"):
        around = enclosing(each, "function_definition")
        visible = around is None or (function is not None and around == function)
        if not visible or each.start_byte > at.end_byte:
            continue
        if any(_declares(source, declarator, name) for declarator in each.children_by_field_name("declarator")):
            kind = each.child_by_field_name("type")
            nearest = source.text(kind) if kind is not None else None
    return nearest


def _declares(source: SourceFile, declarator: Node, name: str) -> bool:
    first = next(source.find("identifier", within=declarator), None)
    return first is not None and source.text(first) == name


def order_is_free(source: SourceFile, name: str, at: Node, relaxed: bool) -> bool:
    """Whether a sum over a variable may be formed in any order."""
    kind = type_of(source, name, at)
    return relaxed or (kind is not None and INTEGRAL.fullmatch(kind) is not None)


def independent(source: SourceFile, body: Node, variable: str, relaxed: bool) -> bool:
    """Whether the turns of a loop over `variable` seem independent, so that they may run in any order."""
    found = effects(source, body)
    if found.opaque or found.streams:
        return False
    private = declared(source, body)
    for name, kinds in found.scalars.items():
        if name not in private and not _only_sums(source, body, name, kinds, relaxed):
            return False
    for name in {touch.access.array for touch in found.touches if touch.writes} - private:
        touches = [touch for touch in found.touches if touch.access.array == name]
        if not apart(touches, variable, constants(source, body)) and not _commute(source, body, name, touches, relaxed):
            return False
    return True


def separate(source: SourceFile, body: Node, variable: str) -> bool:
    """Whether no turn of a loop over `variable` writes an element that another touches: turns may run in parallel.

    This is stricter than `independent`, which allows updates of one element by several turns.
    """
    found, values, private = effects(source, body), constants(source, body), declared(source, body)
    changed = {touch.access.array for touch in found.touches if touch.writes} - private
    return not found.opaque and all(
        apart([touch for touch in found.touches if touch.access.array == name], variable, values) for name in changed
    )


def _only_sums(source: SourceFile, body: Node, name: str, kinds: Iterable[str], relaxed: bool) -> bool:
    """Whether a variable is only ever added to, and nothing reads it on the way."""
    uses = [each for each in source.find("identifier", within=body) if source.text(each) == name]
    plain = len(set(kinds)) == 1 and "write" not in kinds and all(_kind(source, each) in kinds for each in uses)
    return plain and order_is_free(source, name, body, relaxed)


def _commute(source: SourceFile, body: Node, name: str, touches: list[Touch], relaxed: bool) -> bool:
    kinds = {touch.kind for touch in touches}
    return len(kinds) == 1 and not kinds & {"read", "write"} and order_is_free(source, name, body, relaxed)


def constants(source: SourceFile, body: Node) -> dict[str, str]:
    """Names that a piece of code declares with a value and never changes, with the text of the value."""
    changed = written(source, body)
    found = {}
    for each in source.find("init_declarator", within=body):
        name, value = each.child_by_field_name("declarator"), each.child_by_field_name("value")
        if name is not None and value is not None and name.type == "identifier" and source.text(name) not in changed:
            found[source.text(name)] = source.text(value)
    return found


def spelled_out(expression: str, values: dict[str, str]) -> str:
    """An expression with the values of constants in place of their names, in parentheses except as terms of a sum."""
    for _ in range(3):
        for name, value in values.items():
            plain = value.replace("\\", r"\\")
            expression = re.sub(rf"(^|\+)(\s*){name}\b(?!\s*[*/%(\[.])", rf"\g<1>\g<2>{plain}", expression)
            expression = re.sub(rf"(?<![.\w]){name}\b(?!\s*[(\[])", f"({plain})", expression)
    return expression


def apart(touches: list[Touch], variable: str, values: dict[str, str]) -> bool:
    """Whether different values of a variable touch different elements: every access depends on it in the same way."""
    every = [tuple(spelled_out(index, values) for index in touch.access.indices) for touch in touches]
    if len({len(indices) for indices in every}) != 1:
        return False
    return any(_moves_alike([indices[d] for indices in every], variable) for d in range(len(every[0])))


def _moves_alike(indices: list[str], variable: str) -> bool:
    factors = {linear(index, variable) for index in indices}
    if len(factors) != 1 or not factors.isdisjoint({None, "0"}):
        return False
    factor = factors.pop()
    texts = {re.sub(r"\s+", "", index) for index in indices}
    if len(texts) == 1:
        return True
    # Rows of one matrix: i * n + (something that does not step over a row).
    rest = [re.sub(rf"\b{variable}\b", "", index) for index in indices]
    return factor != "1" and all(index.count(factor or "") == 1 for index in rest)


def names_in(text: str) -> set[str]:
    return set(re.findall(r"\b[A-Za-z_]\w*", text))


def steady(loop: Loop) -> bool:
    """Whether a loop has its own variable, goes up by one, and its body neither leaves it nor moves its bounds."""
    if loop.type is None or not loop.rises_by_one or loop.jumps:
        return False
    bounds = names_in(f"{loop.start} {loop.end}")
    body = loop.body
    return not bounds & (written(loop.source, body) | {loop.variable}) and loop.variable not in declared(
        loop.source, body
    )


def strides(source: SourceFile, body: Node, variable: str) -> list[str | None]:
    """How each array access moves with a variable, values of local constants put in."""
    values = constants(source, body)
    return [
        replace(each, indices=tuple(spelled_out(index, values) for index in each.indices)).stride(variable)
        for each in accesses(source, body)
    ]
