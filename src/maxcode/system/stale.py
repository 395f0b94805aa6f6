"""Folders with the process that made them in their names: PREFIX, its pid, and perhaps more after a dash."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path


def stale(folders: Iterable[Path], prefix: str) -> Iterator[Path]:
    """Those whose process has ended: it was killed, or it would have removed them."""
    for folder in folders:
        owner = folder.name.removeprefix(prefix).split("-", 1)[0]
        if owner.isdigit() and not Path(f"/proc/{owner}").exists():
            yield folder
