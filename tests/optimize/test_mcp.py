"""A coding agent's view: the real MCP client, the real server on standard input and output, the real evaluator."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession, StdioServerParameters, stdio_client

from maxcode.optimize.comparing import comparison_of
from maxcode.optimize.recorded import recorded_tree
from maxcode.store.journal import Store
from tests.waiting import until

ROOT = Path(__file__).parents[2]
TASK = ROOT / "tests" / "adversarial" / "tasks" / "total"
FASTER = (ROOT / "tests" / "adversarial" / "programs" / "control_total_sort.cpp").read_text()
BASELINE = (TASK / "baseline.cpp").read_text()
SLOW_FUNCTION = """def distinct(values):
    found = []
    for value in values:
        if value not in found:
            found.append(value)
    return found
"""
FAST_FUNCTION = """def distinct(values):
    return list(dict.fromkeys(values))
"""
TESTS = """import pytest
from adding import distinct


@pytest.mark.parametrize("size", range(1, 12))
def test_distinct(size):
    values = [i * i % (size + 3) for i in range(40 * size)]
    assert distinct(values) == sorted(set(values), key=values.index)
"""

SESSIONS = json.loads((Path(__file__).parent / "agent_sessions.json").read_text())
LONG = "sleep 86399.5"


def _server(home: Path, *words: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "maxcode.cli.main", "mcp", *words],
        env={**os.environ, "MAXCODE_HOME": str(home)},
    )


@asynccontextmanager
async def _agent(home: Path, evals: int, task: str | None = str(TASK)) -> AsyncIterator[ClientSession]:
    command = _server(home, *([task] if task else []), "--evals", str(evals))
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


@pytest.mark.long
def test_an_agent_reads_submits_and_sees_the_best(tmp_path: Path) -> None:
    observation, first, second, end, best = asyncio.run(_whole_budget(tmp_path))
    assert "total" in observation and "#include" in observation
    assert json.loads(first)["status"] == "ok"
    assert json.loads(second)["status"] == "build_error"
    assert "budget is spent" in end
    assert json.loads(best)["speedup"] > 1 and json.loads(best)["interval"]


async def _three_of_six(home: Path) -> tuple[dict[str, Any], str, list[dict[str, Any]]]:
    async with _agent(home, 6) as session:
        for program in ("int main( {", FASTER, BASELINE + "\n"):
            await _said(session, "submit", program=program)
        best = json.loads(await _said(session, "best"))
        observation = await _said(session, "observation")
        return best, observation, _listed(home)


def _listed(home: Path) -> list[dict[str, Any]]:
    """What `maxcode show last` says, in a process of its own."""
    nodes: list[dict[str, Any]] = json.loads(_command(home, "show", "last", "--json"))["nodes"]
    return nodes


def _command(home: Path, *words: str) -> str:
    command, env = [sys.executable, "-m", "maxcode", *words], {**os.environ, "MAXCODE_HOME": str(home)}
    return subprocess.run(command, env=env, capture_output=True, check=True, text=True).stdout


@pytest.mark.long
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


async def _replayed(home: Path, steps: list[dict[str, Any]]) -> list[tuple[bool, str]]:
    """Answers to the calls of a recorded session: whether each is an error, and its words."""
    async with _agent(home, 6, None) as session:
        answers = []
        for step in steps:
            arguments = {name: _placed(value) for name, value in step["arguments"].items()}
            result = await session.call_tool(step["tool"], arguments)
            answers.append((bool(result.is_error), str(result.content[0].text)))
        return answers


def _placed(value: Any) -> Any:
    return value.replace("TASK", str(TASK)) if isinstance(value, str) else value


@pytest.mark.parametrize("name", ["comparing", pytest.param("searching", marks=pytest.mark.long)])
def test_a_recorded_session_has_the_same_answers_again(name: str, tmp_path: Path) -> None:
    answers = asyncio.run(_replayed(tmp_path, SESSIONS[name]))
    for step, (failed, words) in zip(SESSIONS[name], answers, strict=True):
        assert failed == step.get("error", False), (step, words)
        assert all(re.search(pattern, words) for pattern in step["answer"]), (step, words)
    with Store(f"sqlite:///{tmp_path / 'journal.db'}") as store:
        for step, (failed, words) in zip(SESSIONS[name], answers, strict=True):
            if step["tool"] == "compare" and not failed:
                said = json.loads(words)
                kept = comparison_of(store, said["run"])
                assert kept and [side.speedup for side in kept.sides] == [side["speedup"] for side in said["sides"]]


async def _waits_forever(home: Path) -> None:
    async with _agent(home, 2, None) as session:
        await session.call_tool("compare", {"commands": ["sleep 0.01", "sleep 0.02"], "max_seconds": 0})
        await session.call_tool("compare", {"commands": [LONG, LONG]})


def _running(words: str) -> bool:
    return any(_command_line(each).endswith(f"/{words}") for each in Path("/proc").glob("[0-9]*"))


def _command_line(process: Path) -> str:
    with suppress(OSError):  # it has just ended
        return process.joinpath("cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    return ""


@pytest.mark.long
def test_a_comparison_ends_with_its_client_and_what_was_found_stays(tmp_path: Path) -> None:
    code = f"import asyncio; from pathlib import Path; from {__name__} import _waits_forever as wait"
    words = [sys.executable, "-c", f"{code}; asyncio.run(wait(Path({str(tmp_path)!r})))"]
    with subprocess.Popen(words, cwd=ROOT) as client:
        try:
            until(lambda: _running(LONG), 120)
        finally:
            client.kill()
    until(lambda: not _running(LONG), 60)
    first, second = (json.loads(line) for line in _command(tmp_path, "runs", "--json").splitlines())
    assert (first["state"], second["state"]) == ("finished", "ended")
    assert json.loads(_command(tmp_path, "show", first["run"], "--json"))["sides"][0]["pairs"] >= 3


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_function_of_a_package_is_opened_and_judged(open_folder: Path) -> None:
    package = open_folder / "package"
    (package / "tests").mkdir(parents=True)
    (package / "pyproject.toml").write_text('[project]\nname = "adding"\nversion = "1.0"\n')
    (package / "adding.py").write_text(SLOW_FUNCTION)
    (package / "tests/test_adding.py").write_text(TESTS)

    async def session() -> list[str]:
        async with _agent(open_folder / "home", 2, None) as agent:
            opened = await _said(agent, "begin", target=f"{package}/adding.py::distinct")
            return [opened, await _said(agent, "submit", program=FAST_FUNCTION), await _said(agent, "best")]

    opened, verdict, best = asyncio.run(session())
    assert "def distinct" in opened and "calls seen" in opened
    assert json.loads(verdict)["status"] == "ok"
    assert json.loads(best)["files"]["function.py"].strip() == FAST_FUNCTION.strip()
