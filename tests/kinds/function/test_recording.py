"""Calls are recorded however the module is imported; long tests are cut down to the files that name the function."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from maxcode.kinds.function.finding import PYTEST, find_package
from maxcode.kinds.function.recording import SeenCalls, cut_down, naming_files, record
from maxcode.kinds.function.serving import HERE
from maxcode.kinds.function.testing import FAILED, left_out, options_without

ENVIRONMENT = Path(pytest.__file__).parents[4]
"""The one that has pytest."""
BY_NAME = "import tools; tools.double(21)"
BY_FILE = """
import importlib.util
spec = importlib.util.spec_from_file_location("tools", "tools.py")
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
module.double(21)
"""


@pytest.mark.parametrize("program", [BY_NAME, BY_FILE])
def test_a_module_is_found_by_name_and_by_file(program: str, tmp_path: Path) -> None:
    (tmp_path / "tools.py").write_text("def double(x):\n    return 2 * x\n")
    found = tmp_path / "found"
    found.mkdir()
    wanted = {"module": "tools", "file": str(tmp_path / "tools.py"), "name": "double", "folder": str(found)}
    settings = tmp_path / "record.json"
    settings.write_text(json.dumps({**wanted, "seconds": 5, "call_bytes": 1000, "bytes": 1000}))
    environment = {**os.environ, "PYTHONPATH": f"{HERE}:{tmp_path}", "MAXCODE_RECORD": str(settings)}
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=environment, check=True)
    (report,) = found.glob("*.json")
    assert json.loads(report.read_text())["count"] == 1


def test_files_that_name_the_function_come_in_order_of_its_module(tmp_path: Path) -> None:
    (tmp_path / "setup.cfg").touch()
    (tmp_path / "tools.py").write_text("def double(x):\n    return 2 * x\n")
    for name, text in (("test_all.py", "double double"), ("test_tools.py", "double"), ("test_none.py", "doubled " * 9)):
        (tmp_path / name).write_text(text)
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "test_tools.py").write_text("double " * 9)
    package = find_package(tmp_path / "tools.py:double", None, None)
    assert naming_files(package) == ("test_tools.py", "test_all.py")
    (tmp_path / "test_none.py").unlink()
    assert naming_files(package) == ()


def test_long_tests_that_do_not_name_the_function_are_cut_down_to_those_that_called_it(tmp_path: Path) -> None:
    (tmp_path / "setup.cfg").touch()
    for name in ("tools.py", "test_none.py", "test_other.py", "test_most.py"):
        (tmp_path / name).touch()
    seen = SeenCalls(tests={"test_other.py": 2, "test_most.py": 3, "gone.py": 5, "": 1}, count=11)
    package, calls = cut_down(find_package(tmp_path / "tools.py:double", None, None), seen)
    assert package.test == (*PYTEST, "test_most.py", "test_other.py")
    assert package.command == " ".join(PYTEST)
    assert calls is seen


@pytest.mark.long
def test_examples_of_docstrings_stand_in_for_tests_that_never_call_the_function(tmp_path: Path) -> None:
    (tmp_path / "setup.cfg").touch()
    (tmp_path / "tools.py").write_text('def double(x):\n    """\n    >>> double(3)\n    6\n    """\n    return 2 * x\n')
    (tmp_path / "test_tools.py").write_text("def test_nothing():\n    pass\n")
    package, calls = record(find_package(tmp_path / "tools.py:double", ENVIRONMENT, None))
    assert calls.count == 1
    assert package.command.endswith("--doctest-modules tools.py")


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("FAILED tests/test_a.py::test_b[x - y] - assert 1 == 2", "tests/test_a.py::test_b[x - y]"),
        (
            "SUBFAILED(unit='a b') tests/test_a.py::T::test_b - AssertionError",
            "tests/test_a.py::T::test_b",
        ),
        ("SUBFAILED[case 1] tests/test_a.py::test_b", "tests/test_a.py::test_b"),
        ("ERROR tests/test_a.py", "tests/test_a.py"),
    ],
)
def test_lines_of_failed_tests_are_read(line: str, found: str) -> None:
    assert FAILED.findall(line) == [found]


def test_a_test_is_left_out_by_name_and_a_file_that_cannot_be_collected_as_a_whole() -> None:
    assert left_out("t.py::test_a[x - y]", "") == "--deselect=t.py::test_a[x - y]"
    assert left_out("t.py::Odd", "____ ERROR collecting t.py ____") == "--ignore=t.py"


def test_a_file_of_which_many_tests_fail_is_left_out_as_a_whole() -> None:
    lines = [f"FAILED many.py::test[{n}]" for n in range(20)] + ["FAILED few.py::test_one - AssertionError"]
    assert options_without("\n".join(lines)) == ["--ignore=many.py", "--deselect=few.py::test_one"]
