"""Options that the commands of `maxcode rl` share."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import typer

MODEL, PROBLEMS, UPDATE, MACHINES, RESULT = "Model", "Problems", "Update", "Machines", "Result"
TASKS = (
    "hpc:dgemm (its shapes for training), hpc:dgemm:held-out, hpc:dgemm:m=96,n=96,k=96, hpc:training, hpc:held-out, "
    "or folders of kernel tasks; several times for several."
)


class ActionsName(StrEnum):
    PROGRAMS = "programs"
    NAMED = "named"


class CurriculumName(StrEnum):
    NONE = "none"
    STAGED = "staged"
    SQD = "sqd"


class AdvantageName(StrEnum):
    GROUP = "group"
    LEAVE_ONE_OUT = "leave-one-out"
    BEST = "best"


def _tasks(default: str) -> Any:
    return typer.Option("--tasks", metavar="TASK", help=TASKS, show_default=default, rich_help_panel=PROBLEMS)


Tasks = Annotated[list[str] | None, _tasks("hpc:dgemm")]
HeldOutTasks = Annotated[list[str] | None, _tasks("hpc:dgemm:held-out")]
Preset = Annotated[
    str,
    typer.Option(help="qwen2.5-coder-14b (paper scale), smollm2-135m or tiny (tests).", rich_help_panel=MODEL),
]
Base = Annotated[
    str | None,
    typer.Option(
        help="Another model: Hugging Face id, folder, checkpoint of a warm start.",
        show_default="the preset's",
        rich_help_panel=MODEL,
    ),
]
ActionsOption = Annotated[
    ActionsName,
    typer.Option(
        help="What the model answers: whole programs, or names of the rewriter's transformations.",
        rich_help_panel=MODEL,
    ),
]


def _turns(default: str | bool) -> Any:
    return typer.Option(
        "--turns", min=1, help="Named actions: the longest sequence.", show_default=default, rich_help_panel=MODEL
    )


def _variants(default: str | bool) -> Any:
    return typer.Option(
        "--variants",
        min=1,
        help="Named actions: settings of one transformation to choose from.",
        show_default=default,
        rich_help_panel=MODEL,
    )


Turns = Annotated[int | None, _turns("the preset's")]
Variants = Annotated[int | None, _variants("the preset's")]
OwnTurns = Annotated[int | None, _turns("its own")]
OwnVariants = Annotated[int | None, _variants("its own")]
GivenTurns = Annotated[int, _turns(True)]
GivenVariants = Annotated[int, _variants(True)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for machines, one object per line.")]
Cores = Annotated[
    int | None,
    typer.Option(
        "--bench-cpus",
        min=1,
        help="Cores of this machine that time programs; the model keeps off them.",
        show_default="all",
        rich_help_panel=MACHINES,
    ),
]
Cpus = Annotated[
    int, typer.Option(min=1, help="Cores of each task; more than one permits threads.", rich_help_panel=PROBLEMS)
]
Ceiling = Annotated[
    float | None,
    typer.Option(
        min=1.0,
        help="Rewards reach 100 at so many times the baseline's speed.",
        show_default="the machine's roofline, measured",
        rich_help_panel=MACHINES,
    ),
]
Seed = Annotated[int, typer.Option(min=0, help="Same seed and same rewards, same model.")]


def of_preset(**limits: Any) -> Any:
    return typer.Option(show_default="the preset's", rich_help_panel=UPDATE, **limits)
