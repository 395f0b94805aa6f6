"""The commands of docs/value.md are commands: every name and option in them is there, and takes what it is given."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer.main

from maxcode.cli.main import app
from maxcode.train.value.settings import PRESETS

TEXT = (Path(__file__).parents[2] / "docs/value.md").read_text()
COMMANDS = [
    re.sub(r"^\w+=\S+ ", "", line.split("  #")[0].strip())
    for block in re.findall(r"```\n(.*?)\n```", TEXT, re.DOTALL)
    for line in block.splitlines()
    if re.match(r"(\w+=\S+ )?maxcode ", line)
]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("DIR", "FOLDER", "TASK"):
        (tmp_path / name).mkdir()
    for name in ("data.jsonl", "model.json", "my.json", "DIR/served.json"):
        (tmp_path / name).touch()


def test_there_are_commands() -> None:
    assert len(COMMANDS) > 12


@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_is_understood(words: str) -> None:
    command, arguments = typer.main.get_command(app), shlex.split(words.replace("RUN...", "RUN"))[1:]
    context = None
    while hasattr(command, "commands"):
        context = command.make_context(arguments[0], [], parent=context, resilient_parsing=True)
        command = command.commands[arguments.pop(0)]
    command.make_context(words, arguments, parent=context).close()


def test_every_preset_is_described() -> None:
    assert all(f"| `{name}` | preset" in TEXT for name in (path.stem for path in PRESETS.glob("*.toml")))
