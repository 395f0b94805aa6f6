"""Listening socket for a service, and the error to show where it cannot be opened."""

from __future__ import annotations

import errno
import socket

from maxcode.core import InputError


def bound(host: str, port: int) -> socket.socket:
    """A listening socket. InputError says why it cannot be opened, and what to do."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # so that asyncio sets TCP_NODELAY
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(128)
    except (OSError, OverflowError) as error:
        listening.close()
        raise _cannot_bind(host, port, error) from None
    return listening


def _cannot_bind(host: str, port: int, error: OSError | OverflowError) -> InputError:
    code = getattr(error, "errno", None)
    if code == errno.EADDRINUSE:
        return InputError(
            f"--port {port}: another program listens there already, perhaps another `maxcode`. "
            f"Use --port {port + 1}, or --port 0 for any that is free."
        )
    if code == errno.EACCES:
        return InputError(f"--port {port}: not for ordinary users; use one above 1023.")
    return InputError(f"--host {host} --port {port}: cannot be listened on ({error}).")


def address_of(listening: socket.socket, host: str) -> str:
    port = listening.getsockname()[1]
    shown = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(host, host)
    return f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/"
