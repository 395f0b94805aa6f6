"""What `maxcode doctor` says about clusters."""

from __future__ import annotations

import os
from importlib.metadata import PackageNotFoundError, version

from maxcode.cli.doctor_item import Item


def ray_item() -> Item:
    """Whether this machine can be part of a cluster, and whether one is named and answers."""
    try:
        found = version("ray")
    except PackageNotFoundError:
        detail = "not installed: no --engine ray, no maxcode worker"
        return Item(name="ray", ok=False, detail=detail, fix="pip install 'maxcode[ray]'")
    address = os.environ.get("RAY_ADDRESS")
    if not address:
        return Item(name="ray", ok=True, detail=f"{found}; RAY_ADDRESS names no cluster")
    from maxcode.core import InputError
    from maxcode.evaluate.ray.runtime import answers

    try:
        there = answers(address, seconds=2.0)
    except InputError as error:
        return Item(name="ray", ok=False, detail=f"{found}; RAY_ADDRESS: {error}", fix="Set it to HOST:PORT of a head.")
    return Item(
        name="ray",
        ok=there,
        detail=f"{found}; the cluster at {address} {'answers' if there else 'does not answer'}",
        fix="Start a head with `maxcode worker --head`, or correct RAY_ADDRESS.",
    )
