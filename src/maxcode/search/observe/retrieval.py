"""Solved cases from all journals, and those nearest to a program: the `examples` block (after LOOPRAG, small).

A case is a baseline, the confirmed faster program, by how much, what the critic said of the baseline, and how it was
done. Cases of the same task are never shown: a search must not be handed the answer that an earlier one found.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from maxcode.core import Frozen
from maxcode.search.observe.observation import SolvedCase
from maxcode.search.tree import Node, Tree
from maxcode.store.journal import Store
from maxcode.task.model import Task

SHOWN = 3
KNOWN = frozenset(
    "if else for while do return break continue switch case struct class const static void int long double float char "
    "bool auto unsigned size_t string vector map set unordered_map pair queue priority_queue stack cin cout scanf "
    "printf getline sort push_back size begin end min max sqrt pow abs def in not and or import range len print "
    "input append join split sorted dict list sum".split()
)
"""Words that keep their meaning as features; all other names count as one."""


class Solved(Frozen):
    task: str
    task_hash: str
    before: str
    after: str
    speedup: float
    tags: tuple[str, ...] = ()
    actions: str = ""


def solved_cases(store: Store) -> list[Solved]:
    """Solved cases of all runs in the store, the fastest one of each task."""
    best: dict[str, Solved] = {}
    events = (event for info in store.runs() for event in store.read(info.id, "solved"))
    for event in events:
        case = Solved.model_validate(event.payload)
        if case.task_hash not in best or case.speedup > best[case.task_hash].speedup:
            best[case.task_hash] = case
    return list(best.values())


def solved(tree: Tree, best: Node, speedup: float) -> Solved:
    """What a search has shown, as a case for others: the main file before and after, and the way there."""
    path, file = tree.path(best)[::-1], tree.task.main_file
    critique = tree.critique(tree.root)
    return Solved(
        task=tree.task.name,
        task_hash=tree.task.hash,
        before=tree.root.candidate.files[file],
        after=best.candidate.files[file],
        speedup=speedup,
        tags=tuple(tag for diagnosis in (critique.diagnoses if critique else ()) for tag in diagnosis.tags),
        actions=" + ".join(_action(node) for node in path[1:] if _action(node)),
    )


def _action(node: Node) -> str:
    origin = node.candidate.origin or ""
    return origin.removeprefix("rewrite: ") if origin.startswith("rewrite: ") else ""


def nearest(cases: Sequence[Solved], task: Task, code: str, count: int = SHOWN) -> tuple[SolvedCase, ...]:
    """The cases of other tasks most like a program, nearest first; ties in the order of their names."""
    others = [case for case in cases if case.task_hash != task.hash and case.task != task.name]
    weights = _rarity(tuple(case.before for case in others))
    ranked = sorted(others, key=lambda case: (-likeness(code, case.before, weights), case.task))
    return tuple(
        SolvedCase(title=case.task, before=case.before, after=case.after, speedup=case.speedup, actions=case.actions)
        for case in ranked[:count]
    )


def likeness(one: str, other: str, weights: dict[str, float]) -> float:
    """Cosine of two programs' features, rare ones counting more."""
    a, b = features(one), features(other)
    dot = sum(a[key] * b[key] * weights.get(key, 1.0) ** 2 for key in a.keys() & b.keys())
    return dot / (_norm(a, weights) * _norm(b, weights) or 1.0)


def _norm(counts: dict[str, float], weights: dict[str, float]) -> float:
    return math.sqrt(sum((count * weights.get(key, 1.0)) ** 2 for key, count in counts.items()))


@lru_cache(maxsize=4096)
def features(code: str) -> dict[str, float]:
    """Runs of one to three tokens, with names, numbers and texts made alike."""
    plain = re.sub(r"//[^\n]*|/\*.*?\*/|#(?!include)[^\n]*", " ", code, flags=re.DOTALL)
    tokens = [_token(token) for token in re.findall(r'"(?:\\.|[^"\\\n])*"|\w+|[^\s\w]', plain)]
    runs = (" ".join(tokens[i : i + n]) for n in (1, 2, 3) for i in range(len(tokens) - n + 1))
    return {key: 1 + math.log(count) for key, count in Counter(runs).items()}


def _token(token: str) -> str:
    if token in KNOWN or not (token[0].isalnum() or token[0] in '_"'):
        return token
    return "0" if token[0].isdigit() else '""' if token[0] == '"' else "x"


def _rarity(programs: tuple[str, ...]) -> dict[str, float]:
    seen = Counter(key for program in programs for key in features(program))
    return {key: math.log((1 + len(programs)) / (1 + count)) + 0.1 for key, count in seen.items()}
