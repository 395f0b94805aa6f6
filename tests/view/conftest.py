"""A home for each file of tests, and a client that asks the server's answers without a network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from maxcode.store.journal import Store
from tests.view.browsing import PATIENCE, Open

Ask = Callable[..., Any]


@pytest.fixture
def client(empty_home: Path) -> Iterator[Any]:
    del empty_home
    pytest.importorskip("fastapi", reason="fastapi is not installed: pip install 'maxcode[view]'")
    from starlette.testclient import TestClient

    from maxcode.view.app import make_app

    with Store() as store, TestClient(make_app(store), base_url="http://localhost") as made:
        yield made


@pytest.fixture
def open_page(browser: Any, address: str) -> Iterator[Open]:
    """Opens a page of the server; at the end there must have been no error and no request to anywhere else."""
    said: list[str] = []
    asked: list[str] = []
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(PATIENCE)
    page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))

    def opened(place: str) -> Any:
        page.goto(f"{address}#/{place}")
        page.wait_for_selector("html[data-ready=yes]")
        return page

    yield opened
    page.close()
    assert said == []
    assert all(url.startswith(address) for url in asked)
