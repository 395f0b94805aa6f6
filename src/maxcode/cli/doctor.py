"""`maxcode doctor`: a checklist of what there is, what is missing, what that costs, and what mends it."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from maxcode.cli.console import out, print_json
from maxcode.cli.doctor_item import Item, found_item, program_item
from maxcode.cli.doctor_ray import ray_item
from maxcode.cli.doctor_torch import torch_items
from maxcode.core import EvaluatorError
from maxcode.system.home import home
from maxcode.system.places import free_bytes, in_words

if TYPE_CHECKING:
    from maxcode.evaluate.sandbox.protections import Protections

MARKS = {"ok": "[green]✓[/]", "limited": "[yellow]![/]", "missing": "[red]✗[/]"}
NEEDED = ("Tools", "Sandbox")
EXTRAS = {
    "mcp": ("mcp", "no `maxcode mcp`: a coding agent cannot be the policy"),
    "value": ("lightgbm", "no `maxcode value train` of the light model; the one that ships works"),
    "train": ("transformers", "no models that read code (`maxcode value train`), no `maxcode rl`"),
    "rl": ("ribs", "no quality-diversity stages of `maxcode rl`"),
    "view": ("fastapi", "no `maxcode view`"),
}


def run(*, as_json: bool) -> None:
    groups = {
        "Tools": _tools(),
        "Sandbox": _protections(),
        "This machine": _machine(),
        "Models as policies": [_endpoint()],
        "PyTorch models": torch_items(),
        "Extras": [*map(_extra, EXTRAS), ray_item()],
    }
    items = [item for group in groups.values() for item in group]
    if as_json:
        print_json({"items": [item.summary() for item in items]})
        return
    widest = max(len(item.name) for item in items)
    for title, group in groups.items():
        out.print(f"[bold]{title}[/]")
        out.print(_checklist(group, widest))
    counts = Counter(item.state for item in items)
    out.print(f"{counts['ok']} ok, {counts['limited']} limited, {counts['missing']} missing. {_verdict(groups)}")


def _verdict(groups: dict[str, list[Item]]) -> str:
    if all(item.ok for title in NEEDED for item in groups[title]):
        return "Programs and kernels can be made faster here; the rest is optional."
    return f"Programs and kernels: see {' and '.join(NEEDED)}."


def _checklist(items: list[Item], widest: int) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(width=2, justify="right")
    table.add_column(width=widest)
    table.add_column(overflow="fold")
    for item in items:
        lines = [escape(item.found)]
        if item.costs:
            lines.append(f"costs: {escape(item.costs)}")
        if not item.ok and item.fix:
            lines.append(f"[bold]fix:[/]   {escape(item.fix)}")
        table.add_row(MARKS[item.state], escape(item.name), "\n".join(lines))
    return table


def _tools() -> list[Item]:
    from maxcode.evaluate.toolchain import toolchain

    tools, unbuilt = toolchain(), "programs and kernels cannot be built"
    namespaces = "no namespaces for candidates, and no tasks of kind command"
    return [
        found_item("C compiler", tools.cc, f"C {unbuilt}", "apt-get install gcc, or set CC and CXX"),
        found_item("C++ compiler", tools.cxx, f"C++ {unbuilt}", "apt-get install g++, or set CC and CXX"),
        Item(name="Python for candidates", ok=True, detail=str(tools.python)),
        program_item("valgrind", "no instruction counts, hot lines and cache misses", "apt-get install valgrind"),
        program_item("bwrap", namespaces, "apt-get install bubblewrap"),
    ]


def _protections() -> list[Item]:
    from maxcode.evaluate.sandbox.protections import protections

    try:
        found = protections()
    except EvaluatorError as error:
        fix = "apt-get install g++: the sandbox's runner is compiled once"
        return [Item(name="sandbox", ok=False, detail=f"none: {error}", fix=fix)]
    except OSError as error:
        return [Item(name="sandbox", ok=False, detail=f"none: {in_words(error) or error}", fix="see home, below")]
    groups = "run as root, or in a control group of your own: systemd-run --user --scope maxcode ..."
    return [
        _isolation(found),
        Item(
            name="files of programs",
            ok=found.memory_files,
            detail="in memory" if found.memory_files else "on disk: programs can note there what they found in one run",
            fix="a tmpfs at /dev/shm with 64 MB free that lets programs run: mount -o remount,exec,size=1G /dev/shm",
        ),
        Item(
            name="system-call filter",
            ok=found.seccomp,
            detail="on" if found.seccomp else "none: forbidden system calls are not noticed",
            fix="a kernel with seccomp, Linux 5.5 or newer",
        ),
        Item(
            name="memory limit",
            ok=found.memory_group,
            detail="for the whole tree" if found.memory_group else "per process: several together may use more",
            fix=groups,
        ),
        Item(
            name="task limit",
            ok=found.task_group,
            detail="for the whole tree" if found.task_group else "per user: a candidate may start more",
            fix=groups,
        ),
    ]


def _isolation(found: Protections) -> Item:
    """What was reached and, where bubblewrap is there and was refused, what it said."""
    words = {
        "own-user": "namespaces, and a user of its own for the candidate",
        "namespaces": "namespaces within a user namespace",
        "landlock": "Landlock: files are guarded; network, processes and IPC have no namespaces",
        "limits": "limits: candidates can read what you can, hidden tests and your home included",
    }
    install = "apt-get install bubblewrap"
    allow = (
        "allow user namespaces: sysctl user.max_user_namespaces=10000 kernel.unprivileged_userns_clone=1 "
        "kernel.apparmor_restrict_unprivileged_userns=0; in a container: docker run --security-opt seccomp=unconfined "
        "--security-opt apparmor=unconfined, or --privileged"
    )
    refused = f". bwrap is there but cannot make them: {found.refused}" if found.refused else ""
    return Item(
        name="isolation",
        ok=found.bubblewrap,
        detail=words[found.isolation] + (refused if not found.bubblewrap else ""),
        fix=allow if found.refused else install,
    )


def _machine() -> list[Item]:
    from maxcode.evaluate.machine import machine_class, usable_cpus

    free = free_bytes(home()) / 2**30
    room = free_bytes(Path(tempfile.gettempdir())) / 2**30
    cpus = usable_cpus()
    slots = f"{len(cpus)} (CPUs {', '.join(map(str, cpus))})"
    space = f"{home()} ({free:.0f} GiB free)"
    return [
        Item(name="machine", ok=True, detail=machine_class()),
        Item(
            name="measuring slots",
            ok=len(cpus) > 1,
            detail=slots if len(cpus) > 1 else f"{slots}: builds and measurements take turns",
            fix="give it more CPUs, e.g. docker run --cpus 2",
        ),
        _home(space, free > 2),
        Item(
            name="temporary folder",
            ok=room > 0.5,
            detail=f"{tempfile.gettempdir()} ({room:.1f} GiB free)" + ("" if room > 0.5 else ": builds may not fit"),
            fix="export TMPDIR=/path/on/a/larger/disk",
        ),
    ]


def _home(space: str, roomy: bool) -> Item:
    there = next(each for each in (home(), *home().parents) if each.exists())
    if not os.access(there, os.W_OK):
        fix = "export MAXCODE_HOME=/path/that/can/be/written"
        return Item(name="home", ok=False, detail=f"not writable, {home()}: nothing can be built or kept", fix=fix)
    detail = space if roomy else f"{space}: builds and journals may not fit"
    return Item(name="home", ok=roomy, detail=detail, fix="export MAXCODE_HOME=/path/on/a/larger/disk")


def _endpoint() -> Item:
    """Keys are never shown."""
    named = [name for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY") if os.environ.get(name)]
    return Item(
        name="endpoint",
        ok=bool(named),
        detail=f"{' and '.join(named)} set"
        if named
        else "none in the environment: only the rewriter proposes programs",
        fix="export OPENAI_API_KEY=..., or OPENAI_BASE_URL=http://host:port/v1 for one of your own",
    )


def _extra(name: str) -> Item:
    module, lost = EXTRAS[name]
    there = find_spec(module) is not None
    detail = f"{module} is installed" if there else f"not installed: {lost}"
    return Item(name=f"maxcode[{name}]", ok=there, detail=detail, fix=f"pip install 'maxcode[{name}]'")
