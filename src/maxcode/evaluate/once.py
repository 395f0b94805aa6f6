"""Things made at most once, by whichever process comes first, and kept by content."""

from __future__ import annotations

import fcntl
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path


def made_once(target: Path, make: Callable[[Path], None]) -> bool:
    """Makes the folder `target` by filling an empty one and renaming it into place; True when it was there already.

    Others wait for the maker; when it is killed, the lock goes with it and the next one makes it.
    """
    if target.exists():
        return True
    target.parent.mkdir(parents=True, exist_ok=True)
    lock = target.parent / f".lock-{target.name}"
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if target.exists():
            return True
        for partial in target.parent.glob(f".partial-{target.name}-*"):
            shutil.rmtree(partial, ignore_errors=True)
        folder = Path(tempfile.mkdtemp(prefix=f".partial-{target.name}-", dir=target.parent))
        try:
            folder.chmod(0o755)
            make(folder)
            folder.replace(target)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        lock.unlink(missing_ok=True)  # after success only: whoever still waits on it will find the target
    return False
