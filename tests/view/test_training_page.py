"""A training and a benchmark in a real browser: the map of the archive, and the buttons that stop and resume."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from maxcode.store.journal import Store
from maxcode.train.techniques import Technique
from maxcode.view.processes import spawned
from tests.conftest import SMALL_TASK
from tests.report.recording import HOSTILE
from tests.view.browsing import Open, fits, stop_all
from tests.view.serving import serving
from tests.view.trainings import step, trained

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]
LONG = "stencil3d-of-a-quite-long-name-512x512x512x16"
TASKS = ("dgemm-64", "gemv-512", LONG, *(f"transpose-{size}" for size in range(512, 522)))
SIMD, BLOCKING, THREADS = Technique.SIMD, Technique.CACHE_BLOCKING, Technique.OPENMP
FOUND = {
    ("dgemm-64", ()): 20.0,
    ("dgemm-64", (SIMD,)): 55.0,
    ("dgemm-64", tuple(Technique)): 90.0,
    (LONG, (SIMD,)): 40.0,
    ("transpose-521", (THREADS, BLOCKING)): 70.0,
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving() as found:
        yield found
    stop_all()


@pytest.fixture(scope="module")
def training() -> str:
    run = trained(FOUND, tasks=TASKS, program=f"// {HOSTILE}\nvoid f() {{}}\n")
    with Store() as store:
        for number in range(2, 10):
            figures = {"reward": 3 + number**0.5 + number % 3, "success": 1 - 0.6**number, "gflops_best": 2.0 + number}
            store.append(run, "rl.step", "", {"step": number, "kl": 0.01 * number, **figures})
    return run


def test_the_map_is_walked_with_the_keyboard_and_opens_programs_as_text(open_page: Open, training: str) -> None:
    page = open_page(f"run/{training}")
    page.locator("#archive .kind").first.focus()
    for key, words in (("ArrowDown", "dgemm-64, SIMD"), ("ArrowRight", f"{LONG}, SIMD"), ("ArrowLeft", "reward 55")):
        page.keyboard.press(key)
        assert words in page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("Enter")
    page.wait_for_selector("#elite .code")
    assert HOSTILE[:40] in page.locator("#elite .code").inner_text()
    assert "dgemm-64, SIMD: reward 55" in page.locator("#archive [role=status]").text_content()
    assert page.evaluate("window.broken") is None
    assert page.locator("main img, main script, main style").count() == 0


def test_the_map_says_how_full_it_is(open_page: Open, training: str) -> None:
    said = open_page(f"run/{training}").locator("#diversity").inner_text()
    assert f"5 of {len(TASKS) * 128:,} cells are filled" in said
    assert "QD-score 2.75" in said


def test_the_map_grows_as_the_training_goes_on_and_the_focus_stays(open_page: Open) -> None:
    run = trained({("dgemm-64", ()): 20.0}, tasks=TASKS)
    page = open_page(f"run/{run}")
    page.locator("#archive .kind").first.click()
    page.wait_for_selector("#elite .code")
    step(run, 2, {("dgemm-64", ()): 30.0}, tasks=TASKS)
    page.wait_for_selector("#archive .kind:focus:text('30')")
    page.wait_for_selector("#elite dd:text('30')")


def test_a_training_of_an_earlier_version_says_that_it_has_no_map(open_page: Open) -> None:
    with Store() as store:
        journal = store.start("rl:dgemm", {"kind": "rl", "steps": 9})
        for number in (1, 2):
            journal.note("rl.step", {"step": number, "reward": 3.0})
    page = open_page(f"run/{journal.run}")
    page.wait_for_selector("#archive .empty:has-text('no map of it')")
    assert page.locator("#training figure").count() == 1


@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_map_is_wider_than_the_window(browser: Any, address: str, training: str, width: int, scheme: str) -> None:
    fits(browser, f"{address}#/run/{training}", "training", width, scheme, click="#archive .kind >> nth=2")


def test_a_training_is_stopped_and_says_why_it_cannot_go_on(browser: Any, address: str, tmp_path: Path) -> None:
    run = trained(FOUND, tasks=TASKS)
    heeds_ctrl_c = "import signal, time; signal.signal(signal.SIGINT, signal.SIG_DFL); time.sleep(600)"
    process = spawned([sys.executable, "-c", heeds_ctrl_c], tmp_path / "log.txt")
    with Store() as store:
        store.append(run, "session.opened", "", {"process": process.model_dump()})
    page = browser.new_page()
    page.goto(f"{address}#/run/{run}")
    page.get_by_role("button", name="Stop").click()
    page.wait_for_selector(".said:has-text('the last checkpoint is kept')")
    assert not process.alive
    page.get_by_role("button", name="Resume").click()
    page.wait_for_selector(".said:has-text('its folder is not on record')")
    page.close()


def test_a_benchmark_is_stopped_and_resumed(open_page: Open, open_folder: Path) -> None:
    shutil.copytree(SMALL_TASK, open_folder / "tasks" / "total")
    words = ["bench", "tasks", "tasks", "--method", "flat", "--evals", "500"]
    terminal = subprocess.Popen([sys.executable, "-m", "maxcode", *words], stderr=subprocess.DEVNULL, cwd=open_folder)
    page = open_page("")
    page.locator("tr:has(.state.running) a", has_text="bench:tasks").click()
    page.get_by_role("button", name="Stop").click()
    page.wait_for_selector(".state.stopped")
    assert terminal.wait(60) == 130
    page.get_by_role("button", name="Resume").click()
    page.wait_for_selector(".state.running")
    page.wait_for_selector(".live:has-text('1 searches')")
    page.get_by_role("button", name="Stop").click()
    page.wait_for_selector(".state.stopped")
    assert "maxcode bench resume" in page.locator("details:has-text('What its process said') pre").text_content()
