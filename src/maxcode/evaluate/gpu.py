"""GPUs of this machine, and the version of torch; found without importing it."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Literal

from maxcode.evaluate.machine import LOCKS

Device = Literal["cuda", "cpu"]


@cache
def gpus() -> tuple[str, ...]:
    """Name and driver of each GPU, as nvidia-smi has them; none where CUDA_VISIBLE_DEVICES hides them all."""
    tool = shutil.which("nvidia-smi")
    if tool is None or os.environ.get("CUDA_VISIBLE_DEVICES", "0").strip() in ("", "-1"):
        return ()
    query = [tool, "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        done = subprocess.run(query, capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return tuple(line.strip() for line in done.stdout.splitlines() if line.strip()) if done.returncode == 0 else ()


@cache
def torch_version() -> str | None:
    """Version of torch with its build, such as 2.11.0+cu130; None where it is not installed."""
    try:
        return version("torch")
    except PackageNotFoundError:
        return None


def which_gpu() -> str:
    """GPU that torch takes for the first: by number, or by what CUDA_VISIBLE_DEVICES calls it."""
    return os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",")[0].strip() or "0"


@contextmanager
def gpu_reserved(device: Device, *, alone: bool = True) -> Iterator[None]:
    """Reserves the GPU: `alone` against all other MaxCode processes, else only against those that want it alone.

    Waits for it.
    """
    if device == "cpu":
        yield
        return
    with (LOCKS / f"maxcode-gpu-{which_gpu().replace('/', '-')}.lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        yield


def temperature_and_clocks() -> str:
    """Clocks, temperature and power of the GPU that is used, for the record; empty where they cannot be read."""
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return ""
    wanted = "--query-gpu=clocks.sm,clocks.mem,temperature.gpu,power.draw"
    query = [tool, wanted, "--format=csv,noheader", "-i", which_gpu()]
    try:
        done = subprocess.run(query, capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
