"""What the tree keeps up to date equals what a look at all of it would find."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode.core import Critique
from maxcode.search.mdp import Return
from maxcode.search.tree import Node, Tree
from tests.search.fakes import add, grown


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """Nodes below any earlier one, made in rounds of any size; some rewards alike, some 0."""
    tree = grown()
    step = 0
    for i in range(draw(st.integers(0, 25))):
        step += draw(st.integers(1, 2)) if i == 0 else draw(st.integers(0, 2))
        parent = tree.nodes[draw(st.integers(0, len(tree) - 1))]
        add(tree, parent, draw(st.sampled_from([0.0, 0.5, 1.0, 1.5, 2.0]) | st.floats(0.1, 9)), step)
    return tree


def below(tree: Tree, node: Node) -> list[Node]:
    """The node and all that descend from it, by looking at parents only."""
    found = {node.id}
    for each in tree:
        if each.parent in found:
            found.add(each.id)
    return [tree.nodes[i] for i in sorted(found)]


@given(trees())
def test_value_is_the_best_reward_of_the_subtree(tree: Tree) -> None:
    for node in tree:
        assert tree.value(node) == max(each.reward for each in below(tree, node))


def discounted(tree: Tree, node: Node) -> float:
    """The best discounted reward below a node, by a look at all of it."""
    return max(tree.gamma ** (each.depth - node.depth) * each.reward for each in below(tree, node))


def mean_of_sums(tree: Tree, node: Node) -> float:
    values = [mean_of_sums(tree, child) for child in tree.children(node)]
    return node.reward + (tree.gamma * sum(values) / len(values) if values else 0.0)


@pytest.mark.parametrize(("returns", "wanted"), [("max", discounted), ("sum", mean_of_sums)])
@given(tree=trees(), gamma=st.floats(0.3, 1.0))
def test_value_follows_the_settings_of_the_strategy(
    returns: Return, wanted: Callable[[Tree, Node], float], tree: Tree, gamma: float
) -> None:
    other = Tree(tree.task, tree.root.outcome, returns=returns, gamma=gamma)
    for node in tree.nodes[1:]:
        other.add(other.nodes[node.parent or 0], node.candidate, node.outcome, node.reward, step=node.step)
    assert [other.value(node) for node in other] == pytest.approx([wanted(other, node) for node in other])
    assert [node.u for node in other] == pytest.approx(
        [max(above.reward / gamma ** (node.depth - above.depth) for above in other.path(node)) for node in other]
    )


@given(trees())
def test_visits_count_the_subtree(tree: Tree) -> None:
    for node in tree:
        assert tree.visits(node) == len(below(tree, node))


@given(trees())
def test_best_is_the_first_of_the_highest_reward(tree: Tree) -> None:
    highest = max(node.reward for node in tree)
    assert tree.best is next(node for node in tree if node.reward == highest)


@given(trees())
def test_u_is_the_best_reward_on_the_way_from_the_root(tree: Tree) -> None:
    for node in tree:
        assert node.u == max(each.reward for each in tree.path(node))


@given(trees())
def test_a_path_leads_from_the_node_to_the_root_by_parents(tree: Tree) -> None:
    for node in tree:
        path = tree.path(node)
        assert path[0] is node
        assert path[-1] is tree.root
        assert [each.parent for each in path] == [*(each.id for each in path[1:]), None]
        assert node.depth == len(path) - 1


@given(trees())
def test_children_are_those_that_name_the_parent_in_order(tree: Tree) -> None:
    for node in tree:
        assert tree.children(node) == [each for each in tree if each.parent == node.id]


@given(trees(), st.integers(0, 30))
def test_made_in_gives_the_nodes_of_one_round_in_order(tree: Tree, step: int) -> None:
    assert tree.made_in(step) == [node for node in tree if node.step == step]


@given(trees())
def test_last_step_is_never_empty(tree: Tree) -> None:
    assert tree.made_in(tree.last_step)[-1] is tree.nodes[-1]


def test_a_critique_belongs_to_one_node() -> None:
    tree = grown((0, 1.5, 1), (0, 1.2, 1))
    tree.critiques[1] = Critique(text="slow input")
    assert [tree.critique(node) is None for node in tree] == [True, False, True]


def test_a_node_is_correct_only_when_its_outcome_is_ok() -> None:
    assert [node.correct for node in grown((0, 0.5, 1), (0, 0.0, 1), (0, -1.0, 1))] == [True, True, False, False]


def test_the_latest_nodes_are_those_of_the_last_round_and_as_many_more_as_are_expected() -> None:
    tree = grown((0, 2.0, 1), (0, 3.0, 1), (0, 0.0, 2))
    assert [node.id for node in tree.latest()] == [3]
    tree.expected[0] += 2
    assert [node.id for node in tree.latest()] == [1, 2, 3]
    tree.expected[0] += 9
    assert [node.id for node in tree.latest()] == [0, 1, 2, 3]
