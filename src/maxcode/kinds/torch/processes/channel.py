"""Messages between the harness and a candidate's process: JSON with a length, descriptors beside it. Never pickle."""

from __future__ import annotations

import json
import os
import select
import socket
import time
from typing import Any

LARGEST = 16 << 20
MOST_DESCRIPTORS = 4


class Silence(Exception):
    """Failure of a process to answer in time."""


class Gone(Exception):
    """The other process ended, or closed its end."""


class Nonsense(Exception):
    """Failure of a process to send a well-formed message."""


class Channel:
    def __init__(self, descriptor: int, *, takes: bool = False) -> None:
        self._socket = socket.socket(fileno=descriptor)
        self._buffer = b""
        self._descriptors: list[int] = []
        self._takes = takes
        self.arrived = 0.0
        """Time at which the last message had arrived as a whole. Parsing it is not part of the other side's time."""

    def send(self, message: dict[str, Any], descriptors: tuple[int, ...] = ()) -> None:
        body = json.dumps(message).encode()
        data = len(body).to_bytes(4, "big") + body
        try:
            if descriptors:
                sent = socket.send_fds(self._socket, [data], list(descriptors))
                data = data[sent:]
            self._socket.sendall(data)
        except OSError:
            raise Gone from None

    def receive(self, seconds: float | None = None) -> dict[str, Any]:
        deadline = None if seconds is None else time.monotonic() + seconds
        length = int.from_bytes(self._take(4, deadline), "big")
        if length > LARGEST:
            raise Nonsense(f"a message of {length} bytes")
        body = self._take(length, deadline)
        self.arrived = time.perf_counter()
        try:
            found = json.loads(body)
        except (ValueError, RecursionError):
            raise Nonsense("a message that is not JSON") from None
        if not isinstance(found, dict):
            raise Nonsense("a message that is not an object")
        return found

    def descriptor(self) -> int:
        """The next descriptor that came with a message."""
        return self._descriptors.pop(0)

    @property
    def pending(self) -> bool:
        """True if something has arrived that was not received yet."""
        return bool(self._buffer) or bool(select.select([self._socket], [], [], 0)[0])

    def close(self) -> None:
        self._socket.close()

    def _take(self, count: int, deadline: float | None) -> bytes:
        while len(self._buffer) < count:
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                raise Silence
            self._socket.settimeout(left)
            try:
                data, descriptors, _, _ = socket.recv_fds(self._socket, 1 << 20, MOST_DESCRIPTORS)
            except TimeoutError:
                raise Silence from None
            except OSError:
                raise Gone from None
            if self._takes:
                self._descriptors += descriptors
            else:
                for each in descriptors:
                    os.close(each)
            if not data:
                raise Gone
            self._buffer += data
        taken, self._buffer = self._buffer[:count], self._buffer[count:]
        return taken
