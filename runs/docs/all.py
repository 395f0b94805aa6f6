"""Writes everything in docs/ that is made from the code: runs each script of this folder."""

from __future__ import annotations

import runpy
from pathlib import Path

NO_SCRIPTS = ("all.py", "shots.py", "site.py")
"""This file, a run that takes minutes, and the hook of mkdocs."""

if __name__ == "__main__":
    for script in sorted(Path(__file__).parent.glob("*.py")):
        if script.name not in NO_SCRIPTS:
            runpy.run_path(str(script), run_name="__main__")
