"""Quantities in words."""

from __future__ import annotations


def duration(seconds: float) -> str:
    """Seconds in a unit that needs few digits."""
    for unit, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= unit:
            return f"{seconds / unit:.3g} {name}" if seconds < 999.5 * unit else f"{seconds / unit:.0f} {name}"
    return f"{seconds * 1e9:.3g} ns"
