"""Python: loops that split a text into words character by character."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from maxcode.policy.rewrite.python.code import addition, alone, body_of, following, mentions, scope_of
from maxcode.policy.rewrite.python.imports import with_imports
from maxcode.policy.rewrite.python.sweep import is_plain_for, start_of
from maxcode.policy.rewrite.source import Edit, SourceFile, field
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation

KINDS = {"isalpha": r"[^\W\d_]", "isdigit": r"\d", "isdecimal": r"\d", "isalnum": r"[^\W_]"}


@dataclass(frozen=True)
class Splitting:
    """`word` grows by characters of a class, and is appended to `words` when another character comes."""

    word: str
    words: str
    pattern: str
    text: str


def _split(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for loop in source.find("for_statement"):
        found = _splitting(source, loop) if is_plain_for(source, loop) and alone(source, loop) else None
        if found is None:
            continue
        start, word = start_of(source, found.words, loop), start_of(source, found.word, loop)
        rest = following(loop)
        if word is None or source.text(word[1]) not in ('""', "''") or rest is None:
            continue
        if _flushed(source, [rest], found.word) != found.words or not _unused(source, found.word, word[0], rest):
            continue
        value = f're.findall(r"{found.pattern}+", {found.text})'
        edits, end = [source.remove_line(word[0])], rest.end_byte
        if start is not None and source.text(start[1]) in ("[]", "list()"):
            edits.append(source.remove_line(start[0]))
            after = following(rest)
            line = f"{found.words} = {value}"
            if after is not None and source.text(after) == f"return {found.words}":
                line, end = f"return {value}", after.end_byte
        else:
            line = f"{found.words}.extend({value})"
        edits.append(Edit(loop.start_byte, end, line))
        added = with_imports(source, tuple(edits), "import re")
        if added is not None:
            yield Rewrite(source.line(loop), added, weight=3.0)


def _splitting(source: SourceFile, loop: Node) -> Splitting | None:
    inner = body_of(loop)
    branch = inner[0] if len(inner) == 1 and inner[0].type == "if_statement" else None
    others = branch.children_by_field_name("alternative") if branch is not None else []
    if branch is None or len(others) != 1:
        return None
    character = source.text(field(loop, "left"))
    pattern = character_class(source, field(branch, "condition"), character)
    there, other = body_of(branch), body_of(others[0]) if others[0].type == "else_clause" else [others[0]]
    grown = _grows(source, there, character)
    if grown is None:  # the separators come first: the class is the other way round
        grown, there, other = _grows(source, other, character), other, there
        pattern = _negated(pattern)
    words = _flushed(source, other, grown) if grown is not None else None
    if grown is None or words is None or pattern is None or not _empties(source, other, grown):
        return None
    return Splitting(grown, words, pattern, source.text(field(loop, "right")))


def _grows(source: SourceFile, inner: list[Node], character: str) -> str | None:
    added = addition(source, inner[0]) if len(inner) == 1 else None
    return added[0] if added is not None and source.text(added[1]) == character else None


def _flushed(source: SourceFile, inner: list[Node], word: str) -> str | None:
    """The list in `if word: words.append(word)`."""
    branch = inner[0]
    if branch.type not in ("if_statement", "elif_clause") or branch.child_by_field_name("alternative") is not None:
        return None
    if not re.fullmatch(rf"{word}( != (''|\"\"))?|len\({word}\)( > 0| != 0)?", source.text(field(branch, "condition"))):
        return None
    append = re.fullmatch(rf"(\w+)\.append\({word}\)", source.text(body_of(branch)[0]))
    rest = [source.text(each) for each in body_of(branch)[1:]]
    return append[1] if append and all(re.fullmatch(rf"{word} = (''|\"\")", each) for each in rest) else None


def _empties(source: SourceFile, inner: list[Node], word: str) -> bool:
    """Whether the word is empty again in any case behind these statements."""
    last = [*inner[1:], *body_of(inner[0])[1:]]
    return len(last) == 1 and bool(re.fullmatch(rf"{word} = (''|\"\")", source.text(last[0])))


def _unused(source: SourceFile, word: str, first: Node, last: Node) -> bool:
    named = mentions(source, word, scope_of(first))
    return all(first.start_byte <= each.start_byte and each.end_byte <= last.end_byte for each in named)


def _negated(pattern: str | None) -> str | None:
    if pattern is None:
        return None
    if pattern.startswith("\\"):
        return pattern.upper()
    return None if pattern.startswith("[^") else f"[^{pattern[1:]}"


def character_class(source: SourceFile, node: Node, character: str) -> str | None:
    """The class of a regular expression for a test of one character."""
    if node.type == "boolean_operator" and source.text(field(node, "operator")) == "or":
        sides = [character_class(source, field(node, side), character) for side in ("left", "right")]
        if None in sides or any(str(each).startswith("[^") for each in sides):
            return None
        return "[" + "".join(str(each).removeprefix("[").removesuffix("]") for each in sides) + "]"
    text = source.text(node)
    if node.type == "parenthesized_expression":
        return character_class(source, node.named_children[0], character)
    if method := re.fullmatch(rf"{character}\.(\w+)\(\)", text):
        return KINDS.get(method[1])
    if between := re.fullmatch(rf"(['\"])(\w)\1 <= {character} <= (['\"])(\w)\3", text):
        return f"[{between[2]}-{between[4]}]"
    if between := re.fullmatch(rf"{character} >= (['\"])(\w)\1 and {character} <= (['\"])(\w)\3", text):
        return f"[{between[2]}-{between[4]}]"
    one = re.fullmatch(rf"{character} (==|!=|in|not in) (['\"])([^'\"\\]+)\2", text)
    if one is None or (one[1] in ("==", "!=") and len(one[3]) != 1):
        return None
    return f"[{'^' if one[1] in ('!=', 'not in') else ''}{re.escape(one[3])}]"


TRANSFORMATIONS = (
    Transformation(
        name="findall-for-splitting",
        family="python",
        summary="Splits a text into words with a regular expression instead of character by character.",
        find=_split,
        example=RewriteExample(
            before="""
def words_of(line):
    words = []
    word = ""
    for character in line:
        if "a" <= character <= "z":
            word = word + character
        else:
            if word != "":
                words.append(word)
            word = ""
    if word != "":
        words.append(word)
    return words


print(words_of("to be, or not to be"))
""",
            after="""
import re


def words_of(line):
    return re.findall(r"[a-z]+", line)


print(words_of("to be, or not to be"))
""",
        ),
        languages=PYTHON,
        answers=("string-building", "character-loop"),
        prior=3.0,
        refusals=(
            """
words = []
word = ""
for c in "a b":
    if c != " ":
        word += c
    else:
        words.append(word)
        word = ""
words.append(word)
print(words)
""",
        ),
    ),
)
