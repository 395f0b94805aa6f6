"""A warm start: supervised training on programs that the rewriter found, before any reward is paid.

A model that cannot write the language earns the same for every answer and learns nothing. Demonstrations come from
recorded searches, or from random episodes over the rewriter's menu (`explore`), which cover many masks cheaply. Of
each problem only the better share is shown. For whole programs the loss is over the program's tokens, for named
actions over the choices under the grammar, exactly as GRPO sees them later.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from maxcode.core import Frozen, InputError
from maxcode.system.home import write_atomically
from maxcode.train.grpo.config import Actions, GrpoConfig
from maxcode.train.grpo.menu import STOP, menu
from maxcode.train.grpo.prompts import compact, fenced_as_is
from maxcode.train.masks import EVERYTHING, Mask
from maxcode.train.problem import MaskedTask
from maxcode.train.reward.reward import Rewards

BATCH = 8
ABREAST = 16
"""Programs that are handed to the evaluator at a time."""
NOT_SCORED = -100


class Demonstration(Frozen):
    """A correct program, and the names of the rewriter's steps that lead to it."""

    task: str
    """Name of the task, as in `--tasks`."""
    mask: Mask = EVERYTHING
    names: tuple[str, ...] = ()
    program: str
    reward: float
    gflops: float | None = None


def keep_demonstrations(file: Path, found: Iterable[Demonstration]) -> int:
    lines = [each.model_dump_json() + "\n" for each in found]
    write_atomically(file, "".join(lines).encode())
    return len(lines)


def read_demonstrations(file: Path) -> list[Demonstration]:
    found = []
    for number, line in enumerate(file.read_text().splitlines(), 1):
        try:
            found.append(Demonstration.model_validate_json(line))
        except ValidationError as error:
            raise InputError(f"{file}:{number}: not a demonstration ({error.errors()[0]['msg']}).") from None
    if not found:
        raise InputError(f"{file}: has no demonstrations; `maxcode rl explore` makes some.")
    return found


def random_path(problem: MaskedTask, turns: int, variants: int, rng: random.Random) -> tuple[tuple[str, ...], str]:
    """Names picked off the menu at random, and the program that they lead to."""
    task = problem.judged
    program = task.baseline_candidate.files[task.main_file]
    names: tuple[str, ...] = ()
    for _ in range(turns):
        offered = menu(problem, program, variants)
        name = rng.choice(list(offered))
        names += (name,)
        program = offered[name]
        if name == STOP:
            break
    return names, program


async def explore(
    problems: Sequence[tuple[str, MaskedTask]],
    rewards: Rewards,
    *,
    episodes: int,
    turns: int,
    variants: int,
    seed: int,
    watch: Callable[[int, int], None] = lambda *_: None,
) -> list[Demonstration]:
    """Plays random episodes on each problem in turn; returns the programs that are correct."""
    rng = random.Random(f"explore/{seed}")
    found: list[Demonstration] = []
    for start in range(0, episodes, ABREAST):
        turn = [problems[number % len(problems)] for number in range(start, min(start + ABREAST, episodes))]
        paths = [random_path(problem, turns, variants, rng) for _, problem in turn]
        earned = await asyncio.gather(
            *(rewards.score(problem, [fenced_as_is(path[1])]) for (_, problem), path in zip(turn, paths, strict=True))
        )
        for (spec, problem), (names, program), (one,) in zip(turn, paths, earned, strict=True):
            if one is not None and one.tier == "ok":
                found.append(
                    Demonstration(
                        task=spec,
                        mask=problem.mask,
                        names=names,
                        program=compact(program),
                        reward=one.reward,
                        gflops=one.gflops,
                    )
                )
        watch(start + len(turn), len(found))
    return found


def better_share(found: Iterable[Demonstration], share: float) -> list[Demonstration]:
    """The best `share` of each problem's demonstrations, without repetitions; at least one of each."""
    by_problem: dict[tuple[str, frozenset[str]], dict[str, Demonstration]] = {}
    for each in found:
        seen = by_problem.setdefault((each.task, frozenset(each.mask.permitted)), {})
        if each.program not in seen or seen[each.program].reward < each.reward:
            seen[each.program] = each
    ranked = [sorted(group.values(), key=lambda each: -each.reward) for group in by_problem.values()]
    return [each for group in ranked for each in group[: max(1, round(share * len(group)))]]


class Lesson(Frozen):
    """A demonstration in tokens. `choices` for named actions: at which tokens of the answer, and among which."""

    prompt: list[int]
    answer: list[int]
    choices: dict[int, list[int]] | None = None


def lessons(
    found: Sequence[Demonstration],
    config: GrpoConfig,
    tokenizer: Any,
    problem_of: Callable[[Demonstration], MaskedTask],
) -> Iterator[Lesson]:
    """Lessons from demonstrations. Programs that are too long, and names that the menu lacks, are left out."""
    from maxcode.train.grpo.episode import EpisodePlayer
    from maxcode.train.grpo.prompts import named_prompt, prompt_for
    from maxcode.train.grpo.rollout import chat_tokens

    player = EpisodePlayer(None, tokenizer, turns=config.turns)
    for each in found:
        problem = problem_of(each)
        task = problem.judged
        if config.actions is Actions.PROGRAMS:
            prompt = chat_tokens(tokenizer, prompt_for(config, task, problem.mask))
            answer = [*tokenizer.encode(fenced_as_is(each.program), add_special_tokens=False), tokenizer.eos_token_id]
            if len(answer) <= config.max_tokens:
                yield Lesson(prompt=prompt, answer=answer)
            continue
        baseline = task.baseline_candidate.files[task.main_file]
        look = _menus(problem, config.variants)
        try:
            replayed = player.replay(baseline, look, each.names[: config.turns])
        except InputError:  # found by steps, or with settings, that this menu does not offer
            continue
        prompt = chat_tokens(tokenizer, named_prompt(task, problem.mask, baseline, look(baseline)))
        if replayed.choices:
            yield Lesson(prompt=prompt, answer=replayed.tokens, choices=replayed.choices)


def _menus(problem: MaskedTask, variants: int) -> Callable[[str], dict[str, str]]:
    return lambda program: menu(problem, program, variants)


def taught(
    model: Any,
    tokenizer: Any,
    found: Sequence[Lesson],
    *,
    epochs: int,
    learning_rate: float,
    seed: int,
    batch: int = BATCH,
    watch: Callable[[int, int, float], None] = lambda *_: None,
) -> list[float]:
    """Trains the trainable weights of the model; returns the loss of each batch."""
    import torch

    optimizer = torch.optim.AdamW([each for each in model.parameters() if each.requires_grad], lr=learning_rate)
    order = random.Random(f"warmstart/{seed}")
    torch.manual_seed(seed)
    steps = epochs * -(-len(found) // batch)
    losses: list[float] = []
    model.train()
    for _ in range(epochs):
        shuffled = order.sample(list(found), len(found))
        for start in range(0, len(shuffled), batch):
            for group in optimizer.param_groups:  # the rate falls to zero at the end
                group["lr"] = learning_rate * (1 - len(losses) / steps)
            loss = _loss(model, tokenizer, shuffled[start : start + batch])
            loss.backward()
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            if torch.isfinite(norm):  # else every weight would become infinite or NaN
                optimizer.step()
            optimizer.zero_grad()
            losses.append(loss.item())
            watch(len(losses), steps, losses[-1])
    return losses


def _loss(model: Any, tokenizer: Any, batch: Sequence[Lesson]) -> Any:
    """Mean negative log-likelihood: of the answers' tokens, or of the choices under the grammar."""
    import torch

    from maxcode.train.grpo.rollout import allowed_tensor
    from maxcode.train.grpo.scoring import completion_choices, padded_on_the_right

    device = next(model.parameters()).device
    wide, long = max(len(each.prompt) for each in batch), max(len(each.answer) for each in batch)
    pad = tokenizer.pad_token_id
    ids = torch.tensor([_row(each, wide, long, pad, pad) for each in batch], device=device)
    mask = torch.tensor([_row(_ones(each), wide, long, 0, 0) for each in batch], device=device)
    if batch[0].choices is not None:
        choices = [each.choices or {} for each in batch]
        found, _ = completion_choices(model, ids, mask, long, allowed_tensor(choices, long, device), 1.0)
        return -found.sum() / sum(map(len, choices))
    labels = ids.masked_fill(mask == 0, NOT_SCORED)
    labels[:, :wide] = NOT_SCORED
    (ids, seen), (labels, _) = padded_on_the_right(ids, mask), padded_on_the_right(labels, mask)
    return model(input_ids=ids, attention_mask=seen, labels=labels).loss


def _row(each: Lesson, wide: int, long: int, before: int, after: int) -> list[int]:
    left, right = wide - len(each.prompt), long - len(each.answer)
    return [*[before] * left, *each.prompt, *each.answer, *[after] * right]


def _ones(each: Lesson) -> Lesson:
    return Lesson(prompt=[1] * len(each.prompt), answer=[1] * len(each.answer))
