"""A warm worker process: owns one CPU slot, makes one evaluation at a time, and is expendable.

It talks to the pool over a socket. When it dies, by whatever hand, its sandboxes die with it and the pool starts
another.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Literal

from maxcode.core import EvaluatorError, Frozen, InputError, Noise, Outcome
from maxcode.evaluate.stages import Request, Stages
from maxcode.system.children import die_with_parent
from maxcode.system.places import in_words
from maxcode.task import load_task
from maxcode.task.model import Task


class Job(Frozen):
    """Order for a worker: evaluate a candidate, or measure the task's A/A noise."""

    folder: Path
    changes: dict[str, Any]
    task_hash: str
    request: Request
    only_noise: bool = False


class Answer(Frozen):
    outcome: Outcome | None = None
    noise: Noise | None = None
    error: str | None = None
    fault: Literal["input", "evaluator"] | None = None


def serve(connection: Connection, slot: int, cpus: tuple[int, ...], scratch: Path) -> None:
    """Answers jobs until the connection closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the pool's to handle
    _own_temporary_folder(scratch / f"slot{slot}")
    stages = Stages(slot, cpus, scratch)
    tasks: dict[str, Task] = {}
    try:
        while True:
            job: Job = connection.recv()
            connection.send(_answer(stages, tasks, job))
    except (EOFError, OSError):
        pass
    finally:
        stages.close()


def _answer(stages: Stages, tasks: dict[str, Task], job: Job) -> Answer:
    try:
        task = _task(tasks, job)
        if job.only_noise:
            return Answer(noise=stages.noise(task, job.request.seed))
        return Answer(outcome=stages.evaluate(task, job.request))
    except InputError as error:
        return Answer(error=str(error), fault="input")
    except EvaluatorError as error:
        return Answer(error=str(error), fault="evaluator")
    except OSError as error:
        return Answer(error=in_words(error) or f"{type(error).__name__}: {error}", fault="evaluator")
    except Exception as error:  # a bug of ours must not look like a verdict, nor kill the worker silently
        return Answer(error=f"{type(error).__name__}: {error}", fault="evaluator")


def _task(tasks: dict[str, Task], job: Job) -> Task:
    if job.task_hash not in tasks:
        task = load_task(job.folder, job.changes)
        if task.hash != job.task_hash:
            raise InputError(f"{job.folder}: the task has changed since it was loaded; start again")
        tasks.clear()
        tasks[job.task_hash] = task
    return tasks[job.task_hash]


def _own_temporary_folder(folder: Path) -> None:
    """Puts temporary files into a folder that the pool removes when this process is killed. Empties it first."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for each in (folder.parent, folder):
        each.chmod(0o711)
    tempfile.tempdir = str(folder)


def _end_with_pool() -> None:
    die_with_parent()
    if os.getppid() == 1:
        os._exit(1)


def main() -> None:
    """Entry point of the process: descriptor, slot, CPUs and scratch folder are its arguments."""
    _end_with_pool()
    descriptor, slot, cpus, scratch = sys.argv[1:]
    serve(Connection(int(descriptor)), int(slot), tuple(map(int, cpus.split(","))), Path(scratch))
