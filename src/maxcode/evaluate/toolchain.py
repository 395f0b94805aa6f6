"""Compilers and interpreters of this machine, and the smallest root folder that what they make can run in."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from maxcode.core import EvaluatorError, Language, content_hash
from maxcode.evaluate.machine import cpu_flags
from maxcode.evaluate.sandbox.view import SYSTEM_FOLDERS, View
from maxcode.system.home import cache_folder

_PROBE = "#include <iostream>\n#include <thread>\n#include <cmath>\nint main(){std::cout << std::sqrt(2.0);}\n"
_PROBED = ("", "-fopenmp", "-lmvec", "-fsanitize=address,undefined")
"""Flags that may bring in more libraries: the probe is linked with each, whether it uses them or not."""


@dataclass(frozen=True)
class Toolchain:
    cc: Path | None
    cxx: Path | None
    python: Path
    id: str
    """Hash of the versions: part of every cache key."""

    def compiler(self, language: Language) -> Path:
        found = self.cc if language is Language.C else self.cxx
        if found is None:
            name = "C" if language is Language.C else "C++"
            raise EvaluatorError(f"no {name} compiler found. Install one, e.g. apt-get install g++, or set CC and CXX.")
        return found

    @property
    def extra_folders(self) -> tuple[Path, ...]:
        """Folders of compilers and interpreter besides the system's."""
        homes = [path.parent.parent for path in (self.cc, self.cxx) if path] + [Path(sys.base_prefix)]
        return tuple(dict.fromkeys(home for home in homes if not _is_system(home)))


@cache
def toolchain() -> Toolchain:
    cc, cxx = _find("CC", "gcc", "clang", "cc"), _find("CXX", "g++", "clang++", "c++")
    python = Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info.minor}"
    python = python.resolve() if python.exists() else Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    versions = [_output([str(path), "--version"]) for path in (cc, cxx) if path]
    processor = " ".join(sorted(cpu_flags()))  # -march=native builds for it
    return Toolchain(cc, cxx, python, content_hash(*versions, platform.python_version(), platform.machine(), processor))


def tools_view(tools: Toolchain) -> View:
    """View of a compiler or an interpreter: the system, read-only. The caller adds files."""
    return View(read={str(path): path for path in tools.extra_folders})


@cache
def runtime_view() -> View:
    """View of a compiled program: a root with the runtime libraries of C and C++ and nothing else."""
    tools = toolchain()
    compiler = tools.cxx or tools.compiler(Language.C)
    root = cache_folder("roots") / content_hash(tools.id, _PROBE, *_PROBED)
    if not root.exists():
        _make_root(root, compiler)
    return View(root=root)


def _make_root(root: Path, compiler: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="maxcode-root-", dir=root.parent) as folder:
        staged = Path(folder) / "root"
        for name in ("tmp", "box", "dev", "proc"):
            (staged / name).mkdir(parents=True)
        for library in _libraries(compiler, Path(folder)):
            target = staged / library.relative_to("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(library, target)
        for path in [staged, *staged.rglob("*")]:
            path.chmod(0o755)
        try:
            staged.rename(root)
        except OSError:
            if not root.exists():
                raise


def _libraries(compiler: Path, folder: Path) -> set[Path]:
    """Shared libraries that programs of this compiler may need, as the dynamic linker names them."""
    found: set[Path] = set()
    source = folder / "probe.cpp"
    source.write_text(_PROBE)
    for flag in _PROBED:
        program = folder / "probe"
        flags = ["-Wl,--no-as-needed", flag] if flag else []
        command = [str(compiler), *flags, str(source), "-o", str(program), "-pthread"]
        environment = {**os.environ, "TMPDIR": str(folder)}
        if subprocess.run(command, capture_output=True, check=False, env=environment).returncode == 0:
            listing = _output(["ldd", str(program)])
            found |= {Path(path) for path in re.findall(r"(/\S+) \(0x", listing)}
    return found


def _find(variable: str, *names: str) -> Path | None:
    for name in (os.environ.get(variable), *names):
        path = shutil.which(name) if name else None
        if path:
            return Path(path)
    return None


def _is_system(path: Path) -> bool:
    return any(path == Path(folder) or path.is_relative_to(folder) for folder in SYSTEM_FOLDERS) or path == Path("/")


def _output(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout
