"""From a model's answer to a program: fenced code, several files, search/replace edits and unified diffs.

Models are careless about form. What can be understood without guessing at meaning is understood: edits whose text does
not match to the letter get a second chance without regard to white space, then one by similarity.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

SIMILAR_ENOUGH = 0.85
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})([^\n`]*)\n(.*?)(?:^[ \t]*\1`*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_EDIT = re.compile(r"^<{5,} ?SEARCH[^\n]*\n(.*?)^={5,}[ \t]*\n(.*?)^>{5,} ?REPLACE", re.MULTILINE | re.DOTALL)
_HUNK = re.compile(r"^@@ ?(?:-(\d+))?[^\n]*@@[^\n]*\n((?:[ +\-\\][^\n]*(?:\n|\Z)|\n)+)", re.MULTILINE)
_LANGUAGES = frozenset("c c++ cpp cc cxx h hpp cuda cu python py python3".split())


@dataclass(frozen=True)
class Extracted:
    """The files of the new program, or why there is none."""

    files: dict[str, str] | None
    problem: str | None = None


@dataclass(frozen=True)
class Fence:
    info: str
    text: str
    before: str
    """The last line of prose before it, where models like to put file names."""


def extract(answer: str, current: dict[str, str], main: str) -> Extracted:
    """The program an answer means, given the current files and the one that a lone block replaces."""
    if not answer.strip():
        return Extracted(None, "the answer is empty")
    edits = list(_edits(answer))
    if edits:
        return _apply_all(edits, current, main)
    fences = list(fenced(answer))
    diffs = [fence for fence in fences if _is_diff(fence)] or (
        [Fence("diff", answer, "")] if _HUNK.search(answer) else []
    )
    if diffs:
        return _apply_all([edit for fence in diffs for edit in _hunks(fence.text)], current, main)
    return _whole(fences, answer, current, main)


def fenced(answer: str) -> Iterator[Fence]:
    for match in _FENCE.finditer(answer):
        before = answer[: match.start()].rstrip().rsplit("\n", 1)[-1]
        yield Fence(match[2].strip(), match[3], before)


def _whole(fences: list[Fence], answer: str, current: dict[str, str], main: str) -> Extracted:
    files = dict(current)
    named = [(name, fence.text) for fence in fences if (name := _file_name(fence, current)) is not None]
    for name, text in named:
        files[name] = text
    if named and (len(current) > 1 or any(name == main for name, _ in named)):
        return Extracted(files)
    code = [fence for fence in fences if _looks_like_code(fence)]
    if code:
        files[main] = max(code, key=lambda fence: len(fence.text)).text
        return Extracted(files)
    if not fences and _is_bare_code(answer):
        files[main] = answer.strip() + "\n"
        return Extracted(files)
    return Extracted(None, "the answer contains no code block")


def _file_name(fence: Fence, current: dict[str, str]) -> str | None:
    """The task's file that a block names, on its fence, in the line before it or in its first line."""
    first = fence.text.split("\n", 1)[0]
    for place in (fence.info, fence.before, first if first.lstrip().startswith(("//", "#", "/*")) else ""):
        words = re.findall(r"[\w./+-]+", place)
        for name in current:
            if name in words or PurePosixPath(name).name in words:
                return name
    return None


def _looks_like_code(fence: Fence) -> bool:
    language = re.split(r"[\s:{,]", fence.info.lower(), maxsplit=1)[0]
    return bool(fence.text.strip()) and (language in _LANGUAGES or (not language and _is_bare_code(fence.text)))


def _is_bare_code(text: str) -> bool:
    return bool(
        re.search(
            r"^\s*(#include|import |from \w+ import|def |int main|void |template|static |extern )", text, re.MULTILINE
        )
    )


Edit = tuple[str, str, int | None]
"""What is there, what replaces it, and the line where it should be, if that is said."""


def _edits(answer: str) -> Iterator[Edit]:
    for match in _EDIT.finditer(answer):
        yield match[1], match[2], None


def _is_diff(fence: Fence) -> bool:
    return fence.info.lower().startswith(("diff", "patch")) or bool(_HUNK.search(fence.text))


def _hunks(text: str) -> Iterator[Edit]:
    """Unified-diff hunks as edits: what the hunk expects, and what it wants in its place."""
    for match in _HUNK.finditer(text):
        lines = [line for line in match[2].split("\n") if not line.startswith(("\\", "--- ", "+++ "))]
        while lines and not lines[-1].strip():
            lines.pop()
        old = [line[1:] for line in lines if not line.startswith("+")]
        new = [line[1:] for line in lines if not line.startswith("-")]
        place = int(match[1]) if match[1] else None
        yield "".join(line + "\n" for line in old), "".join(line + "\n" for line in new), place


def _apply_all(edits: list[Edit], current: dict[str, str], main: str) -> Extracted:
    files = dict(current)
    for number, (old, new, place) in enumerate(edits, 1):
        for name in sorted(files, key=lambda name: name != main):
            changed = apply_edit(files[name], old, new, place)
            if changed is not None:
                files[name] = changed
                break
        else:
            first = (old.strip().splitlines() or ["nothing"])[0][:80]
            return Extracted(None, f"edit {number} of {len(edits)} does not apply: '{first}' is not in the program")
    if files == current:
        return Extracted(None, "the edits change nothing")
    return Extracted(files)


def apply_edit(text: str, old: str, new: str, place: int | None = None) -> str | None:
    """The text with `old` replaced: to the letter, else but for white space, else by similarity.

    Of several exact matches, the first one, or the one nearest to line `place`.
    """
    if not old.strip():
        return new + text if not text.strip() or new.strip() else None
    exact = _exact(text, old, place)
    if exact is not None:
        return text[:exact] + new + text[exact + len(old) :]
    lines, wanted = text.splitlines(keepends=True), old.splitlines()
    while wanted and not wanted[0].strip():
        wanted.pop(0)
    while wanted and not wanted[-1].strip():
        wanted.pop()
    at = _find_lines(lines, wanted)
    if at is None:
        return None
    start, count = at
    ending = "" if new.endswith("\n") or not new or start + count >= len(lines) else "\n"
    return "".join(lines[:start]) + new + ending + "".join(lines[start + count :])


def _exact(text: str, old: str, place: int | None) -> int | None:
    """Where the text has it to the letter: at the start of a line if anywhere, else not in the middle of a word."""
    found = [match.start() for match in re.finditer(re.escape(old), text)]
    aligned = [at for at in found if at == 0 or text[at - 1] == "\n"]
    if aligned:
        return min(aligned, key=lambda at: abs(text.count("\n", 0, at) + 1 - (place or 0)))
    whole = [at for at in found if not (text[at - 1].isalnum() or text[at - 1] == "_")]
    return whole[0] if whole else None


def _find_lines(lines: list[str], wanted: list[str]) -> tuple[int, int] | None:
    squeezed = [" ".join(line.split()) for line in lines]
    target = [" ".join(line.split()) for line in wanted]
    count = len(target)
    for start in range(len(lines) - count + 1):
        if squeezed[start : start + count] == target:
            return start, count
    best, place = SIMILAR_ENOUGH, None
    joined = "\n".join(target)
    for start in range(len(lines) - count + 1):
        matcher = difflib.SequenceMatcher(None, "\n".join(squeezed[start : start + count]), joined, autojunk=False)
        if matcher.real_quick_ratio() > best and matcher.quick_ratio() > best and matcher.ratio() > best:
            best, place = matcher.ratio(), (start, count)
    return place
