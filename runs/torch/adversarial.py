"""The adversarial corpus of torch tasks on whatever device is here: what each candidate should get, and what it got.

python runs/torch/adversarial.py [--only REGULAR_EXPRESSION] [--rules]
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.adversarial.torch_corpus import CASES, Case, device_here

from maxcode.core import Outcome, Status
from maxcode.evaluate.pool import LocalPool
from maxcode.kinds.torch.rules.check import broken_rule
from maxcode.task import load_task

LONGEST_REASON = 110


async def judged(cases: list[Case], device: str) -> dict[str, Outcome | str]:
    """Outcomes by name, honest ones first; one that cannot be had is told in words and does not stop the rest."""
    found: dict[str, Outcome | str] = {}
    async with LocalPool(use_cache=False) as pool:

        async def told(case: Case) -> None:
            found[case.name] = result = await one(pool, case)
            print(line(case, result), flush=True)

        await asyncio.gather(*(told(case) for case in sorted(cases, key=lambda case: not case.honest)))
    print(f"\non {device}, {len(found)} candidates")
    return found


async def one(pool: LocalPool, case: Case) -> Outcome | str:
    try:
        task = load_task(case.folder)
        return (await pool(task, [task.candidate(case.path.read_text())], measure=case.timed or case.honest))[0]
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def by_the_rules(case: Case) -> Outcome:
    """What the text alone says."""
    task = load_task(case.folder)
    reason = broken_rule(task, task.candidate(case.path.read_text()))
    return Outcome(candidate="", task=task.name, status=Status.REJECTED if reason else Status.OK, reason=reason)


def line(case: Case, result: Outcome | str) -> str:
    ok = isinstance(result, Outcome) and case.is_met(result)
    if isinstance(result, str):
        got, seconds, told = "no outcome", 0.0, result
    else:
        got, seconds, told = result.status.value, result.seconds, result.reason or ""
        if result.measurement:
            m = result.measurement
            got += f" {m.speedup:.2f}x"
            told = told or f"[{m.ci_low:.2f}, {m.ci_high:.2f}], {len(m.samples)} samples"
    told = " ".join(told.split())
    told = told if len(told) <= LONGEST_REASON else f"{told[: LONGEST_REASON - 40]} ... {told[-35:]}"
    expected = "/".join(case.expect) + (f" <{case.most:g}x" if case.most else "")
    mark = "ok" if ok else "NOT OK"
    return f"{case.name:32} {expected:28} {got:18} {mark:7} {seconds:6.1f} s  {told}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="candidates whose name matches this")
    parser.add_argument("--rules", action="store_true", help="only what the text says, without running anything")
    options = parser.parse_args()
    device = device_here()
    cases = [case for case in CASES if re.search(options.only, case.name) and case.runs_on(device)]
    print(f"{'case':32} {'expected':28} {'got':18} {'right?':7} {'time':>8}  reason")
    began = time.monotonic()
    if options.rules:
        cases = [case for case in cases if not case.runtime]
        results: dict[str, Outcome | str] = {case.name: by_the_rules(case) for case in cases}
        print(*(line(case, results[case.name]) for case in cases), sep="\n")
    else:
        results = asyncio.run(judged(cases, device))
    met = {case.name for case in cases if isinstance(got := results[case.name], Outcome) and case.is_met(got)}
    cheats = [case for case in cases if not case.honest]
    honest = [case for case in cases if case.honest]
    caught, accepted = (sum(case.name in met for case in group) for group in (cheats, honest))
    print(f"{time.monotonic() - began:.0f} s")
    print(f"caught {caught} of {len(cheats)}, honest accepted {accepted} of {len(honest)}")
    sys.exit(len(met) != len(cases))


if __name__ == "__main__":
    main()
