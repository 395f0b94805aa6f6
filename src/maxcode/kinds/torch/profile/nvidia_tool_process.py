"""Process that confines itself as a candidate is, and starts a tool on a model. Standard input holds the job."""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from maxcode.kinds.torch.processes import confine
from maxcode.kinds.torch.processes.confine import BUILDS, read_confinement
from maxcode.kinds.torch.profile.nvidia_tool import TIMED_OUT
from maxcode.system.children import die_with_parent, own_python


def main() -> None:
    job = json.loads(sys.stdin.buffer.read())
    die_with_parent()
    wanted = read_confinement(job["confinement"]) if job["confinement"] else None
    for group in wanted.join if wanted else ():
        Path(group).write_text(str(os.getpid()))
    reached = confine.enter_namespaces() if wanted else "limits"
    child = os.fork()
    if child == 0:
        if wanted:
            confine.lock_in(wanted, reached)
        else:
            os.setsid()
            die_with_parent()
        os._exit(_start(job))
    sys.exit(_waited(child, job["seconds"]))


def _waited(child: int, seconds: float) -> int:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status) & 0xFF
        time.sleep(0.05)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return TIMED_OUT


def _start(job: dict[str, Any]) -> int:
    """Runs the tool as a child. This process is the first of its namespace, so all others end with it."""
    folder = Path(tempfile.mkdtemp(prefix="watched-"))
    program = job["program"]
    for number, text in enumerate(program["problems"]):
        (folder / f"problem_{number}.py").write_text(text)
    (folder / "candidate.py").write_text(program["text"])
    builds = os.environ.get(BUILDS, program["builds"])
    target = own_python("-m", "maxcode.kinds.torch.profile.nvidia_tool_model", str(folder), program["model"], builds)
    tool = os.fork()
    if tool == 0:
        die_with_parent()
        command = [*job["command"], *target]
        os.execv(command[0], command)
    _, status = os.waitpid(tool, 0)
    return os.waitstatus_to_exitcode(status) & 0xFF


if __name__ == "__main__":
    main()
