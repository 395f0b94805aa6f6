"""The files of a repository: which ones there are, which ones a pattern means, and what they hold."""

from __future__ import annotations

import os
import re
import stat
import subprocess
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from maxcode.core import InputError
from maxcode.kinds.command.table import Command
from maxcode.system.git import git
from maxcode.task.model import Task
from maxcode.task.ordinary import FILE_NAME, Carried

NEVER_COPIED = frozenset(
    ".git .hg .svn __pycache__ .pytest_cache .mypy_cache .ruff_cache .venv .tox .cache node_modules".split()
)
RESULTS = "maxcode-"
"""Prefix of the folders of results that `maxcode optimize` leaves at the top of a repository."""


def repository_files(root: Path, exclude: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Relative paths of files and symbolic links, sorted; what git ignores, and what is no source, left out."""
    listed = (name for name in _by_git(root) or _by_walking(root) if _is_file_or_link(root / name))
    kept = (name for name in listed if not _left_out(name) and not any(matches(name, p) for p in exclude))
    return tuple(sorted(kept))


def candidate_files(folder: Path, root: Path) -> tuple[str, ...]:
    """Relative paths of everything but folders in a candidate's folder, sorted; what the repository ignores left out.

    Git is asked about the repository only: in a folder that a candidate wrote, it would go by the candidate's settings.
    """
    names = [name for name in _by_walking(folder) if not _left_out(name)]
    return tuple(sorted(set(names) - _ignored(root, names)))


def matches(name: str, pattern: str) -> bool:
    """True if a relative path fits a glob: `*` stays within a folder, `**` does not; a folder means all in it."""
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


def tree(task: Task) -> tuple[str, ...]:
    return repository_files(task.root, task.table(Command).exclude)


def editable_files(task: Task) -> tuple[str, ...]:
    wanted = task.table(Command).editable
    named = (name for name in task.tree if any(matches(name, each) for each in wanted))
    return tuple(name for name in named if not (task.root / name).is_symlink())


def content(task: Task) -> Iterator[bytes | str]:
    return tree_parts(task.root, task.tree)


def check_files(file: Path, task: Task) -> None:
    """Raises InputError where the repository is missing, too large, or without the files that may be edited."""
    command = task.table(Command)
    if not task.root.is_dir():
        raise InputError(f"{file}: command.repository: {task.root} is not a folder. Correct the path.")
    size = sum((task.root / name).lstat().st_size for name in task.tree)
    if size > command.copy_mb << 20:
        raise InputError(
            f"{file}: command.copy_mb: the repository has {size >> 20} MB, more than the {command.copy_mb} of a copy. "
            "Leave out what the commands do not need with command.exclude, or raise command.copy_mb."
        )
    for pattern in command.editable:
        if not any(matches(name, pattern) for name in task.files):
            raise InputError(
                f"{file}: command.editable: '{pattern}' matches no file of {task.root}. Correct it; "
                "`maxcode hot` proposes files. Files that git ignores do not count."
            )
    if command.python is not None and not (task.folder / command.python / "bin" / "python").exists():
        raise InputError(f"{file}: command.python: {command.python} has no bin/python. Name a virtual environment.")


def carried(task: Task) -> Carried:
    """Files that another machine needs, at the same relative paths, so that the task's settings and its hash stay."""
    command = task.table(Command)
    if Path(command.repository).is_absolute():
        raise InputError(
            f"{task.folder / FILE_NAME}: command.repository: an absolute path means nothing on other machines. "
            "Give it relative to the task's folder, or use --engine local."
        )
    if command.python and not Path(command.python).is_absolute():
        raise InputError(
            f"{task.folder / FILE_NAME}: command.python: a virtual environment is not sent to other machines. "
            "Give the absolute path of one that is there on every node, or use --engine local."
        )
    root = Path(os.path.normpath(task.root))
    top = Path(os.path.commonpath([task.folder, root]))
    files = dict.fromkeys([task.folder / FILE_NAME, *(root / name for name in task.tree)])
    return Carried(top, tuple(files), links=True)


def _by_git(root: Path) -> list[str]:
    """Tracked files and new ones that are not ignored; nothing where git does not know the folder."""
    try:
        done = git("ls-files", "-z", "--cached", "--others", "--exclude-standard", folder=root)
    except (OSError, subprocess.SubprocessError):
        return []
    if done.returncode != 0:
        return []
    names = done.stdout.decode(errors="surrogateescape").split("\0")
    found = []
    for name in dict.fromkeys(filter(None, names)):
        if (root / name).is_dir() and not (root / name).is_symlink():  # a submodule
            found += [f"{name.rstrip('/')}/{inner}" for inner in _by_walking(root / name)]
        elif os.path.lexists(root / name):
            found.append(name)
    return found


def _ignored(root: Path, names: Iterable[str]) -> set[str]:
    """Names that the repository's rules have git ignore; none where git does not know the repository."""
    given = b"".join(b"./" + os.fsencode(name) + b"\0" for name in names)  # a name may begin like a pattern
    try:
        done = git("check-ignore", "-z", "--stdin", folder=root, given=given)
    except (OSError, subprocess.SubprocessError):
        return set()
    return {os.fsdecode(name.removeprefix(b"./")) for name in done.stdout.split(b"\0") if name}


def _is_file_or_link(path: Path) -> bool:
    """True for plain files and links. Reading a pipe or a device may never end."""
    mode = path.lstat().st_mode
    return stat.S_ISREG(mode) or stat.S_ISLNK(mode)


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
