"""Macros of C, replaced as the preprocessor does: arguments, # and ##, and no macro within its own replacement."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.'])*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\s+|\#\#|<<|>>|\+\+|--|[-+*/%&|^<>=!]=|&&|\|\||->|::|.""",
    re.DOTALL | re.VERBOSE,
)
MOST_STEPS = 200_000


class TooLarge(Exception):
    """Raised for macros that expand to too many tokens."""


@dataclass
class TokenBudget:
    """Number of tokens that may still be read, all macros of a text together."""

    left: int = MOST_STEPS

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise TooLarge


@dataclass(frozen=True)
class Macro:
    parameters: tuple[str, ...] | None
    """Names of the parameters; None for a macro without parentheses."""
    variadic: bool
    body: tuple[str, ...]


Macros = Mapping[str, Macro]
_Pending = deque[tuple[str, frozenset[str]]]


def tokens(text: str) -> list[str]:
    return _TOKEN.findall(text)


def definition(text: str) -> tuple[str, Macro] | None:
    """Macro that `#define TEXT` defines."""
    found = re.match(r"\s*(\w+)(?:\(([^()]*)\))?(.*)", text, re.DOTALL)
    if found is None:
        return None
    body = tuple(tokens(found[3].strip()))
    if found[2] is None:
        return found[1], Macro(None, False, body)
    names = [name.strip() for name in found[2].split(",") if name.strip()]
    variadic = bool(names) and names[-1].endswith("...")
    if variadic:
        names[-1] = names[-1].removesuffix("...").strip() or "__VA_ARGS__"
    return found[1], Macro(tuple(names), variadic, body)


def expand(given: Sequence[str], macros: Macros, budget: TokenBudget) -> list[str]:
    pending: _Pending = deque((token, frozenset()) for token in given)
    done: list[str] = []
    while pending:
        budget.spend()
        token, hidden = pending.popleft()
        macro = macros.get(token)
        body = None if macro is None or token in hidden else _replacement(macro, pending, macros, budget)
        if body is None:
            done.append(token)
        else:
            inside = hidden | {token}
            pending.extendleft((each, inside) for each in reversed(body))
    return done


def _replacement(macro: Macro, pending: _Pending, macros: Macros, budget: TokenBudget) -> list[str] | None:
    if macro.parameters is None:
        return _pasted(list(macro.body))
    arguments = _arguments(pending)
    return None if arguments is None else _pasted(_substituted(macro, _named(macro, arguments), macros, budget))


def _arguments(pending: _Pending) -> list[list[str]] | None:
    """The arguments of a call, taken off what follows; None, and nothing taken, where no call follows."""
    depth = taken = 0
    found: list[list[str]] = [[]]
    for token, _ in pending:
        taken += 1
        if depth == 0 and not token.isspace() and token != "(":
            return None
        depth += (token in "([{") - (token in ")]}") if len(token) == 1 else 0
        if depth == 0 and token == ")":
            break
        if token == "," and depth == 1:
            found.append([])
        elif depth > 1 or (depth == 1 and token != "("):
            found[-1].append(token)
    else:
        return None
    for _ in range(taken):
        pending.popleft()
    return [_stripped(each) for each in found]


def _named(macro: Macro, arguments: list[list[str]]) -> dict[str, list[str]]:
    names = macro.parameters or ()
    if macro.variadic and len(arguments) > len(names):
        rest = [token for each in arguments[len(names) - 1 :] for token in (",", *each)][1:]
        arguments = [*arguments[: len(names) - 1], rest]
    return {name: arguments[i] if i < len(arguments) else [] for i, name in enumerate(names)}


def _substituted(macro: Macro, given: dict[str, list[str]], macros: Macros, budget: TokenBudget) -> list[str]:
    body = list(macro.body)
    found: list[str] = []
    for i, token in enumerate(body):
        before = next((each for each in reversed(body[:i]) if not each.isspace()), "")
        after = next((each for each in body[i + 1 :] if not each.isspace()), "")
        if token == "#" and after in given:
            continue
        if token not in given:
            found.append(token)
        elif before == "#":
            found.append('"' + "".join(given[token]).replace("\\", "\\\\").replace('"', '\\"') + '"')
        elif "##" in (before, after):
            found += given[token] or [""]
        else:
            found += expand(given[token], macros, budget)
    return found


def _pasted(body: list[str]) -> list[str]:
    """The tokens with those on both sides of ## joined into one."""
    while "##" in body:
        at = body.index("##")
        left, right = at - 1, at + 1
        while left >= 0 and body[left].isspace():
            left -= 1
        while right < len(body) and body[right].isspace():
            right += 1
        joined = (body[left] if left >= 0 else "") + (body[right] if right < len(body) else "")
        body = [*body[: max(left, 0)], joined, *body[right + 1 :]]
    return body


def _stripped(given: list[str]) -> list[str]:
    while given and given[0].isspace():
        given = given[1:]
    while given and given[-1].isspace():
        given = given[:-1]
    return given
