"""Reports in a real browser: what people click through works, and nothing that others wrote is ever run."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_main import maxcode
from tests.conftest import SMALL_TASK
from tests.report.recording import HOSTILE, hostile_parts, recorded

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]
PICTURES = Path(__file__).parents[2] / "out" / "pictures"
Open = Callable[[Path], Any]


@pytest.fixture
def open_page(browser: Any) -> Iterator[Open]:
    """Opens a report; at the end there must have been no error, no warning and no request."""
    said: list[str] = []
    asked: list[str] = []
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))

    def opened(file: Path) -> Any:
        page.goto(file.as_uri())
        page.wait_for_selector("html[data-ready=yes]", timeout=30_000)
        return page

    yield opened
    assert said == []
    assert all(url.startswith(("file:", "blob:")) for url in asked)
    page.close()


def written(tmp_path: Path, *words: str) -> Path:
    file = tmp_path / "report.html"
    done = maxcode("report", *words, "-o", str(file))
    assert done.returncode == 0, done.stderr
    return file


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    return written(tmp_path, recorded(hostile_parts(), strategy="cuda-llm+maxcode", budget={"evals": 8}))


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a search on this machine: markup in a comment of one program, and in what a wrong one prints."""
    folder = tmp_path_factory.mktemp("real")
    baseline = (SMALL_TASK / "baseline.cpp").read_text()
    wrong = '#include <cstdio>\nint main() { std::puts("</script><script>window.broken = 1</script>"); }\n'
    programs = [f"// {HOSTILE}\n{baseline}", wrong]
    answers = folder / "answers.jsonl"
    answers.write_text("".join(json.dumps(f"````cpp\n{each}````") + "\n" for each in programs))
    words = ("--policy", f"scripted:{answers}", "--evals", "2", "--out", str(folder / "out"), "--json")
    done = maxcode("optimize", str(SMALL_TASK), *words)
    assert done.returncode == 0, done.stderr
    return written(folder, json.loads(done.stdout)["run"])


def test_from_the_tree_to_a_node_to_its_diff(open_page: Open, real: Path) -> None:
    page = open_page(real)
    middle = page.locator("#canvas").bounding_box()["width"] / 2
    page.locator("#canvas").click(position={"x": middle - 45, "y": 110})
    assert "Node 1" in page.locator("#node h3").inner_text()
    assert page.locator("#node .code.diff tr.added").count() >= 1
    assert "window.broken" in page.locator("#node .code.diff tr.added").first.inner_text()


def test_a_real_run_shows_its_verdict_and_why_attempts_failed(open_page: Open, real: Path) -> None:
    page = open_page(real)
    assert page.locator("#verdict .headline").inner_text()
    assert "1 of 2 programs failed" in page.locator("#failures").inner_text()
    assert page.evaluate("window.broken") is None


def test_nothing_hostile_runs_and_all_of_it_is_shown_as_text(open_page: Open, hostile: Path) -> None:
    page = open_page(hostile)
    page.wait_for_timeout(200)
    assert page.evaluate("window.broken") is None
    assert page.locator("img").count() == 0
    assert HOSTILE[:40] in page.locator("#critiques").inner_text()
    assert HOSTILE[:40] in page.locator("#failures").inner_text()
    assert HOSTILE[:40] in page.locator("#code").inner_text()


def test_an_injected_element_could_not_run_either(browser: Any, hostile: Path) -> None:
    """Were text ever to become markup, the policy would stop it: the second wall."""
    page = browser.new_page()
    page.goto(hostile.as_uri())
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.broken = 1\">')")
    page.wait_for_timeout(300)
    assert page.evaluate("window.broken") is None
    page.close()


def test_the_tree_is_walked_with_the_keyboard(open_page: Open, hostile: Path) -> None:
    page = open_page(hostile)
    page.locator("#toNode").fill("0")
    page.locator("#toNode").press("Enter")
    page.locator("#canvas").focus()
    page.keyboard.press("ArrowDown")
    assert "node 1:" in page.locator("#said").inner_text()
    page.keyboard.press("ArrowRight")
    assert "node 2:" in page.locator("#said").inner_text()
    page.keyboard.press("ArrowUp")
    assert "node 0:" in page.locator("#said").inner_text()


def test_hovering_tells_of_a_node(open_page: Open, hostile: Path) -> None:
    page = open_page(hostile)
    page.locator("#canvas").hover(position={"x": page.locator("#canvas").bounding_box()["width"] / 2, "y": 30})
    assert "node 0" in page.locator("#tip").inner_text()


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_window(browser: Any, real: Path, width: int, scheme: str) -> None:
    """Leaves a picture to look at."""
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page.goto(real.as_uri())
    page.wait_for_selector("html[data-ready=yes]")
    page.screenshot(path=PICTURES / f"report-{scheme}-{width}.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    page.close()


def test_the_script_rebuilds_every_program(open_page: Open, tmp_path: Path) -> None:
    """Python's edits and the script's agree: the diff of a node against its parent leads to its own program."""
    page = open_page(written(tmp_path, recorded(strategy="mcts+maxcode")))
    assert page.evaluate(
        """async () => {
          const data = await readData();
          const read = programReader(data.programs);
          return data.programs.every((_, number) => [...read(number)].every(([name, text]) => {
            const old = linesOf(read(0).get(name)), fresh = linesOf(text);
            const edits = editsBetween(old, fresh).map(([a, b, lines]) => [a, b, lines.join("")]);
            return applyEdits(read(0).get(name), edits) === text;
          }));
        }"""
    )


def test_runs_side_by_side(open_page: Open, tmp_path: Path) -> None:
    runs = [recorded(strategy=strategy) for strategy in ("flat", "beam+maxcode")]
    page = open_page(written(tmp_path, "--compare", *runs))
    assert page.locator("#claims svg").count() == 1
    assert all(run in page.locator("#tables").inner_text() for run in runs)
