"""Access to torch's own functions that ours replace."""

from __future__ import annotations

from typing import Any

ORIGINAL = "_maxcode_original"
"""Attribute under which a replacement keeps what it replaces."""


def torchs_own(name: str) -> Any:
    from torch.utils import cpp_extension

    function = getattr(cpp_extension, name)
    return getattr(function, ORIGINAL, function)
