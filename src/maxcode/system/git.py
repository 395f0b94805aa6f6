"""Git, asked about folders that somebody else may have written: it runs nothing that they name, and fetches nothing."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

SECONDS = 60.0
_SETTINGS = ("core.fsmonitor=false", "core.hooksPath=/dev/null", "protocol.allow=never", "credential.helper=")
_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "none",  # no transport has this name, so nothing is fetched for a partial clone
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
}
_ELSEWHERE = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")
"""Environment variables that point git at another repository than the folder's, as git sets them in hooks."""


def git(
    *words: str,
    folder: Path,
    given: bytes = b"",
    above: bool = True,
    limits: Callable[[], None] | None = None,
    seconds: float = SECONDS,
) -> subprocess.CompletedProcess[bytes]:
    """Runs git in a folder. OSError where it is not installed, SubprocessError where it takes too long.

    Settings of the user and of the system apply, since repositories may need them (`safe.directory`). Without `above`,
    a repository in a parent folder is not used. `limits` is called in git's process before it starts.
    """
    kept = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE}
    ceiling = {} if above else {"GIT_CEILING_DIRECTORIES": str(folder.parent)}
    settings = [word for each in _SETTINGS for word in ("-c", each)]
    return subprocess.run(
        ["git", "--no-pager", *settings, *words],
        cwd=folder,
        input=given,
        capture_output=True,
        check=False,
        timeout=seconds,
        env={**kept, **_ENVIRONMENT, **ceiling},
        preexec_fn=limits,
    )
