"""Requests of one address that follow each other closely are a session."""

from __future__ import annotations

from dataclasses import dataclass

from traffic.parse import Request

LONGEST_PAUSE = 30 * 60


@dataclass(frozen=True)
class Session:
    address: str
    start: int
    end: int
    pages: int
    """Different paths that were asked for."""


def sessions(requests: list[Request]) -> list[Session]:
    """In the order of their addresses' first requests, then of time."""
    addresses = []
    for request in requests:
        if request.address not in addresses:
            addresses.append(request.address)
    found = []
    for address in addresses:
        own = [request for request in requests if request.address == address]
        own.sort(key=lambda request: request.time)
        group = []
        for request in own:
            if group and request.time - group[-1].time > LONGEST_PAUSE:
                found.append(summarise(group))
                group = []
            group = group + [request]
        found.append(summarise(group))
    return found


def summarise(group: list[Request]) -> Session:
    pages = []
    for request in group:
        if request.path not in pages:
            pages.append(request.path)
    return Session(group[0].address, group[0].time, group[-1].time, len(pages))
