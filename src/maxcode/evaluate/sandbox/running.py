"""A program in its sandbox: started by our runner, spoken with over a socket, and what became of it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from maxcode.core import EvaluatorError
from maxcode.evaluate.native.compiled import runner
from maxcode.evaluate.sandbox.cgroups import ControlGroup
from maxcode.evaluate.sandbox.protections import Isolation, namespace_arguments
from maxcode.evaluate.sandbox.sealed import sealed_input
from maxcode.evaluate.sandbox.syscalls import syscall_name
from maxcode.evaluate.sandbox.view import BOX, MEGABYTE, SYSTEM_FOLDERS, Caps, View, mounts, outside

if TYPE_CHECKING:
    from maxcode.evaluate.sandbox.sandbox import Sandbox

GRACE_SECONDS = 15.0


@dataclass(frozen=True)
class Ended:
    """End of a program, as our runner saw it from outside."""

    exit_code: int
    signal: int
    timed_out: bool
    forbidden: str | None
    """Name of the forbidden system call that ended it; None if there was none."""
    out_of_memory: bool
    output_exceeded: bool
    cpu: float
    wall: float
    rss_mb: float
    minor_faults: int
    major_faults: int
    waits: int
    stdout: bytes
    stderr: bytes

    @property
    def clean(self) -> bool:
        return not (self.exit_code or self.signal or self.timed_out or self.forbidden or self.output_exceeded)


@dataclass(frozen=True)
class Call:
    """Timing of one command to a serving program: seconds of CPU, wall, and what its own clock said."""

    cpu: float
    wall: float
    inner: float


class Forged(Exception):
    """A serving program answered before it was asked."""


class Woken(Exception):
    """A serving program went on while it was stopped."""


class Running:
    """A program in its sandbox, before, during and after its run."""

    def __init__(
        self,
        sandbox: Sandbox,
        command: list[str],
        view: View,
        caps: Caps,
        stdin: Path | None,
        environment: dict[str, str],
        shared: int | None,
        group: ControlGroup | None,
    ) -> None:
        self._caps = caps
        self._group = group
        self._kills_before = group.memory_kills() if group else 0
        self._counted = (caps.processes or caps.commands) and group is not None and group.cpu_seconds() is not None
        """True if processes that nobody waits for may exist and can be counted."""
        self._cpu_before: float | None = None
        self._is_ready = False
        self.start = Call(0.0, 0.0, 0.0)
        """Time that a serving program took to get ready for commands."""
        self._scratch: Path | None = None
        self._buffer = b""
        self._stdout = os.memfd_create("stdout")
        self._stderr = os.memfd_create("stderr")
        self._control, theirs = socket.socketpair()
        given = _own_description(shared) if shared is not None else None
        passed = [theirs.fileno()] + ([given] if given is not None else [])
        options = self._runner_options(sandbox, caps, theirs.fileno(), given)
        words = self._enclose(sandbox, options, command, view)
        source = sealed_input(stdin)
        try:
            self._process = subprocess.Popen(
                [str(runner()), "enter", *self._entry(), "cpus=" + ",".join(map(str, caps.cpus)), "--", *words],
                stdin=source,
                stdout=self._stdout,
                stderr=self._stderr,
                pass_fds=passed,
                env=self._environment(environment),
                start_new_session=True,
            )
        finally:
            theirs.close()
            os.close(source)
            if given is not None:
                os.close(given)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ready(self) -> None:
        """Waits until everything is in place and only `go` is missing."""
        if not self._is_ready:
            self._expect("ready", GRACE_SECONDS)
            self._is_ready = True

    def go(self) -> None:
        if self._counted and self._group:
            self.ready()  # the time to get ready is not the program's
            self._cpu_before = self._group.cpu_seconds()
        self._send("go")

    def wait(self) -> Ended:
        """Waits for the end of a program that was told to go."""
        while not (line := self._line(self._caps.seconds + GRACE_SECONDS)).startswith("end "):
            if line in _MISDEEDS:
                raise _MISDEEDS[line]
        return self._ended(json.loads(line[4:]))

    def serving(self) -> Ended | None:
        """Waits until a serving program is ready for commands. Returns how it ended if it does not get there."""
        while not (line := self._line(self._caps.seconds + GRACE_SECONDS)).startswith("serving "):
            if line.startswith("end "):
                return self._ended(json.loads(line[4:]))
        cpu, wall = (int(part) / 1e9 for part in line.split()[1:])
        self.start = Call(cpu, wall, wall)
        return None

    def call(self, first: int, count: int) -> Call | Ended:
        """Sends one command to a serving program. Returns how it ended if it does not survive it."""
        self.begin(first, count)
        return self.finish()

    def begin(self, first: int, count: int) -> None:
        self._send(f"run {first} {count}")

    def finish(self) -> Call | Ended:
        line = self._line(self._caps.seconds + GRACE_SECONDS)
        if line in _MISDEEDS:
            raise _MISDEEDS[line]
        if line.startswith("end "):
            return self._ended(json.loads(line[4:]))
        cpu, wall, inner = (int(part) / 1e9 for part in line.split()[1:])
        return Call(cpu, wall, inner)

    def dismiss(self) -> Ended:
        """Lets a serving program end by itself, within its time limit."""
        self._send("finish")
        return self.wait()

    def close(self) -> None:
        """Ends whatever is left, and frees everything."""
        self._control.close()
        try:
            self._process.wait(0.5)
        except subprocess.TimeoutExpired:
            self._kill()
        for descriptor in (self._stdout, self._stderr):
            if descriptor >= 0:
                os.close(descriptor)
        self._stdout = self._stderr = -1
        if self._scratch:
            shutil.rmtree(self._scratch, ignore_errors=True)
            self._scratch = None

    def _kill(self) -> None:
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait()

    def _entry(self) -> list[str]:
        return [f"join={file}" for file in self._group.join_files] if self._group else []

    def _runner_options(self, sandbox: Sandbox, caps: Caps, control: int, shared: int | None) -> list[str]:
        memory = caps.memory_mb * MEGABYTE
        options = {
            "control": control,
            "wall_ms": int(caps.seconds * 1000),
            "cpu_s": int((caps.cpu_seconds or caps.seconds) * len(caps.cpus)) + 5 if shared is None else -1,
            "file_size": max(caps.output_mb, caps.scratch_mb if caps.processes or caps.commands else 0) * MEGABYTE,
            "stack": min(memory, 256 * MEGABYTE),
            "processes": 2 if caps.commands else int(caps.processes),
            "filter": int(sandbox.protections.seccomp),
            "alone": int(sandbox.protections.bubblewrap),
        }
        if caps.bound_address_space:
            options["address_space"] = memory + 512 * MEGABYTE * len(caps.cpus)
        if sandbox.own_user:
            options |= {"uid": sandbox.uid, "tasks": 256}
        if shared is not None:
            options |= {"serve": 1 if caps.bound_address_space else 2, "shared": shared}
        return [f"{name}={value}" for name, value in options.items()]

    def _enclose(self, sandbox: Sandbox, options: list[str], command: list[str], view: View) -> list[str]:
        watch = [str(sandbox.runner), "watch", *options]
        if sandbox.protections.bubblewrap:
            inside = ["--ro-bind", watch[0], f"{BOX}/.runner", "--chdir", "/tmp", "--", f"{BOX}/.runner"]
            return [
                shutil.which("bwrap") or "bwrap",  # the one that was probed, not that of the program's own PATH
                *namespace_arguments(sandbox.protections.isolation),
                *mounts(view, self._caps),
                *inside,
                *watch[1:],
                "--",
                *command,
            ]
        self._scratch = Path(tempfile.mkdtemp(prefix="maxcode-scratch-"))
        sandbox.give(self._scratch)
        if sandbox.protections.isolation is Isolation.LANDLOCK:
            readable = [*SYSTEM_FOLDERS, "/dev/null", "/dev/zero", "/dev/urandom", *view.read.values()]
            readable += ["/proc/self"] if view.proc else []  # the program's own; it closes the rest to itself
            watch += [f"read={path}" for path in map(str, readable) if Path(path).exists()]
            watch += [f"write={path}" for path in ("/dev/null", self._scratch, *view.write.values())]
        return [*watch, "--", *(outside(part, view) for part in command)]

    def _environment(self, extra: dict[str, str]) -> dict[str, str]:
        scratch = str(self._scratch) if self._scratch else "/tmp"
        threads = str(len(self._caps.cpus))
        basic = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": scratch, "TMPDIR": scratch, "LANG": "C.UTF-8"}
        return basic | {"OMP_NUM_THREADS": threads} | extra

    def _send(self, order: str) -> None:
        try:
            self._control.sendall(f"{order}\n".encode())
        except OSError:
            pass  # the missing report says it, with the reason

    def _expect(self, wanted: str, seconds: float) -> None:
        line = self._line(seconds)
        if line != wanted:
            raise EvaluatorError(f"the sandbox said '{line}' where '{wanted}' was due")

    def _line(self, seconds: float) -> str:
        """Next line of the runner. EvaluatorError without one: our failure or the machine's, never a verdict."""
        deadline = time.monotonic() + seconds
        while b"\n" not in self._buffer:
            left = deadline - time.monotonic()
            self._control.settimeout(max(left, 0.001))
            try:
                chunk = self._control.recv(4096) if left > 0 else b""
            except (TimeoutError, ConnectionError):
                chunk = b""
            if not chunk:
                self._kill()
                if self._memory_killed():
                    return _MEMORY_REPORT
                message = _content(self._stderr, 2000).decode(errors="replace").strip()
                advice = "; `maxcode doctor` tries again what this machine allows" if "bwrap: " in message else ""
                raise EvaluatorError(f"the sandbox ended without a report: {message or 'no message'}{advice}")
            self._buffer += chunk
        line, self._buffer = self._buffer.split(b"\n", 1)
        return line.decode()

    def _memory_killed(self) -> bool:
        return bool(self._group and self._group.memory_kills() > self._kills_before)

    def _cpu_of_all(self) -> float:
        """CPU seconds of all processes since the start, also of those whose parent ignores their end."""
        now = self._group.cpu_seconds() if self._group and self._cpu_before is not None else None
        return 0.0 if now is None or self._cpu_before is None else now - self._cpu_before

    def _ended(self, report: dict[str, int]) -> Ended:
        if not report["started"]:
            raise EvaluatorError(
                f"the program could not be started: {_content(self._stderr, 2000).decode(errors='replace').strip()}"
            )
        cpu = max(report["cpu_us"] / 1e6, self._cpu_of_all())
        cap = self._caps.output_mb * MEGABYTE
        sizes = [os.fstat(descriptor).st_size for descriptor in (self._stdout, self._stderr)]
        return Ended(
            exit_code=report["exit"] if not report["signal"] else -report["signal"],
            signal=report["signal"],
            timed_out=bool(report["timed_out"]) or report["signal"] == signal.SIGXCPU,
            forbidden=_forbidden(report),
            out_of_memory=self._memory_killed(),
            output_exceeded=max(sizes) >= cap or report["signal"] == signal.SIGXFSZ,
            cpu=cpu,
            wall=report["wall_us"] / 1e6,
            rss_mb=report["rss_kb"] / 1024,
            minor_faults=report["minor_faults"],
            major_faults=report["major_faults"],
            waits=report["waits"],
            stdout=_content(self._stdout, cap),
            stderr=_both_ends(self._stderr, 64 * 1024),
        )


_MISDEEDS = {"forged": Forged, "woken": Woken}
_MEMORY_REPORT = "end " + json.dumps(
    {
        "started": True,
        "exit": -1,
        "signal": int(signal.SIGKILL),
        "timed_out": False,
        "forbidden": -1,
        "cpu_us": 0,
        "user_us": 0,
        "wall_us": 0,
        "rss_kb": 0,
        "minor_faults": 0,
        "major_faults": 0,
        "waits": 0,
        "switches": 0,
    }
)
"""Report that we use when the kernel killed even the runner for the candidate's memory."""


def _forbidden(report: dict[str, int]) -> str | None:
    if report["forbidden"] >= 0:
        return syscall_name(report["forbidden"])
    return "(unnamed)" if report["signal"] == signal.SIGSYS else None


def _own_description(shared: int) -> int:
    """Descriptor of a memory file opened anew.

    Position, flags and locks belong to the description, and would be shared with ours.
    """
    return os.open(f"/proc/self/fd/{shared}", os.O_RDWR | os.O_CLOEXEC)


def _content(descriptor: int, limit: int) -> bytes:
    return os.pread(descriptor, min(os.fstat(descriptor).st_size, limit), 0)


def _both_ends(descriptor: int, limit: int) -> bytes:
    """Beginning and end of what was written. A tool around the program writes after the program."""
    size = os.fstat(descriptor).st_size
    if size <= limit:
        return _content(descriptor, limit)
    return _content(descriptor, limit // 2) + os.pread(descriptor, limit // 2, size - limit // 2)
