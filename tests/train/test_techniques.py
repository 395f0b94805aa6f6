"""Which techniques a program is seen to use: the labelled programs, evasions, and what is not there."""

from __future__ import annotations

import operator
import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import maxcode.policy.rewrite.compiler as compiler
import maxcode.policy.rewrite.loops as loops
import maxcode.policy.rewrite.memory as memory
from maxcode.train.techniques import Technique, libraries_of, techniques_of
from maxcode.train.techniques.integers import integer
from maxcode.train.techniques.macros import TokenBudget, expand, tokens
from tests.train.labelled import agreement, everything, labelled

LOOP = "for (int i = 0; i < n; i++) a[i] += b[i];"
KERNEL = "void k(int n, double *a, const double *b) {{ {} }}"


@pytest.mark.parametrize("half", ["dev", "held", "late"])
@pytest.mark.parametrize("what", everything())
def test_the_detector_agrees_with_the_labels(half: str, what: str) -> None:
    found = agreement(half, what)
    assert found.precision >= 0.95
    assert found.recall >= 0.95


def test_about_half_of_the_programs_were_held_out() -> None:
    halves = [each.half for each in labelled()]
    assert halves.count("dev") + halves.count("held") >= 60
    assert halves.count("held") >= 0.4 * (halves.count("dev") + halves.count("held"))


@pytest.mark.parametrize(
    ("source", "technique"),
    [
        ("#define P(x) _Pragma(#x)\n" + KERNEL.format("P(omp parallel for) " + LOOP), Technique.OPENMP),
        ("%:pragma omp parallel\n" + KERNEL.format(LOOP), Technique.OPENMP),
        ("#pragma om\\\np parallel\n" + KERNEL.format(LOOP), Technique.OPENMP),
        ("#define D omp\n#pragma D parallel for\n" + KERNEL.format(LOOP), Technique.OPENMP),
        (KERNEL.format("void (*f)(int) = omp_set_num_threads; f(2);"), Technique.OPENMP),
        (KERNEL.format("__builtin_ia32_storeupd256(a, __builtin_ia32_loadupd256(b));"), Technique.SIMD),
        ("#define E(f) _mm256##f\n" + KERNEL.format("E(_storeu_pd)(a, E(_loadu_pd)(b));"), Technique.SIMD),
        (KERNEL.format('__asm__("vaddpd %ymm0, %ymm1, %ymm2");'), Technique.SIMD),
        (KERNEL.format("double v __attribute__((vector_size(32))); a[0] = v[0];"), Technique.SIMD),
        ('__attribute__((optimize("-ftree-vectorize")))\n' + KERNEL.format(LOOP), Technique.SIMD),
        ('#pragma GCC optimize ("O3", "tree-loop-vectorize")\n' + KERNEL.format(LOOP), Technique.SIMD),
        ('__attribute__((target_clones("avx2", "default")))\n' + KERNEL.format(LOOP), Technique.SIMD),
        ("#if __GNUC__ >= 4\n#pragma GCC ivdep\n#endif\n" + KERNEL.format(LOOP), Technique.PRAGMAS),
        (KERNEL.format('_Pragma("GCC unroll 4") ' + LOOP), Technique.UNROLLING),
        ("static void h(void) { __m256d x; (void)x; }\n" + KERNEL.format("void (*p)(void) = h; p();"), Technique.SIMD),
    ],
)  # fmt: skip
def test_what_is_disguised_counts(source: str, technique: Technique) -> None:
    assert technique in techniques_of(source, "k")


@pytest.mark.parametrize(
    "source",
    [
        KERNEL.format("/* _mm256_add_pd */ // #pragma omp parallel\n" + LOOP),
        KERNEL.format('const char *s = "omp_get_num_threads _mm256_add_pd"; (void)s; ' + LOOP),
        "#if 0\n#pragma omp parallel for\n#endif\n" + KERNEL.format(LOOP),
        "#define OFF 0\n#if OFF || !1\n#pragma omp parallel for\n#endif\n" + KERNEL.format(LOOP),
        "#ifdef NOT_HERE\n#pragma GCC ivdep\n#endif\n" + KERNEL.format(LOOP),
        "static void never(void) { omp_set_num_threads(2); }\n" + KERNEL.format(LOOP),
        "void other(void) { omp_set_num_threads(2); }\n" + KERNEL.format(LOOP),
        "enum { ON = 0 };\n" + KERNEL.format("if (ON) omp_set_num_threads(2); " + LOOP),
        KERNEL.format(LOOP + " return; omp_set_num_threads(2);"),
        "#include <immintrin.h>\n#include <omp.h>\n#pragma once\n" + KERNEL.format(LOOP),
        KERNEL.format('__asm__ volatile("" ::: "memory"); _mm_prefetch(a, 0); ' + LOOP),
    ],
)
def test_what_is_not_used_does_not_count(source: str) -> None:
    assert techniques_of(source, "k") == frozenset()


def test_without_an_entry_every_visible_function_counts() -> None:
    assert Technique.OPENMP in techniques_of("void other(void) { omp_set_num_threads(2); }\n" + KERNEL.format(LOOP))


@pytest.mark.timing
def test_macros_that_hide_everything_count_as_everything() -> None:
    bomb = "#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(A(A(A(x))))))\nB(;)\n"
    started = time.monotonic()
    assert techniques_of(bomb + KERNEL.format(LOOP), "k") == frozenset(Technique)
    assert time.monotonic() - started < 10


@pytest.mark.parametrize(
    ("source", "library"),
    [
        ("#include <mkl_cblas.h>\n" + KERNEL.format(LOOP), "MKL"),
        ("extern void dgemm_();\n" + KERNEL.format("dgemm_();"), "BLAS"),
        (KERNEL.format('__asm__("call cblas_daxpy");'), "BLAS"),
        (KERNEL.format('((void (*)(void))dlsym(0, "daxpy_"))();'), "dlopen"),
        ("#include <Eigen/Core>\n" + KERNEL.format(LOOP), "Eigen"),
    ],
)
def test_libraries_are_seen(source: str, library: str) -> None:
    assert library in libraries_of(source, "k")


def test_a_function_of_ones_own_is_no_library() -> None:
    assert libraries_of("static void dgemm_(void) {}\n" + KERNEL.format("dgemm_();"), "k") == ()


EXPECTED = {
    "several-sums": {Technique.UNROLLING},
    "register-block": {Technique.REGISTER_BLOCKING},
    "unroll-and-jam": {Technique.REGISTER_BLOCKING},
    "tile": {Technique.CACHE_BLOCKING},
    "unroll": {Technique.UNROLLING},
    "ivdep": {Technique.PRAGMAS},
    "unroll-pragma": {Technique.UNROLLING},
    "simd-pragma": {Technique.SIMD},
    "fast-math": {Technique.PRAGMAS},
    "optimize-pragma": {Technique.PRAGMAS, Technique.UNROLLING},
    "target-pragma": {Technique.PRAGMAS, Technique.SIMD},
    "vector-width": {Technique.PRAGMAS, Technique.SIMD},
    "parallel-for": {Technique.OPENMP},
    "transposed-copy": {Technique.PACKING},
    "pack-panel": {Technique.PACKING, Technique.REGISTER_BLOCKING},
}


def test_what_the_rewriter_makes_is_recognised() -> None:
    """Its programs are what a warm start learns from: a mask must let through exactly those it permits."""
    made = [each for module in (loops, compiler, memory) for each in module.TRANSFORMATIONS]
    found = {each.name: set(techniques_of(each.example.after)) for each in made}
    assert {name: used for name, used in found.items() if used} == EXPECTED


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6))
def test_no_text_makes_it_fail(seed: int) -> None:
    chance = random.Random(seed)
    source = chance.choice(labelled()).source
    for _ in range(chance.randint(1, 4)):
        at, until = sorted(chance.randrange(len(source) + 1) for _ in range(2))
        source = (
            source[:at] + chance.choice(["", "(", "}", "#define x", '"', "\\\n", source[at:until]]) + source[until:]
        )
    assert techniques_of(source) <= frozenset(Technique)


@given(st.text(alphabet="ab_1 +()#\"'\n", max_size=40))
def test_without_macros_a_text_stays_as_it_is(text: str) -> None:
    assert "".join(expand(tokens(text), {}, TokenBudget())) == text


C_OPERATORS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "<": operator.lt,
    "==": operator.eq,
    "&&": lambda a, b: bool(a and b),
    "||": lambda a, b: bool(a or b),
}


@given(st.integers(-999, 999), st.integers(1, 999), st.sampled_from(sorted(C_OPERATORS)))
def test_integers_are_those_of_c(a: int, b: int, sign: str) -> None:
    assert integer(f"({a}) {sign} {b}u", {}) == int(C_OPERATORS[sign](a, b))
