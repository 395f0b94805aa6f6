"""Pictures of a real run, in docs/pictures: the terminal of `maxcode optimize` as SVG, and its report as PNG.

    .venv/bin/python runs/docs/shots.py [FOLDER]

FOLDER holds the program and what the run leaves (default: a temporary one); the run takes minutes. The pictures are as
good as the machine: make them on an idle one. The report needs Chromium (runs/install_test_tools.sh).
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
from collections.abc import Iterator
from contextlib import suppress
from html import escape
from itertools import groupby
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "docs/pictures"
MAXCODE = Path(sys.executable).with_name("maxcode")
COLUMNS, ROWS = 96, 50
PROGRAM = """#include <iostream>
#include <string>
#include <vector>

// Reads n and n words; prints how many different ones there are, and the longest.
int main() {
    int n;
    std::cin >> n;
    std::vector<std::string> seen;
    std::string longest;
    for (int i = 0; i < n; i++) {
        std::string word;
        std::cin >> word;
        bool known = false;
        for (std::string other : seen)
            if (other == word) known = true;
        if (!known) seen.push_back(word);
        if (word.size() > longest.size()) longest = word;
    }
    std::cout << seen.size() << " " << longest << std::endl;
}
"""
COMMAND = "maxcode optimize slow.cpp --input words.txt --evals 16"

FIRST, LAST = 24, 23
"""Rows of a long screen that are shown: the diff between them is left out."""
TOKEN = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])|\x1b\][^\x07]*\x07|(.)", re.DOTALL)
COLOURS = dict(enumerate(("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")))
WIDE, HIGH, EDGE, BAR = 7.8, 18, 16, 34
"""Size of a character, and the frame around all: left and right, and above."""
STYLE = """\
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2933; }
text { white-space: pre; }
.page { fill: #fbfcfd; stroke: #cbd2d9; }
.bold { font-weight: 600; } .dim { fill: #616e7c; } .dot { fill: #cbd2d9; }
.red { fill: #b42318; } .green { fill: #137333; } .yellow { fill: #8a5a00; }
.blue { fill: #1a56b0; } .magenta { fill: #8e24aa; } .cyan { fill: #00707a; }
@media (prefers-color-scheme: dark) {
  text { fill: #e4e7eb; } .page { fill: #161b22; stroke: #3e4c59; } .dim { fill: #9aa5b1; } .dot { fill: #3e4c59; }
  .red { fill: #ff8a80; } .green { fill: #7ee787; } .yellow { fill: #f0c674; }
  .blue { fill: #8ab4f8; } .magenta { fill: #e0a3ff; } .cyan { fill: #7fdbe4; }
}
"""


class Screen:
    """What a terminal shows after all that was written to it: cells of a character and its look."""

    def __init__(self) -> None:
        self.rows: list[list[tuple[str, str]]] = [[]]
        self._x = self._y = 0
        self._look: list[str] = []

    def write(self, text: str) -> None:
        for numbers, letter, character in TOKEN.findall(text):
            if letter:
                self._control([int(each) for each in numbers.split(";") if each.isdigit()], letter)
            elif character == "\n":
                self._y += 1
            elif character == "\r":
                self._x = 0
            elif character.isprintable():
                self._put(character)

    def _control(self, numbers: list[int], letter: str) -> None:
        if letter == "A":
            self._y = max(self._y - (numbers or [1])[0], 0)
        elif letter in "JK":
            del self._row()[0 if numbers == [2] else self._x :]
        elif letter == "m":
            self._look = _look(self._look, numbers or [0])

    def _put(self, character: str) -> None:
        if self._x == COLUMNS:
            self._x, self._y = 0, self._y + 1
        row = self._row()
        row += [(" ", "")] * (self._x + 1 - len(row))
        row[self._x] = character, " ".join(self._look)
        self._x += 1

    def _row(self) -> list[tuple[str, str]]:
        self.rows += [[] for _ in range(self._y + 1 - len(self.rows))]
        return self.rows[self._y]


def _look(before: list[str], numbers: list[int]) -> list[str]:
    """Classes of text after a control sequence `m`."""
    if 0 in numbers:
        return []
    named = {1: "bold", 2: "dim"} | {base + i: name for base in (30, 90) for i, name in COLOURS.items()}
    if 39 in numbers:
        before = [each for each in before if each not in COLOURS.values()]
    return [*before, *(named[each] for each in numbers if each in named)]


def drawn(title: str, rows: list[list[tuple[str, str]]]) -> str:
    width, height = COLUMNS * WIDE + 2 * EDGE, len(rows) * HIGH + BAR + EDGE
    dots = "".join(f'<circle class="dot" cx="{EDGE + 5 + 16 * i}" cy="17" r="5"/>' for i in range(3))
    lines = [line for y, row in enumerate(rows) for line in _line(row, BAR + HIGH * (y + 1) - 4)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height}" role="img" width="{width:g}" '
        'xml:space="preserve">\n'
        f"<title>{escape(title)}</title>\n<style>\n{STYLE}</style>\n"
        f'<rect class="page" x="0.5" y="0.5" width="{width - 1:g}" height="{height - 1}" rx="8"/>\n{dots}\n'
        + "\n".join(lines)
        + "\n</svg>\n"
    )


def _line(row: list[tuple[str, str]], y: int) -> Iterator[str]:
    """Pieces of equal look, each where its first column is, and as long as its columns are."""
    at = 0
    for look, cells in groupby(row, key=lambda cell: cell[1]):
        words = "".join(character for character, _ in cells)
        left = len(words) - len(words.lstrip())
        shown = words.strip()
        if shown:
            x, length = EDGE + WIDE * (at + left), WIDE * len(shown)
            named = f' class="{look}"' if look else ""
            yield f'<text x="{x:.1f}" y="{y}" textLength="{length:.1f}"{named}>{escape(shown)}</text>'
        at += len(words)


def watched(words: list[str], folder: Path) -> str:
    """What a command writes to a terminal of its own."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    environment = {**os.environ, "TERM": "xterm-256color", "MAXCODE_HOME": str(folder / "home")}
    for name in ("NO_COLOR", "COLUMNS", "COLORTERM", "VIRTUAL_ENV"):
        environment.pop(name, None)
    said = b""
    with subprocess.Popen(words, cwd=folder, env=environment, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        with suppress(OSError):  # the other end is closed
            while piece := os.read(ours, 65536):
                said += piece
    if process.returncode:
        raise SystemExit(f"{words}: exit code {process.returncode}\n{said.decode(errors='replace')}")
    return said.decode(errors="replace")


def screen_of(said: str, command: str) -> list[list[tuple[str, str]]]:
    screen = Screen()
    screen.write(f"\x1b[2m$\x1b[0m \x1b[1m{command}\x1b[0m\r\n{said}")
    rows = [row for row in screen.rows if row]
    cut = [[(each, "dim") for each in f"  ... {len(rows) - FIRST - LAST} lines ..."]]
    return rows if len(rows) <= FIRST + LAST + 1 else [*rows[:FIRST], *cut, *rows[-LAST:]]


def photographed(page: Path, to: Path, dark: bool) -> None:
    """The upper part of a page, as Chromium shows it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        sheet = browser.new_page(
            viewport={"width": 1000, "height": 640}, color_scheme="dark" if dark else "light", reduced_motion="reduce"
        )
        sheet.goto(page.as_uri())
        sheet.screenshot(path=to)
        browser.close()


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="maxcode-shots-") as made:
        folder = Path(sys.argv[1] if len(sys.argv) > 1 else made).resolve()
        folder.mkdir(exist_ok=True)
        folder.chmod(0o755)
        said = folder / "terminal.txt"
        if not said.exists():
            (folder / "slow.cpp").write_text(PROGRAM)
            words = [f"w{i * i * 7919 % 6007}" for i in range(9000)]
            (folder / "words.txt").write_text(f"{len(words)}\n" + "\n".join(words) + "\n")
            said.write_bytes(watched([str(MAXCODE), *COMMAND.split()[1:]], folder).encode())
            watched([str(MAXCODE), "report", "last", "-o", "report.html"], folder)
        (FOLDER / "optimize.svg").write_text(drawn(COMMAND, screen_of(said.read_bytes().decode(), COMMAND)))
        for dark, name in ((False, "report.png"), (True, "report-dark.png")):
            photographed(folder / "report.html", FOLDER / name, dark)


if __name__ == "__main__":
    main()
