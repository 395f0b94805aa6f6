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
LONGEST_ANSWER, MOST_EDITS = 1_000_000, 500
"""Characters and edits of an answer that is read at all."""
SIMILARITY_STEPS = 10_000_000
"""Pairs of characters that a search by similarity may compare."""
_OPENING = re.compile(r"[ \t]*(`{3,}|~{3,})([^`]*)$", re.DOTALL)
_SEARCH, _MIDDLE, _REPLACE = re.compile(r"<{5,} ?SEARCH"), re.compile(r"={5,}[ \t]*\r?$"), re.compile(r">{5,} ?REPLACE")
_PLACE = re.compile(r"@@ ?-(\d{1,9})")
_CODE = re.compile(r"#include|import |from \w+ import|def |int main|void |template|static |extern ")
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
    if len(answer) > LONGEST_ANSWER:
        return Extracted(None, f"the answer has {len(answer)} characters; none beyond {LONGEST_ANSWER} is read")
    edits = list(_edits(answer))
    if edits:
        return _apply_all(edits, current, main)
    fences = list(fenced(answer))
    diffs = [fence for fence in fences if _is_diff(fence)] or (
        [Fence("diff", answer, "")] if any(_hunks(answer)) else []
    )
    if diffs:
        return _apply_all([edit for fence in diffs for edit in _hunks(fence.text)], current, main)
    return _whole(fences, answer, current, main)


def fenced(answer: str) -> Iterator[Fence]:
    """Blocks between fences, line by line; the last one may lack its end."""
    opening, before, inside = None, "", list[str]()
    for line in answer.split("\n"):
        if opening is not None and not _closes(line, opening[1]):
            inside.append(line)
        elif opening is not None:
            yield Fence(opening[2].strip(), "".join(each + "\n" for each in inside), before)
            opening, before, inside = None, line, []
        elif not (opening := _OPENING.match(line)):
            before = line.rstrip() or before
    if opening is not None and inside:
        yield Fence(opening[2].strip(), "\n".join(inside), before)


def _closes(line: str, fence: str) -> bool:
    mark = line.strip()
    return len(mark) >= len(fence) and mark == fence[0] * len(mark)


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
    return any(_CODE.match(line.lstrip()) for line in text.split("\n"))


Edit = tuple[str, str, int | None]
"""What is there, what replaces it, and the line where it should be, if that is said."""


def _edits(answer: str) -> Iterator[Edit]:
    """Search/replace blocks, read line by line; a block without its end is ignored."""
    parts: list[list[str]] = []
    for line in answer.split("\n"):
        if len(parts) == 2 and _REPLACE.match(line):
            old, new = ("".join(each + "\n" for each in part) for part in parts)
            yield old, new, None
            parts = []
        elif (not parts and _SEARCH.match(line)) or (len(parts) == 1 and _MIDDLE.match(line)):
            parts.append([])
        elif parts:
            parts[-1].append(line)


def _is_diff(fence: Fence) -> bool:
    return fence.info.lower().startswith(("diff", "patch")) or any(_hunks(fence.text))


def _hunks(text: str) -> Iterator[Edit]:
    """Unified-diff hunks as edits: what the hunk expects, and what it wants in its place."""
    header, body = None, list[str]()
    for line in [*text.removesuffix("\n").split("\n"), "@"]:
        if header is not None and (not line or line[0] in " +-\\"):
            body.append(line)
            continue
        if header is not None and body:
            yield _hunk(header, body)
        header, body = (line if line.startswith("@@") and "@@" in line[2:] else None), []


def _hunk(header: str, body: list[str]) -> Edit:
    lines = [line for line in body if not line.startswith(("\\", "--- ", "+++ "))]
    while lines and not lines[-1].strip():
        lines.pop()
    old = [line[1:] for line in lines if not line.startswith("+")]
    new = [line[1:] for line in lines if not line.startswith("-")]
    place = _PLACE.match(header)
    return "".join(line + "\n" for line in old), "".join(line + "\n" for line in new), int(place[1]) if place else None


def _apply_all(edits: list[Edit], current: dict[str, str], main: str) -> Extracted:
    if len(edits) > MOST_EDITS:
        return Extracted(None, f"the answer has {len(edits)} edits; more than {MOST_EDITS} are not applied")
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
    told = [i for i, line in enumerate(wanted) if line.strip()]
    wanted = wanted[told[0] : told[-1] + 1]
    at = _find_lines(lines, wanted)
    if at is None:
        return None
    start, count = at
    ending = "" if new.endswith("\n") or not new or start + count >= len(lines) else "\n"
    return "".join(lines[:start]) + new + ending + "".join(lines[start + count :])


def _exact(text: str, old: str, place: int | None) -> int | None:
    """Position of an exact match: at the start of a line if there is one, else not in the middle of a word."""
    found = [match.start() for match in re.finditer(re.escape(old), text)]
    aligned = [at for at in found if at == 0 or text[at - 1] == "\n"]
    if aligned:
        return _nearest(text, aligned, place or 0)
    whole = [at for at in found if not (text[at - 1].isalnum() or text[at - 1] == "_")]
    return whole[0] if whole else None


def _nearest(text: str, starts: list[int], place: int) -> int:
    """The start that is nearest to a line number. `starts` are offsets of starts of lines, in ascending order."""
    best, line, counted = starts[0], 1, 0
    distance: int | None = None
    for at in starts:
        line, counted = line + text.count("\n", counted, at), at
        if distance is None or abs(line - place) < distance:
            best, distance = at, abs(line - place)
    return best


def _find_lines(lines: list[str], wanted: list[str]) -> tuple[int, int] | None:
    squeezed = [" ".join(line.split()) for line in lines]
    target = [" ".join(line.split()) for line in wanted]
    count = len(target)
    joined = "\n".join(target)
    whole = "\n" + "\n".join(squeezed) + "\n"
    at = whole.find(f"\n{joined}\n")
    if at >= 0:
        return whole.count("\n", 0, at), count
    return _similar_lines(squeezed, joined, count)


def _similar_lines(squeezed: list[str], joined: str, count: int) -> tuple[int, int] | None:
    """Place and number of the most similar lines; SIMILARITY_STEPS bounds the search."""
    best, place, left = SIMILAR_ENOUGH, None, SIMILARITY_STEPS
    matcher = difflib.SequenceMatcher(None, "", joined, autojunk=False)
    for start in range(len(squeezed) - count + 1):
        left -= 10 * count
        if left < 0:
            break
        matcher.set_seq1("\n".join(squeezed[start : start + count]))
        if matcher.real_quick_ratio() <= best:
            continue
        left -= 20 * len(joined)
        if matcher.quick_ratio() > best:
            left -= len(joined) ** 2
            if left >= 0 and matcher.ratio() > best:
                best, place = matcher.ratio(), (start, count)
    return place
