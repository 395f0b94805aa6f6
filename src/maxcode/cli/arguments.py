"""Arguments and options that several commands take one by one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from maxcode.cli import completion

RESULT = "Result"
Json = Annotated[bool, typer.Option("--json", help="Print JSON for machines, one object per line.")]
TaskFolder = Annotated[
    Path,
    typer.Argument(
        metavar="TASK", help="Folder with a task.toml.", show_default=False, autocompletion=completion.tasks
    ),
]
Run = Annotated[
    str,
    typer.Argument(
        metavar="RUN",
        help="Id of a run, the beginning of one, or `last`.",
        show_default=False,
        autocompletion=completion.runs,
    ),
]
ConfigFile = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="Settings of models (TOML); ./maxcode.toml when absent.")
]
PromptsConfig = Annotated[
    Path | None, typer.Option("--config", help="Settings of models and prompts.", exists=True, dir_okay=False)
]
DataFile = Annotated[
    Path, typer.Option("--data", help="Rows from `maxcode value data`.", show_default=False, exists=True)
]
TablesJson = Annotated[
    bool, typer.Option("--json", help="Print JSON for machines: one object per cell, then a summary.")
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="DIR",
        help="Folder for the best program, the diff and the summary; when absent maxcode-RUN, or what a run that is "
        "resumed was told before.",
        rich_help_panel=RESULT,
    ),
]
