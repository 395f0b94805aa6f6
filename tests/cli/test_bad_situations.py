"""What somebody sees who types the first sentence into a bad situation: the reason and the fix, never a traceback."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from maxcode.system.children import own_python
from tests.conftest import SMALL_TASK

pytestmark = pytest.mark.long
SUM = "#include <iostream>\nint main() { long n, s = 0; while (std::cin >> n) s += n; std::cout << s << '\\n'; }\n"
C_HEAD = "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
NUMBERS = "".join(f"{i}\n" for i in range(2000))


@dataclass(frozen=True)
class Bad:
    """A situation: files, the words typed after `maxcode`, and what is said."""

    words: tuple[str, ...]
    said: str
    files: tuple[tuple[str, str | bytes], ...] = ()
    code: int = 2
    environment: tuple[tuple[str, str], ...] = ()
    prepare: Callable[[Path], object] = lambda _: None


def program(text: str | bytes, name: str = "my sum.cpp") -> tuple[tuple[str, str | bytes], ...]:
    return ((name, text), ("in.txt", NUMBERS))


def optimize(*words: str, name: str = "my sum.cpp") -> tuple[str, ...]:
    return ("optimize", name, *words)


GIVEN = ("--input", "in.txt")
BAD = {
    "no such program": Bad(optimize(*GIVEN), "my sum.cpp: no such task or program"),
    "no input": Bad(
        optimize(), "reads standard input, and none was given. Name a typical input with --input", program(SUM)
    ),
    "missing input": Bad(optimize("--input", "my in.txt"), "--input my in.txt: no such file", program(SUM)),
    "folder as input": Bad(optimize("--input", "."), "--input .: is a folder", program(SUM)),
    "two inputs of a name": Bad(
        optimize(*GIVEN, "--input", "./in.txt"), "--input: two of the files have the same name", program(SUM)
    ),
    "unknown language": Bad(
        optimize(*GIVEN, name="sum.rs"), "sum.rs: the language of '.rs' is not known", program("fn main() {}", "sum.rs")
    ),
    "empty program": Bad(optimize(*GIVEN), "my sum.cpp: is empty", program("")),
    "binary program": Bad(optimize(*GIVEN), "my sum.cpp: is not UTF-8 text", program(b"\x7fELF\xff\xfe\x00")),
    "program that does not build": Bad(optimize(*GIVEN), "does not build", program("int main( {")),
    "C++ in a C file": Bad(optimize(*GIVEN, name="sum.c"), "does not build", program(SUM, "sum.c")),
    "program that fails": Bad(
        optimize(*GIVEN),
        "the program fails on it",
        program(C_HEAD + 'int main(void) { getchar(); fputs("usage", stderr); return 3; }'),
    ),
    "missing file among the arguments": Bad(
        optimize("--args", "5 no.txt", name="t.py"),
        "--args: no.txt: no such file",
        program("import os, sys\nprint(os.path.exists(sys.argv[2]) or sys.exit('cannot open it'))\n", "t.py"),
    ),
    "program that crashes": Bad(
        optimize(*GIVEN), "SIGABRT", program(C_HEAD + 'int main(void) { getchar(); puts("x"); abort(); }')
    ),
    "program that never ends": Bad(
        optimize(*GIVEN), "takes more than 6 s", program(C_HEAD + "int main(void) { getchar(); for (;;) usleep(9); }")
    ),
    "output that varies": Bad(
        optimize(*GIVEN, name="t.py"),
        "answers differently each time",
        program("import time\nprint(input(), time.time_ns())\n", "t.py"),
    ),
    "program that prints nothing": Bad(optimize(*GIVEN, name="t.py"), "prints nothing", program("input()\n", "t.py")),
    "home that is a file": Bad(
        optimize(*GIVEN), "MAXCODE_HOME", program(SUM), 1, environment=(("MAXCODE_HOME", "in.txt"),)
    ),
    "home that is read-only": Bad(
        optimize(*GIVEN), "MAXCODE_HOME", program(SUM), 1, environment=(("MAXCODE_HOME", "/proc/maxcode"),)
    ),
    "results in a read-only folder": Bad(
        ("optimize", str(SMALL_TASK), "--out", "/proc/out", "--evals", "1"), "--out /proc/out: cannot be written"
    ),
    "results in a file": Bad(
        ("optimize", str(SMALL_TASK), "--out", "in.txt", "--evals", "1"), "is not a folder", program(SUM)
    ),
    "no compiler": Bad(optimize(*GIVEN), "compiler", program(SUM), 1, environment=(("PATH", "/nowhere"),)),
    "arguments with an open quote": Bad(optimize("--args", "'5"), "--args '5: No closing quotation", program(SUM)),
    "unknown risk": Bad(optimize(*GIVEN, "--allow", "luck"), "--allow luck: 'luck' is not known", program(SUM)),
    "flags for Python": Bad(
        optimize(*GIVEN, "--flags=-O2", name="t.py"), "is not compiled", program("print(input())\n", "t.py")
    ),
    "input for a task": Bad(("optimize", str(SMALL_TASK), *GIVEN), "--input: only for a bare program", program(SUM)),
    "unknown strategy": Bad(
        ("optimize", str(SMALL_TASK), "--strategy", "luck"), "--strategy luck: 'luck' is not known"
    ),
    "no such run": Bad(("resume", "nowhere"), "nowhere"),
}


@pytest.mark.parametrize("situation", BAD)
def test_a_bad_situation_is_told_in_words(situation: str, tmp_path: Path) -> None:
    bad = BAD[situation]
    for name, content in bad.files:
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    done = subprocess.run(
        own_python("-m", "maxcode", *bad.words),
        cwd=tmp_path,
        env={**os.environ, "MAXCODE_HOME": str(tmp_path / "home"), **dict(bad.environment)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert bad.said in done.stderr
    assert done.returncode == bad.code
