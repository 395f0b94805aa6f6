"""The search tree: nodes in the order they were made, with the backup of mdp.py kept up to date."""

from __future__ import annotations

from collections.abc import Iterator

from maxcode.core import Candidate, Critique, Fact, Frozen, Outcome, Status
from maxcode.search.mdp import Return, best_so_far, max_backup, sum_backup
from maxcode.task.model import Task


class Node(Frozen):
    """An evaluated program: its parent, its outcome, and the best reward on the path to it."""

    id: int
    parent: int | None
    depth: int
    step: int
    """The round of the search that made it; 0 for the root."""
    candidate: Candidate
    outcome: Outcome
    reward: float
    u: float
    """Best reward on the path from the root, this node included, in units of its step."""
    island: int = 0

    @property
    def correct(self) -> bool:
        return self.outcome.status is Status.OK


class Tree:
    """Search tree, grown by `add`. Each `add` updates values and visits on the path to the root, and nothing else."""

    def __init__(
        self, task: Task, root: Outcome, root_reward: float = 1.0, *, returns: Return = "max", gamma: float = 1.0
    ) -> None:
        self.task, self.returns, self.gamma = task, returns, gamma
        first = Node(
            id=0,
            parent=None,
            depth=0,
            step=0,
            candidate=task.baseline_candidate,
            outcome=root,
            reward=root_reward,
            u=root_reward,
        )
        self.nodes: list[Node] = [first]
        self.critiques: dict[int, Critique] = {}
        self._children: list[list[int]] = [[]]
        self._values: list[float] = [root_reward]
        self._visits: list[int] = [1]
        self._best = 0

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def root(self) -> Node:
        return self.nodes[0]

    @property
    def best(self) -> Node:
        """The node with the highest reward; of equals, the first."""
        return self.nodes[self._best]

    @property
    def last_step(self) -> int:
        return self.nodes[-1].step

    def add(
        self, parent: Node, candidate: Candidate, outcome: Outcome, reward: float, *, step: int, island: int = 0
    ) -> Node:
        node = Node(
            id=len(self.nodes),
            parent=parent.id,
            depth=parent.depth + 1,
            step=step,
            candidate=candidate,
            outcome=outcome,
            reward=reward,
            u=best_so_far(parent.u, reward, self.gamma),
            island=island,
        )
        self.nodes.append(node)
        self._children.append([])
        self._values.append(reward)
        self._visits.append(1)
        self._children[parent.id].append(node.id)
        if reward > self.best.reward:
            self._best = node.id
        below = node
        for ancestor in self.path(parent):
            self._values[ancestor.id] = self._backed_up(ancestor, below)
            self._visits[ancestor.id] += 1
            below = ancestor
        return node

    def _backed_up(self, node: Node, child: Node) -> float:
        """The node's value after its child's has changed: a maximum only needs that child, a mean needs all."""
        if self.returns == "max":
            return max_backup(self._values[node.id], [self._values[child.id]], self.gamma)
        return sum_backup(node.reward, [self._values[i] for i in self._children[node.id]], self.gamma)

    def annotate(self, node: Node, facts: tuple[Fact, ...]) -> None:
        """Adds what a profile found out about a node's program."""
        outcome = node.outcome.model_copy(update={"facts": facts})
        self.nodes[node.id] = node.model_copy(update={"outcome": outcome})

    def parent(self, node: Node) -> Node | None:
        return None if node.parent is None else self.nodes[node.parent]

    def children(self, node: Node) -> list[Node]:
        return [self.nodes[i] for i in self._children[node.id]]

    def path(self, node: Node) -> list[Node]:
        """Nodes from the given one up to the root, both included."""
        found = [node]
        while (above := self.parent(found[-1])) is not None:
            found.append(above)
        return found

    def value(self, node: Node) -> float:
        """Value backed up to the node: the best discounted reward in its subtree, or as `returns` says."""
        return self._values[node.id]

    def visits(self, node: Node) -> int:
        return self._visits[node.id]

    def made_in(self, step: int) -> list[Node]:
        """The nodes of one round, in order."""
        found: list[Node] = []
        for node in reversed(self.nodes):
            if node.step < step:
                break
            if node.step == step:
                found.append(node)
        return found[::-1]

    def critique(self, node: Node) -> Critique | None:
        return self.critiques.get(node.id)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes)
