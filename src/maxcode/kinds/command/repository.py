"""Candidates of repositories from people's files, and results for them: a patch and the text of a pull request."""

from __future__ import annotations

import filecmp
import os
import subprocess
from pathlib import Path

from maxcode.core import Candidate, InputError, Outcome
from maxcode.evaluate.measure.words import interval_in_words, times
from maxcode.kinds.command.files import candidate_files
from maxcode.kinds.command.patch import LARGEST_MB, apply_patch
from maxcode.kinds.command.table import Command, in_words
from maxcode.system.git import git
from maxcode.task.diff import make_patch
from maxcode.task.model import Task

PATCHES = (".patch", ".diff")


def read_candidate(task: Task, path: Path) -> Candidate:
    """Candidate from a patch, from a folder of changed files, or from one file that has the name of an editable one."""
    if path.is_dir():
        changed = _of_folder(task, path)
    elif path.suffix in PATCHES and path.is_file():
        changed = _of_patch(task, path)
    elif path.is_file():
        changed = {_named_like(task, path): _text(path)}
    else:
        raise InputError(f"{path}: no such file or folder. Give a patch, a folder of changed files, or a file.")
    return Candidate(files={**task.baseline_candidate.files, **changed}, origin=str(path))


def _of_folder(task: Task, folder: Path) -> dict[str, str]:
    """Files that differ from the repository's. Those that may not be changed are left to the evaluator to refuse."""
    names = candidate_files(folder, task.root)
    if not names:
        raise InputError(f"{folder}: has no files. Put changed files there, with paths as in the repository.")
    changed = [name for name in names if _differs(folder, task.root, name)]
    if sum((folder / name).stat().st_size for name in changed) > LARGEST_MB << 20:
        raise InputError(f"{folder}: changes more than {LARGEST_MB} MB. Leave out what is not source.")
    return {name: _text(folder / name) for name in changed}


def _differs(folder: Path, root: Path, name: str) -> bool:
    """True if a file differs from the repository's.

    InputError for pipes and the like, and for symbolic links other than the repository's own: they may point at
    anybody's files.
    """
    link = next((part for part in (*reversed(Path(name).parents), Path(name)) if (folder / part).is_symlink()), None)
    if link is None:
        if not (folder / name).is_file():
            raise InputError(f"{folder / name}: is neither a file nor a folder, and cannot be read. Take it away.")
        return not (root / name).is_file() or not filecmp.cmp(folder / name, root / name, shallow=False)
    if (root / link).is_symlink() and (folder / link).readlink() == (root / link).readlink():
        return False
    raise InputError(f"{folder / link}: is a symbolic link, and those are not followed. Put the file itself there.")


def _of_patch(task: Task, file: Path) -> dict[str, str]:
    texts = {}
    for name in task.tree:
        path = task.root / name
        if path.is_file() and not path.is_symlink():
            texts[name] = path.read_bytes().decode(errors="surrogateescape")
    after = apply_patch(file, texts)
    missing = sorted(set(texts) - set(after))
    if missing:
        raise InputError(f"{file}: deletes or renames {missing[0]}. A candidate may change editable files only.")
    return {name: text for name, text in after.items() if text != texts.get(name)}


def _named_like(task: Task, path: Path) -> str:
    alike = [name for name in task.files if Path(name).name == path.name]
    if len(alike) != 1:
        which = "several editable files have" if alike else "no editable file has"
        raise InputError(f"{path}: {which} this name. Give a patch, or a folder with paths as in the repository.")
    return alike[0]


def _text(path: Path) -> str:
    if path.stat().st_size > LARGEST_MB << 20:
        raise InputError(f"{path}: is larger than {LARGEST_MB} MB. Leave out what is not source.")
    try:
        return path.read_bytes().decode()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read as text ({error})") from None


def changed_files(task: Task, best: Candidate) -> dict[str, str]:
    before = task.baseline_candidate.files
    return {name: text for name, text in best.files.items() if text != before.get(name)}


def patch_of(task: Task, best: Candidate) -> str:
    return make_patch(task.baseline_candidate.files, best.files)


def results(task: Task, best: Candidate, summary: str) -> dict[str, str]:
    """Files to write: the patch first, then the text of a pull request and the changed files whole."""
    changed = {f"files/{name}": text for name, text in changed_files(task, best).items()}
    return {"best.patch": patch_of(task, best), "summary.md": summary, **changed}


def pull_request(task: Task, best: Candidate, confirmed: Outcome) -> str:
    """Text of a pull request: what changes, how much it brings, how that was measured, how to check it oneself."""
    m, command = confirmed.measurement, task.table(Command)
    assert m is not None
    changed = changed_files(task, best)
    lines = [f"- `{name}`{_lines_changed(task.baseline_candidate.files[name], text)}" for name, text in changed.items()]
    where = ", ".join(f"`{Path(name).name}`" for name in changed)
    count = confirmed.verification.total - 1 if confirmed.verification else 0
    tests = f"`{in_words(command.test)}` passes" + (f" ({count} tests, as before)" if count > 1 else "")
    seconds = ""
    if m.seconds_baseline and m.seconds_candidate:
        seconds = f" The median run went from {m.seconds_baseline:.3g} s to {m.seconds_candidate:.3g} s."
    clock = {"cpu": "CPU time", "wall": "wall time", "printed": "the number it prints"}.get(m.clock, m.clock)
    parts = [
        f"# Make {task.name} {times(m.speedup)} faster\n",
        f"`{in_words(command.bench)}` runs **{times(m.speedup)} as fast** (interval "
        f"{interval_in_words(m.ci_low, m.ci_high)}) after this change of {where}.{seconds}\n",
        "## What changes\n",
        "\n".join(lines) + "\n",
        "## How it was checked\n",
        f"{tests} in a clean copy of the repository. Only the files above differ; tests, bench and build files are the "
        "repository's own.\n",
        "## How it was measured\n",
        f"{len(m.samples)} pairs of runs of the old and the new version in turn, on one core with nothing beside it, "
        f"by {clock}; the interval holds whenever one stops sampling (alpha {m.alpha:g}). Machine: {m.machine}.\n",
        "## How to reproduce\n",
        "```sh\n" + _how_to_apply(task.root),
        *([in_words(command.build)] if command.build else []),
        in_words(command.test),
        in_words(command.bench) + "\n```\n",
        "With MaxCode: `maxcode evaluate TASK best.patch --confirm`.\n",
    ]
    return "\n".join(parts)


def _how_to_apply(root: Path) -> str:
    """Command that applies the patch.

    In a part of a larger repository git looks for paths from the top, and would skip ours silently.
    """
    try:
        done = git("rev-parse", "--show-prefix", folder=root)
    except (OSError, subprocess.SubprocessError):
        return "git apply best.patch"
    prefix = os.fsdecode(done.stdout).strip().rstrip("/")
    return f"git apply --directory={prefix} best.patch\ncd {prefix}" if prefix else "git apply best.patch"


def _lines_changed(before: str, after: str) -> str:
    lines = make_patch({"": before}, {"": after}).splitlines()[3:]
    added, removed = (sum(line.startswith(sign) for line in lines) for sign in "+-")
    return f" (+{added} -{removed} lines)"
