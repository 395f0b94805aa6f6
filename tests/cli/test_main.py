"""The command as a user runs it: in a process of its own, its output in a pipe."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from maxcode import __version__
from tests.conftest import SMALL_TASK

PYTHON_TASK = Path(__file__).parents[1] / "adversarial" / "tasks" / "total_py"
HEAVY = ("numpy", "asyncio", "maxcode.evaluate.pool", "maxcode.evaluate.stages", "maxcode.task")
GIVEN = [str(SMALL_TASK), str(SMALL_TASK / "baseline.cpp"), str(SMALL_TASK / "generate.py")]
COMMANDS = ("evaluate", "check", "new", "doctor")


def maxcode(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from maxcode.cli.main import app; app()", *words]
    given = {**os.environ, "COLUMNS": "200", **environment}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=given)


def plain(text: str) -> str:
    """Without the line breaks that fit a text to the width of a terminal."""
    return "".join(text.split())


def test_help_names_every_command() -> None:
    done = maxcode("--help")
    assert done.returncode == 0
    assert all(f" {command} " in done.stdout for command in COMMANDS)


@pytest.mark.timing
def test_help_answers_at_once() -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    maxcode("--help")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 1.0


@pytest.mark.parametrize("words", [["--help"], ["evaluate", "--help"], ["--version"]], ids=" ".join)
def test_help_imports_nothing_heavy(words: list[str]) -> None:
    report = (
        "import sys\nfrom maxcode.cli.main import app\n"
        "try: app()\nexcept SystemExit: pass\n"
        "print('modules', *sys.modules, file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", report, *words], capture_output=True, text=True, check=True)
    loaded = done.stderr.rsplit("modules", 1)[1].split()
    assert "typer" in loaded
    assert [name for name in HEAVY if name in loaded] == []


def test_version_is_printed() -> None:
    assert maxcode("--version").stdout == f"maxcode {__version__}\n"


def test_command_is_installed() -> None:
    done = subprocess.run(
        [Path(sys.executable).parent / "maxcode", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"maxcode {__version__}\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["evaluate", "/nowhere", "x.cpp"], "/nowhere: no such folder"),
        (["evaluate", str(SMALL_TASK), "/nowhere/x.cpp"], "/nowhere/x.cpp: no such file"),
        (["check", "/nowhere"], "/nowhere: no such folder"),
        (["new", "/tmp/never-made", "--from", "/nowhere/x.cpp"], "/nowhere/x.cpp: no such file"),
        (["evaluate", str(SMALL_TASK), str(SMALL_TASK)], "cannot be read"),
    ],
    ids=["task", "candidate", "checked task", "program", "folder as a candidate"],
)
def test_bad_input_ends_with_2_and_a_message(words: list[str], message: str) -> None:
    done = maxcode(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert plain(message) in plain(done.stderr)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("words", [["no-such-command"], ["evaluate"], ["check", "--no-such-option", "x"]], ids=" ".join)
def test_wrong_usage_ends_with_2(words: list[str]) -> None:
    done = maxcode(*words)
    assert done.returncode == 2
    assert "Usage" in done.stderr


def test_square_brackets_of_a_message_are_shown(small_task_folder: Path) -> None:
    file = small_task_folder / "task.toml"
    text = file.read_text()
    start = text.index("[[workloads]]")
    file.write_text(text[:start] + text[text.index("[limits]") :])
    done = maxcode("check", str(small_task_folder))
    assert done.returncode == 2
    assert "[[workloads]]" in plain(done.stderr)


@pytest.fixture(scope="module")
def evaluated() -> subprocess.CompletedProcess[str]:
    return maxcode(
        "evaluate", str(SMALL_TASK), str(SMALL_TASK / "baseline.cpp"), str(SMALL_TASK / "generate.py"), "--json"
    )


@pytest.mark.long
def test_json_is_one_object_to_a_line(evaluated: subprocess.CompletedProcess[str]) -> None:
    assert evaluated.returncode == 0
    objects = [json.loads(line) for line in evaluated.stdout.splitlines()]
    assert [each["status"] for each in objects] == ["ok", "build_error"]
    assert [Path(each["file"]).name for each in objects] == ["baseline.cpp", "generate.py"]


@pytest.mark.long
def test_json_has_the_promised_keys(evaluated: subprocess.CompletedProcess[str]) -> None:
    promised = {"status", "passed", "total", "speedup", "ci_low", "ci_high", "samples", "reason", "seconds"}
    for line in evaluated.stdout.splitlines():
        assert promised <= set(json.loads(line))


@pytest.mark.long
def test_json_of_a_good_program_has_figures(evaluated: subprocess.CompletedProcess[str]) -> None:
    good, bad = (json.loads(line) for line in evaluated.stdout.splitlines())
    assert good["passed"] == good["total"] == 10
    assert good["ci_low"] <= good["speedup"] <= good["ci_high"]
    assert good["samples"] >= 3
    assert good["seconds"] > 0
    assert good["reason"] is None
    assert bad["speedup"] is None
    assert "baseline.cpp:1:1: error" in bad["reason"]


@pytest.mark.long
def test_table_in_a_pipe_has_no_colours(evaluated: subprocess.CompletedProcess[str]) -> None:
    """The outcomes are known by now, so this only prints them."""
    assert evaluated.returncode == 0
    done = maxcode("evaluate", *GIVEN)
    assert done.returncode == 0
    assert "baseline.cpp" in done.stdout
    assert "earlier evaluation" in done.stdout
    assert "build_error" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr


@pytest.mark.long
@pytest.mark.parametrize(
    ("task", "file", "said"),
    [(SMALL_TASK, "baseline.cpp", "sanitizers clean"), (PYTHON_TASK, "baseline.py", "not sanitized")],
    ids=["C++", "Python"],
)
def test_what_sanitizers_have_seen_is_said(task: Path, file: str, said: str) -> None:
    done = maxcode("evaluate", str(task), str(task / file), "--sanitize")
    assert done.returncode == 0, done.stderr
    assert f"{file}: {said}" in done.stdout


def test_no_colours_in_messages_in_a_pipe() -> None:
    assert "\x1b" not in maxcode("check", "/nowhere").stderr
    assert "\x1b" not in maxcode("--help").stdout


def test_doctor_tells_what_there_is() -> None:
    done = maxcode("doctor", "--json")
    assert done.returncode == 0
    items = {item["name"]: item for item in json.loads(done.stdout)["items"]}
    assert {"C compiler", "C++ compiler", "isolation", "memory limit", "measuring slots", "home"} <= set(items)
    assert os.environ["MAXCODE_HOME"] in items["home"]["detail"]
    assert all(item["ok"] or item["fix"] or item["detail"] for item in items.values())


def test_unsound_task_ends_with_1(small_task_folder: Path) -> None:
    (small_task_folder / "tests/hidden/output.0.txt").write_text("0 0 0\n")
    done = maxcode("check", str(small_task_folder), "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["sound"] is False
