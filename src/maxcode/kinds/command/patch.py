"""Patches of other people's making, applied to the files of a candidate by git."""

from __future__ import annotations

import resource
import signal
import subprocess
import tempfile
from pathlib import Path

from maxcode.core import InputError
from maxcode.system.git import git

LARGEST_MB = 64
"""Megabytes that a candidate may change: sources are smaller."""
MEMORY_MB = 512
"""Megabytes of memory for git while it applies a patch, all files that it changes included."""


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
