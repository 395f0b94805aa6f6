"""Critics: raw feedback in, a diagnosis out."""

from __future__ import annotations

from typing import Protocol

from maxcode.core import Critique
from maxcode.search.tree import Node, Tree


class Critic(Protocol):
    """Says what is wrong with a program or what holds it back, and what to do about it."""

    async def __call__(self, tree: Tree, node: Node) -> Critique: ...
