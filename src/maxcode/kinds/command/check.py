"""Checks of `maxcode check` for a repository: its commands work, and its tests notice when files are gutted."""

from __future__ import annotations

from maxcode.authoring.check import SHORTEST, START, Length, timing_findings
from maxcode.authoring.finding import Finding
from maxcode.core import Candidate, InputError, Outcome, Status
from maxcode.evaluate.pool import LocalPool
from maxcode.kinds.command.original import Original, known_original
from maxcode.kinds.command.table import JUDGES, Command
from maxcode.task.model import Task

MOST_PROBES = 8
LENGTH = Length("a larger bench", shortest=SHORTEST, too_short=START.format("a larger bench"))


async def check(task: Task, pool: LocalPool) -> list[Finding]:
    return [*await check_judges(task, pool), *await timing_findings(task, pool, LENGTH)]


async def check_judges(task: Task, pool: LocalPool) -> list[Finding]:
    """Findings about the commands.

    InputError, with the command's own words, where one fails on the repository as it is.
    """
    try:
        (outcome,) = await pool(task, [task.baseline_candidate], measure=False)
    except InputError as error:
        raise InputError(f"{error}\nMend the repository or the command; nothing else can be checked before.") from None
    probes = emptied(task)
    outcomes = await pool(task, list(probes.values()), measure=False)
    return [
        _baseline_finding(outcome),
        *_original_findings(known_original(task), seeded=task.table(Command).seeded),
        *(_probe_finding(name, each) for name, each in zip(probes, outcomes, strict=True)),
        *_judges_finding(task),
    ]


def emptied(task: Task) -> dict[str, Candidate]:
    """Candidates with one file gutted each, the largest files first."""
    files = task.baseline_candidate.files
    names = sorted((name for name in files if files[name].strip()), key=lambda name: -len(files[name]))[:MOST_PROBES]
    return {name: Candidate(files={**files, name: ""}, origin=f"probe:{name}") for name in names}


def _baseline_finding(outcome: Outcome) -> Finding:
    passed = outcome.verification.passed if outcome.verification else 0
    return Finding(name="repository passes its tests", ok=outcome.status is Status.OK, detail=f"{passed} counted")


def _original_findings(original: Original | None, *, seeded: bool) -> list[Finding]:
    if original is None:
        return []
    counted, compared = original.passed is not None, original.compared and original.prints
    named = f", {len(original.names)} of them by name" if original.names else ""
    ends = bool(original.test_ends.by_name and original.bench_ends.by_name)
    return [
        _advice(
            "tests are counted",
            ok=counted,
            detail=f"{original.passed} pass{named}" if counted else "the output names no number",
            fix="Without it a candidate could make tests disappear. Give command.passed, a regular expression.",
        ),
        _advice(
            "tests fail when they should",
            ok=original.plantable,
            detail="with other values expected" if original.plantable else "no expected value could be changed",
            fix="A candidate that forges what tests say is not caught. Compare with == or assertEqual, in tests/.",
        ),
        _advice(
            "bench output is compared",
            ok=compared,
            detail="the same each time" if compared else "it prints nothing, or something else each time",
            fix="Let the bench print a checksum of its results; times and the like beside it do no harm.",
        ),
        _advice(
            "bench has no fixed answer",
            ok=compared and seeded and bool(original.varies),
            detail=_variety(original, seeded=seeded),
            fix="A candidate could know the answer by heart. Let the bench make its data from a number: {seed}.",
        ),
        _advice(
            "early ends are noticed",
            ok=ends,
            detail="in tests and bench" if ends else "programs are static, or do not run with a preloaded library",
            fix="A candidate could print an answer and leave. Link dynamically, and let the bench take a {seed}.",
        ),
    ]


def _advice(name: str, *, ok: bool, detail: str, fix: str) -> Finding:
    return Finding(name=name, ok=ok, serious=False, detail=detail, fix=fix)


def _variety(original: Original, *, seeded: bool) -> str:
    if original.varies is None:
        return "the command has no {seed}: it does the same work each time"
    if not original.varies:
        return "it prints the same for every seed or input"
    return "another seed, another answer" if seeded else "its inputs are in the repository, for candidates to know"


def _probe_finding(name: str, outcome: Outcome) -> Finding:
    if outcome.status is Status.OK:
        return Finding(
            name=f"empty {name} fails",
            ok=False,
            serious=False,
            detail="every test passes without it",
            fix="Nothing keeps a candidate from breaking it: add a test that uses it, or take it out of editable.",
        )
    return Finding(name=f"empty {name} fails", ok=True, detail=f"{outcome.status.value}: {outcome.first_line[:90]}")


def _judges_finding(task: Task) -> list[Finding]:
    judges = [name for name in task.files if JUDGES.search(name)]
    if not judges:
        return []
    return [
        Finding(
            name="candidates do not judge themselves",
            ok=False,
            detail=f"editable: {', '.join(judges[:5])}",
            fix="Tests, benches and build files must stay as they are: narrow command.editable.",
        )
    ]
