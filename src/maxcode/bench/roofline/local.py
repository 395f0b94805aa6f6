"""How fast kernels of our own are on this machine, measured outside the harness.

The harness times candidates fairly against their baseline, but its absolute figures suffer on a busy machine. A roof,
and the baseline it is divided by, should be what the hardware does: the best quarter of many short rounds.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from maxcode.bench.roofline.calls import compile_trusted
from maxcode.core import EvaluatorError
from maxcode.evaluate.machine import reserved, usable_cpus
from maxcode.system.children import own_python
from maxcode.task.model import Task

THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def seconds_per_call(task: Task, source: str | None = None) -> float:
    """Seconds per call of the task's baseline, or of another file in its folder, at its first timed shape."""
    with tempfile.TemporaryDirectory(prefix="maxcode-roofline-") as folder:
        library = Path(folder) / "kernel.so"
        compile_trusted(task, source or task.main_file, library)
        found = run_beside(task, "maxcode.bench.roofline.process", library)
    return float(np.quantile(found, 0.25))


def run_beside(task: Task, module: str, library: Path, *words: str) -> list[float] | list[list[float]]:
    """Output of a timing process, run on as many cores as the task has. Those cores are reserved while it runs."""
    cpus = tuple(usable_cpus()[-task.limits.cpus :])
    threads = dict.fromkeys(THREADS, str(len(cpus)))
    given = [str(task.folder), json.dumps(task.changes), str(library), ",".join(map(str, cpus)), *words]
    with reserved(cpus):
        done = subprocess.run(
            own_python("-m", module, *given),
            env={**os.environ, **threads},
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
    if done.returncode:
        raise EvaluatorError(f"{task.name}: cannot be timed: {done.stderr.strip()[-500:]}")
    answer: list[float] | list[list[float]] = json.loads(done.stdout)
    return answer
