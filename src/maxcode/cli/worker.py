"""`maxcode worker`: this machine as a benchmark node of a cluster."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from maxcode.cli.arguments import Json
from maxcode.cli.console import err, print_json, reporting_errors

if TYPE_CHECKING:
    from maxcode.evaluate.ray.join import Joined


class NodeKind(StrEnum):
    CPU = "cpu"
    GPU = "gpu"


def worker(
    address: Annotated[
        str | None,
        typer.Option(
            metavar="HOST:PORT", help="Join the cluster of this head; RAY_ADDRESS when absent.", show_default=False
        ),
    ] = None,
    head: Annotated[bool, typer.Option("--head", help="Start a head here instead, and measure on it too.")] = False,
    host: Annotated[
        str | None, typer.Option(metavar="IP", help="This machine's address, as the others reach it.")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="With --head: its port; 0 takes a free one.")] = 6379,
    slots: Annotated[
        int | None,
        typer.Option(min=0, help="CPUs to measure on, each one slot; all usable ones when absent, 0 for none."),
    ] = None,
    kind: Annotated[
        NodeKind | None,
        typer.Option(help="What is timed here; gpu where nvidia-smi shows one. CPU timings never go to gpu nodes."),
    ] = None,
    machine_class: Annotated[
        str | None,
        typer.Option(
            "--class",
            metavar="NAME",
            help="Class of this machine; figures are compared within a class only. Processor and cores when absent.",
        ),
    ] = None,
    drain: Annotated[
        float, typer.Option(min=0.0, metavar="SECONDS", help="Time for evaluations under way when told to leave.")
    ] = 60.0,
    memory_mb: Annotated[int, typer.Option(min=80, help="Of Ray's object store, which only holds tasks.")] = 200,
    json: Json = False,
) -> None:
    """Take part in a cluster: judge programs for runs with --engine ray, until Ctrl-C or SIGTERM."""
    from maxcode.config import load_config
    from maxcode.core import InputError
    from maxcode.evaluate.engine import cluster_address
    from maxcode.evaluate.ray.join import Membership, serve

    with reporting_errors():
        if head and address is not None:
            raise InputError("--head --address: a machine either starts a cluster or joins one.")
        membership = Membership(
            address=None if head else cluster_address(address, load_config()),
            host=host,
            port=port,
            slots=slots,
            kind=kind.value if kind else None,
            machine_class=machine_class,
            drain=drain,
            memory_mb=memory_mb,
        )
        serve(membership, lambda joined: _say(joined, head, json))


def _say(joined: Joined, head: bool, as_json: bool) -> None:
    if as_json:
        print_json(joined.model_dump(mode="json"))
        return
    node = joined.node
    words = f"{'head of' if head else 'joined'} the cluster at {joined.address}"
    if node is not None:
        words += f" as {node.name}: {node.slots} {node.kind} slot{'s' * (node.slots != 1)}, {node.place.machine}"
    err.print(f"{words}. Ctrl-C leaves.", highlight=False, soft_wrap=True, markup=False)
    if head:
        other = f"maxcode worker --address {joined.address}"
        err.print(
            f"Others join with `{other}`; runs use it with `--engine ray --address {joined.address}`.", markup=False
        )
