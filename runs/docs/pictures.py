"""Draws the pictures of the docs as SVG, in docs/pictures: boxes, arrows and lifelines from the tables below.

A picture has a background of its own, and its colours follow the reader's setting for light or dark, so its text can be
read on any page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from html import escape
from math import log
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parents[2] / "docs/pictures"
WIDTH = 640
LINE = 17
"""Height of a line of small text."""
STYLE = """\
text { font: 13px system-ui, sans-serif; fill: #1f2933; }
.title { font-weight: 600; font-size: 14px; }
.small { font-size: 13px; fill: #3e4c59; }
.page { fill: #ffffff; }
.frame { fill: #f2f5f8; stroke: #9aa5b1; }
.box { fill: #ffffff; stroke: #486581; stroke-width: 1.3; }
.foreign { fill: #fff3e0; stroke: #b26a00; stroke-width: 1.3; }
.arrow { fill: none; stroke: #486581; stroke-width: 1.6; marker-end: url(#head); }
.line { stroke: #9aa5b1; stroke-dasharray: 4 4; }
.head { fill: #486581; }
.roof { fill: none; stroke: #b26a00; stroke-width: 1.6; }
.dot { fill: #486581; }
.ring { fill: none; stroke: #486581; stroke-width: 1.6; }
@media (prefers-color-scheme: dark) {
  text { fill: #e4e7eb; }
  .small { fill: #cbd2d9; }
  .page { fill: #1b2027; }
  .frame { fill: #242b34; stroke: #616e7c; }
  .box { fill: #2f3944; stroke: #9fb3c8; }
  .foreign { fill: #4a3417; stroke: #f0b429; }
  .arrow { stroke: #9fb3c8; }
  .line { stroke: #616e7c; }
  .head { fill: #9fb3c8; }
  .roof { stroke: #f0b429; }
  .dot { fill: #9fb3c8; }
  .ring { stroke: #9fb3c8; }
}
"""
HEAD = (
    '<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    '<path class="head" d="M0 0L8 4L0 8z"/></marker>'
)


class Box(NamedTuple):
    """A rectangle with a title and lines of small text below it."""

    x: int
    y: int
    width: int
    height: int
    title: str
    lines: tuple[str, ...] = ()
    look: str = "box"


class Message(NamedTuple):
    """A message from one process to another in a sequence diagram; from a process to itself, a note about its work."""

    sender: str
    receiver: str
    text: str


def picture(title: str, height: int, parts: Iterable[str]) -> str:
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" width="{WIDTH}">\n'
        f"<title>{escape(title)}</title>\n<style>\n{STYLE}</style>\n<defs>{HEAD}</defs>\n"
        f'<rect class="page" width="{WIDTH}" height="{height}" rx="8"/>\n{body}\n</svg>\n'
    )


def _text(x: float, y: float, words: str, look: str = "small", anchor: str = "start") -> str:
    return f'<text x="{x:g}" y="{y:g}" class="{look}" text-anchor="{anchor}">{escape(words)}</text>'


def _drawn(box: Box) -> str:
    parts = [f'<rect class="{box.look}" x="{box.x}" y="{box.y}" width="{box.width}" height="{box.height}" rx="6"/>']
    parts.append(_text(box.x + 10, box.y + 21, box.title, "title"))
    parts += [_text(box.x + 10, box.y + 21 + LINE * i, line) for i, line in enumerate(box.lines, 1)]
    return "\n".join(parts)


def _arrow(*points: tuple[int, int]) -> str:
    return f'<path class="arrow" d="M{" L".join(f"{x} {y}" for x, y in points)}"/>'


BOXES = (
    Box(20, 20, 180, 62, "cli/", ("reads the command line,", "shows the progress")),
    Box(230, 20, 180, 62, "task/ and kinds/", ("read task.toml,", "know each kind of task")),
    Box(440, 20, 180, 62, "optimize/", ("searches, confirms the", "finalists, writes results")),
    Box(20, 120, 600, 218, "search/: one loop for every method", look="frame"),
    Box(40, 158, 170, 62, "select", ("chooses a node", "of the tree")),
    Box(235, 158, 170, 62, "critic/", ("says what holds", "its program back")),
    Box(430, 158, 170, 62, "observe", ("collects what the", "policy may see")),
    Box(40, 258, 170, 62, "tree", ("keeps the outcomes", "and the best so far")),
    Box(235, 258, 170, 62, "screen (optional)", ("value/ leaves out", "poor proposals")),
    Box(430, 258, 170, 62, "policy/", ("a model or the rewriter", "proposes candidates")),
    Box(20, 378, 600, 228, "", look="frame"),
    Box(40, 416, 170, 62, "pool", ("one slot for each core;", "keeps known outcomes")),
    Box(235, 416, 170, 62, "worker", ("a process that judges", "one candidate at a time")),
    Box(430, 416, 170, 62, "sandbox", ("runs the candidate,", "with the clock outside"), look="foreign"),
    Box(
        40,
        502,
        365,
        84,
        "stages",
        (
            "rules, build, verify, measure, profile:",
            "the first failure ends the evaluation,",
            "and the outcome says where and why",
        ),
    ),
    Box(430, 502, 170, 84, "judge", ("kinds/NAME/judge.py:", "how this kind of task is", "built, tested, timed")),
    Box(
        20,
        646,
        600,
        66,
        "store/: the journal",
        (
            "Every answer of a policy, a critic, a value model and the evaluator is written down once.",
            "The parts below read only this record.",
        ),
    ),
    Box(20, 752, 138, 62, "report/", ("one page, or text", "for a pull request")),
    Box(174, 752, 138, 62, "view/", ("the live page", "in a browser")),
    Box(328, 752, 138, 62, "optimize/", ("resumes, replays", "a recorded run")),
    Box(482, 752, 138, 62, "value/, train/", ("data to train", "models on")),
)
ARROWS = (
    ((200, 51), (228, 51)),
    ((410, 51), (438, 51)),
    ((530, 82), (530, 118)),
    ((210, 189), (233, 189)),
    ((405, 189), (428, 189)),
    ((515, 220), (515, 256)),
    ((430, 289), (407, 289)),
    ((320, 320), (320, 358), (125, 358), (125, 414)),
    ((210, 447), (233, 447)),
    ((515, 502), (515, 480)),
    ((320, 478), (320, 500)),
    ((405, 544), (428, 544)),
    ((40, 544), (30, 544), (30, 289), (38, 289)),
    ((125, 258), (125, 222)),
    ((320, 606), (320, 644)),
    ((89, 712), (89, 750)),
    ((243, 712), (243, 750)),
    ((397, 712), (397, 750)),
    ((551, 712), (551, 750)),
)
WORDS = (
    (330, 362, "candidates"),
    (38, 362, "outcomes"),
    (235, 399, "evaluate/: the trusted evaluator", "title"),
)


def architecture() -> str:
    parts = [*map(_drawn, BOXES), *(_arrow(*points) for points in ARROWS), *(_text(*each) for each in WORDS)]
    return picture("The parts of MaxCode, and how a candidate passes through them", 834, parts)


LOOP_BOXES = (
    Box(20, 20, 170, 62, "your program", ("with an input, tests", "or a bench")),
    Box(235, 20, 170, 62, "select", ("which program of the", "tree to go on from")),
    Box(450, 20, 170, 62, "propose", ("a model, the rewriter", "or your agent")),
    Box(450, 132, 170, 62, "build and test", ("in a sandbox, on", "hidden, fresh inputs"), look="foreign"),
    Box(450, 244, 170, 62, "time", ("in pairs with the", "original, until clear"), look="foreign"),
    Box(235, 244, 170, 62, "remember", ("the best reward of", "each path, all answers")),
    Box(235, 132, 170, 62, "critic", ("says what holds", "a program back")),
    Box(20, 244, 170, 62, "confirm, reduce", ("fresh seeds; the diff", "that the speed needs")),
    Box(
        20,
        356,
        600,
        62,
        "a claim, or none",
        (
            "3.3x faster (2.9 to 3.8), confirmed by 60 pairs: a program, a diff with reasons, a report.",
            "Claimed only if the lower bound is above 1.",
        ),
    ),
)
LOOP_ARROWS = (
    ((190, 51), (233, 51)),
    ((405, 51), (448, 51)),
    ((535, 82), (535, 130)),
    ((535, 194), (535, 242)),
    ((450, 275), (407, 275)),
    ((320, 244), (320, 196)),
    ((320, 132), (320, 84)),
    ((235, 275), (192, 275)),
    ((105, 306), (105, 354)),
)


def loop() -> str:
    words = _text(105, 232, "budget spent", anchor="middle")
    parts = [*map(_drawn, LOOP_BOXES), *(_arrow(*points) for points in LOOP_ARROWS), words]
    return picture("The loop: select, propose, build, test, time, remember; then confirm and claim", 438, parts)


PROCESSES = {
    "worker": ("worker", "box"),
    "zygote": ("zygote", "box"),
    "harness": ("harness", "box"),
    "builder": ("builder", "foreign"),
    "candidate": ("candidate", "foreign"),
    "baseline": ("baseline", "box"),
}
"""Processes of a torch evaluation from left to right: their names, and whether foreign code runs in them."""
MESSAGES = (
    Message("worker", "worker", "1  rules: reads the text"),
    Message("worker", "zygote", "2  starts it, once per worker"),
    Message("zygote", "harness", "3  forks it, once per task"),
    Message("zygote", "builder", "4  build: forks it, without a GPU"),
    Message("builder", "worker", "5  extensions are built; it ends"),
    Message("worker", "worker", "6  wait: takes the GPU's lock"),
    Message("zygote", "candidate", "7  forks it, confined"),
    Message("zygote", "baseline", "8  forks it, confined alike"),
    Message("worker", "harness", "9  verify, with a secret seed"),
    Message("harness", "candidate", "10  inputs, two calls per trial"),
    Message("candidate", "harness", "11  done; stopped; outputs copied"),
    Message("harness", "harness", "12  computes the reference, compares"),
    Message("worker", "harness", "13  measure: one pair"),
    Message("harness", "baseline", "14  a round of calls, timed"),
    Message("harness", "candidate", "15  the same inputs, timed"),
    Message("harness", "harness", "16  compares every timed output"),
    Message("harness", "worker", "17  two times; 13 again until clear"),
    Message("worker", "worker", "18  ends both, frees the GPU"),
)
TOP, STEP, EDGE = 66, 34, 62


def torch_evaluation() -> str:
    names = list(PROCESSES)
    gap = (WIDTH - 2 * EDGE) / (len(names) - 1)
    at = {name: EDGE + gap * i for i, name in enumerate(names)}
    bottom = TOP + STEP * len(MESSAGES) + 10
    parts = [f'<path class="line" d="M{x:g} 46V{bottom}"/>' for x in at.values()]
    for name, (title, look) in PROCESSES.items():
        parts.append(f'<rect class="{look}" x="{at[name] - 46:g}" y="16" width="92" height="30" rx="6"/>')
        parts.append(_text(at[name], 36, title, "title", "middle"))
    placed = [
        (at[each.sender], at[each.receiver], TOP + STEP * row + 22, each.text) for row, each in enumerate(MESSAGES)
    ]
    for draw in (_patch, _line, _words):
        parts += [draw(*each) for each in placed]
    return picture("The processes of a torch evaluation, and their messages in order", bottom + 16, parts)


def _patch(start: float, end: float, y: int, words: str) -> str:
    """A patch of background behind the words, so that no lifeline crosses them."""
    x, length = _place(start, end, words)
    return f'<rect class="page" x="{x - 2:g}" y="{y - 17}" width="{length + 2:g}" height="16"/>'


def _line(start: float, end: float, y: int, words: str) -> str:
    del words
    path = f"M{start:g} {y - 12}h14v10h-12" if start == end else f"M{start:g} {y}H{end:g}"
    return f'<path class="arrow" d="{path}"/>'


def _words(start: float, end: float, y: int, words: str) -> str:
    return _text(_place(start, end, words)[0], y - 6, words)


def _place(start: float, end: float, words: str) -> tuple[float, float]:
    """Left end of the words, and roughly how long they are."""
    length = 6.6 * len(words)
    return min(min(start, end) + (20 if start == end else 6), WIDTH - 10 - length), length


SQD_BOXES = (
    Box(20, 20, 180, 62, "stage of a kernel", ("a mask: the techniques", "that are permitted")),
    Box(230, 20, 180, 62, "problem", ("a kernel at its shape,", "under the mask")),
    Box(440, 20, 180, 62, "prompt", ("half of them show elites", "that keep to the mask")),
    Box(440, 132, 180, 62, "policy", ("proposes a group of", "programs")),
    Box(440, 244, 180, 62, "evaluator", ("tests them, detects their", "techniques, times them"), look="foreign"),
    Box(230, 244, 180, 62, "reward", ("speed as a share of the", "roofline under the mask")),
    Box(230, 132, 180, 62, "archive", ("the best of each kernel", "and set of techniques")),
    Box(20, 244, 180, 62, "plateau?", ("the kernel moves on a", "stage; a fall: back one")),
)
SQD_ARROWS = (
    ((200, 51), (228, 51)),
    ((410, 51), (438, 51)),
    ((530, 82), (530, 130)),
    ((530, 194), (530, 242)),
    ((440, 275), (412, 275)),
    ((320, 244), (320, 196)),
    ((320, 132), (320, 108), (470, 108), (470, 84)),
    ((230, 275), (202, 275)),
    ((110, 244), (110, 84)),
    ((410, 256), (424, 256), (424, 163), (438, 163)),
)


def staged_quality_diversity() -> str:
    words = (_text(380, 102, "elites", anchor="middle"), _text(420, 222, "GRPO", anchor="end"))
    parts = [*map(_drawn, SQD_BOXES), *(_arrow(*points) for points in SQD_ARROWS), *words]
    return picture("Staged quality-diversity: stages, problems, the policy and the archive", 326, parts)


HPC = FOLDER.parent / "hpc.md"
ROW = re.compile(
    r"^\| (?P<task>[\w-]+?)-[\dx]+ \| baseline \| \S+ \| (?P<x>\S+) \| (?P<y>\S+) \|(?:[^|]*\|){4} (?P<best>\S+) \|",
    re.M,
)
ROOFS = re.compile(r"one core: (\S+) GFLOPS \((\S+) without vectors\), (\S+) GB/s in calls of 1 MB, (\S+) GB/s")
RANGES = (0.04, 640.0), (0.1, 100.0)
"""Operations per byte, and GFLOPS, from edge to edge."""
LEFT, RIGHT, UPPER, LOWER = 60, 620, 20, 320
NAMED = {"spmv": (0, 18, "middle"), "nbody": (-8, 4, "end")}
"""Places of names, seen from their dots, where there is no room to the right and below."""


def roofline() -> str:
    """The table and the roofs of docs/hpc.md: baselines as dots, libraries as rings above them."""
    page = HPC.read_text()
    found = ROOFS.search(page)
    assert found, HPC
    peak, scalar, near, far = map(float, found.groups())
    parts = [_roof(peak, near), _roof(peak, far), _roof(scalar, near)]
    for x, y, words in (
        (16, peak * 1.12, f"{peak:g} GFLOPS"),
        (60, scalar * 1.12, f"{scalar:g} without vectors"),
        (0.045, 16, f"{near:g} GB/s"),
        (0.045, 1.05, f"{far:g} GB/s"),
    ):
        parts.append(_text(*_at(x, y), words))
    seen: set[str] = set()
    for row in ROW.finditer(page):
        parts += _point(row["task"] if row["task"] not in seen else "", float(row["x"]), float(row["y"]), row["best"])
        seen.add(row["task"])
    for tick in (0.1, 1, 10, 100):
        x, y = _at(tick, tick)
        parts += [_text(x, LOWER + 18, f"{tick:g}", anchor="middle"), _text(LEFT - 8, y + 4, f"{tick:g}", anchor="end")]
    parts.append(_text((LEFT + RIGHT) / 2, LOWER + 38, "operations per byte; GFLOPS upwards", anchor="middle"))
    return picture("Roofline: how fast each kernel is, and could be", LOWER + 52, parts)


def _at(x: float, y: float) -> tuple[float, float]:
    (left, right), (low, high) = RANGES
    return (
        LEFT + (RIGHT - LEFT) * log(x / left) / log(right / left),
        LOWER - (LOWER - UPPER) * log(y / low) / log(high / low),
    )


def _roof(peak: float, bandwidth: float) -> str:
    (left, right), _ = RANGES
    corners = (left, left * bandwidth), (peak / bandwidth, peak), (right, peak)
    return f'<path class="roof" d="M{" L".join("{:.1f} {:.1f}".format(*_at(*corner)) for corner in corners)}"/>'


def _point(name: str, intensity: float, gflops: float, best: str) -> list[str]:
    (x, y), library = _at(intensity, gflops), None if best == "-" else _at(intensity, float(best))
    right, down, anchor = NAMED.get(name, (7, 13, "start"))
    parts = [f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="4"/>']
    parts.append(_text(x + right, y + down, name, anchor=anchor))
    if library and library[1] < y - 8:
        parts.append(f'<path class="line" d="M{x:.1f} {y - 4:.1f}V{library[1] + 4:.1f}"/>')
        parts.append(f'<circle class="ring" cx="{x:.1f}" cy="{library[1]:.1f}" r="4"/>')
    return parts


PICTURES: dict[str, Callable[[], str]] = {
    "architecture.svg": architecture,
    "loop.svg": loop,
    "roofline.svg": roofline,
    "sqd.svg": staged_quality_diversity,
    "torch.svg": torch_evaluation,
}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for file, draw in PICTURES.items():
        (FOLDER / file).write_text(draw())
