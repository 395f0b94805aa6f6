"""Python: reading, splitting, building and writing text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.python.code import LOOPS, addition, alone, body_of, call_of, mentions, scope_of
from maxcode.policy.rewrite.python.effects import dead_after
from maxcode.policy.rewrite.python.imports import after_imports, heading, importing, with_imports
from maxcode.policy.rewrite.python.sweep import is_plain_for, start_of
from maxcode.policy.rewrite.source import SourceFile, enclosing, field, inside
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation


def _join(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for loop in source.find(*LOOPS):
        if not alone(source, loop):
            continue
        for name in {
            source.text(a.named_children[0]) for a in source.find("assignment", "augmented_assignment", within=loop)
        }:
            start = start_of(source, name, loop) if name.isidentifier() else None
            grown = _grown(source, name, loop)
            if start is None or source.text(start[1]) not in ('""', "''") or not grown:
                continue
            parts = source.fresh("parts")
            edits = [source.replace(each, f"{parts}.append({source.text(value)})") for each, value in grown]
            join = source.after(loop, f'\n{source.indent(loop)}{name} = "".join({parts})')
            yield Rewrite(source.line(loop), (source.replace(start[0], f"{parts} = []"), *edits, join))


def _grown(source: SourceFile, name: str, loop: Node) -> list[tuple[Node, Node]]:
    """The statements that append to a text, with what they append; none where it is named in another way too."""
    found = []
    for each in source.find("expression_statement", within=loop):
        added = addition(source, each)
        if added is not None and added[0] == name and not mentions(source, name, added[1]):
            found.append((each, added[1]))
    elsewhere = [m for m in mentions(source, name, loop) if not any(inside(m, each) for each, _ in found)]
    return [] if elsewhere or any(scope_of(each) != scope_of(loop) for each, _ in found) else found


def _input(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """Defines a faster `input` at the top of the file; the calls stay as they are."""
    del setting
    calls = [call for call in source.find("call") if source.text(field(call, "function")) == "input"]
    repeated = [call for call in calls if enclosing(call, *LOOPS, "list_comprehension", "function_definition")]
    if not repeated or any(call_of(source, call, "input") for call in calls):
        return
    if re.search(r"\binput\s*=|\bstdin\b|EOFError|\bexcept\s*(?:Exception)?\s*:|\bfileinput\b|open\(0", source.code):
        return
    imports = importing(source, "import sys")
    if imports is None:
        return
    at = after_imports(source)
    brought = [each.text.strip() for each in imports]
    for options, line in (
        ("lines", 'input = iter(sys.stdin.read().split("\\n")).__next__'),
        ("readline", "input = lambda: sys.stdin.readline().rstrip('\\n')"),
    ):
        edit = heading(source, at, *brought, line)
        yield Rewrite(source.line(calls[0]), (edit,), options, weight=1.0 if options == "lines" else 0.3)


def _print(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """`print` in a loop: one piece of text per call, written in one go behind the loop."""
    del setting
    for loop in source.find(*LOOPS):
        if enclosing(loop, *LOOPS) is not None or not alone(source, loop):
            continue
        calls = [call for call in source.find("call", within=loop) if source.text(field(call, "function")) == "print"]
        lines = [_line(source, call) for call in calls]
        if (
            not calls
            or None in lines
            or any(scope_of(call) != scope_of(loop) for call in calls)
            or _leaves(source, loop)
        ):
            continue
        out = source.fresh("out")
        edits = [source.replace(call, f"{out}.append({line})") for call, line in zip(calls, lines, strict=True)]
        begin = source.before(loop, f"{out} = []\n{source.indent(loop)}")
        end = source.after(loop, f'\n{source.indent(loop)}sys.stdout.write("".join({out}))')
        added = with_imports(source, (begin, *edits, end), "import sys")
        if added is not None:
            yield Rewrite(source.line(loop), added)


def _line(source: SourceFile, call: Node) -> str | None:
    """The expression for the text that a print writes; None where that is not plain."""
    arguments = call_of(source, call, "print")
    if arguments is None or call.parent is None or call.parent.type != "expression_statement":
        return None
    end, pieces = "\\n", []
    for each in arguments:
        text = source.text(each)
        ends = re.fullmatch(r"end\s*=\s*(['\"])([^'\"{}]*)\1", text)
        if ends:
            end = ends[2]
        elif each.type in ("keyword_argument", "list_splat", "dictionary_splat", "generator_expression"):
            return None
        else:
            pieces.append(_piece(text))
    if None in pieces:
        return None
    return 'f"' + " ".join(piece for piece in pieces if piece is not None) + end + '"'


def _piece(text: str) -> str | None:
    """What an expression becomes inside of an f-string, which has double quotes around it."""
    literal = re.fullmatch(r"(['\"])([^'\"{}\\]*)\1", text)
    if literal:
        return literal[2]
    if re.search(r"[\"\\\n{}#]|lambda|:=|!", text):
        return None
    return f"{{{text}}}"


def _leaves(source: SourceFile, loop: Node) -> bool:
    """Whether a loop may end the function or program, or wait for a reader: the text must be out by then."""
    if (
        next(source.find("return_statement", "yield", "raise_statement", "try_statement", within=loop), None)
        is not None
    ):
        return True
    if source.text(loop).startswith(("while True", "while 1")) and not next(
        source.find("break_statement", within=loop), None
    ):
        return True
    names = {source.text(field(call, "function")) for call in source.find("call", within=loop)}
    own = {source.text(field(f, "name")) for f in source.find("function_definition")}
    return bool(names & {"exit", "quit", "sys.exit", "sys.stdout.write", "sys.stdout.flush", "os._exit", *own})


def _all_words(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """`for line in sys.stdin:` around nothing but `for word in line.split():` and the like."""
    del setting
    for loop in source.find("for_statement"):
        inner = body_of(loop)
        lines = source.text(field(loop, "right"))
        if lines not in ("sys.stdin", "stdin") or len(inner) != 1 or not is_plain_for(source, loop):
            continue
        line, expression = source.text(field(loop, "left")), _uses_line(inner[0])
        if expression is None or not dead_after(source, line, loop) or not alone(source, loop):
            continue
        words = source.text(expression)
        search = r"re\.findall\(r?(['\"])(\[[^\^\]\\]+\]\+?|\[\^\\W(?:\\d)?_\]\+|\\[wd]\+)\1, "
        blind = re.fullmatch(rf"(?:{search})?{line}(?:\.(?:lower|upper)\(\))?(?:\.split\(\))?\)?", words)
        if blind is None or words == line or len(mentions(source, line, inner[0])) != 1:
            continue
        new = source.text(inner[0]).replace(words, re.sub(rf"\b{line}\b", f"{lines}.read()", words), 1)
        unit = len(source.indent(inner[0])) - len(source.indent(loop))
        text = re.sub(rf"\n[ \t]{{{max(unit, 0)}}}", "\n", new)
        yield Rewrite(source.line(loop), (source.replace(loop, text),))


def _uses_line(node: Node) -> Node | None:
    """What a loop walks over, or what a table or list is filled from."""
    if node.type == "for_statement":
        return field(node, "right")
    call = node.named_children[0] if node.type == "expression_statement" and node.named_children else node
    arguments = call.child_by_field_name("arguments") if call.type == "call" else None
    function = call.child_by_field_name("function") if call.type == "call" else None
    if function is None or arguments is None or function.type != "attribute" or len(arguments.named_children) != 1:
        return None
    is_many = (field(function, "attribute").text or b"") in (b"update", b"extend")
    return arguments.named_children[0] if is_many else None


TRANSFORMATIONS = (
    Transformation(
        name="join-for-building",
        family="python",
        summary="Collects the pieces of a text in a list and joins them once.",
        find=_join,
        example=RewriteExample(
            before="""
text = ""
for i in range(5):
    text = text + str(i)
    text += ","
print(text)
""",
            after="""
parts = []
for i in range(5):
    parts.append(str(i))
    parts.append(",")
text = "".join(parts)
print(text)
""",
        ),
        languages=PYTHON,
        answers=("string-building",),
        prior=0.3,
        refusals=(
            "s = ''\nfor i in range(3):\n    s += 'a'\n    print(s)\n",
            "s = 0\nfor i in range(3):\n    s += i\nprint(s)\n",
        ),
    ),
    Transformation(
        name="input-at-once",
        family="python",
        summary="Reads all of the input at once and hands out its lines.",
        find=_input,
        example=RewriteExample(
            before="""
def read(n):
    return [int(input()) for _ in range(n)]


print(sum(read(0)))
""",
            after="""
import sys
input = iter(sys.stdin.read().split("\\n")).__next__


def read(n):
    return [int(input()) for _ in range(n)]


print(sum(read(0)))
""",
        ),
        languages=PYTHON,
        answers=("slow-input",),
        prior=3.0,
        refusals=(
            "for i in range(0):\n    name = input('Name: ')\n",
            "import sys\nfor i in range(0):\n    print(input(), sys.stdin.readline())\n",
        ),
    ),
    Transformation(
        name="output-at-once",
        family="python",
        summary="Collects what a loop prints and writes it once.",
        find=_print,
        example=RewriteExample(
            before="""
import sys
for i in range(3):
    print(i, i * i)
    print("-", end=";")
""",
            after="""
import sys
out = []
for i in range(3):
    out.append(f"{i} {i * i}\\n")
    out.append(f"-;")
sys.stdout.write("".join(out))
""",
        ),
        languages=PYTHON,
        answers=("slow-output",),
        prior=2.0,
        refusals=(
            "import sys\nfor i in range(3):\n    print(i, file=sys.stderr)\n",
            "def f():\n    for i in range(3):\n        print(i)\n        if i == 1:\n            return\n\n\nf()\n",
            "a = [1]\nfor i in range(3):\n    print(*a)\n",
        ),
    ),
    Transformation(
        name="words-at-once",
        family="python",
        summary="Splits all of the input at once instead of line by line.",
        find=_all_words,
        example=RewriteExample(
            before="""
import sys
count = 0
for line in sys.stdin:
    for word in line.split():
        count += len(word)
print(count)
""",
            after="""
import sys
count = 0
for word in sys.stdin.read().split():
    count += len(word)
print(count)
""",
        ),
        languages=PYTHON,
        answers=("slow-input",),
        prior=2.0,
        refusals=(
            "import sys\nfor line in sys.stdin:\n    print(line)\n",
            "import sys\nfor line in sys.stdin:\n    for w in line.split():\n        print(w, line)\n",
        ),
    ),
)
