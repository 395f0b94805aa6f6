"""A task from a bare program, end to end."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from maxcode.core import InputError, Outcome, Status
from maxcode.evaluate.pool import LocalPool
from maxcode.kinds.program.scaffold import Scaffolded, scaffold
from maxcode.task import Task, load_task
from maxcode.task.kind import NewOptions

SUM_CPP = """\
#include <iostream>
int main() {
    int n = 0;
    if (!(std::cin >> n)) return 1;
    long long sum = 0, v = 0;
    for (int i = 0; i < n; i++) { if (!(std::cin >> v)) return 1; sum += v * (i + 1); }
    std::cout << sum << '\\n';
}
"""
SUM_PY = """\
import sys
n, *values = map(int, sys.stdin.read().split())
assert n == len(values)
print(sum((i + 1) * v for i, v in enumerate(values)))
"""
COUNT_BYTES = """\
#include <stdio.h>
int main(void) {
    long n = 0;
    while (getchar() != EOF) n++;
    printf("%ld\\n", n);
    return 0;
}
"""
INPUT = "12\n" + " ".join(str(37 * i % 101) for i in range(12)) + "\n"


def make(
    folder: Path, source: str, name: str, given: bytes = INPUT.encode(), flags: list[str] | None = None
) -> Scaffolded:
    (folder / name).write_text(source)
    (folder / "large.txt").write_bytes(given)
    return scaffold(
        folder / "task",
        folder / name,
        NewOptions(inputs=(folder / "large.txt",), flags=tuple(flags) if flags is not None else None),
    )


def refusal(folder: Path, source: str, name: str) -> str:
    with pytest.raises(InputError) as caught:
        make(folder, source, name)
    assert not (folder / "task").exists()
    return str(caught.value)


def count(folder: Path) -> int:
    return len(list(folder.glob("input.*.txt")))


async def _judge(task: Task, sources: list[str]) -> list[Outcome]:
    async with LocalPool(1, use_cache=False) as pool:
        return await pool(task, [task.candidate(text) for text in sources], measure=False)


@pytest.fixture(scope="module", params=["sum.cpp", "sum.py"])
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Scaffolded:
    source = {"sum.cpp": SUM_CPP, "sum.py": SUM_PY}[request.param]
    return make(tmp_path_factory.mktemp("made"), source, request.param)


@pytest.mark.long
def test_made_task_accepts_its_program_and_refuses_another(made: Scaffolded) -> None:
    task = load_task(made.folder)
    source = task.read(task.main_file)
    wrong = source.replace("(i + 1)", "(i + 2)")
    assert wrong != source
    good, bad = asyncio.run(_judge(task, [source, wrong]))
    assert good.status is Status.OK, good.reason
    assert bad.status is Status.WRONG


@pytest.mark.long
def test_made_task_has_as_many_tests_as_is_said(made: Scaffolded) -> None:
    assert made.public == count(made.folder / "tests/public") == 2
    assert made.hidden == count(made.folder / "tests/hidden") >= 5


@pytest.mark.long
def test_task_that_is_there_is_not_replaced(made: Scaffolded) -> None:
    before = (made.folder / "task.toml").read_text()
    with pytest.raises(InputError, match="already there"):
        scaffold(made.folder, made.folder / load_task(made.folder).main_file, NewOptions())
    assert (made.folder / "task.toml").read_text() == before


def test_tests_are_as_many_as_is_said_when_all_are_too_long_to_show(tmp_path: Path) -> None:
    made = make(tmp_path, COUNT_BYTES, "count.c", given=b"word " * 1000 + b"\n")
    assert made.public == count(made.folder / "tests/public")
    assert made.hidden == count(made.folder / "tests/hidden")


@pytest.mark.parametrize(
    "given", [b"a b\r\nc\r\n", b"\xff\xfe\x00\n", b"no newline at the end"], ids=["crlf", "binary", "open end"]
)
def test_given_input_is_a_hidden_test_byte_for_byte(tmp_path: Path, given: bytes) -> None:
    made = make(tmp_path, COUNT_BYTES, "count.c", given=given)
    assert given in {path.read_bytes() for path in (made.folder / "tests/hidden").glob("input.*.txt")}


@pytest.mark.long
def test_inputs_that_the_program_refuses_are_no_tests(tmp_path: Path) -> None:
    source = SUM_CPP.replace("return 1;\n    long", "return 1;\n    if (n % 2) return 1;\n    long")
    assert source != SUM_CPP
    made = make(tmp_path, source, "sum.cpp")
    assert made.refused > 0
    for path in (made.folder / "tests").rglob("input.*.txt"):
        assert int(path.read_text().split()[0]) % 2 == 0


def test_program_that_reads_nothing_is_a_task_too(tmp_path: Path) -> None:
    (tmp_path / "count.c").write_text('#include <stdio.h>\nint main(void) { puts("1"); return 0; }\n')
    made = scaffold(tmp_path / "task", tmp_path / "count.c", NewOptions())
    assert made.hidden == 1
    assert [workload.input for workload in load_task(made.folder).workloads] == ["workloads/empty.txt"]


def test_program_that_reads_standard_input_needs_one(tmp_path: Path) -> None:
    (tmp_path / "count.c").write_text(COUNT_BYTES)
    with pytest.raises(InputError, match="reads standard input, and none was given"):
        scaffold(tmp_path / "task", tmp_path / "count.c", NewOptions())


def test_folder_as_input_is_refused(tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text("print(1)\n")
    with pytest.raises(InputError, match="is a folder; name a file"):
        scaffold(tmp_path / "task", tmp_path / "p.py", NewOptions(inputs=(tmp_path,)))


@pytest.mark.long
def test_c_programs_are_linked_with_the_mathematical_library(tmp_path: Path) -> None:
    root = COUNT_BYTES.replace("int main", "#include <math.h>\nvolatile double two = 2;\nint main", 1)
    made = make(tmp_path, root.replace("return 0", "return sin(two) > 2", 1), "count.c")
    assert load_task(made.folder).build.link == ("-lm",)


FLAGS = {"plain": ["-O1", "-DLIMIT=3"], "quotes": ['-DNAME="x"'], "backslash": ["-DPATH=a\\b"]}


@pytest.mark.long
@pytest.mark.parametrize("flags", FLAGS.values(), ids=FLAGS)
def test_flags_are_kept(tmp_path: Path, flags: list[str]) -> None:
    made = make(tmp_path, COUNT_BYTES, "count.c", flags=flags)
    assert list(load_task(made.folder).build.flags) == flags


def test_nondeterministic_program_is_refused_with_the_fix(tmp_path: Path) -> None:
    message = refusal(tmp_path, "import os\nprint(os.urandom(8).hex())\n", "p.py")
    assert "answers differently each time" in message
    assert "Remove what is random" in message


def test_program_that_fails_is_refused_with_its_words(tmp_path: Path) -> None:
    message = refusal(tmp_path, "raise SystemExit('bad header')\n", "p.py")
    assert "ended with exit code 1" in message
    assert "bad header" in message
    assert "large.txt" in message
    assert "--args" not in message
    message = refusal(tmp_path, "import sys\nprint(int(sys.argv[1]))\n", "q.py")
    assert "If it takes arguments, give them with --args" in message


def test_program_that_crashes_is_refused(tmp_path: Path) -> None:
    assert "fails on it" in refusal(tmp_path, "int main(void) { __builtin_trap(); }\n", "p.c")


def test_program_that_does_not_build_is_refused_with_the_line(tmp_path: Path) -> None:
    message = refusal(tmp_path, "int main(void) {\n    return missing;\n}\n", "p.c")
    assert "does not build" in message
    assert "p.c:2:12" in message


def test_missing_program_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.py: no such file"):
        scaffold(tmp_path / "task", tmp_path / "nowhere.py", NewOptions())


def test_missing_input_is_refused(tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text("print(1)\n")
    with pytest.raises(InputError, match=r"--input .*nowhere\.txt: no such file"):
        scaffold(tmp_path / "task", tmp_path / "p.py", NewOptions(inputs=(tmp_path / "nowhere.txt",)))


def test_unknown_language_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    message = refusal(tmp_path, "print(1)\n", "p.rb")
    assert "'.rb'" in message
    assert ".cpp" in message


def test_folder_that_is_not_empty_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "task").mkdir()
    (tmp_path / "task/precious.txt").write_text("keep me")
    (tmp_path / "p.py").write_text("print(1)\n")
    with pytest.raises(InputError, match="not an empty folder"):
        scaffold(tmp_path / "task", tmp_path / "p.py", NewOptions())
    assert [p.name for p in (tmp_path / "task").iterdir()] == ["precious.txt"]


def test_two_inputs_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text("print(1)\n")
    paths = [tmp_path / part / "in.txt" for part in ("a", "b")]
    for path in paths:
        path.parent.mkdir()
        path.touch()
    with pytest.raises(InputError, match="same name"):
        scaffold(tmp_path / "task", tmp_path / "p.py", NewOptions(inputs=tuple(paths)))
