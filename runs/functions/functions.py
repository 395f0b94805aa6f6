"""Functions of packages by the one command: which become tasks, what of them is refused, what the rewriter gains.

    functions.py LIST FOLDER ROWS STAGE...     LIST: lines `package version file::function seed`

Stages, each a row of JSON in ROWS, and none made twice: `made` makes the task; `wrong` judges three planted wrong
versions; `same` judges $COPIES (1) of the original, each with a constant of its own beside it; `hand` judges the
version in the folder $HAND that is named like the task's folder; `search` is the one command. `table` prints
what there is.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from statistics import median
from typing import Any

from environments import unpacked
from wrong import wrong_versions

HERE = Path(__file__).parent
INSIDE = HERE.parent.parent / "src" / "maxcode" / "kinds" / "function" / "inside"
MAXCODE = Path(sys.prefix) / "bin" / "maxcode"
NICE = ("nice", "-n", "19")
SECONDS = 560
PLANTED, TRIED = 3, 24
Row = dict[str, Any]


def search(row: Row, root: Path) -> Row:
    """The one command as a user gives it, with a short budget."""
    out = root.parent / "results" / re.sub(r"\W+", "-", f"{row['package']}-{row['function']}")
    words = ["optimize", row["function"], "--evals", os.environ.get("EVALS", "4"), "--max-seconds", "60"]
    began = time.monotonic()
    code, said = _maxcode(root, *words, "--confirm-seconds", "20", "--no-minimize", "--out", str(out))
    spent = re.search(r"made in (\d+) s, of which the package's own commands took (\d+) s", said)
    calls = re.search(r"(\d+) calls seen, (\d+) kept.*?reach (\d+)%", said)
    gain = re.search(r"^program \d+: faster.*$", said, re.MULTILINE)
    end = re.search(r"^(No improvement found.*|.*confirmed.*|Result.*)$", said, re.MULTILINE)
    return {
        "refused": None if calls else _last(said),
        "own_seconds": spent and int(spent[1]) - int(spent[2]),
        "calls": calls and [int(each) for each in calls.groups()],
        "programs": re.findall(r"^program \d+: .*$", said, re.MULTILINE),
        "gain": gain and gain[0],
        "end": end and end[0],
        "code": code,
        "seconds": round(time.monotonic() - began, 1),
        "said": said[-2500:],
    }


def made(row: Row, root: Path) -> Row:
    """The task alone, by `maxcode new`."""
    folder = _task(row, root)
    subprocess.run(["rm", "-rf", str(folder)], check=True)
    began = time.monotonic()
    code, said = _maxcode(root, "new", str(folder), "--from", row["function"], "--json")
    found = next((json.loads(line) for line in said.splitlines() if line.startswith("{")), {})
    seconds, suite = found.get("seconds"), found.get("command_seconds")
    return {
        "task": str(folder) if found else None,
        "refused": None if found else _last(said),
        "own_seconds": round(seconds - suite, 1) if found else None,
        "suite_seconds": suite,
        "found": {
            key: found[key] for key in ("public", "hidden", "recorded", "new", "covered", "share") if key in found
        },
        "code": code,
        "seconds": round(time.monotonic() - began, 1),
    }


def wrong(row: Row, root: Path) -> Row:
    """Three wrong versions that differ on a recorded call. Versions that do not are counted, and not judged, unless
    none could be told to differ, as where a decorator takes a function only once."""
    task = _task(row, root)
    settings = tomllib.loads((task / "task.toml").read_text())["function"]
    text = (task / "function.py").read_text()
    versions = wrong_versions(text, settings["function"].rpartition(".")[2], int(row["seed"]) + 1)[:TRIED]
    calls = [
        json.loads(line)["call"]
        for name in ("calls.jsonl", "held-out.jsonl")
        for line in (task / name).read_text().splitlines()
    ]
    given = {
        "inside": str(INSIDE),
        "path": [str(root / each) for each in settings["path"]],
        "module": settings["module"],
        "name": settings["function"],
        "calls": calls,
        "versions": [each for _, each in versions],
    }
    command = [*NICE, root / ".venv" / "bin" / "python", HERE / "differ.py"]
    ran = subprocess.run(command, cwd=root, input=json.dumps(given), capture_output=True, text=True, timeout=SECONDS)
    differ = json.loads(ran.stdout)
    known = [each for each, at in zip(versions, differ, strict=True) if at is not None]
    planted = (known or versions)[:PLANTED]
    return {
        "planted": [what for what, _ in planted],
        "tried": len(versions),
        "differ": sum(at is not None for at in differ),
        **_judged(task, root, [changed for _, changed in planted]),
    }


def same(row: Row, root: Path) -> Row:
    """The original, each time with a constant more in its module."""
    task = _task(row, root)
    text = (task / "function.py").read_text()
    copies = int(os.environ.get("COPIES", "1"))
    return _judged(task, root, [f"{text}\n\n_SAME = {number}\n" for number in range(copies)])


def hand(row: Row, root: Path) -> Row:
    """A version that was optimised by hand. Nothing where the folder has none."""
    task = _task(row, root)
    file = Path(os.environ["HAND"]) / f"{task.name}.py"
    return _judged(task, root, [file.read_text()]) if file.exists() else {}


def _task(row: Row, root: Path) -> Path:
    return root.parent / "tasks" / re.sub(r"\W+", "-", f"{row['package']}-{row['function']}")


def _judged(task: Path, root: Path, texts: list[str]) -> Row:
    files = [task / f"version{number}.py" for number in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text)
    began = time.monotonic()
    code, said = _maxcode(root, "evaluate", str(task), *map(str, files), "--json") if files else (0, "")
    answers = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    return {
        "answers": [_short(each) for each in answers],
        "code": code,
        "said": said[-600:] if code else "",
        "seconds": round(time.monotonic() - began, 1),
    }


def _short(answer: Row) -> Row:
    kept = ("program", "file", "name", "status", "reason", "speedup", "ci_low", "ci_high", "verdict")
    flat = {**answer, **(answer.get("measurement") or {})}
    return {key: flat[key] for key in kept if key in flat}


def _maxcode(root: Path, *words: str) -> tuple[int, str]:
    command = [*NICE, str(MAXCODE), *words]
    try:
        ran = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired as late:
        return 124, f"took more than {SECONDS} s\n{late.stdout or ''}"
    return ran.returncode, ran.stdout + ran.stderr


def _last(said: str) -> str:
    return said[said.find("error:") :][:1500] if "error:" in said else said[-800:]


def main() -> None:
    wanted, folder, rows, *stages = sys.argv[1:]
    file, environments = Path(rows), Path(folder).resolve()
    known = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    if stages == ["table"]:
        return table(known)
    done = {(each["package"], each["function"], each["stage"]) for each in known}
    for line in filter(str.strip, Path(wanted).read_text().splitlines()):
        package, version, function, seed = line.split()
        for stage in stages:
            if (package, function, stage) not in done:
                row = {"package": package, "version": version, "function": function, "seed": int(seed), "stage": stage}
                _add(file, row, environments)
    return None


def _add(file: Path, row: Row, environments: Path) -> None:
    """Does a stage and writes its row, with the machine's load at its end. No row where there is nothing to do."""
    root = unpacked(row["package"], row["version"], environments)
    if row["stage"] in ("wrong", "same", "hand") and not (_task(row, root) / "task.toml").exists():
        return
    work = {"made": made, "wrong": wrong, "same": same, "hand": hand, "search": search}
    try:
        found = work[row["stage"]](row, root)
    except Exception as error:
        found = {"broke": f"{type(error).__name__}: {error}"[:500]}
    if not found:
        return
    row |= {**found, "load": round(os.getloadavg()[0], 1)}
    with file.open("a") as out:
        out.write(json.dumps(row).replace(str(environments), "FOLDER") + "\n")
    words = row.get("refused") or row.get("broke") or ""
    print(row["stage"], row["package"], row["function"], words, row.get("seconds"), row["load"], flush=True)


def table(rows: list[Row]) -> None:
    tasks = [each for each in rows if each["stage"] == "made"]
    sound = [each for each in tasks if each.get("task")]
    own = [each["own_seconds"] for each in sound]
    print(f"{len(sound)} of {len(tasks)} functions became tasks; own seconds: median {median(own) if own else '-'}")
    for each in tasks:
        if not each.get("task"):
            print(f"  {each['package']} {each['function']}: {(each.get('refused') or each.get('broke') or '')[:160]}")
    planted = [one for each in rows if each["stage"] == "wrong" for one in each.get("answers", [])]
    refused = sum(one["status"] != "ok" for one in planted)
    print(f"{refused} of {len(planted)} wrong versions refused")
    alike = [one for each in rows if each["stage"] == "same" for one in each.get("answers", [])]
    wins = sum(one["verdict"] == "faster" for one in alike)
    print(
        f"{wins} of {len(alike)} originals beat themselves; {sum(one['status'] != 'ok' for one in alike)} were refused"
    )
    for each in rows:
        if each["stage"] == "search":
            print(f"  {each['package']} {each['function']}: {each['end']}")
        for one in each.get("answers", []) if each["stage"] == "hand" else []:
            said = one["reason"] or f"{one['speedup']:.3g}x, {one['ci_low']:.3g} to {one['ci_high']:.3g}"
            print(f"  {each['package']} {each['function']}, by hand: {said}, {one['verdict']}; load {each['load']}")


if __name__ == "__main__":
    main()
