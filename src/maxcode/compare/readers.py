"""Readers of the results of benchmark tools: a table by name, to which packages add by `maxcode.benchmarks`.

    [project.entry-points."maxcode.benchmarks"]
    catch2 = "their_package.catch2:READER"

A reader takes a text, from standard output or from a file, and returns the time of each benchmark by its name; nothing
where the text is not of its tool. Where a tool repeats a benchmark, the median of the repeats counts.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from math import isnan
from pathlib import Path
from statistics import median
from typing import Any

from maxcode.evaluate.measure.pairs import Timing
from maxcode.plugins import table

Readings = Mapping[str, Timing]
"""Times of benchmarks by name; the CPU time is 0 where the tool does not say it."""

SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}


@dataclass(frozen=True)
class BenchmarkReader:
    """Reader of the results of a tool."""

    about: str
    read: Callable[[str, Path | None], Readings]
    """Reads a text; the path is that of the file that it is from, and None for standard output."""
    files: tuple[str, ...] = ()
    """Patterns of the files that the tool writes without being asked to, from where it is started."""


def google_benchmark(text: str, path: Path | None) -> Readings:
    del path
    document = _json(text)
    if "context" not in document:
        return {}
    rows = [row for row in _rows(document, "benchmarks") if "real_time" in row and not row.get("error_occurred")]
    single = [row for row in rows if row.get("run_type", "iteration") == "iteration"]
    kept = single or [row for row in rows if row.get("aggregate_name") == "median"]
    found: dict[str, list[Timing]] = defaultdict(list)
    for row in kept:
        unit = SECONDS[row.get("time_unit", "ns")]
        found[row.get("run_name") or row["name"]].append(Timing(row["cpu_time"] * unit, row["real_time"] * unit))
    return _medians(found)


def pytest_benchmark(text: str, path: Path | None) -> Readings:
    del path
    rows = [row for row in _rows(_json(text), "benchmarks") if "fullname" in row and "stats" in row]
    return {row["fullname"]: Timing(0.0, row["stats"]["median"]) for row in rows}


def pyperf(text: str, path: Path | None) -> Readings:
    del path
    document = _json(text)
    found: dict[str, list[Timing]] = defaultdict(list)
    for row in _rows(document, "benchmarks"):
        named = {**document.get("metadata", {}), **row.get("metadata", {})}
        for run in row.get("runs", []):
            found[named.get("name", "benchmark")] += [Timing(0.0, value) for value in run.get("values", [])]
    return _medians(found)


def hyperfine(text: str, path: Path | None) -> Readings:
    del path
    rows = [row for row in _rows(_json(text), "results") if "command" in row and "median" in row]
    return {row["command"]: Timing(row.get("user", 0.0) + row.get("system", 0.0), row["median"]) for row in rows}


_GO = re.compile(r"^(?:pkg: (?P<package>\S+)|(?P<name>Benchmark\S*?)(?:-\d+)?\s+\d+\s+(?P<ns>[\d.e+]+) ns/op.*)$", re.M)


def go_test(text: str, path: Path | None) -> Readings:
    """`go test -bench`; benchmarks of several packages have the package before their name."""
    del path
    found, package = defaultdict(list), ""
    for line in _GO.finditer(text):
        if line["package"]:
            package = line["package"]
        else:
            found[package, line["name"]].append(Timing(0.0, float(line["ns"]) * 1e-9))
    several = len({package for package, _ in found}) > 1
    return _medians({f"{package}.{name}" if several else name: each for (package, name), each in found.items()})


def criterion(text: str, path: Path | None) -> Readings:
    """criterion.rs: one file per benchmark, named in the file beside it."""
    document = _json(text)
    if path is None or path.name != "estimates.json" or "median" not in document:
        return {}
    beside = path.with_name("benchmark.json")
    named = _json(beside.read_text()) if beside.exists() else {}
    name = named.get("full_id") or path.parent.parent.name
    return {name: Timing(0.0, document["median"]["point_estimate"] * 1e-9)}


def asv(text: str, path: Path | None) -> Readings:
    """airspeed velocity, time_ benchmarks: one file per commit; a benchmark with parameters counts as several."""
    del path
    document = _json(text)
    columns = document.get("result_columns", [])
    if "result" not in columns or "commit_hash" not in document:
        return {}
    found: dict[str, Timing] = {}
    for name, row in document.get("results", {}).items():
        named = dict(zip(columns, row, strict=False))
        if "time_" not in name.rsplit(".", 1)[-1] or not named.get("result"):
            continue
        labels = [f"({', '.join(each)})" if each else "" for each in product(*(named.get("params") or []))]
        for label, value in zip(labels, named["result"], strict=False):
            if value is not None and not isnan(value):
                found[name + label] = Timing(0.0, value)
    return found


def _json(text: str) -> dict[str, Any]:
    """The JSON object in a text, lines around which do not matter; empty without one."""
    begin, end = text.find("{"), text.rfind("}")
    try:
        found = json.loads(text[begin : end + 1]) if 0 <= begin < end else {}
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _rows(document: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    found = document.get(name)
    return [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []


def _medians(found: Mapping[str, Iterable[Timing]]) -> Readings:
    return {
        name: Timing(median(each.cpu for each in times), median(each.wall for each in times))
        for name, times in ((name, list(each)) for name, each in found.items())
        if times
    }


READERS = table(
    "maxcode.benchmarks",
    {
        "google-benchmark": BenchmarkReader("Google Benchmark, --benchmark_format=json", google_benchmark),
        "pytest-benchmark": BenchmarkReader(
            "pytest-benchmark, --benchmark-json FILE or --benchmark-autosave",
            pytest_benchmark,
            (".benchmarks/*/*.json",),
        ),
        "pyperf": BenchmarkReader("pyperf, -o FILE", pyperf),
        "hyperfine": BenchmarkReader("hyperfine, --export-json FILE", hyperfine),
        "go": BenchmarkReader("go test -bench", go_test),
        "criterion": BenchmarkReader(
            "criterion.rs, cargo bench", criterion, ("target/criterion/**/new/estimates.json",)
        ),
        "asv": BenchmarkReader(
            "airspeed velocity, asv run with --set-commit-hash", asv, (".asv/results/*/*.json", "results/*/*.json")
        ),
    },
    BenchmarkReader,
)
