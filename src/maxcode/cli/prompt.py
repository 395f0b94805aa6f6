"""`maxcode prompt`: a prompt of a recorded run."""

from __future__ import annotations

from pathlib import Path

from maxcode.cli.console import err, out, print_json
from maxcode.config import ModelSettings, load_config
from maxcode.optimize.prompts import Which, prompt_of
from maxcode.optimize.recorded import settings_and_task
from maxcode.policy.choose import models_of
from maxcode.policy.providers import settings_of
from maxcode.search.observe.render import Prompts
from maxcode.store.journal import Store


def run(run_id: str, node: int, *, following: bool, critic: bool, config_file: Path | None, as_json: bool) -> None:
    config = load_config(config_file)
    prompts = Prompts(config.prompts)
    which: Which = "critic" if critic else "next" if following else "answered"
    with Store() as store:
        settings, _ = settings_and_task(store, run_id)
        models = [settings_of(name, config) for name in models_of(settings.policy)] or [ModelSettings()]
        messages = prompt_of(store, run_id, node, which, prompts, models[0])
    if settings.prompts and settings.prompts != prompts.version:
        err.print("The texts of prompts have changed since this run; this is its prompt with those of today.")
    if as_json:
        for message in messages:
            print_json(message)
        return
    text = "\n\n".join(f"=== {message['role']} ===\n{message['content']}" for message in messages)
    out.print(text, soft_wrap=True, markup=False, highlight=False)
