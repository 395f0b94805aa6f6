"""Device memory that judging each problem of KernelBench takes, by phase, computed without a GPU.

python runs/torch/sizes.py PATH [--gib 139] [--levels 1,2,3]     PATH: a checkout, or a folder of problem files
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

from footprint import Unknown, footprint

from maxcode.bench.suites.kernelbench.problems import KernelProblem, read_kernelbench
from maxcode.kinds.torch.problem.memory import MemoryPlan, plan_memory, room_on

GIB = 1 << 30
MOST_CALLS = 256


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("path", type=Path)
    options.add_argument("--gib", type=float, default=139.0, help="memory of the device")
    options.add_argument("--levels", default="1,2,3")
    given = options.parse_args()
    warnings.simplefilter("ignore")
    device, levels = int(given.gib * GIB), {int(each) for each in given.levels.split(",")}
    found = [each for each in read_kernelbench(given.path) if isinstance(each, KernelProblem)]
    print(f"{'GiB':48} {'inputs':>7} {'outputs':>7} {'weights':>7} {'peak':>7} {'calls':>5} {'verify':>7} {'time':>7}")
    report([each for each in found if each.level is None or each.level in levels], device)


def report(problems: list[KernelProblem], device: int) -> None:
    too_large, unknown, redrawn = [], [], 0
    for problem in problems:
        try:
            plan = plan_memory(footprint(problem.text), room_on(device, device), MOST_CALLS, device)
        except Unknown as reason:
            unknown.append(problem.name)
            print(f"{problem.name[:48]:48} not known without a GPU: {reason}")
            continue
        redrawn += plan.redraws
        too_large += [] if plan.fits else [problem.name]
        print(f"{problem.name[:48]:48} {row(plan)}{'' if plan.fits else '  does not fit'}", flush=True)
    print(
        f"{len(problems)} problems, {redrawn} with one call at a time, {len(unknown)} not known, "
        f"{len(too_large)} do not fit into {device / GIB:g} GiB: {', '.join(too_large) or 'none'}"
    )


def row(plan: MemoryPlan) -> str:
    call = plan.call
    sizes = (call.inputs, call.outputs, call.weights, call.peak)
    figures = " ".join(f"{each / GIB:7.2f}" for each in sizes)
    return f"{figures} {plan.slots:5} " + " ".join(f"{each / GIB:7.1f}" for each in plan.phases.values())


if __name__ == "__main__":
    main()
