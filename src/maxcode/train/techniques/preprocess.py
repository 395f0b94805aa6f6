"""A program as the compiler reads it: without comments and dead branches, its own macros replaced.

Headers are not read. A branch is dropped only where its condition is surely false; where it depends on the compiler or
on a header, all branches stay.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from maxcode.evaluate.rules import normalise, without_comments
from maxcode.train.techniques.integers import integer
from maxcode.train.techniques.macros import Macro, TokenBudget, TooLarge, definition, expand, tokens

_DIRECTIVE = re.compile(r"[ \t]*#[ \t]*(\w*)[ \t]*(.*)")
_FROM_OUTSIDE = re.compile(
    r"_\w+|\w+_(?:MAX|MIN|WIDTH|DIG|EPSILON|INFINITY)|M_\w+|NULL|EOF|NAN|INFINITY|BUFSIZ|CLOCKS_PER_SEC|assert|errno"
    r"|stdin|stdout|stderr|linux|unix|HUGE_VAL\w*"
)
"""Names that the compiler or a header may define."""
_TRIED = (0, 1, 10**6)
"""Values put in place of names that are not known: a condition that comes out the same for all does not need them."""


@dataclass(frozen=True)
class Text:
    code: str
    includes: tuple[str, ...]
    readable: bool
    """False where macros grow too large to be replaced."""


@dataclass
class _Branch:
    live: bool
    settled: bool
    """Whether no later branch can be the one that is compiled."""


@dataclass
class _State:
    macros: dict[str, Macro] = field(default_factory=dict)
    branches: list[_Branch] = field(default_factory=list)
    includes: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    budget: TokenBudget = field(default_factory=TokenBudget)

    @property
    def live(self) -> bool:
        return all(branch.live for branch in self.branches)


def preprocessed(source: str) -> Text:
    state = _State()
    for line in without_comments(normalise(source)).splitlines():
        found = _DIRECTIVE.fullmatch(line)
        if found is None:
            if state.live:
                state.lines.append(line)
        elif found[1] in ("if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif"):
            _conditional(state, found[1], found[2])
        elif state.live:
            _directive(state, found[1], found[2])
    _flush(state)
    return Text("\n".join(state.done) + "\n", tuple(state.includes), state.budget.left >= 0)


def _directive(state: _State, word: str, rest: str) -> None:
    _flush(state)
    if word == "define" and (found := definition(rest)):
        state.macros[found[0]] = found[1]
    elif word == "undef":
        state.macros.pop(rest.strip(), None)
    elif word in ("include", "include_next", "import"):
        state.includes.append(_expanded(rest, state).strip().strip('<>"'))
    elif word == "pragma":
        state.done.append(f"#pragma {_expanded(rest, state)}")


def _conditional(state: _State, word: str, rest: str) -> None:
    _flush(state)
    if word in ("if", "ifdef", "ifndef"):
        known = _truth(state, _condition(word, rest))
        state.branches.append(_Branch(known is not False, known is True))
    elif state.branches and word == "endif":
        state.branches.pop()
    elif state.branches:
        last = state.branches[-1]
        known = True if word == "else" else _truth(state, _condition(word, rest))
        state.branches[-1] = _Branch(not last.settled and known is not False, last.settled or known is True)


def _condition(word: str, rest: str) -> str:
    name = rest.split()[0] if rest.split() else "0"
    return {"ifdef": f"defined({name})", "elifdef": f"defined({name})"}.get(
        word, f"!defined({name})" if word in ("ifndef", "elifndef") else rest
    )


def _truth(state: _State, condition: str) -> bool | None:
    """Whether a condition holds; None where it depends on the compiler or on a header."""

    def defined(match: re.Match[str]) -> str:
        name = match[1] or match[2]
        return "1" if name in state.macros else "_may_be" if _FROM_OUTSIDE.fullmatch(name) else "0"

    text = re.sub(r"\bdefined\s*(?:\(\s*(\w+)\s*\)|(\w+))", defined, condition)
    text = re.sub(r"\b__has_\w+\s*\([^()]*\)", "_may_be", _expanded(text, state))
    names = set(re.findall(r"\b[A-Za-z_]\w*\b", text)) - {"true", "false"}
    outside = {name for name in names if _FROM_OUTSIDE.fullmatch(name)}
    found = {integer(text, {name: value if name in outside else 0 for name in names}) for value in _TRIED}
    if None in found:
        return None
    truths = {bool(value) for value in found}
    return truths.pop() if len(truths) == 1 else None


def _flush(state: _State) -> None:
    """Expands the macros known so far in the lines read so far. A call of a macro may span several lines."""
    if state.lines:
        text = _expanded("\n".join(state.lines), state)
        state.done.append(re.sub(r"\b_Pragma\s*\(\s*L?\"((?:\\.|[^\"\\])*)\"\s*\)", _as_line, text))
        state.lines.clear()


def _as_line(match: re.Match[str]) -> str:
    said = match[1].replace('\\"', '"').replace("\\\\", "\\")
    return f"\n#pragma {said}\n"


def _expanded(text: str, state: _State) -> str:
    if not state.macros or state.budget.left < 0:
        return text
    try:
        return "".join(expand(tokens(text), state.macros, state.budget))
    except (TooLarge, RecursionError):
        state.budget.left = -1
        return text
