"""False wins, right verdicts and pairs needed, with programs whose true difference is known. See runs/measuring.sh."""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from math import exp, log
from pathlib import Path

from rich.console import Console
from rich.table import Table

from maxcode.core import Candidate, Measurement, Mode, Noise, Verdict
from maxcode.evaluate.build import Builder, Built
from maxcode.evaluate.cases import Case, Programs
from maxcode.evaluate.machine import machine_class, usable_cpus
from maxcode.evaluate.measure.sampling import measure, measure_noise
from maxcode.evaluate.sandbox.sandbox import Sandbox
from maxcode.kinds.program.pairs import ProgramPairs
from maxcode.task.model import Task

HERE = Path(__file__).parent
PEER_RUNS = 10


@dataclass
class Tally:
    """Verdicts of one kind of comparison."""

    label: str
    truth: str
    verdicts: list[Verdict] = field(default_factory=list)
    pairs: list[int] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)

    def add(self, found: Measurement) -> None:
        self.verdicts.append(found.verdict)
        self.pairs.append(len(found.samples))
        self.ratios.append(found.speedup)

    def share(self, *wanted: Verdict) -> float:
        return sum(v in wanted for v in self.verdicts) / max(len(self.verdicts), 1)


class Bench:
    """Two sandbox lanes on one CPU, and programs of known speed."""

    def __init__(self, folder: Path, cpu: int) -> None:
        self._input, self._answer = folder / "input.txt", folder / "output.txt"
        self._input.write_text("")
        self._answer.write_text("1\n")
        self._cpus = (cpu,)
        self._boxes = (Sandbox(0, "a"), Sandbox(0, "b"))
        self._builder = Builder(self._boxes[0], self._cpus)
        self._lanes = tuple(Programs(box, self._builder, self._cpus) for box in self._boxes)
        self.task = Task.model_validate(
            {
                "name": "known",
                "kind": "program",
                "language": "c++",
                "baseline": "x.cpp",
                "folder": folder,
                "tests": {"public": "."},
                "workloads": [{"name": "w", "input": "input.txt"}],
                "build": {"flags": ["-O2"]},
                "limits": {"seconds": 20},
            }
        )

    def close(self) -> None:
        for box in self._boxes:
            box.close()

    def program(self, name: str, **settings: int) -> Built:
        head = "".join(f"#define {key} {value}\n" for key, value in settings.items())
        built = self._builder.build(self.task, Candidate(files={"x.cpp": head + (HERE / name).read_text()}))
        if built.program is None:
            raise SystemExit(built.error)
        return built

    def pairs(self, baseline: Built, candidate: Built) -> ProgramPairs:
        case = Case("w", True, self._input, self._answer)
        lanes = (self._lanes[0], self._lanes[1])
        return ProgramPairs(self.task, lanes, baseline, replace(candidate), lambda _: nullcontext([case]))

    def noise(self, baseline: Built) -> Noise:
        return measure_noise(self.pairs(baseline, baseline), cpus=self._cpus, threads=1)

    def compare(self, baseline: Built, candidate: Built, mode: Mode, noise: Noise) -> Measurement:
        return measure(self.pairs(baseline, candidate), mode=mode, noise=noise, cpus=self._cpus)

    def peer(self, baseline: Built, candidate: Built) -> float:
        """What peers do: all runs of one, then all runs of the other, wall clock, ratio of medians."""
        medians = []
        for built in (baseline, candidate):
            walls = [self._lanes[0].run(self.task, built, self._input).wall for _ in range(PEER_RUNS)]
            medians.append(statistics.median(walls))
        return medians[0] / medians[1]


@contextmanager
def load_on(cpu: int | None) -> Iterator[None]:
    """Keeps another core busy meanwhile."""
    if cpu is None:
        yield
        return
    code = f"import os\nos.sched_setaffinity(0, [{cpu}])\nx = bytearray(1 << 24)\nwhile True: x[:] = bytes(x)"
    busy = subprocess.Popen([sys.executable, "-c", code])
    try:
        yield
    finally:
        busy.send_signal(signal.SIGKILL)
        busy.wait()


def false_wins(bench: Bench, count: int, other: int | None, label: str) -> list[Tally]:
    """A/A in search mode, then confirming every win that search mode claims, as a search does at its end."""
    spin = bench.program("spin.cpp", WORK=100)
    search, confirmed, peers = (
        Tally(f"A/A, {label}", "tie"),
        Tally(f"A/A confirmed, {label}", "tie"),
        Tally(f"A/A, {label}, median of 10", "tie"),
    )
    with load_on(other):
        noise = bench.noise(spin)
        for i in range(count):
            found = bench.compare(spin, spin, Mode.SEARCH, noise)
            search.add(found)
            if found.verdict is Verdict.FASTER:
                confirmed.add(bench.compare(spin, spin, Mode.CONFIRM, noise))
            if i % 10 == 0:
                ratio = bench.peer(spin, spin)
                peers.ratios.append(ratio)
                peers.verdicts.append(
                    Verdict.FASTER if ratio > 1.01 else Verdict.SLOWER if ratio < 1 / 1.01 else Verdict.TIE
                )
                peers.pairs.append(PEER_RUNS)
    return [search, confirmed, peers]


def true_differences(bench: Bench, percent: int, count: int, confirm: int) -> list[Tally]:
    slow, fast = bench.program("spin.cpp", WORK=100 + percent), bench.program("spin.cpp", WORK=100)
    noise = bench.noise(slow)
    tallies = [
        Tally(f"{percent}% faster, search", "faster"),
        Tally(f"{percent}% slower, search", "slower"),
        Tally(f"{percent}% faster, confirmed", "faster"),
        Tally(f"{percent}% faster, median of 10", "faster"),
    ]
    for i in range(count):
        tallies[0].add(bench.compare(slow, fast, Mode.SEARCH, noise))
        tallies[1].add(bench.compare(fast, slow, Mode.SEARCH, noise))
        if i < confirm:
            tallies[2].add(bench.compare(slow, fast, Mode.CONFIRM, noise))
        ratio = bench.peer(slow, fast)
        tallies[3].ratios.append(ratio)
        tallies[3].pairs.append(PEER_RUNS)
        tallies[3].verdicts.append(
            Verdict.FASTER if ratio > 1.01 else Verdict.SLOWER if ratio < 1 / 1.01 else Verdict.TIE
        )
    return tallies


def footprints(bench: Bench, count: int) -> list[Tally]:
    """A program that lives in a cache against one that empties it, in both directions: there the duet is biased."""
    results = []
    near = bench.program("walk.cpp")
    for work in (1.08, 0.92):
        far = _tuned(bench, _calibrate(bench, near) * work)
        noise = bench.noise(near)
        truth = exp(statistics.median(_exclusive_logs(bench, far, near, 40)))
        for baseline, candidate, ratio, way in (
            (far, near, truth, "large to small"),
            (near, far, 1 / truth, "small to large"),
        ):
            side = "faster" if ratio > 1.01 else "slower" if ratio < 1 / 1.01 else "tie"
            search = Tally(f"footprint {way}, truth {ratio:.3f}x", side)
            confirmed = Tally("   its wins, confirmed", side)
            duets = Tally("   what duets alone say", side)
            for _ in range(count):
                found = bench.compare(baseline, candidate, Mode.SEARCH, noise)
                search.add(found)
                if found.verdict is Verdict.FASTER:
                    confirmed.add(bench.compare(baseline, candidate, Mode.CONFIRM, noise))
            pairs = bench.pairs(baseline, candidate)
            duets.ratios = [a.cpu / b.cpu for a, b in (pairs.duet(i % 2 == 1) for i in range(10))]
            duets.verdicts = [Verdict.FASTER if ratio > 1 else Verdict.SLOWER for ratio in duets.ratios]
            duets.pairs = [1]
            results += [search, confirmed, duets]
    return results


def _tuned(bench: Bench, seconds: float) -> Built:
    """The streaming program with as many passes as take this long when it runs alone."""
    low, high = (_calibrate(bench, bench.program("stream.cpp", WORK=passes)) for passes in (50, 150))
    return bench.program("stream.cpp", WORK=max(1, round(50 + (seconds - low) / (high - low) * 100)))


def _calibrate(bench: Bench, built: Built) -> float:
    pairs = bench.pairs(built, built)
    return statistics.median(pairs.exclusive(False)[0].cpu for _ in range(9))


def _exclusive_logs(bench: Bench, baseline: Built, candidate: Built, count: int) -> list[float]:
    pairs = bench.pairs(baseline, candidate)
    return [log(a.cpu / b.cpu) for a, b in (pairs.exclusive(i % 2 == 1) for i in range(count))]


def show(tallies: list[Tally], console: Console) -> None:
    table = Table(title=f"Trust in timings on {machine_class()}", title_justify="left")
    for name in ("comparison", "n", "faster", "slower", "tie/unclear", "right", "median pairs", "estimate, 5% to 95%"):
        table.add_column(name, justify="left" if name == "comparison" else "right")
    for tally in tallies:
        if not tally.verdicts:
            table.add_row(tally.label, "0", *["-"] * 6)
            continue
        right = {"faster": (Verdict.FASTER,), "slower": (Verdict.SLOWER,), "tie": (Verdict.TIE, Verdict.UNCLEAR)}[
            tally.truth
        ]
        cuts = statistics.quantiles(tally.ratios, n=20) if len(tally.ratios) > 1 else [tally.ratios[0]] * 19
        table.add_row(
            tally.label,
            str(len(tally.verdicts)),
            *(
                str(sum(v in kinds for v in tally.verdicts))
                for kinds in ((Verdict.FASTER,), (Verdict.SLOWER,), (Verdict.TIE, Verdict.UNCLEAR))
            ),
            f"{tally.share(*right):.0%}",
            f"{statistics.median(tally.pairs):.0f}",
            f"{cuts[0]:.3f} to {cuts[-1]:.3f}",
        )
    console.print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the comparisons")
    parser.add_argument("--count", type=int, default=300, help="comparisons of a program with itself, of each kind")
    parser.add_argument("--only", choices=("differences", "idle", "loaded", "footprints"), help="one part alone")
    parser.add_argument("--percent", type=int, nargs="+", default=(2, 5, 20), help="known differences of programs")
    options = parser.parse_args()
    scale = 10 if options.quick else 1
    cpus = usable_cpus()
    home = tempfile.TemporaryDirectory(prefix="maxcode-measuring-home-")
    os.environ["MAXCODE_HOME"] = home.name
    console = Console(width=150)
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="maxcode-measuring-") as folder:
        bench = Bench(Path(folder), cpus[0])
        if options.only in (None, "differences"):
            for percent in options.percent:
                show(true_differences(bench, percent, 60 // scale, max(20 // scale, 2)), console)
        if options.only in (None, "idle"):
            show(false_wins(bench, options.count // scale, None, "idle"), console)
        if options.only in (None, "loaded"):
            other = cpus[1] if len(cpus) > 1 else None
            show(false_wins(bench, options.count // scale, other, "other core loaded"), console)
        if options.only in (None, "footprints"):
            show(footprints(bench, max(20 // scale, 2)), console)
        bench.close()
    home.cleanup()
    console.print(f"{time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
