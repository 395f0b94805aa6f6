"""A task as one value: everything of its folder that its hash covers, kept on each node by content, sent to it once."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Literal

from maxcode.core import Frozen, InputError, content_hash
from maxcode.evaluate.once import made_once
from maxcode.system.home import cache_folder
from maxcode.task.model import Task
from maxcode.task.ordinary import FILE_NAME


class BundledFile(Frozen):
    name: str
    form: Literal["file", "program", "link"]
    data: bytes
    """Content of the file; for a link, its target."""


class Bundle(Frozen):
    folder: str
    """Path of the task's folder in the bundle; a repository may lie beside or above it."""
    entries: tuple[BundledFile, ...]

    @cached_property
    def id(self) -> str:
        parts = (part for each in self.entries for part in (each.name, each.form, each.data))
        return content_hash(self.folder, *parts)


def pack(task: Task) -> Bundle:
    """Bundle of a task; InputError where something of it cannot be sent."""
    sent = task.kind.carried(task)
    entries = (_entry(path, sent.top, links=sent.links and path.name != FILE_NAME) for path in sent.files)
    return Bundle(folder=str(task.folder.relative_to(sent.top)), entries=tuple(entries))


def _entry(path: Path, top: Path, *, links: bool) -> BundledFile:
    name = str(path.relative_to(top))
    if links and path.is_symlink():
        return BundledFile(name=name, form="link", data=os.fsencode(path.readlink()))
    return BundledFile(name=name, form="program" if os.access(path, os.X_OK) else "file", data=path.read_bytes())


def kept_folder(bundle_id: str) -> Path:
    """Folder of a bundle on this machine, which may not exist."""
    return cache_folder("tasks") / bundle_id


def unpack(bundle: Bundle) -> Path:
    """Folder with the bundle's files on this machine, written at most once."""
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
        if each.form == "link":
            path.symlink_to(os.fsdecode(each.data))
        else:
            path.write_bytes(each.data)
            path.chmod(0o755 if each.form == "program" else 0o644)
