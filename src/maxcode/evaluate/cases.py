"""Test cases and workloads of program tasks, as files: given ones, and ones made from secret seeds."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from maxcode.core import InputError, Language, Mode, content_hash
from maxcode.evaluate.build import Builder, Built
from maxcode.evaluate.once import made_once
from maxcode.evaluate.sandbox.running import Ended
from maxcode.evaluate.sandbox.sandbox import Sandbox
from maxcode.evaluate.sandbox.view import BOX, Caps, View
from maxcode.evaluate.toolchain import runtime_view, toolchain, tools_view
from maxcode.task.model import Task, Workload

WORKING = "/tmp"
"""Folder in which programs are started."""
INPUTS_IN_SEARCH = 8
"""Number of inputs of a generated workload in a search, shared by all candidates. A confirmation makes one for each
pair."""


@dataclass(frozen=True)
class Case:
    name: str
    hidden: bool
    input: Path
    answer: Path
    """File of the expected output. For a timed input it exists once the baseline has run on it."""


@dataclass(frozen=True)
class ProgramCall:
    """A built program on an input: its command line, the files it needs, and its standard input."""

    program: list[str]
    arguments: list[str]
    files: dict[str, Path]
    """Path inside the sandbox -> file of ours."""
    stdin: Path | None
    environment: dict[str, str]

    @property
    def command(self) -> list[str]:
        return [*self.program, *self.arguments]


class Programs:
    """Runs built programs on input files in one sandbox lane."""

    def __init__(self, sandbox: Sandbox, builder: Builder, cpus: tuple[int, ...]) -> None:
        self.sandbox = sandbox
        self.builder = builder
        self.cpus = cpus

    def view(self, language: Language, files: dict[str, Path], *, proc: bool = False) -> View:
        base = tools_view(toolchain()) if language is Language.PYTHON else runtime_view()
        return replace(base, read={**base.read, **files}, proc=proc)

    def caps(self, task: Task) -> Caps:
        limits = task.limits
        return Caps(
            limits.seconds,
            limits.memory_mb,
            limits.output_mb,
            limits.scratch_mb,
            self.cpus[: limits.cpus],
            processes=task.rules.processes,
        )

    def call(self, task: Task, built: Built, input: Path) -> ProgramCall:
        how = self.builder.invocation(task.language, built)
        own = opened_files(task, input)
        words = [f"{WORKING}/{word}" if f"{WORKING}/{word}" in own else word for word in task.run.arguments]
        stdin = None if task.run.input else input
        return ProgramCall(how.command, words, {**how.files, **own}, stdin, how.environment)

    def run(self, task: Task, built: Built, input: Path) -> Ended:
        how = self.call(task, built, input)
        view = self.view(task.language, how.files)
        return self.sandbox.run(how.command, view, self.caps(task), stdin=how.stdin, environment=how.environment)

    def run_tool(self, source: Path, arguments: list[str], files: dict[str, Path]) -> Ended:
        """Runs a task's own generator or checker, under generous limits."""
        built = self.builder.build_tool(source)
        if built.program is None:
            raise InputError(f"{source}: does not build:\n{built.error}")
        language = Language.PYTHON if source.suffix == ".py" else Language.CPP
        how = self.builder.invocation(language, built)
        caps = Caps(60.0, 2048, output_mb=256, cpus=self.cpus[:1])
        view = self.view(language, {**files, **how.files})
        return self.sandbox.run([*how.command, *arguments], view, caps, environment=how.environment)


def opened_files(task: Task, input: Path) -> dict[str, Path]:
    """Files that a program opens by name, by their paths inside the sandbox."""
    named = {name: task.folder / name for name in task.run.files}
    return {f"{WORKING}/{name}": path for name, path in named.items()} | (
        {f"{WORKING}/{task.run.input}": input} if task.run.input else {}
    )


class CaseMaker:
    """Makes each case of a task once per scratch folder; workers share the folder."""

    def __init__(self, programs: Programs, scratch: Path) -> None:
        self._programs = programs
        self._scratch = scratch

    def tests(self, task: Task, seed: int) -> list[Case]:
        cases = []
        for hidden, name in ((False, task.tests.public), (True, task.tests.hidden)):
            if name is not None:
                cases += _given(task.folder / name, hidden)
        for group, generated in enumerate(task.tests.generated):
            for i in range(generated.count):
                label = f"generated {group}.{i}"
                inputs = self._generate(task, generated.generator, generated.arguments, seed, label)
                cases.append(Case(label, True, inputs, self._answer(task, inputs)))
        return cases

    def workloads(self, task: Task, seed: int, *, given: bool = True) -> list[Case]:
        """One input of each workload with the baseline's answer: the given file, or else one of its variants."""
        cases = [self._timed(task, each, seed, 0 if given else _variant(task, each, seed)) for each in task.workloads]
        for case in cases:
            self._answer(task, case.input)
        return cases

    @contextmanager
    def drawn(self, task: Task, seed: int, number: int, mode: Mode) -> Iterator[list[Case]]:
        """The inputs of the pair with this number, one of each workload, answered or not.

        A program that remembers an input, or its answer, gains nothing on the next: a confirmation never times a
        generated input twice, and variants of a given file take turns with it.
        """
        numbers = {
            w.name: number if mode is Mode.CONFIRM and w.generator else _turn(task, w, seed, number)
            for w in task.workloads
        }
        cases = [self._timed(task, workload, seed, numbers[workload.name]) for workload in task.workloads]
        yield cases
        if mode is Mode.CONFIRM:
            for case in cases:
                self._discard(case)

    def _timed(self, task: Task, workload: Workload, seed: int, number: int) -> Case:
        name = f"workload {workload.name}" + (f", input {number}" if number else "")
        if workload.input is not None:
            inputs = given_inputs(task, workload)[number]
        else:
            assert workload.generator is not None
            inputs = self._generate(task, workload.generator, workload.arguments, seed, name)
        return Case(name, True, inputs, self._answer_file(task, inputs))

    def _discard(self, case: Case) -> None:
        for file in (case.input, case.answer):
            if file.is_relative_to(self._scratch):
                shutil.rmtree(file.parent, ignore_errors=True)

    def _generate(self, task: Task, generator: str, arguments: tuple[str, ...], seed: int, label: str) -> Path:
        key = content_hash(task.hash, str(seed), label, *arguments)
        number = int(key[:8], 16)
        target = self._scratch / "inputs" / key

        def fill(folder: Path) -> None:
            ended = self._programs.run_tool(task.folder / generator, [str(number), *arguments], {})
            if not ended.clean:
                message = ended.stderr.decode(errors="replace").strip()[-1000:]
                raise InputError(f"{task.folder / generator} {number} {' '.join(arguments)}: failed. {message}")
            (folder / "input.txt").write_bytes(ended.stdout)

        made_once(target, fill)
        return target / "input.txt"

    def _answer(self, task: Task, inputs: Path) -> Path:
        """File with the baseline's output, the oracle for inputs that come without an answer."""
        answer = self._answer_file(task, inputs)

        def fill(folder: Path) -> None:
            built = self._programs.builder.build(task, task.baseline_candidate)
            if built.program is None:
                raise InputError(f"{task.folder / task.main_file}: the baseline does not build:\n{built.error}")
            ended = self._programs.run(task, built, inputs)
            if not ended.clean:
                raise InputError(
                    f"{task.folder}: the baseline fails on an input of the task's own; run `maxcode check`"
                )
            _write(folder / answer.name, ended.stdout)

        made_once(answer.parent, fill)
        return answer

    def _answer_file(self, task: Task, inputs: Path) -> Path:
        return self._scratch / "answers" / content_hash(task.hash, str(inputs)) / "output.txt"


def keep_answer(case: Case, output: bytes) -> None:
    """Takes what the baseline printed as the case's answer, if there is none yet."""
    made_once(case.answer.parent, lambda folder: _write(folder / case.answer.name, output))


def given_inputs(task: Task, workload: Workload) -> list[Path]:
    """The workload's file and its variants."""
    assert workload.input is not None
    variants = _numbered(task.folder / workload.variants) if workload.variants else []
    return [task.folder / workload.input, *variants]


def _turn(task: Task, workload: Workload, seed: int, number: int) -> int:
    """Index of the workload's input whose turn it is. The seed decides which one comes first."""
    count = INPUTS_IN_SEARCH if workload.generator else len(given_inputs(task, workload))
    return (seed + number) % count


def _variant(task: Task, workload: Workload, seed: int) -> int:
    """Number of a variant drawn by the seed; 0 where there is none."""
    count = len(given_inputs(task, workload)) if workload.variants else 1
    return 1 + seed % (count - 1) if count > 1 else 0


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def check_with(programs: Programs, checker: Path, case: Case, output: bytes) -> str | None:
    """Complaint of a task's own checker about an output; None when it accepts."""
    with tempfile.TemporaryDirectory(prefix="maxcode-check-") as folder:
        given = Path(folder) / "output.txt"
        given.write_bytes(output)
        Path(folder).chmod(0o755)
        files = {f"{BOX}/input": case.input, f"{BOX}/output": given, f"{BOX}/answer": case.answer}
        ended = programs.run_tool(checker, list(files), files)
    if ended.clean:
        return None
    words = (ended.stdout + b"\n" + ended.stderr).decode(errors="replace").strip()
    return words[:300] or f"the checker refused it (exit code {ended.exit_code})"


def _numbered(folder: Path) -> list[Path]:
    return sorted(folder.glob("input.*.txt"), key=lambda p: (len(p.name), p.name))


def _given(folder: Path, hidden: bool) -> list[Case]:
    kind = "hidden test" if hidden else "test"
    return [
        Case(
            f"{kind} {p.name.split('.', 1)[1].removesuffix('.txt')}",
            hidden,
            p,
            p.with_name(p.name.replace("input.", "output.", 1)),
        )
        for p in _numbered(folder)
    ]
