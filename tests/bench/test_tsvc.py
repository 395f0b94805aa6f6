"""Loops in the layout of TSVC_2: one pass can be changed, none can be left out."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from typer.testing import CliRunner

from maxcode.bench.suites.making.loading import made_side_by_side
from maxcode.bench.suites.making.problem import Refused
from maxcode.bench.suites.tsvc.loops import make_tsvc, passes_for, read_tsvc
from maxcode.bench.suites.tsvc.source import parse, split, statements, take_apart
from maxcode.cli.main import app
from maxcode.core import InputError, Outcome, Status
from maxcode.evaluate.pool import LocalPool
from maxcode.task import load_task
from tests.bench.packages import write

HEADER = """#include <sys/time.h>
#define iterations 1000
#define LEN_1D 8000
#define LEN_2D 128
typedef float real_t;
struct args_t { struct timeval t1; struct timeval t2; void * arg_info; };
int dummy(real_t *, real_t *, real_t *, real_t);
void init(int ** ip, real_t * s1);
int initialise_arrays(const char * name);
real_t calc_checksum(const char * name);
"""
ARRAYS = """extern __attribute__((aligned(64))) real_t a[LEN_1D], b[LEN_1D], aa[LEN_2D][LEN_2D], flat[LEN_2D*LEN_2D];
extern real_t * xx;
"""
DUMMY = '#include "common.h"\nint dummy(real_t * a, real_t * b, real_t * c, real_t s) { return 0; }\n'
COMMON = """#include <stdio.h>
#include <stdlib.h>
#include "common.h"
#include "array_defs.h"
void init(int ** ip, real_t * s1) {
    *ip = malloc(LEN_1D * sizeof(int));
    for (int i = 0; i < LEN_1D; i++) (*ip)[i] = LEN_1D - 1 - i;
    *s1 = 2;
}
int initialise_arrays(const char * name) {
    printf("%s\\t", name);
    for (int i = 0; i < LEN_1D; i++) { a[i] = 1; b[i] = 1 + i % 7; }
    for (int i = 0; i < LEN_2D; i++) for (int j = 0; j < LEN_2D; j++) aa[i][j] = 1 + i;
    return 0;
}
real_t calc_checksum(const char * name) { return a[0]; }
"""


def loop(name: str, inner: str, *, once: str = "", passed: str = "0.", given: str = "calc_checksum(__func__)") -> str:
    return f"""
//int {name}(...) {{
real_t {name}(struct args_t * func_args)
{{
    {once.partition("|")[0]}
    initialise_arrays(__func__);
    gettimeofday(&func_args->t1, NULL);

    {once.partition("|")[2]}
    for (int nl = 0; nl < 2*iterations; nl++) {{
{inner}
        dummy(a, b, (real_t*)aa, {passed});
    }}

    gettimeofday(&func_args->t2, NULL);
    return {given};
}}
"""


LOOPS = {
    "copied": loop("copied", "        for (int i = 0; i < LEN_1D; i++) {\n            a[i] = b[i] + 1;\n        }"),
    "diagonal": loop("diagonal", "        for (int i = 0; i < LEN_2D; i++) aa[i][i] += b[i];"),
    "cubed": loop("cubed", "        for (int i = 0; i < LEN_1D; i++) a[i] = powf(b[i], 3);"),
    "summed": loop(
        "summed",
        "        sum = 0;\n        for (int i = 0; i < LEN_1D; i++) sum += part(b, ip[i]) * (real_t)k;",
        once="int * ip = func_args->arg_info;|real_t sum; int k = 3;",
        passed="sum",
        given="sum",
    ),
    "packed": loop(
        "packed",
        "        for (int i = 0; i < LEN_1D / 2; i++) flat[i] = xx[i] * m->s;",
        once="struct{int n; real_t s;} * m = func_args->arg_info;|xx = flat; for (int i = 0; i < 9; i++) xx[i] = i;",
    ),
    "still": loop("still", "        for (int i = 0; i < LEN_1D; i++) if (b[i] < 0) a[i] = 0;"),
    "constant": loop("constant", "        q = 1;\n        for (int i = 0; i < 9; i++) q *= 2;", once="|real_t q;"),
    "uncalled": loop("uncalled", "        a[0] = b[0];"),
    "needy": loop("needy", "        for (int i = 0; i < LEN_1D; i++) a[i] = absent[i];"),
    "odd": "\nreal_t odd(struct args_t * func_args) { return a[0]; }\n",
}
SOURCE = """/* A suite { of loops. */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include "common.h"
#include "array_defs.h"
__attribute__((aligned(64))) real_t flat[LEN_2D*LEN_2D];
__attribute__((aligned(64))) real_t a[LEN_1D], b[LEN_1D],
    aa[LEN_2D][LEN_2D];
real_t * xx;
real_t part(real_t * v, int i) {
    return v[i];
}
%s
typedef real_t(*test_function_t)(struct args_t *);
void time_function(test_function_t function, void * arg_info)
{
    struct args_t func_args = {.arg_info=arg_info};
    printf("%%f\\n", function(&func_args));
}
int main(int argc, char ** argv){
    int n1 = 1;
    int* ip;
    real_t s1;
    init(&ip, &s1);
    printf("Loop\\n");
    time_function(&copied, NULL);
    time_function(&diagonal, NULL);
    time_function(&cubed, NULL);
    time_function(&summed, ip);
    time_function(&packed, &(struct{int n; real_t s;}){n1, s1});
    time_function(&still, NULL);
    time_function(&constant, NULL);
    time_function(&needy, NULL);
    time_function(&odd, NULL);
    return 0;
}
"""


def checkout(folder: Path, *names: str) -> Path:
    write(folder / "src/tsvc.c", SOURCE % "".join(LOOPS[name] for name in names))
    for name, text in {"common.h": HEADER, "array_defs.h": ARRAYS, "common.c": COMMON, "dummy.c": DUMMY}.items():
        write(folder / "src" / name, text)
    return folder


@pytest.mark.long
def test_loops_become_tasks_and_what_cannot_be_used_is_told(tmp_path: Path) -> None:
    suite = made_side_by_side(read_tsvc(checkout(tmp_path, *LOOPS)), make_tsvc)
    assert [each.name for each in suite.tasks] == ["copied", "diagonal", "cubed", "summed", "packed"], suite.messages
    told = dict(message.split(": left out: ") for message in suite.messages)
    assert list(told) == ["still", "constant", "uncalled", "needy", "odd"]
    assert told["still"] == "with its data, it changes no array and gives the same for every seed"
    assert told["constant"] == "it works on none of the arrays, so that its result is always the same"
    assert told["uncalled"] == "main does not call it with time_function(...)"
    assert told["needy"].startswith("the program does not compile: ") and "absent" in told["needy"]
    assert told["odd"].startswith("has no initialise_arrays(...)")


def outcomes(folder: Path, name: str, *changes: tuple[str, str]) -> list[Outcome]:
    task = load_task(made_side_by_side(read_tsvc(checkout(folder, name)), make_tsvc).tasks[0].folder or "")
    assert task.main_file == "kernel.c"
    before = task.read("kernel.c")
    assert all(old in before for old, _ in changes), before

    async def ask() -> list[Outcome]:
        async with LocalPool() as pool:
            return await pool(task, [task.candidate(before.replace(*change)) for change in changes])

    return asyncio.run(ask())


@pytest.mark.timing
@pytest.mark.long
def test_a_faster_pass_is_faster(tmp_path: Path) -> None:
    cheap, bound = ("powf(b[i], 3)", "b[i] * b[i] * b[i]"), ("i < LEN_1D;", "i < LEN_1D - 1;")
    fast, lazy = outcomes(tmp_path, "cubed", cheap, bound)
    assert fast.status is Status.OK and fast.measurement and fast.measurement.ci_low > 1, fast
    assert lazy.status is Status.WRONG


@pytest.mark.long
def test_passes_cannot_be_left_out_though_each_does_the_same(tmp_path: Path) -> None:
    first = "static int done; if (done++) return 0;\n    for"
    second = "static int done; if (done++ % 2) return 0;\n    for"
    found = outcomes(tmp_path, "copied", ("for", first), ("for", second))
    assert [each.status for each in found] == [Status.WRONG] * 2


@pytest.mark.long
def test_a_pass_that_touches_little_cannot_be_left_out_either(tmp_path: Path) -> None:
    (found,) = outcomes(tmp_path, "diagonal", ("for", "static int done; if (done++ % 8) return 0;\n    for"))
    assert found.status is Status.WRONG


@pytest.mark.long
def test_a_sum_may_be_taken_in_another_order_but_not_over_fewer_elements(tmp_path: Path) -> None:
    loop = "for (int i = 0; i < LEN_1D; i++)"
    backwards, fewer = outcomes(
        tmp_path, "summed", (loop, "for (int i = LEN_1D - 1; i >= 0; i--)"), (loop, "for (int i = 9; i < LEN_1D; i++)")
    )
    assert backwards.status is Status.OK, backwards
    assert fewer.status is Status.WRONG


def test_one_pass_is_cut_out_with_what_it_calls() -> None:
    source = parse(SOURCE % (LOOPS["summed"] + LOOPS["packed"]))
    assert source.arrays == ["flat", "a", "b", "aa"]
    kernel, main = split(source, "summed")
    assert "real_t part(" in kernel and "return sum;" in kernel and "int k = 3;" in kernel
    assert not any(word in kernel for word in ("nl", "dummy", "gettimeofday", "initialise_arrays", "aligned"))
    assert ".arg_info = ip}" in main and "maxcode_run(&summed" in main and "part(" not in main
    kernel, main = split(source, "packed")
    assert "return 0.;" in kernel and "} * m = func_args" in kernel and "xx = flat" not in kernel
    assert "xx = flat;" in main and "xx[i] = i;" in main


def test_statements_are_told_apart() -> None:
    text = "struct{int a;int b;} * x = y; int k; for (int i = 0; i < 3; i++) { k = i; } k = 2;"
    expected = ["struct{int a;int b;} * x = y;", "int k;", "for (int i = 0; i < 3; i++) { k = i; }", "k = 2;"]
    assert statements(text) == expected


def test_a_loop_that_does_not_end_in_dummy_is_refused() -> None:
    body = parse(LOOPS["copied"].replace("0.);\n", "0.); a[0] = 1;\n")).functions["copied"].body
    with pytest.raises(Refused, match="as we know them"):
        take_apart(body)


@pytest.mark.parametrize(("each", "passes"), [(4e-6, 8192), (1e-4, 512), (3e-3, 16), (0.2, 1)])
def test_a_run_takes_some_tens_of_milliseconds(each: float, passes: int) -> None:
    assert passes_for(lambda passes: 0.002 + each * passes) == passes


def test_a_folder_that_is_not_tsvc_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"src/tsvc\.c"):
        read_tsvc(tmp_path)
    (checkout(tmp_path, "copied") / "src/dummy.c").unlink()
    with pytest.raises(InputError, match=r"src/dummy\.c"):
        read_tsvc(tmp_path)


def test_the_command_lists_what_it_made(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["bench", "tsvc", "--path", str(checkout(tmp_path, "copied")), "--only-load"])
    assert result.exit_code == 0 and "copied: 2 tests" in result.stdout, result.stderr
