"""One training run: from its settings to checkpoints, or on from the last of them.

A checkpoint is a folder `checkpoint-N`: the model, the optimizer, the random numbers and the step, written by TRL, and
beside them the state of the curriculum with its archive (`feed.json`), which is written last: a folder without it was
not finished. Outcomes are kept by content, so that programs of the steps that are done again earn what they earned.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from maxcode.core import Frozen, InputError
from maxcode.evaluate.engine import ON_THIS_MACHINE, Engine
from maxcode.evaluate.machine import usable_cpus
from maxcode.evaluate.pool import Evaluator
from maxcode.store.journal import Journal, Store
from maxcode.system.home import write_atomically
from maxcode.system.processes import Process, process_of, session, this_process
from maxcode.train.base import best_device
from maxcode.train.curriculum import CurriculumKind, StagingRules, make_curriculum
from maxcode.train.grpo.config import GrpoConfig, keep_config
from maxcode.train.grpo.feed import CurriculumFeed
from maxcode.train.grpo.loading import require_grpo, trainable_base
from maxcode.train.grpo.metrics import StepRecord
from maxcode.train.grpo.tasks import named_tasks
from maxcode.train.reward.reward import Ceiling, fixed_ceiling
from maxcode.train.reward.thread import rewards_in_thread

SETTINGS, FEED, FINAL = "run.json", "feed.json", "final"
DEADLINE = 600.0
"""Seconds for the verdict on an answer; one without is dropped from its group."""
PATIENCE = timedelta(hours=1)
"""Timeout of processes waiting for each other. One may wait for rewards up to the deadline, longer than the default."""


class RunSettings(Frozen):
    """A training run as the journal and its folder have it."""

    kind: Literal["rl"] = "rl"
    config: GrpoConfig
    tasks: tuple[str, ...]
    curriculum: CurriculumKind
    engine: Engine = ON_THIS_MACHINE
    bench_cpus: int | None = None
    """Cores that time programs, where they are this machine's; the trainer keeps off them."""
    cpus: int = 1
    """CPUs of each task; more than one permits threads."""
    ceiling: float | None = None
    """What rewards are scaled by, in units of the baseline's speed; the machine's roofline when absent."""
    steps: int
    run: str | None = None
    """Id of the run in the journal; None before it is started."""


def keep_off_benchmark_cores(cores: int | None) -> None:
    """Moves this process off the first `cores` cores, which time programs, if there are others for the model."""
    import torch

    left = usable_cpus()[cores:] if cores else []
    if left:
        os.sched_setaffinity(0, left)
        torch.set_num_threads(min(torch.get_num_threads(), len(left)))  # it counted the cores when it was imported


def train(
    settings: RunSettings,
    folder: Path,
    pool: AbstractAsyncContextManager[Evaluator],
    *,
    watch: Callable[[StepRecord], None],
    report_to: tuple[str, ...] = (),
) -> Path:
    """Trains from the start, or from the last checkpoint in the folder; the folder of the trained model."""
    require_grpo()
    from accelerate import PartialState
    from transformers.utils import logging

    from maxcode.train.grpo.trainer import make_trainer, refuse_unfit

    logging.set_verbosity_error()  # figures that a step does not have are no news

    config = settings.config
    # Made first, because it gives each process its GPU. On a CPU it must be told so, or it sees only one process.
    processes = PartialState(cpu=best_device() == "cpu", timeout=PATIENCE)
    device = str(processes.device) if processes.num_processes > 1 else None
    refuse_unfit(config, processes.num_processes)
    tasks = list(named_tasks(settings.tasks, cpus=settings.cpus).values())
    rules = StagingRules.within(config.steps * config.prompts, len(tasks))
    curriculum = make_curriculum(settings.curriculum, tasks, seed=config.seed, rules=rules)
    folder.mkdir(parents=True, exist_ok=True)
    last = last_checkpoint(folder)
    with (
        Store() as store,
        rewards_in_thread(pool, slots=settings.bench_cpus, ceiling=ceiling_of(settings.ceiling)) as rewards,
    ):
        opening = _session(folder, processes.num_processes)
        if processes.is_main_process and settings.run is not None:
            store.refuse_taken(settings.run, opening)  # before a second model takes the memory of the first
        if settings.engine.here:
            keep_off_benchmark_cores(settings.bench_cpus)
        model, tokenizer = trainable_base(config, device)  # before the run is on record: there may be no such model
        journal = _opened(store, settings, folder) if processes.is_main_process else None
        with journal.session(opening) if journal else nullcontext():
            feed = CurriculumFeed(config, curriculum, rewards, journal, watch) if journal else None
            callbacks = [_callback(feed)] if feed else []
            trainer = make_trainer(
                model, tokenizer, config, folder, feed=feed, rewards=rewards, report_to=report_to, callbacks=callbacks
            )
            trainer.deadline = DEADLINE
            if feed and last:
                feed.restore(json.loads((last / FEED).read_text()))
            trainer.train(resume_from_checkpoint=str(last) if last else None)
            trainer.save_model(str(folder / FINAL))
            if journal and feed:
                journal.note(
                    "rl.finished", {"steps": feed.number, "samples": feed.samples, "model": str(folder / FINAL)}
                )
    return folder / FINAL


def ceiling_of(value: float | None) -> Ceiling | None:
    return None if value is None else fixed_ceiling(value)


def _callback(feed: CurriculumFeed) -> Any:
    """Callback that the trainer reports to. The class is defined inside because its base class is slow to import."""
    from transformers import TrainerCallback

    class Reporting(TrainerCallback):  # type: ignore[misc]
        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:  # noqa: ARG002
            if logs and "loss" in logs:
                feed.updated(logs)

        def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ARG002
            checkpoint = Path(args.output_dir) / f"checkpoint-{state.global_step}"
            write_atomically(checkpoint / FEED, json.dumps(feed.state()).encode())

    return Reporting()


def _opened(store: Store, settings: RunSettings, folder: Path) -> Journal:
    """Journal of the run. For a new run, its settings and its id are written to the folder."""
    if settings.run is not None:
        return store.open(settings.run)
    name = ",".join(dict.fromkeys(spec.split(":")[1] if ":" in spec else spec for spec in settings.tasks))
    journal = store.start(f"rl:{name}", settings.model_dump(mode="json"))
    begun = settings.model_copy(update={"run": journal.run})
    write_atomically(folder / SETTINGS, begun.model_dump_json(indent=2).encode() + b"\n")
    keep_config(folder, begun.config)
    return journal


def _session(folder: Path, processes: int) -> dict[str, Any]:
    """Payload of `session.opened`. Of several processes, the one to stop is their launcher, which ends them all.

    If only the main process were stopped, the others would wait for it. Launchers other than torchrun and accelerate
    are not known, so no process is named for them.
    """
    started: Process | None = this_process()
    if processes > 1:
        started = process_of(os.getppid()) if "TORCHELASTIC_RUN_ID" in os.environ else None
    return session(started, folder=str(folder.resolve()), processes=processes)


def settings_of(folder: Path) -> RunSettings:
    """Settings of the run that was started in a folder. InputError where there is none."""
    file = folder / SETTINGS
    if not file.is_file():
        raise InputError(f"--resume {folder}: has no {SETTINGS}; it is the --out of an earlier `maxcode rl train`.")
    try:
        return RunSettings.model_validate_json(file.read_text())
    except ValidationError as error:
        raise InputError(f"{file}: {error.errors()[0]['msg']}.") from None


def last_checkpoint(folder: Path) -> Path | None:
    """The newest checkpoint that was written completely; None where there is none."""
    found = [each for each in folder.glob("checkpoint-*") if (each / FEED).is_file()]
    return max(found, key=lambda each: int(each.name.rpartition("-")[2]), default=None)
