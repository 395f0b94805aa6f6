"""An archive keeps the best of every kind."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from maxcode.search.archive import Cell, ProgramArchive, by_size_and_loops
from maxcode.search.tree import Node
from tests.search.fakes import add, grown

reward_lists = st.lists(st.sampled_from([0.0, 0.5, 1.0, 1.5]) | st.floats(0.1, 9), min_size=1, max_size=25)


def in_thirds(node: Node) -> Cell:
    return (node.id % 3,)


def nodes_of(rewards: list[float]) -> list[Node]:
    return grown(*((0, reward, 1) for reward in rewards)).nodes[1:]


@given(reward_lists, st.randoms(use_true_random=False))
def test_the_best_of_each_cell_stays_whatever_the_order(rewards: list[float], rng: random.Random) -> None:
    nodes = nodes_of(rewards)
    archive = ProgramArchive(in_thirds)
    for node in rng.sample(nodes, len(nodes)):
        archive.add(node)
    cells = {cell: [node for node in nodes if in_thirds(node) == cell] for cell in map(in_thirds, nodes)}
    assert archive.coverage == len(cells)
    drawn = [archive.sample(rng) for _ in range(10)]
    assert all(each.reward == max(node.reward for node in cells[in_thirds(each)]) for each in drawn)
    assert archive.best is min(nodes, key=lambda node: (-node.reward, node.id))


@given(reward_lists)
def test_adding_says_whether_it_kept_the_node(rewards: list[float]) -> None:
    archive = ProgramArchive(lambda _: ())
    kept = [archive.add(node) for node in nodes_of(rewards)]
    assert kept == [all(reward > earlier for earlier in rewards[:i]) for i, reward in enumerate(rewards)]


def test_a_wrong_program_is_not_sampled_where_there_is_a_right_one() -> None:
    archive = ProgramArchive(in_thirds)
    for node in nodes_of([0.0, 0.0, 0.7]):
        archive.add(node)
    assert {archive.sample(random.Random(seed)).reward for seed in range(50)} == {0.7}


def test_a_wrong_program_is_sampled_where_nothing_is_right() -> None:
    archive = ProgramArchive(in_thirds)
    for node in nodes_of([0.0, 0.0]):
        archive.add(node)
    assert archive.sample(random.Random(0)).reward == 0.0


def test_good_elites_are_sampled_more_often_and_all_sometimes() -> None:
    archive = ProgramArchive(lambda node: (node.id,))
    for node in nodes_of([1.0 + i / 10 for i in range(8)]):
        archive.add(node)
    drawn = [archive.sample(random.Random(seed)).reward for seed in range(800)]
    best = sum(reward >= 1.6 for reward in drawn) / len(drawn)
    assert 0.55 < best < 0.70, "half of the draws from the best quarter, and a quarter of the other half"
    assert len(set(drawn)) == 8


def cell(text: str, reward: float = 1.0) -> Cell:
    tree = grown()
    return by_size_and_loops(add(tree, tree.root, reward, 1, text=text))


def test_kinds_differ_by_correctness_loops_and_size() -> None:
    text = "int main() { for (int i = 0; i < 9; ++i) {} }\n"
    assert cell(text) != cell(text, reward=0.0)
    assert cell(text) != cell(text.replace("for (int i = 0; i < 9; ++i)", "if (0 < 1 + 2 + 3 + 4 + 5)"))
    assert cell(text) != cell(text * 3)


def test_a_small_change_of_text_is_of_the_same_kind() -> None:
    text = "int main() { for (int i = 0; i < 9; ++i) {} }\n" * 5
    assert cell(text) == cell(text.replace("9", "10", 1))


def test_an_empty_program_has_a_kind() -> None:
    assert cell("") == (1, 0, 0)
