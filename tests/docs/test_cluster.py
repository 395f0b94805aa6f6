"""docs/cluster.md: its commands and settings are those that exist; its Python is run by tests/evaluate/test_ray.py."""

from __future__ import annotations

import re
import shlex
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer

from maxcode.cli.main import app
from maxcode.config import Config

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/cluster.md").read_text()
COMMANDS = re.findall(
    r"^((?:maxcode|sbatch) .*)$", "".join(re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)), re.MULTILINE
)


@pytest.mark.parametrize("line", [line for line in COMMANDS if line.startswith("maxcode")])
def test_command_of_the_page_is_understood(line: str) -> None:
    command: Any = typer.main.get_command(app)
    words = shlex.split(line)[1:]
    while hasattr(command, "commands"):
        command = command.commands[words.pop(0)]
    context = command.make_context(command.name, words)
    assert [path for path in context.params.get("files") or [] if not (ROOT / path).exists()] == []


def test_settings_of_the_page_are_known() -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert Config.model_validate(tomllib.loads(text)).cluster.patience == 120.0


@pytest.mark.parametrize("name", ["head.sh", "worker.sh", "common.sh"])
def test_slurm_recipe_is_a_shell_script_and_is_on_the_page(name: str) -> None:
    subprocess.run(["sh", "-n", ROOT / "runs/slurm" / name], check=True)
    assert name == "common.sh" or any(f"runs/slurm/{name}" in line for line in COMMANDS)
