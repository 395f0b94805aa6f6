"""Code that a rewrite adds to a program, such as a reader or a table, and what the program calls already."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from tree_sitter import Node

from maxcode.policy.rewrite.source import Edit, SourceFile, ancestors, enclosing, field

_BEFORE_CODE = (
    "preproc_include",
    "preproc_def",
    "preproc_function_def",
    "preproc_call",
    "comment",
    "using_declaration",
)


def prelude(source: SourceFile, code: str, headers: Iterable[str] = ()) -> Edit:
    """Adds definitions behind the leading includes: before macros such as `#define int long long` can change them."""
    last, present = None, set[str]()
    for node in source.root.children:
        if node.type == "preproc_include":
            last = node
            present |= _spellings(source.text(node).split("include")[-1].strip().strip('<>"'))
        elif node.type not in _BEFORE_CODE or (last is not None and node.type == "preproc_def"):
            break
    missing = [] if "bits/stdc++.h" in present else [header for header in headers if header not in present]
    includes = "".join(f"#include <{header}>\n" for header in missing)
    if last is None:
        at = source.after_comments()
        return Edit(at, at, f"{includes}\n{code.strip()}\n\n")
    at = source.data.find(b"\n", last.start_byte) + 1 or len(source.data)
    gap = "" if source.data[at : at + 1] in (b"\n", b"\r") else "\n"
    return Edit(at, at, f"{includes}\n{code.strip()}\n{gap}")


def _spellings(header: str) -> set[str]:
    """The header as C++ and as C calls it."""
    return {header, f"c{header[:-2]}"} if header.endswith(".h") else {header, f"{header[1:]}.h"}


def calls(source: SourceFile, *names: str) -> list[Node]:
    """Calls of functions by name, with or without `std::`."""
    found = []
    for node in source.find("call_expression"):
        function = node.child_by_field_name("function")
        if function is not None and source.text(function).removeprefix("std::") in names:
            found.append(node)
    return found


def live(source: SourceFile, nodes: Iterable[Node]) -> list[Node]:
    """Nodes that are not inside an unused function, which is one whose name occurs nowhere else."""
    return [node for node in nodes if not _in_unused_function(source, node)]


def _in_unused_function(source: SourceFile, node: Node) -> bool:
    for each in ancestors(node):
        if each.type == "function_definition":
            name = function_name(source, each)
            return name is not None and name != "main" and len(re.findall(rf"\b{name}\b", source.code)) == 1
    return False


def function_name(source: SourceFile, definition: Node) -> str | None:
    declarator = definition.child_by_field_name("declarator")
    while declarator is not None and declarator.type != "function_declarator":
        declarator = declarator.child_by_field_name("declarator")
    name = declarator.child_by_field_name("declarator") if declarator is not None else None
    return source.text(name) if name is not None and re.fullmatch(r"\w+", source.text(name)) else None


def functions(source: SourceFile) -> dict[str, Node]:
    """Plain functions by name; overloaded ones, and macros that only look like functions, are left out."""
    found: dict[str, list[Node]] = {}
    for node in source.find("function_definition"):
        name = function_name(source, node)
        whole = all(node.child_by_field_name(part) is not None for part in ("type", "body"))
        if name is not None and whole:
            found.setdefault(name, []).append(node)
    return {name: nodes[0] for name, nodes in found.items() if len(nodes) == 1}


@lru_cache(maxsize=64)
def _bodies(source: SourceFile) -> dict[str, list[Node]]:
    """Bodies of the program's functions, methods, constructors and named lambdas, by the last part of their name."""
    found: dict[str, list[Node]] = {}
    for node in source.find("function_definition"):
        declarator = next(source.find("function_declarator", within=field(node, "declarator")), None)
        body = node.child_by_field_name("body")
        if declarator is not None and body is not None:
            name = source.text(field(declarator, "declarator")).split("::")[-1]
            found.setdefault(name, []).append(body)
    for node in source.find("init_declarator"):
        for made in source.find("lambda_expression", within=node.child_by_field_name("value")):
            found.setdefault(source.text(field(node, "declarator")).strip("& "), []).append(field(made, "body"))
    return found


@lru_cache(maxsize=1024)
def _named_in(source: SourceFile, code: Node) -> frozenset[str]:
    kinds = ("identifier", "field_identifier", "type_identifier")
    return frozenset(source.text(node) for node in source.find(*kinds, within=code)) & _bodies(source).keys()


def entered(source: SourceFile, code: Iterable[Node]) -> list[Node]:
    """Bodies of the program's own functions that pieces of code may enter, directly or through others."""
    reached, waiting = set[str](), {name for each in code for name in _named_in(source, each)}
    while waiting:
        reached |= waiting
        waiting = {n for name in waiting for body in _bodies(source)[name] for n in _named_in(source, body)} - reached
    return [body for name in sorted(reached) for body in _bodies(source)[name]]


def macros(source: SourceFile) -> list[Node]:
    """The replacement texts of the program's macros."""
    return [value for node in source.find("preproc_def", "preproc_function_def")
            if (value := node.child_by_field_name("value")) is not None]  # fmt: skip


def arguments(call: Node) -> list[Node]:
    found = call.child_by_field_name("arguments")
    return [] if found is None else [node for node in found.named_children if node.type != "comment"]


def statement_of(node: Node) -> Node | None:
    """The statement that is nothing but this expression."""
    return node.parent if node.parent is not None and node.parent.type == "expression_statement" else None


def resolved(source: SourceFile, name: str) -> str:
    """A type's name with the program's own aliases and macros for plain types written out."""
    aliases = {alias: meaning for meaning, alias in re.findall(r"\btypedef\s+([\w\s:]+?)\s+(\w+)\s*;", source.code)}
    aliases |= dict(re.findall(r"\busing\s+(\w+)\s*=\s*([\w\s:]+?)\s*;", source.code))
    aliases |= dict(
        re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+([\w \t]+?)[ \t]*\r?$", source.code, re.MULTILINE)
    )
    words = name.split()
    return " ".join(aliases.get(word, word) for word in words)


def type_of(source: SourceFile, node: Node) -> str | None:
    """The type of a plain variable, from the nearest declaration above; None for any other expression."""
    name = source.text(node)
    if node.type != "identifier":
        return None
    function = enclosing(node, "function_definition")
    own = (
        []
        if function is None
        else [each for each in _declarations(source, function) if each.start_byte < node.start_byte]
    )
    for each in (*reversed(own), *(each for each in source.root.children if each.type == "declaration")):
        for declarator in each.children_by_field_name("declarator"):
            if re.match(rf"{name}\s*(?:=|\{{|\(|$)", source.text(declarator)):
                return resolved(source, source.text(field(each, "type")))
    return None


def _declarations(source: SourceFile, node: Node) -> list[Node]:
    return list(source.find("declaration", "parameter_declaration", within=node))
