"""Wall time of searches that ask ahead, beside the time that model and evaluators take by themselves.

The model is a real endpoint on this machine that sleeps before it answers, reached over HTTP by the chat policy. The
evaluators sleep too, so that load on the machine does not matter. Everything between them is the search as it ships.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import threading
import time
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from maxcode.config import ModelSettings
from maxcode.core import Candidate, Measurement, Mode, Outcome, Sample, Status, Verdict
from maxcode.policy.openai import chat_policy
from maxcode.search.budget import Budget
from maxcode.search.loop import search
from maxcode.search.observe.render import Prompts
from maxcode.search.parts import Judged, Parts
from maxcode.search.strategies import strategy
from maxcode.store.journal import Store
from maxcode.task import Task, load_task

TASK = Path(__file__).parents[2] / "examples" / "matmul"
LATENCIES, EVALUATORS, AHEADS = (5.0, 20.0, 60.0), (2, 16), (0, 2, 4, 8, 16, 24)
AT_ONCE = 8
"""Programs that the model writes at the same time."""
EVALUATION = 5.0
PROGRAMS = 64


@dataclass(frozen=True)
class Setting:
    latency: float
    evaluators: int
    ahead: int
    scale: float

    @property
    def least(self) -> float:
        """Seconds that the model, or the evaluators, need for all programs, whichever is more."""
        return self.scale * PROGRAMS * max(self.latency / AT_ONCE, EVALUATION / self.evaluators)


class SleepingModel:
    """A chat endpoint that answers each request with a program of its own after a while."""

    def __init__(self, seconds: float) -> None:
        numbers = itertools.count()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["content-length"]))
                time.sleep(seconds)
                text = f"```cpp\n// program {next(numbers)}\n```"
                choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
                usage = {"prompt_tokens": 100, "completion_tokens": 30, "total_tokens": 130}
                answer = {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
                data = json.dumps({**answer, "usage": usage}).encode()
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def close(self) -> None:
        self._server.shutdown()


class SleepingEvaluators:
    """Evaluators that take a fixed time for a program, and find it to be as fast as its hash says."""

    def __init__(self, count: int, seconds: float) -> None:
        self._slots, self._seconds = asyncio.Semaphore(count), seconds

    async def __call__(
        self, task: Task, candidates: list[Candidate], *, mode: Mode = Mode.SEARCH, seed: int | None = None
    ) -> list[Outcome]:
        del mode, seed
        return [await self._judged(task, each) for each in candidates]

    async def _judged(self, task: Task, candidate: Candidate) -> Outcome:
        async with self._slots:
            await asyncio.sleep(self._seconds)
        return outcome_of(task, candidate, 0.9 + int(candidate.id[:4], 16) / 0x10000)


def outcome_of(task: Task, candidate: Candidate, speedup: float) -> Outcome:
    """The outcome of a correct program, measured without noise."""
    measurement = Measurement(
        samples=(Sample(baseline=1.0, candidate=1 / speedup, method="exclusive"),),
        clock="cpu",
        method="exclusive",
        verdict=Verdict.FASTER if speedup > 1 else Verdict.SLOWER,
        speedup=speedup,
        ci_low=speedup,
        ci_high=speedup,
        alpha=0.02,
        machine="simulated",
    )
    return Outcome(candidate=candidate.id, task=task.hash, status=Status.OK, measurement=measurement)


async def timed(setting: Setting, method: str) -> tuple[float, float]:
    """Seconds of a search, and seconds until its first verdict. The baseline costs nothing."""
    task, verdicts = load_task(TASK), list[float]()
    evaluators = SleepingEvaluators(setting.evaluators, EVALUATION * setting.scale)
    model = SleepingModel(setting.latency * setting.scale)
    settings = ModelSettings(base_url=model.url, together=False, concurrency=AT_ONCE, timeout=600.0)

    async def evaluate(
        task: Task, candidates: list[Candidate], *, mode: Mode = Mode.SEARCH, seed: int | None = None
    ) -> list[Outcome]:
        if candidates == [task.baseline_candidate]:
            return [outcome_of(task, candidates[0], 1.0)]
        return await evaluators(task, candidates, mode=mode, seed=seed)

    def judged(verdict: Judged) -> None:
        del verdict
        verdicts.append(time.monotonic())

    policy = chat_policy("m", settings, Prompts())
    parts = Parts(policy, evaluate, Store("sqlite://").start(task.name, {}), judged=judged)
    begun = time.monotonic()
    chosen = replace(strategy(method), ahead=setting.ahead)
    await search(task, chosen, parts, budget=Budget(evals=PROGRAMS))
    model.close()
    return time.monotonic() - begun, verdicts[0] - begun


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0, help="factor of all times; 0.05 for a quick look")
    parser.add_argument("--method", default="cuda-llm")
    parser.add_argument("--latency", type=float, nargs="+", default=LATENCIES)
    parser.add_argument("--evaluators", type=int, nargs="+", default=EVALUATORS)
    parser.add_argument("--ahead", type=int, nargs="+", default=AHEADS)
    given = parser.parse_args()
    places = itertools.product(given.latency, given.evaluators, given.ahead)
    settings = [Setting(latency, count, ahead, given.scale) for latency, count, ahead in places]
    await timed(Setting(0.0, 16, 0, 0.0), given.method)  # imports the SDK, which takes seconds on a busy machine
    found = await asyncio.gather(*(timed(each, given.method) for each in settings))
    print(
        f"{PROGRAMS} programs, {AT_ONCE} at a time; an evaluation takes {EVALUATION:g} s; all times x {given.scale:g}"
    )
    print(
        f"{'latency':>8} {'evaluators':>10} {'ahead':>6} {'seconds':>8} {'least':>7} {'times':>6} {'first verdict':>14}"
    )
    for each, (seconds, first) in zip(settings, found, strict=True):
        times = seconds / each.least
        print(
            f"{each.latency:8.0f} {each.evaluators:10d} {each.ahead:6d} {seconds:8.1f} {each.least:7.1f} {times:6.2f} "
            f"{first:14.1f}"
        )


if __name__ == "__main__":
    asyncio.run(main())
