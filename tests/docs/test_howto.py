"""The how-to pages, as a reader would do them."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import sys
from pathlib import Path

import pytest
from mcp import ClientSession, StdioServerParameters, stdio_client

from maxcode.task import load_task
from tests.conftest import SMALL_TASK
from tests.docs.walk import DOCS, blocks, walk
from tests.policy.endpoint import Endpoint, completion

HOWTO = DOCS / "howto"

pytestmark = pytest.mark.usefixtures("empty_home")


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_cpp_program_from_file_to_report(open_folder: Path) -> None:
    place = open_folder / "walk"
    shown = walk(HOWTO / "program.md", open_folder, {"/tmp/walk": str(place)})
    assert "most is sound" in shown
    assert re.search(r"fast\.cpp +ok +(\d+)/\1 ", shown), shown
    assert re.search(r"hasty\.cpp +wrong +\d+/\d+", shown), shown
    assert "hasty.cpp: hidden test" in shown
    assert {"best.cpp", "best.diff", "summary.md"} <= {path.name for path in (place / "result").iterdir()}
    assert (place / "report.html").is_file()


@pytest.mark.long
def test_a_pytorch_model_becomes_a_task(open_folder: Path) -> None:
    pytest.importorskip("torch", reason="the problem is tried out")
    walk(HOWTO / "torch.md", open_folder)
    assert load_task(open_folder / "silu").kind.name == "torch"


@pytest.mark.long
@pytest.mark.timeout(600)
def test_an_endpoint_is_asked_by_its_names_and_settings(open_folder: Path) -> None:
    program = f"```cpp\n{(SMALL_TASK / 'baseline.cpp').read_text()}\n// again\n```"
    with Endpoint(lambda *_: completion(program, program)) as endpoint:
        meant = {"http://localhost:8000/v1": endpoint.url, "TASK": shlex.quote(str(SMALL_TASK))}
        walk(HOWTO / "endpoint.md", open_folder, meant)
        assert {request["model"] for request in endpoint.requests} == {"my-model"}
        assert any(request.get("max_tokens") == 8000 for request in endpoint.requests)


async def _tools(command: str, words: list[str]) -> set[str]:
    server = StdioServerParameters(command=command, args=words, env={**os.environ})
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        return {tool.name for tool in (await session.list_tools()).tools}


@pytest.mark.long
def test_the_agents_configuration_starts_a_server_with_the_tools_of_the_page() -> None:
    page = HOWTO / "agent.md"
    (text,) = [block.text for block in blocks(page) if block.language == "json"]
    server = json.loads(text.replace("/path/to/task", str(SMALL_TASK)))["mcpServers"]["maxcode"]
    assert server["command"] == "maxcode"
    named = set(re.findall(r"^\| `(\w+)` \|", page.read_text(), re.MULTILINE))
    assert asyncio.run(_tools(str(Path(sys.executable).parent / "maxcode"), server["args"])) == named


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_function_from_its_tests_to_a_verdict(open_folder: Path) -> None:
    place = open_folder / "walk"
    environment = Path(pytest.__file__).parents[4]
    meant = {"/tmp/walk": str(place), "::common\n": f"::common --python {environment}\n"}
    shown = walk(HOWTO / "function.md", open_folder, meant)
    assert re.search(r"calls seen, \d+ kept, \d+ of them held out; they reach 100%", shown), shown
    assert re.search(r"fast\.py +ok ", shown), shown
    assert re.search(r"hasty\.py +wrong ", shown), shown
    assert {"summary.md"} <= {path.name for path in (place / "result").iterdir()}
