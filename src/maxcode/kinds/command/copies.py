"""Throw-away copies of a repository: built in the sandbox, in memory, from the original or on the baseline's build.

What a build leaves comes out as a tar file on standard output, and is unpacked by us. Before anything is judged, every
file of the original is put back, so that a build cannot change what tests and times it.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

from maxcode.core import Candidate, InputError, Status, content_hash
from maxcode.evaluate.build import clip_log
from maxcode.evaluate.failure import Failure
from maxcode.evaluate.once import made_once
from maxcode.evaluate.sandbox.running import Ended
from maxcode.evaluate.sandbox.sandbox import Sandbox
from maxcode.evaluate.sandbox.view import BOX, Caps
from maxcode.evaluate.toolchain import toolchain
from maxcode.kinds.command.environment import commands_environment, commands_view, environment_id
from maxcode.kinds.command.table import JUDGES, Command
from maxcode.kinds.command.unpacking import MalformedArchive, unpack
from maxcode.system.home import cache_folder
from maxcode.task.model import Task

REPOSITORY = f"{BOX}/repository"
"""Path at which every command finds the copy, always the same: build tools write absolute paths into their files."""
TREE, CHANGED, PYTHON_FILES = f"{BOX}/tree", f"{BOX}/changed", f"{BOX}/python-files"
KEPT_SECONDS = 7 * 24 * 3600.0
BUILD_FAILED = 99
SPEAKING = (".pyc", ".py", ".ini", ".cfg", ".toml")
PYTHON_SETTINGS = ("sitecustomize.py", "usercustomize.py", "pytest.ini", ".pytest.ini")

# Everything in the folder rather than the folder: the place it goes to is not the candidate's own.
COPY = f"find {TREE} -mindepth 1 -maxdepth 1 -exec cp -a -t {REPOSITORY} {{}} +"
_BUILD = f"""
{COPY} && cp -r {CHANGED}/. {REPOSITORY}/ && cd {REPOSITORY} || exit 98
"$@" >/tmp/.build-log || {{ tail -c 6000 /tmp/.build-log >&2; exit {BUILD_FAILED}; }}
# Python files are compiled here: a syntax error is an error of the build, and importing costs both sides alike.
cd {REPOSITORY} || exit 98
if test -s {PYTHON_FILES}; then python -m compileall -q -i {PYTHON_FILES} >&2 || exit {BUILD_FAILED}; fi
exec tar --format=posix --numeric-owner -cf - .
"""


@dataclass(frozen=True)
class Baseline:
    """Copies of the repository as it is."""

    source: Path
    built: Path


class RepositoryCopies:
    """Makes and runs copies in one sandbox."""

    def __init__(self, sandbox: Sandbox, cpus: tuple[int, ...]) -> None:
        if not sandbox.protections.bubblewrap:
            raise InputError('kind = "command" needs bubblewrap: a repository is judged in a file system of its own.')
        self._sandbox = sandbox
        self._cpus = cpus
        self._latest: tempfile.TemporaryDirectory[str] | None = None

    def close(self) -> None:
        if self._latest:
            self._latest.cleanup()
            self._latest = None

    def baseline(self, task: Task) -> Baseline:
        """The baseline's copies, made once and kept for a week after their last use."""
        key = content_hash(task.hash, toolchain().id, environment_id(task))
        target = cache_folder("repositories") / key
        if not made_once(target, lambda folder: self._make_baseline(task, folder)):
            _forget_old(target.parent)
        os.utime(target)
        return Baseline(target / "source", target / "built")

    def candidate(
        self, task: Task, candidate: Candidate, *, incremental: bool, environment: dict[str, str] | None = None
    ) -> Path:
        """The candidate's copy, built; it lasts until the next one is asked for."""
        baseline = self.baseline(task)
        self.close()
        self._latest = tempfile.TemporaryDirectory(prefix="maxcode-copy-", ignore_cleanup_errors=True)
        folder = Path(self._latest.name)
        folder.chmod(0o755)
        start = baseline.built if incremental else baseline.source
        self._build(task, candidate, start, folder, environment or {})
        restore(task, candidate, baseline.source, folder / "built")
        put_back_judges(task, baseline.built, folder / "built")
        return folder / "built"

    def _make_baseline(self, task: Task, folder: Path) -> None:
        source = folder / "source"
        for name in task.tree:
            put_file(task.root / name, source, name)
        open_to_all(source)
        with tempfile.TemporaryDirectory(prefix="maxcode-copy-") as scratch:
            Path(scratch).chmod(0o755)
            try:
                self._build(task, task.baseline_candidate, source, Path(scratch), {})
            except Failure as failure:
                raise InputError(f"{task.folder}: command.build fails on the repository:\n{failure.reason}") from None
            restore(task, task.baseline_candidate, source, Path(scratch) / "built")
            shutil.move(Path(scratch) / "built", folder / "built")

    def _build(self, task: Task, candidate: Candidate, start: Path, folder: Path, environment: dict[str, str]) -> None:
        """Builds the candidate in a copy of `start`, and unpacks the result as `folder`/built."""
        changed, python = folder / "changed", folder / "python-files"
        changed.mkdir()
        for name, text in candidate.files.items():
            if text != task.baseline_candidate.files.get(name):
                put_text(text, changed, name)
        open_to_all(changed)
        command = task.table(Command)
        caps = Caps(
            task.build.seconds,
            task.build.memory_mb,
            output_mb=2 * command.copy_mb,
            scratch_mb=512,
            cpus=self._cpus,
            commands=True,
            bound_address_space=False,
        )
        view = commands_view(task)
        python.write_text("".join(f"{name}\n" for name in task.files if name.endswith(".py")))
        read = {**view.read, TREE: start, CHANGED: changed, PYTHON_FILES: python}
        view = replace(view, read=read, memory={REPOSITORY: command.copy_mb}, proc=True)
        words = ["/bin/sh", "-c", _BUILD, "sh", *(command.build or ("true",))]
        ended = self._sandbox.run(words, view, caps, environment={**commands_environment(task), **environment})
        failure = _build_failure(ended, task)
        if failure:
            raise failure
        try:
            unpack(ended.stdout, folder / "built")
        except (MalformedArchive, OSError) as error:
            raise Failure(Status.BUILD_ERROR, f"what the build left cannot be unpacked: {error}") from None


def tracks_dependencies(built: Path) -> bool:
    """True if the build tool knows what depends on a changed file, so that building on top of a build is safe."""
    if (built / "Cargo.lock").exists():
        return True
    return any(any(built.rglob(name)) for name in ("CMakeCache.txt", "build.ninja", "*.d"))


def _build_failure(ended: Ended, task: Task) -> Failure | None:
    if ended.forbidden:
        return Failure(Status.REJECTED, f"the build: system call {ended.forbidden} is not allowed")
    if ended.timed_out:
        return Failure(Status.BUILD_ERROR, f"the build ran past its time limit of {task.build.seconds:g} s")
    if ended.out_of_memory:
        return Failure(Status.BUILD_ERROR, f"the build ran past its memory limit of {task.build.memory_mb} MB")
    if ended.clean:
        return None
    log = clip_log(ended.stderr.decode(errors="replace").replace(f"{REPOSITORY}/", ""))
    return Failure(Status.BUILD_ERROR, log or f"the build command failed (exit code {ended.exit_code})")


def restore(task: Task, candidate: Candidate, source: Path, built: Path) -> None:
    """Puts every file of the original back as it was, and the candidate's as it gave them. Built files stay."""
    for name in task.tree:
        if name not in candidate.files:
            put_file(source / name, built, name)
    for name, text in candidate.files.items():
        put_text(text, built, name)


def put_back_judges(task: Task, baseline: Path, built: Path) -> None:
    """Replaces byte code and test settings beside files of the original by those that the baseline's build left.

    Python takes byte code for the source it names, and pytest reads settings and conftest.py from any folder: a build
    that runs a candidate's code could leave some of its own.
    """
    editable = {(str(Path(name).parent), Path(name).stem) for name in task.files}
    for path in [each for each in built.rglob("*") if each.suffix in SPEAKING]:
        name = path.relative_to(built)
        if path.suffix == ".pyc":
            judges = (str(name.parent.parent), path.name.split(".")[0]) not in editable
        else:
            judges = path.name in PYTHON_SETTINGS or bool(JUDGES.search(str(name)))
        if judges and str(name) not in task.tree and not _is_unchanged(baseline / name, path):
            _make_room(built, str(name))
            if (baseline / name).is_file():
                put_file(baseline / name, built, str(name))


def _is_unchanged(before: Path, path: Path) -> bool:
    return before.is_file() and not path.is_symlink() and before.read_bytes() == path.read_bytes()


def put_file(original: Path, folder: Path, name: str) -> None:
    """Copies a file below `folder`, times included. Nothing is touched where it is there already."""
    target = folder / name
    if original.is_symlink():
        if not (target.is_symlink() and target.readlink() == original.readlink()):
            _make_room(folder, name)
            target.symlink_to(original.readlink())
        return
    data, mode = original.read_bytes(), 0o755 if os.access(original, os.X_OK) else 0o644
    if not _holds(folder, name, data) or (target.stat().st_mode & 0o777) != mode:
        _make_room(folder, name)
        target.write_bytes(data)
        shutil.copystat(original, target)
        target.chmod(mode)


def put_text(text: str, folder: Path, name: str) -> None:
    data = text.encode(errors="surrogateescape")
    if not _holds(folder, name, data):
        mode = (folder / name).stat().st_mode & 0o777 if (folder / name).is_file() else 0o644
        _make_room(folder, name)
        (folder / name).write_bytes(data)
        (folder / name).chmod(mode)


def _holds(folder: Path, name: str, data: bytes) -> bool:
    target = folder / name
    real = all(not parent.is_symlink() for parent in (target, *_parents(folder, name)))
    return real and target.is_file() and target.stat().st_size == len(data) and target.read_bytes() == data


def _parents(folder: Path, name: str) -> list[Path]:
    return [folder / parent for parent in reversed(Path(name).parents[:-1])]


def _make_room(folder: Path, name: str) -> None:
    """Makes the folders above real and the place itself empty: nothing is ever written through a link that a build
    made."""
    folder.mkdir(parents=True, exist_ok=True)
    for parent in _parents(folder, name):
        if parent.is_symlink() or (parent.exists() and not parent.is_dir()):
            parent.unlink()
        parent.mkdir(exist_ok=True)
    target = folder / name
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)
    else:
        target.unlink(missing_ok=True)


def open_to_all(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)


def _forget_old(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir() and time.time() - path.stat().st_mtime > KEPT_SECONDS:
            shutil.rmtree(path, ignore_errors=True)
