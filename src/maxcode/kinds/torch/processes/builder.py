"""Builds a candidate's extensions on CPU cores, while the GPU serves others, by executing its file without a GPU."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from maxcode.kinds.torch.harness.values import from_words
from maxcode.kinds.torch.processes.candidate import execute, told
from maxcode.kinds.torch.processes.channel import Channel
from maxcode.kinds.torch.processes.confine import BUILDS


def main(descriptors: list[int], arguments: dict[str, Any]) -> None:  # noqa: ARG001
    from maxcode import extension  # takes torch's build tools along, which only builders need

    channel = Channel(descriptors[0])
    message = channel.receive()
    folder = Path(os.environ[BUILDS])
    extension.install(folder)
    try:
        module = execute(message["text"])
    except Exception as error:
        channel.send({"error": told(error), "nonce": message["nonce"]})
        return
    _construct(module, message, folder)
    channel.send({"built": True, "nonce": message["nonce"]})


def prepare(descriptors: list[int], arguments: dict[str, Any]) -> None:  # noqa: ARG001
    """Compiles torch's headers ahead, for all later builds on this machine."""
    from maxcode import extension

    extension.prepare_headers(Path(arguments["folder"]))


def _construct(module: Any, message: dict[str, Any], folder: Path) -> None:
    """Constructs the model, since some candidates build in their constructor.

    Errors are ignored: they may come from the missing GPU, and real ones recur where there is one.
    """
    wanted = getattr(module, message["class"], None)
    if wanted is None or any(folder.iterdir()):
        return
    try:
        wanted(*from_words(message["init"], _no_tensor))
    except Exception:
        return


def _no_tensor(_: Any) -> Any:
    raise ValueError("initial values with tensors are for the run")
