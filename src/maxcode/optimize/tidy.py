"""A clean-up of what transformations leave behind: loops of one turn, sums with zero, doubled guards, foreign tabs.

Only lines that the candidate changed are touched. What comes out is judged like any other program, and dropped where it
fails or is slower, so a pattern may be usual instead of proven.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping

from maxcode.core import Candidate, Language
from maxcode.optimize.indent import indented_as, indented_by_depth
from maxcode.task.model import Task

_NAME = r"[A-Za-z_]\w*"
_LOOP = re.compile(
    rf"for \((?:[\w:]+ )+({_NAME}) = (\d+); \1 (<=?) (\d+); (?:\1 \+= (\d+)|\1\+\+|\+\+\1)\) ?(\{{)?[ \t]*$",
    re.MULTILINE,
)
_GUARD = re.compile(r"^([ \t]*)if \(([^{}\n;]+)\) ?\{\n[ \t]*if \(\2\) ?\{[ \t]*$", re.MULTILINE)
_SIMPLE: tuple[tuple[str, str], ...] = (
    (r"(?<![\w.\])] )(?<![\w.*/%\])-])\b0 \* (?:\w+(?:\[\w+\])?)(?![\w.(\[])", "0"),
    (r"(?<![\w.*/%)\]>])\((\d+)\)(?![\w.])", r"\1"),
    (r"(?<=[\[(=,;] )0 \+ |(?<=[\[(])0 \+ ", ""),
    (r"(?<=[\w)\]]) [+-] 0(?=[\]);,])", ""),
    (r"(?<=[\w)\]]) \* 1(?=[\]);,])", ""),
    (r"(?<=[\[(=,;] )1 \* |(?<=[\[(])1 \* ", ""),
)
_CHOICE = re.compile(r"\((\d+) (<|<=) (\d+) \? (\d+) : (\d+)\)|std::min\((\d+), (\d+)\)")
_PLUS = re.compile(r"(?<![\w.*/%] )(?<![\w.*/%\])])\b(\d+) \+ (\d+)\b(?! ?[*/%.\[(\w])")


def leftovers(lines: list[str], language: Language) -> list[str]:
    """Lines with something degenerate in them that a person would not have written."""
    if language is Language.PYTHON:
        return []
    text = "".join(lines)
    found = [match.group() for match in _LOOP.finditer(text) if _turns(match) <= 1]
    found += [match.group() for match in _GUARD.finditer(text)]
    return found + [m.group() for pattern, _ in _SIMPLE[:1] for m in re.finditer(pattern, text)]


def tidied(task: Task, candidate: Candidate) -> Candidate:
    """The candidate with leftovers folded and in the indentation of the original; itself if there is nothing to do."""
    if task.language is Language.PYTHON:
        return candidate
    before = task.baseline_candidate.files
    files = {name: _tidied(before.get(name, ""), text) for name, text in candidate.files.items()}
    return candidate if files == candidate.files else candidate.model_copy(update={"files": files})


def _tidied(before: str, after: str) -> str:
    made = _by_block(before, _by_block(before, after, folded), lambda text: indented_as(before, text))
    return indented_by_depth(before, made)


def _by_block(before: str, after: str, change: Callable[[str], str]) -> str:
    """The text with each block of changed lines changed further."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    made = []
    for kind, _, _, j1, j2 in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        block = "".join(new[j1:j2])
        made.append(block if kind == "equal" else change(block))
    return "".join(made)


def folded(text: str) -> str:
    """C or C++ text without leftovers."""
    for _ in range(20):
        found = _once(text)
        if found == text:
            return text
        text = found
    return text


def _once(text: str) -> str:
    text = _without_single_turns(_without_doubled_guards(text))
    for pattern, by in _SIMPLE:
        text = re.sub(pattern, by, text)
    text = _PLUS.sub(lambda match: str(int(match[1]) + int(match[2])), text)
    return _CHOICE.sub(_chosen, text)


def _chosen(match: re.Match[str]) -> str:
    if match[6]:
        return str(min(int(match[6]), int(match[7])))
    left, right = int(match[1]), int(match[3])
    return match[4] if left < right or (match[2] == "<=" and left == right) else match[5]


def _turns(match: re.Match[str]) -> int:
    first, last, step = int(match[2]), int(match[4]) + (match[3] == "<="), int(match[5] or 1)
    return max(0, -(-(last - first) // step)) if step else 2


def _without_single_turns(text: str) -> str:
    """Loops over literals that take one turn become their bodies, with the variable's value in its place."""
    for match in _LOOP.finditer(text):
        span = _body(text, match.end()) if match[6] and _turns(match) == 1 else None
        if span is None:
            continue
        body, end = span
        if re.search(rf"\b(break|continue)\b|\b{match[1]}(\+\+| [-+*/]?= )|(\+\+|--|&){match[1]}\b", body):
            continue
        start = text.rfind("\n", 0, match.start()) + 1
        lines = re.sub(rf"\b{match[1]}\b", match[2], body.rstrip(" \t")).strip("\n").split("\n")
        inner = "\n".join(_outdented(line, text[start : match.start()]) for line in lines)
        return f"{text[:start]}{inner}{text[end:]}"
    return text


def _without_doubled_guards(text: str) -> str:
    """`if (x) { if (x) { ... } }` with nothing else inside becomes one of the two."""
    for match in _GUARD.finditer(text):
        outer = _body(text, text.index("{", match.start()) + 1)
        inner = _body(text, match.end())
        if outer is None or inner is None or text[inner[1] : outer[1]].strip() != "}":
            continue
        lines = inner[0].rstrip(" \t").strip("\n").split("\n")
        body = "\n".join(_outdented(line, match[1], keep=1) for line in lines)
        return f"{text[: match.start()]}{match[1]}if ({match[2]}) {{\n{body}\n{match[1]}}}{text[outer[1] :]}"
    return text


def _body(text: str, start: int) -> tuple[str, int] | None:
    """What is between an open brace before `start` and its end, and the place after the end; None if it is open."""
    depth = 1
    for i in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return text[start:i], i + 1
    return None


def _outdented(line: str, outer: str, keep: int = 0) -> str:
    """A line one level further out. `outer` is the indentation of what encloses it."""
    unit = "\t" if outer.endswith("\t") or line.startswith("\t") else "    "
    cut = unit * (1 + (1 if keep else 0)) if keep else unit
    if line.startswith(outer + cut):
        return outer + unit * keep + line[len(outer + cut) :]
    return line


def changed_lines(before: Mapping[str, str], after: Mapping[str, str]) -> int:
    """Number of lines that a diff removes and adds."""
    return sum(len(removed) + len(added) for removed, added in _changes(before, after))


def _changes(before: Mapping[str, str], after: Mapping[str, str]) -> list[tuple[list[str], list[str]]]:
    found = []
    for name, text in after.items():
        old, new = before.get(name, "").splitlines(), text.splitlines()
        matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
        found += [(old[i1:i2], new[j1:j2]) for kind, i1, i2, j1, j2 in matcher.get_opcodes() if kind != "equal"]
    return found


def touched(before: Mapping[str, str], after: Mapping[str, str]) -> set[str]:
    """Lines that a diff removes or adds, without the white space around them."""
    return {line.strip() for removed, added in _changes(before, after) for line in (*removed, *added) if line.strip()}
