"""The original program as the judge of inputs: which ones it accepts, what the answers are, what they reach."""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Literal, Self

from maxcode.core import Candidate, InputError, Language
from maxcode.evaluate.build import TRACED_SECONDS, Builder, Built, Variant
from maxcode.evaluate.cases import Programs
from maxcode.evaluate.failure import failure_of
from maxcode.evaluate.machine import usable_cpus
from maxcode.evaluate.profile.memcheck import memcheck, memcheck_tool
from maxcode.evaluate.sandbox.running import Ended
from maxcode.evaluate.sandbox.sandbox import SANITIZER_ENVIRONMENT, Sandbox
from maxcode.kinds.program.reach import is_traceable, run_traced, traced_source
from maxcode.kinds.program.setup import Setup
from maxcode.task.model import Task

FILE = re.compile(r"\.[A-Za-z]\w{0,4}$")
"""Words of a command line that look like the name of a file."""
ARGUMENTS = re.compile(r"\bargv\b|\bmain\s*\([^)]*\*|\bargparse\b|\boptparse\b|\bgetopt\w*\b|\bclick\b|\btyper\b")
"""Names that programs with arguments have in their text."""
SECONDS_PER_INPUT = 20.0
SHORTEST = 0.3
SLOWER = 4
"""Multiple of the time on a given input that the original may take on a derived one."""
SMALL = 4_000
"""Bytes of an input up to which the slow tools are used too."""
FAILS, SILENT, UNSTEADY = "the original fails on them", "the original prints nothing", "answers differ from run to run"
UNSOUND = "the original reads past their end or what it has not set"
SLOW = "the original takes too long on them"
SLOW_LOOK = 0.05
"""CPU seconds of a run above which only the sanitized build runs on the input as well."""
BOUND = 0.5
"""Seconds that the sanitized build may run where it is the only other look. Reads past the end mostly come early."""
CHECKS = {"sanitize": "reads past the end", "zeroed": "values never set", "traced": "what is reached"}
"""Findings, in words, of builds that not every compiler can make."""
Look = Literal["thorough", "bounded", "quick"]
"""Thoroughness: all builds; the plain and the sanitized one, within a time; or the plain one twice."""


@dataclass(frozen=True)
class Answered:
    """Answer of the original to an input."""

    answer: bytes
    refused: str | None
    """Reason why the input is not a test; None if it is one."""
    reached: frozenset[str] = frozenset()
    seconds: float = 0.0


class Oracle:
    """Builds of one program that judge inputs, in parallel where there are two processors."""

    def __init__(self, setup: Setup, scratch: Path) -> None:
        self.name = str(setup.source)
        self._takes_arguments = ARGUMENTS.search(setup.source.read_text(errors="replace")) is not None
        self._scratch = scratch
        self.empty_input = scratch / "empty.txt"
        self.empty_input.touch()
        self._task = setup.task
        self._wanted = setup.language is not Language.PYTHON
        self._lanes = [_Lane(lane, cpu) for lane, cpu in zip("ab", usable_cpus()[:2], strict=False)]
        self._threads = ThreadPoolExecutor(len(self._lanes))
        self._numbers = iter(range(10**9))
        self._slowest = SHORTEST
        self._building = self._start_builds()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown()
        for lane in self._lanes:
            lane.sandbox.close()

    def must_answer(self, path: Path) -> Ended | None:
        """Answer to a given input; None if that takes too long. InputError if the program does not answer it well."""
        first = self._lanes[0].run(self._task, self._built["plain"], path, 0)
        if first.timed_out:
            return None
        if not first.clean:
            raise InputError(self._failure(path, first))
        if not first.stdout.strip():
            raise InputError(f"{self.named(path)}: {self.name} prints nothing, so there is nothing to compare.")
        second = self._again(path)
        if second.timed_out:
            return None
        if first.stdout != second.stdout:
            raise InputError(
                f"{self.named(path)}: {self.name} answers differently each time: there is nothing to compare with. "
                "Remove what is random, such as time, addresses or unseeded random numbers."
            )
        self._slowest = max(self._slowest, first.wall)
        return first

    def tried(self, path: Path, seconds: float) -> Ended | None:
        """Answer to an input of ours; None if the program fails on it, prints nothing, or takes longer than that."""
        limits = self._task.limits.model_copy(update={"seconds": seconds})
        task = self._task.model_copy(update={"limits": limits})
        ended = self._lanes[0].run(task, self._built["plain"], path, 0)
        return ended if _refusal(ended) is None else None

    def _failure(self, path: Path, ended: Ended) -> str:
        """How a run on a given input ended, in words, and what may help."""
        failure = failure_of(ended, self._task.limits, self.name, hidden=False)
        words = f"{self.named(path)}: the program fails on it. {failure.reason if failure else ''}"
        run = self._task.run
        absent = [word for word in run.arguments if FILE.search(word) and word not in (run.input, *run.files)]
        if absent:
            return f"{words}\n--args: {', '.join(absent)}: no such file."
        if run.arguments or not self._takes_arguments:
            return words
        return f"{words}\nIf it takes arguments, give them with --args, such as --args '5 words.txt'."

    def reached(self, path: Path) -> frozenset[str]:
        """Parts of the program that an input reaches."""
        built = self._built.get("traced")
        if built is None:
            return frozenset()
        return run_traced(self._lanes[0].programs, self._task, built, path, TRACED_SECONDS + 0.3)[1]

    @property
    def lacking(self) -> tuple[str, ...]:
        """Checks that are missing because the compiler could not make their builds, in words."""
        return tuple(words for name, words in CHECKS.items() if self._wanted and name not in self._built)

    def judged(self, texts: Sequence[bytes], look: Look = "thorough") -> list[Answered]:
        """Answers of the original to all inputs, in order."""
        numbered = [(number, data) for number, data in enumerate(texts)]
        lanes = len(self._lanes)
        work = [self._threads.submit(self._some, lane, numbered[lane::lanes], look) for lane in range(lanes)]
        found = [pair for each in work for pair in each.result()]
        return [answered for _, answered in sorted(found, key=lambda pair: pair[0])]

    def generated(self, generator: Path, arguments: list[str]) -> bytes:
        """Output of a generator. InputError if it does not end well."""
        ended = self._lanes[0].programs.run_tool(generator, arguments, {})
        if not ended.clean:
            words = ended.stderr.decode(errors="replace").strip()[-500:]
            raise InputError(f"--generator {generator} {' '.join(arguments)}: failed. {words}")
        return ended.stdout

    def sound(self, texts: Sequence[bytes]) -> list[bool]:
        """Whether valgrind finds no use of uninitialised values, for each input; True if it is not installed."""
        if self._task.language is Language.PYTHON or memcheck_tool() is None:
            return [True] * len(texts)
        lanes = len(self._lanes)
        work = [
            self._threads.submit(
                self._lanes[number % lanes].memory_is_sound, self._task, self._built, self._written(data)
            )
            for number, data in enumerate(texts)
        ]
        return [each.result() for each in work]

    def _some(self, lane: int, numbered: Sequence[tuple[int, bytes]], look: Look) -> list[tuple[int, Answered]]:
        return [(number, self._judge(self._lanes[lane], data, look)) for number, data in numbered]

    def _judge(self, lane: _Lane, data: bytes, look: Look) -> Answered:
        path = self._written(data)
        try:
            return lane.judge(self._limited, self._built, path, look)
        finally:
            path.unlink()

    @property
    def _limited(self) -> Task:
        limits = self._task.limits.model_copy(update={"seconds": min(SECONDS_PER_INPUT, SLOWER * self._slowest)})
        return self._task.model_copy(update={"limits": limits})

    def _written(self, data: bytes) -> Path:
        path = self._scratch / f"derived-{next(self._numbers)}.txt"
        path.write_bytes(data)
        return path

    def _again(self, path: Path) -> Ended:
        return self._lanes[-1].run(self._task, self._built["plain"], path, 1)

    def named(self, path: Path) -> str:
        """Name of a given input in messages."""
        return "without --input (on an empty one)" if path == self.empty_input else f"--input {path}"

    @cached_property
    def _built(self) -> dict[str, Built]:
        """All builds of the program; only the plain one must succeed."""
        made = {name: each.result() for name, each in self._building.items()}
        if made["plain"].program is None:
            raise InputError(f"{self.name}: does not build:\n{made['plain'].error}")
        return {name: built for name, built in made.items() if built.program is not None}

    def _start_builds(self) -> dict[str, Future[Built]]:
        text = self._task.read(self._task.main_file)
        variants: list[tuple[str, Variant, str]] = [("plain", "plain", text)]
        if self._task.language is not Language.PYTHON:
            variants = [  # the sanitized build takes as long as the others together: it has a lane of its own
                ("sanitize", "sanitize", text),
                *variants,
                ("zeroed", "zeroed", text),
                ("traced", "traced", text),
            ]
        elif is_traceable(text):
            variants.append(("traced", "plain", traced_source(text)))
        return {
            name: self._threads.submit(self._build, self._lanes[0 if variant == "sanitize" else -1], variant, source)
            for name, variant, source in variants
        }

    def _build(self, lane: _Lane, variant: Variant, text: str) -> Built:
        with lane.lock:
            return lane.programs.builder.build(self._task, Candidate(files={self._task.main_file: text}), variant)


def _refusal(ended: Ended) -> str | None:
    if not ended.clean:
        return SLOW if ended.timed_out else FAILS
    return None if ended.stdout.strip() else SILENT


class _Lane:
    """One sandbox on one processor."""

    def __init__(self, name: str, cpu: int) -> None:
        self.lock = Lock()
        self.sandbox = Sandbox(lane=name)
        self.programs = Programs(self.sandbox, Builder(self.sandbox, (cpu,)), (cpu,))

    def run(self, task: Task, built: Built, path: Path, hash_seed: int) -> Ended:
        how = self.programs.call(task, built, path)
        environment = dict(how.environment)
        if "PYTHONHASHSEED" in environment:
            environment["PYTHONHASHSEED"] = str(hash_seed)
        view = self.programs.view(task.language, how.files)
        caps = self.programs.caps(task)
        return self.sandbox.run(how.command, view, caps, stdin=how.stdin, environment=environment)

    def judge(self, task: Task, built: dict[str, Built], path: Path, look: Look) -> Answered:
        with self.lock:
            first = self.run(task, built["plain"], path, 0)
            refused = _refusal(first)
            if refused:
                return Answered(first.stdout, refused)
            if look == "thorough" and first.cpu > SLOW_LOOK:
                look = "bounded"
            if look != "thorough" or "traced" not in built:
                return Answered(first.stdout, self._second(task, built, path, first, look), seconds=first.cpu)
            return self._thorough(task, built, path, first)

    def _thorough(self, task: Task, built: dict[str, Built], path: Path, first: Ended) -> Answered:
        answer = first.stdout
        ended, reached = run_traced(self.programs, task, built["traced"], path, task.limits.seconds + 1)
        if not ended.clean or ended.stdout != answer:
            unsteady = task.language is Language.PYTHON and self.run(task, built["plain"], path, 1).stdout != answer
            return Answered(answer, UNSTEADY if unsteady else SLOW if ended.timed_out else UNSOUND)
        for variant in ("zeroed", "sanitize"):
            why = self._objection(task, built[variant], variant, path, answer) if variant in built else None
            if why:
                return Answered(answer, why)
        return Answered(answer, None, reached, first.cpu)

    def _second(self, task: Task, built: dict[str, Built], path: Path, first: Ended, look: Look) -> str | None:
        """Objection of a second run to an input: of the sanitized build, or if that is too slow, of the plain one
        again."""
        if look == "bounded" and "sanitize" in built:
            limited = task.model_copy(update={"limits": task.limits.model_copy(update={"seconds": BOUND})})
            why = self._objection(limited, built["sanitize"], "sanitize", path, first.stdout)
            if why != SLOW:
                return why
        return None if self.run(task, built["plain"], path, 1).stdout == first.stdout else UNSTEADY

    def _objection(self, task: Task, built: Built, variant: str, path: Path, answer: bytes) -> str | None:
        """Objection of another build to an input: it fails, is too slow, or answers something else.

        None if it agrees.
        """
        how = self.programs.call(task, built, path)
        sanitized = variant == "sanitize"
        caps = replace(self.programs.caps(task), bound_address_space=not sanitized)
        view = self.programs.view(task.language, how.files, proc=sanitized)
        environment = SANITIZER_ENVIRONMENT if sanitized else {}
        ended = self.sandbox.run(how.command, view, caps, stdin=how.stdin, environment=environment)
        if ended.timed_out:
            return SLOW
        return None if ended.clean and ended.stdout == answer else UNSOUND

    def memory_is_sound(self, task: Task, built: dict[str, Built], path: Path) -> bool:
        with self.lock:
            return memcheck(task, self.programs, built["traced" if "traced" in built else "plain"], path)
