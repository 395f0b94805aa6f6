"""`maxcode new` and `maxcode optimize FILE`: a task from a bare program, which is its own oracle."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

from maxcode.authoring.input_format import format_of
from maxcode.authoring.new import check_arguments, reads_standard_input, slug
from maxcode.core import InputError, Language
from maxcode.evaluate.machine import usable_cpus
from maxcode.format import InputModel
from maxcode.kinds.program.derive import FEWEST, Derived, DerivedTest, derive, variants
from maxcode.kinds.program.lengths import TimedInput, timed
from maxcode.kinds.program.oracle import Oracle
from maxcode.kinds.program.setup import Setup, set_up
from maxcode.kinds.program.sources import Generator, generators, given_tests
from maxcode.task.kind import NewOptions, NewTask
from maxcode.task.load import load_task
from maxcode.task.model import InputFormat, ProgramRun
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
    sizes: tuple[str, ...] = ()
    """Remarks on inputs that are too short or too long to time."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """Remarks on what is timed, on what the tests are worth, and what to do where there are too few."""
        if self.public + self.hidden > FEWEST or "generator" in self.words:
            return *self.sizes, self.words
        few = (
            "Few tests: give more inputs with --input, tests with --tests DIR or a program that makes inputs with "
            "--generator FILE, or correct the format with --format FILE ([format] in docs/tasks.md)."
        )
        return *self.sizes, self.words, few


def make(folder: Path, source: Path, wanted: NewOptions) -> NewTask:
    made = scaffold(folder, source, wanted)
    summary = {**asdict(made), "folder": str(made.folder)}
    return NewTask(summary, f"{made.public} public and {made.hidden} hidden tests.", _details(made), made.remarks)


def _details(made: Scaffolded) -> tuple[str, ...]:
    lines = [made.words]
    for workload, seconds in made.seconds.items():
        variants = made.variants.get(workload, 0)
        many = f"{variants} variants to time it on" if variants else "no variants: it is timed on this one input"
        lines.append(f"workload {workload}: {seconds * 1000:.3g} ms, {many}")
    return (*lines, *(remark for remark in made.remarks if remark not in lines))


def scaffold(folder: Path, source: Path, wanted: NewOptions) -> Scaffolded:
    """Makes the folder. InputError when the program does not build, fails on an input, or answers differently twice.

    The wanted generator (a file and its arguments after the seed) or folder of tests takes the place of derived tests.
    """
    language = check_arguments(folder, source, list(wanted.inputs))
    program = source.read_text(errors="replace")
    with tempfile.TemporaryDirectory(prefix="maxcode-new-") as temporary:
        scratch = Path(temporary)
        setup, inputs = set_up(source, language, wanted, scratch / "program")
        if not inputs and wanted.generator is None and reads_standard_input(program, language):
            raise InputError(
                f"{source}: reads standard input, and none was given. Name a typical input with --input FILE, or a "
                "program that makes inputs with --generator FILE."
            )
        with Oracle(setup, scratch) as oracle:
            made = _made(oracle, setup, inputs, wanted, scratch, program)
        staged = scratch / "task"
        public = _write(staged, replace(made, name=wanted.name or slug(folder.name)))
        load_task(staged)
        folder.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(staged, folder, dirs_exist_ok=True)
    seconds = {each.path.name: each.answer.cpu for each in made.timed}
    many = {each.path.name: len(made.alike[each.path]) for each in made.timed}
    hidden = len(made.tests) - public + len(made.timed)
    return Scaffolded(
        folder=folder,
        public=public,
        hidden=hidden,
        refused=made.refused,
        seconds=seconds,
        words=made.words,
        variants=many,
        sizes=tuple(each.remark for each in made.timed if each.remark),
    )


def _made(
    oracle: Oracle, setup: Setup, inputs: list[Path], wanted: NewOptions, scratch: Path, program: str
) -> _Contents:
    """What goes into the task's folder: workloads, tests, variants."""
    made_by = generators(oracle, wanted.generator) if wanted.generator else []
    given = inputs or ([] if made_by else [oracle.empty_input])
    format = cache(lambda path: format_of([path], wanted.known, program))
    for path in given:
        format(path)  # while compilers are at work
    found = [timed(oracle, path, format, scratch) for path in given]
    paths = [each.path for each in found]
    whole = format(paths[0]) if len(paths) == 1 else format_of(paths, wanted.known, program)
    derived = _tests(oracle, paths, whole, wanted.tests, bool(made_by))
    also = [DerivedTest(p.read_bytes(), each.given.stdout) for p, each in zip(given, found, strict=True) if each.given]
    return _Contents(
        setup=setup,
        timed=found,
        tests=[*derived.tests, *also],
        alike={path: variants(oracle, format(path), path) for path in paths},
        generators=made_by,
        known=wanted.known,
        words=_worth(derived, found, bool(made_by), len(made_by)),
        refused=derived.refused.total(),
    )


def _worth(derived: Derived, found: list[TimedInput], generated: bool, sizes: int) -> str:
    """One line on what the tests are worth."""
    if generated:
        return f"Tests made afresh by the generator, {sizes} sizes."
    answers = {b" ".join(each.answer.split()) for each in [*derived.tests]}
    answers |= {b" ".join(each.answer.stdout.split()) for each in found}
    if len(answers) == 1 and any(each.path.stat().st_size for each in found):
        return f"{derived.words()} Warning: all have the same answer, so a program that prints it would pass."
    return derived.words()


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

    setup: Setup
    timed: list[TimedInput]
    tests: list[DerivedTest]
    alike: dict[Path, list[bytes]]
    generators: list[Generator]
    known: InputFormat | None
    words: str
    refused: int
    name: str = ""


def _write(folder: Path, made: _Contents) -> int:
    """Fills the task's folder. Returns how many of the tests are public."""
    for part in ("tests/public", "tests/hidden", "workloads"):
        (folder / part).mkdir(parents=True)
    shutil.copytree(made.setup.folder, folder, dirs_exist_ok=True)
    public = [test for test in made.tests if len(test.data) <= PUBLIC_BYTES][:PUBLIC_WANTED]
    hidden = [(test.data, test.answer) for test in made.tests if test not in public]
    hidden += [(each.path.read_bytes(), each.answer.stdout) for each in made.timed]
    for kind, cases in (("public", [(test.data, test.answer) for test in public]), ("hidden", hidden)):
        for number, (data, answer) in enumerate(cases):
            (folder / f"tests/{kind}/input.{number}.txt").write_bytes(data)
            (folder / f"tests/{kind}/output.{number}.txt").write_bytes(answer)
        if not cases:
            (folder / f"tests/{kind}").rmdir()
    for path in (each.path for each in made.timed):
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
    answers = [each.answer for each in made.timed]
    walls = [answer.wall for answer in answers] + [g.seconds for g in made.generators]
    memory = max([answer.rss_mb for answer in answers], default=256)
    printed = max([len(answer.stdout) for answer in answers], default=0) >> 20
    compiled = made.setup.language is not Language.PYTHON
    lines = [
        f"name = {json.dumps(made.name)}",
        'kind = "program"',
        f'language = "{made.setup.language.value}"',
        'description = "What does it read, compute and print? This is shown to the optimizer."',
        f"baseline = {json.dumps(made.setup.source.name)}",
        "",
        *(_build_lines(made.setup) if compiled else []),
        *_run_lines(made.setup.run),
        "[tests]",
    ]
    if (folder / "tests/public").is_dir():
        lines.append('public = "tests/public"   # shown to the optimizer')
    if (folder / "tests/hidden").is_dir():
        lines.append('hidden = "tests/hidden"   # never shown')
    if "fast-math" in made.setup.allowed:
        lines += ['compare = "numbers"       # exact | tokens | numbers', "tolerance.relative = 1e-9", ""]
    else:
        lines += ['compare = "tokens"        # exact | tokens | numbers', ""]
    for generator in made.generators:
        lines += ["[[tests.generated]]", *generator.lines(), f"count = {generator.count}", ""]
    for path in (each.path for each in made.timed):
        lines += ["[[workloads]]", f'name = "{slug(path.stem)}"', f"input = {json.dumps('workloads/' + path.name)}"]
        if made.alike[path]:
            lines.append(f"variants = {json.dumps(f'workloads/{path.stem}.variants')}   # timed in its place, in turn")
        lines.append("")
    if made.generators and not made.timed:
        lines += ["[[workloads]]", 'name = "generated"', *made.generators[0].lines(), ""]
    if made.known is not None:
        lines += ["[format]", *(f"{key} = {json.dumps(value)}" for key, value in made.known.model_dump().items()), ""]
    lines += [
        "[limits]",
        f"seconds = {max(2, round(10 * max(walls)))}",
        f"memory_mb = {max(256, 64 * round(memory * 4 / 64))}",
        f"output_mb = {max(64, 2 * printed)}",
        f"cpus = {len(usable_cpus()) if 'threads' in made.setup.allowed else 1}   # more allows threads",
        "",
        "[objective]",
        'metric = "time"   # time | instructions',
        "",
    ]
    return "\n".join(lines)


def _build_lines(setup: Setup) -> list[str]:
    build = setup.build
    link = [f"link = {_list(build.link)}"] if build.link else []
    return ["[build]", f"flags = {_list(build.flags)}", f"standard = {json.dumps(build.standard)}", *link, ""]


def _run_lines(run: ProgramRun) -> list[str]:
    """How the program is run, where that is not plainly from standard input."""
    lines = [f"arguments = {_list(run.arguments)}"] if run.arguments else []
    lines += [f"input = {json.dumps(run.input)}   # opened by this name"] if run.input else []
    lines += [f"files = {_list(run.files)}   # the same in every run"] if run.files else []
    return ["[run]", *lines, ""] if lines else []


def _list(words: Sequence[str]) -> str:
    return json.dumps(list(words))
