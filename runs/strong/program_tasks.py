"""Task folders of programs that come with a generator of inputs: slow.*, gen.py SEED SIZE, and meta.json."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

SHARE = 0.5
"""Part of the full size that is counted: counting takes some forty times as long as running."""
LANGUAGES = {
    ".cpp": 'language = "c++"\n',
    ".c": 'language = "c"\n',
    ".py": 'language = "python"\n',
}
BUILDS = {
    ".cpp": '[build]\nflags = ["-O3", "-march=native"]\nstandard = "c++17"\n',
    ".c": '[build]\nflags = ["-O3", "-march=native"]\nstandard = "gnu11"\n',
    ".py": "",
}
COMMANDS = {
    ".cpp": ["g++", "-O2", "-std=c++17"],
    ".c": ["gcc", "-O2", "-std=gnu11"],
}


def make_task(program: Path, folder: Path) -> Path:
    """The task of a program. A folder that is there stays as it is."""
    if (folder / "task.toml").is_file():
        return folder
    (slow,) = program.glob("slow.*")
    about = json.loads((program / "meta.json").read_text())
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(program / "gen.py", folder / "generate.py")
    shutil.copy(slow, folder / f"baseline{slow.suffix}")
    small, *_, large = sizes = about["test_sizes"]
    command = _command(folder, slow.suffix)
    _write_tests(folder, "public", command, [(1, size) for size in sizes[:2]])
    _write_tests(folder, "hidden", command, [(seed, size) for size in sizes for seed in (2, 3)])
    (folder / "task.toml").write_text(
        f'name = "{about["name"]}"\nkind = "program"\n{LANGUAGES[slow.suffix]}'
        f'description = "Subject: {about["domain"]}."\nbaseline = "baseline{slow.suffix}"\n\n{BUILDS[slow.suffix]}\n'
        '[tests]\npublic = "tests/public"\nhidden = "tests/hidden"\ncompare = "tokens"\n\n'
        + "".join(_generated(size) for size in (small, large))
        + '[[workloads]]\nname = "large"\ngenerator = "generate.py"\n'
        f'arguments = ["{max(1, round(SHARE * about["size"]))}"]\n\n'
        '[limits]\nseconds = 20\nmemory_mb = 1024\n\n[objective]\nmetric = "instructions"\n'
    )
    return folder


def _generated(size: int) -> str:
    return f'[[tests.generated]]\ngenerator = "generate.py"\narguments = ["{size}"]\ncount = 2\n\n'


def _command(folder: Path, suffix: str) -> list[str]:
    """How the program is run to make the answers of tests."""
    source = folder / f"baseline{suffix}"
    if suffix == ".py":
        return [sys.executable, str(source)]
    subprocess.run([*COMMANDS[suffix], str(source), "-o", str(folder / "baseline.bin"), "-lm"], check=True)
    return [str((folder / "baseline.bin").absolute())]


def _write_tests(folder: Path, kind: str, command: list[str], cases: list[tuple[int, int]]) -> None:
    tests = folder / "tests" / kind
    tests.mkdir(parents=True, exist_ok=True)
    for number, (seed, size) in enumerate(cases):
        generate = [sys.executable, str(folder / "generate.py"), str(seed), str(size)]
        made = subprocess.run(generate, capture_output=True, check=True).stdout
        (tests / f"input.{number}.txt").write_bytes(made)
        answer = subprocess.run(command, input=made, capture_output=True, check=True).stdout
        (tests / f"output.{number}.txt").write_bytes(answer)
