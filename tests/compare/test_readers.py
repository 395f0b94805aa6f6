"""Results of benchmark tools, in the forms in which the tools write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from maxcode.compare.readers import READERS

GOOGLE = {
    "context": {"num_cpus": 2},
    "benchmarks": [
        {"name": "BM_a/8", "run_name": "BM_a/8", "run_type": "iteration", "real_time": 3.0, "cpu_time": 2.0,
         "time_unit": "us"},
        {"name": "BM_a/8", "run_name": "BM_a/8", "run_type": "iteration", "real_time": 5.0, "cpu_time": 4.0,
         "time_unit": "us"},
        {"name": "BM_a/8_mean", "run_name": "BM_a/8", "run_type": "aggregate", "aggregate_name": "mean",
         "real_time": 9.0, "cpu_time": 9.0, "time_unit": "us"},
    ],
}  # fmt: skip
AGGREGATES = {
    "context": {},
    "benchmarks": [
        {"name": f"BM_b_{each}", "run_name": "BM_b", "run_type": "aggregate", "aggregate_name": each, "real_time": time,
         "cpu_time": time, "time_unit": "ms"}
        for each, time in (("mean", 9.0), ("median", 7.0))
    ],
}  # fmt: skip
PYTEST = {"benchmarks": [{"fullname": "t.py::test_a", "stats": {"median": 0.25, "min": 0.2}}], "machine_info": {}}
PYPERF = {
    "metadata": {"name": "a"},
    "benchmarks": [{"runs": [{"warmups": [[1, 9.0]]}, {"values": [1.0, 2.0, 3.0]}]}],
    "version": "1.0",
}
HYPERFINE = {"results": [{"command": "a", "median": 2.0, "user": 1.0, "system": 0.5, "times": [2.0]}]}
GO = """goos: linux
pkg: example.org/x
BenchmarkA-8   \t  11184\t       972.0 ns/op\t  16 B/op
BenchmarkA-8   \t  11184\t       974.0 ns/op\t  16 B/op
BenchmarkB/n=10-8 \t 300\t 0.5000 ns/op
PASS
ok  \texample.org/x\t0.192s
"""
ASV = {
    "commit_hash": "badda4f7",
    "result_columns": ["result", "params", "version"],
    "results": {
        "b.S.time_sum": [[1e-3, 2e-3], [["10", "20"], ["'x'"]], "v"],
        "b.time_one": [[3e-3], [], "v"],
        "b.time_failed": [None, [], "v"],
        "b.track_size": [[7], [], "v"],
    },
}
ESTIMATES = {"mean": {"point_estimate": 9.0}, "median": {"point_estimate": 1500.0}}


def read(text: str, path: Path | None = None) -> dict[str, dict[str, float]]:
    """Wall times of benchmarks, by every reader that knows the text."""
    found = {name: reader.read(text, path) for name, reader in READERS.items()}
    return {name: {key: timing.wall for key, timing in each.items()} for name, each in found.items() if each}


@pytest.mark.parametrize(
    ("document", "name", "times"),
    [
        (GOOGLE, "google-benchmark", {"BM_a/8": 4e-6}),
        (AGGREGATES, "google-benchmark", {"BM_b": 7e-3}),
        (PYTEST, "pytest-benchmark", {"t.py::test_a": 0.25}),
        (PYPERF, "pyperf", {"a": 2.0}),
        (HYPERFINE, "hyperfine", {"a": 2.0}),
        (ASV, "asv", {"b.S.time_sum(10, 'x')": 1e-3, "b.S.time_sum(20, 'x')": 2e-3, "b.time_one": 3e-3}),
    ],
    ids=["google", "google aggregates", "pytest", "pyperf", "hyperfine", "asv"],
)
def test_a_document_is_read_by_one_reader(document: dict[str, Any], name: str, times: dict[str, float]) -> None:
    assert read(json.dumps(document)) == {name: pytest.approx(times)}


def test_lines_around_a_document_do_not_matter() -> None:
    assert "hyperfine" in read(f"Running ...\n{json.dumps(HYPERFINE, indent=1)}\ndone\n")


def test_go_is_read_from_its_lines() -> None:
    assert read(GO) == {"go": pytest.approx({"BenchmarkA": 973e-9, "BenchmarkB/n=10": 0.5e-9})}


def test_go_benchmarks_of_several_packages_have_names_of_their_own() -> None:
    (found,) = read(GO + GO.replace("example.org/x", "example.org/y")).values()
    assert {"example.org/x.BenchmarkA", "example.org/y.BenchmarkA"} <= set(found)


def test_criterion_is_named_by_the_file_beside_it(tmp_path: Path) -> None:
    folder = tmp_path / "target/criterion/sum/new"
    folder.mkdir(parents=True)
    (folder / "estimates.json").write_text(json.dumps(ESTIMATES))
    assert read(json.dumps(ESTIMATES), folder / "estimates.json") == {"criterion": pytest.approx({"sum": 1.5e-6})}
    (folder / "benchmark.json").write_text(json.dumps({"full_id": "group/sum/8"}))
    assert read(json.dumps(ESTIMATES), folder / "estimates.json") == {
        "criterion": pytest.approx({"group/sum/8": 1.5e-6})
    }


def test_cpu_time_is_read_where_there_is_any() -> None:
    assert READERS["google-benchmark"].read(json.dumps(GOOGLE), None)["BM_a/8"].cpu == pytest.approx(3e-6)
    assert READERS["hyperfine"].read(json.dumps(HYPERFINE), None)["a"].cpu == 1.5


@pytest.mark.parametrize("text", ["", "12 ms", "{", "{}", "[]", '{"benchmarks": 3}', '{"results": [1, null]}'])
def test_other_texts_are_read_by_nobody(text: str) -> None:
    assert read(text) == {}
