"""Table of what the first sentence finds on everyday programs: FOLDER [NAME...]. Rows are kept, so that it resumes."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from math import exp, log
from pathlib import Path
from statistics import median
from typing import Any

from maxcode.authoring.new import SUFFIXES
from maxcode.optimize.tidy import leftovers

MAXCODE = [sys.executable, "-m", "maxcode"]
OUT = Path(os.environ.get("OUT", "out/own_programs"))
ARGS = shlex.split(os.environ.get("ARGS", ""))


@dataclass(frozen=True)
class Row:
    """What came of one program."""

    name: str
    tests: int
    working: int
    """Number of tests that reach what the workload reaches."""
    expert: str
    """Status of the expert's version under the derived tests."""
    expert_speedup: float | None
    first_verdict: float | None
    """Seconds to the first verdict shown."""
    first_gain: float | None
    """Seconds to the first gain shown."""
    seconds: float
    speedup: float | None
    low: float | None
    lines: int
    applies: bool
    """Whether `git apply` takes the diff and gives the written program."""
    leftovers: tuple[str, ...] = ()
    """Lines of the diff with something degenerate in them."""

    @property
    def share(self) -> float | None:
        """Share of the expert's gain, in logarithms; a program that nothing was found for has none of it."""
        if self.expert_speedup is None or self.expert_speedup <= 1:
            return None
        return max(0.0, log(self.speedup or 1.0)) / log(self.expert_speedup)


def main() -> None:
    folder, *names = sys.argv[1:]
    OUT.mkdir(parents=True, exist_ok=True)
    rows = []
    print("program             tests  work  expert    first  gain    end  speedup  lines  share")
    for program in sorted(path.parent for path in Path(folder).glob("*/meta.json")):
        if names and program.name not in names:
            continue
        rows.append(_row(program))
        print(_printed(rows[-1]), flush=True)
    _totals(rows)


def _row(program: Path) -> Row:
    kept = OUT / program.name / "row.json"
    if kept.is_file():
        return Row(**json.loads(kept.read_text()))
    found = _measured(program, kept.parent)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(asdict(found)))
    return found


def _measured(program: Path, out: Path) -> Row:
    (slow,), (expert,) = program.glob("slow.*"), program.glob("expert.*")
    size = json.loads((program / "meta.json").read_text())["size"]
    with tempfile.TemporaryDirectory(prefix="own-") as scratch:
        given = Path(scratch) / f"{program.name}.txt"
        command = [sys.executable, str(program / "gen.py"), "1", str(size)]
        given.write_bytes(subprocess.run(command, capture_output=True, check=True).stdout)
        command = [*MAXCODE, "optimize", str(slow), "--input", str(given), "--out", str(out), "--json", *ARGS]
        started = time.monotonic()
        said, times = _told(command)
        (OUT / f"{program.name}.log").write_text("\n".join(said) + "\n")
        seconds = time.monotonic() - started
        applies = _applies(slow, out)
    summary = json.loads(said[-1]) if said[-1].startswith("{") else {}
    derived = re.search(r"(\d+) tests derived, .*?: (\d+) run", "\n".join(said))
    outcome = _judged(said, expert)
    return Row(
        name=program.name,
        tests=int(derived[1]) if derived else 0,
        working=int(derived[2]) if derived else 0,
        expert=outcome.get("status", "not judged"),
        expert_speedup=outcome.get("speedup"),
        first_verdict=_first(said, times, r"^program \d+: "),
        first_gain=_first(said, times, r"^program \d+: faster"),
        seconds=seconds,
        speedup=summary.get("speedup") if summary.get("improved") else None,
        low=summary.get("ci_low") if summary.get("improved") else None,
        lines=_lines(out),
        applies=applies,
        leftovers=tuple(_leftovers(out, slow.suffix)),
    )


def _told(command: list[str]) -> tuple[list[str], list[float]]:
    """Lines that a command printed, and the seconds after which each came."""
    started, said, times = time.monotonic(), [], []
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert running.stdout is not None
    for line in running.stdout:
        said.append(line.rstrip("\n"))
        times.append(time.monotonic() - started)
    running.wait()
    return said or [""], times


def _first(said: list[str], times: list[float], pattern: str) -> float | None:
    return next((when for line, when in zip(said, times, strict=False) if re.search(pattern, line)), None)


def _judged(said: list[str], expert: Path) -> dict[str, Any]:
    """The expert's version under the task that was made."""
    summary = json.loads(said[-1]) if said[-1].startswith("{") else None
    if summary is None:
        return {}
    command = [*MAXCODE, "evaluate", summary["task"], str(expert), "--confirm", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1]) if done.stdout.strip() else {}
    return found


def _lines(out: Path) -> int:
    """Changed lines of the diff that was written."""
    file = out / "best.diff"
    text = file.read_text(errors="replace") if file.is_file() else ""
    return len(re.findall(r"^[-+](?![-+]{2} )", text, re.MULTILINE))


def _leftovers(out: Path, suffix: str) -> list[str]:
    file = out / "best.diff"
    text = file.read_text(errors="replace") if file.is_file() else ""
    added = [f"{line[1:]}\n" for line in text.splitlines() if line.startswith("+") and not line.startswith("+++")]
    return leftovers(added, SUFFIXES[suffix])


def _applies(slow: Path, out: Path) -> bool:
    diff = out / "best.diff"
    if not diff.is_file() or not diff.read_bytes().strip():
        return True
    with tempfile.TemporaryDirectory(prefix="apply-") as folder:
        file = Path(folder) / slow.name
        file.write_bytes(slow.read_bytes())
        done = subprocess.run(["git", "apply", str(diff.absolute())], cwd=folder, check=False)
        return done.returncode == 0 and file.read_bytes() == (out / f"best{slow.suffix}").read_bytes()


def _printed(row: Row) -> str:
    def number(value: float | None, form: str) -> str:
        return "-" if value is None else format(value, form)

    figures = (f"{row.tests:6}", f"{row.working:6}", f"  {row.expert:8}", f"{number(row.first_verdict, '.0f'):>6}")
    more = (f"{number(row.first_gain, '.0f'):>6}", f"{row.seconds:7.0f}", f"{number(row.speedup, '.3g'):>9}")
    wrong = ("" if row.applies else "  DOES NOT APPLY") + "".join(f"  LEFTOVER {line}" for line in row.leftovers)
    ends = (f"{row.lines:7}", f"{number(row.share, '.0%'):>7}", wrong)
    return f"{row.name:19}" + "".join((*figures, *more, *ends))


def _totals(rows: list[Row]) -> None:
    gained = [row for row in rows if row.speedup]
    if not rows:
        return
    mean = exp(sum(log(row.speedup or 1.0) for row in rows) / len(rows))
    verdicts = [row.first_verdict for row in rows if row.first_verdict is not None]
    print(f"{len(gained)} of {len(rows)} with a confirmed gain, geometric mean over all {mean:.3g}x")
    bad = [row.name for row in rows if not row.applies or row.leftovers]
    print(f"diffs that apply and have no leftovers: {len(rows) - len(bad)} of {len(rows)}")
    print(f"expert's version accepted: {sum(row.expert == 'ok' for row in rows)} of {len(rows)}")
    if verdicts:
        print(f"median seconds to the first verdict: {median(verdicts):.0f}")
    if gained:
        print(f"median changed lines where there is a gain: {median(row.lines for row in gained):g}")
    shares = [row.share for row in rows if row.share is not None]
    if shares:
        print(f"mean share of the expert's gain: {sum(shares) / len(shares):.0%}")


if __name__ == "__main__":
    main()
