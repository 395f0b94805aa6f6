"""Reading what the compiler says about loops."""

from __future__ import annotations

from maxcode.evaluate.profile.facts import REMARKS, read_remarks

LOG = """\
/box/src/main.cpp:5:23: optimized: loop vectorized using 32 byte vectors
/box/src/main.cpp:5:23: missed: couldn't vectorize loop
/box/src/main.cpp:9:5: missed: couldn't vectorize loop
/box/src/main.cpp:11:14: missed: not vectorized: complicated access pattern.
/box/src/main.cpp:20:3: missed: couldn't vectorize loop
/box/src/main.cpp:20:3: missed: not vectorized: control flow in loop.
/usr/include/c++/13/vector:100:1: missed: couldn't vectorize loop
/box/src/main.cpp:30:1: note: vectorized 1 loops in function.
"""


def test_each_loop_has_one_fact_with_its_line() -> None:
    facts = [(fact.kind, fact.file, fact.line, fact.text) for fact in read_remarks(LOG)]
    assert facts == [
        ("vectorized", "main.cpp", 5, "loop vectorized using 32 byte vectors"),
        ("not_vectorized", "main.cpp", 9, "couldn't vectorize loop"),
        ("not_vectorized", "main.cpp", 11, "complicated access pattern."),
        ("not_vectorized", "main.cpp", 20, "control flow in loop."),
    ]


def test_a_loop_that_was_vectorised_in_the_end_counts_as_vectorised() -> None:
    log = "/box/src/a.c:3:1: missed: not vectorized: bad data ref.\n/box/src/a.c:3:1: optimized: loop vectorized\n"
    assert [fact.kind for fact in read_remarks(log)] == ["vectorized"]


def test_headers_of_the_system_are_left_out() -> None:
    assert all(fact.file == "main.cpp" for fact in read_remarks(LOG))


def test_other_words_of_the_compiler_are_no_facts() -> None:
    assert read_remarks("/box/src/a.c:3:1: optimized: loop unrolled 7 times\nplain text\n") == []


def test_facts_are_few() -> None:
    log = "".join(f"/box/src/a.c:{n}:1: missed: couldn't vectorize loop\n" for n in range(1, 100))
    assert len(read_remarks(log)) == REMARKS
