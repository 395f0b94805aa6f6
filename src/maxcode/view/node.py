"""Everything about one node: its program in colours, what became of it, and what was said about it."""

from __future__ import annotations

from typing import Any

from maxcode.core import Cost, Outcome
from maxcode.critic.audit import audit
from maxcode.report.colours import coloured
from maxcode.report.nodes import critique, facts, figure
from maxcode.search.observe.feedback import feedback
from maxcode.search.tree import Node, Tree
from maxcode.view.follow import Follower

MOST_COLOURED = 300_000
"""Most characters of a file that is coloured; longer ones are shown plain."""


def node_data(follower: Follower, tree: Tree, number: int) -> dict[str, Any]:
    node = tree.nodes[number]
    above = next((each for each in tree.path(node)[1:] if each.candidate.files), None)
    return {
        "node": number,
        "parent": node.parent,
        "depth": node.depth,
        "step": node.step,
        "island": node.island,
        "u": figure(node.u),
        "value": figure(tree.value(node)),
        "children": len(tree.children(node)),
        "origin": node.candidate.origin,
        "program": node.candidate.id if node.candidate.files else None,
        "twin": follower.firsts[node.candidate.id],
        "files": files_of(node),
        "above": above.id if above else None,
        "outcome": outcome_data(node.outcome),
        "feedback": feedback(node.outcome),
        "facts": facts(node.outcome.facts),
        "critique": _critique(tree, node),
        "cost": _cost(node.cost),
    }


def files_of(node: Node) -> dict[str, dict[str, Any]]:
    return {name: file_data(name, text) for name, text in node.candidate.files.items()}


def file_data(name: str, text: str) -> dict[str, Any]:
    return {"text": text, "lines": coloured(name, text) if len(text) <= MOST_COLOURED else None}


def outcome_data(outcome: Outcome) -> dict[str, Any]:
    m = outcome.measurement
    used = [each for each in m.samples if each.method == m.method] if m else []
    return {
        **{name: figure(value) if isinstance(value, float) else value for name, value in outcome.summary().items()},
        "clock": m.clock if m else None,
        "before": [figure(each.baseline) for each in used],
        "after": [figure(each.candidate) for each in used],
        "stages": {stage.name: figure(stage.seconds) for stage in outcome.stages},
    }


def _critique(tree: Tree, node: Node) -> dict[str, Any] | None:
    found = tree.critique(node)
    if found is None:
        return None
    agreements = [each.agreement for each in audit(node.id, found, node.outcome)]
    return {**critique(tree, node.id, found), "agreements": agreements}


def _cost(cost: Cost | None) -> dict[str, Any] | None:
    return {"tokens": cost.tokens, "usd": figure(cost.usd), "seconds": figure(cost.seconds)} if cost else None
