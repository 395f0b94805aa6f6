"""The live page in a real browser: what people click through works, and nothing that others wrote is ever run."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from maxcode.evaluate.measure.words import interval_in_words
from maxcode.store.journal import Store
from maxcode.system.home import home
from tests.cli.test_main import maxcode
from tests.conftest import SMALL_TASK
from tests.report.recording import HOSTILE, hostile_parts, recorded
from tests.view.boards import benchmarked
from tests.view.browsing import PATIENCE, Open, fits, stop_all
from tests.view.serving import serving

TOKEN = "correct horse battery staple"
MARKUP = "<img src=x onerror='window.broken = 1'><script>window.broken = 1</script>"
pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def address(real: str, hostile: str) -> Iterator[str]:
    del real, hostile  # whose task may then be started, and whose name is then known
    with serving() as found:
        yield found
    stop_all()


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Programs of a model: markup in a comment of one, and in what a wrong one prints; then variations."""
    file = tmp_path_factory.mktemp("answers") / "answers.jsonl"
    baseline = (SMALL_TASK / "baseline.cpp").read_text()
    wrong = f'#include <cstdio>\nint main() {{ std::puts("{MARKUP}"); }}\n'
    programs = [f"// {HOSTILE}\n{baseline}", wrong, *(f"// variation {i}\n{baseline}" for i in range(40))]
    file.write_text("".join(json.dumps(f"````cpp\n{each}````") + "\n" for each in programs))
    return file


def search(answers: Path, folder: Path, *words: str) -> list[str]:
    return ["optimize", str(SMALL_TASK), "--policy", f"scripted:{answers}", "--out", str(folder), "--json", *words]


@pytest.fixture(scope="module")
def real(answers: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A search on this machine, done."""
    done = maxcode(*search(answers, tmp_path_factory.mktemp("real"), "--evals", "2", "--strategy", "flat"))
    assert done.returncode == 0, done.stderr
    return str(json.loads(done.stdout)["run"])


@pytest.fixture(scope="module")
def hostile(real: str) -> str:
    """All that others write tries to break out of the page: code, critiques, reasons, and the task's name."""
    del real
    run = recorded(hostile_parts(), strategy="cuda-llm+maxcode", budget={"evals": 8})
    rename(run, f"{MARKUP} javascript:alert(1)")
    return run


def rename(run: str, task: str) -> None:
    """Gives a run's task a name that no task file could."""
    with sqlite3.connect(home() / "journal.db") as journal:
        journal.execute("UPDATE runs SET task = ? WHERE id = ?", (task, run))
    journal.close()


def test_from_the_list_to_a_run_to_a_node_to_its_diff(open_page: Open, real: str) -> None:
    page = open_page("")
    page.locator(f"tr[data-run='{real}'] a").click()
    grown(page, 3)
    width = page.locator("#canvas").bounding_box()["width"]
    page.locator("#canvas").click(position={"x": width / 2 - 45, "y": 110})
    page.wait_for_selector("#node[data-node='1'] .code.diff tr.added")
    assert "window.broken" in page.locator("#node tr.added").first.inner_text()
    page.get_by_role("button", name="Whole program").click()
    page.wait_for_selector("#node .code.whole .keyword")
    assert page.evaluate("window.broken") is None


@pytest.mark.parametrize(("low", "high"), [(2.9, 3.774), (1.34, 2350.0), (0.0004, 0.91), (0.02, 3.0), (2290.0, 2410.0)])
def test_pages_and_terminals_tell_an_interval_alike(open_page: Open, low: float, high: float) -> None:
    script = "([low, high]) => import('/page/dom.js').then((dom) => dom.interval(low, high))"
    assert open_page("").evaluate(script, [low, high]) == interval_in_words(low, high)


def test_a_failed_node_says_why_and_its_output_is_text(open_page: Open, real: str) -> None:
    page = open_page(f"run/{real}/node/2")
    page.wait_for_selector("#node[data-node='2'] .feedback")
    assert "wrong" in page.locator("#node").inner_text()
    assert page.locator("main img").count() == 0


def test_the_tree_is_walked_with_the_keyboard(open_page: Open, hostile: str) -> None:
    page = open_page(f"run/{hostile}/node/0")
    grown(page, 9)
    page.keyboard.press("g")
    for key, node in (("ArrowDown", 1), ("ArrowRight", 2), ("ArrowUp", 0)):
        page.keyboard.press(key)
        assert f"node {node}:" in page.locator("#said").inner_text()
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("r")
    page.wait_for_selector("table.runs")


def test_nothing_hostile_runs_and_all_of_it_is_shown_as_text(open_page: Open, hostile: str) -> None:
    page = open_page("")
    page.wait_for_selector(f"tr[data-run='{hostile}']")
    assert MARKUP in page.locator(f"tr[data-run='{hostile}']").inner_text()
    page.goto(page.url.split("#")[0] + f"#/run/{hostile}/node/0")
    page.wait_for_selector("#node[data-node='0'] .feedback")
    assert MARKUP in page.locator("h1").inner_text()
    assert HOSTILE[:40] in page.locator("#node").inner_text()
    page.locator("#toNode").fill("2")
    page.locator("#toNode").press("Enter")
    page.wait_for_selector("#node[data-node='2'] .code")
    assert HOSTILE[:40] in page.locator("#node .code").first.inner_text()
    page.locator("#canvas").hover(position={"x": 300, "y": 40})
    page.wait_for_timeout(200)
    assert page.evaluate("window.broken") is None
    assert page.locator("main img, main script, main style").count() == 0


def test_an_injected_element_could_not_run_either(browser: Any, address: str) -> None:
    """Were text ever to become markup, the policy would stop it: no markup from text at all, no foreign script."""
    page = browser.new_page()
    page.goto(address)
    refused = page.evaluate(
        """async () => (await new Promise((done) => setTimeout(done)), [
             () => document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.broken = 1">'),
             () => document.createElement('a').setAttribute('onclick', 'window.broken = 1'),
             () => (document.createElement('script').text = 'window.broken = 1'),
             () => Function('window.broken = 1')(),
           ]).map((attempt) => { try { attempt(); return 'done' } catch (error) { return error.name } })"""
    )
    assert refused == ["TypeError", "TypeError", "TypeError", "EvalError"]
    assert page.evaluate("window.broken") is None
    page.close()


def grown(page: Any, least: int) -> int:
    """The size of the tree on the page, once it has so many nodes."""
    for _ in range(PATIENCE // 100):
        found = page.locator("#tree [data-nodes]")
        size = int(found.get_attribute("data-nodes")) if found.count() else 0
        if size >= least:
            return size
        page.wait_for_timeout(100)
    raise AssertionError(f"only {size} nodes")


def test_a_running_search_is_watched_live(open_page: Open, answers: Path, tmp_path: Path) -> None:
    page = open_page("")
    command = [sys.executable, "-m", "maxcode", *search(answers, tmp_path, "--evals", "5", "--strategy", "mcts")]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    page.locator("table.runs .state.running").first.wait_for()
    page.locator("tr:has(.state.running) a").first.click()
    sizes = [grown(page, least) for least in (2, 5)]
    page.wait_for_selector(".state.finished")
    out, err = running.communicate(timeout=60)
    assert running.returncode == 0, err
    assert sizes[0] < sizes[1] <= 6
    assert json.loads(out)["run"] in page.url


def test_a_search_is_started_stopped_and_resumed(open_page: Open) -> None:
    page = open_page("new")
    page.get_by_label("Policy").fill("rewrite")
    page.get_by_label("Strategy").select_option("mcts")
    page.get_by_label("Programs").fill("200")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".state.running")
    grown(page, 2)
    page.get_by_role("button", name="Stop").click()
    page.wait_for_selector(".state.stopped")
    before = grown(page, 2)
    assert "maxcode resume" in page.locator("details:has-text('What its process said') pre").text_content()
    page.get_by_role("button", name="Resume").click()
    page.wait_for_selector(".state.running")
    grown(page, before + 1)
    page.get_by_role("button", name="Stop").click()
    page.wait_for_selector(".state.stopped")


def test_a_refusal_is_shown(browser: Any, address: str) -> None:
    page = browser.new_page()
    page.goto(f"{address}#/new")
    page.get_by_label("Policy").fill("scripted:/etc/passwd")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".problem")
    assert "use rewrite" in page.locator(".problem").inner_text()
    page.close()


def test_the_token_is_asked_for_once(browser: Any) -> None:
    with serving("--token", TOKEN) as address:
        page = browser.new_page()
        page.goto(address)
        page.get_by_label("Token").fill("wrong")
        page.get_by_role("button", name="Enter").click()
        page.wait_for_selector("#said:not(:empty)")
        page.get_by_label("Token").fill(TOKEN)
        page.get_by_role("button", name="Enter").click()
        page.wait_for_selector("html[data-ready=yes]")
        page.reload()
        page.wait_for_selector("table.runs")
        page.close()


@pytest.fixture(scope="module")
def bench() -> str:
    """A benchmark of four tasks, whose names are all long."""
    speedups = {"mcts+critique,children=3,rounds=8": 12.25, "rollouts+value,screen=0.5,evals=24": 9.75}
    tasks = ("total", "median-of-a-window", "stencil3d-512x512x512", "words")
    return benchmarked(speedups, suite="/home/somebody/with/a_quite_long_name/of_the_folder/of/all_tasks", tasks=tasks)


@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_window(
    browser: Any, address: str, hostile: str, bench: str, width: int, scheme: str
) -> None:
    places = {"runs": "", "run": f"run/{hostile}", "new": "new", "boards": "boards", "board": f"board/{bench}"}
    for name, place in places.items():
        fits(browser, f"{address}#/{place}", name, width, scheme)
    fits(browser, f"{address}#/new", "new-program", width, scheme, choose=("Task", "a program of yours"))


def test_a_program_that_is_sent_becomes_a_task_and_a_run(open_page: Open, tmp_path: Path) -> None:
    (tmp_path / "numbers.txt").write_text(f"3000\n{' '.join(str(i * i % 4099) for i in range(3000))}\n")
    page = open_page("new")
    page.get_by_label("Task").select_option("a program of yours")
    page.get_by_label("Program", exact=True).set_input_files(SMALL_TASK / "baseline.cpp")
    page.get_by_label("Input").set_input_files(tmp_path / "numbers.txt")
    page.get_by_label("Programs").fill("1")
    page.get_by_role("button", name="Start").click()
    grown(page, 1)
    assert page.title() == "baseline · MaxCode"


def test_a_refused_run_says_why(open_page: Open) -> None:
    with Store() as store:
        journal = store.start("total", {"task": str(SMALL_TASK), "policy": "rewrite"})
        journal.note("session.opened", {})
        journal.note("refused", {"reason": "the baseline itself is wrong"})
    page = open_page(f"run/{journal.run}")
    page.wait_for_selector(".state.refused")
    page.wait_for_selector(".said:has-text('the baseline itself is wrong')")
    assert page.get_by_role("button", name="Resume").count() == 1, "what was wrong may have been put right"


def test_the_theme_is_kept(open_page: Open) -> None:
    page = open_page("")
    ground = "getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(ground)
    page.get_by_role("button", name="Dark").click()
    after = page.evaluate(ground)
    page.reload()
    page.wait_for_selector("html[data-ready=yes]")
    assert page.evaluate(ground) == after != before
