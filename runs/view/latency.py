"""Latencies of the live page's answers for a large run, with a real server in a process of its own.

Usage: python runs/view/latency.py [NODES], in a home of its own. Prints a table of milliseconds.
"""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import httpx

sys.path.insert(0, str(Path(__file__).parents[1] / "report"))
REPEATS = 30


def endpoints(run: str, nodes: int) -> dict[str, str]:
    return {
        "list of runs": "runs",
        "the run": f"runs/{run}",
        "nodes, a whole page of them": f"runs/{run}/nodes?since=0",
        "nodes, the newest few": f"runs/{run}/nodes?since={nodes - 5}",
        "one node with its program": f"runs/{run}/nodes/{nodes // 2}",
        "best-so-far curve": f"runs/{run}/progress",
        "archive map": f"runs/{run}/archive",
    }


def timed(ask: Callable[[], httpx.Response]) -> tuple[list[float], int]:
    """Milliseconds of each answer, and the size of the last."""
    found = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        answer = ask().raise_for_status()
        found.append(1000 * (time.perf_counter() - started))
    return found, len(answer.content)


def row(words: str, values: list[float], size: int) -> str:
    high = sorted(values)[int(0.95 * len(values))]
    return f"| {words} | {statistics.median(values):.0f} | {high:.0f} | {max(values):.0f} | {size / 1000:,.0f} |"


def table(title: str, client: httpx.Client, run: str, nodes: int) -> None:
    print(f"\n{title}\n\n| answer | median ms | 95% ms | worst ms | kB |\n|---|---:|---:|---:|---:|", flush=True)
    for words, path in endpoints(run, nodes).items():
        values, size = timed(lambda path=path: client.get(path))  # type: ignore[misc]
        print(row(words, values, size), flush=True)


def caught_up(client: httpx.Client, run: str) -> int:
    while not (found := client.get(f"runs/{run}/nodes").json())["caught_up"]:
        time.sleep(0.1)
    return int(found["size"])


def main() -> None:
    nodes = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory(prefix="maxcode-view-") as folder:
        os.environ["MAXCODE_HOME"] = folder
        from large import recorded

        started = time.perf_counter()
        run = recorded(nodes)
        print(f"{nodes} nodes on record after {time.perf_counter() - started:.0f} s", flush=True)
        command = [sys.executable, "-m", "maxcode", "view", "--port", "0", "--json"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        address = json.loads(server.stdout.readline())["url"]
        with httpx.Client(base_url=f"{address}api/", timeout=60) as client:
            started = time.perf_counter()
            values, size = timed(lambda: client.get(f"runs/{run}/nodes?since=0"))
            print("\nWhile the run is read for the first time\n\n| answer | median ms | 95% ms | worst ms | kB |")
            print("|---|---:|---:|---:|---:|\n" + row("nodes so far", values, size), flush=True)
            found = caught_up(client, run)
            print(f"\nall {found} nodes at hand {time.perf_counter() - started:.0f} s after the first question")
            table("From then on", client, run, found)
        server.send_signal(signal.SIGINT)
        server.wait(20)


if __name__ == "__main__":
    main()
