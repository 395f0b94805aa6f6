"""`scripted:FILE`: answers from a file, in order; for tests, demos and trying a prompt's answers by hand.

The file is JSON lines, each a string or {"text": ...}; or a folder, whose files are programs, in order of name.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from maxcode.core import InputError, Proposal
from maxcode.policy.openai import read_answer
from maxcode.search.observe.observation import Observation
from maxcode.search.parts import Policy


def scripted_policy(path: Path) -> Policy:
    answers = _read(path)

    async def propose(observation: Observation, n: int, seed: int) -> list[Proposal]:
        del seed
        given = (answers[(observation.program + i) % len(answers)] for i in range(n))
        return [read_answer(text, observation, f"scripted:{name}") for name, text in given]

    return propose


def _read(path: Path) -> list[tuple[str, str]]:
    """Answers of a script, each with the name of its file."""
    if path.is_dir():
        files = sorted(file for file in path.iterdir() if file.is_file() and not file.name.startswith("."))
        answers = [(file.name, _fenced(_text(file))) for file in files]
    elif path.is_file():
        lines = enumerate(_text(path).splitlines(), 1)
        answers = [(path.name, _line(path, number, line)) for number, line in lines if line.strip()]
    else:
        raise InputError(f"scripted:{path}: no such file or folder.")
    if not answers:
        raise InputError(f"scripted:{path}: has no answers.")
    return answers


def _text(file: Path) -> str:
    try:
        return file.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"scripted:{file}: cannot be read as text ({error}).") from None


def _fenced(text: str) -> str:
    """A file as an answer, which is one program; the fence is longer than any in it."""
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    end = "" if text.endswith("\n") else "\n"
    return f"{fence}cpp\n{text}{end}{fence}"


def _line(path: Path, number: int, line: str) -> str:
    try:
        value = json.loads(line)
        return value if isinstance(value, str) else str(value["text"])
    except (ValueError, KeyError, TypeError):
        raise InputError(
            f'{path}: line {number}: not a JSON string or an object with a "text". '
            "Files that are programs themselves go into a folder: scripted:FOLDER."
        ) from None
