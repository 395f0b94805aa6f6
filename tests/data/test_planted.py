"""The planted wrong versions of the everyday programs are wrong where they say so, and right where they say so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parent / "programs"
PLANTED = json.loads((PROGRAMS / "planted.json").read_text())
COMPILERS = {".cpp": ("g++", "-std=c++17"), ".c": ("gcc", "-std=gnu11")}
PYTHON = [os.path.realpath(sys.executable), "-I", "-S"]  # no site folder: starts in half the time


def source(program: str, version: str) -> Path:
    return next((PROGRAMS / program).glob(f"{version}.*"))


def language(program: str) -> str:
    return source(program, "slow").suffix


def command(program: str, version: str, folder: Path) -> list[str]:
    """The command that runs a version; what is compiled goes to `folder` and must compile without a warning."""
    path = source(program, version)
    if path.suffix == ".py":
        return [*PYTHON, str(path)]
    binary = folder / version
    compiler, standard = COMPILERS[path.suffix]
    flags = [standard, "-O3", "-march=native", "-Wall", "-Werror"]
    subprocess.run([compiler, *flags, str(path), "-o", str(binary)], check=True)
    return [str(binary)]


def output(argv: list[str], data: bytes) -> bytes:
    return subprocess.run(argv, input=data, capture_output=True, check=True, timeout=60).stdout


def generated(program: str, seed: int, size: int) -> bytes:
    return output([*PYTHON, str(PROGRAMS / program / "gen.py"), str(seed), str(size)], b"")


def witness(program: str, version: str) -> bytes:
    """The input on which `version` differs: a file beside it, or `gen.py SEED SIZE`."""
    name = PLANTED[program][version]["witness"]
    if name.startswith("gen.py "):
        return generated(program, *map(int, name.split()[1:]))
    return (PROGRAMS / program / name).read_bytes()


def check_program(program: str, folder: Path) -> None:
    slow, expert = (command(program, version, folder) for version in ("slow", "expert"))
    full = generated(program, 1, json.loads((PROGRAMS / program / "meta.json").read_text())["size"])
    expected = output(slow, full)
    for version, planted in PLANTED[program].items():
        wrong, small = command(program, version, folder), witness(program, version)
        right = output(slow, small)
        assert output(expert, small) == right, f"{version}: slow and expert disagree, so the witness is no legal input"
        assert output(wrong, small) != right, f"{version}: right on its witness"
        assert (output(wrong, full) == expected) is planted["right_at_full_size"], version


@pytest.mark.long
@pytest.mark.parametrize("program", [program for program in PLANTED if language(program) == ".py"])
def test_wrong_python_versions_differ_on_their_witness(program: str, tmp_path: Path) -> None:
    check_program(program, tmp_path)


@pytest.mark.slow  # seven compilations each
@pytest.mark.parametrize("program", [program for program in PLANTED if language(program) != ".py"])
def test_wrong_compiled_versions_differ_on_their_witness(program: str, tmp_path: Path) -> None:
    check_program(program, tmp_path)


def test_every_program_has_five_wrong_versions_that_say_what_is_wrong() -> None:
    assert set(PLANTED) == {path.name for path in PROGRAMS.iterdir() if path.is_dir()}
    for program, versions in PLANTED.items():
        files = sorted((PROGRAMS / program).glob("wrong_*"))
        assert [file.stem for file in files] == list(versions) == [f"wrong_{k}" for k in range(1, 6)]
        for file in files:
            mark, word, kind, what = file.read_text().splitlines()[0].replace(":", "").split(" ", 3)
            assert (mark, word) == ("#" if file.suffix == ".py" else "//", "wrong") and kind and what


def test_most_wrong_versions_are_right_at_full_size() -> None:
    right = [planted["right_at_full_size"] for versions in PLANTED.values() for planted in versions.values()]
    assert sum(right) > len(right) / 2
