"""Comparison of a candidate's results with the original's: texts, byte for byte."""

from __future__ import annotations

import json

from maxcode.core import Mismatch, Status
from maxcode.evaluate.failure import Failure, shortened
from maxcode.kinds.function.serving import Answers

LONGEST = 300
BESIDE = {
    "printed": "prints something else",
    "warned": "gives other warnings",
    "globals": "leaves other values in the module's variables",
    "replaced": "replaces other functions of the module",
}


def check_answers(expected: Answers, got: Answers, where: str, *, seen: tuple[str, ...] = ()) -> None:
    """Failure at the first call whose result differs. `seen`: the calls, where they may be shown."""
    for number, (want, have) in enumerate(zip(expected.each, got.each, strict=True)):
        if want != have:
            shown = number < len(seen)
            detail = _difference(want, have) if shown else "the result, or what became of the arguments, is wrong"
            name = f"{where}: call {number + 1}" + (f" ({seen[number]})" if shown else "")
            mismatch = Mismatch(test=where, hidden=not shown, where=detail)
            raise Failure(Status.WRONG, f"{name}: {detail}", mismatch)
    if expected.beside != got.beside:
        raise Failure(Status.WRONG, f"{where}: {_beside(expected.beside, got.beside)}")


def _difference(want: bytes, have: bytes) -> str:
    expected, found = (each.decode(errors="replace") for each in (want, have))
    at = next((i for i, pair in enumerate(zip(expected, found, strict=False)) if pair[0] != pair[1]), 0)
    start = max(0, at - 80)
    words = [shortened(each[start : start + 2 * LONGEST], LONGEST) for each in (expected, found)]
    return f"expected {words[0]}, got {words[1]}"


def _beside(want: bytes, have: bytes) -> str:
    try:
        before, after = json.loads(want), json.loads(have)
        return next(words for name, words in BESIDE.items() if before[name] != after[name])
    except (ValueError, KeyError, TypeError, StopIteration, RecursionError):
        return "prints, warns or leaves something else"
