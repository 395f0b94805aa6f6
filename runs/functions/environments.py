"""Source distributions from the package index, unpacked with their tests, and an environment in each."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import tomllib
import urllib.request
from pathlib import Path
from urllib.parse import urljoin

INDEX = "https://pypi.org/simple/{name}/"
EXTRAS = ("test", "tests", "testing")
PLUGINS = ("pytest-mock", "hypothesis")
SECONDS = 240
MOST_MISSED = 6


def unpacked(name: str, version: str, folder: Path) -> Path:
    """The package's root with `.venv` in it; made where it is not there yet."""
    root = source(name, version, folder)
    if not (root / ".venv" / "made").exists():
        _install(root)
        (root / ".venv" / "made").touch()
    return root


def source(name: str, version: str, folder: Path) -> Path:
    """The package's root, unpacked where it is not there yet."""
    root = folder / f"{name}-{version}"
    if not root.exists():
        _download(name, version, root)
    return root


def _download(name: str, version: str, root: Path) -> None:
    page = INDEX.format(name=name)
    with urllib.request.urlopen(page, timeout=60) as answer:
        links = re.findall(r'href="([^"#]+)', answer.read().decode())
    url = urljoin(page, next(each for each in links if each.endswith(f"-{version}.tar.gz")))
    archive = root.with_name(f"{root.name}.tar.gz")
    archive.parent.mkdir(parents=True, exist_ok=True)
    urllib.request.urlretrieve(url, archive)
    part = root.with_name(f"{root.name}.part")
    with tarfile.open(archive) as inside:
        inside.extractall(part, filter="data")
    (only,) = part.iterdir()
    only.rename(root)
    part.rmdir()


def _install(root: Path) -> None:
    """What the package and its tests need: one by one, so that a tool that cannot be built stops nothing else."""
    subprocess.run([sys.executable, "-m", "venv", root / ".venv"], check=True)
    if not _pip(root, "pytest") or not _pip(root, str(root)):
        print(f"{root.name}: is not installed; its sources are used alone", file=sys.stderr)
    for each in [*PLUGINS, *_of_tests(root)]:
        _pip(root, each)
    for each in sorted({*root.glob("*require*test*.txt"), *root.glob("*test*require*.txt")}):
        _pip(root, "-r", str(each))
    for _ in range(MOST_MISSED):
        missed = _missed(root)
        if not missed or not _pip(root, missed):
            break


def _missed(root: Path) -> str | None:
    """A module that collecting the tests does not find."""
    command = [root / ".venv" / "bin" / "python", "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider"]
    ran = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=SECONDS)
    found = re.search(r"No module named '([\w]+)'", ran.stdout + ran.stderr)
    return found and found[1]


def _of_tests(root: Path) -> list[str]:
    """Requirements of the package's extras and groups for tests."""
    file = root / "pyproject.toml"
    data = tomllib.loads(file.read_text()) if file.is_file() else {}
    found = [
        *data.get("project", {}).get("optional-dependencies", {}).items(),
        *data.get("dependency-groups", {}).items(),
    ]
    return [each for name, row in found if name in EXTRAS for each in row if isinstance(each, str)]


def _pip(root: Path, *words: str) -> bool:
    command = [root / ".venv" / "bin" / "python", "-m", "pip", "install", "-q", *words]
    try:
        return subprocess.run(command, cwd=root, capture_output=True, timeout=SECONDS).returncode == 0
    except subprocess.TimeoutExpired:
        return False


if __name__ == "__main__":
    print(unpacked(sys.argv[1], sys.argv[2], Path(sys.argv[3])))
