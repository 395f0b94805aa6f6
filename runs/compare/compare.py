"""False alarms and power of `maxcode compare`, beside hyperfine and pyperf. See runs/compare.sh.

The truth is a count of steps: 0, 1, 2 or 5% more of them in the second program. A tool is right if it says `slower`
then, and says nothing where both are one program. What counts as an answer of a tool:

    maxcode     its verdict, after ten seconds of sampling at most
    hyperfine   its defaults; "± interval": the ratio of means is further from 1 than the ± that it prints beside it;
                "Welch": the t-test of its repository's scripts, at 0.05
    pyperf      `pyperf command -p 10 -n 10 -l 1`, ten times ten runs (its defaults take minutes here), for one
                after the other, and the verdict of `pyperf compare_to`
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import sqrt
from pathlib import Path

from rich.console import Console
from rich.table import Table
from scipy.stats import ttest_ind

SOURCE = Path(__file__).parents[1] / "measuring" / "spin.cpp"
PERCENTS = (0, 1, 2, 5)
UNIT = 50_000
SECONDS = 10
Answers = dict[str, tuple[str, float]]
"""Verdict and ratio of times, by the name of the rule."""


def maxcode(a: Path, b: Path, folder: Path) -> Answers:
    del folder
    found: Answers = {}
    for metric in ("wall", "cpu"):
        words = ["compare", str(a), str(b), "--json", "--metric", metric, "--max-seconds", str(SECONDS)]
        done = _run(sys.executable, "-m", "maxcode", *words)
        side = json.loads(done)["sides"][0]
        found[f"maxcode, {metric}"] = side["verdict"], 1 / side["speedup"]
    return found


def hyperfine(a: Path, b: Path, folder: Path) -> Answers:
    file = folder / "hyperfine.json"
    _run("hyperfine", "-N", "--style", "none", "--export-json", str(file), str(a), str(b))
    first, second = json.loads(file.read_text())["results"]
    ratio = second["mean"] / first["mean"]
    spread = ratio * sqrt(sum((each["stddev"] / each["mean"]) ** 2 for each in (first, second)))
    p = float(ttest_ind(first["times"], second["times"], equal_var=False).pvalue)
    return {
        "hyperfine, ± interval": (_verdict(ratio, abs(ratio - 1) > spread), ratio),
        "hyperfine, Welch": (_verdict(ratio, p < 0.05), ratio),
    }


def pyperf(a: Path, b: Path, folder: Path) -> Answers:
    files = [folder / "a.json", folder / "b.json"]
    for program, file in zip((a, b), files, strict=True):
        file.unlink(missing_ok=True)
        _run(_pyperf(), "command", "-p", "10", "-n", "10", "-l", "1", "--name", "x", "-o", str(file), str(program))
    means = [_mean(file) for file in files]
    said = _run(_pyperf(), "compare_to", *map(str, files))
    return {"pyperf": (_verdict(means[1] / means[0], "not significant" not in said.lower()), means[1] / means[0])}


def _mean(file: Path) -> float:
    (bench,) = json.loads(file.read_text())["benchmarks"]
    return statistics.fmean(value for run in bench["runs"] for value in run.get("values", []))


def _verdict(ratio: float, significant: bool) -> str:
    return ("slower" if ratio > 1 else "faster") if significant else "none"


def _pyperf() -> str:
    return os.environ.get("PYPERF") or shutil.which("pyperf") or str(Path(sys.executable).with_name("pyperf"))


def _run(*words: str) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def tools() -> dict[str, Callable[[Path, Path, Path], Answers]]:
    found: dict[str, Callable[[Path, Path, Path], Answers]] = {"maxcode": maxcode}
    if shutil.which("hyperfine"):
        found["hyperfine"] = hyperfine
    if Path(_pyperf()).exists():
        found["pyperf"] = pyperf
    return found


def program(folder: Path, percent: int) -> Path:
    made = folder / f"spin{percent}"
    words = ["g++", "-O2", f"-DWORK={100 + percent}", f"-DUNIT={UNIT}", str(SOURCE), "-o", str(made)]
    subprocess.run(words, check=True)
    return made


@contextmanager
def load(condition: str) -> Iterator[None]:
    """Keeps half of the cores busy meanwhile, wherever the scheduler puts it."""
    code = "x = bytearray(1 << 24)\nwhile True: x[:] = bytes(x)"
    count = max(len(os.sched_getaffinity(0)) // 2, 1) if condition == "loaded" else 0
    busy = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(count)]
    try:
        yield
    finally:
        for each in busy:
            each.kill()
            each.wait()


def take(condition: str, out: Path, count: int, seconds: float) -> None:
    """Comparisons that are missing, tools in turns, so that a bad minute is shared by all."""
    ends = time.monotonic() + seconds
    known = {(r["condition"], r["percent"], r["tool"], r["turn"]) for r in records(out)}
    with tempfile.TemporaryDirectory(prefix="maxcode-compare-runs-") as made, load(condition):
        programs = {percent: program(Path(made), percent) for percent in PERCENTS}
        same = shutil.copy(programs[0], Path(made) / "same")
        for turn in range(count):
            for percent in PERCENTS:
                for tool, ask in tools().items():
                    if (condition, percent, tool, turn) in known:
                        continue
                    if time.monotonic() > ends:
                        return
                    began = time.monotonic()
                    answers = ask(programs[0], programs[percent] if percent else Path(same), Path(made))
                    row = {"condition": condition, "percent": percent, "tool": tool, "turn": turn}
                    row |= {"answers": answers, "seconds": (time.monotonic() - began) / (2 if tool == "maxcode" else 1)}
                    with out.open("a") as file:
                        file.write(json.dumps(row) + "\n")


def records(out: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []


def show(out: Path, console: Console) -> None:
    rows: dict[tuple[str, str], dict[int, list[tuple[str, float]]]] = defaultdict(lambda: defaultdict(list))
    took: dict[tuple[str, str], list[float]] = defaultdict(list)
    for record in records(out):
        for rule, (verdict, ratio) in record["answers"].items():  # type: ignore[attr-defined]
            key = str(record["condition"]), rule
            rows[key][int(str(record["percent"]))].append((verdict, ratio))
            took[key].append(float(str(record["seconds"])))
    table = Table(title="False alarms, and true differences found (of which the wrong way)", title_justify="left")
    for name in ("machine", "tool", "A/A: false alarms", *(f"{p}% found" for p in PERCENTS[1:]), "seconds"):
        table.add_column(name, justify="left" if name in ("machine", "tool") else "right")
    for (condition, rule), found in sorted(rows.items()):
        cells = [_cell(found[percent], percent) for percent in PERCENTS]
        table.add_row(condition, rule, *cells, f"{statistics.median(took[condition, rule]):.0f}")
    console.print(table)


def _cell(found: list[tuple[str, float]], percent: int) -> str:
    verdicts = [verdict for verdict, _ in found]
    slower, faster = verdicts.count("slower"), verdicts.count("faster")
    if not percent:
        return f"{slower + faster} of {len(found)}"
    return f"{slower} of {len(found)}" + (f" ({faster})" if faster else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=("quiet", "loaded", "shared", "table"))
    parser.add_argument("--count", type=int, default=20, help="comparisons of each difference by each tool")
    parser.add_argument("--minutes", type=float, default=8.0)
    parser.add_argument("--out", type=Path, default=Path("out/compare.jsonl"))
    options = parser.parse_args()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    if options.part != "table":
        take(options.part, options.out, options.count, 60 * options.minutes)
    show(options.out, Console(width=140))


if __name__ == "__main__":
    main()
