"""`--engine` and `--address`: options that all commands which judge programs share."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Annotated

import typer

from maxcode.cli.console import err
from maxcode.evaluate.engine import Engine, EngineName, open_pool

if TYPE_CHECKING:
    from maxcode.config import Config
    from maxcode.evaluate.pool import Pool

EngineOption = Annotated[
    EngineName, typer.Option("--engine", help="Who judges: this machine, or the nodes of a Ray cluster.")
]
RememberedEngine = Annotated[
    EngineName | None,
    typer.Option(
        "--engine",
        help="Who judges: this machine, or the nodes of a Ray cluster; those that judged before when absent.",
        show_default=False,
    ),
]
AddressOption = Annotated[
    str | None,
    typer.Option(
        "--address", metavar="HOST:PORT", help="With --engine ray: the cluster's head; RAY_ADDRESS when absent."
    ),
]
LOCAL = EngineName.LOCAL


def pool_of(
    engine: Engine, config: Config, *, workers: int | None = None, use_cache: bool = True
) -> AbstractAsyncContextManager[Pool]:
    """The engine's pool; what it has to say goes to the terminal, and so does that the sandbox is a weaker one."""
    if engine.name is EngineName.LOCAL:
        _tell_of_weaker_isolation()
    return open_pool(engine, config, workers=workers, use_cache=use_cache, say=_say)


def _tell_of_weaker_isolation() -> None:
    from maxcode.evaluate.protections import protections

    found = protections()
    if found.refused and not found.bubblewrap:
        words = f"namespaces are refused here ({found.refused}), so programs run with '{found.isolation}' only"
        err.print(f"sandbox: {words}; see `maxcode doctor`.", highlight=False, soft_wrap=True, markup=False)


def _say(words: str) -> None:
    err.print(f"cluster: {words}", highlight=False, soft_wrap=True, markup=False)
