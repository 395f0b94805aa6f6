"""How large the report of a large run is, how long it takes to make, and how long a browser takes to open it.

The run is made by the real search through the real journal; only the proposals and the outcomes are drawn by lot.
Usage: python runs/report/large.py [NODES], in a home of its own.
"""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from maxcode.core import (
    Candidate,
    Cost,
    Fact,
    Measurement,
    Mode,
    Outcome,
    Proposal,
    Sample,
    Stage,
    Status,
    Verdict,
    Verification,
)
from maxcode.critic.rules import rule_critic
from maxcode.optimize.run import SearchSettings, strategy_of
from maxcode.search.budget import Budget
from maxcode.search.loop import search
from maxcode.search.observe.observation import Observation
from maxcode.search.parts import Parts
from maxcode.store.journal import Store
from maxcode.task import Task, load_task

TASK = load_task(Path(__file__).parents[2] / "examples" / "sort")
WORDS = ("const auto", "buffer", "total", "index", "[[likely]]", "reserve", "restrict", "unsigned", "stride", "block")


async def propose(observation: Observation, n: int, seed: int) -> list[Proposal]:
    """Programs that differ from their parent in a few places, as those of models do."""
    files = observation.current.files or TASK.baseline_candidate.files
    return [_edited(files[TASK.main_file], random.Random(seed + i)) for i in range(n)]


def _edited(text: str, rng: random.Random) -> Proposal:
    lines = text.splitlines()[:160]
    for _ in range(rng.randint(1, 6)):
        words = " ".join(rng.choice(WORDS) for _ in range(rng.randint(3, 9)))
        lines.insert(rng.randrange(len(lines) + 1), f"    {words} = {rng.random():.6f};")
        if len(lines) > 100:
            del lines[rng.randrange(len(lines))]
    candidate = TASK.candidate("\n".join(lines) + "\n", origin="large:model-a")
    cost = Cost(prompt_tokens=rng.randint(2000, 9000), completion_tokens=rng.randint(300, 1500), usd=rng.random() / 50)
    return Proposal(text="", candidate=candidate, model="large:model-a", cost=cost)


async def judge(
    task: Task, candidates: list[Candidate], *, mode: Mode = Mode.SEARCH, seed: int | None = None
) -> list[Outcome]:
    del mode, seed
    return [_outcome(task, candidate, random.Random(candidate.id)) for candidate in candidates]


def _outcome(task: Task, candidate: Candidate, rng: random.Random) -> Outcome:
    stages = (Stage(name="build", seconds=rng.random()), Stage(name="measure", seconds=2 * rng.random()))
    fields = {"candidate": candidate.id, "task": task.hash, "stages": stages}
    if candidate.id != task.baseline_candidate.id and rng.random() < 0.4:
        status = rng.choice([Status.BUILD_ERROR, Status.WRONG, Status.CRASHED, Status.TIMEOUT])
        reason = f"main.cpp:{rng.randint(1, 99)}: error {rng.randint(1, 400)}: {' '.join(rng.choices(WORDS, k=12))}"
        return Outcome(status=status, reason=reason, **fields)
    speedup = 1.0 if candidate.id == task.baseline_candidate.id else rng.lognormvariate(0.1, 0.5)
    samples = tuple(Sample(baseline=1.0, candidate=1 / speedup, method="exclusive") for _ in range(10))
    verdict = Verdict.FASTER if speedup > 1.02 else Verdict.SLOWER if speedup < 0.98 else Verdict.TIE
    low, high = speedup * 0.98, speedup * 1.02
    m = Measurement(samples=samples, clock="cpu", method="exclusive", verdict=verdict, speedup=speedup, ci_low=low,
                    ci_high=high, alpha=0.02, machine="none")  # fmt: skip
    return Outcome(status=Status.OK, measurement=m, verification=Verification(passed=14, total=14), **fields)


async def profile(task: Task, candidate: Candidate) -> tuple[Fact, ...]:
    del task
    rng = random.Random(candidate.id)
    remarks = ("control flow in loop", "possible aliasing", "statement can throw an exception")
    return tuple(
        Fact(
            kind="not_vectorized", text=rng.choice(remarks), source="gcc", file=TASK.main_file, line=rng.randint(1, 90)
        )
        for _ in range(rng.randint(1, 6))
    )


def recorded(nodes: int) -> str:
    settings = SearchSettings(
        task=str(TASK.folder), policy="scripted:large", strategy="evolve+maxcode", budget=Budget(evals=nodes)
    )
    with Store() as store:
        journal = store.start(TASK.name, settings.model_dump(mode="json"))
        journal.note("session.opened", {})
        parts = Parts(policy=propose, evaluate=judge, journal=journal, critic=rule_critic, profile=profile)
        asyncio.run(search(TASK, strategy_of(settings), parts, budget=settings.budget, seed=0))
    return journal.run


def opened(file: Path) -> float:
    """Seconds until the page has drawn itself, in a browser that is already running."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        started = time.perf_counter()
        page.goto(file.as_uri())
        page.wait_for_selector("html[data-ready=yes]", timeout=60_000)
        page.screenshot()
        seconds = time.perf_counter() - started
        browser.close()
    return seconds


def main() -> None:
    nodes = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory(prefix="maxcode-report-") as folder:
        os.environ["MAXCODE_HOME"] = folder
        file = Path(os.environ.get("REPORT", f"{folder}/report.html"))
        started = time.perf_counter()
        run = recorded(nodes)
        print(f"{nodes} nodes on record after {time.perf_counter() - started:.0f} s")
        started = time.perf_counter()
        from maxcode.cli.report import ReportFormat, report

        report([run], output=file, form=ReportFormat.HTML)
        print(f"report: {file.stat().st_size / 1e6:.2f} MB, made in {time.perf_counter() - started:.1f} s")
        print(f"opens in {opened(file):.2f} s")


if __name__ == "__main__":
    main()
