"""`maxcode new`: a task from a bare program, which is its own oracle."""

from __future__ import annotations

import json
import random
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from maxcode.authoring.derive import derived_inputs
from maxcode.core import Candidate, InputError, Language
from maxcode.evaluate.build import Builder, Built
from maxcode.evaluate.cases import Programs
from maxcode.evaluate.machine import usable_cpus
from maxcode.evaluate.sandbox import SANITIZER_ENVIRONMENT, Ended, Sandbox
from maxcode.task.load import FILE_NAME, load_task
from maxcode.task.model import Limits, Task, Tests, Workload

SUFFIXES = {".c": Language.C, ".py": Language.PYTHON} | dict.fromkeys((".cc", ".cpp", ".cxx"), Language.CPP)
HIDDEN_WANTED, PUBLIC_WANTED = 12, 2
PUBLIC_BYTES = 2000
SECONDS_PER_INPUT = 20.0


@dataclass(frozen=True)
class Scaffolded:
    folder: Path
    public: int
    hidden: int
    refused: int
    """Derived inputs that the program did not accept or did not answer the same twice."""
    seconds: dict[str, float]
    """CPU time of the program by workload."""


def scaffold(
    folder: Path, source: Path, inputs: list[Path], *, name: str | None = None, flags: list[str] | None = None
) -> Scaffolded:
    """Makes the folder. InputError when the program does not build, fails on an input, or answers differently twice."""
    language = check_arguments(folder, source, inputs)
    with tempfile.TemporaryDirectory(prefix="maxcode-new-") as scratch, Sandbox() as sandbox:
        oracle = _Oracle(source, language, flags, sandbox, Path(scratch))
        given = inputs or [oracle.empty_input()]
        answers = {path: oracle.must_answer(path) for path in given}
        tests, refused = _derive(oracle, given)
        staged = Path(scratch) / "task"
        public = _write(staged, source, language, name or slug(folder.name), flags, given, answers, tests)
        load_task(staged)
        folder.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(staged, folder, dirs_exist_ok=True)
    seconds = {path.name: answer.cpu for path, answer in answers.items()}
    return Scaffolded(folder, public, len(tests) - public + len(given), refused, seconds)


def check_arguments(folder: Path, source: Path, inputs: list[Path]) -> Language:
    if (folder / FILE_NAME).exists():
        raise InputError(f"{folder / FILE_NAME}: already there. Choose another folder, or remove it first.")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder}: exists and is not an empty folder. Choose another.")
    if not source.is_file():
        raise InputError(f"--from {source}: no such file.")
    for path in inputs:
        if not path.is_file():
            raise InputError(f"--input {path}: no such file.")
    if len({path.name for path in inputs}) < len(inputs):
        raise InputError("--input: two of the files have the same name. Rename one.")
    if source.suffix not in SUFFIXES:
        raise InputError(
            f"--from {source}: the language of '{source.suffix}' is not known; use one of {', '.join(SUFFIXES)}."
        )
    return SUFFIXES[source.suffix]


class _Oracle:
    """The original program: says which inputs it accepts, and what the right answer is."""

    def __init__(
        self, source: Path, language: Language, flags: list[str] | None, sandbox: Sandbox, scratch: Path
    ) -> None:
        self._scratch = scratch
        self._source = source
        (scratch / "empty.txt").touch()
        build = {"flags": tuple(flags)} if flags is not None else {}
        self._task = Task.model_validate(
            {
                "name": "new",
                "kind": "program",
                "language": language,
                "baseline": source.name,
                "folder": source.absolute().parent,
                "workloads": (Workload(name="w", input="-"),),
                "tests": Tests(public="-"),
                "build": build,
                "limits": Limits(seconds=SECONDS_PER_INPUT, memory_mb=4096),
            }
        )
        cpus = tuple(usable_cpus()[:1])
        self._programs = Programs(sandbox, Builder(sandbox, cpus), cpus)
        self._built = self._build("plain")
        self._checked = None if language is Language.PYTHON else self._build("sanitize")

    def empty_input(self) -> Path:
        return self._scratch / "empty.txt"

    def _named(self, path: Path) -> str:
        return "without --input (on an empty one)" if path == self.empty_input() else f"--input {path}"

    def must_answer(self, path: Path) -> Ended:
        """The answer to a given input; it must be a good one."""
        first, second = self._run(path), self._run(path)
        if first.timed_out:
            raise InputError(
                f"{self._named(path)}: {self._source} takes more than {SECONDS_PER_INPUT:g} s. Give a smaller input."
            )
        if not first.clean:
            words = first.stderr.decode(errors="replace").strip()[-500:]
            raise InputError(f"{self._named(path)}: {self._source} fails on it (exit code {first.exit_code}). {words}")
        if first.stdout != second.stdout:
            raise InputError(
                f"{self._named(path)}: {self._source} answers differently each time: there is nothing to compare with. "
                "Remove what is random, such as time, addresses or unseeded random numbers."
            )
        return first

    def answer(self, text: str) -> bytes | None:
        """The answer to a derived input, or None when the program does not accept it."""
        path = self._scratch / "derived.txt"
        path.write_text(text)
        first = self._run(path)
        if not first.clean or not first.stdout.strip() or self._run(path).stdout != first.stdout:
            return None
        return first.stdout if self._is_sound(path) else None

    def _is_sound(self, path: Path) -> bool:
        """Whether the program stays within memory and the language on this input."""
        if self._checked is None:
            return True
        how = self._programs.builder.invocation(self._task.language, self._checked)
        caps = replace(self._programs.caps(self._task), bound_address_space=False)
        view = self._programs.view(self._task.language, how.files, proc=True)
        return self._programs.sandbox.run(how.command, view, caps, stdin=path, environment=SANITIZER_ENVIRONMENT).clean

    def _run(self, path: Path) -> Ended:
        return self._programs.run(self._task, self._built, path)

    def _build(self, variant: str) -> Built:
        candidate = Candidate(files={self._source.name: self._task.read(self._source.name)})
        built = self._programs.builder.build(self._task, candidate, "sanitize" if variant == "sanitize" else "plain")
        if built.program is None:
            raise InputError(f"--from {self._source}: does not build:\n{built.error}")
        return built


def _derive(oracle: _Oracle, given: list[Path]) -> tuple[list[tuple[str, bytes]], int]:
    """Accepted (input, answer) pairs, different answers preferred, and how many inputs were refused."""
    rng = random.Random(0)
    refused, answers = 0, set[bytes]()
    fresh: list[tuple[str, bytes]] = []
    repeated: list[tuple[str, bytes]] = []
    for text in _candidates(given, rng):
        if len(fresh) >= HIDDEN_WANTED + PUBLIC_WANTED:
            break
        answer = oracle.answer(text)
        if answer is None:
            refused += 1
            continue
        (repeated if answer in answers else fresh).append((text, answer))
        answers.add(answer)
    return [*fresh, *repeated][: HIDDEN_WANTED + PUBLIC_WANTED], refused


def _candidates(given: list[Path], rng: random.Random) -> Iterator[str]:
    for path in given:
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        yield from derived_inputs(text, rng)


def _write(
    folder: Path,
    source: Path,
    language: Language,
    name: str,
    flags: list[str] | None,
    given: list[Path],
    answers: dict[Path, Ended],
    tests: list[tuple[str, bytes]],
) -> int:
    """Fills the task's folder; how many of the tests are public."""
    for part in ("tests/public", "tests/hidden", "workloads"):
        (folder / part).mkdir(parents=True)
    shutil.copyfile(source, folder / source.name)
    small = sorted(range(len(tests)), key=lambda i: len(tests[i][0]))
    public = [i for i in small if len(tests[i][0]) <= PUBLIC_BYTES][:PUBLIC_WANTED]
    encoded = [(text.encode(), answer) for text, answer in tests]
    hidden = [encoded[i] for i in range(len(tests)) if i not in public]
    hidden += [(path.read_bytes(), answers[path].stdout) for path in given]
    for kind, cases in (("public", [encoded[i] for i in public]), ("hidden", hidden)):
        for number, (data, answer) in enumerate(cases):
            (folder / f"tests/{kind}/input.{number}.txt").write_bytes(data)
            (folder / f"tests/{kind}/output.{number}.txt").write_bytes(answer)
    for path in given:
        shutil.copyfile(path, folder / "workloads" / path.name)
    if not public:
        (folder / "tests/public").rmdir()
    (folder / FILE_NAME).write_text(_settings(folder, source, language, name, flags, given, answers))
    return len(public)


def _settings(
    folder: Path,
    source: Path,
    language: Language,
    name: str,
    flags: list[str] | None,
    given: list[Path],
    answers: dict[Path, Ended],
) -> str:
    slowest = max(answer.wall for answer in answers.values())
    memory = max(answer.rss_mb for answer in answers.values())
    lines = [
        f"name = {json.dumps(name)}",
        'kind = "program"',
        f'language = "{language.value}"',
        'description = "What does it read, compute and print? This is shown to the optimizer."',
        f"baseline = {json.dumps(source.name)}",
        "",
    ]
    if language is not Language.PYTHON:
        quoted = ", ".join(json.dumps(flag) for flag in (flags if flags is not None else ["-O3", "-march=native"]))
        lines += ["[build]", f"flags = [{quoted}]", f'standard = "{"c17" if language is Language.C else "c++17"}"', ""]
    lines += ["[tests]"]
    if (folder / "tests/public").is_dir():
        lines.append('public = "tests/public"   # shown to the optimizer')
    lines += ['hidden = "tests/hidden"   # never shown', 'compare = "tokens"        # exact | tokens | numbers', ""]
    for path in given:
        lines += [
            "[[workloads]]",
            f'name = "{slug(path.stem)}"',
            f"input = {json.dumps('workloads/' + path.name)}",
            "",
        ]
    lines += [
        "[limits]",
        f"seconds = {max(2, round(10 * slowest))}",
        f"memory_mb = {max(256, 64 * round(memory * 4 / 64))}",
        "output_mb = 64",
        "cpus = 1   # more allows threads",
        "",
        "[objective]",
        'metric = "time"   # time | instructions',
        "",
    ]
    return "\n".join(lines)


def slug(text: str) -> str:
    return re.sub(r"[^\w.-]+", "-", text).strip("-") or "task"
