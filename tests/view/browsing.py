"""What tests in a real browser share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from maxcode.store.journal import Store
from maxcode.system.processes import Process
from maxcode.view.processes import interrupt
from tests.waiting import until

PATIENCE = 200_000
Open = Callable[..., Any]
PICTURES = Path(__file__).parents[2] / "out" / "pictures"


def stop_all() -> None:
    """Searches go on without the server; tests that failed may have left some."""
    with Store() as store:
        opened = [event.payload for info in store.runs() for event in store.read(info.id, "session.opened")]
    for process in (Process.model_validate(each["process"]) for each in opened if "process" in each):
        if process.alive and process.pid != os.getpid():  # other tests did their work in this one
            interrupt(process)
            until(lambda process=process: not process.alive, 60)  # type: ignore[misc]


def fits(
    browser: Any,
    url: str,
    name: str,
    width: int,
    scheme: str,
    click: str | None = None,
    choose: tuple[str, str] | None = None,
) -> None:
    """A page, after a click or a choice where one is named, is no wider than its window. Leaves a picture of it."""
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page.goto(url)
    page.wait_for_selector("html[data-ready=yes]")
    if click:
        page.locator(click).click()
    if choose:
        page.get_by_label(choose[0]).select_option(choose[1])
    page.wait_for_timeout(300)
    page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    page.screenshot(path=PICTURES / f"view-{name}-{scheme}-{width}.png", full_page=True)
    wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    page.close()
    assert wider <= 0, f"{name}: wider by {wider} pixels"
