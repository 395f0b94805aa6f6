"""Control groups on machines that refuse some of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from maxcode.evaluate.sandbox import cgroups


def test_memory_is_bounded_where_processor_time_lets_nobody_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroups, "own_groups", lambda: {"memory": tmp_path / "memory", "cpuacct": tmp_path / "cpuacct"})
    (tmp_path / "memory").mkdir()
    (tmp_path / "cpuacct" / "x" / "cgroup.procs").mkdir(parents=True)
    group = cgroups.ControlGroup.create("x")
    assert group is not None
    assert set(group.folders) == {"memory"}
