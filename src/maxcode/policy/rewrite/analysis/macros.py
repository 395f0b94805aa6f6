"""Programs in plain form: macros for loops, names and types written out, and loops with variables of their own."""

from __future__ import annotations

import re
from functools import lru_cache

from maxcode.core import Language
from maxcode.policy.rewrite.analysis.loop_variables import with_own_variables
from maxcode.policy.rewrite.analysis.variables import closing, masked, split
from maxcode.policy.rewrite.source import SourceFile

_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(\([^()]*\))?[ \t]+([^\n\\]*?)[ \t]*\r?$", re.MULTILINE)
_LOOP = re.compile(r"for\s*\(.*\)")
_WORDS = re.compile(r"[A-Za-z_][\w ]*|\w+\.begin\(\)\s*,\s*\w+\.end\(\)|\(?\w+\)?\.begin\(\)\s*,\s*\(?\w+\)?\.end\(\)")
_ROUNDS = 3


@lru_cache(maxsize=256)
def plain(source: SourceFile) -> SourceFile:
    """The program with both on the lines where they stand; itself where it is plain already."""
    return source if source.language is Language.PYTHON else with_own_variables(_without_macros(source))


def _without_macros(source: SourceFile) -> SourceFile:
    if "#define" not in source.code.replace("# define", "#define"):
        return source
    for _ in range(_ROUNDS):
        changed = _once(source)
        if changed.code == source.code:
            return source
        source = changed
    return source


def _macros(source: SourceFile) -> dict[str, tuple[list[str] | None, str, int]]:
    """Parameters, replacement and the end of the definition of each macro that can be written out."""
    found: dict[str, tuple[list[str] | None, str, int]] = {}
    text = masked(source)
    if re.search(r"^[ \t]*#[ \t]*(?:if|undef)", text, re.MULTILINE):
        return {}
    for match in _DEFINE.finditer(text):
        name, given, body = match[1], match[2], match[3].strip()
        loop = _LOOP.fullmatch(body) is not None and closing(body, body.index("(")) == len(body)
        if name in found or "#" in body or "..." in (given or "") or not (loop or _WORDS.fullmatch(body)):
            found.pop(name, None)
            continue
        parameters = [each.strip() for each in given[1:-1].split(",")] if given else None
        found[name] = (parameters, body, match.end())
    return found


def _filled(body: str, given: dict[str, str]) -> str:
    return re.sub(r"[A-Za-z_]\w*", lambda word: given.get(word[0], word[0]), body)


def _once(source: SourceFile) -> SourceFile:
    known, text = _macros(source), masked(source)
    if not known:
        return source
    parts, at = list[bytes](), 0
    for match in re.finditer(r"(?<![\w#])[A-Za-z_]\w*", text):
        line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        if match[0] not in known or match.start() < max(at, known[match[0]][2]) or line.lstrip().startswith("#"):
            continue
        parameters, body, _ = known[match[0]]
        end = match.end()
        if parameters is not None:
            opening = re.compile(r"\s*\(").match(text, end)
            close = closing(text, opening.end() - 1) if opening else -1
            inner = source.data[opening.end() : close - 1].decode() if opening and close > 0 else ""
            values = split(inner)
            if close < 0 or len(values) != len(parameters) or "\n" in inner:
                continue
            body = _filled(body, dict(zip(parameters, values, strict=True)))
            end = close
        parts += [source.data[at : match.start()], body.encode()]
        at = end
    return SourceFile(b"".join([*parts, source.data[at:]]).decode(errors="replace"), source.language)
