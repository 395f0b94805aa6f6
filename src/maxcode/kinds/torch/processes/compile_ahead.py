"""Calls a candidate that compiles as it runs, so that its compilers' caches are full before its turn on the GPU.

It runs beside other candidates that compile, on inputs of its own. Its results are not used.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any

import torch

from maxcode.kinds.torch.harness.trials import LoadedProblem
from maxcode.kinds.torch.processes.candidate import execute, set_precision, use_finished_builds
from maxcode.kinds.torch.processes.channel import Channel, Gone


def main(descriptors: list[int], arguments: dict[str, Any]) -> None:
    channel = Channel(descriptors[0])
    message = channel.receive()
    torch.set_num_threads(arguments["threads"])
    set_precision(arguments["tf32"])
    with suppress(Exception):  # errors recur, and are reported, when it is judged
        _call(message, arguments)
    channel.send({"called": True})
    with suppress(Gone):
        channel.receive()  # waits: the caches are fetched before this process ends


def _call(message: dict[str, Any], arguments: dict[str, Any]) -> None:
    if arguments["builds"]:
        use_finished_builds()
    module = execute(message["text"])
    for text in message["problems"]:
        problem = LoadedProblem(text, "problem.py", arguments["device"])
        call_twice(getattr(module, message["class"]), problem, arguments["device"])


def call_twice(
    kind: Any, problem: LoadedProblem, device: str, second: Callable[[], AbstractContextManager[None]] = nullcontext
) -> None:
    """Makes two calls, without gradients, as a harness does. The second one is made within `second`."""
    torch.manual_seed(1)
    model = kind(*problem.init()).to(device)
    with torch.no_grad():
        model(*problem.inputs(0))
        again = problem.inputs(1)
        with second():
            model(*again)
    if device == "cuda":
        torch.cuda.synchronize()
