"""A family of small programs, generated as many variants of a few ideas: tasks for training value models.

Each template is a program with common inefficiencies; `templates/axes.toml` says what varies in it: types, sizes,
layouts, operators, loop orders, data structures. Costs are counted instructions, so that training data does not
depend on a quiet machine, and inputs are small, so that one evaluation takes about a second.
"""

from __future__ import annotations

import random
import shutil
import tomllib
from itertools import product, zip_longest
from pathlib import Path
from string import Template

from pydantic import Field

from maxcode.core import Frozen, InputError

HERE = Path(__file__).parent / "templates"
_SETTINGS = """name = "{name}"
kind = "program"
language = "{language}"
description = "{description}"
baseline = "{file}"

[build]
flags = ["{level}"]

[tests]
compare = "numbers"
tolerance = {{relative = 1e-6}}

{tests}
[[workloads]]
name = "size-{size}"
generator = "generate.py"
arguments = ["{input}", "{size}"]

[limits]
seconds = 5
memory_mb = 256

[objective]
metric = "instructions"
"""
_TEST = """[[tests.generated]]
generator = "generate.py"
arguments = ["{input}", "{size}"]
count = 2
"""


class TemplateAxis(Frozen):
    """Parameter of a template that varies, as `axes.toml` has it."""

    input: str
    size: tuple[int, ...] = Field(min_length=1)
    test: tuple[int, ...] = Field(min_length=1)
    axes: tuple[tuple[dict[str, str], ...], ...]


class FamilyProgram(Frozen):
    """One program of the family, and what its task needs besides."""

    name: str
    file: str
    program: str
    level: str
    input: str
    size: int
    test: tuple[int, ...]

    def settings(self) -> str:
        sizes = (*self.test, self.size // 2 + 1)
        return _SETTINGS.format(
            name=self.name,
            language="c" if self.file.endswith(".c") else "c++",
            description=_description(self.program),
            file=self.file,
            level=self.level,
            tests="\n".join(_TEST.format(input=self.input, size=size) for size in sizes),
            input=self.input,
            size=self.size,
        )


def family(count: int, seed: int = 0) -> list[FamilyProgram]:
    """`count` variants, taken from the templates in turn; the seed decides which. InputError if there are fewer."""
    ideas = {
        name: TemplateAxis.model_validate(each)
        for name, each in tomllib.loads((HERE / "axes.toml").read_text()).items()
    }
    columns = [_variants(name, idea, random.Random(f"{seed}/{name}")) for name, idea in ideas.items()]
    found = [each for row in zip_longest(*columns) for each in row if each is not None]
    if count > len(found):
        raise InputError(f"--count {count}: the family has {len(found)} members.")
    return found[:count]


def write_family(folder: Path, count: int, seed: int = 0) -> list[Path]:
    """Writes the task folders of the family. Folders that exist are left as they are."""
    variants = family(count, seed)
    return [_written(folder / each.name, each) for each in variants]


def _variants(name: str, idea: TemplateAxis, rng: random.Random) -> list[FamilyProgram]:
    """All variants of a template in random order, each program once."""
    path = next(HERE.glob(f"{name}.c*"))
    template = Template(path.read_text())
    chosen = [*product(product(*idea.axes), ("-O2", "-O3"), idea.size)]
    rng.shuffle(chosen)
    made: dict[str, FamilyProgram] = {}
    for entries, level, size in chosen:
        values = {key: text for entry in entries for key, text in entry.items()}
        values = {key: Template(text).substitute(values) for key, text in values.items()}
        program = template.substitute(values)
        variant = FamilyProgram(
            name=f"{name}-{len(made):03}",
            file=f"baseline{path.suffix}",
            program=program,
            level=level,
            input=idea.input,
            size=size,
            test=idea.test,
        )
        made.setdefault(program, variant)
    return list(made.values())


def _written(folder: Path, variant: FamilyProgram) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in ((variant.file, variant.program), ("task.toml", variant.settings())):
        if not (folder / name).exists():
            (folder / name).write_text(text)
    if not (folder / "generate.py").exists():
        shutil.copyfile(HERE / "generate.py", folder / "generate.py")
    return folder


def _description(program: str) -> str:
    """The program's first line of comment."""
    return program.splitlines()[0].removeprefix("//").removeprefix("/*").strip()
