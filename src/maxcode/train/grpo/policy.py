"""`hf:CHECKPOINT`: a model in this process proposes programs: one that `maxcode rl train` made, or any chat model.

A model trained on whole programs is asked in the words it was trained with where the task is a kernel; any other model
is asked as `openai:MODEL` is, and its answers are read in the same way. A model trained on named actions is shown the
menu of the rewriter, and what it names is carried out.
"""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path
from typing import Any

from maxcode.config import Config
from maxcode.core import Candidate, Cost, InputError, Proposal
from maxcode.policy.openai import read_answer
from maxcode.search.observe.observation import Observation
from maxcode.search.observe.render import Prompts, render
from maxcode.search.parts import Policy
from maxcode.train.base import load_base
from maxcode.train.grpo.config import Actions, GrpoConfig, config_of
from maxcode.train.grpo.episode import EpisodePlayer
from maxcode.train.grpo.loading import require_training
from maxcode.train.grpo.menu import menu_of
from maxcode.train.grpo.prompts import named_prompt, prompt_for
from maxcode.train.grpo.rollout import chat_tokens, write_programs
from maxcode.train.masks import EVERYTHING

MAX_TOKENS = 2048
TEMPERATURE = 0.8
"""Temperature of models without a record of how they were trained."""


def hf_policy(checkpoint: str, settings: Config) -> Policy:
    """Policy of a checkpoint, which is loaded at the first request. InputError at once if the folder is missing."""
    require_training(f"--policy hf:{checkpoint}")
    if checkpoint.startswith((".", "/")) and not Path(checkpoint).is_dir():
        raise InputError(f"--policy hf:{checkpoint}: no such folder; `maxcode rl train` writes checkpoints.")
    config = config_of(Path(checkpoint))
    asked = _Model(checkpoint, config or GrpoConfig(base=checkpoint, max_tokens=MAX_TOKENS, temperature=TEMPERATURE))
    prompts, own_words = Prompts(settings.prompts), config is not None

    async def propose(observation: Observation, n: int, seed: int) -> list[Proposal]:
        return await asyncio.to_thread(asked.propose, observation, n, seed, prompts, own_words)

    return propose


class _Model:
    """One model, used by one caller at a time."""

    def __init__(self, checkpoint: str, config: GrpoConfig) -> None:
        self._checkpoint, self._config = checkpoint, config
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Any] | None = None

    def propose(self, observation: Observation, n: int, seed: int, prompts: Prompts, own_words: bool) -> list[Proposal]:
        with self._lock:
            if self._loaded is None:
                self._loaded = load_base(self._checkpoint)
            if self._config.actions is Actions.NAMED:
                return self._named(observation, n, seed)
            return self._programs(observation, n, seed, prompts, own_words)

    def _programs(
        self, observation: Observation, n: int, seed: int, prompts: Prompts, own_words: bool
    ) -> list[Proposal]:
        begun = time.perf_counter()
        known = own_words and observation.task.kind.entry(observation.task) is not None
        messages = prompt_for(self._config, observation.task, EVERYTHING) if known else render(observation, prompts)
        rolled = write_programs(*self._model, self._config, [messages] * n, seed, lambda *_: None)
        costs = self._costs(rolled.prompt_ids, rolled.completion_ids, time.perf_counter() - begun)
        return [
            read_answer(text, observation, self._name).model_copy(update={"cost": cost})
            for text, cost in zip(rolled.answers, costs, strict=True)
        ]

    def _named(self, observation: Observation, n: int, seed: int) -> list[Proposal]:
        """Proposals by named actions, from the current program if it is correct, else from the baseline."""
        begun, config, task = time.perf_counter(), self._config, observation.task
        files = observation.current.files if observation.current.correct else task.baseline_candidate.files
        program = files[task.main_file]
        model, tokenizer = self._model
        offered = menu_of(task, program, config.variants)
        prompt = chat_tokens(tokenizer, named_prompt(task, EVERYTHING, program, offered))
        player = EpisodePlayer(model, tokenizer, turns=config.turns, temperature=config.temperature)
        played = player.play(prompt, program, lambda text: menu_of(task, text, config.variants), n, seed)
        costs = self._costs([prompt] * n, [each.tokens for each in played], time.perf_counter() - begun)
        return [
            Proposal(
                text=" + ".join(each.names),
                candidate=Candidate(files={**files, task.main_file: each.program}, origin=self._name),
                model=self._name,
                cost=cost,
            )
            for each, cost in zip(played, costs, strict=True)
        ]

    @property
    def _name(self) -> str:
        return f"hf:{self._checkpoint}"

    @property
    def _model(self) -> tuple[Any, Any]:
        assert self._loaded is not None
        return self._loaded

    def _costs(self, prompts: list[list[int]], answers: list[list[int]], seconds: float) -> list[Cost]:
        return [
            Cost(prompt_tokens=len(p), completion_tokens=len(a), usd=0.0, seconds=seconds / len(prompts))
            for p, a in zip(prompts, answers, strict=True)
        ]
