"""Names of the system calls a run can be ended for."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache


@cache
def _names() -> dict[int, str]:
    """Numbers and names as this machine's C headers have them."""
    compiler = shutil.which("cc") or shutil.which("gcc") or "cc"
    text = subprocess.run(
        [compiler, "-dM", "-E", "-include", "sys/syscall.h", "-x", "c", "/dev/null"],
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    return {int(number): name for name, number in re.findall(r"#define __NR_(\w+) (\d+)", text)}


def syscall_name(number: int) -> str:
    return _names().get(number, f"number {number}")
