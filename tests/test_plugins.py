"""A package of somebody else's, installed beside ours, adds strategies, policies and more with no change here."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from maxcode.config import Config
from maxcode.core import InputError
from maxcode.critic.choose import choose_critic
from tests.conftest import SMALL_TASK

PACKAGE = Path(__file__).parent / "plugins"
SEARCH = """
import asyncio
from dataclasses import replace

from maxcode.config import Config
from maxcode.critic.choose import choose_critic
from maxcode.search.budget import Budget
from maxcode.search.loop import search
from maxcode.search.strategies import strategy
from tests.search.fakes import TASK, instant_parts

parts = replace(instant_parts(), critic=choose_critic("length:5", Config()))
tree = asyncio.run(search(TASK, strategy("from-best+maxcode"), parts, budget=Budget(evals=8))).tree
for node in tree.nodes[1:]:
    assert tree.nodes[node.parent].reward == max(each.reward for each in tree if each.step < node.step), node
print(len(tree), tree.critique(tree.root).text)
"""


def install(package: Path, target: Path) -> None:
    """Puts the package's modules and metadata where `pip install --target` would; that needs a network."""
    project = tomllib.loads((package / "pyproject.toml").read_text())["project"]
    for module in package.glob("*.py"):
        shutil.copy(module, target)
    for folder in package.glob("*/__init__.py"):
        shutil.copytree(folder.parent, target / folder.parent.name)
    metadata = target / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    lines = []
    for group, names in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {place}" for name, place in names.items())]
    (metadata / "entry_points.txt").write_text("\n".join(lines))


@pytest.fixture
def target(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    install(PACKAGE, folder)
    return folder


def run(target: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Python with the package installed."""
    path = os.pathsep.join([str(target), str(Path(__file__).parents[1])])
    given = {**os.environ, "PYTHONPATH": path, "MAXCODE_HOME": str(target.parent / "home")}
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False, env=given)


def test_a_search_uses_both(target: Path) -> None:
    done = run(target, "-c", SEARCH)
    assert done.returncode == 0, done.stderr
    nodes, critique = done.stdout.split(maxsplit=1)
    assert int(nodes) == 9
    assert critique.strip().endswith("lines; 5 are enough.")


def test_a_run_is_made_with_their_policy_engine_and_value_model(target: Path) -> None:
    model = target / "model.json"
    model.write_text(json.dumps({"kind": "constant", "value": 0.5, "trained_on": []}))
    words = ["--policy", "0.5*comment:hello + 0.5*comment:there", "--engine", "lengths", "--value", str(model)]
    words += ["--strategy", "beam+value", "--evals", "4", "--json"]
    done = run(target, "-m", "maxcode", "optimize", str(SMALL_TASK), *words)
    assert done.returncode == 0, done.stderr
    assert "lengths: nothing is run" in done.stderr
    found = json.loads(done.stdout)
    assert found["improved"] and found["evals"] == 4
    again = run(target, "-m", "maxcode", "resume", found["run"], "--json")
    assert "lengths: nothing is run" in again.stderr, "a run goes on with the engine that it had"


def test_an_engine_that_is_not_known_is_named_with_theirs_among_the_choices(target: Path) -> None:
    done = run(target, "-m", "maxcode", "evaluate", str(SMALL_TASK), "x.cpp", "--engine", "moon")
    assert done.returncode == 2
    assert "--engine moon: not known; use one of: local, ray, lengths." in done.stderr


def test_our_own_entry_points_are_installed() -> None:
    """What training adds to the tables is looked up in our metadata, which an editable install must have renewed."""
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    for group, names in project["entry-points"].items():
        found = {each.name: each.value for each in entry_points(group=group)}
        assert names.items() <= found.items(), "pyproject.toml has changed: pip install -e . again"


def test_help_and_completion_offer_them(target: Path) -> None:
    words = " ".join(run(target, "-m", "maxcode", "optimize", "--help").stdout.split())
    assert "paths or from-best;" in words
    assert "somewhere:MODEL or length:LINES" in words
    assert "comment:WORD" in words
    assert "lengths (a ruler)" in words
    asked = "print(c.strategies(''), c.strategies('from-best+'), c.critics(), c.policies(), c.engines())"
    said = run(target, "-c", f"from maxcode.cli import completion as c; {asked}").stdout
    assert all(f"'{each}'" in said for each in ("from-best", "from-best+critique", "length:", "comment:", "lengths"))
    assert "from-best+ucb" not in said


def test_their_provider_of_models_is_one_of_ours(target: Path) -> None:
    done = run(target, "-m", "maxcode", "models", "test", "somewhere:m")
    assert done.returncode == 2
    assert "somewhere:m: no key. Set SOMEWHERE_KEY" in done.stderr


def test_a_strategy_that_is_not_known_is_told_with_theirs_among_the_choices(target: Path) -> None:
    done = run(target, "-m", "maxcode", "optimize", str(target), "--strategy", "greedy")
    assert done.returncode == 2
    assert "from-best" in done.stderr


def test_a_package_that_cannot_be_loaded_is_named_when_it_is_used_and_only_then(target: Path) -> None:
    (target / "somebodys_maxcode.py").write_text("import no_such_module\n")
    assert "from-best" in run(target, "-m", "maxcode", "optimize", "--help").stdout
    assert run(target, "-c", "from maxcode.search.strategies import strategy; strategy('beam+maxcode')").returncode == 0
    done = run(target, "-m", "maxcode", "optimize", str(target), "--strategy", "from-best")
    assert done.returncode == 2
    assert "maxcode.strategies 'from-best' of package maxcode-somebodys" in done.stderr
    assert "no_such_module" in done.stderr


def test_a_record_of_another_type_is_refused(target: Path) -> None:
    (target / "somebodys_maxcode.py").write_text("FROM_BEST = LENGTH = COMMENT = LENGTHS = 1\n")
    done = run(target, "-m", "maxcode", "optimize", str(target), "--strategy", "from-best")
    assert done.returncode == 2
    assert "is of type int; it must be a Strategy" in done.stderr


def test_two_packages_with_one_name_are_both_named(target: Path) -> None:
    (metadata,) = target.glob("*.dist-info")
    other = target / "another-1.0.dist-info"
    shutil.copytree(metadata, other)
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: another\nVersion: 1.0\n")
    done = run(target, "-m", "maxcode", "optimize", str(target), "--strategy", "from-best")
    assert done.returncode == 2
    assert "package another" in done.stderr and "package maxcode-somebodys" in done.stderr


@pytest.mark.parametrize("spec", ["rules:x", "openai", "openai:", "none:", "nobody", ""])
def test_a_critic_that_is_not_written_as_it_should_be_is_told_how(spec: str) -> None:
    with pytest.raises(InputError, match=r"not known; use rules, none, openai:MODEL, .* or vllm:URL\."):
        choose_critic(spec, Config())


def test_the_package_is_not_imported_by_plain_help(target: Path) -> None:
    (target / "somebodys_maxcode.py").write_text("raise SystemExit(9)\n")
    assert run(target, "-m", "maxcode", "--help").returncode == 0
