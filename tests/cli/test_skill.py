"""The skill for coding agents: its file as agents read it, its commands, and a change that it judges."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from maxcode.cli.skill_folder import SKILL
from tests.docs.walk import problem

TEXT = (SKILL / "SKILL.md").read_text()


def test_the_head_says_what_it_is_for() -> None:
    head = re.match(r"---\nname: ([a-z-]+)\ndescription: (.+)\n---\n", TEXT)
    assert head and head[1] == "maxcode" and len(head[2]) < 1024


def test_its_commands_and_scripts_are_there() -> None:
    commands = re.findall(r"^    (maxcode .+)$", TEXT, re.MULTILINE)
    assert len(commands) >= 8
    assert [command for command in commands if problem(command)] == []
    scripts = set(re.findall(r"scripts/\w+\.sh", TEXT))
    assert scripts == {str(path.relative_to(SKILL)) for path in (SKILL / "scripts").iterdir()}


@pytest.mark.long
def test_a_change_of_the_work_tree_is_judged(tmp_path: Path) -> None:
    maxcode = Path(sys.executable).with_name("maxcode")
    environment = {**os.environ, "PATH": f"{maxcode.parent}:{os.environ['PATH']}"}

    def ran(*words: str | Path) -> str:
        return subprocess.run(words, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True).stdout

    ran(maxcode, "skill", "skill")
    ran("git", "init", "-q")
    (tmp_path / "bench.sh").write_text("sleep 0.01\n")
    ran("git", "add", "bench.sh")
    ran("git", "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-q", "-m", "first")
    (tmp_path / "bench.sh").write_text("sleep 0.3\n")
    found = json.loads(ran("skill/scripts/judge_change.sh", "true", "sh bench.sh", "--max-seconds", "0", "--json"))
    assert found["sides"][0]["name"] == "after"
    assert found["sides"][0]["seconds"] > found["sides"][0]["seconds_baseline"]
