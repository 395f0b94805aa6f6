"""`--engine` and `--address`: options that all commands which judge programs share."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from maxcode.cli import completion
from maxcode.cli.console import err
from maxcode.evaluate.engine import ON_THIS_MACHINE, Engine, open_pool
from maxcode.system.options import CommandOption

if TYPE_CHECKING:
    from maxcode.config import Config
    from maxcode.evaluate.pool import Pool

LOCAL = ON_THIS_MACHINE.name


@dataclass(frozen=True)
class EngineOptions:
    engine: Annotated[str | None, CommandOption(metavar="ENGINE", complete=completion.engines)] = LOCAL
    """Who judges: {engines}."""
    address: Annotated[str | None, CommandOption(names=("--address",), metavar="HOST:PORT")] = None
    """With --engine ray: the cluster's head; RAY_ADDRESS when absent."""

    @property
    def is_given(self) -> bool:
        return self.engine is not None or self.address is not None

    def chosen(self) -> Engine:
        return Engine(name=self.engine or LOCAL, address=self.address)


def pool_of(
    engine: Engine, config: Config, *, workers: int | None = None, use_cache: bool = True
) -> AbstractAsyncContextManager[Pool]:
    """The engine's pool; what it has to say goes to the terminal."""
    return open_pool(engine, config, workers=workers, use_cache=use_cache, say=_say)


def _say(words: str) -> None:
    err.print(words, highlight=False, soft_wrap=True, markup=False)
