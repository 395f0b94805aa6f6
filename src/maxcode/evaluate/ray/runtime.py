"""Ray's processes on this machine: a head or a node that lives as long as we do, and the connection to a cluster.

Ray opens ports on all interfaces, and whoever reaches them may run anything. So a head that is started here asks for a
token, and makes one in Ray's usual file where there is none; nodes and runs use it when they find it.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pydantic import Field

from maxcode.core import EvaluatorError, Frozen, InputError
from maxcode.system.children import die_with_parent, own_python
from maxcode.system.home import write_atomically
from maxcode.system.stale import stale

DEFAULT_PORT = 6379
START_SECONDS = 90.0
STARTED = "Ray runtime started"
FOLDERS, PREFIX = Path("/tmp"), "maxcode-ray-"
"""Folder and prefix of Ray's files. Not in TMPDIR: the paths of Ray's sockets may not have more than 107 bytes."""


def load_ray() -> Any:
    """The module `ray`; InputError where it is not installed."""
    if find_spec("ray") is None:
        raise InputError("--engine ray: Ray is not installed. Install it: pip install 'maxcode[ray]'.")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    early = "ray" in sys.modules
    if "RAY_AUTH_MODE" not in os.environ and has_token():
        os.environ["RAY_AUTH_MODE"] = "token"
    import ray

    if early and not ray.is_initialized():
        ray._raylet.Config.initialize("")  # it was read when the module was imported
    return ray


def token_file() -> Path:
    return Path(os.environ.get("RAY_AUTH_TOKEN_PATH") or Path.home() / ".ray" / "auth_token")


def has_token() -> bool:
    return bool(os.environ.get("RAY_AUTH_TOKEN")) or token_file().is_file()


def ensure_token() -> None:
    """Makes a token for a new cluster, unless the user has one or does without."""
    if "RAY_AUTH_MODE" not in os.environ and not has_token():
        write_atomically(token_file(), secrets.token_hex(32).encode(), 0o600)


class Joining(Frozen):
    """Settings by which a Ray node is started: a head of its own, or one that joins the cluster at an address."""

    name: str
    address: str | None = None
    """HOST:PORT of the head; None starts a head."""
    host: str | None = None
    port: int = DEFAULT_PORT
    resources: dict[str, float] = Field(default_factory=dict)
    memory_mb: int = 200
    """Megabytes of Ray's object store, which only holds tasks."""
    variables: dict[str, str] = Field(default_factory=dict)
    """Environment variables that the node's processes get."""


class RayNode:
    """Ray's processes of one node, as children of this process: they end with it, however it ends."""

    def __init__(self, joining: Joining) -> None:
        self.folder = _own_folder()
        self.ended = threading.Event()
        self._said: deque[str] = deque(maxlen=40)
        self._up = threading.Event()
        self._process = subprocess.Popen(
            own_python(
                "-c", "from maxcode.evaluate.ray.runtime import run_ray; run_ray()", *_words(joining, self.folder)
            ),
            env=_environment(joining),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C is ours to handle
            text=True,
        )
        threading.Thread(target=self._listen, daemon=True).start()

    def wait_until_up(self) -> None:
        """Waits until the node runs. EvaluatorError, with what Ray said, when it does not come up."""
        up = self._up.wait(START_SECONDS)
        if not up or self.ended.is_set():
            self.stop()
            said = "\n".join(line for line in self._said if line.strip())
            raise EvaluatorError(f"Ray did not start on this machine within {START_SECONDS:.0f} s:\n{said}")

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._said.append(line.rstrip())
            if STARTED in line:
                self._up.set()
        self.ended.set()
        self._up.set()


def _own_folder() -> Path:
    """New folder for Ray's files. Those that killed processes left are removed."""
    for folder in stale(FOLDERS.glob(f"{PREFIX}*"), PREFIX):
        shutil.rmtree(folder, ignore_errors=True)
    return Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=FOLDERS))


def _words(joining: Joining, folder: Path) -> list[str]:
    words = ["start", "--block", "--disable-usage-stats", "--num-cpus", "0", "--num-gpus", "0"]
    words += ["--resources", json.dumps(joining.resources), "--node-name", joining.name, "--temp-dir", str(folder)]
    words += ["--object-store-memory", str(joining.memory_mb << 20), "--include-log-monitor", "false"]
    words += ["--node-ip-address", joining.host] if joining.host else []
    if joining.address is not None:
        return [*words, "--address", joining.address]
    words += ["--head", "--port", str(joining.port), "--include-dashboard", "false"]
    if find_spec("grpc") is None:  # then Ray serves no clients, and does not take the option
        return words
    return [*words, "--ray-client-server-port", str(free_port())]  # its usual one may belong to another head


def _environment(joining: Joining) -> dict[str, str]:
    """Our environment without Ray's settings for another cluster. GPUs stay visible, though Ray is told of none."""
    ours = {name: value for name, value in os.environ.items() if name != "RAY_ADDRESS"}
    return {**ours, "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0", **joining.variables}


def run_ray() -> None:
    """Entry point of the process: `ray` that is told to end when its parent ends."""
    die_with_parent(signal.SIGTERM)
    if os.getppid() == 1:
        os._exit(1)
    load_ray()
    from ray.scripts.scripts import main

    main()


@contextmanager
def started(joining: Joining) -> Iterator[RayNode]:
    node = RayNode(joining)
    try:
        node.wait_until_up()
        yield node
    finally:
        node.stop()


def connect(address: str, folder: Path | None = None) -> Any:
    """Ray, connected through the node on this machine that has the given folder, or through the head's."""
    ray = load_ray()
    options = {"_temp_dir": str(folder)} if folder else {}
    logging.getLogger("ray").setLevel(logging.ERROR)
    try:
        ray.init(address=address, log_to_driver=False, configure_logging=False, **options)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise InputError(
            f"--address {address}: no Ray cluster answers there ({error}). `maxcode worker --head` starts one; "
            "where it asks for a token, this machine needs the same ~/.ray/auth_token."
        ) from None
    return ray


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("", 0))
        return int(probe.getsockname()[1])


def split_address(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit():
        raise InputError(f"--address {address}: give HOST:PORT of the head, such as 10.0.0.1:{DEFAULT_PORT}.")
    return host, int(port)


def is_here(host: str) -> bool:
    """True if a host is this machine: only its own addresses can be bound."""
    try:
        with socket.socket() as probe:
            probe.bind((socket.gethostbyname(host), 0))
    except OSError:
        return False
    return True


def answers(address: str, seconds: float = 5.0) -> bool:
    """True if something listens at the address. Ray itself would try for minutes."""
    try:
        with socket.create_connection(split_address(address), seconds):
            return True
    except OSError:
        return False
