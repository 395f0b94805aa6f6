"""`hf:CHECKPOINT` as an entry of the table of policies, which our own pyproject.toml adds as any package would."""

from __future__ import annotations

from pathlib import Path

from maxcode.plugins import Choice, late
from maxcode.search.parts import Policy


def _settled(checkpoint: str) -> str:
    """Absolute path of a folder; a name on a hub stays."""
    return str(Path(checkpoint).absolute()) if Path(checkpoint).is_dir() else checkpoint


HF: Choice[Policy] = Choice(
    "asks a model in this process: what `maxcode rl train` made, or any chat model",
    late("maxcode.train.grpo.policy:hf_policy"),
    argument="CHECKPOINT",
    settled=_settled,
)
