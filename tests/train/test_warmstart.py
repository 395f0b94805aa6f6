"""Warm starts: demonstrations, what is taken of them, and that a model learns from them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from maxcode.core import InputError
from maxcode.evaluate.pool import LocalPool
from maxcode.policy.extract import extract
from maxcode.train.base import tiny_model
from maxcode.train.grpo.config import Actions, preset
from maxcode.train.grpo.prompts import compact, prompt_for
from maxcode.train.grpo.rollout import write_programs
from maxcode.train.grpo.tasks import named_task
from maxcode.train.masks import EVERYTHING, Mask
from maxcode.train.problem import MaskedTask
from maxcode.train.reward.reward import Rewards, fixed_ceiling
from maxcode.train.warmstart import (
    Demonstration,
    _loss,
    better_share,
    explore,
    keep_demonstrations,
    lessons,
    read_demonstrations,
    taught,
)

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("one_thread")]
torch = pytest.importorskip("torch", reason="needs the extra `train`")
pytest.importorskip("transformers", reason="needs the extra `train`")

SPEC = "hpc:dgemm:m=24,n=24,k=24"
PROGRAM = "void dgemm(int m, int n, int k, const double *a, const double *b, double *c) {}\n"
WORKING = (
    "void dgemm(int m,int n,int k,const double*a,const double*b,double*c){for(int i=0;i<m*n;i++)c[i]=0;"
    "for(int i=0;i<m;i++)for(int p=0;p<k;p++)for(int j=0;j<n;j++)c[i*n+j]+=a[i*k+p]*b[p*n+j];}\n"
)


def demonstration(
    reward: float = 50.0, program: str = PROGRAM, names: tuple[str, ...] = ("tile", "stop")
) -> Demonstration:
    return Demonstration(task=SPEC, names=names, program=program, reward=reward)


def problem_of(each: Demonstration) -> MaskedTask:
    return MaskedTask(task=named_task(each.task), mask=each.mask)


def test_demonstrations_are_read_as_they_were_written(tmp_path: Path) -> None:
    found = [demonstration(), demonstration(60.0, names=())]
    assert keep_demonstrations(tmp_path / "new/d.jsonl", found) == 2
    assert read_demonstrations(tmp_path / "new/d.jsonl") == found


def test_a_broken_file_says_where(tmp_path: Path) -> None:
    file = tmp_path / "d.jsonl"
    file.write_text(demonstration().model_dump_json() + "\n{}\n")
    with pytest.raises(InputError, match=r"d\.jsonl:2: not a demonstration"):
        read_demonstrations(file)
    file.write_text("")
    with pytest.raises(InputError, match="has no demonstrations"):
        read_demonstrations(file)


def test_the_better_share_of_each_problem_is_taken_once() -> None:
    found = [demonstration(reward, f"{PROGRAM}// {reward}\n") for reward in (10.0, 40.0, 20.0, 30.0)]
    assert [each.reward for each in better_share([*found, *found], 0.5)] == [40.0, 30.0]
    assert len(better_share(found, 0.01)) == 1


def test_a_compact_program_has_the_same_tokens_without_comments() -> None:
    text = "/* a\n b */\nint f(void) { // c\n\n    int x = 1;\n        return x; /* d */\n}\n"
    assert compact(text) == "int f(void) {\n int x = 1;\n  return x;\n}\n"


async def _explored(count: int) -> list[Demonstration]:
    problem = problem_of(demonstration())
    async with LocalPool() as pool, Rewards(pool, ceiling=fixed_ceiling(16.0)) as rewards:
        return await explore([(SPEC, problem)], rewards, episodes=count, turns=2, variants=1, seed=1)


def test_exploring_finds_programs_that_work_by_paths_that_can_be_retold() -> None:
    found = asyncio.run(_explored(3))
    config = preset("tiny", Actions.NAMED, turns=2)
    assert found
    assert all(each.gflops and each.reward > 0 and each.mask == EVERYTHING for each in found)
    assert len(list(lessons(found, config, tiny_model()[1], problem_of))) == len(found)


def test_a_lesson_in_whole_programs_holds_the_program() -> None:
    tokenizer = tiny_model()[1]
    config = preset("tiny", Actions.PROGRAMS, max_tokens=200)
    (lesson,) = lessons([demonstration()], config, tokenizer, problem_of)
    task = named_task(SPEC)
    read = extract(
        tokenizer.decode(lesson.answer, skip_special_tokens=True), task.baseline_candidate.files, task.main_file
    )
    assert read.files == {task.main_file: PROGRAM}
    assert not list(lessons([demonstration()], preset("tiny", Actions.PROGRAMS, max_tokens=20), tokenizer, problem_of))


@pytest.mark.parametrize("actions", Actions)
def test_a_model_learns_what_it_is_shown(actions: Actions) -> None:
    model, tokenizer = tiny_model()
    config = preset("tiny", actions, max_tokens=200)
    found = list(lessons([demonstration()], config, tokenizer, problem_of))
    losses = taught(model, tokenizer, found, epochs=12, learning_rate=1e-2, seed=0)
    assert len(losses) == 12
    assert losses[-1] < 0.5 * losses[0]


async def _earned(problem: MaskedTask, answers: list[str]) -> list[str]:
    async with LocalPool() as pool, Rewards(pool, ceiling=fixed_ceiling(16.0)) as rewards:
        return [each.tier for each in await rewards.score(problem, answers) if each is not None]


def test_a_model_that_was_shown_a_program_writes_it_and_is_rewarded() -> None:
    """From nothing to a reward: a lesson, its program written by the model, built and timed."""
    model, tokenizer = tiny_model()
    config = preset("tiny", Actions.PROGRAMS, max_tokens=220, show_program=False, temperature=0.0)
    shown = demonstration(program=WORKING)
    problem = problem_of(shown)
    taught(
        model, tokenizer, list(lessons([shown], config, tokenizer, problem_of)), epochs=90, learning_rate=5e-3, seed=0
    )
    heard: list[int] = []
    prompts = [prompt_for(config, problem.judged, EVERYTHING)] * 2
    rolled = write_programs(model, tokenizer, config, prompts, 0, lambda row, _: heard.append(row))
    assert heard == [0, 1], "each answer is reported as it ends"
    assert asyncio.run(_earned(problem, rolled.answers)) == ["ok", "ok"]


def test_paths_that_the_menu_does_not_offer_are_left_out() -> None:
    config = preset("tiny", Actions.NAMED)
    assert not list(lessons([demonstration(names=("no-such-step",))], config, tiny_model()[1], problem_of))


def test_a_gradient_that_is_not_a_number_changes_no_weight(monkeypatch: pytest.MonkeyPatch) -> None:
    model, tokenizer = tiny_model()
    config = preset("tiny", Actions.PROGRAMS, max_tokens=220, show_program=False)
    found = list(lessons([demonstration()], config, tokenizer, problem_of))
    before = [each.detach().clone() for each in model.parameters()]
    lost = lambda model, *_: sum(each.sum() for each in model.parameters()) * float("nan")  # noqa: E731
    monkeypatch.setattr("maxcode.train.warmstart._loss", lost)
    taught(model, tokenizer, found, epochs=1, learning_rate=1e-2, seed=0)
    assert all(torch.equal(a, b) for a, b in zip(before, model.parameters(), strict=True))


def test_padding_is_never_before_a_prompt_and_changes_no_score() -> None:
    """A token that may attend to nothing gets whatever the kernel makes of a softmax over nothing."""
    model, tokenizer = tiny_model()
    config = preset("tiny", Actions.PROGRAMS, max_tokens=220, show_program=False)
    short, long = (next(lessons([each], config, tokenizer, problem_of)) for each in (demonstration(), other_mask()))
    assert len(short.prompt) != len(long.prompt)
    first: list[int] = []
    model.get_input_embeddings().register_forward_hook(lambda _, given, __: first.extend(given[0][:, 0].tolist()))
    together = _loss(model, tokenizer, [short, long])
    assert tokenizer.pad_token_id not in first
    alone = [_loss(model, tokenizer, [each]) * len(each.answer) for each in (short, long)]
    assert together.item() == pytest.approx((sum(alone) / (len(short.answer) + len(long.answer))).item(), rel=1e-4)


def other_mask() -> Demonstration:
    return demonstration(program=WORKING).model_copy(update={"mask": Mask(name="cache", permitted=("cache_blocking",))})
