"""The package of a function is found, and what was assumed is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from maxcode.core import InputError
from maxcode.kinds.function.finding import find_package


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    inner = tmp_path / "src" / "box" / "part"
    inner.mkdir(parents=True)
    for folder in (inner, inner.parent):
        (folder / "__init__.py").touch()
    (inner / "tools.py").write_text("def f(x):\n    return x\n")
    (tmp_path / "pyproject.toml").write_text('[tool.maxcode]\ntest = "make check"\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("target", ["src/box/part/tools.py::f", "src/box/part/tools.py:f", "box.part.tools:f"])
def test_file_and_module_name_the_same(package: Path, target: str) -> None:
    found = find_package(Path(target), None, None)
    assert (found.root, found.file, found.module) == (package, "src/box/part/tools.py", "box.part.tools")
    assert (found.function, found.path) == ("f", ("src", "."))
    assert found.test == ("/bin/sh", "-c", "make check")
    assert any("interpreter" in each for each in found.assumed)


@pytest.mark.parametrize(("target", "words"), [("src/none.py::f", "no file"), ("box.none:f", "no module")])
def test_what_is_not_there_is_told(package: Path, target: str, words: str) -> None:
    assert package
    with pytest.raises(InputError, match=words):
        find_package(Path(target), None, None)


def test_an_unknown_setting_is_told(package: Path) -> None:
    (package / "pyproject.toml").write_text("[tool.maxcode]\npyton = 1\n")
    with pytest.raises(InputError, match=r"tool\.maxcode\.pyton"):
        find_package(Path("box.part.tools:f"), None, None)
