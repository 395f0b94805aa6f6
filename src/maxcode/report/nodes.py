"""A tree as columns: what a page needs of every node, in the form that packs best."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from maxcode.core import Critique, Fact
from maxcode.report.delta import delta
from maxcode.search.tree import Node, Tree

MOST_TEXT = 2000
"""Most characters of a reason: a compiler's errors can be long, and the first ones matter."""


def figure(value: float | None) -> float | None:
    """The value rounded to six significant digits; None where it is not finite."""
    return None if value is None or not math.isfinite(value) else float(f"{value:.6g}")


def columns(tree: Tree) -> dict[str, list[Any]]:
    rows = [_row(node) for node in tree]
    return {name: [row[name] for row in rows] for name in rows[0]}


def _row(node: Node) -> dict[str, Any]:
    m, v, cost = node.outcome.measurement, node.outcome.verification, node.cost
    return {
        "parent": node.parent,
        "depth": node.depth,
        "step": node.step,
        "status": node.outcome.status.value,
        "verdict": m.verdict.value if m else None,
        "speedup": figure(m.speedup) if m else None,
        "low": figure(m.ci_low) if m else None,
        "high": figure(m.ci_high) if m else None,
        "pairs": len(m.samples) if m else 0,
        "gflops": figure(m.gflops) if m else None,
        "reward": figure(node.reward),
        "u": figure(node.u),
        "passed": v.passed if v else None,
        "tests": v.total if v else None,
        "reason": (node.outcome.reason or "")[:MOST_TEXT],
        "origin": node.candidate.origin or "",
        "evaluation": figure(node.outcome.seconds),
        "tokens": cost.tokens if cost else None,
        "usd": figure(cost.usd) if cost else None,
        "seconds": figure(cost.seconds) if cost else None,
    }


def programs(tree: Tree) -> tuple[list[dict[str, Any]], list[int | None]]:
    """Every distinct program as edits of its parent's, and which of them each node has; None for an empty answer."""
    numbers: dict[str, int] = {}
    packed: list[dict[str, Any]] = []
    of_node: list[int | None] = []
    for node in tree:
        files, number = node.candidate.files, numbers.get(node.candidate.id)
        if files and number is None:
            above = _nearest_program(tree, node)
            number = numbers[node.candidate.id] = len(packed)
            packed.append(_packed(above, files, numbers[above.candidate.id] if above else None))
        of_node.append(number)
    return packed, of_node


def _nearest_program(tree: Tree, node: Node) -> Node | None:
    """The closest ancestor that has a program: answers without one can be parents too."""
    return next((each for each in tree.path(node)[1:] if each.candidate.files), None)


def _packed(above: Node | None, files: dict[str, str], number: int | None) -> dict[str, Any]:
    old = above.candidate.files if above else {}
    changed = {name: delta(old.get(name, ""), text) for name, text in files.items() if old.get(name) != text}
    return {"from": number, "edits": changed, "gone": sorted(set(old) - set(files))}


def facts(found: Iterable[Fact]) -> list[dict[str, Any]]:
    return [fact.model_dump(exclude_none=True) for fact in found]


def critique(tree: Tree, node: int, found: Critique) -> dict[str, Any]:
    """A critique, with counts of the programs that were written after it: all, correct, and better than the node."""
    children = tree.children(tree.nodes[node])
    best = max(children, key=lambda each: each.reward, default=None)
    return {
        "node": node,
        "text": found.text,
        "source": found.source,
        "diagnoses": [each.model_dump(exclude={"tags"}) for each in found.diagnoses],
        "tokens": found.cost.tokens,
        "usd": figure(found.cost.usd),
        "children": len(children),
        "correct": sum(child.correct for child in children),
        "better": sum(child.reward > tree.nodes[node].reward for child in children),
        "best": best.id if best else None,
    }
