"""Variables and what is done with them, read off the text.

Contest programs hide loops in macros, and the parser then loses its way now and then. Brackets and names are still
plain to see, so what needs *every* use of a variable looks at the text, with comments and literals blanked out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from tree_sitter import Node

from maxcode.policy.rewrite.source import SourceFile, ancestors

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_LITERALS = re.compile(rb"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'", re.DOTALL)
CHANGED = r"(?:\s*(?:=(?!=)|\+\+|--|(?:[-+*/%&|^]|<<|>>)=))"
"""Pattern of what follows a variable where it is changed."""
_TYPE_MACRO = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+((?:vector|pair|long|unsigned|int|string|map|set)\b[^\n(){};]*)$",
    re.MULTILINE,
)
SIMPLE = re.compile(r"[\w.]+|\([^()]*\)|\w+(?:\[\w+\])+|\w+\.size\(\)")


@lru_cache(maxsize=64)
def masked(source: SourceFile) -> str:
    """The text with the insides of comments and literals blanked out; one character for each byte."""

    def blank(match: re.Match[bytes]) -> bytes:
        found = match[0]
        if found[:1] == b"/":
            return re.sub(rb"[^\n]", b" ", found)
        return found[:1] + b"_" * (len(found) - 2) + found[-1:]

    return _LITERALS.sub(blank, source.data).decode("latin-1")


def closing(text: str, at: int) -> int:
    """The offset behind the bracket that closes the one at `at`, or -1."""
    waiting: list[str] = []
    for i in range(at, len(text)):
        character = text[i]
        if character in _CLOSING:
            waiting.append(_CLOSING[character])
        elif character in ")]}":
            if not waiting or waiting.pop() != character:
                return -1
            if not waiting:
                return i + 1
    return -1


def split(text: str, separator: str = ",") -> list[str]:
    """The parts between separators outside of all brackets; `<` counts as one where a type's arguments follow."""
    parts, depth, current = [], 0, ""
    for i, character in enumerate(text):
        angle = character == "<" and re.search(r"(?:vector|pair|map|set|array|tuple|cast|complex|queue)\s*$", text[:i])
        depth += (character in "([{" or bool(angle)) - (character in ")]}")
        if character == ">" and depth and "<" in current and re.search(r"[\w> ]$", text[:i]) and text[i - 1] != "-":
            depth -= 1
        if character == separator and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += character
    return [*parts, current.strip()] if current.strip() or parts else []


@dataclass(frozen=True)
class Span:
    start: int
    end: int


@dataclass(frozen=True)
class Mention:
    """A use of a variable, with the subscripts behind it."""

    at: int
    end: int
    """Offset behind the last subscript."""
    indices: tuple[Span, ...]


@dataclass(frozen=True)
class Variable:
    """One name of a declaration."""

    source: SourceFile
    declaration: Node
    type: str
    name: str
    rest: str
    """What follows the name: `(n, 0)`, `= 1`, `[100]`, `{}` or nothing."""
    at: int
    alone: bool
    """Whether it is the only variable of its declaration."""
    scope: Node

    @cached_property
    def is_global(self) -> bool:
        return self.scope.type == "translation_unit"

    @cached_property
    def mentions(self) -> list[Mention] | None:
        """All later uses; None where they are not certain, because the name is shadowed or a macro uses it."""
        text, begin = masked(self.source), self.declaration.end_byte
        if self.name in _macro_words(self.source) or self._shadowed():
            return None
        pattern = re.compile(rf"(?<![\w.])(?<!->)(?<!::){re.escape(self.name)}\b")
        found = pattern.finditer(text, begin, self.scope.end_byte)
        return [_mention(text, match.end(), match.start()) for match in found]

    def _shadowed(self) -> bool:
        nodes = self.source.find("declaration", "parameter_declaration", "for_range_loop", within=self.scope)
        for node in nodes:
            if node == self.declaration:
                continue
            for declarator in node.children_by_field_name("declarator"):
                name = next(self.source.find("identifier", within=declarator), None)
                if name is not None and self.source.text(name) == self.name and node.type != "for_range_loop":
                    return True
                if node.type == "for_range_loop" and self.name in self.source.text(declarator).strip("& *"):
                    return self.name == self.source.text(declarator).strip("& *")
        return False

    def text(self, span: Span) -> str:
        return self.source.data[span.start : span.end].decode(errors="replace")

    def changed_after(self, name: str) -> bool:
        """Whether some variable may change between the declaration and the end of the scope."""
        return changes(masked(self.source)[self.declaration.end_byte : self.scope.end_byte], name)


def _mention(text: str, end: int, at: int) -> Mention:
    indices: list[Span] = []
    while True:
        match = re.compile(r"\s*\[").match(text, end)
        close = closing(text, match.end() - 1) if match else -1
        if match is None or close < 0:
            return Mention(at, end, tuple(indices))
        indices.append(Span(match.end(), close - 1))
        end = close


def changes(text: str, name: str) -> bool:
    """Whether a piece of blanked-out text may give a variable another value."""
    name = re.escape(name)
    return bool(
        re.search(rf"(?<![\w.])(?:{name}\b{CHANGED}|{name}\s*\.\s*(?:\w+back|insert|erase|clear|resize)\b)", text)
        or re.search(rf"(?:>>\s*|\+\+\s*|--\s*|[^&]&\s*|\b(?:swap|getline)\s*\([^;]*){name}\b", text)
    )


@lru_cache(maxsize=64)
def _macro_words(source: SourceFile) -> frozenset[str]:
    """Names in the bodies of macros that are not their parameters."""
    words: set[str] = set()
    for match in re.finditer(r"^[ \t]*#[ \t]*define[ \t]+\w+(\([^)]*\))?((?:\\\n|[^\n])*)", source.code, re.MULTILINE):
        parameters = set(re.findall(r"\w+", match[1] or ""))
        words |= set(re.findall(r"[A-Za-z_]\w*", match[2])) - parameters
    return frozenset(words)


def variables(source: SourceFile) -> Iterator[Variable]:
    """The variables of functions and of the file, in the order of the text, where their scope is plain to see."""
    for node in source.find("declaration"):
        scope, kind = node.parent, node.child_by_field_name("type")
        if scope is None or kind is None or node.has_error or not _whole(source, scope):
            continue
        text = source.text(node)
        if re.match(r"(?:extern|using|typedef|template)\b", text) or not text.endswith(";"):
            continue
        prefix = text[: kind.end_byte - node.start_byte]
        parts = split(source.data[kind.end_byte : node.end_byte - 1].decode(errors="replace"))
        at = kind.end_byte
        for part in parts:
            match = re.match(r"(\w+)\s*(.*)", part, re.DOTALL)
            at = source.data.find(part.encode(), at)
            if match and match[1] not in ("const", "long", "int", "unsigned", "operator"):
                yield Variable(source, node, prefix, match[1], match[2], at, len(parts) == 1, scope)
            at += len(part.encode())


def _whole(source: SourceFile, scope: Node) -> bool:
    if scope.type == "compound_statement":
        return closing(masked(source), scope.start_byte) == scope.end_byte
    return scope.type == "translation_unit"


def resolved(source: SourceFile, name: str) -> str:
    """A type with the program's own names for types replaced, without spaces and `std::`; `const` stays."""
    short = _aliases(source)
    for _ in range(5):
        longer = re.sub(r"[A-Za-z_]\w*", lambda word: short.get(word[0], word[0]), name)
        if longer == name:
            break
        name = longer
    return re.sub(r"\s*([<>,])\s*", r"\1", name.replace("std::", "")).strip()


@lru_cache(maxsize=64)
def _aliases(source: SourceFile) -> dict[str, str]:
    text = masked(source)
    found = {m[2]: m[1].strip() for m in re.finditer(r"\btypedef\s+([^;{}]+?)\s*\b(\w+)\s*;", text)}
    found |= {m[1]: m[2].strip() for m in re.finditer(r"\busing\s+(\w+)\s*=\s*([^;]+);", text)}
    macros = _TYPE_MACRO.finditer(text)
    found |= {m[1]: m[2].strip() for m in macros}
    return {name: meaning for name, meaning in found.items() if name not in re.findall(r"\w+", meaning)}


def arguments(kind: str, template: str) -> list[str] | None:
    """The arguments of a resolved template type, if it is that template."""
    match = re.fullmatch(rf"{template}<(.*)>", kind)
    if not match:
        return None
    parts, depth, current = [], 0, ""
    for character in match[1]:
        depth += (character in "<(") - (character in ">)")
        if character == "," and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += character
    return [*parts, current] if depth == 0 else None


def factor(text: str) -> str:
    """An expression as a factor of a product, in parentheses where it needs them."""
    text = text.strip()
    return text if SIMPLE.fullmatch(text) else f"({text})"


def summand(text: str) -> str:
    """An expression as the right side of a sum, in parentheses where it needs them."""
    text = text.strip()
    return text if re.fullmatch(r"[\w\s.+*/%()\[\]-]+", text) and "--" not in text else f"({text})"


def type_of(source: SourceFile, node: Node) -> str:
    """The resolved type that the innermost declaration gives a name, `[]` or `*` behind it; "" where none is seen."""
    name = source.text(node)
    for above in ancestors(node):
        for each in _declaring(source, above, node):
            kind = each.child_by_field_name("type")
            for declarator in each.children_by_field_name("declarator"):
                found = next(source.find("identifier", within=declarator), None)
                if kind is not None and found is not None and source.text(found) == name:
                    plain = re.sub(r"^const ", "", resolved(source, source.text(kind)))
                    head = re.sub(r"\[[^\]]*\]", "[]", source.text(declarator)).split("=")[0].split("(")[0]
                    return plain + "*" * head.count("*") + "[]" * head.count("[")
    return ""


def _declaring(source: SourceFile, above: Node, node: Node) -> list[Node]:
    """The declarations that a node opens for what stands in it, the nearest first."""
    if above.type in ("compound_statement", "translation_unit"):
        return [c for c in reversed(above.children) if c.type == "declaration" and c.start_byte < node.start_byte]
    if above.type in ("function_definition", "lambda_expression"):
        declarator = above.child_by_field_name("declarator")
        return list(source.find("parameter_declaration", within=declarator)) if declarator is not None else []
    if above.type == "for_statement":
        return [c for c in above.children if c.type == "declaration"]
    return [above] if above.type in ("for_range_loop", "declaration") else []
