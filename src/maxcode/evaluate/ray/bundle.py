"""A task as one value: everything of its folder that its hash covers, kept on each node by content, sent to it once."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Literal

from maxcode.core import Frozen, InputError, content_hash
from maxcode.evaluate.once import made_once
from maxcode.home import cache_folder
from maxcode.task.load import FILE_NAME
from maxcode.task.model import Task


class Entry(Frozen):
    name: str
    kind: Literal["file", "program", "link"]
    data: bytes
    """Of a link: what it points to."""


class Bundle(Frozen):
    folder: str
    """Where in the bundle the task's folder is; a repository may lie beside or above it."""
    entries: tuple[Entry, ...]

    @cached_property
    def id(self) -> str:
        parts = (part for each in self.entries for part in (each.name, each.kind, each.data))
        return content_hash(self.folder, *parts)


def pack(task: Task) -> Bundle:
    if task.command is not None:
        return _pack_repository(task)
    files = [task.folder / FILE_NAME, *sorted(task.material())]
    return Bundle(folder=".", entries=tuple(_entry(path, task.folder, links=False) for path in files))


def _pack_repository(task: Task) -> Bundle:
    """The same relative paths as here, so that the task's settings, and its hash, stay as they are."""
    assert task.command is not None
    if Path(task.command.repository).is_absolute():
        raise InputError(
            f"{task.folder / FILE_NAME}: command.repository: an absolute path means nothing on other machines. "
            "Give it relative to the task's folder, or use --engine local."
        )
    if task.command.python and not Path(task.command.python).is_absolute():
        raise InputError(
            f"{task.folder / FILE_NAME}: command.python: a virtual environment is not sent to other machines. "
            "Give the absolute path of one that is there on every node, or use --engine local."
        )
    root = Path(os.path.normpath(task.root))
    top = Path(os.path.commonpath([task.folder, root]))
    files = dict.fromkeys([task.folder / FILE_NAME, *(root / name for name in task.tree)])
    entries = tuple(_entry(path, top, links=path.name != FILE_NAME) for path in files)
    return Bundle(folder=str(task.folder.relative_to(top)), entries=entries)


def _entry(path: Path, top: Path, *, links: bool) -> Entry:
    name = str(path.relative_to(top))
    if links and path.is_symlink():
        return Entry(name=name, kind="link", data=os.fsencode(path.readlink()))
    return Entry(name=name, kind="program" if os.access(path, os.X_OK) else "file", data=path.read_bytes())


def kept_folder(bundle_id: str) -> Path:
    """Where a bundle is on this machine, if it is there."""
    return cache_folder("tasks") / bundle_id


def unpack(bundle: Bundle) -> Path:
    """The bundle's files on this machine, written at most once."""
    target = kept_folder(bundle.id)
    made_once(target, lambda folder: _write(bundle, folder))
    return target


def _write(bundle: Bundle, folder: Path) -> None:
    for each in bundle.entries:
        name = PurePosixPath(each.name)
        if name.is_absolute() or ".." in name.parts:
            raise InputError(f"task bundle: '{each.name}' would be written outside of its folder.")
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if each.kind == "link":
            path.symlink_to(os.fsdecode(each.data))
        else:
            path.write_bytes(each.data)
            path.chmod(0o755 if each.kind == "program" else 0o644)
