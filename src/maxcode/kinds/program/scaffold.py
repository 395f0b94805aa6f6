"""`maxcode new`: a task from a bare program, which is its own oracle."""

from __future__ import annotations

import json
import shutil
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from maxcode.authoring.input_format import format_of
from maxcode.authoring.new import check_arguments, reads_standard_input, slug
from maxcode.core import InputError, Language
from maxcode.evaluate.sandbox.running import Ended
from maxcode.format import InputModel
from maxcode.kinds.program.derive import FEWEST, Derived, DerivedTest, derive, variants
from maxcode.kinds.program.oracle import Oracle, link_flags
from maxcode.kinds.program.sources import Generator, generators, given_tests
from maxcode.task.kind import NewOptions, NewTask
from maxcode.task.load import load_task
from maxcode.task.model import InputFormat
from maxcode.task.ordinary import FILE_NAME

PUBLIC_WANTED = 2
PUBLIC_BYTES = 2000


@dataclass(frozen=True)
class Scaffolded:
    folder: Path
    public: int
    hidden: int
    refused: int
    """Number of derived inputs that the program did not accept or did not answer the same each time."""
    seconds: dict[str, float]
    """CPU seconds of the program, by workload."""
    words: str
    """Origin of the tests, in one line."""
    variants: dict[str, int]
    """Number of timed inputs besides the given one, by workload."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """Remarks on the origin of the tests, and what to do where there are too few."""
        if self.public + self.hidden > FEWEST or "generator" in self.words:
            return (self.words,)
        few = (
            "Few tests: give more inputs with --input, tests with --tests DIR or a program that makes inputs with "
            "--generator FILE, or correct the format with --format FILE ([format] in docs/tasks.md)."
        )
        return self.words, few


def make(folder: Path, source: Path, wanted: NewOptions) -> NewTask:
    made = scaffold(
        folder,
        source,
        list(wanted.inputs),
        name=wanted.name,
        flags=list(wanted.flags) if wanted.flags is not None else None,
        generator=wanted.generator,
        tests=wanted.tests,
        known=wanted.known,
    )
    summary = {**asdict(made), "folder": str(made.folder)}
    return NewTask(summary, f"{made.public} public and {made.hidden} hidden tests.", _details(made), made.remarks)


def _details(made: Scaffolded) -> tuple[str, ...]:
    lines = [made.words]
    for workload, seconds in made.seconds.items():
        variants = made.variants.get(workload, 0)
        many = f"{variants} variants to time it on" if variants else "no variants: it is timed on this one input"
        lines.append(f"workload {workload}: {seconds * 1000:.3g} ms, {many}")
    return (*lines, *made.remarks[1:])


def scaffold(
    folder: Path,
    source: Path,
    inputs: list[Path],
    *,
    name: str | None = None,
    flags: list[str] | None = None,
    generator: str | None = None,
    tests: Path | None = None,
    known: InputFormat | None = None,
) -> Scaffolded:
    """Makes the folder. InputError when the program does not build, fails on an input, or answers differently twice.

    `generator` (a file and its arguments after the seed) or `tests` (a folder) take the place of derived tests.
    """
    language = check_arguments(folder, source, inputs)
    program = source.read_text(errors="replace")
    if not inputs and generator is None and reads_standard_input(program, language):
        raise InputError(
            f"{source}: reads standard input, and none was given. Name a typical input with --input FILE, or a program "
            "that makes inputs with --generator FILE."
        )
    with (
        tempfile.TemporaryDirectory(prefix="maxcode-new-") as scratch,
        Oracle(source, language, flags, Path(scratch)) as oracle,
    ):
        made_by = generators(oracle, generator) if generator else []
        given = inputs or ([] if made_by else [oracle.empty_input])
        format = format_of(given, known, program)  # while the program is built
        answers = {path: oracle.must_answer(path) for path in given}
        derived = _tests(oracle, given, format, tests, bool(made_by))
        formats = {path: format if len(given) == 1 else format_of([path], known, program) for path in given}
        alike = {path: variants(oracle, formats[path], path) for path in given}
        contents = _Contents(
            source, language, name or slug(folder.name), flags, answers, derived.tests, alike, made_by, known
        )
        staged = Path(scratch) / "task"
        public = _write(staged, contents)
        load_task(staged)
        folder.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(staged, folder, dirs_exist_ok=True)
    seconds = {path.name: answer.cpu for path, answer in answers.items()}
    many = {path.name: len(found) for path, found in alike.items()}
    hidden = len(derived.tests) - public + len(given)
    words = f"Tests made afresh by the generator, {len(made_by)} sizes." if made_by else derived.words()
    return Scaffolded(folder, public, hidden, derived.refused.total(), seconds, words, many)


def _tests(oracle: Oracle, given: list[Path], format: InputModel, folder: Path | None, generated: bool) -> Derived:
    if folder is not None:
        found = given_tests(oracle, folder)
        return Derived(found, 0, 1.0, note=f"{len(found)} given in {folder}")
    if generated:
        return Derived([], 0, 1.0)
    reached = frozenset().union(*(oracle.reached(path) for path in given))
    return derive(oracle, format, reached)


@dataclass(frozen=True)
class _Contents:
    """Contents of a task's folder."""

    source: Path
    language: Language
    name: str
    flags: list[str] | None
    answers: dict[Path, Ended]
    tests: list[DerivedTest]
    alike: dict[Path, list[bytes]]
    generators: list[Generator]
    known: InputFormat | None


def _write(folder: Path, made: _Contents) -> int:
    """Fills the task's folder. Returns how many of the tests are public."""
    for part in ("tests/public", "tests/hidden", "workloads"):
        (folder / part).mkdir(parents=True)
    shutil.copyfile(made.source, folder / made.source.name)
    public = [test for test in made.tests if len(test.data) <= PUBLIC_BYTES][:PUBLIC_WANTED]
    hidden = [(test.data, test.answer) for test in made.tests if test not in public]
    hidden += [(path.read_bytes(), answer.stdout) for path, answer in made.answers.items()]
    for kind, cases in (("public", [(test.data, test.answer) for test in public]), ("hidden", hidden)):
        for number, (data, answer) in enumerate(cases):
            (folder / f"tests/{kind}/input.{number}.txt").write_bytes(data)
            (folder / f"tests/{kind}/output.{number}.txt").write_bytes(answer)
        if not cases:
            (folder / f"tests/{kind}").rmdir()
    for path in made.answers:
        shutil.copyfile(path, folder / "workloads" / path.name)
        _write_variants(folder / "workloads" / f"{path.stem}.variants", made.alike[path])
    for generator in made.generators[:1]:
        shutil.copyfile(generator.file, folder / generator.file.name)
    (folder / FILE_NAME).write_text(_settings(folder, made))
    return len(public)


def _write_variants(folder: Path, inputs: list[bytes]) -> None:
    if inputs:
        folder.mkdir()
    for number, data in enumerate(inputs):
        (folder / f"input.{number}.txt").write_bytes(data)


def _settings(folder: Path, made: _Contents) -> str:
    walls = [answer.wall for answer in made.answers.values()] + [g.seconds for g in made.generators]
    memory = max([answer.rss_mb for answer in made.answers.values()], default=256)
    compiled = made.language is not Language.PYTHON
    lines = [
        f"name = {json.dumps(made.name)}",
        'kind = "program"',
        f'language = "{made.language.value}"',
        'description = "What does it read, compute and print? This is shown to the optimizer."',
        f"baseline = {json.dumps(made.source.name)}",
        "",
        *(_build_lines(made) if compiled else []),
        "[tests]",
    ]
    if (folder / "tests/public").is_dir():
        lines.append('public = "tests/public"   # shown to the optimizer')
    if (folder / "tests/hidden").is_dir():
        lines.append('hidden = "tests/hidden"   # never shown')
    lines += ['compare = "tokens"        # exact | tokens | numbers', ""]
    for generator in made.generators:
        lines += ["[[tests.generated]]", *generator.lines(), f"count = {generator.count}", ""]
    for path in made.answers:
        lines += ["[[workloads]]", f'name = "{slug(path.stem)}"', f"input = {json.dumps('workloads/' + path.name)}"]
        if made.alike[path]:
            lines.append(f"variants = {json.dumps(f'workloads/{path.stem}.variants')}   # timed in its place, in turn")
        lines.append("")
    if made.generators and not made.answers:
        lines += ["[[workloads]]", 'name = "generated"', *made.generators[0].lines(), ""]
    if made.known is not None:
        lines += ["[format]", *(f"{key} = {json.dumps(value)}" for key, value in made.known.model_dump().items()), ""]
    lines += [
        "[limits]",
        f"seconds = {max(2, round(10 * max(walls)))}",
        f"memory_mb = {max(256, 64 * round(memory * 4 / 64))}",
        "output_mb = 64",
        "cpus = 1   # more allows threads",
        "",
        "[objective]",
        'metric = "time"   # time | instructions',
        "",
    ]
    return "\n".join(lines)


def _build_lines(made: _Contents) -> list[str]:
    flags = made.flags if made.flags is not None else ["-O3", "-march=native"]
    quoted = ", ".join(json.dumps(flag) for flag in flags)
    standard = "c17" if made.language is Language.C else "c++17"
    link = [f"link = {json.dumps(list(link_flags(made.language)))}"] if link_flags(made.language) else []
    return ["[build]", f"flags = [{quoted}]", f'standard = "{standard}"', *link, ""]
