"""Commits of a repository in temporary work trees, which are removed afterwards."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from maxcode.core import InputError
from maxcode.system.git import git

CHECKOUT_SECONDS = 600.0
NAMES = ("base", "head")
"""Names of the folders: equally long, since the length of a path can change how fast a program is."""


@dataclass(frozen=True)
class CommitTree:
    """A commit, checked out."""

    revision: str
    commit: str
    folder: Path


@contextmanager
def commit_trees(inside: Path, revisions: Sequence[str]) -> Iterator[list[CommitTree]]:
    """The revisions of the repository around a folder, each in a work tree of its own."""
    root = repository_of(inside)
    commits = [_commit(root, revision) for revision in revisions]
    with tempfile.TemporaryDirectory(prefix="maxcode-compare-") as made:
        folders = [Path(made).resolve() / name for name in NAMES]
        try:
            for folder, commit in zip(folders, commits, strict=True):
                _git(root, "worktree", "add", "--detach", "--force", str(folder), commit)
            yield [CommitTree(*each) for each in zip(revisions, commits, folders, strict=True)]
        finally:
            for folder in folders:
                _git(root, "worktree", "remove", "--force", "--force", str(folder), wanted=False)


def repository_of(inside: Path) -> Path:
    return Path(_git(inside, "rev-parse", "--show-toplevel"))


def _commit(root: Path, revision: str) -> str:
    found = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}", wanted=False)
    if not found:
        raise InputError(
            f"--git {revision}: no commit of {root}; a shallow clone holds few: fetch it first, with its history."
        )
    return found


def _git(folder: Path, *words: str, wanted: bool = True) -> str:
    """What git prints; InputError where it fails and that is not expected."""
    try:
        done = git(*words, folder=folder, seconds=CHECKOUT_SECONDS)
    except (OSError, subprocess.SubprocessError) as error:
        raise InputError(f"git {words[0]} in {folder}: {error}") from None
    if done.returncode != 0 and wanted:
        raise InputError(f"git {words[0]} in {folder}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout.decode(errors="replace").strip() if done.returncode == 0 else ""
