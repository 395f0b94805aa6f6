"""The benchmark that a package may keep makes the recorded calls of functions and of methods of all sorts."""

from __future__ import annotations

import base64
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from maxcode.kinds.function.benchmark import benchmark_of
from maxcode.kinds.function.calls import RecordedCall, write_calls
from maxcode.kinds.function.excerpt import excerpt_of
from maxcode.task.load import load_task

MODULE = """
def doubled(numbers):
    for each in numbers:
        yield 2 * each


class Shop:
    @classmethod
    def named(cls, name):
        return cls, name

    @staticmethod
    def price(of):
        return len(of)
"""
FIXTURE = """
import pytest


class Benchmark:
    def pedantic(self, made, setup, **_):
        args, kwargs = setup()
        print("made", made(*args, **kwargs))


@pytest.fixture
def benchmark():
    return Benchmark()
"""
SETTINGS = """
kind = "function"
[function]
repository = "package"
file = "shop.py"
module = "shop"
function = "{name}"
test = ["true"]
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "args", "made"),
    [
        ("doubled", ([1, 2],), "[2, 4]"),
        ("Shop.named", (int, "a"), "(<class 'int'>, 'a')"),
        ("Shop.price", ("abc",), "3"),
    ],
)
def test_it_makes_the_recorded_calls(name: str, args: tuple[object, ...], made: str, tmp_path: Path) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (package / "shop.py").write_text(MODULE)
    (tmp_path / "function.py").write_text(excerpt_of(MODULE, name))
    (tmp_path / "task.toml").write_text('name = "shop"' + SETTINGS.format(name=name))
    call = RecordedCall(call=base64.b64encode(pickle.dumps((args, {}))).decode(), seen=repr(args))
    write_calls(tmp_path / "calls.jsonl", [call])
    write_calls(tmp_path / "held-out.jsonl", [])
    text = benchmark_of(load_task(tmp_path))
    assert text is not None
    (package / "conftest.py").write_text(FIXTURE)
    (package / "test_benchmark.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider"]
    ran = subprocess.run(command, cwd=package, capture_output=True, text=True)
    assert f"made {made}" in ran.stdout, ran.stdout
