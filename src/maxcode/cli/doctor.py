"""`maxcode doctor`."""

from __future__ import annotations

import shutil

from rich.markup import escape

from maxcode.cli.console import out, print_json
from maxcode.cli.doctor_item import Item
from maxcode.cli.doctor_ray import ray_item
from maxcode.core import EvaluatorError
from maxcode.home import home


def run(*, as_json: bool) -> None:
    items = [*_tools(), *_protections(), *_machine(), *_models(), ray_item()]
    if as_json:
        print_json({"items": [item.model_dump() for item in items]})
        return
    for item in items:
        out.print(f"{'[green]✓[/]' if item.ok else '[yellow]![/]'} {item.name}: {escape(item.detail)}", highlight=False)
        if not item.ok and item.fix:
            out.print(f"    {escape(item.fix)}", highlight=False)


def _tools() -> list[Item]:
    from maxcode.evaluate.toolchain import toolchain

    tools = toolchain()
    install = "Install it, e.g. apt-get install {}."
    return [
        Item(
            name="C compiler", ok=tools.cc is not None, detail=str(tools.cc or "not found"), fix=install.format("gcc")
        ),
        Item(
            name="C++ compiler",
            ok=tools.cxx is not None,
            detail=str(tools.cxx or "not found"),
            fix=install.format("g++"),
        ),
        Item(name="Python for candidates", ok=True, detail=str(tools.python)),
        _program("valgrind", "instruction counts and hot lines"),
        _program("bwrap", "the sandbox's namespaces", package="bubblewrap"),
    ]


def _program(name: str, use: str, package: str | None = None) -> Item:
    path = shutil.which(name)
    return Item(
        name=name,
        ok=path is not None,
        detail=path or f"not found: no {use}",
        fix=f"Install it, e.g. apt-get install {package or name}.",
    )


def _protections() -> list[Item]:
    from maxcode.evaluate.protections import Isolation, protections

    try:
        found = protections()
    except EvaluatorError as error:
        return [Item(name="sandbox", ok=False, detail=str(error))]
    words = {
        Isolation.OWN_USER: "namespaces, and a user of its own for the candidate",
        Isolation.NAMESPACES: "namespaces within a user namespace",
        Isolation.LANDLOCK: "no namespaces; Landlock guards the file system",
        Isolation.LIMITS: "no namespaces and no Landlock: candidates can read what you can",
    }
    groups = "Needs root, or a control group of your own (e.g. `systemd-run --user --scope maxcode ...`)."
    return [
        Item(
            name="isolation",
            ok=found.bubblewrap,
            detail=words[found.isolation],
            fix="Install bubblewrap, and allow user namespaces (sysctl kernel.unprivileged_userns_clone=1).",
        ),
        Item(
            name="system-call filter",
            ok=found.seccomp,
            detail="on" if found.seccomp else "off: the kernel has no seccomp",
        ),
        Item(
            name="memory limit",
            ok=found.memory_group,
            detail="for the whole tree" if found.memory_group else "per process only",
            fix=groups,
        ),
        Item(
            name="task limit",
            ok=found.task_group,
            detail="for the whole tree" if found.task_group else "per user only",
            fix=groups,
        ),
    ]


def _machine() -> list[Item]:
    from maxcode.evaluate.machine import machine_class, usable_cpus

    free = shutil.disk_usage(home().parent if home().parent.exists() else "/").free / 2**30
    cpus = usable_cpus()
    return [
        Item(name="machine", ok=True, detail=machine_class()),
        Item(
            name="measuring slots",
            ok=len(cpus) > 1,
            detail=f"{len(cpus)} (CPUs {', '.join(map(str, cpus))})",
            fix="With one CPU, builds and measurements take turns.",
        ),
        Item(
            name="home",
            ok=free > 2,
            detail=f"{home()} ({free:.0f} GiB free)",
            fix="Little disk space: set MAXCODE_HOME to a larger disk.",
        ),
    ]


def _models() -> list[Item]:
    from maxcode.cli.doctor_torch import torch_items

    return torch_items()
