"""`maxcode skill`: a folder that teaches a coding agent to use the commands."""

from __future__ import annotations

import shutil
from pathlib import Path

from maxcode.cli.console import out
from maxcode.core import InputError

SKILL = Path(__file__).with_name("skill")


def run(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder}: exists and is not an empty folder. Choose another.")
    shutil.copytree(SKILL, folder, dirs_exist_ok=True)
    out.print(f"{folder}: {', '.join(sorted(str(each.relative_to(SKILL)) for each in SKILL.rglob('*.*')))}")
