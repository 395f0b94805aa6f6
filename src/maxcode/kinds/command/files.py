"""The files of a repository: which ones there are, which ones a pattern means, and what they hold."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

NEVER_COPIED = frozenset(
    ".git .hg .svn __pycache__ .pytest_cache .mypy_cache .ruff_cache .venv .tox .cache node_modules".split()
)
RESULTS = "maxcode-"
"""Folders of results that `maxcode optimize` leaves at the top of a repository."""


def repository_files(root: Path, exclude: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Relative paths of files and symbolic links, sorted; what git ignores, and what is no source, left out."""
    listed = _by_git(root) or _by_walking(root)
    kept = (name for name in listed if not _left_out(name) and not any(matches(name, p) for p in exclude))
    return tuple(sorted(kept))


def matches(name: str, pattern: str) -> bool:
    """Whether a relative path fits a glob: `*` stays within a folder, `**` does not; a folder means all in it."""
    return _regex(pattern.removeprefix("./")).fullmatch(name) is not None


def tree_parts(root: Path, names: tuple[str, ...]) -> Iterator[bytes | str]:
    """Everything about the files that a build could notice, for hashing."""
    for name in names:
        path = root / name
        yield name
        if path.is_symlink():
            yield f"-> {path.readlink()}"
        else:
            yield "x" if os.access(path, os.X_OK) else "-"
            yield path.read_bytes()


def _by_git(root: Path) -> list[str]:
    """Tracked files and new ones that are not ignored; nothing where git does not know the folder."""
    command = ["git", "-c", "core.fsmonitor=false", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        done = subprocess.run(command, cwd=root, capture_output=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return []
    names = done.stdout.decode(errors="surrogateescape").split("\0")
    found = []
    for name in dict.fromkeys(filter(None, names)):
        if (root / name).is_dir() and not (root / name).is_symlink():  # a submodule
            found += [f"{name.rstrip('/')}/{inner}" for inner in _by_walking(root / name)]
        elif os.path.lexists(root / name):
            found.append(name)
    return found


def _by_walking(root: Path) -> list[str]:
    found = []
    for folder, folders, files in os.walk(root):
        linked = [each for each in folders if (Path(folder) / each).is_symlink()]
        folders[:] = [each for each in folders if each not in NEVER_COPIED and each not in linked]
        found += [str((Path(folder) / each).relative_to(root)) for each in (*files, *linked)]
    return found


def _left_out(name: str) -> bool:
    parts = name.split("/")
    return (
        not NEVER_COPIED.isdisjoint(parts)
        or name.endswith((".pyc", ".pyo"))
        or name == "task.toml"
        or (len(parts) > 1 and parts[0].startswith(RESULTS))
    )


@cache
def _regex(pattern: str) -> re.Pattern[str]:
    parts = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    words = re.split(r"(\*\*/|\*\*|\*|\?)", pattern.rstrip("/"))
    return re.compile("".join(parts.get(word, re.escape(word)) for word in words) + "(?:/.*)?")
