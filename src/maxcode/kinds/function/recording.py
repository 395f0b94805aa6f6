"""Calls of a function as a command of the user's makes them, recorded in a copy of the repository.

The command is one that the user runs himself, such as the tests. So it runs as him, not in the sandbox; but nothing in
his repository changes.
"""

from __future__ import annotations

import base64
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from maxcode.core import InputError
from maxcode.kinds.command.copies import put_file
from maxcode.kinds.function.files import source_files
from maxcode.kinds.function.finding import PYTEST, Package
from maxcode.kinds.function.serving import HERE

SECONDS, GRACE_SECONDS = 300.0, 10.0
WHOLE_SECONDS = 60.0
"""Seconds after which the package's tests are cut down to the files that name the function."""
MOST_FILES, MOST_OF_THE_TESTS = 5, 0.5
RECORDING_SECONDS = 20.0
"""Time that copying may take in all; then only every so many calls are kept."""
CALL_BYTES, BYTES = 1 << 20, 32 << 20
EXAMPLES = ("--assert=plain", "--doctest-modules")
"""Options that run a module's examples. pytest would load a file that it is given by itself, to rewrite it."""
TEST_FILE = re.compile(r"test_.*\.py|.*_test\.py|tests?\.py")
NOT_ENTERED = frozenset(["build", "dist", "node_modules", "venv", ".tox"])
"""Folders in which pytest looks for no tests."""
INSIDE_FILES = ("maxcode_values.py", "sitecustomize.py")


@dataclass(frozen=True)
class SeenCall:
    """A call as it was recorded."""

    data: bytes
    count: int
    shape: str
    text: str | None
    """What it returned and made of its arguments; None for a lazy result, which nobody else may read."""
    seconds: float


@dataclass
class SeenCalls:
    """Calls that were recorded, and what was seen of the others."""

    calls: list[SeenCall] = field(default_factory=list)
    shapes: dict[str, int] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)
    """Number of calls whose arguments could not be copied, by reason."""
    tests: dict[str, int] = field(default_factory=dict)
    """Number of calls by the file of the test that made them."""
    count: int = 0
    seconds: float = 0.0
    whole: float = 0.0
    folders: tuple[str, ...] = ()
    """Folders of the repository that imports started from, besides those of the package."""
    command_seconds: float = 0.0
    """Seconds that the command ran, recording included."""
    lazy: bool = False
    """True if calls returned lazy results, whose work was not timed."""
    late: bool = False
    """True if the command was stopped."""
    failed: bool = False
    """True if the command did not end well."""
    output: str = ""

    @property
    def share(self) -> float | None:
        return min(self.seconds / self.whole, 1.0) if self.whole and not self.lazy else None


def record(package: Package) -> tuple[Package, SeenCalls]:
    """Runs the command once. Tests that take long are cut down to a few files, and examples of docstrings stand in for
    tests that never call the function; the package that is returned says so. InputError where nothing calls it."""
    plain = package.test == PYTEST and not package.inputs
    recording = _recorded(package, WHOLE_SECONDS if plain else SECONDS)
    if plain and recording.late:
        package, recording = cut_down(package, recording)
    if not recording.count and package.is_pytest and not package.inputs and _has_examples(package):
        line = "inputs: the examples in the module's docstrings: the tests never call the function"
        command = " ".join([*PYTEST, *EXAMPLES, shlex.quote(package.file)])
        package = replace(package, inputs=command, assumed=(*package.assumed, line))
        recording = _recorded_again(package, recording)
    if not recording.count:
        raise InputError(_never_called(package, recording))
    return package, recording


def cut_down(package: Package, before: SeenCalls) -> tuple[Package, SeenCalls]:
    """The package with the test files that are about the function, which are run again, or else with those that called
    it, at the latest when all are run for longer."""
    named = naming_files(package)
    if named:
        cut = _with_files(package, named)
        recording = _recorded_again(cut, before)
        if recording.count:
            return cut, recording
    calling = _calling_files(package, before)
    if not calling:
        before = _recorded_again(package, before)
        calling = _calling_files(package, before)
    return (replace(_with_files(package, calling), inputs=package.command) if calling else package), before


def _with_files(package: Package, files: tuple[str, ...]) -> Package:
    line = f"tests: only {', '.join(files)}: all of them take more than {WHOLE_SECONDS:g} s"
    return replace(package, test=(*PYTEST, *files), assumed=(*package.assumed, line))


def _calling_files(package: Package, recording: SeenCalls) -> tuple[str, ...]:
    """Test files that call the function, those first that call it most."""
    files = [each for each in recording.tests if each and (package.root / each).is_file()]
    return tuple(sorted(files, key=lambda each: (-recording.tests[each], each))[:MOST_FILES])


def _recorded_again(package: Package, before: SeenCalls) -> SeenCalls:
    recording = _recorded(package, SECONDS)
    recording.command_seconds += before.command_seconds
    return recording


def _has_examples(package: Package) -> bool:
    return ">>> " in (package.root / package.file).read_text(errors="replace")


def naming_files(package: Package) -> tuple[str, ...]:
    """Test files that are named for the function's module, and then others with its name in them. Nothing if they are
    most of the tests anyway."""
    last, stem = package.function.rpartition(".")[2], Path(package.file).stem
    names = [each for each in source_files(package.root) if not NOT_ENTERED & set(Path(each).parts)]
    files = [package.root / each for each in names if TEST_FILE.fullmatch(Path(each).name)]
    texts = {file: file.read_text(errors="replace") for file in files if file.is_file()}
    counts = {file: len(re.findall(rf"\b{re.escape(last)}\b", text)) for file, text in texts.items()}
    named = sorted(
        (file for file in texts if counts[file] or file.stem in (f"test_{stem}", f"{stem}_test")),
        key=lambda file: (stem not in file.stem, -counts[file], file),
    )
    chosen = named[:MOST_FILES]
    if sum(len(texts[file]) for file in chosen) > MOST_OF_THE_TESTS * sum(map(len, texts.values())):
        return ()
    return tuple(str(file.relative_to(package.root)) for file in chosen)


def _recorded(package: Package, seconds: float) -> SeenCalls:
    with tempfile.TemporaryDirectory(prefix="maxcode-record-", ignore_cleanup_errors=True) as scratch:
        copy, inside, found = (Path(scratch).resolve() / each for each in ("repository", "inside", "found"))
        for name in source_files(package.root):
            put_file(package.root / name, copy, name)
        inside.mkdir()
        found.mkdir()
        for name in INSIDE_FILES:
            shutil.copy(HERE / name, inside / name)
        recording = SeenCalls()
        _run(package, copy, inside, found, recording, seconds)
        for file in sorted(found.glob("*.json")):
            _add(recording, json.loads(file.read_text()), copy)
    return recording


def _run(package: Package, copy: Path, inside: Path, found: Path, recording: SeenCalls, seconds: float) -> None:
    wanted = {
        "module": package.module,
        "file": str(copy / package.file),
        "name": package.function,
        "folder": str(found),
        "seconds": RECORDING_SECONDS,
        "call_bytes": CALL_BYTES,
        "bytes": BYTES,
    }
    settings = inside / "record.json"
    settings.write_text(json.dumps(wanted))
    path = [str(inside), *(str(copy / each) for each in package.path)]
    words = ["/bin/sh", "-c", package.inputs] if package.inputs else list(package.test)
    environment = {
        **os.environ,
        "PATH": f"{package.interpreter.parent}:{os.environ.get('PATH', '')}",
        "PYTHONPATH": ":".join(path),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "MAXCODE_RECORD": str(settings),
    }
    if package.is_pytest:
        environment["PYTEST_ADDOPTS"] = f"{os.environ.get('PYTEST_ADDOPTS', '')} --continue-on-collection-errors"
    began = time.monotonic()
    with subprocess.Popen(
        words,
        cwd=copy,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            output, recording.late = _stopped(process), True
    recording.command_seconds = time.monotonic() - began
    recording.failed, recording.output = process.returncode != 0, output.decode(errors="replace")[-3000:]


def _stopped(process: subprocess.Popen[bytes]) -> bytes:
    """Ends a command that takes too long, so that it writes what it has recorded."""
    os.killpg(process.pid, signal.SIGINT)
    try:
        return process.communicate(timeout=GRACE_SECONDS)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return process.communicate()[0]


def _add(recording: SeenCalls, report: dict[str, Any], copy: Path) -> None:
    for call, count, shape, text, seconds in report["calls"]:
        recording.calls.append(SeenCall(base64.b64decode(call), count, shape, text, seconds))
    for kind in ("shapes", "refused", "tests"):
        mine = getattr(recording, kind)
        for name, count in report[kind].items():
            mine[name] = mine.get(name, 0) + count
    recording.count += report["count"]
    recording.lazy = recording.lazy or report["lazy"]
    recording.seconds += report["seconds"]
    recording.whole += report["whole"]
    below = [Path(each) for each in report["path"]]
    inner = [str(each.relative_to(copy)) for each in below if each.is_relative_to(copy) and each.is_dir()]
    recording.folders = tuple(dict.fromkeys([*recording.folders, *inner]))


def _never_called(package: Package, recording: SeenCalls) -> str:
    words = f"{package.module}:{package.function}: is never called by `{package.command}`"
    if recording.failed:
        return f"{words}, which fails:\n{recording.output[-1500:]}"
    return f"{words}. Name a command that calls it with --inputs 'COMMAND'."
