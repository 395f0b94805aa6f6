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
    through = _read_by_calls(source, node)
    hidden = {name for call in calls for name in readers(source).get(call, ())} & set(scalars)
    strange = node.has_error or _strange(source, node) or not all(_harmless(source, call) for call in calls)
    return Effects(
        (*(Touch(each, _kind(source, each.node)) for each in found), *through),
        scalars,
        opaque=strange or bool(hidden),
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
    return bool(method and method[1] in PURE_METHODS) or name in readers(source)


def _read_by_calls(source: SourceFile, node: Node) -> tuple[Touch, ...]:
    """What the program's own functions read of what they are given and of what else they see: any element of it."""
    found = []
    for call in source.find("call_expression", within=node):
        name = source.text(call.children[0])
        if name in readers(source):
            given = used(source, _field(call, "arguments"))
            arrays = sorted(readers(source)[name] | given)
            found += [Touch(Access(call, array, (f"{name}()",), writes=False), "read") for array in arrays]
    return tuple(found)


def pure_functions(source: SourceFile) -> frozenset[str]:
    """Functions of the program that compute a value from values alone and change nothing."""
    return frozenset(
        name for name, outside in readers(source).items() if not outside and not _given_places(source, name)
    )


def _given_places(source: SourceFile, name: str) -> bool:
    heads = (head for head in source.find("function_declarator") if source.text(_field(head, "declarator")) == name)
    return any(re.search(r"[&*\[]", source.text(head)) for head in heads)


@lru_cache(maxsize=64)
def readers(source: SourceFile) -> dict[str, frozenset[str]]:
    """Functions of the program that change nothing but their own variables, each with the other variables it reads."""
    found: dict[str, frozenset[str]] = {}
    known: list[str] = []
    for node in source.find("function_definition"):
        declarator = next(source.find("function_declarator", within=node), None)
        body = node.child_by_field_name("body")
        if declarator is None or body is None or _field(declarator, "declarator").type not in _NAMED:
            continue
        name = source.text(_field(declarator, "declarator"))
        known.append(name)
        reads = _reads_alone(source, declarator, body, found)
        if reads is not None:
            found[name] = reads
    return {name: reads for name, reads in found.items() if known.count(name) == 1}


_NAMED = ("identifier", "field_identifier")


def _reads_alone(
    source: SourceFile, declarator: Node, body: Node, known: dict[str, frozenset[str]]
) -> frozenset[str] | None:
    """The variables from outside that a body reads; None where it may change something, or does more than compute."""
    handed = list(source.find("parameter_declaration", within=declarator))
    if any(re.search(r"[&*\[]", source.text(each)) and "const" not in source.text(each) for each in handed):
        return None
    parameters = {source.text(each) for part in handed for each in source.find("identifier", within=part)}
    private = declared(source, body) | parameters
    names = [
        source.text(call.children[0]).removeprefix("std::") for call in source.find("call_expression", within=body)
    ]
    methods = [re.fullmatch(r"[\w.\[\]]+\.(\w+)", name) for name in names]
    calm = all(
        name in PURE or name in known or "_cast<" in name or (method is not None and method[1] in PURE_METHODS)
        for name, method in zip(names, methods, strict=True)
    )
    strange = _strange_but_for_returns(source, body) or _through_pointers(source, body)
    if not calm or strange or STREAMS & used(source, body) or not written(source, body) <= private:
        return None
    own = used(source, body) - private - set(known) - PURE - {"std"}
    return frozenset(own.union(*(known[name] for name in names if name in known)))


def _through_pointers(source: SourceFile, body: Node) -> bool:
    """Whether code has pointers of its own that are not to constants, or writes to what a member may point to."""
    for each in source.find("pointer_declarator", within=body):
        holder = each.parent
        while holder is not None and holder.type not in ("declaration", "parameter_declaration"):
            holder = holder.parent
        if holder is None or not any(source.text(child) == "const" for child in holder.children):
            return True
    for each in source.find("assignment_expression", "update_expression", within=body):
        target = each.child_by_field_name("left") or each.child_by_field_name("argument")
        chain = _chain(target) if target is not None else []
        if {"subscript_expression", "field_expression"} <= set(chain) or "pointer_expression" in chain:
            return True
    return False


def _strange_but_for_returns(source: SourceFile, body: Node) -> bool:
    """Whether a body does what cannot be read off the syntax; constant references and returns are plain."""
    odd = [each for each in OPAQUE if each not in ("return_statement", "reference_declarator")]
    bound = (each.parent for each in source.find("reference_declarator", within=body))
    loose = any(
        each is None or not any(source.text(mark) == "const" for mark in (*each.children, *_siblings(each)))
        for each in bound
    )
    return loose or next(source.find(*odd, "storage_class_specifier", within=body), None) is not None


def _siblings(node: Node) -> list[Node]:
    return node.parent.children if node.parent is not None else []


@lru_cache(maxsize=512)
def extreme(source: SourceFile, body: Node, name: str) -> bool:
    """Whether all that a piece of code does with a variable is to keep the largest or smallest value of something."""
    uses = [node for node in source.find("identifier", within=body) if source.text(node) == name]
    kept = [
        _keeps_extreme(source, node, name) for node in source.find("if_statement", "expression_statement", within=body)
    ]
    return len(uses) == sum(kept) > 0


def _keeps_extreme(source: SourceFile, node: Node, name: str) -> int:
    """How many uses of a variable a statement such as `if (x > most) most = x;` accounts for; 0 if it is another."""
    text = re.sub(r"\s+", "", source.text(node))
    by_call = re.fullmatch(rf"{name}=(?:std::)?(?:max|min)\((?:{name},(.+)|(.+),{name})\);", text)
    if by_call and name not in names_in(by_call[1] or by_call[2]):
        return 2
    tested = re.fullmatch(rf"if\((?:(.+?)[<>]=?{name}|{name}[<>]=?(.+))\)\{{?{name}=(.+);\}}?", text)
    value = tested and (tested[1] or tested[2])
    return 2 if tested and value == tested[3] and name not in names_in(tested[3]) else 0


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
        if (
            name not in private
            and not _only_sums(source, body, name, kinds, relaxed)
            and not extreme(source, body, name)
        ):
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
