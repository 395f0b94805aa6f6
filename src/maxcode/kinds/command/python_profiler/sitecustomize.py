"""Profiles the Python process that finds this in its path, and writes what it saw to $MAXCODE_PROFILE at the end.

Runs inside the sandbox, in the profiled process. A function's time includes that of built-in and library functions it
calls, but not that of the repository's other functions.
"""

import atexit
import cProfile
import json
import os
from pathlib import Path
from typing import Any

_profile = cProfile.Profile()
_root = os.environ.get("MAXCODE_REPOSITORY", "") + "/"


def _is_own(code: Any) -> bool:
    return str(getattr(code, "co_filename", "")).startswith(_root)


def _borrowed(call: Any) -> float:
    """Seconds in a call that is not the repository's; for a built-in function, without what it calls back."""
    if isinstance(call.code, str):
        return float(call.inlinetime)
    return 0.0 if _is_own(call.code) else float(call.totaltime)


def _finish() -> None:
    _profile.disable()
    entries = _profile.getstats()
    functions = []
    for entry in entries:
        code: Any = entry.code
        if _is_own(code):
            imports = code.co_name == "<module>"
            seconds = entry.inlinetime + (0.0 if imports else sum(map(_borrowed, entry.calls or ())))
            name = getattr(code, "co_qualname", code.co_name)  # the repository's Python may be an older one
            functions.append([code.co_filename, code.co_firstlineno, name, seconds])
    report = {"seconds": sum(entry.inlinetime for entry in entries), "functions": functions}
    Path(os.environ["MAXCODE_PROFILE"], f"{os.getpid()}.json").write_text(json.dumps(report))


if "MAXCODE_PROFILE" in os.environ:
    atexit.register(_finish)
    _profile.enable()
