"""Reads the GPU's own counters for each kernel, by NVIDIA's Nsight Compute where that is allowed.

Facts for the critic, not for verdicts. Most machines let only administrators read counters, and containers often
nobody. Then the profile goes without.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from dataclasses import dataclass

from maxcode.core import Fact
from maxcode.kinds.torch.profile.nvidia_tool import Unavailable, Watched, cuda_tool, under

NAME_LENGTH = 100
LAUNCHES = 2
"""Launches that are counted, of the kernel that takes most of a call. Each takes a good part of a second."""
TIME = "gpu__time_duration.sum"
COUNTERS = {
    "dram__throughput.avg.pct_of_peak_sustained_elapsed": "memory at {:.0f}% of its peak",
    "sm__throughput.avg.pct_of_peak_sustained_elapsed": "arithmetic at {:.0f}%",
    "sm__warps_active.avg.pct_of_peak_sustained_active": "occupancy {:.0f}%",
    "lts__t_sector_hit_rate.pct": "{:.0f}% of L2 reads hit",
}


@dataclass(frozen=True)
class KernelCounters:
    """Counters of all launches of one kernel, weighted by the time of each."""

    name: str
    seconds: float
    counters: dict[str, float]


def counted(watched: Watched, seconds: float, kernel: str | None = None) -> tuple[Fact, ...] | Unavailable:
    """Counters of the kernel of that name, as a trace has it; without one, of the first launches of a call."""
    tool = cuda_tool("ncu")
    if tool is None:
        return Unavailable("Nsight Compute (ncu) is not installed; it comes with the CUDA toolkit")
    metrics = ",".join((TIME, *COUNTERS))
    options = ["--csv", "--page", "raw", "--print-units", "base", "--launch-count", str(LAUNCHES)]
    options += ["--profile-from-start", "off"]  # the model's own kernels, not those that make its inputs
    if base := function_name(kernel or ""):
        options += ["--kernel-name", base]
    said = under([tool, *options, "--metrics", metrics], watched, seconds)
    if isinstance(said, Unavailable):
        return said
    kernels = read_counters(said)
    return tuple(_fact(each) for each in kernels) if kernels else _why_not(said)


def function_name(kernel: str) -> str | None:
    """Name of a kernel without result, namespaces, parameters and template arguments; None where it has no such
    name."""
    plain = kernel.replace("(anonymous namespace)::", "")
    found = re.match(r"(?:void )?(?:\w+::)*(\w+)(?=[<(]|$)", plain)
    return found[1] if found else None


def read_counters(said: str) -> list[KernelCounters]:
    """Kernels by time, the longest first; none where the output has no table."""
    launches = [row for row in csv.DictReader(_table(said)) if _number(row, TIME) is not None]
    found = []
    for name in dict.fromkeys(row["Kernel Name"] for row in launches):
        rows = [row for row in launches if row["Kernel Name"] == name]
        weights = [_number(row, TIME) or 0.0 for row in rows]
        found.append(KernelCounters(name, sum(weights) / 1e9, _weighted(rows, weights)))
    return sorted(found, key=lambda each: -each.seconds)


def _table(said: str) -> Iterable[str]:
    """Lines of the CSV table in what was printed, whose second line holds units."""
    lines = said.splitlines()
    start = next((at for at, line in enumerate(lines) if line.startswith('"ID"') and '"Kernel Name"' in line), None)
    return [] if start is None else (line for line in lines[start:] if line.startswith('"'))


def _weighted(rows: list[dict[str, str]], weights: list[float]) -> dict[str, float]:
    found = {}
    for counter in COUNTERS:
        known = [(value, weight) for row, weight in zip(rows, weights, strict=True)
                 if (value := _number(row, counter)) is not None]  # fmt: skip
        total = sum(weight for _, weight in known)
        if total > 0:
            found[counter] = sum(value * weight for value, weight in known) / total
    return found


def _number(row: dict[str, str], column: str) -> float | None:
    try:
        return float((row.get(column) or "").replace(",", ""))
    except ValueError:
        return None


def _fact(kernel: KernelCounters) -> Fact:
    # A share of two counters that were read in different passes over a short kernel may be above 100%.
    said = ", ".join(COUNTERS[counter].format(min(value, 100.0)) for counter, value in kernel.counters.items())
    text = f"{kernel.name[:NAME_LENGTH]}: {said}"
    return Fact(kind="resource", source="Nsight Compute", text=text)


def _why_not(said: str) -> Unavailable:
    if "ERR_NVGPUCTRPERM" in said:
        return Unavailable(
            "this user may not read the GPU's counters; as an administrator, load the driver with "
            "NVreg_RestrictProfilingToAdminUsers=0"
        )
    lines = [line.lstrip("= ") for line in said.splitlines() if line.strip("= ")]
    return Unavailable(f"Nsight Compute did not finish: {(lines or ['no message'])[-1][:300]}")
