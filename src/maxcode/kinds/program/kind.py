"""What the rest of the code asks about programs."""

from __future__ import annotations

from pathlib import Path

from maxcode.kinds.program.table import check_settings
from maxcode.plugins import late
from maxcode.task.kind import Kind, Scaffold

KIND = Kind(
    name="program",
    judge=late("maxcode.kinds.program.judge:ProgramJudge"),
    check=late("maxcode.kinds.program.check:check"),
    prompts=Path(__file__).parent / "prompts",
    absent=("kernel",),
    complete=check_settings,
    scaffold=Scaffold(
        recognises=lambda source: True,  # noqa: ARG005
        doing="building, running and deriving tests ...",
        make=late("maxcode.kinds.program.scaffold:make"),
    ),
    sizes=late("maxcode.kinds.program.sizes:sizes"),
    words=late("maxcode.kinds.program.words:words"),
)
