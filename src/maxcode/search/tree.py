"""The search tree: nodes in the order they were made, with the backup of mdp.py kept up to date."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from copy import copy

from maxcode.core import Candidate, Cost, Critique, Fact, Frozen, Outcome, Status
from maxcode.evaluate.measure.posterior import Evidence, evidence
from maxcode.search.mdp import Return, best_so_far, max_backup, sum_backup
from maxcode.task.model import Task


class Node(Frozen):
    """An evaluated program: its parent, its outcome, and the best reward on the path to it."""

    id: int
    parent: int | None
    depth: int
    step: int
    """Number of selections before it was known; 0 for the root. Without asking ahead, the round that asked for it."""
    candidate: Candidate
    outcome: Outcome
    reward: float
    u: float
    """Best reward on the path from the root, this node included, in units of its step."""
    island: int = 0
    cost: Cost | None = None
    """Cost of the answer that it came from; None for the root."""
    answer: str = ""
    """Text of the answer that it came from; empty for the root, and where a policy gave none."""
    program: int | None = None
    """Number of the program in the run, from 0; None for the root."""

    @property
    def correct(self) -> bool:
        return self.outcome.status is Status.OK


class Tree:
    """Search tree, grown by `add`, which updates values and visits on the path to the root and nothing else.

    `remeasure` changes what is known of a program, `reward_all` all rewards, and with them u and the values.
    """

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
        self.expected: Counter[int] = Counter()
        """Number of programs that were asked for from a node and are not in the tree yet, by node."""
        self._children: list[list[int]] = [[]]
        self._values: list[float] = [root_reward]
        self._visits: list[int] = [1]
        self._best = 0
        self._evidence: dict[str, Evidence | None] = {}
        """Evidence by candidate, made when it is first asked for."""
        self._remeasured: dict[str, Outcome] = {}
        self.batches: Counter[str] = Counter()
        """Number of times that each candidate was measured further."""

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

    def copy(self) -> Tree:
        """A tree of its own that holds what is known now."""
        found = copy(self)
        vars(found).update({name: copy(value) for name, value in vars(self).items() if isinstance(value, list | dict)})
        found._children = [list(each) for each in self._children]
        return found

    def add(
        self,
        parent: Node,
        candidate: Candidate,
        outcome: Outcome,
        reward: float,
        *,
        step: int,
        island: int = 0,
        cost: Cost | None = None,
        answer: str = "",
        program: int | None = None,
    ) -> Node:
        node = Node(
            id=len(self.nodes),
            parent=parent.id,
            depth=parent.depth + 1,
            step=step,
            candidate=candidate,
            outcome=self._remeasured.get(candidate.id, outcome),
            reward=reward,
            u=best_so_far(parent.u, reward, self.gamma),
            island=island,
            cost=cost,
            answer=answer,
            program=program,
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

    def reward_all(self, rewards: Sequence[float]) -> None:
        """Sets the rewards of all nodes, in their order."""
        if all(node.reward == reward for node, reward in zip(self.nodes, rewards, strict=True)):
            return
        for i, (node, reward) in enumerate(zip(self.nodes, rewards, strict=True)):
            u = reward if node.parent is None else best_so_far(self.nodes[node.parent].u, reward, self.gamma)
            self.nodes[i] = node.model_copy(update={"reward": reward, "u": u})
        backup = max_backup if self.returns == "max" else sum_backup
        for node in reversed(self.nodes):
            self._values[node.id] = backup(node.reward, [self._values[i] for i in self._children[node.id]], self.gamma)
        self._best = max(self.nodes, key=lambda node: (node.reward, -node.id)).id

    def remeasure(self, candidate: Candidate, outcome: Outcome) -> None:
        """Puts a new outcome in the place of a program's old one, in all nodes that have it and will have it."""
        self._remeasured[candidate.id] = outcome
        self._evidence.pop(candidate.id, None)
        self.batches[candidate.id] += 1
        for node in self.nodes:
            if node.candidate.id == candidate.id:
                found = outcome.model_copy(update={"facts": node.outcome.facts})
                self.nodes[node.id] = node.model_copy(update={"outcome": found})

    def evidence(self, node: Node) -> Evidence | None:
        """What the pairs of a node's program say; None where it was not measured."""
        key, m = node.candidate.id, node.outcome.measurement
        if key not in self._evidence:
            self._evidence[key] = evidence(m) if m else None
        return self._evidence[key]

    def annotate(self, node: Node, facts: tuple[Fact, ...]) -> None:
        """Adds what a profile found out about a node's program."""
        self.replace_outcome(node, node.outcome.model_copy(update={"facts": facts}))

    def replace_outcome(self, node: Node, outcome: Outcome) -> None:
        """Puts a fuller outcome in the place of a node's. Its reward stays."""
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

    def latest(self) -> list[Node]:
        """The nodes of the last round; while programs are expected, also as many nodes before them as are expected.

        Programs that fail are judged sooner than others. Alone they would pass for a round without a correct one.
        """
        count = len(self.made_in(self.last_step)) + self.expected.total()
        return self.nodes[-count:]

    def critique(self, node: Node) -> Critique | None:
        return self.critiques.get(node.id)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes)
