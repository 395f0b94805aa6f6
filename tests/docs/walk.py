"""Pages as tests see them: their blocks, their commands, and the `sh` blocks of one run in order as one script.

What is in a page is checked in one of three ways. `sh` blocks are run as they stand, but for words that stand for
something of the reader's (TASK, RUN). Files, introduced by a line with their name, are written and used. Commands in
plain blocks, which cost too much to run or need data, are held against the command line: every word must be one.
"""

from __future__ import annotations

import ast
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import typer

from maxcode.cli.main import app

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
OUTSIDE = ("README.md", "CONTRIBUTING.md", "examples/README.md", "tests/adversarial/README.md")
PAGES = [*(ROOT / name for name in OUTSIDE), *sorted(DOCS.rglob("*.md"))]
BLOCK = re.compile(r"(?:^`([\w./-]+)`:\n\n)?^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


@dataclass(frozen=True)
class Block:
    file: str | None
    """The name on the line before it."""
    language: str
    text: str


def blocks(page: Path) -> list[Block]:
    return [Block(name or None, language, text) for name, language, text in BLOCK.findall(page.read_text())]


def prose(page: Path) -> str:
    """The page without its blocks."""
    return BLOCK.sub("", page.read_text())


def defined(tree: ast.AST, name: str) -> bool:
    """Whether a module or a class defines a name such as `Tree` or `Journal.remembered`."""
    first, _, rest = name.partition(".")
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.name == first:
            return not rest or defined(node, rest)
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if not rest and first in [getattr(each, "id", "") for each in targets]:
            return True
    return False


def files(page: Path) -> dict[str, str]:
    """The files that a page shows, by name."""
    return {block.file: block.text for block in blocks(page) if block.file}


def walk(page: Path, folder: Path, replaced: Mapping[str, str] | None = None, **environment: str) -> str:
    """Runs the `sh` blocks of a page in a folder that has its files, some words replaced; what they print."""

    def meant(text: str) -> str:
        for word, meaning in (replaced or {}).items():
            text = text.replace(word, meaning)
        return text

    for name, text in files(page).items():
        (folder / name).write_text(meant(text))
    script = meant("\n".join(block.text for block in blocks(page) if block.language == "sh"))
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-e", "-c", script],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment, "PATH": path},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def commands(page: Path) -> Iterator[str]:
    """Every command of ours that the page mentions, in blocks and within lines."""
    for block in blocks(page):
        yield from _lines(block.text)
    for found in INLINE.findall(prose(page)):
        yield from _lines(found)


def _lines(text: str) -> Iterator[str]:
    for line in text.replace("\\\n", " ").splitlines():
        found = re.match(r"(?:\$ )?(?:[A-Z_]+=\S* )*(?:\.venv/bin/)?(maxcode( .*)?)$", line.strip())
        if found:
            yield found[1]


@cache
def _all_commands() -> Any:
    return typer.main.get_command(app)


def problem(command: str) -> str | None:
    """What is wrong with a command's words: an unknown command or option. None when nothing is."""
    try:
        words = shlex.split(re.split(r" (?:[|>&;]|\.\.\.$)", command)[0], comments=True)[1:]
    except ValueError:
        return None  # a piece of a longer line
    known = _all_commands()
    while words and getattr(known, "commands", None):
        if re.fullmatch(r"[A-Z]+", words[0]) or words[0].startswith("-"):
            return None if words[0].startswith("-") or words[0] == "COMMAND" else f"no command {words[0]}"
        names = words.pop(0).split("|")
        unknown = [name for name in names if name not in known.commands and name != "..."]
        if unknown:
            return f"no command {unknown[0]}"
        known = known.commands.get(names[0], known)
    options = {name for param in known.params for name in (*param.opts, *param.secondary_opts)} | {"--help"}
    used = [word.strip("[]").split("=")[0] for word in words if re.match(r"\[?-{1,2}[a-z]", word)]
    wrong = [name for word in used for name in word.split("|") if name not in options]
    return f"no option {wrong[0]}" if wrong else None
