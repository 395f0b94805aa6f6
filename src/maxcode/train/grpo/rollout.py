"""Answers for TRL: whole programs, or episodes of named actions. What TRL calls a rollout function.

A program is handed to the benchmark cores the moment it is written, while the others of its batch are still being
generated: by the time the last one ends, most of the timing is done.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from maxcode.train.grpo.config import GrpoConfig
from maxcode.train.grpo.episode import Episode, EpisodePlayer
from maxcode.train.grpo.menu import menu
from maxcode.train.grpo.prompts import ShownElite, fenced_as_is, named_prompt
from maxcode.train.grpo.scoring import NONE
from maxcode.train.problem import MaskedTask
from maxcode.train.reward.reward import Rewards

Finished = Callable[[int, str], None]
"""Called with the row and the text of an answer when it is complete."""

PLAIN_SAMPLING: dict[str, Any] = {
    "num_beams": 1,
    "top_k": 0,
    "top_p": 1.0,
    "min_p": None,
    "top_h": None,
    "typical_p": 1.0,
    "epsilon_cutoff": 0.0,
    "eta_cutoff": 0.0,
    "repetition_penalty": 1.0,
    "no_repeat_ngram_size": 0,
    "min_length": 0,
    "min_new_tokens": None,
    "sequence_bias": None,
    "bad_words_ids": None,
    "suppress_tokens": None,
    "begin_suppress_tokens": None,
}
"""Settings of sampling that replace a base model's generation_config.json. Training uses the model's plain
probabilities, so answers must be drawn from these."""


@dataclass(frozen=True)
class Rolled:
    """A batch of answers as TRL wants them."""

    prompt_ids: list[list[int]]
    completion_ids: list[list[int]]
    answers: list[str]
    """Texts of the answers, each with a program in a code block."""
    choices: list[dict[int, list[int]]] | None = None
    """Named actions: where each answer had a choice, and among which tokens."""
    names: list[tuple[str, ...]] | None = None


def early_scoring(rewards: Rewards, problems: Sequence[MaskedTask], deadline: float | None) -> Finished:
    """Starts judging each answer as it comes. Whoever asks for its reward later waits for the same evaluation."""

    def finished(row: int, answer: str) -> None:
        if rewards.loop is not None:
            asyncio.run_coroutine_threadsafe(rewards.score(problems[row], [answer], deadline), rewards.loop)

    return finished


def play_named(
    model: Any,
    tokenizer: Any,
    config: GrpoConfig,
    problems: Sequence[MaskedTask],
    seed: int,
    finished: Finished,
    elites: Sequence[Sequence[ShownElite]] | None = None,
) -> Rolled:
    """One episode for each row; rows of the same problem follow each other and share their prompt and its elites."""
    player = EpisodePlayer(model, tokenizer, turns=config.turns, temperature=config.temperature)
    rolled = Rolled([], [], [], [], [])
    assert rolled.choices is not None and rolled.names is not None
    for start, count in _runs(problems):
        shown = elites[start] if elites else ()
        prompt, episodes = _episodes(player, config, problems[start], count, seed + start, shown)
        for each in episodes:
            answer = fenced_as_is(each.program)
            finished(len(rolled.answers), answer)
            rolled.prompt_ids.append(prompt)
            rolled.completion_ids.append(each.tokens)
            rolled.answers.append(answer)
            rolled.choices.append(each.choices)
            rolled.names.append(each.names)
    return rolled


def _runs(problems: Sequence[MaskedTask]) -> list[tuple[int, int]]:
    """Start and length of each run of rows of the same problem."""
    starts = [row for row, each in enumerate(problems) if row == 0 or each.id != problems[row - 1].id]
    return [(start, end - start) for start, end in zip(starts, [*starts[1:], len(problems)], strict=True)]


def _episodes(
    player: EpisodePlayer,
    config: GrpoConfig,
    problem: MaskedTask,
    n: int,
    seed: int,
    elites: Sequence[ShownElite],
) -> tuple[list[int], list[Episode]]:
    task = problem.judged
    program = task.baseline_candidate.files[task.main_file]
    offered = menu(problem, program, config.variants)
    prompt = chat_tokens(player.tokenizer, named_prompt(task, problem.mask, program, offered, elites))
    return prompt, player.play(prompt, program, lambda text: menu(problem, text, config.variants), n, seed)


def write_programs(
    model: Any,
    tokenizer: Any,
    config: GrpoConfig,
    prompts: Sequence[list[dict[str, str]]],
    seed: int,
    finished: Finished,
) -> Rolled:
    """One whole program for each prompt."""
    import torch
    from transformers import StoppingCriteriaList

    ids = [chat_tokens(tokenizer, prompt) for prompt in prompts]
    device = next(model.parameters()).device
    width = max(map(len, ids))
    padded = torch.tensor([[tokenizer.pad_token_id] * (width - len(row)) + row for row in ids], device=device)
    mask = torch.tensor([[0] * (width - len(row)) + [1] * len(row) for row in ids], device=device)
    ends = ending_tokens(model, tokenizer)
    watch = _Watch(tokenizer, width, ends, finished, len(ids))
    torch.manual_seed(seed)
    training = model.training
    model.eval()
    with torch.no_grad():
        found = model.generate(
            input_ids=padded,
            attention_mask=mask,
            do_sample=config.temperature > 0,
            temperature=config.temperature or 1.0,
            **_plain_sampling(),
            max_new_tokens=config.max_tokens,
            pad_token_id=tokenizer.pad_token_id,
            eos_token_id=ends,
            stopping_criteria=StoppingCriteriaList([watch]),
            disable_compile=True,
        )
    model.train(training)
    completions = [until_end(row, ends) for row in found[:, width:].tolist()]
    answers = [tokenizer.decode(row, skip_special_tokens=True) for row in completions]
    watch.rest(answers)
    return Rolled(ids, completions, answers)


def _plain_sampling() -> dict[str, Any]:
    """PLAIN_SAMPLING without settings that this version of transformers lacks: it refuses those."""
    from transformers import GenerationConfig

    known = vars(GenerationConfig())
    return {name: value for name, value in PLAIN_SAMPLING.items() if name in known}


class _Watch:
    """Looks at a batch after every token and reports the rows that have just ended. Never stops the generation."""

    def __init__(self, tokenizer: Any, width: int, ends: Sequence[int], finished: Finished, rows: int) -> None:
        self._tokenizer, self._width, self._ends, self._finished = tokenizer, width, list(ends), finished
        self._open = set(range(rows))

    def __call__(self, input_ids: Any, scores: Any, **_: Any) -> Any:  # noqa: ARG002 - the shape that generate() wants
        import torch

        last = torch.isin(input_ids[:, -1], torch.tensor(self._ends, device=input_ids.device)).tolist()
        for row in [row for row in self._open if last[row]]:
            self._open.discard(row)
            text = self._tokenizer.decode(
                until_end(input_ids[row, self._width :].tolist(), self._ends), skip_special_tokens=True
            )
            self._finished(row, text)
        return torch.zeros(input_ids.size(0), dtype=torch.bool, device=input_ids.device)

    def rest(self, answers: Sequence[str]) -> None:
        """Reports the rows that were cut off before they ended."""
        for row in sorted(self._open):
            self._finished(row, answers[row])


def until_end(tokens: list[int], ends: Sequence[int]) -> list[int]:
    """Tokens up to and including the first ending token; all where there is none."""
    return next((tokens[: place + 1] for place, token in enumerate(tokens) if token in ends), tokens)


def ending_tokens(model: Any, tokenizer: Any) -> list[int]:
    """Every token that the model or its tokenizer say ends an answer."""
    declared = model.generation_config.eos_token_id
    declared = declared if isinstance(declared, list) else [declared]
    return list(dict.fromkeys(token for token in (tokenizer.eos_token_id, *declared) if token is not None))


def chat_tokens(tokenizer: Any, messages: list[dict[str, str]]) -> list[int]:
    text = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
    return list(tokenizer(text, add_special_tokens=False)["input_ids"])


def allowed_tensor(choices: Sequence[dict[int, list[int]]], length: int, device: Any) -> Any:
    """Tensor (answers, tokens, widest choice) of the tokens allowed at each place; `NONE` fills the rest."""
    import torch

    width = max((len(among) for each in choices for among in each.values()), default=1)
    allowed = torch.full((len(choices), length, width), NONE, device=device)
    for row, each in enumerate(choices):
        for place, among in each.items():
            allowed[row, place, : len(among)] = torch.tensor(among, device=device)
    return allowed
