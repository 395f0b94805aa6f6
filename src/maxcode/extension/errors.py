"""A compiler's log, clipped to what matters: the lines around the first error."""

from __future__ import annotations

import re

ERROR = re.compile(r"\berror\b\s*[:#]|: error|undefined (?:symbol|reference)|ld returned|fatal error", re.I)
BEFORE = 3
AFTER = 40
COLUMNS = 400


def clipped(log: str) -> str:
    """Some lines before the first error and after it; long lines cut; command lines left out."""
    lines = [line[:COLUMNS] for line in log.splitlines() if not _is_command(line)]
    first = next((at for at, line in enumerate(lines) if ERROR.search(line)), None)
    if first is None:
        return "\n".join(lines[-AFTER:])
    kept = lines[max(0, first - BEFORE) : first + AFTER]
    left = len(lines) - first - AFTER
    return "\n".join([*kept, f"... and {left} more lines"] if left > 0 else kept)


def _is_command(line: str) -> bool:
    """True for lines in which ninja echoes its commands: long lines of flags that nobody wants to read."""
    return line.startswith("[") or (" -isystem " in line and " -c " in line)
