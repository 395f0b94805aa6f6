"""Somebody else's packages, installed beside MaxCode for a test."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def install(package: Path, site: Path) -> None:
    """What pip does with a package of pure Python: its files, and metadata that names its entry points."""
    project = tomllib.loads((package / "pyproject.toml").read_text())["project"]
    shutil.copytree(package, site / package.name)
    metadata = site / f"{package.name}-{project['version']}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n".format_map(project))
    groups = project["entry-points"].items()
    lines = [f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in entries.items()) for group, entries in groups]
    (metadata / "entry_points.txt").write_text("\n".join(lines))


@pytest.fixture(autouse=True, scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Every package of this folder, for this process and for those that it starts."""
    site = tmp_path_factory.mktemp("site-packages")
    for project in HERE.glob("*/pyproject.toml"):
        install(project.parent, site)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(site))
        patch.setenv("PYTHONPATH", str(site))
        yield
