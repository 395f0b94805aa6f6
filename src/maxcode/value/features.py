"""What a light model reads of a state: figures of its code, its feedback, its path and what its parent was told.

All figures are known when a state is valued: a node's own profile and critique are made only when it is expanded, so
they are never among them; those of its parent are. Figures that a state does not have are left out, and count as 0.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache

from maxcode.core import Candidate, Status
from maxcode.search.tree import Node, Tree

FLOOR = 0.25
"""Lowest reward that counts: a wrong program is as bad as one that is four times slower."""
WORDS = (
    "for while if switch vector map unordered_map set unordered_set string deque list pair struct static const inline "
    "restrict double float int long char bool unsigned cin cout endl scanf printf getchar fread fwrite getline sqrt "
    "pow min max sort find count erase insert push_back emplace_back reserve resize memcpy memset malloc new abs "
    "pragma simd unroll optimize target omp likely def import range len append join split dict"
).split()
SIGNS = ("%", "/", "*", "[", "&&", "||", "?", "&", "<<", "->")
_LOOP = re.compile(r"\b(?:for|while)\b")

Features = dict[str, float]


def log_reward(reward: float) -> float:
    return math.log(max(reward, FLOOR))


def state_features(tree: Tree, node: Node) -> Features:
    """Features of a program that has been run."""
    parent = tree.parent(node)
    found = _path_features(tree, node) | _code_features(tree, node.candidate, parent)
    found |= _feedback_features(node, parent)
    return found | (_parent_features(tree, parent) if parent else {})


def proposal_features(tree: Tree, parent: Node, candidate: Candidate) -> Features:
    """Features of a program that has not been run: all but those of its own feedback."""
    found = _path_features(tree, parent, "before") | _code_features(tree, candidate, parent)
    found |= _transformations(candidate, "last")
    return found | _parent_features(tree, parent)


def _path_features(tree: Tree, node: Node, last: str = "last") -> Features:
    """Features of the path to a node. `last` names the group of the steps that made the node itself."""
    path = tree.path(node)
    rewards = [each.reward for each in path[::-1]]
    since = len(rewards) - 1 - max(range(len(rewards)), key=lambda i: (rewards[i], -i))
    found: Features = {
        "depth": float(node.depth),
        "u": log_reward(node.u),
        "failed-on-path": float(sum(not each.correct for each in path)),
        "since-best": float(since),
        f"language:{tree.task.language.value}": 1.0,
        f"kind:{tree.task.kind.name}": 1.0,
        f"metric:{tree.task.objective.metric}": 1.0,
    }
    for each in path:
        found |= _transformations(each.candidate, "path")
    return found | (_transformations(node.candidate, last) if node.parent is not None else {})


def _transformations(candidate: Candidate, where: str) -> Features:
    """Names of the rewriter's steps, where it made the program."""
    origin = candidate.origin or ""
    steps = origin.removeprefix("rewrite: ").split(" + ") if origin.startswith("rewrite: ") else []
    return {f"{where}:{re.split(r'[(@]', step)[0]}": 1.0 for step in steps}


def _feedback_features(node: Node, parent: Node | None) -> Features:
    outcome, measured = node.outcome, node.outcome.measurement
    found: Features = {f"status:{outcome.status.value}": 1.0, "reward": log_reward(node.reward)}
    found["behind-u"] = log_reward(node.u) - log_reward(node.reward)
    if parent is not None:
        found["gain"] = log_reward(node.reward) - log_reward(parent.reward)
    if outcome.verification and outcome.status is not Status.OK:
        found["passed"] = outcome.verification.passed / max(outcome.verification.total, 1)
    if measured and measured.ci_low > 0:
        found["width"] = math.log(measured.ci_high / measured.ci_low)
    return found


def _parent_features(tree: Tree, parent: Node) -> Features:
    """Features of the outcome of the program that this one was made from."""
    found: Features = {"parent:reward": log_reward(parent.reward), f"parent:{parent.outcome.status.value}": 1.0}
    facts = parent.outcome.facts
    for fact in facts:
        found[f"fact:{fact.kind}"] = found.get(f"fact:{fact.kind}", 0.0) + 1.0
    heat = [fact.value or 0.0 for fact in facts if fact.kind == "hot_line"]
    if heat and sum(heat) > 0:
        found["hottest-line"] = max(heat) / sum(heat)
    critique = tree.critique(parent)
    for diagnosis in critique.diagnoses if critique else ():
        found |= {f"advice:{tag}": 1.0 for tag in diagnosis.tags}
    return found


def _code_features(tree: Tree, candidate: Candidate, parent: Node | None) -> Features:
    text = _text(candidate)
    found = dict(_text_features(text))
    for name, other in (("baseline", tree.root.candidate), ("parent", parent.candidate if parent else None)):
        if other is not None:
            found[f"longer-than-{name}"] = math.log((len(text) + 1) / (len(_text(other)) + 1))
            found[f"differs-from-{name}"] = _difference(text, _text(other))
    return found


def _text(candidate: Candidate) -> str:
    return "\n".join(candidate.files[name] for name in sorted(candidate.files))


@lru_cache(maxsize=4096)
def _text_features(text: str) -> Features:
    plain = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)
    words = re.findall(r"\w+", plain)
    found = {f"code:{word}": math.log1p(words.count(word)) for word in WORDS if word in words}
    found |= {f"code:{sign}": math.log1p(plain.count(sign)) for sign in SIGNS if sign in plain}
    found["code:length"] = math.log1p(len(plain))
    found["code:lines"] = math.log1p(plain.count("\n"))
    found["code:nest"] = float(_deepest_loop(plain))
    return found


def _deepest_loop(text: str) -> int:
    """Number of loops around the innermost one, by indentation."""
    open_at: list[int] = []
    deepest = 0
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        if not line.strip():
            continue
        while open_at and open_at[-1] >= indent:
            open_at.pop()
        if _LOOP.match(line.strip()):
            open_at.append(indent)
            deepest = max(deepest, len(open_at))
    return deepest


@lru_cache(maxsize=4096)
def _difference(one: str, other: str) -> float:
    """Share of lines that only one of two programs has."""
    a, b = ({line.strip() for line in text.splitlines()} for text in (one, other))
    return len(a ^ b) / max(len(a | b), 1)
