"""All pages: what they name is there, what they show has a test, and what is made from the code is of today."""

from __future__ import annotations

import ast
import json
import re
import runpy
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

from tests.docs.walk import DOCS, PAGES, ROOT, blocks, commands, defined, problem, prose

RUN = {"sh", "python", "json", "c", "cpp"}
"""Languages of blocks that a test must use; toml is parsed here."""
PACKAGE = ROOT / "src/maxcode"
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)\s#]+)[^)]*\)")
ids = [str(page.relative_to(ROOT)) for page in PAGES]
each_page = pytest.mark.parametrize("page", PAGES, ids=ids)


@each_page
def test_commands_are_commands(page: Path) -> None:
    assert {command: wrong for command in commands(page) if (wrong := problem(command))} == {}


@pytest.mark.parametrize(
    ("command", "wrong"),
    [
        ("maxcode optimise x", "no command optimise"),
        ("maxcode bench tasks FOLDER --metod flat", "no option --metod"),
        ("maxcode value train --data x -o y", None),
        ("maxcode bench demo|tasks|... --quick", None),
    ],
)
def test_a_command_that_is_none_is_noticed(command: str, wrong: str | None) -> None:
    assert problem(command) == wrong


@each_page
def test_links_lead_somewhere(page: Path) -> None:
    assert [link for link in LINK.findall(prose(page)) if not (page.parent / link).exists()] == []


@each_page
def test_scripts_and_targets_are_there(page: Path) -> None:
    text, makefile = page.read_text(), (ROOT / "Makefile").read_text()
    scripts = re.findall(r"\bruns/[\w/]+\.(?:sh|py)\b", text)
    targets = re.findall(r"(?:^|`)make ([a-z][a-z-]*)", text, re.MULTILINE)
    assert [script for script in scripts if not (ROOT / script).exists()] == []
    assert [target for target in targets if not re.search(rf"^{target}:", makefile, re.MULTILINE)] == []


@each_page
def test_source_files_are_there(page: Path) -> None:
    assert _missing_sources(prose(page)) == []


def _missing_sources(text: str) -> list[str]:
    """Paths of our own files that do not exist: from the root, or from src/maxcode. NAME stands for any folder."""
    folders = [each.name for each in PACKAGE.iterdir() if each.is_dir()]
    first = "|".join(["src/maxcode", "runs", "lab", "tests/adversarial", *folders])
    paths = re.findall(rf"(?<![\w./-])(?:{first})/[\w./-]*\w\.(?:py|c|h|js|sh|toml|svg)\b", text)
    return [path for path in paths if not any(any(base.glob(path.replace("NAME", "*"))) for base in (ROOT, PACKAGE))]


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("`evaluate/pool.py` and `src/maxcode/core.py`", []),
        ("`evaluate/pond.py`, [loop](../src/maxcode/search/loops.py)", ["evaluate/pond.py"]),
        ("your `src/index.cpp`", []),
    ],
)
def test_a_source_file_that_is_none_is_noticed(text: str, missing: list[str]) -> None:
    assert _missing_sources(text) == missing


@each_page
def test_names_that_link_to_a_source_file_are_defined_there(page: Path) -> None:
    """`[`name`](../src/FILE.py)`: the name is a function, class, method or constant of that file."""
    links = re.findall(r"\[`([\w.]+)`\]\(([\w./-]+\.py)\)", page.read_text())
    named = [(name, link) for name, link in links if not name.endswith(".py")]
    assert [(name, link) for name, link in named if not defined(_parsed(page.parent / link), name)] == []


@cache
def _parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text())


@pytest.mark.parametrize(
    ("name", "is_there"),
    [("search", True), ("_Known", True), ("Searched.tree", True), ("sought", False), ("seed", False)],
)
def test_a_name_that_is_not_defined_is_noticed(name: str, is_there: bool) -> None:
    assert defined(_parsed(PACKAGE / "search/loop.py"), name) is is_there


@each_page
def test_snippets_parse(page: Path) -> None:
    for block in blocks(page):
        if block.language == "toml":
            tomllib.loads(block.text)
        elif block.language == "json":
            json.loads(block.text)
        elif block.language == "python":
            compile(block.text, str(page), "exec")


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=str)
def test_pages_with_snippets_have_a_test(page: Path) -> None:
    """`test_NAME.py` beside this file; pages of a folder, `test_FOLDER.py`."""
    if not {block.language for block in blocks(page)} & RUN:
        return
    names = [page.stem] if page.parent == DOCS else [page.parent.name]
    assert (ROOT / f"tests/docs/test_{names[0]}.py").exists()


@pytest.mark.parametrize("name", ["commands.md", "task.md", "config.md", "strategies.md"])
def test_the_reference_is_of_today(name: str) -> None:
    script = runpy.run_path(str(ROOT / "runs/docs/reference.py"))
    assert (DOCS / "reference" / name).read_text() == script["PAGES"][name](), (
        "out of date; run: .venv/bin/python runs/docs/all.py"
    )


@pytest.mark.parametrize("name", ["architecture.svg", "loop.svg", "torch.svg"])
def test_pictures_are_of_today(name: str) -> None:
    script = runpy.run_path(str(ROOT / "runs/docs/pictures.py"))
    assert (DOCS / "pictures" / name).read_text() == script["PICTURES"][name](), (
        "out of date; run: .venv/bin/python runs/docs/all.py"
    )


def test_every_page_is_in_the_navigation() -> None:
    text = (ROOT / "mkdocs.yml").read_text()
    pages = [str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")]
    assert [page for page in pages if f": {page}\n" not in text] == []


def test_the_index_links_every_page() -> None:
    linked = LINK.findall((DOCS / "index.md").read_text())
    pages = {str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")} - {"index.md"}
    assert pages - set(linked) == set()


@pytest.mark.long
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="the site needs mkdocs-material: pip install 'maxcode[docs]'")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    theory = (tmp_path / "theory.html").read_text()
    assert "source/src/maxcode/search/mdp.py.html" in theory
    assert (tmp_path / "source/src/maxcode/search/mdp.py.html").is_file()
