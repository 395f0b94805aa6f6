"""Each selection rule picks what its description says, from trees made by hand."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from maxcode.search.archive import Cell
from maxcode.search.selection import Select
from maxcode.search.strategies.beam import beam
from maxcode.search.strategies.cuda_llm import fastest_of_round
from maxcode.search.strategies.evolve import islands
from maxcode.search.strategies.flat import flat
from maxcode.search.strategies.mcts import puct
from maxcode.search.strategies.rollouts import rolled_out
from maxcode.search.strategies.single_path import single_path
from maxcode.search.tree import Node, Tree
from tests.search.fakes import add, grown, rewards


def picked(select: Select, tree: Tree, seed: int = 0) -> list[tuple[int, int]]:
    """(node, samples) of every expansion."""
    return [(each.node.id, each.samples) for each in select(tree, rewards, random.Random(seed))]


@pytest.mark.parametrize("tree", [grown(), grown((0, 3.0, 1)), grown((0, 3.0, 1), (1, 9.0, 2))], ids=["0", "1", "2"])
def test_flat_always_expands_the_root(tree: Tree) -> None:
    assert picked(flat(samples=5), tree) == [(0, 5)]


def test_single_path_goes_on_from_the_last_program() -> None:
    assert picked(single_path(depth=3), grown((0, 2.0, 1), (1, 0.0, 2))) == [(2, 1)]


def test_single_path_restarts_at_its_depth() -> None:
    assert picked(single_path(depth=2), grown((0, 2.0, 1), (1, 3.0, 2))) == [(0, 1)]


def test_fastest_of_round_begins_at_the_root() -> None:
    assert picked(fastest_of_round(samples=4, depth=3), grown()) == [(0, 4)]


def test_fastest_of_round_prefers_the_last_round_to_a_better_earlier_program() -> None:
    tree = grown((0, 5.0, 1), (0, 1.0, 1), (1, 1.2, 2), (1, 1.4, 2), (1, 0.0, 2))
    assert tree.best.id == 1
    assert picked(fastest_of_round(samples=4, depth=3), tree) == [(4, 4)]


def test_fastest_of_round_takes_the_first_of_equals() -> None:
    assert picked(fastest_of_round(samples=4, depth=3), grown((0, 0.0, 1), (0, 2.0, 1), (0, 2.0, 1))) == [(2, 4)]


def test_fastest_of_round_repairs_each_failure_once_when_all_failed() -> None:
    tree = grown((0, 2.0, 1), (1, 0.0, 2), (1, -1.0, 2), (1, 0.0, 2))
    assert picked(fastest_of_round(samples=4, depth=5), tree) == [(2, 1), (3, 1), (4, 1)]


def test_fastest_of_round_goes_on_with_a_repaired_program() -> None:
    tree = grown((0, 0.0, 1), (0, 0.0, 1), (1, 0.0, 2), (2, 0.8, 2))
    assert picked(fastest_of_round(samples=4, depth=5), tree) == [(4, 4)]


@pytest.mark.parametrize("reward", [2.0, 0.0], ids=["correct", "failed"])
def test_fastest_of_round_restarts_at_its_depth(reward: float) -> None:
    assert picked(fastest_of_round(samples=4, depth=2), grown((0, 2.0, 1), (1, reward, 2))) == [(0, 4)]


def test_fastest_of_round_asks_the_given_values() -> None:
    tree = grown((0, 2.0, 1), (0, 3.0, 1))
    found = fastest_of_round(samples=1, depth=3)(tree, lambda nodes: {n.id: -n.reward for n in nodes}, random.Random())
    assert [each.node.id for each in found] == [1]


def test_beam_begins_with_as_many_programs_as_a_full_layer_makes() -> None:
    assert picked(beam(width=3, samples=2, depth=4), grown()) == [(0, 6)]


def test_beam_keeps_its_width_of_the_last_layer_best_first() -> None:
    tree = grown((0, 9.0, 1), (1, 1.0, 2), (1, 3.0, 2), (1, 2.0, 2), (1, 0.5, 2))
    assert picked(beam(width=3, samples=2, depth=4), tree) == [(3, 2), (4, 2), (2, 2)]


def test_beam_fills_up_with_failures_only_after_all_correct_programs() -> None:
    tree = grown((0, 0.0, 1), (0, 0.2, 1), (0, -1.0, 1), (0, 0.0, 1))
    assert picked(beam(width=3, samples=2, depth=4), tree) == [(2, 2), (1, 2), (3, 2)]


def test_beam_restarts_at_its_depth() -> None:
    assert picked(beam(width=3, samples=2, depth=2), grown((0, 2.0, 1), (1, 3.0, 2))) == [(0, 6)]


def simulate(select: Select, tree: Tree, rounds: int, reward_below: dict[int, tuple[float, float]]) -> list[int]:
    """Lets a rule grow a tree whose rewards depend on the branch; gives the branch of every expansion."""
    rng = random.Random(1)
    branches: list[int] = []
    for step in range(tree.last_step + 1, tree.last_step + 1 + rounds):
        expansions = select(tree, rewards, random.Random(step))
        for each in expansions:
            branch = branch_of(tree, each.node)
            branches.append(branch)
            for _ in range(each.samples):
                add(tree, each.node, rng.uniform(*reward_below.get(branch, (0.9, 1.1))), step)
        if not expansions:
            break
    return branches


def branch_of(tree: Tree, node: Node) -> int:
    path = tree.path(node)
    return path[-2].id if len(path) > 1 else 0


def test_puct_expands_the_better_branch_more_often_but_not_only() -> None:
    tree = grown((0, 1.0, 1), (0, 1.0, 1), (0, 1.0, 1))
    select = puct(samples=1, depth=30, exploration=1.0, batch=1)
    counts = Counter(simulate(select, tree, 150, {1: (0.8, 1.2), 2: (2.0, 3.0), 3: (0.8, 1.2)}))
    assert counts[2] > 2 * max(counts[1], counts[3])
    assert counts[1] + counts[3] > 0


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_puct_never_exceeds_its_depth(depth: int) -> None:
    tree = grown()
    simulate(puct(samples=2, depth=depth, exploration=0.1, batch=3), tree, 40, {})
    assert max(node.depth for node in tree) == depth


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_puct_always_finds_something_to_expand(depth: int) -> None:
    """The best program at the greatest depth is no reason to stop while money is left."""
    tree = grown()
    select = puct(samples=2, depth=depth, exploration=0.1, batch=2)
    for step in range(1, 60):
        expansions = select(tree, rewards, random.Random(step))
        assert expansions, f"nothing to expand in round {step}"
        for each in expansions:
            for _ in range(each.samples):
                add(tree, each.node, 1.0 + each.node.depth, step)


def test_puct_picks_several_different_nodes_for_one_round() -> None:
    tree = grown(*((0, 1.0 + i / 100, 1) for i in range(6)))
    found = puct(samples=1, depth=4, exploration=1.0, batch=3)(tree, rewards, random.Random())
    assert len({each.node.id for each in found}) == len(found) == 3


def test_puct_copes_when_everything_failed() -> None:
    tree = grown(*((0, 0.0, 1) for _ in range(6)))
    assert picked(puct(samples=2, depth=3, exploration=1.0, batch=2), tree)


def apart(node: Node) -> Cell:
    """Every node is of a kind of its own."""
    return (node.id,)


def test_islands_take_turns() -> None:
    tree = grown()
    select = islands(count=3, samples=2, migration_every=100, describe=apart)
    seen = []
    for step in range(1, 7):
        expansions = select(tree, rewards, random.Random(step))
        assert [each.samples for each in expansions] == [1, 1]
        assert len({each.island for each in expansions}) == 1
        seen.append(expansions[0].island)
        for each in expansions:
            add(tree, each.node, 1.5, step, each.island)
    assert sorted(seen[:3]) == sorted(seen[3:]) == [0, 1, 2]


def run_islands(select: Select, tree: Tree, rounds: int) -> dict[int, set[int]]:
    """Which nodes each island expands, when nothing new is as good as what there is."""
    used: dict[int, set[int]] = {0: set(), 1: set(), 2: set()}
    for step in range(tree.last_step + 1, tree.last_step + 1 + rounds):
        for each in select(tree, rewards, random.Random(step)):
            used[each.island].add(each.node.id)
            add(tree, each.node, 0.0, step, each.island)
    return used


def on_island(island: int, reward: float = 4.0) -> Tree:
    tree = grown()
    add(tree, tree.root, reward, 1, island)
    return tree


def test_islands_do_not_see_each_other_without_migration() -> None:
    tree = on_island(1)
    used = run_islands(islands(count=3, samples=4, migration_every=1000, describe=apart), tree, 30)
    assert 1 in used[1]
    assert 1 not in used[0] | used[2]


def test_the_best_of_an_island_migrates_to_its_neighbour() -> None:
    tree = on_island(1)
    used = run_islands(islands(count=3, samples=4, migration_every=6, describe=apart), tree, 30)
    assert 1 in used[2]


def test_one_migration_moves_the_best_one_island_on() -> None:
    """Each island gives what it has itself; otherwise the best would be everywhere at once, and islands no use."""
    tree = on_island(0)
    select = islands(count=3, samples=8, migration_every=6, describe=apart)
    used = run_islands(select, tree, 10)
    assert tree.last_step == 11
    assert 1 in used[0] & used[1]
    assert 1 not in used[2]


def test_islands_keep_an_elite_however_much_comes_after_it() -> None:
    tree = on_island(0)
    select = islands(count=3, samples=4, migration_every=1000, describe=apart)
    run_islands(select, tree, 60)
    assert 1 in run_islands(select, tree, 9)[0]


@pytest.mark.parametrize(
    "select",
    [flat(3), single_path(3), fastest_of_round(3, 3), beam(2, 2, 3), puct(2, 3, 1.0, 2)],
    ids=["flat", "single_path", "fastest_of_round", "beam", "puct"],
)
def test_a_rule_depends_on_nothing_but_the_tree(select: Select) -> None:
    tree = grown((0, 2.0, 1), (0, 3.0, 1), (1, 0.0, 2), (1, 2.5, 2))
    assert picked(select, tree, seed=1) == picked(select, tree, seed=2)


def test_rolled_out_refines_every_sample_alone_before_it_goes_on() -> None:
    select = rolled_out(samples=2, length=2, depth=2)
    tree = grown((0, 2.0, 1), (0, 3.0, 1))
    assert picked(select, tree) == [(1, 1), (2, 1)]
    tree = grown((0, 2.0, 1), (0, 3.0, 1), (1, 0.0, 2), (2, 1.0, 2))
    assert picked(select, tree) == [(3, 1), (4, 1)]
    tree = grown((0, 2.0, 1), (0, 3.0, 1), (1, 0.0, 2), (2, 1.0, 2), (3, 9.0, 3), (4, 1.0, 3))
    assert picked(select, tree) == [(2, 2)]


def test_rolled_out_ends_its_walk_with_a_new_one_from_the_root() -> None:
    select = rolled_out(samples=1, length=1, depth=2)
    walked = grown((0, 2.0, 1), (1, 1.0, 2), (1, 3.0, 3), (3, 1.0, 4))
    assert picked(select, walked) == [(0, 1)]
    again = grown((0, 2.0, 1), (1, 1.0, 2), (1, 3.0, 3), (3, 1.0, 4), (0, 1.5, 5))
    assert picked(select, again) == [(5, 1)]
