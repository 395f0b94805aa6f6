"""torch's own functions, behind ours."""

from __future__ import annotations

from typing import Any

ORIGINAL = "_maxcode_original"
"""The attribute under which a replacement keeps what it replaces."""


def torchs_own(name: str) -> Any:
    from torch.utils import cpp_extension

    function = getattr(cpp_extension, name)
    return getattr(function, ORIGINAL, function)
