"""How a problem is put to a model: the kernel, its shapes, what is permitted, and optionally programs found before.

The same words in training, in evaluation and when a trained model proposes programs in a search.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from maxcode.task.model import Task
from maxcode.train.grpo.config import GrpoConfig
from maxcode.train.masks import EVERYTHING, Mask, rules_in_words

Message = dict[str, str]


@dataclass(frozen=True)
class ShownElite:
    """A program to show, with its speed."""

    program: str
    gflops: float
    techniques: tuple[str, ...] = ()


def programs_prompt(
    task: Task, mask: Mask = EVERYTHING, *, show_program: bool = True, elites: Sequence[ShownElite] = ()
) -> list[Message]:
    """Asks for a whole program."""
    parts = [f"Write the fastest {task.language.value} code for this kernel.", _kernel(task), rules_in_words(mask)]
    if show_program:
        parts.append(f"A slow program:\n{fenced(task.baseline_candidate.files[task.main_file])}")
    parts += [f"A program that reaches {each.gflops:.3g} GFLOPS:\n{fenced(each.program)}" for each in elites]
    parts.append("Answer with the whole program in one code block.")
    return [{"role": "user", "content": "\n".join(parts)}]


def named_prompt(
    task: Task,
    mask: Mask,
    program: str,
    names: Mapping[str, str] | Sequence[str],
    elites: Sequence[ShownElite] = (),
) -> list[Message]:
    """Asks for the name of a transformation. Of programs found before, the techniques are told and what they reach."""
    parts = [f"Make this kernel fast. {_sizes(task)}", fenced(program)]
    if mask.forbidden:  # in short: what breaks the mask is not on the menu
        parts.append(f"Permitted: {', '.join(sorted(mask.permitted)) or 'reordering loops only'}.")
    if elites:
        found = (f"{each.gflops:.3g} GFLOPS with {', '.join(each.techniques) or 'other loops'}" for each in elites)
        parts.append(f"Reached before: {'; '.join(found)}.")
    parts.append(f"Steps: {', '.join(names)}.")
    return [{"role": "user", "content": "\n".join(parts)}]


def after_step(before: Mapping[str, str], now: Mapping[str, str]) -> str:
    """Text after a step: the names that are new on the menu. Those that are gone are refused by the grammar."""
    new = [name for name in now if name not in before]
    return f"+ {', '.join(new)}\n" if new else ""


def prompt_for(config: GrpoConfig, task: Task, mask: Mask, elites: Sequence[ShownElite] = ()) -> list[Message]:
    return programs_prompt(task, mask, show_program=config.show_program, elites=elites)


def fenced(program: str) -> str:
    return fenced_as_is(compact(program))


def fenced_as_is(program: str) -> str:
    return f"```c\n{program.rstrip()}\n```"


def compact(program: str) -> str:
    """The program without comments and blank lines, indented by single spaces: fewer tokens, the same program."""
    bare = re.sub(r"//[^\n]*|/\*.*?\*/", "", program, flags=re.DOTALL)
    lines = [line.rstrip() for line in bare.splitlines() if line.strip()]
    return "".join(f"{_narrow(line)}\n" for line in lines)


def _narrow(line: str) -> str:
    depth = len(line) - len(line.lstrip())
    return " " * ((depth + 3) // 4) + line.lstrip()


def _kernel(task: Task) -> str:
    entry = task.kind.entry(task)
    return f"{entry.signature if entry else task.name};\n{task.description} {_sizes(task)}"


def _sizes(task: Task) -> str:
    """The timed shapes in words, each shape once, although the task may list one several times."""
    entry = task.kind.entry(task)
    if entry is None:
        return ""
    timed = [", ".join(f"{name}={value}" for name, value in sizes.items()) for sizes in entry.sizes]
    return f"Timed at {'; '.join(dict.fromkeys(timed))}."
