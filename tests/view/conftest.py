"""A home for each file of tests, and a client that asks the server's answers without a network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from maxcode.store.journal import Store

Ask = Callable[..., Any]


@pytest.fixture
def empty_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    monkeypatch.setenv("MAXCODE_HOME", str(home))
    return home


@pytest.fixture
def client(empty_home: Path) -> Iterator[Any]:
    del empty_home
    pytest.importorskip("fastapi", reason="fastapi is not installed: pip install 'maxcode[view]'")
    from starlette.testclient import TestClient

    from maxcode.view.app import make_app

    with Store() as store, TestClient(make_app(store), base_url="http://localhost") as made:
        yield made
