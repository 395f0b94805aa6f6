"""Loading a repository's task: which files it has, and what is wrong with it in words."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from maxcode.core import InputError, Language, Outcome, Status
from maxcode.kinds.command.files import matches, repository_files
from maxcode.kinds.command.table import Command
from maxcode.search.observe.observation import Attempt, Observation
from maxcode.search.observe.render import Prompts, render
from maxcode.task import Task, load_task
from tests.kinds.command.conftest import TASK

EXAMPLES = Path(__file__).parents[3] / "examples" / "repositories"


@pytest.mark.parametrize("name", ["cpp", "python"])
def test_examples_load(name: str) -> None:
    assert len(load_task(EXAMPLES / name).files) >= 3


def test_globs_name_the_files_and_suffixes_the_language(task: Task) -> None:
    assert task.files == ("scale.c", "sum.c")
    assert task.language is Language.C


def test_one_file_needs_no_list(repository: Path) -> None:
    (repository / "task.toml").write_text(TASK.replace('["s*.c"]', '"sum.c"'))
    assert load_task(repository).files == ("sum.c",)


def test_compiler_flags_are_not_assumed(task: Task) -> None:
    assert task.build.flags == ()


def test_every_file_counts_for_the_hash(repository: Path) -> None:
    before = load_task(repository).hash
    (repository / "check.c").write_text("int main(void) { return 0; }\n")
    assert load_task(repository).hash != before


def test_what_git_ignores_is_not_copied(repository: Path) -> None:
    subprocess.run(["git", "init", "-q", "."], cwd=repository, check=True)
    (repository / "bench").write_text("made")
    (repository / "notes.txt").write_text("new")
    names = repository_files(repository)
    assert "bench" not in names
    assert "notes.txt" in names
    assert not [name for name in names if name.startswith(".git/")]


@pytest.mark.parametrize(
    ("name", "pattern", "fits"),
    [
        ("src/a.cpp", "src/*.cpp", True),
        ("src/deep/a.cpp", "src/*.cpp", False),
        ("src/deep/a.cpp", "src/**/*.cpp", True),
        ("src/a.cpp", "src/**/*.cpp", True),
        ("src/a.cpp", "src", True),
        ("src/a.cpp", "./src/", True),
        ("source/a.cpp", "src", False),
        ("a+b.c", "a+b.c", True),
    ],
)
def test_globs(name: str, pattern: str, fits: bool) -> None:
    assert matches(name, pattern) is fits


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('["s*.c"]', '["src/*.c"]', r"command\.editable: 'src/\*\.c' matches no file"),
        ('["s*.c"]', "[]", r"command\.editable:"),
        ('editable = ["s*.c"]\n', "", r"command\.editable: is required"),
        ('test = ["./check"]\n', "", r"command\.test: is required"),
        ('["./bench"]', "[]", r"command\.bench: give a shell string"),
        ('["./bench"]', '"  "', r"command\.bench: is empty"),
        ("[command]", '[command]\nrepository = "nowhere"', r"command\.repository: .*nowhere is not a folder"),
        ("[command]", "[command]\nnumber = 'seconds'", "number needs exactly one group"),
        ("[command]", "[command]\nnumber = '('", "number is not a regular expression"),
        ("[command]", '[command]\nbetter = "higher"', 'better = "higher" needs number'),
        ("[command]", '[command]\npython = "nowhere"', r"command\.python: nowhere has no bin/python"),
        ("[command]", '[command]\nbuilds = "make"', r"command\.builds: no such field"),
        ('["./bench"]', '["./bench", "{input}"]', r"bench has \{input\}, so inputs is needed"),
        ("[command]", '[command]\ninputs = ["a"]', r"inputs are given, but bench has no \{input\}"),
        ('kind = "command"', 'kind = "command"\nbaseline = "sum.c"', "has no 'baseline'"),
        ('kind = "command"', 'kind = "program"\nlanguage = "c"\nbaseline = "sum.c"', "did you mean kind = .command."),
        ("[command]", '[objective]\nmetric = "instructions"\n\n[command]', "a repository is timed"),
    ],
)
def test_errors_name_the_field_and_the_fix(repository: Path, old: str, new: str, message: str) -> None:
    (repository / "task.toml").write_text(TASK.replace(old, new, 1))
    with pytest.raises(InputError, match=message) as error:
        load_task(repository)
    assert "task.toml" in str(error.value)


def test_seeds_and_inputs_are_put_into_the_bench(repository: Path) -> None:
    bench = 'bench = "./bench {seed} {input}"\ninputs = ["a.txt", "b.txt"]'
    (repository / "task.toml").write_text(TASK.replace('bench = ["./bench"]', bench))
    command = load_task(repository).table(Command)
    assert [command.bench_with(seed)[-1] for seed in (4, 5)] == ["./bench 4 a.txt", "./bench 5 b.txt"]


def test_a_model_sees_the_files_and_the_commands(task: Task) -> None:
    outcome = Outcome(candidate="", task=task.hash, status=Status.OK)
    attempt = Attempt(node=0, depth=0, files=task.baseline_candidate.files, outcome=outcome, reward=1.0, u=1.0)
    text = render(Observation(task=task, current=attempt), Prompts())[1]["content"]
    for part in ("- sum.c (c)", "- scale.c (c)", "`make`", "`./check`", "`./bench`", "for (int j = 0; j <= i; j++)"):
        assert part in text
    assert "$" not in text
