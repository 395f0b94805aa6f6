"""Headers compiled ahead, shared by all candidates of a machine: trusted, and only read while candidates are built."""

from __future__ import annotations

import os
import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from maxcode.evaluate.once import made_once
from maxcode.extension import names
from maxcode.extension.commands import CompilerRunner
from maxcode.extension.original import torchs_own
from maxcode.extension.plan import BuildStep, Unusual, read_plan
from maxcode.extension.toolchain import toolchain

VARIABLE = "MAXCODE_HEADERS"
OPTIMISATIONS = ("", "-O2", "-O3")
"""Optimisation levels to compile headers for. A precompiled header fits only one level; gcc picks the one that does, or
reads the text when none does."""
FILE = "maxcode_base.h"
UNDEFINED = re.compile(
    r"^(?P<file>[^\s(:]+)[(:].*error.*?"
    r"(?:identifier \"(?P<nvcc>\w+)\" is undefined|['‘](?P<gcc>\w+)['’] was not declared)"
)


@dataclass(frozen=True)
class Headers:
    file: Path
    read: frozenset[str]
    """Headers of torch that are precompiled, by path below its include folder."""
    words: frozenset[str]
    """Every word in torch's full headers."""

    def is_decisive(self, log: str, folder: Path) -> bool:
        """True if the first error can only be the source's own: it uses a word that no header of torch has."""
        first = next((line for line in log.splitlines() if re.search(r"\berror\b", line)), "")
        undefined = UNDEFINED.search(first)
        if undefined is None or Path(undefined["file"]).parent != folder:
            return False
        return (undefined["nvcc"] or undefined["gcc"]) not in self.words


def prepared() -> Headers | None:
    """Headers in the folder that the environment names, if they were made by the same torch and compilers."""
    named = os.environ.get(VARIABLE)
    folder = _of_this_toolchain(Path(named)) if named else None
    if folder is None or not folder.is_dir():
        return None
    read = frozenset((folder / "read").read_text().split())
    return Headers(folder / FILE, read, frozenset((folder / "words").read_text().split()))


def prepare_headers(folder: Path) -> None:
    """Compiles the headers into `folder`, once per torch and compiler; MAXCODE_HEADERS=folder then uses them."""
    made_once(_of_this_toolchain(folder), _make)


def _of_this_toolchain(folder: Path) -> Path:
    return folder.absolute() / toolchain()


def _make(folder: Path) -> None:
    step = torch_compile_step()
    flags = re.sub(r"-DTORCH_EXTENSION_NAME=\S+", "", step.variables["cflags"])
    compiler = step.variables["cxx"]
    commands = CompilerRunner(folder)
    headers = [*names.CORE, *names.PYTHON_INCLUDES]
    lines = "".join(f"#include <{header}>\n" for header in headers)
    (folder / FILE).write_text(f"#pragma once\n#define AT_PER_OPERATOR_HEADERS 1\n{lines}")
    variants = folder / f"{FILE}.gch"
    variants.mkdir()
    with ThreadPoolExecutor(len(OPTIMISATIONS) + 1) as pool:
        words = pool.submit(_words, commands, compiler, flags)
        compiled = [
            pool.submit(commands.run, f"{compiler} -x c++-header {flags} {level} {FILE} -o {variants}/O{level[2:]}.gch")
            for level in OPTIMISATIONS
        ]
        for one in compiled:
            one.result()
        (folder / "words").write_text("\n".join(sorted(words.result())))
    read = _read(commands.run(f"{compiler} -M -x c++ {flags} {FILE}"))
    (folder / "read").write_text("\n".join(sorted(read)))


def _words(commands: CompilerRunner, compiler: str, flags: str) -> set[str]:
    """All words of torch's full headers, macros included."""
    (commands.folder / "full.cpp").write_text("#include <torch/extension.h>\n")
    return set(re.findall(r"[A-Za-z_]\w*", commands.run(f"{compiler} -E -dD {flags} full.cpp")))


def _read(rule: str) -> set[str]:
    return set(re.findall(r"/torch/include/((?:ATen|c10|torch)/\S+)", rule))


def torch_compile_step() -> BuildStep:
    """Step by which torch itself compiles a C++ source, taken from a plan that it writes and that is never run."""
    from torch.utils import cpp_extension

    class Written(Exception):
        pass

    def stop(*_: Any, **__: Any) -> None:
        raise Written

    run = cpp_extension._run_ninja_build
    with tempfile.TemporaryDirectory() as folder:
        cpp_extension._run_ninja_build = stop
        try:
            torchs_own("load_inline")("maxcode_flags", "", build_directory=folder)
        except Written:
            return read_plan(Path(folder) / "build.ninja").of("compile")[0]
        finally:
            cpp_extension._run_ninja_build = run
    raise Unusual("torch did not write a build plan")
