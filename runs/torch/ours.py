"""What MaxCode says about the example candidates, for comparison with the plain scripts beside this one.

python runs/torch/ours.py agree PLAIN.json      verdicts and speedups beside those that plain.py has found
python runs/torch/ours.py speed FOLDER          seconds for a batch of new candidates (plain_harness.py --write)
python runs/torch/ours.py spread [NAME ...]     the same candidate five times, each in new processes, nothing cached
python runs/torch/ours.py same [NAME ...]       baselines confirmed against themselves: all should be 1
"""

from __future__ import annotations

import asyncio
import json
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from maxcode.core import Mode, Outcome
from maxcode.evaluate.pool import LocalPool
from maxcode.task import load_task
from maxcode.task.model import Task

EXAMPLES = Path(__file__).parents[2] / "examples" / "torch"
SPREAD = ("gelu_chain/cuda", "softmax/cuda", "layernorm/triton", "matmul_transposed/cuda", "conv3x3_pool/fused")
REPEATS = 5


def solutions() -> list[tuple[Task, Path]]:
    found = []
    for folder in sorted(EXAMPLES.iterdir()):
        if (folder / "task.toml").exists():
            found += [(load_task(folder), file) for file in sorted((folder / "solutions").glob("*.py"))]
    return found


async def judged(pairs: list[tuple[Task, Path]], mode: Mode = Mode.SEARCH) -> list[Outcome]:
    """All at once: builds side by side, runs one after the other."""
    began = time.monotonic()

    async def one(pool: LocalPool, task: Task, file: Path) -> Outcome:
        (outcome,) = await pool(task, [task.candidate(file.read_text())], mode=mode)
        stages = ", ".join(f"{each.name} {each.seconds:.1f}" for each in outcome.stages)
        if found := outcome.measurement:
            stages += f"; {len(found.samples)} pairs, {found.ci_low:.4g} to {found.ci_high:.4g}"
        print(
            f"# {time.monotonic() - began:6.1f} s {task.name}/{file.stem} {outcome.status}: {stages}", file=sys.stderr
        )
        return outcome

    async with LocalPool(use_cache=False) as pool:
        return list(await asyncio.gather(*(one(pool, task, file) for task, file in pairs)))


def agree(plain: Path) -> None:
    known = {(each["problem"], each["solution"]) for each in json.loads(plain.read_text())}
    pairs = [(task, file) for task, file in solutions() if (task.folder.name, file.stem) in known]
    began = time.monotonic()
    outcomes = asyncio.run(judged(pairs))
    compare([f"{task.name}/{file.stem}" for task, file in pairs], outcomes, plain)
    print(f"{time.monotonic() - began:.0f} s in all")


def compare(names: list[str], outcomes: list[Outcome], plain: Path) -> None:
    known = {f"{each['problem']}/{each['solution']}": each for each in json.loads(plain.read_text())}
    print(f"{'candidate':32} {'plain':>14} {'ours':>12}")
    ratios, same = [], 0
    for name, outcome in zip(names, outcomes, strict=True):
        other, found = known.get(name, {}), outcome.measurement
        correct = bool(other.get("correct"))
        same += correct == (outcome.status == "ok")
        ours = (outcome.reason or "").strip().splitlines()[0][:90] if outcome.reason else ""
        if found:
            ours = f"{found.speedup:.3f} ({found.ci_low:.3f} to {found.ci_high:.3f}), {len(found.samples)} pairs"
            if correct and other.get("speedup"):
                ratios.append(found.speedup / other["speedup"])
                ours += f", {ratios[-1]:.3f} of plain"
        said = f"{'right' if correct else 'wrong'} {other.get('speedup') or 0:.3f}" if other else "-"
        print(f"{name:32} {said:>14} {outcome.status:>12} {ours}")
    print(f"same verdict on {same} of {len(names)}")
    if ratios:
        low, high = min(ratios), max(ratios)
        print(f"speedup, ours over plain: median {statistics.median(ratios):.3f}, {low:.3f} to {high:.3f}")


def speed(folder: Path, plain: Path | None) -> None:
    pairs = []
    for file in sorted(folder.glob("*.py")):
        task = next(t for t in sorted(EXAMPLES.iterdir()) if file.stem.startswith(f"{t.name}_"))
        pairs.append((load_task(task), file))
    began = time.monotonic()
    outcomes = asyncio.run(judged(pairs))
    seconds = time.monotonic() - began
    if plain:
        compare([f"{task.name}/cuda" for task, _ in pairs], outcomes, plain)
    right = sum(outcome.status == "ok" for outcome in outcomes)
    print(f"{right} right; {len(pairs)} new candidates: {seconds:.1f} s, {seconds / len(pairs):.1f} s each")


def spread(names: list[str]) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        pairs = []
        for name in names or SPREAD:
            problem, solution = name.split("/")
            task = without_compile(EXAMPLES / problem, Path(scratch))
            pairs += [(task, EXAMPLES / problem / "solutions" / f"{solution}.py")] * REPEATS
        outcomes = asyncio.run(judged(pairs, Mode.CONFIRM))
    for at in range(0, len(outcomes), REPEATS):
        report_spread(pairs[at], outcomes[at : at + REPEATS])


def without_compile(folder: Path, scratch: Path) -> Task:
    """The task, not to be timed under torch.compile besides: that takes longer than all the rest."""
    copy = scratch / folder.name
    if not copy.exists():
        shutil.copytree(folder, copy)
        table = copy / "task.toml"
        table.write_text(table.read_text().replace("[torch]\n", "[torch]\ncompiled = false\n", 1))
    return load_task(copy)


def report_spread(pair: tuple[Task, Path], outcomes: list[Outcome]) -> None:
    name = f"{pair[0].name}/{pair[1].stem}"
    found = [outcome.measurement.speedup for outcome in outcomes if outcome.measurement]
    for outcome in outcomes:
        if not outcome.measurement:
            print(f"{name}: {outcome.status}: {outcome.reason}")
    if found:
        half = (max(found) - min(found)) / 2 / statistics.median(found)
        figures = " ".join(f"{each:.4f}" for each in found)
        print(f"{name:28} {figures}   plus or minus {half:.2%}", flush=True)


def same(names: list[str]) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        folders = [EXAMPLES / name for name in names] or sorted(each.parent for each in EXAMPLES.glob("*/task.toml"))
        tasks = [without_compile(folder, Path(scratch)) for folder in folders]
        outcomes = asyncio.run(judged([(task, task.folder / task.baseline) for task in tasks], Mode.CONFIRM))
    print(f"{'baseline':24} {'itself':>8} {'interval':>20} verdict")
    for task, outcome in zip(tasks, outcomes, strict=True):
        if found := outcome.measurement:
            interval = f"{found.ci_low:.4f} to {found.ci_high:.4f}"
            print(f"{task.name:24} {found.speedup:8.4f} {interval:>20} {found.verdict}, by {found.clock}")
        else:
            print(f"{task.name:24} {outcome.status}: {outcome.reason}")
    ratios = [outcome.measurement.speedup for outcome in outcomes if outcome.measurement]
    if ratios:
        below = sum(each < 1 for each in ratios)
        print(f"centre {statistics.geometric_mean(ratios):.4f}; {below} of {len(ratios)} below 1")


def main() -> None:
    what, *rest = sys.argv[1:]
    if what == "agree":
        agree(Path(rest[0]))
    elif what == "speed":
        speed(Path(rest[0]), Path(rest[1]) if len(rest) > 1 else None)
    elif what == "same":
        same(rest)
    else:
        spread(rest)


if __name__ == "__main__":
    main()
