"""Folders of processes that were killed are told from those in use, and from what others named alike."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from maxcode.system.stale import stale


def test_only_what_an_ended_process_left_is_stale(tmp_path: Path) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    for name in (f"ours-{os.getpid()}-x", f"ours-{ended.pid}", f"ours-{ended.pid}-x", "ours-", "ours-me-1"):
        (tmp_path / name).mkdir()
    found = stale(sorted(tmp_path.glob("ours-*")), "ours-")
    assert [folder.name for folder in found] == [f"ours-{ended.pid}", f"ours-{ended.pid}-x"]
