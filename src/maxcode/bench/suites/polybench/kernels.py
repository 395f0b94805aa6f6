"""PolyBench/C: kernels with code of their own to make data, as tasks.

A benchmark's file is cut in two: the kernel, which candidates may change, and the rest, with our own reading of a seed
and our own sums in place of the dump. The seed changes every datum a little and weighs the sums, so that no result
can be known beforehand.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from maxcode.bench.suites.making.files import closing, read_text
from maxcode.bench.suites.making.loading import made_side_by_side
from maxcode.bench.suites.making.problem import LoadedSuite, MadeTask, Refused
from maxcode.bench.suites.making.trial import build, readable
from maxcode.bench.suites.polybench.suite import PolybenchOptions
from maxcode.bench.suites.suite import LoadReporter
from maxcode.core import InputError, content_hash
from maxcode.evaluate.cases import Programs
from maxcode.evaluate.once import made_once
from maxcode.evaluate.toolchain import toolchain
from maxcode.system.home import home
from maxcode.task.load import load_task
from maxcode.task.model import Task
from maxcode.task.ordinary import FILE_NAME

VERSION = "1"
HARNESS = (Path(__file__).parent / "harness.h").read_text()
GENERATOR = '"""generate.py SEED: the seed is all that a benchmark reads."""\n\nimport sys\n\nprint(sys.argv[1])\n'
TOLERANCE = 1e-8
_KERNEL = re.compile(r"(?:static\s+)?void\s+(kernel_\w+)\s*\(")
_ARRAY = re.compile(r"POLYBENCH_\dD_ARRAY_DECL\s*\(\s*(\w+)\s*,\s*(\w+)")
_SETTINGS = """name = "{name}"
kind = "program"
language = "c"
description = "{name} of PolyBench/C at size {size}: only the kernel may be changed; arrays have the sizes in {name}.h."
baseline = ["kernel.c", "main.c", "{name}.h", "polybench.c", "polybench.h"]
editable = ["kernel.c"]

[build]
flags = ["-O3", "-march=native", "-D{define}_DATASET"]
link = ["-lm"]

[tests]
compare = "numbers"
tolerance = {{relative = {tolerance}}}

[[tests.generated]]
generator = "generate.py"
count = 2

[[workloads]]
name = "{size}"
generator = "generate.py"

[limits]
seconds = 60
memory_mb = 2048
"""


@dataclass(frozen=True)
class Benchmark:
    """One kernel's folder, and the utilities that all share."""

    name: str
    source: Path
    utilities: Path

    @property
    def files(self) -> list[Path]:
        shared = [self.utilities / name for name in ("polybench.c", "polybench.h")]
        return [self.source, self.source.with_suffix(".h"), *shared]


def load_polybench(options: PolybenchOptions, reporter: LoadReporter) -> LoadedSuite:
    def make(benchmark: Benchmark, programs: Programs) -> MadeTask:
        return make_polybench(benchmark, options.size, programs)

    return made_side_by_side(read_polybench(options.path), make, reporter.progress)


def read_polybench(path: Path) -> list[Benchmark]:
    """Every benchmark of a checkout, in order of name."""
    if not (path / "utilities" / "polybench.h").is_file():
        raise InputError(f"{path}: has no utilities/polybench.h; give the folder of PolyBench/C.")
    sources = [
        file for file in path.rglob("*.c") if file.with_suffix(".h").is_file() and file.parent.name != "utilities"
    ]
    if not sources:
        raise InputError(f"{path}: has no NAME/NAME.c with a NAME.h beside it.")
    return [Benchmark(file.stem, file, path / "utilities") for file in sorted(sources, key=lambda file: file.stem)]


def make_polybench(benchmark: Benchmark, size: str, programs: Programs) -> MadeTask:
    """The task of a benchmark, made now or before."""
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in benchmark.files)).hexdigest()
    key = content_hash(VERSION, toolchain().id, HARNESS, size, digest)
    kept = home() / "suites" / key
    try:
        made_once(kept, lambda folder: _fill(folder / benchmark.name, benchmark, size, programs))
    except (Refused, InputError) as reason:
        return MadeTask(name=benchmark.name, where=benchmark.name, problem=str(reason), sha256=digest)
    folder = str(kept / benchmark.name)
    return MadeTask(name=benchmark.name, where=benchmark.name, folder=folder, tests=2, sha256=digest)


def _fill(folder: Path, benchmark: Benchmark, size: str, programs: Programs) -> None:
    folder.mkdir()
    kernel, main = split(read_text(benchmark.source))
    (folder / "kernel.c").write_text(kernel)
    (folder / "main.c").write_text(main)
    for path in benchmark.files[1:]:
        shutil.copyfile(path, folder / path.name)
    (folder / "generate.py").write_text(GENERATOR)
    settings = {"name": benchmark.name, "size": size, "define": size.upper(), "tolerance": TOLERANCE}
    (folder / FILE_NAME).write_text(_SETTINGS.format(**settings))
    readable(folder)
    _check(load_task(folder), folder, programs)


def _check(task: Task, folder: Path, programs: Programs) -> None:
    """Checks that the program builds and prints the same twice; else Refused."""
    built = build(task, programs)
    seed = folder / "seed.txt"
    seed.write_text("1\n")
    first, second = (programs.run(task, built, seed) for _ in range(2))
    seed.unlink()
    if not first.clean:
        raise Refused(f"the program fails (exit code {first.exit_code}, signal {first.signal})")
    if first.stdout != second.stdout or not first.stdout.strip():
        raise Refused("the program prints nothing, or something else each time")


def split(text: str) -> tuple[str, str]:
    """The file of the kernel, and the file of the rest with the harness in it."""
    text = re.sub(r"#\s*include\s*<polybench\.h>", '#include "polybench.h"', text)
    found = _KERNEL.search(text)
    if not found:
        raise Refused("has no function void kernel_NAME(...)")
    parameters_end = closing(text, found.end() - 1, "()")
    end = closing(text, text.index("{", parameters_end), "{}") + 1
    preamble = text[: _first_function(text)]
    head = re.sub(r"^static\s+", "", text[found.start() : parameters_end + 1])
    kernel = f"{preamble}\n{head}\n{text[text.index('{', parameters_end) : end]}\n"
    rest = f"{text[: found.start()]}{head};\n{text[end:]}"
    return kernel, _with_harness(rest, len(preamble))


def _first_function(text: str) -> int:
    found = re.search(r"^(?:/\*[^*]*\*/\s*)?static\b", text, re.MULTILINE)
    return found.start() if found else _KERNEL.search(text).start()  # type: ignore[union-attr]


def _with_harness(text: str, preamble: int) -> str:
    at = text.rfind("int main")
    arrays = _ARRAY.findall(text[at:]) if at >= 0 else []
    start = re.search(r"\binit_array\s*\(", text[at:])
    shown = re.search(r"polybench_prevent_dce\s*\(\s*print_array\s*\(", text[at:])
    if not (arrays and start and shown):
        raise Refused("its main has no POLYBENCH_nD_ARRAY_DECL, init_array(...) and print_array(...) as we know them")
    first = at + start.start()
    called = text.index(";", closing(text, at + start.end() - 1, "()")) + 1
    printed = at + shown.start()
    done = text.index(";", closing(text, at + shown.end() - 1, "()")) + 1
    results = [name for name, _ in arrays if re.search(rf"POLYBENCH_ARRAY\s*\(\s*{name}\s*\)", text[printed:done])]
    clear = "".join(
        f"  maxcode_clear(&POLYBENCH_ARRAY({name}), sizeof(POLYBENCH_ARRAY({name})));\n" for name, _ in arrays
    )
    vary = "".join(f"\n  {_call('vary', name)}" for name, kind in arrays if kind == "DATA_TYPE")
    fold = "\n  ".join(_call("fold", name) for name in results)
    body = f"maxcode_read_seed();\n{clear}  {text[first:called]}{vary}{text[called:printed]}{fold}{text[done:]}"
    return f"{text[:preamble]}{HARNESS}\n{text[preamble:first]}{body}"


def _call(function: str, array: str) -> str:
    whole = f"POLYBENCH_ARRAY({array})"
    return f"maxcode_{function}((DATA_TYPE *)&{whole}, sizeof({whole}) / sizeof(DATA_TYPE));"
