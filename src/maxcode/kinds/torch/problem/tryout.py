"""Tries whether a problem runs: its inputs, its model and some calls, in a process of its own.

For files of a task's author, before they become tasks. What is judged and timed afterwards runs elsewhere, confined.
One process has torch imported and forks for every tryout, so that a tryout takes no longer than the problem does.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from contextlib import suppress
from types import TracebackType
from typing import Any, Literal, Self

from maxcode.core import Frozen, InputError
from maxcode.system.children import own_python

SECONDS, STOPPING_SECONDS = 60.0, 5.0
Device = Literal["auto", "cuda", "cpu"]


class TryoutResult(Frozen):
    """Findings of one tryout."""

    problem: str | None = None
    """Reason why it does not run; None if it does."""
    device: Literal["cuda", "cpu"] = "cpu"
    inputs: int = 0
    """Number of elements of the inputs."""
    outputs: int = 0
    parameters: int = 0
    megabytes: int = 0
    """Megabytes of inputs, outputs, parameters and buffers."""
    seconds: float = 0.0
    """Seconds of one call of the model, the fastest of a few."""
    steady: bool = True
    """True if the same inputs give the same outputs, within a hundredth."""
    fixed: int = 0
    """Number of weights that are the same after every construction."""
    varied: bool = True
    """True if the model's results are finite with other values for those weights."""
    draws: Literal["differ", "same"] = "differ"
    """Comparison of two draws of the inputs."""
    answers: Literal["differ", "alike", "same"] = "differ"
    """Comparison of the outputs for two draws of the inputs. Alike: within the 1e-4 by which KernelBench compares."""


class Tryouts:
    """Tries problems out: `with Tryouts() as tryouts: tryouts.run(text)`. InputError where torch is missing."""

    def __init__(self, device: Device = "auto", seconds: float = SECONDS, memory_mb: int | None = None) -> None:
        memory_mb = memory_mb or _half_the_memory()
        self._settings: dict[str, Any] = {"device": device, "seconds": seconds, "memory_mb": memory_mb}
        self._process: subprocess.Popen[bytes] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self.device: Literal["cuda", "cpu"] = "cpu"
        """Device that problems are tried on. Known once the context is entered, like the version of torch."""
        self.torch = ""

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory(prefix="maxcode-tryout-")
        self._start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._process:
            self._stop(self._process)
        if self._folder:
            self._folder.cleanup()

    def run(self, text: str) -> TryoutResult:
        process = self._process or self._start()
        answer = self._ask(process, {"text": text, **self._settings})
        if answer is None:
            self._stop(process)
            return TryoutResult(problem="the process that tries problems out died")
        return TryoutResult.model_validate(answer)

    def _start(self) -> subprocess.Popen[bytes]:
        assert self._folder
        command = own_python("-m", "maxcode.kinds.torch.problem.tryout_process")
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=self._folder.name
        )
        hello = self._ask(self._process, {})
        if hello is None or "torch" not in hello:
            self._stop(self._process)
            reason = hello["problem"] if hello else "its process does not start"
            raise InputError(f"torch: {reason}. Install it with: pip install 'maxcode[torch]'.")
        self.torch = hello["torch"]
        self.device = hello["device"] if self._settings["device"] == "auto" else self._settings["device"]
        return self._process

    def _ask(self, process: subprocess.Popen[bytes], question: dict[str, Any]) -> dict[str, Any] | None:
        assert process.stdin
        assert process.stdout
        try:
            process.stdin.write(json.dumps(question).encode() + b"\n")
            process.stdin.flush()
            answer = process.stdout.readline()
        except OSError:
            return None
        return json.loads(answer) if answer.endswith(b"\n") else None

    def _stop(self, process: subprocess.Popen[bytes]) -> None:
        """Ends the process. It kills the tryout that is under way, with all of its processes."""
        self._process = None
        assert process.stdin
        with suppress(OSError):
            process.stdin.close()
        try:
            process.wait(STOPPING_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        assert process.stdout
        process.stdout.close()


def _half_the_memory() -> int:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 21
