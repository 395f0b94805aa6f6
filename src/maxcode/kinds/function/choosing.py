"""Which recorded calls make a task, or the reason in words why they make none."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

from maxcode.core import InputError, content_hash
from maxcode.kinds.function.calls import RecordedCall
from maxcode.kinds.function.recording import SeenCall, SeenCalls

MOST_LOOKED_AT, MOST_KEPT = 400, 120
HELD_OUT = 0.3
LEAST_COVERED = 0.6
SLOW_SECONDS = 0.1
"""Time of a call above which it is looked at after the others, for which there might be no time otherwise."""
LEAST_FAITHFUL = 0.5
"""Share of the calls looked at that must be the same when they are made again."""


@dataclass(frozen=True)
class ChosenCalls:
    """Calls of a task."""

    public: list[RecordedCall]
    held_out: list[RecordedCall]
    covered: float
    missed: tuple[int, ...]
    """Lines of the function that no call reaches."""
    dropped: int
    """Number of calls that are not the same when they are made again."""
    import_seconds: float = 0.0


def looked_at(recording: SeenCalls) -> list[SeenCall]:
    """The calls to look at: of every shape some, most of the shapes that are seen most."""
    by_shape = defaultdict(list)
    for call in recording.calls:
        by_shape[call.shape].append(call)
    rows = [sorted(each, key=lambda call: -call.count) for each in by_shape.values()]
    rows.sort(key=lambda row: -recording.shapes[row[0].shape])
    chosen: list[SeenCall] = []
    for depth in range(max(map(len, rows), default=0)):
        chosen += [row[depth] for row in rows if depth < len(row)]
    return sorted(chosen[:MOST_LOOKED_AT], key=lambda call: call.seconds > SLOW_SECONDS)


def choose(
    name: str, recording: SeenCalls, calls: list[SeenCall], first: list[dict[str, Any]], again: list[dict[str, Any]]
) -> ChosenCalls:
    """Chooses calls, given what the original does on them in two processes. InputError with the reason for none."""
    if not calls:
        raise InputError(f"{name}: the arguments of its {recording.count} calls cannot be copied{_why(recording)}.")
    *found, end = first
    if not end["all"]:
        raise InputError(f"{name}: is not written in Python: there is nothing to rewrite.")
    if end["touched"]:
        raise InputError(f"{name}: depends on files or the network ({end['touched'][0]}).")
    good = [
        (call, once)
        for call, once, twice in zip(calls, found, again, strict=False)
        if "text" in once and once["text"] == twice.get("text") and call.text in (None, once["text"])
    ]
    if len(good) < LEAST_FAITHFUL * len(calls):
        raise InputError(f"{name}: {_unfaithful(calls, found, again)}")
    kept = _kept(good, recording)
    reached = {line for _, once in kept for line in once["lines"]}
    missed = tuple(sorted(set(end["all"]) - reached))
    covered = 1 - len(missed) / len(end["all"])
    if covered < LEAST_COVERED:
        raise InputError(
            f"{name}: the calls reach {covered:.0%} of its lines, and {LEAST_COVERED:.0%} are needed. No call reaches "
            f"lines {in_words(missed)}. Add tests, or name a command that calls it with --inputs 'COMMAND'."
        )
    recorded = [_recorded(call, once, recording) for call, once in kept]
    hidden = _hidden(recorded)
    public = [each for i, each in enumerate(recorded) if i not in hidden]
    held_out = [each for i, each in enumerate(recorded) if i in hidden]
    return ChosenCalls(public, held_out, covered, missed, len(calls) - len(good), end["import_seconds"])


def _kept(good: list[tuple[SeenCall, dict[str, Any]]], recording: SeenCalls) -> list[tuple[SeenCall, dict[str, Any]]]:
    """Calls in turn of each group that reaches the same lines with arguments of the same shape."""
    groups = defaultdict(list)
    for call, once in good:
        groups[(tuple(once["lines"]), call.shape)].append((call, once))
    rows = sorted(groups.values(), key=lambda row: -recording.shapes[row[0][0].shape])
    in_turn = [row[depth] for depth in range(max(map(len, rows), default=0)) for row in rows if depth < len(row)]
    return in_turn[:MOST_KEPT]


def _recorded(call: SeenCall, once: dict[str, Any], recording: SeenCalls) -> RecordedCall:
    import base64

    of_shape = sum(each.count for each in recording.calls if each.shape == call.shape)
    return RecordedCall(
        call=base64.b64encode(call.data).decode(),
        weight=recording.shapes[call.shape] * call.count / of_shape,
        seen=once["seen"],
        error=once["error"],
        seconds=once["seconds"],
    )


def _hidden(calls: list[RecordedCall]) -> set[int]:
    """Numbers of the calls that are held out: a share of them, chosen by their content."""
    order = sorted(range(len(calls)), key=lambda i: content_hash(calls[i].call))
    return set(order[: round(HELD_OUT * len(calls))]) if len(calls) > 1 else set()


def _why(recording: SeenCalls) -> str:
    reasons = Counter(recording.refused).most_common(1)
    return f" ({reasons[0][0]})" if reasons else ""


def _unfaithful(calls: list[SeenCall], found: list[dict[str, Any]], again: list[dict[str, Any]]) -> str:
    problems = [each["problem"] for each in found if "problem" in each]
    if len(problems) * 2 > len(calls):
        return f"its arguments cannot be copied faithfully ({problems[0]})."
    unlike = sum(one.get("text") != two.get("text") for one, two in zip(found, again, strict=False))
    if unlike * 2 > len(calls):
        return (
            f"{unlike} of {len(calls)} calls return something else when they are made again: it depends on time, on "
            "random numbers, on addresses or on what was called before, outside of its arguments."
        )
    changed = sum(
        "text" in one and call.text not in (None, one["text"]) for call, one in zip(calls, found, strict=False)
    )
    return (
        f"{changed} of {len(calls)} calls return something else when they are made again by themselves: it depends on "
        "what the command did before, outside of its arguments."
    )


def in_words(lines: tuple[int, ...]) -> str:
    """Line numbers as ranges."""
    parts: list[list[int]] = []
    for line in lines:
        if parts and line == parts[-1][-1] + 1:
            parts[-1].append(line)
        else:
            parts.append([line])
    return ", ".join(str(each[0]) if len(each) == 1 else f"{each[0]} to {each[-1]}" for each in parts)
