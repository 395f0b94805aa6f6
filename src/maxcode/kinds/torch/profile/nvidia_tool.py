"""Runs a model under one of NVIDIA's tools, confined as a candidate is."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO

from maxcode.kinds.torch.processes.confine import Confinement
from maxcode.kinds.torch.processes.process_spawner import own_environment
from maxcode.system.children import own_python

GRACE_SECONDS = 30.0
MOST_READ = 1 << 20
USUAL_PLACES = ("/usr/local/cuda/bin", "/opt/cuda/bin")
TIMED_OUT = 124


@dataclass(frozen=True)
class Unavailable:
    """Reason why a tool found nothing out."""

    reason: str


@dataclass(frozen=True)
class Watched:
    """A model to be called twice at each of a problem's sizes. `builds` holds the extensions built for its text."""

    text: str
    model: str
    problems: tuple[str, ...]
    builds: Path
    confinement: Confinement | None = None
    """Confinement of a candidate. Without one, the model only gets a clean environment."""


def cuda_tool(name: str) -> str | None:
    """Path of a tool of the CUDA toolkit; None if it is not found."""
    folders = [os.environ[each] + "/bin" for each in ("CUDA_HOME", "CUDA_PATH") if each in os.environ]
    places = [shutil.which(name), *(f"{each}/{name}" for each in (*folders, *USUAL_PLACES))]
    return next((each for each in places if each and os.access(each, os.X_OK)), None)


def under(command: list[str], watched: Watched, seconds: float, **environment: str) -> str | Unavailable:
    """Text that the tool and the model print; Unavailable if they take longer than `seconds`."""
    confinement = watched.confinement
    job = {
        "command": command,
        "program": {
            "text": watched.text,
            "model": watched.model,
            "problems": watched.problems,
            "builds": str(watched.builds),
        },
        "seconds": seconds,
        "confinement": asdict(replace(confinement, library="", memory_mb=None)) if confinement else None,
    }
    too_long = Unavailable(f"{Path(command[0]).name} took longer than {seconds:g} s")
    with tempfile.TemporaryFile() as output:
        try:
            done = subprocess.run(
                own_python("-m", "maxcode.kinds.torch.profile.nvidia_tool_process"),
                input=json.dumps(job).encode(),
                stdout=output,
                stderr=subprocess.STDOUT,
                env=own_environment() | environment,
                timeout=seconds + GRACE_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return too_long
        return too_long if done.returncode == TIMED_OUT else _said(output)


def _said(output: IO[bytes]) -> str:
    size = output.seek(0, os.SEEK_END)
    output.seek(0)
    head = output.read(MOST_READ)
    output.seek(max(size - MOST_READ, len(head)))
    return (head + output.read()).decode(errors="replace")
