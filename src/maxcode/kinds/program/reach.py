"""Parts of a program that an input reaches: blocks of compiled programs, statements of Python ones."""

from __future__ import annotations

import ast
import tempfile
from dataclasses import replace
from pathlib import Path

from maxcode.evaluate.build import TRACED_FILE, TRACED_SECONDS, Built
from maxcode.evaluate.cases import Programs
from maxcode.evaluate.sandbox.running import Ended
from maxcode.evaluate.sandbox.view import BOX
from maxcode.task.model import Task

_NAME = "__reached__"
_HEAD = f"""\
import atexit as _atexit
{_NAME} = set()
def _write_reached(found={_NAME}):
    with open({TRACED_FILE!r}, "w") as file:
        file.write("\\n".join(map(str, found)))
_atexit.register(_write_reached)
import signal as _signal
_signal.signal(_signal.SIGALRM, lambda *_: _write_reached())
_signal.alarm({TRACED_SECONDS})
"""


def traced_source(text: str) -> str:
    """Text of a Python program changed to note which of its statements run."""
    tree = ast.parse(text)
    _Tracer().visit(tree)
    start = 0
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            start = tree.body.index(node) + 1
    tree.body[start:start] = ast.parse(_HEAD).body
    return ast.unparse(ast.fix_missing_locations(tree))


class _Tracer(ast.NodeTransformer):
    """Puts a mark at the start of every body."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if isinstance(node, ast.Module):
            return node
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
                body.insert(0, ast.parse(f"{_NAME}.add('{body[0].lineno}{name}')").body[0])
        return node


def run_traced(
    programs: Programs, task: Task, built: Built, input: Path, seconds: float
) -> tuple[Ended, frozenset[str]]:
    """Runs a traced build. Returns how it ended and what it reached, within the first seconds if it is ended early.

    Python runs under another hash seed than in plain runs: an answer that hangs on the order of a set differs.
    """
    how = programs.call(task, built, input)
    environment = how.environment | ({"PYTHONHASHSEED": "1"} if "PYTHONHASHSEED" in how.environment else {})
    with tempfile.TemporaryDirectory(prefix="maxcode-reach-") as folder:
        Path(folder).chmod(0o755)
        programs.sandbox.give(Path(folder))
        view = programs.view(task.language, how.files)
        view = replace(view, write={f"{BOX}/out": Path(folder)})
        caps = replace(programs.caps(task), seconds=seconds)
        ended = programs.sandbox.run(how.command, view, caps, stdin=how.stdin, environment=environment)
        file = Path(folder) / "reached"
        reached = frozenset(file.read_text().split()) if file.is_file() and not file.is_symlink() else frozenset()
    return ended, reached


def is_traceable(text: str) -> bool:
    """True if a Python program can be parsed. One that cannot fails to build, with a better message."""
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True
