"""A task from a bare program, end to end."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from maxcode.authoring.scaffold import Scaffolded, scaffold
from maxcode.core import InputError, Outcome, Status
from maxcode.evaluate.pool import LocalPool
from maxcode.task import Task, load_task

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
INPUT = "12\n" + " ".join(str(37 * i % 101) for i in range(12)) + "\n"


def make(
    folder: Path, source: str, name: str = "sum.py", given: bytes = INPUT.encode(), flags: list[str] | None = None
) -> Scaffolded:
    (folder / name).write_text(source)
    (folder / "large.txt").write_bytes(given)
    return scaffold(folder / "task", folder / name, [folder / "large.txt"], flags=flags)


def refusal(folder: Path, source: str, name: str = "sum.py") -> str:
    with pytest.raises(InputError) as caught:
        make(folder, source, name)
    assert not (folder / "task").exists()
    return str(caught.value)


async def _judge(task: Task, sources: list[str]) -> list[Outcome]:
    async with LocalPool(1, use_cache=False) as pool:
        return await pool(task, [task.candidate(text) for text in sources], measure=False)


@pytest.mark.parametrize(("name", "source"), [("sum.cpp", SUM_CPP), ("sum.py", SUM_PY)])
def test_made_task_accepts_its_program_and_refuses_another(tmp_path: Path, name: str, source: str) -> None:
    made = make(tmp_path, source, name, flags=["-O1"])
    task = load_task(made.folder)
    assert made.public == 2
    assert made.hidden >= 5
    wrong = source.replace("(i + 1)", "(i + 2)")
    assert wrong != source
    good, bad = asyncio.run(_judge(task, [source, wrong]))
    assert good.status is Status.OK, good.reason
    assert bad.status is Status.WRONG


def test_tests_are_as_many_as_is_said(tmp_path: Path) -> None:
    made = make(tmp_path, SUM_PY)
    assert len(list((made.folder / "tests/public").glob("input.*.txt"))) == made.public
    assert len(list((made.folder / "tests/hidden").glob("input.*.txt"))) == made.hidden


def test_tests_are_as_many_as_is_said_when_all_are_too_long_to_show(tmp_path: Path) -> None:
    made = make(tmp_path, "print(len(input()))\n", given=b"word " * 1000 + b"\n")
    shown = made.folder / "tests/public"
    assert (len(list(shown.glob("input.*.txt"))) if shown.exists() else 0) == made.public
    assert len(list((made.folder / "tests/hidden").glob("input.*.txt"))) == made.hidden


@pytest.mark.parametrize(
    "given", [b"a b\r\nc\r\n", b"\xff\xfe\x00\n", b"no newline at the end"], ids=["crlf", "binary", "open"]
)
def test_given_input_is_a_hidden_test_byte_for_byte(tmp_path: Path, given: bytes) -> None:
    made = make(tmp_path, "import sys\nprint(len(sys.stdin.buffer.read()))\n", given=given)
    contents = {path.read_bytes() for path in (made.folder / "tests/hidden").glob("input.*.txt")}
    assert given in contents


def test_inputs_that_the_program_refuses_are_no_tests(tmp_path: Path) -> None:
    source = SUM_PY.replace("assert n == len(values)", "assert n == len(values) and n % 2 == 0")
    made = make(tmp_path, source)
    assert made.refused > 0
    for path in (made.folder / "tests").rglob("input.*.txt"):
        assert int(path.read_text().split()[0]) % 2 == 0


def test_program_without_an_input_is_a_task_too(tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text("print(sum(range(1000)))\n")
    made = scaffold(tmp_path / "task", tmp_path / "p.py", [])
    task = load_task(made.folder)
    assert made.hidden == 1
    assert [w.input for w in task.workloads] == ["workloads/empty.txt"]


def test_flags_are_kept(tmp_path: Path) -> None:
    made = make(tmp_path, SUM_CPP, "sum.cpp", flags=["-O1", "-DLIMIT=3"])
    assert load_task(made.folder).build.flags == ("-O1", "-DLIMIT=3")


def test_flags_with_quotes_are_kept(tmp_path: Path) -> None:
    made = make(tmp_path, "int main(void) { return 0; }\n", "p.c", flags=['-DNAME="x"'])
    assert load_task(made.folder).build.flags == ('-DNAME="x"',)


def test_nondeterministic_program_is_refused_with_the_fix(tmp_path: Path) -> None:
    message = refusal(tmp_path, "import os\nprint(os.urandom(8).hex())\n")
    assert "answers differently each time" in message
    assert "Remove what is random" in message


def test_program_that_fails_is_refused_with_its_words(tmp_path: Path) -> None:
    message = refusal(tmp_path, "raise SystemExit('bad header')\n")
    assert "fails on it (exit code 1)" in message
    assert "bad header" in message
    assert "large.txt" in message


def test_program_that_crashes_is_refused(tmp_path: Path) -> None:
    assert "fails on it" in refusal(tmp_path, "int main(void) { __builtin_trap(); }\n", "p.c")


def test_program_that_does_not_build_is_refused_with_the_line(tmp_path: Path) -> None:
    message = refusal(tmp_path, "int main(void) {\n    return missing;\n}\n", "p.c")
    assert "does not build" in message
    assert "p.c:2:12" in message


def test_missing_program_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"--from .*nowhere\.py: no such file"):
        scaffold(tmp_path / "task", tmp_path / "nowhere.py", [])


def test_missing_input_is_refused(tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text("print(1)\n")
    with pytest.raises(InputError, match=r"--input .*nowhere\.txt: no such file"):
        scaffold(tmp_path / "task", tmp_path / "p.py", [tmp_path / "nowhere.txt"])


def test_unknown_language_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    message = refusal(tmp_path, "print(1)\n", "p.rb")
    assert "'.rb'" in message
    assert ".cpp" in message


def test_folder_that_is_not_empty_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "task").mkdir()
    (tmp_path / "task/precious.txt").write_text("keep me")
    (tmp_path / "p.py").write_text("print(1)\n")
    with pytest.raises(InputError, match="not an empty folder"):
        scaffold(tmp_path / "task", tmp_path / "p.py", [])
    assert [p.name for p in (tmp_path / "task").iterdir()] == ["precious.txt"]


def test_task_that_is_there_is_not_replaced(tmp_path: Path) -> None:
    made = make(tmp_path, SUM_PY)
    before = (made.folder / "task.toml").read_text()
    with pytest.raises(InputError, match="already there"):
        scaffold(made.folder, tmp_path / "sum.py", [tmp_path / "large.txt"])
    assert (made.folder / "task.toml").read_text() == before


def test_two_inputs_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text("print(1)\n")
    paths = [tmp_path / part / "in.txt" for part in ("a", "b")]
    for path in paths:
        path.parent.mkdir()
        path.touch()
    with pytest.raises(InputError, match="same name"):
        scaffold(tmp_path / "task", tmp_path / "p.py", paths)
