"""Tables of choices in the words of help texts, where words such as `{strategies}` stand for them.

Filled in when a help text is shown: the tables, and the packages that add to them, are not read before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby


def filled(text: str) -> str:
    for word, in_words in CHOICES.items():
        if word in text:
            text = text.replace(word, in_words())
    return text


def _strategies() -> str:
    from maxcode.search.strategies import DEFAULT, METHOD, STRATEGIES
    from maxcode.search.strategy import ADDITIONS

    by_where = groupby(ADDITIONS.items(), key=lambda each: each[1].where)
    added = [f"{listed(f'+{name}' for name, _ in few)} {where}".strip() for where, few in by_where]
    return f"{DEFAULT} (which is {METHOD}), {listed(STRATEGIES, 'or')}; with {', '.join(added)}"


def _policies() -> str:
    from maxcode.plugins import forms
    from maxcode.policy.table import POLICIES

    return ", ".join(forms(POLICIES))


def _critics() -> str:
    from maxcode.critic.choose import CRITICS
    from maxcode.plugins import forms

    return listed(forms(CRITICS), "or")


def _engines() -> str:
    from maxcode.core import InputError
    from maxcode.evaluate.engine import ENGINES

    def in_words(name: str) -> str:
        try:
            return f"{name} ({ENGINES[name].about})"
        except InputError:  # a package that cannot be loaded
            return name

    return listed(map(in_words, ENGINES), "or")


def listed(words: Iterable[str], last: str = "and") -> str:
    """`a, b and c`."""
    *most, final = words
    return f"{', '.join(most)} {last} {final}" if most else final


CHOICES: dict[str, Callable[[], str]] = {
    "{strategies}": _strategies,
    "{policies}": _policies,
    "{critics}": _critics,
    "{engines}": _engines,
}
