"""A coding agent's view: the real MCP client, the real server on standard input and output, the real evaluator."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession, StdioServerParameters, stdio_client

from maxcode.optimize.recorded import recorded_tree
from maxcode.store.journal import Store

pytestmark = pytest.mark.long
ROOT = Path(__file__).parents[2]
TASK = ROOT / "tests" / "adversarial" / "tasks" / "total"
FASTER = (ROOT / "tests" / "adversarial" / "programs" / "control_total_sort.cpp").read_text()
BASELINE = (TASK / "baseline.cpp").read_text()


@asynccontextmanager
async def _agent(home: Path, evals: int) -> AsyncIterator[ClientSession]:
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "maxcode.cli.main", "mcp", str(TASK), "--evals", str(evals)],
        env={**os.environ, "MAXCODE_HOME": str(home)},
    )
    async with stdio_client(command) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        yield session


async def _said(session: ClientSession, tool: str, **arguments: str) -> str:
    result = await session.call_tool(tool, arguments)
    return str(result.content[0].text)


async def _whole_budget(home: Path) -> list[str]:
    async with _agent(home, 2) as session:
        return [
            await _said(session, "observation"),
            await _said(session, "submit", program=FASTER),
            await _said(session, "submit", program="int main( {"),
            await _said(session, "observation"),
            await _said(session, "best"),
        ]


def test_an_agent_reads_submits_and_sees_the_best(tmp_path: Path) -> None:
    observation, first, second, end, best = asyncio.run(_whole_budget(tmp_path))
    assert "total" in observation and "#include" in observation
    assert json.loads(first)["status"] == "ok"
    assert json.loads(second)["status"] == "build_error"
    assert "budget is spent" in end
    assert json.loads(best)["speedup"] > 1


async def _three_of_six(home: Path) -> tuple[dict[str, Any], str, list[dict[str, Any]]]:
    async with _agent(home, 6) as session:
        for program in ("int main( {", FASTER, BASELINE + "\n"):
            await _said(session, "submit", program=program)
        best = json.loads(await _said(session, "best"))
        observation = await _said(session, "observation")
        return best, observation, _listed(home)


def _listed(home: Path) -> list[dict[str, Any]]:
    """What `maxcode show last` says, in a process of its own."""
    command = [sys.executable, "-m", "maxcode", "show", "last", "--json"]
    done = subprocess.run(
        command, env={**os.environ, "MAXCODE_HOME": str(home)}, capture_output=True, check=True, text=True
    )
    nodes: list[dict[str, Any]] = json.loads(done.stdout)["nodes"]
    return nodes


def test_every_submission_is_known_at_once_and_after_the_client_has_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    best, observation, nodes = asyncio.run(_three_of_six(tmp_path))
    assert best["speedup"] > 1 and best["files"]["baseline.cpp"].strip() == FASTER.strip()
    assert FASTER.strip()[:200] in observation
    assert [node["status"] for node in nodes] == ["ok", "build_error", "ok", "ok"]
    monkeypatch.setenv("MAXCODE_HOME", str(tmp_path))
    with Store() as store:
        (info,) = store.runs()
        tree = recorded_tree(store, info.id)
    assert tree.best.candidate.files == best["files"]
    assert tree.best.outcome.measurement is not None
    assert tree.best.outcome.measurement.speedup == pytest.approx(best["speedup"])
