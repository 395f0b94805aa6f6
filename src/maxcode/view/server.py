"""Binds, serves, and ends when asked to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import uvicorn

from maxcode.core import InputError
from maxcode.store.journal import Store
from maxcode.system.listening import address_of, bound
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
