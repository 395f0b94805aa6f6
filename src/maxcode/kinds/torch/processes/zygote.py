"""The process that has torch loaded and forks the others: candidates, builders, harnesses. No foreign code runs here.

Each request comes with the descriptors that the new process gets; the answer is its process id. A middle process,
which enters the namespaces, waits for its end and reports how it ended.
"""

from __future__ import annotations

import functools
import importlib
import json
import os
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from maxcode.evaluate.gpu import gpus
from maxcode.kinds.torch.processes import confine
from maxcode.kinds.torch.processes.confine import Confinement, read_confinement
from maxcode.system.children import die_with_parent

STATUS, OUTPUT, FIRST = 0, 1, 2
"""Order of the descriptors: where to report the end, where its output goes, and the process's own from FIRST on."""
LARGEST_REQUEST = 1 << 20
COMPILERS = ("torch._dynamo", "torch._inductor.compile_fx", "triton")


def main() -> None:
    """Entry point: descriptor of the control socket is the argument."""
    control = socket.socket(fileno=int(sys.argv[1]))
    die_with_parent()  # ends with the worker, and all it forked with it
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    import torch  # noqa: F401 - the point of this process

    from maxcode.kinds.torch.harness import harness
    from maxcode.kinds.torch.processes import builder, candidate
    from maxcode.kinds.torch.processes import compile_ahead as ahead

    roles: dict[str, Callable[[list[int], dict[str, Any]], None]] = {
        "candidate": candidate.main,
        "ahead": ahead.main,
        "builder": builder.main,
        "headers": builder.prepare,
        "harness": harness.main,
    }
    control.sendall(b"ready\n")
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # middle processes are not waited for
    while True:
        try:
            data, descriptors, _, _ = socket.recv_fds(control, LARGEST_REQUEST, 16)
        except OSError:
            break
        if not data:
            break
        request = json.loads(data)
        if request["compiles"]:
            load_compilers()
        pid = _fork(request, list(descriptors), roles[request["role"]], control)
        for each in descriptors:
            os.close(each)
        control.sendall(json.dumps({"pid": pid}).encode() + b"\n")


@functools.cache
def load_compilers() -> None:
    """Imports what torch.compile needs, for all later forks. Starts neither threads nor processes, nor CUDA."""
    caches = Path(os.environ["TORCHINDUCTOR_CACHE_DIR"])
    already_there = caches.exists()
    with _gpus_uncounted():
        for name in COMPILERS:
            with suppress(Exception):  # missing or broken: reported where it is needed
                importlib.import_module(name)
    _without_header_caches()
    if not already_there:  # made by the import, in a /tmp that is everyone's
        with suppress(OSError):
            caches.rmdir()


@contextmanager
def _gpus_uncounted() -> Iterator[None]:
    """Answers the number of GPUs without CUDA meanwhile.

    Some modules ask for it, and CUDA started before a fork is useless after it.
    """
    import torch

    counting, name = getattr(torch._C, "_cuda_getDeviceCount", None), "_cuda_getDeviceCount"
    if counting is None or not gpus():
        yield
        return
    setattr(torch._C, name, lambda: len(gpus()))
    try:
        yield
    finally:
        setattr(torch._C, name, counting)


def try_compilers() -> None:
    """Entry point: exits with 1 if importing the compilers starts CUDA all the same."""
    load_compilers()
    opened = (Path(each).readlink() for each in Path("/proc/self/fd").iterdir() if each.is_symlink())
    sys.exit(any(str(each).startswith("/dev/nvidia") for each in opened))


def _without_header_caches() -> None:
    """Turns off torch.compile's precompiled headers: they take as long as they save, and lie outside of its caches."""
    settings, name = sys.modules.get("torch._inductor.config"), "cpp_cache_precompile_headers"
    if hasattr(settings, name):
        setattr(settings, name, False)


def _fork(request: dict[str, Any], descriptors: list[int], role: Callable[..., None], control: socket.socket) -> int:
    """Forks the middle process. Returns the id of the process that it forks in turn, 0 if that fails."""
    hears, tells = os.pipe()
    if os.fork() == 0:
        try:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            control.close()
            os.close(hears)
            _between(request, descriptors, role, tells)
        except BaseException as error:
            os.write(descriptors[OUTPUT], f"{type(error).__name__}: {error}".encode())
        finally:
            os._exit(1)
    os.close(tells)
    told = b""
    while chunk := os.read(hears, 64):
        told += chunk
    os.close(hears)
    return int(told or b"0")


def _between(request: dict[str, Any], descriptors: list[int], role: Callable[..., None], tells: int) -> None:
    die_with_parent()
    confinement = request.get("confinement")
    wanted = None
    if confinement:
        wanted = read_confinement(confinement)
    os.sched_setaffinity(0, request["cpus"])
    os.nice(request["nice"])
    if wanted:
        for group in wanted.join:
            with open(group, "w") as file:  # noqa: PTH123 - a control file
                file.write(str(os.getpid()))
    reached = confine.enter_namespaces() if wanted else "trusted"
    if request["role"] == "headers":
        confine.enter_process_namespace()  # so that compilers end with it
    scratch = _scratch(wanted) if wanted and reached == "limits" else None
    if scratch:  # without a mount namespace, /tmp is everyone's
        request["environment"] = _moved(request["environment"], scratch)
    pid = os.fork()
    if pid == 0:
        os.close(tells)
        _become(request, descriptors, role, wanted, reached)
    os.write(tells, str(pid).encode())
    os.close(tells)
    for each in descriptors[FIRST:]:
        os.close(each)
    _, status = os.waitpid(pid, 0)
    if scratch:
        shutil.rmtree(scratch, ignore_errors=True)
    os.write(descriptors[STATUS], json.dumps({"status": status, "isolation": reached}).encode())
    os._exit(0)


def _scratch(wanted: Confinement) -> str:
    folder = tempfile.mkdtemp(prefix="maxcode-scratch-", dir="/tmp")
    if wanted.uid is not None:
        os.chown(folder, wanted.uid, wanted.uid)
    return folder


def _moved(environment: dict[str, str], scratch: str) -> dict[str, str]:
    """The environment with home and caches, which are in /tmp, in another folder."""
    own = [name for name, value in environment.items() if value == "/tmp" or name.endswith("_DIR")]
    return environment | {name: environment[name].replace("/tmp", scratch, 1) for name in own}


def _become(
    request: dict[str, Any], descriptors: list[int], role: Callable[..., None], wanted: Confinement | None, reached: str
) -> None:
    code = 1
    try:
        die_with_parent()
        os.dup2(descriptors[OUTPUT], 1)
        os.dup2(descriptors[OUTPUT], 2)
        own = _only(descriptors[FIRST:])
        os.environ.clear()
        os.environ.update(request["environment"])
        tempfile.tempdir = None
        if wanted:
            confine.lock_in(wanted, reached)
        elif request["nice"]:
            confine.own_session()
        role(own, request["arguments"])
        code = 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _only(kept: list[int]) -> list[int]:
    """Closes everything but the standard streams and these, which become 3, 4, ..."""
    high = [os.dup(each) for each in kept]  # out of the way of their final places
    safe = [os.dup2(each, 200 + i) for i, each in enumerate(high)]
    os.closerange(3, 200)
    for i, each in enumerate(safe):
        os.dup2(each, 3 + i)
    os.closerange(3 + len(kept), 1 << 16)
    return [3 + i for i in range(len(kept))]
