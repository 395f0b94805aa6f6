"""The winner made again from its rewriting steps: without some of them, or with small means in place of large ones.

A helper that a step pastes, such as a reader of blocks, is used all over the program, so hunks of its diff cannot be
left out one by one. Its step can. What comes out is judged like any other program.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from maxcode.core import Candidate, InputError
from maxcode.optimize.tidy import changed_lines, touched
from maxcode.policy.rewrite.actions import RewriteStep, language_of, read_action, rewrites, setting_of
from maxcode.policy.rewrite.analysis.macros import plain
from maxcode.policy.rewrite.source import SourceFile, apply
from maxcode.search.tree import Node, Tree
from maxcode.task.model import Task

REWRITER = "rewrite: "
LONG = 12
"""Changed lines from which on a step has to be worth its length."""
SMALL_MEANS: Mapping[str, tuple[str, ...]] = {
    "block-reader": ("streams-without-stdio",),
    "block-writer": ("newline-for-endl", "streams-without-stdio"),
    "flat-hash-table": ("hash-table-for-tree",),
}
"""Transformations that do with a line or two most of what a large one does."""
BEST = 3
"""Number of the best programs of a search that one may have been made from, besides its parent."""
Files = dict[str, str]
Good = Callable[[Candidate], Awaitable[bool]]
"""Whether a program with fewer lines is fast enough in the winner's place."""


@dataclass(frozen=True)
class StepTaken:
    """A step as it was carried out."""

    step: RewriteStep
    text: str | None
    """Line that it begins at, without indentation; None for a step that takes the first place there is."""
    lines: int = 0
    """Number of lines that it changed."""
    touched: frozenset[str] = frozenset()
    """Lines that it removed or added."""


def steps_of(tree: Tree, winner: Candidate) -> tuple[StepTaken, ...]:
    """Steps from the baseline to the winner; none where something else had a part in it."""
    node = next((node for node in tree if node.candidate.id == winner.id), None)
    found: list[StepTaken] = []
    while node is not None and node.parent is not None:
        for start in _starts(tree, node):
            made = _carried(tree.task, start.candidate.files, node.candidate)
            if made:
                break
        else:
            return ()
        found, node = [*made, *found], start
    return tuple(found)


def _starts(tree: Tree, node: Node) -> list[Node]:
    """Programs that one was made from: its parent, or now and then the best in view."""
    above = [tree.nodes[each.id] for each in tree.path(node)[1:]]
    best = sorted((each for each in tree.nodes[: node.id] if each.correct), key=lambda each: -each.reward)
    return [above[0], *best[:BEST]]


def _carried(task: Task, before: Files, after: Candidate) -> list[StepTaken] | None:
    """Steps of one program of the search; None where they do not make it of the program above it."""
    origin = after.origin or ""
    if not origin.startswith(REWRITER):
        return None
    try:
        action = read_action(origin.removeprefix(REWRITER))
    except InputError:
        return None
    files, found = dict(before), []
    for step in action:
        carried, files = _step(task, files, StepTaken(step, None), exact=True) or (None, files)
        if carried is None:
            return None
        found.append(carried)
    return found if files == after.files else None


def _step(task: Task, files: Files, wanted: StepTaken, *, exact: bool = False) -> tuple[StepTaken, Files] | None:
    """A step at the place that is meant, and the files after it; None where it does not apply."""
    step = wanted.step
    if step.file not in files:
        return None
    source = plain(SourceFile(files[step.file], language_of(step.file, task)))
    found = [each for each in rewrites(source, setting_of(task), step.name) if each.options == step.options]
    if exact:
        found = [each for each in found if each.line == step.line]
    elif wanted.text is not None:
        found = [each for each in found if _line(source, each.line) == wanted.text]
    if not found:
        return None
    chosen = min(found, key=lambda each: abs(each.line - step.line))
    after = {**files, step.file: apply(source, chosen.edits).code}
    made = frozenset(touched(files, after))
    return StepTaken(step, _line(source, chosen.line), changed_lines(files, after), made), after


def _line(source: SourceFile, number: int) -> str:
    """A line without its indentation; an empty one where a transformation names a place behind the end."""
    return "".join(source.code.split("\n")[number - 1 : number]).strip()


def remade(task: Task, steps: Iterable[StepTaken]) -> tuple[Candidate, tuple[StepTaken, ...]]:
    """The baseline after these steps, and those that applied: the others are left out."""
    files, taken = dict(task.baseline_candidate.files), []
    for each in steps:
        found = _step(task, files, each)
        if found is not None:
            taken.append(found[0])
            files = found[1]
    return Candidate(files=files, origin="minimize"), tuple(taken)


async def with_small_means(
    task: Task, steps: Sequence[StepTaken], good: Good
) -> tuple[Candidate | None, tuple[StepTaken, ...]]:
    """The program with long steps left out or replaced by small ones where it stays good, all at once if possible, and
    its steps; None if all steps stay."""
    long = sorted((each for each in steps if each.lines >= LONG), key=lambda each: -each.lines)
    found, chosen = None, tuple(steps)
    for few in ([long] if len(long) > 1 else []) + [[each] for each in long]:
        if any(each.step in [other.step for other in few] for each in chosen):
            candidate, smaller = remade(task, _replaced(chosen, few))
            if await good(candidate):
                found, chosen = candidate, smaller
    return found, chosen


def _replaced(steps: Sequence[StepTaken], few: Sequence[StepTaken]) -> Iterator[StepTaken]:
    long = {each.step for each in few}
    for each in steps:
        if each.step not in long:
            yield each
        else:
            for name in SMALL_MEANS.get(each.step.name, ()):
                yield StepTaken(RewriteStep(name=name, file=each.step.file, line=each.step.line), None)
