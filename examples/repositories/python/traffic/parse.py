"""From lines of a log in the common format to requests."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Request:
    address: str
    time: int
    """Seconds since 1970."""
    method: str
    path: str
    status: int
    size: int


def parse_line(line: str) -> Request | None:
    """The request in a line; None where it is not one."""
    pattern = re.compile(r'^(\S+) \S+ \S+ \[([^\]]+)\] "(\S+) (\S+)[^"]*" (\d{3}) (\d+|-)$')
    match = pattern.match(line.strip())
    if match is None:
        return None
    time = int(datetime.strptime(match.group(2), "%d/%b/%Y:%H:%M:%S %z").timestamp())
    size = 0 if match.group(6) == "-" else int(match.group(6))
    return Request(match.group(1), time, match.group(3), match.group(4), int(match.group(5)), size)


def parse_log(text: str) -> list[Request]:
    """All requests of a log, in its order; lines that are no requests are left out."""
    requests = []
    for line in text.splitlines():
        if parse_line(line) is not None:
            requests.append(parse_line(line))
    return requests
