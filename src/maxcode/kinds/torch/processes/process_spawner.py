"""The worker's end of the zygote: asks it for processes, and learns how they ended."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from maxcode import __version__
from maxcode.core import EvaluatorError, InputError, content_hash
from maxcode.evaluate.gpu import gpus, torch_version
from maxcode.evaluate.machine import usable_cpus
from maxcode.evaluate.once import made_once
from maxcode.kinds.torch.processes.caches import FOLDERS
from maxcode.kinds.torch.processes.confine import Confinement
from maxcode.system.children import own_python
from maxcode.system.home import cache_folder

START_SECONDS = 180.0
CAN_BE_LOADED = "can-be-loaded"
OUTPUT_TAIL = 3000
KEPT_VARIABLES = ("PATH", "LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_PATH", "CUDA_VISIBLE_DEVICES", "LANG")


class Child:
    """A process that the zygote forked."""

    def __init__(self, pid: int, status: socket.socket, output: int) -> None:
        self.pid = pid
        self._status, self._output = status, output
        self._ended: dict[str, Any] | None = None

    def ended(self, seconds: float = 2.0) -> dict[str, Any] | None:
        """How it ended: its wait status and the isolation it ran under; None if it still runs after `seconds`."""
        if self._ended is None and select.select([self._status], [], [], seconds)[0]:
            data = self._status.recv(4096)
            self._ended = json.loads(data) if data else {"status": -1, "isolation": "unknown"}
        return self._ended

    def output(self) -> str:
        size = os.fstat(self._output).st_size
        return os.pread(self._output, OUTPUT_TAIL, max(0, size - OUTPUT_TAIL)).decode(errors="replace").strip()

    def kill(self) -> None:
        """Ends the process and all that it started: it is the first process of its namespace.

        A process that has ended already is left alone, since its number may be another's by now.
        """
        if self.ended(0) is None:
            try:
                os.kill(self.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.ended(10.0)
        self._status.close()
        if self._output >= 0:
            os.close(self._output)
            self._output = -1


class ProcessSpawner:
    """A zygote, started when it is first needed."""

    def __init__(self, cpus: tuple[int, ...]) -> None:
        self._cpus = cpus
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._buffer = b""

    def spawn(
        self,
        role: str,
        descriptors: list[int],
        arguments: dict[str, Any],
        *,
        confinement: Confinement | None = None,
        environment: dict[str, str] | None = None,
        everywhere: bool = False,
        nice: int = 0,
        compiles: bool = False,
    ) -> Child:
        """Forks a process from the zygote. EvaluatorError if it cannot be made.

        `everywhere`: on all cores, not only on those of this worker. `compiles`: it uses torch.compile as it runs.
        """
        control = self._started()
        ours, theirs = socket.socketpair()
        output = os.memfd_create("output")
        request = {
            "role": role,
            "arguments": arguments,
            "confinement": asdict(confinement) if confinement else None,
            "environment": child_environment() | (environment or {}),
            "cpus": list(usable_cpus() if everywhere else self._cpus),
            "nice": nice,
            "compiles": compiles and compilers_can_be_loaded(),
        }
        with theirs:
            socket.send_fds(control, [json.dumps(request).encode()], [theirs.fileno(), output, *descriptors])
        pid = int(self._line(START_SECONDS if request["compiles"] else 60.0)["pid"])
        child = Child(pid, ours, output)
        if pid == 0:
            told = child.output()
            child.kill()
            raise EvaluatorError(f"a process for a torch task could not be made: {told or 'no message'}")
        return child

    def close(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()
        if self._control:
            self._control.close()
        self._process = self._control = None

    def _started(self) -> socket.socket:
        if self._process and self._process.poll() is None and self._control:
            return self._control
        if torch_version() is None:
            raise InputError(
                "torch is not installed beside MaxCode, and this task needs it. Install it, for example with "
                "`pip install 'maxcode[torch]'`."
            )
        self.close()
        self._control, theirs = socket.socketpair()
        program = "from maxcode.kinds.torch.processes.zygote import main; main()"
        with theirs:
            self._process = subprocess.Popen(
                own_python("-c", program, str(theirs.fileno())),
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                env=own_environment(),
            )
        self._buffer = b""
        self._line(START_SECONDS, ready=True)
        return self._control

    def _line(self, seconds: float, *, ready: bool = False) -> dict[str, Any]:
        assert self._control is not None
        self._control.settimeout(seconds)
        while b"\n" not in self._buffer:
            try:
                data = self._control.recv(4096)
            except OSError:
                data = b""
            if not data:
                self.close()
                raise EvaluatorError("the process that has torch loaded did not answer; see `maxcode doctor`")
            self._buffer += data
        line, self._buffer = self._buffer.split(b"\n", 1)
        return {} if ready else json.loads(line)


def compilers_can_be_loaded() -> bool:
    """True if torch's compilers can be imported before a fork, that is, without starting CUDA.

    With a GPU it is tried once for each version of torch.
    """
    if not gpus():
        return True
    versions = (__version__, torch_version() or "", sys.version, str(gpus()))
    tried = cache_folder("torch-compilers") / content_hash(*versions)
    try:
        made_once(tried, _try_compilers)
    except subprocess.TimeoutExpired:  # a busy machine: the result is not kept
        return False
    return (tried / CAN_BE_LOADED).exists()


def _try_compilers(folder: Path) -> None:
    program = "from maxcode.kinds.torch.processes.zygote import try_compilers; try_compilers()"
    done = subprocess.run(
        own_python("-c", program),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=own_environment(),
        timeout=START_SECONDS,
        check=False,
    )
    if done.returncode == 0:
        (folder / CAN_BE_LOADED).touch()


def own_environment() -> dict[str, str]:
    """Environment for programs of ours: that of children, and the paths of our packages."""
    ours = sys.path if sys.flags.safe_path else sys.path[1:]
    return child_environment() | {"PYTHONPATH": os.pathsep.join(path for path in ours if path)}


def child_environment() -> dict[str, str]:
    """Environment that torch and compilers need, with nothing else of the user's."""
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    private = dict.fromkeys(("HOME", "TMPDIR"), "/tmp")
    user = {"LOGNAME": "candidate"}  # torch.compile asks, and ours are in no list of users
    caches = {name: f"/tmp/{folder}" for name, folder in FOLDERS.items()}
    more = {
        "TORCH_EXTENSIONS_DIR": "/tmp/extensions",
        "TORCHINDUCTOR_COMPILE_THREADS": "1",
        "CUPY_CACHE_IN_MEMORY": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return kept | private | user | caches | more


def needed_folders() -> tuple[str, ...]:
    """Folders of the interpreter and its packages."""
    found = {sys.prefix, sys.base_prefix, *(path for path in sys.path if path)}
    found |= {str(Path(path).resolve()) for path in found}
    return tuple(sorted(path for path in found if Path(path).is_dir()))
