"""Engines: who judges programs. This machine, the nodes of a Ray cluster, or what installed packages offer under
`maxcode.engines`."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import field_validator

from maxcode.config import Config
from maxcode.core import Frozen, InputError
from maxcode.plugins import table

if TYPE_CHECKING:
    from maxcode.evaluate.pool import Pool

LOCAL = "local"


@dataclass(frozen=True)
class PoolOptions:
    """Options of an engine that the user gives."""

    address: str | None = None
    workers: int | None = None
    use_cache: bool = True
    say: Callable[[str], None] = lambda _: None
    """Called with what a user should know."""


@dataclass(frozen=True)
class EngineType:
    """An engine that can be chosen by name. Its outcomes have the same meaning as those of the others."""

    about: str
    open: Callable[[PoolOptions, Config], AbstractAsyncContextManager[Pool]]
    """Makes a pool, to be used with `async with`. InputError for options that it does not have."""
    here: bool = False
    """Whether it judges on cores of this machine."""


def _local(options: PoolOptions, _: Config) -> AbstractAsyncContextManager[Pool]:
    from maxcode.evaluate.pool import LocalPool
    from maxcode.evaluate.sandbox.protections import protections

    if options.address is not None:
        raise InputError("--address: only with --engine ray.")
    found = protections()
    if found.refused and not found.bubblewrap:
        words = f"namespaces are refused here ({found.refused}), so programs run with '{found.isolation}' only"
        options.say(f"sandbox: {words}; see `maxcode doctor`.")
    return LocalPool(options.workers, use_cache=options.use_cache)


def _ray(options: PoolOptions, config: Config) -> AbstractAsyncContextManager[Pool]:
    from maxcode.evaluate.ray.pool import RayPool

    if options.workers is not None:
        raise InputError("--workers: only with --engine local; nodes say themselves how many slots they have.")
    return RayPool(
        cluster_address(options.address, config),
        machine_class=config.cluster.machine_class,
        patience=config.cluster.patience,
        use_cache=options.use_cache,
        say=lambda words: options.say(f"cluster: {words}"),
    )


OURS = {
    LOCAL: EngineType("this machine", _local, here=True),
    "ray": EngineType("the nodes of a Ray cluster", _ray),
}
ENGINES = table("maxcode.engines", OURS, EngineType)


class Engine(Frozen):
    """Place where programs are judged. InputError for the name of an engine that is not installed."""

    name: str = LOCAL
    address: str | None = None
    """HOST:PORT of the cluster's head; RAY_ADDRESS, or `cluster.address` of the configuration, when absent."""

    @field_validator("name")
    @classmethod
    def _known(cls, name: str) -> str:
        if name not in ENGINES:
            raise InputError(f"--engine {name}: not known; use one of: {', '.join(ENGINES)}.")
        return name

    @property
    def here(self) -> bool:
        """Whether it judges on cores of this machine."""
        return ENGINES[self.name].here


ON_THIS_MACHINE = Engine()


def open_pool(
    engine: Engine,
    config: Config,
    *,
    workers: int | None = None,
    use_cache: bool = True,
    say: Callable[[str], None] = lambda _: None,
) -> AbstractAsyncContextManager[Pool]:
    """The pool of an engine, to be used with `async with`; `say` is called with what a user should know about it."""
    return ENGINES[engine.name].open(PoolOptions(engine.address, workers, use_cache, say), config)


def cluster_address(given: str | None, config: Config) -> str:
    found = given or os.environ.get("RAY_ADDRESS") or config.cluster.address
    if not found:
        raise InputError(
            "--engine ray: which cluster? Give --address HOST:PORT, or set RAY_ADDRESS, or put address under "
            "[cluster] in maxcode.toml. `maxcode worker --head` starts one here."
        )
    return found
