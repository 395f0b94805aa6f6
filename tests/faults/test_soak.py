"""Workers killed at random cost nothing: the soak of runs/soak.sh, shorter."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.alone, pytest.mark.long]
SOAK = Path(__file__).parents[2] / "runs" / "soak" / "soak.py"


def test_nothing_is_lost_or_left_behind_when_workers_are_killed() -> None:
    command = [sys.executable, SOAK, "--count", "50", "--pause", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=170)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "lost 0  wrong verdicts 0  left behind 0" in done.stdout
    assert "workers killed 0" not in done.stdout
