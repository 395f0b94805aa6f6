"""Valgrind on this machine, and a copy of its tool that ignores requests of the program it runs.

Some instructions that do nothing are requests to valgrind, and one of these runs code outside of the simulation, where
nothing is counted. A program may also create them while it runs, so that searching the program does not find them all.
In the copy, the comparison that recognises them never succeeds.
"""

from __future__ import annotations

import platform
import re
import shutil
from functools import cache
from pathlib import Path

from maxcode.core import EvaluatorError, content_hash
from maxcode.evaluate.once import made_once
from maxcode.evaluate.sandbox.view import BOX
from maxcode.system.home import cache_folder

TOOL = f"{BOX}/cachegrind"
"""Path of the copy inside the sandbox."""


@cache
def _found() -> tuple[str, Path]:
    """Launcher of valgrind, and the tool it would start.

    We start that directly, so that the sandbox need not let programs start others.
    """
    launcher = shutil.which("valgrind")
    if launcher is None:
        raise EvaluatorError("valgrind is not installed; it counts instructions. E.g. apt-get install valgrind.")
    for folder in ("/usr/libexec/valgrind", "/usr/lib/valgrind", "/usr/lib/x86_64-linux-gnu/valgrind"):
        tools = sorted(Path(folder).glob("cachegrind-*-linux"))
        native = [tool for tool in tools if platform.machine() in ("x86_64", "amd64") and "amd64" in tool.name] or tools
        if native:
            return launcher, native[0]
    raise EvaluatorError("valgrind's cachegrind tool is not installed. E.g. apt-get install --reinstall valgrind.")


def valgrind_environment() -> dict[str, str]:
    launcher, tool = _found()
    return {"VALGRIND_LAUNCHER": launcher, "VALGRIND_LIB": str(tool.parent)}


@cache
def cachegrind_tool() -> Path:
    """Path of the tool that ignores requests; valgrind's own where this build of it is not understood."""
    data = _found()[1].read_bytes()
    deaf = without_requests(data) or data
    target = cache_folder("valgrind") / content_hash(deaf)

    def fill(folder: Path) -> None:
        (folder / "cachegrind").write_bytes(deaf)
        (folder / "cachegrind").chmod(0o755)

    made_once(target, fill)
    return target / "cachegrind"


_COMPARED = b"".join(
    rb"\x80[\x78-\x7f]" + re.escape(bytes([place, value])) + rb"(?:\x0f\x85.{4}|\x75.)"
    for place, value in enumerate(bytes.fromhex("48c1c70d48c1c73d48c1c7"), 4)
)
_REQUEST = re.compile(_COMPARED + rb"\x80[\x78-\x7f]\x0f\x33(\x0f\x85.{4}|\x75.)", re.DOTALL)
"""Pattern of the code that compares the bytes of an instruction, one after the other, with those that begin a request:
`cmpb` and `jne`, up to the last of them."""


def without_requests(tool: bytes) -> bytes | None:
    """The tool with its last `jne` of that comparison made a `jmp`; None where there is not exactly one such place."""
    found = list(_REQUEST.finditer(tool))
    if len(found) != 1:
        return None
    start, end = found[0].span(1)
    jump = tool[start:end]
    always = b"\xeb" + jump[1:] if len(jump) == 2 else b"\x90\xe9" + jump[2:]
    return tool[:start] + always + tool[end:]
