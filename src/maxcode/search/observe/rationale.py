"""The sentence with which a model explains a change: what its answer says outside of the code."""

from __future__ import annotations

import re

LONGEST = 240
"""Characters of a rationale that are kept: it is shown in one line."""
_CODE = re.compile(r"^[ \t]*(?:`{3,}|~{3,}|<{5,} ?SEARCH\b|@@ |diff --git )", re.MULTILINE)
_CODE_ENDS = re.compile(r"^[ \t]*(?:`{3,}|~{3,}|>{5,} ?REPLACE\b)[ \t]*$", re.MULTILINE)
_LINE_OF_CODE = re.compile(r"[;{}]\s*$|^\s*(?:#include|import |from \w+ import|def )")
_FILE_NAME = re.compile(r"^[\s*`#]*[\w./+-]+\.\w+[\s*`:]*$")


def rationale(answer: str) -> str:
    """What an answer says before its code, or after it; empty for an answer that is all code."""
    code = _CODE.search(answer)
    if code is None:
        return _in_one_line(answer)
    *_, end = [code, *_CODE_ENDS.finditer(answer)]
    return _in_one_line(answer[: code.start()]) or _in_one_line(answer[end.end() :])


def _in_one_line(prose: str) -> str:
    lines = [line for line in prose.splitlines() if not _FILE_NAME.match(line)]
    if any(_LINE_OF_CODE.search(line) for line in lines):
        return ""
    words = " ".join(" ".join(lines).split())
    return words if len(words) <= LONGEST else words[: LONGEST - 3].rsplit(" ", 1)[0] + "..."
