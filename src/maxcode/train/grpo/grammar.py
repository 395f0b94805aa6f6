"""A grammar of names: at each place, the tokens with which some name of a menu goes on, and no others.

Every name ends with a line break, so that none is the beginning of another. A model's probability of a name under the
grammar is the product over its tokens of p(token) / sum of p over the tokens that the grammar allows there: places
where only one token is allowed cost nothing and say nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

Encode = Callable[[str], Sequence[int]]
END = "\n"


@dataclass(frozen=True)
class Grammar:
    """The names of a menu as sequences of tokens."""

    sequences: dict[tuple[int, ...], str]

    def allowed(self, begun: tuple[int, ...]) -> list[int]:
        """The tokens that may follow, in ascending order; empty after a whole name."""
        size = len(begun)
        return sorted({each[size] for each in self.sequences if len(each) > size and each[:size] == begun})

    def forced(self, begun: tuple[int, ...]) -> tuple[int, ...]:
        """The tokens that follow without a choice."""
        ahead: tuple[int, ...] = ()
        while len(allowed := self.allowed(begun + ahead)) == 1:
            ahead += (allowed[0],)
        return ahead

    def name(self, tokens: tuple[int, ...]) -> str | None:
        """The name that the tokens spell; None where they are not a whole one."""
        return self.sequences.get(tokens)


def grammar(names: Iterable[str], encode: Encode) -> Grammar:
    """Grammar of these names. Two names never have the same tokens, because tokens decode to one text."""
    return Grammar({tuple(encode(name + END)): name for name in names})
