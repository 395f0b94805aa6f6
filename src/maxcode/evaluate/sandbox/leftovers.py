"""Things that evaluations leave behind when they are killed: found by name, whoever made them."""

from __future__ import annotations

import tempfile
from pathlib import Path

from maxcode.evaluate.sandbox.cgroups import PREFIX, own_groups
from maxcode.evaluate.sandbox.memory import memory_folders

TEMPORARY = (
    "maxcode-pool-",
    "maxcode-build-",
    "maxcode-copy-",
    "maxcode-patch-",
    "maxcode-check-",
    "maxcode-profile-",
    "maxcode-scratch-",
    "maxcode-new-",
)


def left_behind() -> list[str]:
    """Temporary folders, control groups and sandbox processes that exist now.

    There should be none when nothing runs.
    """
    return [*_folders(), *map(str, memory_folders()), *_groups(), *_processes()]


def _folders() -> list[str]:
    return [str(path) for path in Path(tempfile.gettempdir()).glob("maxcode-*") if path.name.startswith(TEMPORARY)]


def _groups() -> list[str]:
    try:
        parents = set(own_groups().values())
    except (OSError, ValueError):
        return []
    return [str(path) for parent in parents for path in parent.glob(f"{PREFIX}*")]


def _processes() -> list[str]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if words[0].endswith(b"/.runner") or (words[0].endswith(b"/runner") and words[1:2] in ([b"watch"], [b"enter"])):
            found.append(f"process {process.name}: {b' '.join(words[:3]).decode(errors='replace')}")
    return found
