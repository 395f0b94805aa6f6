"""The package as its users get it: built, installed into a fresh environment, used from an empty folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MEGABYTE = 1_000_000
SLOW = """#include <iostream>
#include <vector>
int main() {
    int n; std::cin >> n;
    std::vector<long> v(n);
    for (auto& x : v) std::cin >> x;
    long s = 0;
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += v[i] ^ v[j];
    std::cout << s << std::endl;
}
"""

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]


def ran(*words: object, cwd: Path, home: Path) -> str:
    """What a command prints, in an environment in which nothing leads to the checkout."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        list(map(str, words)), cwd=cwd, env={**kept, "MAXCODE_HOME": str(home)}, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{words}: {done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with the wheel and the source distribution."""
    folder = tmp_path_factory.mktemp("built")
    tools = folder / "tools"
    subprocess.run([sys.executable, "-m", "venv", tools], check=True)
    if subprocess.run([tools / "bin/pip", "install", "-q", "hatchling"], capture_output=True, check=False).returncode:
        pytest.skip("no package index to get hatchling from")
    ran(tools / "bin/hatchling", "build", "-d", folder, cwd=ROOT, home=folder)
    return folder


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the commands of a fresh environment."""
    place = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", place], check=True)
    (wheel,) = built.glob("*.whl")
    ran(place / "bin/pip", "install", "-q", f"{wheel}[view]", cwd=place, home=place)
    return place / "bin"


def test_the_wheel_is_small_and_typed(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    assert wheel.stat().st_size < 3 * MEGABYTE
    names = subprocess.run([sys.executable, "-m", "zipfile", "-l", wheel], capture_output=True, text=True, check=True)
    wanted = (
        "maxcode/py.typed",
        "maxcode/evaluate/native/runner.c",
        "maxcode/bench/examples/matmul/task.toml",
        "maxcode/cli/skill/SKILL.md",
    )
    assert all(f"{name} " in names.stdout for name in wanted)


def test_a_wheel_can_be_built_of_the_source_distribution(built: Path, tmp_path: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    ran(built / "tools/bin/hatchling", "build", "-t", "wheel", "-d", tmp_path, cwd=source, home=tmp_path)
    (again,), (first,) = tmp_path.glob("*.whl"), built.glob("*.whl")
    assert abs(again.stat().st_size - first.stat().st_size) < 1000


def test_everything_works_from_an_empty_folder(installed: Path, open_folder: Path) -> None:
    maxcode, home = installed / "maxcode", open_folder / "home"
    work = open_folder / "work"
    work.mkdir()
    place = ran(installed / "python", "-c", "import maxcode; print(maxcode.__file__)", cwd=work, home=home)
    assert str(ROOT) not in place
    assert "C++ compiler" in ran(maxcode, "doctor", cwd=work, home=home)
    (work / "slow.cpp").write_text(SLOW)
    (work / "numbers.txt").write_text("6000\n" + " ".join(str(i * 7919 % 1000) for i in range(6000)) + "\n")
    words = ("optimize", "slow.cpp", "--input", "numbers.txt", "--evals", "4", "--confirm-seconds", "3")
    ran(maxcode, *words, "--no-minimize", "--out", "result", cwd=work, home=home)
    assert (work / "result/best.cpp").is_file()
    ran(maxcode, "report", "last", "-o", "report.html", cwd=work, home=home)
    assert "<html" in (work / "report.html").read_text()
    found = json.loads(ran(maxcode, "compare", "true", "true", "--max-seconds", "1", "--json", cwd=work, home=home))
    assert found["sides"][0]["pairs"] >= 3


def test_the_demo_finds_its_examples(installed: Path, open_folder: Path) -> None:
    words = ("bench", "demo", "--quick", "--evals", "1", "--help")
    assert "Usage" in ran(installed / "maxcode", *words, cwd=open_folder, home=open_folder / "home")
    code = "from maxcode.cli.bench import _examples; print(_examples())"
    assert "bench/examples" in ran(installed / "python", "-c", code, cwd=open_folder, home=open_folder / "home")


def test_the_page_is_served(installed: Path, open_folder: Path) -> None:
    words = [installed / "maxcode", "view", "--port", "0", "--json"]
    env = {**os.environ, "MAXCODE_HOME": str(open_folder / "home")}
    with subprocess.Popen(words, cwd=open_folder, env=env, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        url = json.loads(server.stdout.readline())["url"]
        try:
            with urllib.request.urlopen(url, timeout=30) as answer:
                assert answer.status == 200 and b"<html" in answer.read().lower()
        finally:
            server.terminate()
