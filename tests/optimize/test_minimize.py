"""The smallest diff that keeps the speedup, with an evaluator that knows which lines matter."""

from __future__ import annotations

import asyncio
from math import exp, log, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maxcode.core import Candidate, Measurement, Outcome, Status, Verdict
from maxcode.kinds.kernel.table import Kernel
from maxcode.optimize.minimize import Hunk, Minimized, allowance, apply_hunks, hunks_of, made, minimize, parts_of
from maxcode.task import Task, load_task
from tests.conftest import SMALL_TASK

TASK = load_task(SMALL_TASK)
BASE = TASK.baseline_candidate.files[TASK.main_file].splitlines(keepends=True)


def outcome(candidate: Candidate, speedup: float, status: Status = Status.OK) -> Outcome:
    """Timed against the winner: a ratio of 1 is a tie, what is below is slower."""
    measured = Measurement(
        samples=(),
        clock="cpu",
        method="exclusive",
        verdict=Verdict.SLOWER if speedup < 0.999 else Verdict.TIE,
        speedup=speedup,
        ci_low=speedup * 0.99,
        ci_high=speedup * 1.01,
        alpha=0.01,
        machine="none",
    )
    ok = status is Status.OK
    return Outcome(candidate=candidate.id, task=TASK.hash, status=status, measurement=measured if ok else None)


def changed(*marks: str) -> Candidate:
    """The baseline with a mark of its own before every second line."""
    lines = []
    for number, line in enumerate(BASE):
        mark = f"// {marks[number // 2]}\n" if number % 2 == 0 and number // 2 < len(marks) else ""
        lines.append(mark + line)
    return TASK.candidate("".join(lines))


def reduce(best: Candidate, gains: dict[str, float], needs: tuple[str, str] | None = None) -> Minimized:
    whole = prod(gains.values())

    async def judge(candidate: Candidate) -> Outcome:
        text = candidate.files[TASK.main_file]
        if needs and f"// {needs[0]}\n" in text and f"// {needs[1]}\n" not in text:
            return outcome(candidate, 0, Status.WRONG)
        speedup = 1.0
        for mark, gain in gains.items():
            speedup *= gain if f"// {mark}\n" in text else 1.0
        return outcome(candidate, speedup / whole)

    return asyncio.run(minimize(TASK, best, whole, judge))


def marks_of(found: Minimized) -> list[str]:
    text = found.candidate.files[TASK.main_file]
    return [line[3:].strip() for line in text.splitlines() if line.startswith("// m")]


@given(st.lists(st.sampled_from(["keep", "drop", "change"]), min_size=len(BASE), max_size=len(BASE)))
@settings(max_examples=40)
def test_all_hunks_together_give_back_the_program(what: list[str]) -> None:
    lines = [{"keep": line, "drop": "", "change": f"// {line}"}[w] for line, w in zip(BASE, what, strict=True)]
    best = TASK.candidate("".join(lines))
    assert apply_hunks(TASK, hunks_of(TASK, best)).files == best.files
    assert apply_hunks(TASK, []).files == TASK.baseline_candidate.files
    pieces = [part for hunk in hunks_of(TASK, best) for part in parts_of(TASK, hunk)]
    assert apply_hunks(TASK, pieces).files == best.files


def test_a_line_that_is_not_needed_goes_from_within_a_hunk() -> None:
    first, *rest = BASE
    best = TASK.candidate("".join(["// m0\n", first.replace("\n", " // m1\n"), "// m2\n", *rest]))
    assert len(hunks_of(TASK, best)) == 1

    async def judge(candidate: Candidate) -> Outcome:
        return outcome(candidate, 1.0 if "// m1\n" in candidate.files[TASK.main_file] else 0.3)

    found = asyncio.run(minimize(TASK, best, 3.0, judge))
    assert found.candidate.files[TASK.main_file] == "".join([first.replace("\n", " // m1\n"), *rest])


def test_inserted_definitions_are_pieces_of_their_own() -> None:
    lines = (
        "struct A {\n",
        "};\n",
        "\n",
        "// B is next.\n",
        "struct B {\n",
        "    int x;\n",
        "\n",
        "    int y;\n",
        "};\n",
    )
    assert [part.lines for part in parts_of(TASK, Hunk(TASK.main_file, 1, 1, lines))] == [lines[:3], lines[3:]]


@pytest.mark.parametrize("which", range(6))
def test_only_the_hunk_that_matters_is_kept(which: int) -> None:
    marks = [f"m{i}" for i in range(6)]
    found = reduce(changed(*marks), {f"m{which}": 3.0})
    assert marks_of(found) == [f"m{which}"]
    assert (found.hunks_before, found.hunks_after) == (6, 1)


def test_two_hunks_that_matter_are_both_kept_with_their_gains() -> None:
    found = reduce(changed(*[f"m{i}" for i in range(6)]), {"m1": 2.0, "m4": 1.5})
    assert marks_of(found) == ["m1", "m4"]
    assert [round(gain.factor or 0, 3) for gain in found.gains] == [2.0, 1.5]


def test_a_hunk_that_another_needs_is_kept_and_named_as_needed() -> None:
    found = reduce(changed(*[f"m{i}" for i in range(4)]), {"m1": 2.0}, needs=("m1", "m3"))
    assert marks_of(found) == ["m1", "m3"]
    assert [gain.without for gain in found.gains if gain.factor is None] == ["wrong"]


def test_evaluations_stay_within_the_limit() -> None:
    calls = 0

    async def judge(candidate: Candidate) -> Outcome:
        nonlocal calls
        calls += 1
        return outcome(candidate, 1.0 if candidate.files == best.files else 0.5)

    best = changed(*[f"m{i}" for i in range(10)])
    found = asyncio.run(minimize(TASK, best, 2.0, judge, most=7))
    assert calls <= 7
    assert found.candidate.files == best.files


def test_a_hunk_may_go_whose_part_in_the_gain_is_small() -> None:
    assert marks_of(reduce(changed("m0", "m1"), {"m0": 10.0, "m1": 1.1})) == ["m0"]
    assert marks_of(reduce(changed("m0", "m1"), {"m0": 1.1, "m1": 1.1})) == ["m0", "m1"]


def test_what_is_left_is_told_as_it_shrinks() -> None:
    seen: list[tuple[int, int]] = []

    async def judge(candidate: Candidate) -> Outcome:
        return outcome(candidate, 1.0 if "// m3\n" in candidate.files[TASK.main_file] else 0.5)

    best = changed(*[f"m{i}" for i in range(6)])
    found = asyncio.run(minimize(TASK, best, 2.0, judge, watch=lambda *now: seen.append(now)))
    left = [hunks for hunks, _ in seen if hunks]
    assert left == sorted(left, reverse=True)
    assert left[-1] == found.hunks_after == 1
    assert max(evaluations for _, evaluations in seen) <= found.evaluations


def test_the_winner_takes_the_baselines_place_and_the_old_one_says_what_is_right() -> None:
    kernel = load_task(SMALL_TASK.parent / "smooth")
    winner = kernel.candidate(kernel.baseline_candidate.files[kernel.main_file] + "// faster\n")
    variant = kernel.kind.against(kernel, winner)
    assert variant is not None
    with made(kernel, variant) as duel:
        assert duel.baseline_candidate.files == winner.files
        reference = duel.table(Kernel).reference
        assert reference is not None
        assert duel.read(reference) == kernel.baseline_candidate.files[kernel.main_file]
        folder = duel.folder
    assert not folder.exists()


def test_other_sizes_are_sizes_the_task_does_not_have(small_task: Task) -> None:
    arguments = [w.arguments for w in small_task.workloads]
    variants = small_task.kind.sizes(small_task)
    assert variants
    for variant in variants:
        with made(small_task, variant) as other:
            assert [w.arguments for w in other.workloads] != arguments
            assert other.hash != small_task.hash


def test_inputs_that_are_files_are_cut(small_task: Task) -> None:
    (small_task.folder / "numbers.txt").write_text("8\n" + "".join(f"{i}\n" for i in range(8)))
    files = load_task(small_task.folder, {"workloads": [{"name": "numbers", "input": "numbers.txt"}]})
    texts = []
    for variant in files.kind.sizes(files):
        with made(files, variant) as other:
            texts += [other.read(str(workload.input)) for workload in other.workloads]
    assert texts == ["4\n0\n1\n2\n3\n", "2\n0\n1\n"]


def test_inputs_that_do_not_say_how_to_cut_them_are_left_alone(small_task: Task) -> None:
    (small_task.folder / "graph.txt").write_text("3 2\n1 2\n2 3\n" * 5)
    (small_task.folder / "image.bin").write_bytes(bytes(range(256)))
    for name in ("graph.txt", "image.bin"):
        task = load_task(small_task.folder, {"workloads": [{"name": "w", "input": name}]})
        assert task.kind.sizes(task) == []


@pytest.mark.parametrize(("speedup", "least", "most"), [(1.05, 1.03, 1.049), (1.35, 1.32, 1.34), (10.0, 8.5, 9.5)])
def test_a_smaller_diff_may_lose_two_per_cent_or_a_share_of_the_gain(speedup: float, least: float, most: float) -> None:
    assert least < speedup / exp(allowance(log(speedup))) < most
