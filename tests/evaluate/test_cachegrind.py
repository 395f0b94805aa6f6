"""Reading what cachegrind wrote."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from maxcode.evaluate.profile.cachegrind import CachegrindCounts, LineCounts, read_cachegrind

REPORT = """\
desc: I1 cache: 32768 B, 64 B, 8-way associative
cmd: /box/program
events: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw
fl=/box/src/main.cpp
fn=main
3 100 1 1 50 5 2 20 1 1
7 900 0 0 300 40 30 10 0 4
fn=helper
7 50 0 0 1 0 0 0 0 0
fl=/usr/include/c++/13/vector
fn=std::vector::push_back
12 5000 0 0 0 0 0 0 0 0
fi=/box/src/util.h
2 30
fe=/box/src/main.cpp
3 5
0 77 0 0 0 0 0 0 0 0
summary: 6162 1 1 351 45 32 30 1 5
"""


def test_counts_are_summed_by_line_and_the_largest_comes_first() -> None:
    assert read_cachegrind(REPORT).lines == [
        LineCounts("main.cpp", 7, 950, 34),
        LineCounts("main.cpp", 3, 105, 3),
        LineCounts("util.h", 2, 30, 0),
    ]


def test_functions_are_counted_with_libraries_included() -> None:
    found = read_cachegrind(REPORT)
    assert found.functions == [("std::vector::push_back", 5112), ("main", 1000), ("helper", 50)]
    assert found.instructions == 6162


def test_files_that_are_not_the_candidates_are_left_out() -> None:
    assert all(counts.file in ("main.cpp", "util.h") for counts in read_cachegrind(REPORT).lines)


def test_report_without_cache_simulation_has_no_misses() -> None:
    assert read_cachegrind("events: Ir\nfl=/box/src/a.c\nfn=f\n4 12\n").lines == [LineCounts("a.c", 4, 12, 0)]


def test_nothing_is_read_from_nothing() -> None:
    assert read_cachegrind("") == CachegrindCounts([], [])


@given(st.dictionaries(st.integers(1, 50), st.lists(st.integers(0, 1000), min_size=1, max_size=3), max_size=10))
def test_no_count_is_lost(lines: dict[int, list[int]]) -> None:
    text = "events: Ir\nfl=/box/src/a.c\n" + "".join(f"{n} {c}\n" for n, counts in lines.items() for c in counts)
    found = read_cachegrind(text).lines
    assert {counts.line: counts.instructions for counts in found} == {n: sum(counts) for n, counts in lines.items()}
    assert [c.instructions for c in found] == sorted((c.instructions for c in found), reverse=True)
