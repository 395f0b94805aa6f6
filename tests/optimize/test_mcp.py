"""A coding agent's view: the real MCP client, the real server on standard input and output, the real evaluator."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

import pytest
from mcp import ClientSession, StdioServerParameters, stdio_client

pytestmark = pytest.mark.long
ROOT = Path(__file__).parents[2]
TASK = ROOT / "tests" / "adversarial" / "tasks" / "total"
FASTER = ROOT / "tests" / "adversarial" / "programs" / "control_total_sort.cpp"


async def _talk() -> list[str]:
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "maxcode.cli.main", "mcp", str(TASK), "--evals", "2"],
        env={**os.environ},
    )
    async with stdio_client(command) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        said = []
        for tool, arguments in (
            ("observation", {}),
            ("submit", {"program": FASTER.read_text()}),
            ("submit", {"program": "int main( {"}),
            ("observation", {}),
            ("best", {}),
        ):
            result = await session.call_tool(tool, arguments)
            said.append(result.content[0].text)
        return said


def test_an_agent_reads_submits_and_sees_the_best() -> None:
    observation, first, second, end, best = asyncio.run(_talk())
    assert "total" in observation and "#include" in observation
    assert json.loads(first)["status"] == "ok"
    assert json.loads(second)["status"] == "build_error"
    assert "budget is spent" in end
    assert json.loads(best)["speedup"] > 1
