"""What all tests share: homes of their own, a small task, models that are asked at once, a browser."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from maxcode.evaluate.machine import usable_cpus
from maxcode.policy.providers import OURS as PROVIDERS
from maxcode.task import Task, load_task

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
SMALL_TASK = Path(__file__).parent / "adversarial" / "tasks" / "total"


@pytest.fixture(scope="session", autouse=True)
def own_home() -> Iterator[Path]:
    """Readable by all, unlike pytest's own folders: candidates run as another user."""
    folder = Path(tempfile.mkdtemp(prefix="maxcode-test-home-"))
    folder.chmod(0o755)
    before = os.environ.get("MAXCODE_HOME")
    os.environ["MAXCODE_HOME"] = str(folder)
    try:
        yield folder
    finally:
        if before is None:
            del os.environ["MAXCODE_HOME"]
        else:
            os.environ["MAXCODE_HOME"] = before
        shutil.rmtree(folder, ignore_errors=True)


def cpus_of_this_process() -> list[int]:
    """CPUs in another order for every second process of a test run, so that two do not both use the first only."""
    number = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    return sorted(usable_cpus(), reverse=int(number) % 2 == 1)


@pytest.fixture(scope="session", autouse=True)
def own_first_cpu() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("maxcode.evaluate.pool.usable_cpus", cpus_of_this_process)
        yield


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """An empty folder that programs of other users can reach."""
    folder = Path(tempfile.mkdtemp(prefix="maxcode-test-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def empty_home(open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without runs for one test. The folder is made when something is kept in it."""
    home = open_folder / "home"
    monkeypatch.setenv("MAXCODE_HOME", str(home))
    return home


@pytest.fixture
def quick_and_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short pauses between requests to models, no proxies, and no endpoint or key of the user's."""
    monkeypatch.setattr("maxcode.policy.chat.FIRST_PAUSE", 0.002)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    for name in ("OPENAI_BASE_URL", *(each.key_env for each in PROVIDERS.values())):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine: sh runs/install_test_tools.sh installs it")
    with api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def small_task_folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SMALL_TASK, tmp_path / "total"))


@pytest.fixture
def small_task(small_task_folder: Path) -> Task:
    """Reads n and n integers; prints their sum, the largest and how many different values there are."""
    return load_task(small_task_folder)
