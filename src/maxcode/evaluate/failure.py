"""Verdicts on candidates whose run went wrong."""

from __future__ import annotations

import signal

from maxcode.core import Mismatch, Status
from maxcode.evaluate.sandbox.running import Ended
from maxcode.system.visible import visible
from maxcode.task.model import Limits

STDERR_LIMIT = 1500
LONGEST_REASON = 10_000


class Failure(Exception):
    """The candidate is not acceptable; carries its status and the reason."""

    def __init__(self, status: Status, reason: str, mismatch: Mismatch | None = None) -> None:
        self.reason = shortened(visible(reason), LONGEST_REASON)
        super().__init__(self.reason)
        self.status = status
        self.mismatch = mismatch
        self.passed = 0


def shortened(words: str, longest: int) -> str:
    """Beginning and end of a text that a candidate may have written: it goes to journals, to models and to people."""
    if len(words) <= longest:
        return words
    return f"{words[: longest // 2]} ... ({len(words)} letters) ... {words[-(longest // 2) :]}"


def failure_of(ended: Ended, limits: Limits, where: str, *, hidden: bool) -> Failure | None:
    """Failure for a run that did not end well; None when it did. `hidden` keeps the program's own words out of it."""
    if ended.forbidden:
        return Failure(Status.REJECTED, f"{where}: system call {ended.forbidden} is not allowed")
    if ended.out_of_memory:
        return Failure(Status.CRASHED, f"{where}: killed at the memory limit of {limits.memory_mb} MB")
    if ended.output_exceeded:
        return Failure(
            Status.CRASHED, f"{where}: wrote more output, or a larger file, than the limit of {limits.output_mb} MB"
        )
    if ended.timed_out:
        return Failure(Status.TIMEOUT, f"{where}: ran past the time limit of {limits.seconds:g} s")
    if ended.clean:
        return None
    return Failure(Status.CRASHED, f"{where}: {_ending(ended, hidden)}{_words(ended, limits, hidden)}")


def _ending(ended: Ended, hidden: bool) -> str:
    """Description of how a run ended.

    For a hidden test it leaves out numbers that the program can choose, which could leak the test's content: exit
    codes, and signals that no accident sends.
    """
    if not ended.signal:
        return "ended with an exit code other than 0" if hidden else f"ended with exit code {ended.exit_code}"
    try:
        name = signal.Signals(ended.signal).name
    except ValueError:
        name = f"signal {ended.signal}"
    if hidden and name not in _EXPLANATIONS:
        return "was ended by a signal"
    return f"crashed ({name}{_EXPLANATIONS.get(name, '')})"


_EXPLANATIONS = {
    "SIGSEGV": ", invalid memory access",
    "SIGABRT": ", abort",
    "SIGFPE": ", arithmetic error such as division by zero",
    "SIGILL": ", illegal instruction",
    "SIGBUS": ", invalid memory access",
    "SIGKILL": ", killed",
}
_TELLING = (
    "std::bad_alloc",
    "MemoryError",
    "RecursionError",
    "stack smashing detected",
    "double free",
    "AddressSanitizer",
    "runtime error:",
    "free(): invalid",
    "corrupted",
    "terminate called",
)


def _words(ended: Ended, limits: Limits, hidden: bool) -> str:
    text = ended.stderr.decode(errors="replace").strip()
    if "std::bad_alloc" in text or "MemoryError" in text:
        return f": out of memory (std::bad_alloc or MemoryError; the limit is {limits.memory_mb} MB)"
    if hidden:  # the program's own output could carry a hidden test's content
        told = next((word for word in _TELLING if word in text), None)
        return f": {told}" if told else ""
    return f":\n{text[-STDERR_LIMIT:]}" if text else ""
