"""docs/torch.md: the task of the page is one, its messages are those of today, and no setting is missing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from maxcode.cli.main import app
from maxcode.kinds.torch.table import Torch
from maxcode.task import load_task

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/torch.md").read_text()
EXAMPLE = PAGE[PAGE.index("## A task") : PAGE.index("## KernelBench")]


def block(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```$", EXAMPLE, re.DOTALL | re.MULTILINE)
    assert found
    return found[1]


def test_the_task_of_the_page_loads(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(block("python"))
    (tmp_path / "task.toml").write_text(block("toml"))
    assert load_task(tmp_path).name == "softmax"


@pytest.mark.long
def test_new_makes_a_task_of_the_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="the problem is tried out")
    monkeypatch.chdir(tmp_path)
    Path("model.py").write_text(block("python"))
    done = CliRunner().invoke(app, block("sh").split()[1:])
    assert done.exit_code == 0, done.output
    task = load_task("softmax")
    assert set(task.table(Torch).constants_cpu) == {"batch_size", "dim"}


@pytest.mark.long
def test_loading_says_what_the_page_says() -> None:
    torch = pytest.importorskip("torch", reason="problems are tried out")
    if torch.cuda.is_available():
        pytest.skip("the page shows sizes of a machine without a GPU")
    shown = re.search(r"^```\n(level 1: 4_.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    assert shown
    words = ["bench", "kernelbench", "--path", str(ROOT / "tests/bench/data/kernelbench"), "--only-load"]
    said = CliRunner().invoke(app, words).stderr.splitlines()
    assert [line for line in shown[1].splitlines() if line not in said] == []


@pytest.mark.parametrize("name", Torch.model_fields)
def test_every_setting_is_in_the_reference(name: str) -> None:
    text = (ROOT / "docs/tasks.md").read_text()
    table = text[text.index("### `[torch]`") : text.index("### `[command]`")]
    assert f"| `{name}` |" in table
