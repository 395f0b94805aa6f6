"""Where MaxCode keeps things on this machine: MAXCODE_HOME, or the user's data folder."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import platformdirs


def home() -> Path:
    return Path(os.environ.get("MAXCODE_HOME") or platformdirs.user_data_path("maxcode")).absolute()


def cache_folder(name: str) -> Path:
    """A folder for things that can be made again; created on first use."""
    path = home() / "cache" / name
    path.mkdir(parents=True, exist_ok=True)
    return path


def write_atomically(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Readers see the old file or the new one, never a part, even when this process is killed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".partial-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        Path(temporary).chmod(mode)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
