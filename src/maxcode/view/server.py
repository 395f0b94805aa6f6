"""Binds, serves, and ends when asked to."""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable
from pathlib import Path

import uvicorn

from maxcode.core import InputError
from maxcode.store.journal import Store
from maxcode.view.app import make_app
from maxcode.view.guard import is_loopback

LEAST_TOKEN = 16


def serve(host: str, port: int, token: str | None, folders: list[Path], ready: Callable[[str], None]) -> None:
    """Serves until it is interrupted. `ready` is told the address."""
    _check_token(host, token)
    with bound(host, port) as listening, Store() as store:
        servers: list[uvicorn.Server] = []
        app = make_app(
            store, host=host, token=token, folders=folders, closing=lambda: any(each.should_exit for each in servers)
        )
        config = uvicorn.Config(
            app, access_log=False, log_level="warning", server_header=False, timeout_graceful_shutdown=3
        )
        servers.append(uvicorn.Server(config))
        ready(address_of(listening, host))
        servers[0].run(sockets=[listening])


def _check_token(host: str, token: str | None) -> None:
    how = "e.g. MAXCODE_VIEW_TOKEN=$(openssl rand -hex 16) maxcode view"
    if token is None and not is_loopback(host):
        raise InputError(
            f"--host {host}: others can reach that address, so a token is needed: {how} --host {host}. "
            "Or leave --host out and reach this machine by `ssh -L`."
        )
    if token is not None and len(token) < LEAST_TOKEN:
        raise InputError(f"--token: has fewer than {LEAST_TOKEN} characters, so it could be guessed; {how}.")


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens; InputError with a way out where that cannot be."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # or asyncio lets small answers wait
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
            f"--port {port}: another program listens there already, perhaps another `maxcode view`. "
            f"Use --port {port + 1}, or --port 0 for any that is free."
        )
    if code == errno.EACCES:
        return InputError(f"--port {port}: not for ordinary users; use one above 1023.")
    return InputError(f"--host {host} --port {port}: cannot be listened on ({error}).")


def address_of(listening: socket.socket, host: str) -> str:
    port = listening.getsockname()[1]
    shown = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(host, host)
    return f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/"
