"""Inputs made from given ones: their beginnings, and what the original makes of them."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from maxcode.authoring.input_format import format_of
from maxcode.authoring.new import SUFFIXES
from maxcode.format import infer, shortened
from maxcode.kinds.program.derive import Derived, DerivedTest, derive, variants
from maxcode.kinds.program.oracle import FAILS, SILENT, UNSOUND, UNSTEADY, Oracle
from maxcode.kinds.program.setup import set_up
from maxcode.task.kind import NewOptions

SUM = """\
#include <stdio.h>
int main(void) {
    int n, sum = 0;
    if (scanf("%d", &n) != 1) return 1;
    for (int i = 0; i < n; i++) { int v; scanf("%d", &v); sum += v * (i + 1); }
    if (n > 3) puts("long");
    printf("%d\\n", sum);
    return 0;
}
"""
HASHED = "print(list({'a', 'b', 'c', 'd', 'e'}))\n"
READS_ON = b"5\n1\n2\n"


@pytest.mark.parametrize(
    ("text", "half"),
    [
        ("4\n9\n8\n7\n6\n", "2\n9\n8\n"),
        ("4\n9 8 7 6\n", "2\n9 8\n"),
        ("4 2\n9\n8\n7\n6\nx y\nz u\n", "2 1\n9\n8\nx y\n"),
        ("one\ntwo\nthree\nfour\n", "one\ntwo\n"),
        ("5 7\n1 2\n3 4\n", None),
        ("0.5\n0.7\n", None),
        ("".join(f"{i * 37 % 61}\n" for i in range(60)), "".join(f"{i * 37 % 61}\n" for i in range(30))),
        ("", None),
        ("word", None),
    ],
    ids=[
        "lines",
        "one line",
        "two counts",
        "words",
        "header that counts something else",
        "no header",
        "long list",
        "empty",
        "word",
    ],
)
def test_an_input_is_cut_only_where_it_is_clear_how(text: str, half: str | None) -> None:
    assert shortened(infer([text]), 0.5) == half


@contextmanager
def oracle_of(source: Path, flags: tuple[str, ...] | None = None) -> Iterator[Oracle]:
    with tempfile.TemporaryDirectory() as scratch:
        wanted = NewOptions(flags=flags)
        setup, _ = set_up(source, SUFFIXES[source.suffix], wanted, Path(scratch) / "program")
        with Oracle(setup, Path(scratch)) as oracle:
            yield oracle


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("oracle")
    (made / "sum.c").write_text(SUM)
    (made / "hashed.py").write_text(HASHED)
    (made / "given.txt").write_text("12\n" + "".join(f"{37 * i % 101}\n" for i in range(12)))
    return made


def test_an_input_that_is_read_past_its_end_is_no_test(folder: Path) -> None:
    with oracle_of(folder / "sum.c") as oracle:
        good, short, nothing = oracle.judged([b"2\n1\n2\n", READS_ON, b""])
    assert good.refused is None
    assert good.reached
    assert short.refused == UNSOUND
    assert nothing.refused == FAILS


def test_sanitizers_look_at_large_inputs_too(folder: Path) -> None:
    (folder / "table.c").write_text(
        "#include <stdio.h>\n#include <stdlib.h>\n"
        'int main(void) { int n; if (scanf("%d", &n) != 1) return 1;\n'
        '    char *p = calloc(8, 1); printf("%d\\n", p[n] + n); return 0; }\n'
    )
    with oracle_of(folder / "table.c") as oracle:
        inside, past = oracle.judged([b"7\n", b"9\n"], "bounded")
        assert oracle.lacking == ()
    assert inside.refused is None
    assert past.refused == UNSOUND


def test_a_share_below_all_is_not_rounded_to_all() -> None:
    made = DerivedTest(b"1\n", b"1\n")
    found = Derived([made], 0, 0.999, refused=Counter({"the original prints nothing": 1})).words()
    assert "(all together 99%)" in found
    assert "; 1 input dropped: the original prints nothing." in found


def test_what_no_build_looks_for_is_said() -> None:
    assert "no build that would: reads past the end" in Derived([], 0, 1.0, lacking=("reads past the end",)).words()


def test_answers_that_hang_on_the_hash_seed_are_no_tests(folder: Path) -> None:
    with oracle_of(folder / "hashed.py") as oracle:
        (answered,) = oracle.judged([b"x\n"])
    assert answered.refused == UNSTEADY


def test_silence_is_no_test(folder: Path) -> None:
    (folder / "silent.py").write_text("pass\n")
    with oracle_of(folder / "silent.py") as oracle:
        (answered,) = oracle.judged([b"x\n"])
    assert answered.refused == SILENT


def test_values_that_were_never_set_are_found(folder: Path) -> None:
    (folder / "unset.c").write_text(
        "#include <stdio.h>\n#include <stdlib.h>\n"
        'int main(void) { int *p = malloc(40); if (p[3] == 77) puts("x"); puts("y"); return 0; }\n'
    )
    with oracle_of(folder / "unset.c", ("-O0",)) as oracle:
        assert oracle.sound([b"1\n"]) == [False]


def test_tests_reach_what_the_workload_reaches(folder: Path) -> None:
    with oracle_of(folder / "sum.c") as oracle:
        given = folder / "given.txt"
        oracle.must_answer(given)
        made = derive(oracle, format_of([given]), oracle.reached(given))
        timed = variants(oracle, format_of([given]), given)
    assert made.share_reached == 1
    assert 0 < made.reaching <= len(made.tests)
    assert f"{len(made.tests)} tests derived, which" in made.words()
    assert f": {made.reaching} run" in made.words()
    assert given.read_bytes() not in timed
