"""Our own small C programs, compiled once per machine and kept by content."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from maxcode.core import EvaluatorError, content_hash
from maxcode.system.home import cache_folder, write_atomically
from maxcode.system.places import LEAST_FREE, free_bytes

HERE = Path(__file__).parent
FILTER = HERE / "filter.h"


@cache
def runner() -> Path:
    """The process that watches a candidate from inside its sandbox; static, so that it needs nothing there."""
    return _compiled("runner.c", ("-O2", "-static"), ("-O2",))


@cache
def allocation_counter() -> Path:
    """A library that counts a program's allocations when preloaded."""
    return _compiled("allocations.c", ("-O2", "-fPIC", "-shared"))


@cache
def sampler() -> Path:
    """A library that samples a program's stacks when preloaded."""
    return _compiled("sampler.c", ("-O2", "-fPIC", "-shared"), ("-O2", "-fPIC", "-shared", "-ldl"))


@cache
def end_recorder() -> Path:
    """A library that notes how a program ends when preloaded."""
    return _compiled("ends.c", ("-O2", "-fPIC", "-shared"), ("-O2", "-fPIC", "-shared", "-ldl"))


@cache
def call_filter() -> Path:
    """A library by which a process gives up the system calls that a candidate may not make."""
    return _compiled("confine.c", ("-O2", "-fPIC", "-shared"))


@cache
def arena_allocator() -> Path:
    """A library that gives torch GPU memory out of one block which other processes have mapped."""
    return _compiled("arena.c", ("-O2", "-fPIC", "-shared"), ("-O2", "-fPIC", "-shared", "-ldl"))


def _compiled(name: str, *flag_sets: tuple[str, ...]) -> Path:
    """Compiles a source; later sets of flags are tried where earlier ones do not link."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise EvaluatorError("no C compiler found (cc, gcc or clang). Install one, e.g. apt-get install gcc.")
    source = HERE / name
    target = (
        cache_folder("native")
        / content_hash(source.read_bytes(), FILTER.read_bytes(), compiler, repr(flag_sets))
        / source.stem
    )
    errors = ""
    for flags in () if target.exists() else flag_sets:
        with tempfile.TemporaryDirectory(prefix="maxcode-native-") as folder:
            output = Path(folder) / "out"
            done = subprocess.run(
                [compiler, *flags, "-o", output, source],
                capture_output=True,
                text=True,
                check=False,
                env={**os.environ, "TMPDIR": folder},
            )
            if done.returncode == 0:
                write_atomically(target, output.read_bytes(), 0o755)
                break
            errors = done.stderr
    if not target.exists():
        if free_bytes(Path(tempfile.gettempdir())) < LEAST_FREE:
            raise EvaluatorError(
                f"{tempfile.gettempdir()} is full: {name} cannot be compiled. Free some space, or export TMPDIR=..."
            )
        raise EvaluatorError(f"{name} does not compile with {compiler}:\n{errors}")
    return target
