"""TRL's GRPOTrainer with problems from a curriculum, our advantages, and the grammar's probabilities.

TRL keeps what it is good at: generation by vLLM, the clipped loss, the KL term, many GPUs, checkpoints. Ours are four
things: which problems a step has (asked of the curriculum at the last moment, so that it knows all rewards before);
which groups count (advantages.py); probabilities of named actions; and random numbers, which are a function of the
run's seed and the step, so that a resumed run goes on exactly as it would have. Imports torch and trl: import it late.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from accelerate.utils import broadcast_object_list, gather_object, set_seed
from trl import GRPOTrainer

from maxcode.core import InputError
from maxcode.train.base import save_adapter
from maxcode.train.grpo.advantages import weighed
from maxcode.train.grpo.config import Actions, GrpoConfig, keep_config
from maxcode.train.grpo.loading import lora_config
from maxcode.train.grpo.prompts import Message
from maxcode.train.grpo.rollout import Rolled, allowed_tensor, early_scoring, play_named, write_programs
from maxcode.train.grpo.scoring import completion_choices, completion_tokens
from maxcode.train.grpo.steps import AnswerRow, ProblemFeed, RewardedStep, Times
from maxcode.train.reward.answer import Rewarded
from maxcode.train.reward.reward import Rewards, reward_function

STEP_SEED = 1_000_003
"""Stride between the seeds of runs: two runs have no seed in common within this many steps."""
ENTROPY_STEP = 0.02
"""Change of the entropy's weight in each step, towards its target."""


class Trainer(GRPOTrainer):  # type: ignore[misc]
    """GRPO trainer with our problems, advantages and probabilities. Set `feed` and `rewards` before training."""

    config: GrpoConfig
    feed: ProblemFeed | None
    """Feed of problems; None on all processes but the main one."""
    rewards: Rewards
    deadline: float | None = None
    _in_loss: dict[str, Any] | None = None
    """Inputs of the loss that is being computed; None at other times."""
    _anything_kept = True

    def _generate_and_score_completions(self, inputs: list[dict[str, Any]]) -> dict[str, Any]:
        """TRL's batch with the curriculum's problems in place of the placeholders that it was given."""
        seed = self.config.seed * STEP_SEED + self.state.global_step
        set_seed(seed)
        rows = self._next_rows(len(inputs))
        self._rows = rows[self._slice(len(inputs))]
        self._found: list[Rewarded | None] = []
        self._generating = self._waiting = 0.0
        batch: dict[str, Any] = super()._generate_and_score_completions(
            [{"prompt": row.prompt, "problem": row.problem.id} for row in self._rows]
        )
        self._weigh(batch)
        self._tell(rows)
        return batch

    def _next_rows(self, local: int) -> list[AnswerRow]:
        """Rows of all processes. Only the main process asks the curriculum; the others get its rows."""
        groups = local * self.accelerator.num_processes // self.config.group
        held: list[list[AnswerRow] | None] = [None]
        if self.feed is not None:
            held = [[row for row in self.feed.rows(groups) for _ in range(self.config.group)]]
        (rows,) = broadcast_object_list(held)
        return list(rows)

    def _slice(self, local: int) -> slice:
        start = self.accelerator.process_index * local
        return slice(start, start + local)

    def rolled_out(self, prompts: Sequence[list[Message]]) -> dict[str, Any]:
        """TRL's rollout function."""
        begun = time.perf_counter()
        problems = [row.problem for row in self._rows]
        finished = early_scoring(self.rewards, problems, self.deadline)
        model = self.accelerator.unwrap_model(self.model)
        seed = self.config.seed * STEP_SEED + self.state.global_step + self.accelerator.process_index * 7919
        if self.config.actions is Actions.NAMED:
            elites = [row.elites for row in self._rows]
            rolled = play_named(model, self.processing_class, self.config, problems, seed, finished, elites)
        else:
            rolled = write_programs(model, self.processing_class, self.config, prompts, seed, finished)
        self._generating = time.perf_counter() - begun
        return self._as_trl_wants(rolled)

    def _as_trl_wants(self, rolled: Rolled) -> dict[str, Any]:
        found: dict[str, Any] = {
            "prompt_ids": rolled.prompt_ids,
            "completion_ids": rolled.completion_ids,
            "logprobs": None,
            "answer": rolled.answers,
        }
        if rolled.choices is not None:
            longest = max(map(len, rolled.completion_ids))
            self._allowed = allowed_tensor(rolled.choices, longest, self.accelerator.device)
            found["env_mask"] = [
                [int(place in choices) for place in range(len(tokens))]
                for tokens, choices in zip(rolled.completion_ids, rolled.choices, strict=True)
            ]
        return found

    def measured(
        self, prompts: Sequence[Any], completions: Sequence[Any], *, answer: Sequence[str] | None = None, **_: Any
    ) -> list[float | None]:
        """TRL's reward function: the rewards of the programs, from `rewards`."""
        begun = time.perf_counter()
        problems = {row.problem.id: row.problem for row in self._rows}
        heard: dict[str, list[Rewarded | None]] = {}
        ask = reward_function(
            self.rewards,
            problems,
            deadline=self.deadline,
            tell=lambda problem, group: heard.update({problem.id: group}),
        )
        names = [row.problem.id for row in self._rows]
        rewards = ask(prompts, answer or completions, problem=names)
        by_problem = {name: iter(group) for name, group in heard.items()}
        self._found = [next(by_problem[name]) for name in names]
        self._waiting = time.perf_counter() - begun
        return rewards

    def _calculate_rewards(self, *arguments: Any, **named: Any) -> Any:
        self._rewards_of_all = super()._calculate_rewards(*arguments, **named)
        return self._rewards_of_all

    def _weigh(self, batch: dict[str, Any]) -> None:
        """Puts our advantages in place of TRL's.

        Answers of dropped groups are masked out of the loss, unless there is an entropy term, which they need most.
        They never count among the answers that the loss is a mean over.
        """
        rewards = [None if math.isnan(value) else value for value in self._rewards_of_all[:, 0].tolist()]
        self._weighed = weighed(rewards, self.config.group, self.config.advantage, self.config.best_of)
        part = self._slice(len(batch["advantages"]))
        ours = self._weighed[part]
        counted = [
            each.kept or (self.config.explores and reward is not None)
            for each, reward in zip(ours, rewards[part], strict=True)
        ]
        device = batch["advantages"].device
        batch["advantages"] = torch.tensor([each.advantage for each in ours], device=device)
        batch["kept"] = torch.tensor([each.kept for each in ours], device=device).unsqueeze(1)
        mask = batch.get("tool_mask", torch.ones_like(batch["completion_mask"]))
        batch["tool_mask"] = mask * torch.tensor(counted, dtype=mask.dtype, device=device).unsqueeze(1)
        weighing = batch["completion_mask"] * mask * batch["kept"]
        batch["num_items_in_batch"] = self.accelerator.gather(weighing.sum()).sum()
        if self.config.actions is Actions.NAMED:
            batch["allowed"] = self._allowed

    def _tell(self, rows: Sequence[AnswerRow]) -> None:
        found = gather_object(self._found)
        if self.feed is not None:
            self.feed.tell(
                RewardedStep(
                    rows=tuple(rows),
                    rewarded=tuple(found),
                    kept=tuple(each.kept for each in self._weighed),
                    group=self.config.group,
                    times=Times(generating=self._generating, waiting=self._waiting),
                )
            )

    def training_step(self, *arguments: Any, **named: Any) -> Any:
        """Removes gradients that are all zero because no answer counts: AdamW's momentum would still change weights.

        Gradients that are not all finite are removed too: they would make every weight infinite or NaN.
        """
        loss = super().training_step(*arguments, **named)
        if self.accelerator.sync_gradients and self._teaches_nothing():
            self.model.zero_grad(set_to_none=True)
        return loss

    def _teaches_nothing(self) -> bool:
        gradients = [each.grad for each in self.model.parameters() if each.grad is not None]
        if not all(bool(each.isfinite().all()) for each in gradients):
            return True
        return not self._anything_kept and not any(bool(each.any()) for each in gradients)

    def _compute_loss(self, model: Any, inputs: dict[str, Any]) -> Any:
        if self.config.actions is Actions.NAMED:
            self._allowed = inputs["allowed"]
        self._anything_kept = bool(inputs["num_items_in_batch"] > 0)
        self._in_loss = dict(inputs)
        try:
            return super()._compute_loss(model, self._in_loss)
        finally:
            self._in_loss = None

    def _get_per_token_logps_and_entropies(
        self, model: Any, input_ids: Any, attention_mask: Any, logits_to_keep: int, *arguments: Any, **named: Any
    ) -> Any:
        """Log-probabilities and entropies: TRL's with vLLM, else ours, which read each prompt once."""
        texts = (model, input_ids, attention_mask, logits_to_keep)
        score = super()._get_per_token_logps_and_entropies if self.config.vllm else self._scored
        found, entropy, more = score(*texts, *arguments, **named)
        if self._in_loss is not None:
            _hold_dropped(self._in_loss, found)
        return found, entropy, more

    def _scored(
        self,
        model: Any,
        input_ids: Any,
        attention_mask: Any,
        logits_to_keep: int,
        batch_size: int | None = None,
        compute_entropy: bool = False,
        **_: Any,
    ) -> tuple[Any, Any, None]:
        plain = self.accelerator.unwrap_model(model)
        rows, size = len(input_ids), batch_size or len(input_ids)
        parts = [slice(start, start + size) for start in range(0, rows, size)]
        with self.accelerator.autocast():
            found = [self._part(plain, input_ids[each], attention_mask[each], logits_to_keep, each) for each in parts]
        taken, entropies = (torch.cat(each) for each in zip(*found, strict=True))
        return taken, entropies if compute_entropy else None, None

    def _part(self, model: Any, ids: Any, mask: Any, length: int, part: slice) -> tuple[Any, Any]:
        if self.config.actions is Actions.NAMED:
            return completion_choices(model, ids, mask, length, self._allowed[part], self.config.temperature)
        return completion_tokens(model, ids, mask, length, self.config.temperature)

    def _save(self, output_dir: str | None = None, state_dict: dict[str, Any] | None = None) -> None:
        folder = Path(output_dir or self.args.output_dir)
        model = self.accelerator.unwrap_model(self.model)
        if not hasattr(model, "peft_config"):
            super()._save(output_dir, state_dict)
        elif self.args.should_save:
            save_adapter(model, folder)
            self.processing_class.save_pretrained(folder)
        if self.args.should_save:
            keep_config(folder, self.config)

    def create_model_card(self, *_: Any, **__: Any) -> None:
        """Writes no model card: the record beside the weights says more."""


def _hold_dropped(inputs: dict[str, Any], found: Any) -> None:
    """Makes the model its own reference for dropped answers, so that the KL term and its gradient are 0 there.

    The mask cannot do that: with an entropy term it includes those answers.
    """
    reference = inputs.get("ref_per_token_logps")
    if reference is not None:
        inputs["ref_per_token_logps"] = torch.where(inputs["kept"], reference, found.detach())


def refuse_unfit(config: GrpoConfig, processes: int) -> None:
    """InputError if these settings cannot be trained with this number of processes."""
    if config.temperature == 0:
        raise InputError("--temperature 0: all answers to a problem would be the same, with nothing to compare.")
    if not config.vllm and processes > 1:
        raise InputError("rl train: several processes need a preset with vLLM; start this one without accelerate.")
    micro = _micro_batch(config, processes)
    if config.samples % (micro * processes):
        raise InputError(
            f"rl train: {config.samples} answers per step (group times prompts) do not spread evenly over {processes} "
            f"processes of {micro} each; change --prompts, --group or --micro-batch."
        )


def _micro_batch(config: GrpoConfig, processes: int) -> int:
    return config.micro_batch or max(config.samples // processes, 1)


def training_arguments(config: GrpoConfig, folder: Path, report_to: Sequence[str] = ()) -> Any:
    """TRL's settings for a run."""
    from accelerate import PartialState
    from trl import GRPOConfig

    processes = PartialState().num_processes
    micro = _micro_batch(config, processes)
    gpu = torch.cuda.is_available()
    arguments = GRPOConfig(
        output_dir=str(folder),
        max_steps=config.steps * config.iterations,
        per_device_train_batch_size=micro,
        gradient_accumulation_steps=config.samples // (micro * processes),
        num_generations=config.group,
        num_iterations=config.iterations,
        max_completion_length=config.max_tokens,
        temperature=config.temperature,
        learning_rate=config.learning_rate,
        lr_scheduler_type="constant",
        beta=config.beta,
        epsilon=config.epsilon,
        entropy_coef=config.entropy,
        use_adaptive_entropy=config.entropy_target is not None,
        entropy_target=config.entropy_target or 0.0,
        entropy_coef_delta=ENTROPY_STEP,
        loss_type="dapo",
        use_vllm=config.vllm,
        bf16=gpu,
        use_cpu=not gpu,
        gradient_checkpointing=config.vllm,
        logging_steps=1,
        save_strategy="steps",
        save_steps=config.save_every * config.iterations,
        save_total_limit=2,
        report_to=list(report_to) or "none",
        disable_tqdm=True,
        shuffle_dataset=False,
        ignore_data_skip=True,
        seed=config.seed,
    )
    arguments._n_gpu = min(arguments.n_gpu, 1)  # of all that a process sees; TRL refuses to train on several
    return arguments


def make_trainer(
    model: Any,
    tokenizer: Any,
    config: GrpoConfig,
    folder: Path,
    *,
    feed: ProblemFeed | None,
    rewards: Rewards,
    **more: Any,
) -> Trainer:
    """A trainer over placeholders: `feed` says what they stand for when their turn comes."""
    from datasets import Dataset
    from peft import LoraConfig
    from transformers import PrinterCallback

    fresh = config.lora is not None and not hasattr(model, "peft_config")
    tokenizer.padding_side = "left"
    holder: list[Trainer] = []
    rollout: Callable[..., Any] = lambda prompts, _: holder[0].rolled_out(prompts)  # noqa: E731

    def gflops(*arguments: Any, **named: Any) -> list[float | None]:
        return holder[0].measured(*arguments, **named)

    arguments = training_arguments(config, folder, more.pop("report_to", ()))
    placeholders = Dataset.from_dict({"prompt": [[{"role": "user", "content": ""}]] * config.prompts})
    trainer = Trainer(
        model=model,
        reward_funcs=gflops,
        args=arguments,
        train_dataset=placeholders,
        processing_class=tokenizer,
        peft_config=lora_config(config, LoraConfig) if fresh else None,
        rollout_func=None if config.vllm else rollout,
        **more,
    )
    trainer.remove_callback(PrinterCallback)  # the feed's watcher says more, in one line
    trainer.config, trainer.feed, trainer.rewards = config, feed, rewards
    holder.append(trainer)
    return trainer
