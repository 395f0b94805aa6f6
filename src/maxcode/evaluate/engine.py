"""Choice of the machines that judge: this one, or those of a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from enum import StrEnum
from typing import TYPE_CHECKING

from maxcode.core import Frozen, InputError

if TYPE_CHECKING:
    from maxcode.config import Config
    from maxcode.evaluate.pool import Pool


class EngineName(StrEnum):
    LOCAL = "local"
    RAY = "ray"


class Engine(Frozen):
    """Place where programs are judged. The outcomes have the same meaning everywhere."""

    name: EngineName = EngineName.LOCAL
    address: str | None = None
    """HOST:PORT of the cluster's head; RAY_ADDRESS, or `cluster.address` of the configuration, when absent."""


ON_THIS_MACHINE = Engine()


def open_pool(
    engine: Engine,
    config: Config,
    *,
    workers: int | None = None,
    use_cache: bool = True,
    say: Callable[[str], None] = lambda _: None,
) -> AbstractAsyncContextManager[Pool]:
    """The pool of an engine, to be used with `async with`; `say` is told what a user should know about it."""
    if engine.name is EngineName.LOCAL:
        if engine.address is not None:
            raise InputError("--address: only with --engine ray.")
        from maxcode.evaluate.pool import LocalPool

        return LocalPool(workers, use_cache=use_cache)
    from maxcode.evaluate.ray.pool import RayPool

    if workers is not None:
        raise InputError("--workers: only with --engine local; nodes say themselves how many slots they have.")
    cluster = config.cluster
    return RayPool(
        cluster_address(engine.address, config),
        machine_class=cluster.machine_class,
        patience=cluster.patience,
        use_cache=use_cache,
        say=say,
    )


def cluster_address(given: str | None, config: Config) -> str:
    found = given or os.environ.get("RAY_ADDRESS") or config.cluster.address
    if not found:
        raise InputError(
            "--engine ray: which cluster? Give --address HOST:PORT, or set RAY_ADDRESS, or put address under "
            "[cluster] in maxcode.toml. `maxcode worker --head` starts one here."
        )
    return found
