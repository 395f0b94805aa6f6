"""What the rest of the code asks about repositories."""

from __future__ import annotations

from pathlib import Path

from maxcode.kinds.command.table import Command, check_settings, with_defaults
from maxcode.plugins import late
from maxcode.task.kind import Kind

KIND = Kind(
    name="command",
    judge=late("maxcode.kinds.command.judge:CommandJudge"),
    check=late("maxcode.kinds.command.check:check"),
    prompts=Path(__file__).parent / "prompts",
    table=Command,
    absent=("kernel", "torch"),
    defaults=with_defaults,
    complete=check_settings,
    check_files=late("maxcode.kinds.command.files:check_files"),
    root=lambda task: task.folder / task.table(Command).repository,
    tree=late("maxcode.kinds.command.files:tree"),
    files=late("maxcode.kinds.command.files:editable_files"),
    exact_text=True,  # line endings are part of a patch
    content=late("maxcode.kinds.command.files:content"),
    environment=late("maxcode.kinds.command.environment:environment_id"),
    carried=late("maxcode.kinds.command.files:carried"),
    same_on_nodes=False,  # each has Python packages of its own
    read=late("maxcode.kinds.command.repository:read_candidate"),
    diff=late("maxcode.kinds.command.repository:patch_of"),
    results=late("maxcode.kinds.command.repository:results"),
    claim=late("maxcode.kinds.command.repository:pull_request"),
    words=late("maxcode.kinds.command.words:words"),
)
