"""Files of a task that cannot be read: made readable where they are ours, else reported with what to do."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

from maxcode.core import InputError


def opened(path: Path) -> BinaryIO:
    """The file, open for reading. InputError names the file and what to do."""
    make_readable(path)
    try:
        return path.open("rb")
    except FileNotFoundError:
        raise InputError(f"{path}: is not there any more. Put it back.") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}). {_fix(path)}") from None


def make_readable(path: Path) -> None:
    """Adds the right to read to files of our own user. A program that ran as this user may have removed it."""
    try:
        found = path.stat()
        wanted = stat.S_IRUSR | (stat.S_IXUSR if stat.S_ISDIR(found.st_mode) else 0)
        if found.st_uid == os.geteuid() and found.st_mode & wanted != wanted:
            path.chmod(stat.S_IMODE(found.st_mode) | wanted)
    except OSError:
        pass  # whoever opens it will say so


def _fix(path: Path) -> str:
    return f"Make it readable: chmod u+r {path}, as its owner or root."
