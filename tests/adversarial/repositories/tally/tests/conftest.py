"""A plugin of the repository's own: honest, and in every process of its tests."""

import pytest


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    outcome = yield
    outcome.get_result().sections.append(("named", item.name))
