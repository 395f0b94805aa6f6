"""Makes a task folder of a problem: its tests are tried, thinned out, and written once, under a hash of the content."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Sequence
from functools import lru_cache
from math import ceil
from pathlib import Path
from typing import Any

from maxcode.bench.suites.making.problem import (
    PUBLISHED_FLAGS,
    FilePair,
    MadeTask,
    Refused,
    SuiteProblem,
    SuiteSettings,
)
from maxcode.bench.suites.making.trial import (
    MEMORY_MB,
    SECONDS_PER_TEST,
    TrialResult,
    build,
    faults_in_words,
    readable,
    try_all,
    try_one,
)
from maxcode.core import InputError, Language, content_hash
from maxcode.evaluate.cases import Programs
from maxcode.evaluate.once import made_once
from maxcode.evaluate.toolchain import toolchain
from maxcode.system.home import home
from maxcode.task.kind import kind_named
from maxcode.task.load import load_task
from maxcode.task.model import Build, Limits, Task, Workload
from maxcode.task.ordinary import FILE_NAME

VERSION = "1"
"""Changes whenever the same problem would become another task."""
LARGEST_FILE = 16 << 20
"""Most bytes of a test's file. Larger tests are left out: every evaluation would read them many times."""
MOST_TRIED = 200
PUBLIC_WANTED, PUBLIC_BYTES = 2, 2000
LONG = {"time": 1.0, "instructions": 0.25}
"""Longest seconds of a workload, by metric: counting takes some forty times as long as running."""
SHORT = 0.01
"""Seconds below which a workload mostly times the start of a process."""


def make(problem: SuiteProblem, settings: SuiteSettings, programs: Programs) -> MadeTask:
    """The task of a problem, made now or before."""
    digest = data_digest(problem)
    kept = home() / "suites" / _fingerprint(problem, settings, digest)
    try:
        made_once(kept, lambda folder: _fill(folder, problem, settings, programs))
    except InputError as error:
        return MadeTask(name=problem.name, where=problem.where, problem=str(error), sha256=digest)
    made = MadeTask.model_validate_json((kept / "made.json").read_bytes())
    folder = None if made.problem else str(kept / problem.name)
    return made.model_copy(update={"where": problem.where, "folder": folder, "sha256": digest})


def _fingerprint(problem: SuiteProblem, settings: SuiteSettings, digest: str) -> str:
    """Hash of everything that the task depends on; the paths of files are not part of it."""
    rest = problem.model_dump(mode="json", exclude={"pairs", "where", "program", "target"})
    return content_hash(VERSION, toolchain().id, settings.model_dump_json(), json.dumps(rest), digest)


def data_digest(problem: SuiteProblem) -> str:
    """SHA-256 of the programs and tests: the same on every machine."""
    digest = hashlib.sha256(json.dumps([problem.name, problem.program, problem.target]).encode())
    for pair in problem.pairs:
        for path in (pair.input, pair.answer):
            digest.update(f"{path.name} {_file_digest(path, path.stat().st_size, path.stat().st_mtime_ns)}\n".encode())
    return digest.hexdigest()


@lru_cache(maxsize=100_000)
def _file_digest(path: Path, size: int, changed: int) -> str:  # noqa: ARG001 - part of the key; rows share their tests
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _fill(folder: Path, problem: SuiteProblem, settings: SuiteSettings, programs: Programs) -> None:
    try:
        made = _task(folder / problem.name, problem, settings, programs)
    except Refused as reason:
        shutil.rmtree(folder / problem.name, ignore_errors=True)
        made = MadeTask(name=problem.name, where=problem.where, problem=str(reason))
    (folder / "made.json").write_text(made.model_dump_json())


def _task(folder: Path, problem: SuiteProblem, settings: SuiteSettings, programs: Programs) -> MadeTask:
    pairs, remarks = _copied(folder, problem)
    _write_programs(folder, problem)
    readable(folder)
    trial = _trial_task(folder, problem)
    built = build(trial, programs)
    tried = try_all(trial, built, _spread(pairs, MOST_TRIED), programs)
    _check_answers(problem, tried)
    dropped = faults_in_words(tried, trial.limits.seconds)
    sound = [each for each in tried if each.fault is None]
    if not sound:
        raise Refused(f"no test is left: {dropped}")
    timed = choose_workloads(sound, settings)
    chosen = _thinned([each.pair for each in sound], [each.pair for each in timed], settings.most_tests)
    steady = [pair for pair in chosen if try_one(trial, built, pair, programs).fault is None]
    if len(steady) < len(chosen):
        raise Refused("the program does not pass the same tests twice: its output depends on chance")
    task = _write(folder, problem, settings, chosen, timed)
    remarks = [*problem.remarks, *remarks, *([dropped] if dropped else [])]
    if settings.metric == "time" and (slowest := max(each.seconds for each in timed)) < SHORT:
        remarks.append(
            f"its longest input takes {slowest * 1000:.1f} ms, much of it process start; "
            "--metric instructions is sharper"
        )
    return MadeTask(
        name=problem.name,
        where=problem.where,
        remarks=tuple(remarks),
        tests=len(chosen),
        workloads={workload.name: each.seconds for workload, each in zip(task.workloads, timed, strict=True)},
        has_target=problem.target is not None,
    )


def _check_answers(problem: SuiteProblem, tried: list[TrialResult]) -> None:
    """Refuses a program for wrong answers: one if the expected answers are trusted, else more than half."""
    wrong = [each.pair.name for each in tried if each.fault == "answers otherwise"]
    if wrong and (problem.answers_trusted or len(wrong) > len(tried) / 2):
        named = f"{len(wrong)} of {len(tried)} tests, {wrong[0]} among them"
        raise Refused(f"the program does not give the expected output on {named}")


def _copied(folder: Path, problem: SuiteProblem) -> tuple[list[FilePair], list[str]]:
    """Copies the tests to the folder with LF line ends; the copies, and remarks on what was left out or converted."""
    (folder / "all").mkdir(parents=True)
    pairs, huge, converted = [], 0, 0
    for number, pair in enumerate(problem.pairs):
        if max(pair.input.stat().st_size, pair.answer.stat().st_size) > LARGEST_FILE:
            huge += 1
            continue
        paths = folder / f"all/input.{number}.txt", folder / f"all/output.{number}.txt"
        data = pair.input.read_bytes(), pair.answer.read_bytes()
        converted += any(b"\r\n" in each for each in data)
        for path, each in zip(paths, data, strict=True):
            path.write_bytes(each.replace(b"\r\n", b"\n"))
        pairs.append(pair.model_copy(update={"input": paths[0], "answer": paths[1]}))
    if not pairs:
        limit = f"larger than {LARGEST_FILE >> 20} MB"
        raise Refused(f"all {huge} tests are {limit}" if huge else "there are no tests")
    remarks = [f"{huge} of {len(problem.pairs)} tests left out: larger than {LARGEST_FILE >> 20} MB"] if huge else []
    if converted:
        remarks.append(f"{converted} of {len(problem.pairs)} tests have CRLF line ends, read as LF")
    return pairs, remarks


def _write_programs(folder: Path, problem: SuiteProblem) -> None:
    (folder / problem.main_file).write_text(problem.program)
    if problem.target is not None:
        (folder / problem.target_file).write_text(problem.target)
    if problem.checker:
        (folder / f"checker{problem.checker.suffix}").write_text(problem.checker.text)


def _trial_task(folder: Path, problem: SuiteProblem) -> Task:
    tests = problem.tests.model_copy(update={"hidden": "all", "checker": _checker_file(problem)})
    return Task(
        name=problem.name,
        kind=kind_named("program"),
        language=problem.language,
        baseline=problem.main_file,
        build=Build(flags=PUBLISHED_FLAGS),
        tests=tests,
        workloads=(Workload(name="-", input="-"),),
        limits=Limits(seconds=problem.seconds or SECONDS_PER_TEST, memory_mb=problem.memory_mb or MEMORY_MB),
        folder=folder,
        changes={},
    )


def _checker_file(problem: SuiteProblem) -> str | None:
    return f"checker{problem.checker.suffix}" if problem.checker else None


def choose_workloads(sound: list[TrialResult], settings: SuiteSettings) -> list[TrialResult]:
    """What is timed: the slowest inputs that are not too long, and none that would mostly add process starts.

    Of inputs too short to time well, the largest come first: which of them is slowest is chance.
    """
    most = max(min(settings.most_workloads, settings.most_tests - 1), 1)  # one test at least is not timed
    fitting = [each for each in sound if each.seconds <= LONG[settings.metric]] or [
        min(sound, key=lambda each: each.seconds)
    ]
    slowest = max(each.seconds for each in fitting)
    near = [each for each in fitting if each.seconds >= slowest / 2]
    if slowest < SHORT:
        return sorted(near, key=lambda each: (-each.pair.input.stat().st_size, each.pair.name))[:most]
    return sorted(near, key=lambda each: (-each.seconds, each.pair.name))[:most]


def _thinned(pairs: list[FilePair], wanted: list[FilePair], most: int) -> list[FilePair]:
    """Selects at most `most` tests: all of `wanted`, and others spread evenly over the sizes of inputs."""
    if len(pairs) <= most:
        return pairs
    others = [pair for pair in pairs if pair not in wanted]
    return [*_spread(others, most - len(wanted)), *wanted]


def _spread(pairs: Sequence[FilePair], most: int) -> list[FilePair]:
    """Selects at most `most` tests, evenly spread from the smallest input to the largest."""
    ordered = sorted(pairs, key=lambda pair: (pair.input.stat().st_size, pair.name))
    if len(ordered) <= most:
        return ordered
    return [ordered[round(i * (len(ordered) - 1) / max(most - 1, 1))] for i in range(most)]


def _write(
    folder: Path, problem: SuiteProblem, settings: SuiteSettings, chosen: list[FilePair], timed: list[TrialResult]
) -> Task:
    public = _public(chosen, [each.pair for each in timed])
    places = {pair.name: f"tests/{'public' if pair in public else 'hidden'}" for pair in chosen}
    for pair in chosen:
        target = folder / places[pair.name]
        target.mkdir(parents=True, exist_ok=True)
        for path in (pair.input, pair.answer):
            path.replace(target / path.name)
    shutil.rmtree(folder / "all")
    (folder / FILE_NAME).write_text(_settings(problem, settings, set(places.values()), timed, places))
    readable(folder)
    return load_task(folder)


def _public(chosen: list[FilePair], timed: list[FilePair]) -> list[FilePair]:
    """Tests to make public: the samples, or else the smallest ones. Never all tests, and never the timed ones."""
    free = [pair for pair in chosen if pair not in timed and pair.input.stat().st_size <= PUBLIC_BYTES]
    ordered = sorted(free, key=lambda pair: (not pair.sample, pair.input.stat().st_size, pair.name))
    return ordered[: min(PUBLIC_WANTED, len(chosen) - 1)]


def _settings(
    problem: SuiteProblem, settings: SuiteSettings, folders: set[str], timed: list[TrialResult], places: dict[str, str]
) -> str:
    slowest = max(each.seconds for each in timed)
    memory = max(each.memory_mb for each in timed)
    tests: dict[str, Any] = {name.removeprefix("tests/"): name for name in sorted(folders)}
    tests |= {"compare": problem.tests.compare}
    if problem.checker:
        tests["checker"] = _checker_file(problem)
    lines = [
        *_fields(
            name=problem.name,
            kind="program",
            language=problem.language.value,
            description=problem.description,
            baseline=problem.main_file,
        )
    ]
    if problem.language is not Language.PYTHON:
        lines += ["", "[build]", *_fields(flags=list(PUBLISHED_FLAGS))]
    lines += ["", "[tests]", *_fields(**tests)]
    if problem.tests.compare == "numbers":
        lines += ["", "[tests.tolerance]", *_fields(**problem.tests.tolerance.model_dump())]
    for each in timed:
        path = f"{places[each.pair.name]}/{each.pair.input.name}"
        lines += ["", "[[workloads]]", *_fields(name=each.pair.name, input=path)]
    limits = {
        "seconds": problem.seconds or max(2, ceil(10 * slowest)),
        "memory_mb": max(problem.memory_mb or MEMORY_MB, ceil(4 * memory)),
    }
    lines += ["", "[limits]", *_fields(**limits), "", "[objective]", *_fields(metric=settings.metric), ""]
    return "\n".join(lines)


def _fields(**fields: Any) -> list[str]:
    """TOML writes text, numbers and lists of text as JSON does."""
    return [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in fields.items()]
