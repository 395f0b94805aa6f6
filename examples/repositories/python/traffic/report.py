"""A report for people."""

from __future__ import annotations

from traffic.parse import Request
from traffic.sessions import sessions


def most_asked(requests: list[Request], most: int) -> list[tuple[str, int]]:
    """Paths by number of requests, most first; of equal numbers, in alphabetical order."""
    counts: dict[str, int] = {}
    for request in requests:
        counts[request.path] = counts.get(request.path, 0) + 1
    ranked = []
    while counts and len(ranked) < most:
        best = sorted(counts, key=lambda path: (-counts[path], path))[0]
        ranked.append((best, counts.pop(best)))
    return ranked


def report(requests: list[Request]) -> str:
    """Totals, the most popular paths, and the sessions."""
    errors = len([request for request in requests if request.status >= 400])
    text = f"requests: {len(requests)}\n"
    text += f"bytes: {sum([request.size for request in requests])}\n"
    text += f"errors: {errors}\n"
    for path, count in most_asked(requests, 20):
        text += f"{count:8d} {path}\n"
    visits = sessions(requests)
    pages = sum([visit.pages for visit in visits])
    text += f"sessions: {len(visits)}, pages: {pages}\n"
    return text
