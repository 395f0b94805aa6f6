"""`maxcode view`: the live page."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from maxcode.cli.console import out, print_json, reporting_errors
from maxcode.core import InputError

Host = Annotated[str, typer.Option(help="Address to listen on; one that others can reach needs a token.")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 for any that is free.")]
Token = Annotated[
    str | None,
    typer.Option(
        envvar="MAXCODE_VIEW_TOKEN",
        help="What a browser must know to get in; better in the environment, where no list of processes shows it.",
        show_default=False,
    ),
]
Tasks = Annotated[
    list[Path] | None,
    typer.Option(
        help="A task folder, or a folder of them, that may be started from the page besides those of earlier runs; "
        "may be given several times.",
        exists=True,
        file_okay=False,
        show_default=False,
    ),
]


def view(
    host: Host = "127.0.0.1",
    port: Port = 8640,
    token: Token = None,
    tasks: Tasks = None,
    json: Annotated[bool, typer.Option("--json", help="Print the address as JSON.")] = False,
) -> None:
    """Serve a live page: runs as they go, their trees and programs, leaderboards, training curves."""

    def ready(address: str) -> None:
        if json:
            print_json({"url": address})
            return
        then = " It asks for the token." if token else ""
        out.print(f"Open {address}{then} Ctrl-C ends the server; runs that it started go on.", highlight=False)

    with reporting_errors():
        try:
            from maxcode.view.server import serve
        except ModuleNotFoundError as error:
            raise InputError(f"maxcode view needs the package '{error.name}': pip install 'maxcode[view]'.") from None
        with suppress(KeyboardInterrupt):
            serve(host, port, token, tasks or [], ready)
