import subprocess
import sys

from tally import counts, most_common


def test_nothing():
    assert counts([]) == {}
    assert most_common([], 3) == []


def test_one():
    assert counts(["a"]) == {"a": 1}


def test_several():
    assert counts(["a", "b", "a"]) == {"a": 2, "b": 1}


def test_order_is_that_of_first_sight():
    assert list(counts(["b", "a", "b"])) == ["b", "a"]


def test_most_common():
    assert most_common(["x", "y", "y"], 1) == [("y", 2)]


def test_ties_go_by_name():
    assert most_common(["b", "a", "c"], 2) == [("a", 1), ("b", 1)]


def test_sum():
    assert sum(counts(["a"] * 40 + ["b"] * 2).values()) == 42


def test_in_a_process_that_leaves_at_once():
    code = "import os, tally; os._exit(len(tally.counts(['a', 'b'])))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 2
