"""Patches as git takes them: made from two versions of some files, and applied to one."""

from __future__ import annotations

import difflib
import re
import resource
import signal
import subprocess
import tempfile
from pathlib import Path

from maxcode.core import InputError
from maxcode.git import git

NO_NEWLINE = "\\ No newline at end of file\n"
LARGEST_MB = 64
"""Megabytes that a candidate may change: sources are smaller."""
MEMORY_MB = 512
"""Megabytes of memory for git while it applies a patch, all files that it changes included."""


def make_patch(before: dict[str, str], after: dict[str, str]) -> str:
    """Patch by which `git apply` turns the one into the other, to the byte."""
    changed = [name for name in sorted(after) if after[name] != before.get(name)]
    return "".join(_of_file(name, before.get(name, ""), after[name]) for name in changed)


def _of_file(name: str, before: str, after: str) -> str:
    body = difflib.unified_diff(_lines(before), _lines(after), f"a/{name}", f"b/{name}")
    return f"diff --git a/{name} b/{name}\n" + "".join(
        line if line.endswith("\n") else f"{line}\n{NO_NEWLINE}" for line in body
    )


def _lines(text: str) -> list[str]:
    """Lines of a text. Only line feeds end them, as in git: a form feed or a carriage return is part of a line."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def apply_patch(file: Path, files: dict[str, str]) -> dict[str, str]:
    """The files after a patch, which may change or add some. InputError where it does not apply."""
    with tempfile.TemporaryDirectory(prefix="maxcode-patch-") as folder:
        before = 0
        for name, text in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            before += path.write_bytes(text.encode(errors="surrogateescape"))
        _git_apply(file, folder)
        there = sorted(Path(folder).rglob("*"))
        if links := [path for path in there if path.is_symlink()]:
            raise InputError(f"{file}: makes {links[0].relative_to(folder)} a symbolic link. Change plain files only.")
        if sum(path.stat().st_size for path in there if path.is_file()) - before > LARGEST_MB << 20:
            raise InputError(_too_large(file))
        found = (path for path in there if path.is_file())
        return {str(path.relative_to(folder)): path.read_bytes().decode(errors="surrogateescape") for path in found}


def _git_apply(file: Path, folder: str) -> None:
    words = ("apply", "--whitespace=nowarn", str(file.absolute()))
    try:
        done = git(*words, folder=Path(folder), above=False, limits=_limits)
    except FileNotFoundError:
        raise InputError(f"{file}: git, which applies patches, is not installed. Give a folder of files.") from None
    except subprocess.TimeoutExpired:
        raise InputError(f"{file}: git takes too long to apply it. Give a folder of files.") from None
    said = done.stderr.decode(errors="replace").strip()
    if done.returncode == -signal.SIGXFSZ or "File too large" in said or "ut of memory" in said:
        raise InputError(_too_large(file))
    if done.returncode != 0:
        raise InputError(f"{file}: does not apply to the repository: {said[:500]}")


def _limits() -> None:
    """Limits the process that applies a patch: a patch of a few bytes may stand for any number of them."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_MB << 20,) * 2)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_MB << 20,) * 2)


def _too_large(file: Path) -> str:
    return f"{file}: makes files of more than {LARGEST_MB} MB. Leave out what is not source."
